"""Passing without doing the work: nothing done, every constant answer, everything acted on, nothing read.

Each shortcut is run on every instance; a shortcut whose pass rate is above the task's `luck` beyond chance (one-sided
95 % Clopper-Pearson lower bound) is a finding. The unit of n is an instance of the task; the label is the task's own
verifier.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from worldwright.pack.lint.draw import Values
from worldwright.pack.lint.findings import Finding, finding
from worldwright.pack.lint.tally import Tally
from worldwright.pack.read import PackTask
from worldwright.task import Instance
from worldwright.verifier import Status
from worldwright.world.spec import ArgSpec

__all__ = ["constant_answers", "lint_luck", "lower_bound"]

_MOST_ANSWERS = 24
_BLIND_CALLS = 40
_MOST_COMMON = 3


def lower_bound(passed: int, n: int) -> float:
    """One-sided 95 % Clopper-Pearson lower bound of a rate."""
    from scipy.special import betaincinv  # half of a command's start, so not before a rate is wanted

    return 0.0 if passed == 0 else float(betaincinv(passed, n - passed + 1, 0.05))


def lint_luck(entry: PackTask, instances: Sequence[Instance], tally: Tally) -> Iterator[Finding]:
    """Findings for shortcuts that pass too often."""
    answers = constant_answers(entry)
    for n, answer in enumerate(answers):
        name = f"nothing done, answer {answer}" if answer else "nothing done"
        yield from _measured(entry, name, n, instances, tally, [], answer)
    for answer in common_answers(entry, instances[::2]):
        if answer not in answers:
            yield from _measured(entry, f"nothing done, the common answer {answer}", 1, instances[1::2], tally, [], answer)
    for name in ("act on everything", "act without reading"):
        yield from _measured(entry, name, 0, instances, tally, [name], answers[0])


def _measured(
    entry: PackTask,
    name: str,
    n: int,
    instances: Sequence[Instance],
    tally: Tally,
    acts: list[str],
    answer: dict[str, Any] | None,
) -> Iterator[Finding]:
    passed = 0
    for instance in instances:
        with entry.task.start(instance) as episode:
            for act in acts:
                for tool, args in _calls(entry, instance, act):
                    if episode.call(tool, args).ended is not None:
                        break
            verdict = entry.verifier.grade(instance, episode.finish(answer, instance.until))
        passed += verdict.status == Status.PASS
        tally.saw(verdict)
        if not acts:
            tally.saw_untouched(verdict)
    if n == 0 or passed:
        tally.runs[f"{entry.world.name}/{entry.name} shortcut: {name}"] = (passed, len(instances))
    if lower_bound(passed, len(instances)) > entry.task.brief.luck:
        message = f"'{name}' passes on {passed} of {len(instances)} instances, more than luck {entry.task.brief.luck} allows"
        yield finding("luck", message, file=f"{entry.where}/brief.yaml", field="luck")


def constant_answers(entry: PackTask) -> list[dict[str, Any] | None]:
    """Answers that need no work: every combination of closed fields, open ones at their plainest value."""
    fields = entry.task.brief.answer
    if not fields:
        return [None]
    choices = [[(name, value) for value in _plain_values(spec)] for name, spec in fields.items()]
    return [dict(pairs) for pairs in itertools.islice(itertools.product(*choices), _MOST_ANSWERS)]


def common_answers(entry: PackTask, instances: Sequence[Instance]) -> list[dict[str, Any]]:
    """The answers that are right most often, where they are known before the agent acts: at most three.

    They are chosen on half of the instances and measured on the others, or the choice itself would raise the rate.
    """
    counted: Counter[str] = Counter()
    for instance in instances:
        cache = entry.verifier.preflight(instance).cache
        base = entry.verifier.base.answer
        if base and all(one.query.fixed for one in base):
            values = {one.field: [next(iter(row.values())) for row in cache[one.query.field]] for one in base}
            fields = entry.task.brief.answer
            plain = {name: got if fields[name].type == "list" else got[0] if got else None for name, got in values.items()}
            counted[msgspec.json.encode(plain).decode()] += 1
    return [msgspec.json.decode(text) for text, _ in counted.most_common(_MOST_COMMON)]


def _plain_values(spec: ArgSpec) -> list[Any]:
    if spec.enum:
        return list(spec.enum)
    if spec.type == "list":
        return [[]]
    if spec.type == "boolean":
        return [True, False]
    if spec.type in ("integer", "number"):
        return [0, 1]
    return [""]


def _calls(entry: PackTask, instance: Instance, act: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Calls of write tools only: on every value of their arguments in turn, or with drawn values."""
    world = entry.world.world
    values = Values(world.image(instance.seed))
    rng = random.Random(f"{instance.seed}:{act}")
    writes = [tool.doc for tool in world.own.values() if tool.doc.writes]
    if not writes:
        return
    limit = entry.task.brief.limits.calls
    if act == "act without reading":
        for _ in range(min(limit, _BLIND_CALLS)):
            tool = rng.choice(writes)
            drawn = values.draw(tool, rng)
            yield tool.name, {**drawn, **{name: value for name, value in instance.shown.items() if name in tool.args}}
        return
    for tool in writes:
        names = [name for name in tool.args if values.by_name.get(name)]
        for value in values.by_name.get(names[0], [])[: limit // len(writes)] if names else []:
            yield tool.name, {**values.draw(tool, rng), names[0]: value}
