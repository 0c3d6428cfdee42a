"""The whole of lint: format first, then what can be seen, then what must be run.

Takes a pack and seeds; gives a report with findings in the order of files. What can't be compiled is reported and the
rest goes on. Slow parts (leaks, references, luck) are run on the seeds given; `fast` leaves them out and says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from worldwright.errors import PackError, SandboxError, UnusableSeed
from worldwright.pack.cases import Case
from worldwright.pack.lint.blind import lint_blind
from worldwright.pack.lint.findings import Finding, finding, from_error
from worldwright.pack.lint.hidden import STATES, lint_dead_tools, lint_leaks
from worldwright.pack.lint.luck import lint_luck
from worldwright.pack.lint.static import lint_free, lint_task, lint_world
from worldwright.pack.lint.tally import Tally
from worldwright.pack.place import line_in
from worldwright.pack.read import Pack, PackTask, PackWorld
from worldwright.reference import Replay, replay
from worldwright.sandbox import Plan
from worldwright.verifier import Status, Verdict

__all__ = ["LintReport", "lint"]

USABLE = 0.9
"""The least share of seeds on which a task must be usable."""


class LintReport(msgspec.Struct, frozen=True):
    """What lint found, and what it counted: `runs` by (task, plan) as (passed, tried)."""

    pack: str
    digest: str
    findings: tuple[Finding, ...]
    runs: dict[str, tuple[int, int]]
    left_out: tuple[str, ...]

    @property
    def is_clean(self) -> bool:
        """Whether no error was found (warnings are allowed)."""
        return not any(one.level == "error" for one in self.findings)


def lint(
    pack: Pack,
    seeds: Sequence[int],
    *,
    fast: bool = False,
    states: int = STATES,
    luck: bool = True,
    note: Callable[[str], None] = lambda _: None,
) -> LintReport:
    """Hold a pack to its rules on these seeds; `states`: how many start states the two-run test tries; no guesses without `luck`."""
    found: list[Finding] = []
    runs: dict[str, tuple[int, int]] = {}
    found += _strays(pack)
    found += _families(pack)
    for world in pack.worlds.values():
        note(world.name)
        alive: set[str] = set()
        found += _guarded(pack, partial(_world, world, seeds, fast, states))
        for task in world.tasks.values():
            note(f"{world.name}/{task.name}")
            found += _guarded(pack, partial(_task, task, seeds, fast, luck, runs, alive))
        found += _guarded(pack, partial(lint_free, world))
        if not fast:
            found += _guarded(pack, partial(lint_dead_tools, world, list(seeds)[:6], alive))
    unique = list(dict.fromkeys(_located(pack, one) for one in found))
    left = ("two-run test", "dead tools", "references", "cases", "luck") if fast else () if luck else ("luck",)
    return LintReport(pack.meta.name, pack.digest, tuple(unique), runs, left)


_KNOWN = re.compile(
    r"pack\.toml|(README|LICENSE|LICENCE|NOTICE|ATTRIBUTION|CHANGELOG)[^/]*|certificate\.json|ledger\.jsonl|built\.toml|forge\.json|worlds/[^/]+/("
    r"world\.yaml|schema\.sql|scenario\.py|scenario\.sqlite|sample\.yaml|events\.yaml|parties\.yaml|handbook/[^/]+\.md|README\.md"
    r"|tasks/[^/]+/(brief\.yaml|verifier\.yaml|reference\.py|alternative-[a-z0-9-]+\.py|cases\.yaml|README\.md))"
)


def _strays(pack: Pack) -> Iterator[Finding]:
    """Files that nothing reads."""
    for path in pack.files:
        if not _KNOWN.fullmatch(path):
            yield finding("stray-file", "nothing reads this file", file=f"{pack.where}/{path}" if pack.where else path)


def _families(pack: Pack) -> Iterator[Finding]:
    """Labels of tasks that aren't there, and tasks without a label where others have one."""
    there = {f"{task.world.name}/{task.name}" for task in pack.tasks()}
    labelled, file = set(pack.meta.families), f"{pack.where}/pack.toml" if pack.where else "pack.toml"
    for name in sorted(labelled - there):
        yield finding("format", f"there is no task '{name}'", file=file, field="families")
    for name in sorted(there - labelled) if labelled else ():
        yield finding("format", f"the task '{name}' has no family, others have", file=file, field="families")


def _guarded(pack: Pack, check: Callable[[], Iterable[Finding]]) -> list[Finding]:
    out: list[Finding] = []
    try:
        for one in check():
            out.append(one)
    except PackError as fault:
        out.append(from_error(fault))
    return out


def _located(pack: Pack, one: Finding) -> Finding:
    """The finding with the line of its field, where that isn't known yet."""
    data = pack.files.get(one.file.removeprefix(f"{pack.where}/") if pack.where else one.file)
    return one if one.line or data is None else msgspec.structs.replace(one, line=line_in(one.file, data, one.field))


def _world(entry: PackWorld, seeds: Sequence[int], fast: bool, states: int) -> Iterator[Finding]:
    yield from lint_world(entry)
    world = entry.world
    first = seeds[0] if seeds else 0
    yield from _pages(entry, world.image(first).policy)
    yield from _plan_findings(entry)
    if not fast:
        yield from lint_leaks(entry, [*seeds, *range(10_000, 10_000 + states)][:states])


def _pages(entry: PackWorld, policy: Mapping[str, Any]) -> Iterator[Finding]:
    """Every page must be readable with the policies that there are."""
    book = entry.world.handbook
    for page in book.pages.values():
        unknown = sorted(name for name in book.policy_names - set(policy) if re.search(rf"policy\.{name}\b", page.text))
        for name in unknown:
            yield finding("format", f"there is no policy '{name}' in the start state", file=page.file, field=f"policy.{name}")
        if not unknown:
            book.read(page.name, policy)


def _plan_findings(entry: PackWorld) -> Iterator[Finding]:
    """The same seed must give the same start state, whatever ran before."""
    world = entry.world
    fresh = type(world)(entry.name, entry.files, where=entry.where)
    if fresh.state_digest(0) != world.state_digest(0):
        yield finding("format", "scenario(0) gives another state each time", file=f"{entry.where}/scenario.py")


def _task(
    entry: PackTask, seeds: Sequence[int], fast: bool, luck: bool, runs: dict[str, tuple[int, int]], alive: set[str]
) -> Iterator[Finding]:
    yield from lint_task(entry)
    yield from lint_blind(entry)
    cases = entry.cases
    instances, unusable = _usable(entry, seeds)
    for instance in instances:
        for wording in range(1 + len(entry.task.brief.paraphrases)):
            entry.task.prompt(instance, wording)
    if len(unusable) > (1 - USABLE) * len(seeds):
        message = f"bind gives no row on {len(unusable)} of {len(seeds)} seeds (first: {unusable[0]})"
        yield finding("unusable-seeds", message, file=f"{entry.where}/brief.yaml", field="bind")
    if "stratum" in entry.task.bind.columns and len({one.stratum for one in instances}) == 1 and len(instances) >= 10:
        yield finding("one-stratum", f"always '{instances[0].stratum}'", file=f"{entry.where}/brief.yaml", field="bind")
    sick = next((one for one in (instances if not fast else instances[:3]) if entry.verifier.preflight(one).fault), None)
    if sick is not None:
        yield finding("vacuous", f"seed {sick.seed}: {entry.verifier.preflight(sick).fault}", file=f"{entry.where}/verifier.yaml")
    if fast or sick is not None:
        return
    tally = Tally(runs, alive)
    yield from _plans(entry, cases, instances, tally)
    if luck:
        yield from lint_luck(entry, instances, tally)
    yield from tally.findings(entry)


def _plans(entry: PackTask, cases: Sequence[Case], instances: Sequence[Any], tally: Tally) -> Iterator[Finding]:
    wanted: list[tuple[str, Plan, Status, Sequence[int], str]] = []
    if entry.reference is not None:
        wanted.append(("reference-fails", entry.reference, Status.PASS, (), f"{entry.where}/reference.py"))
    wanted += [("alternative-fails", plan, Status.PASS, (), f"{entry.where}/{plan.name}") for plan in entry.alternatives]
    wanted += [
        ("case-differs", Plan(f"case '{case.name}'", case.plan), Status(case.verdict), case.seeds, f"{entry.where}/cases.yaml")
        for case in cases
    ]
    for rule, plan, status, seeds, file in wanted:
        ok, tried, shown = 0, 0, ""
        chosen = instances
        if seeds:
            chosen, unusable = _usable(entry, seeds)
            if unusable:
                message = f"{plan.name} names seeds on which bind gives no row: {', '.join(map(str, unusable))}"
                yield finding("case-seed", message, file=file)
        for instance in chosen:
            try:
                verdict, log = judge(entry, instance, plan)
            except SandboxError as error:
                yield finding("plan-unsupported", str(error), file=file, line=error.line)
                break
            tried += 1
            ok += verdict.status == status
            tally.alive |= {step.tool for step in log.steps if step.ok}
            tally.saw(verdict)
            if _unsupported(log):
                yield finding("plan-unsupported", f"{plan.name}: {log.fault}", file=file, line=log.line)
                break
            if verdict.status != status and not shown:
                shown = f"{plan.name} gets {verdict.status} on seed {instance.seed}{_why(verdict)}{'; ' + log.fault if log.fault else ''}"
        tally.runs[f"{entry.world.name}/{entry.name} {plan.name}"] = (ok, tried)
        if shown:
            yield finding(rule, f"{shown} ({tried - ok} of {tried} seeds)", file=file)


def _usable(entry: PackTask, seeds: Sequence[int]) -> tuple[list[Any], list[int]]:
    """The instances of these seeds, and the seeds that have none."""
    instances, unusable = list[Any](), list[int]()
    for seed in seeds:
        try:
            instances.append(entry.task.instance(seed))
        except UnusableSeed:
            unusable.append(seed)
    return instances, unusable


def judge(entry: PackTask, instance: Any, plan: Plan) -> tuple[Verdict, Replay]:
    """A plan's verdict on an instance, with its log."""
    log, episode = replay(entry.task, instance, plan)
    with episode:
        return entry.verifier.grade(instance, episode.finish(log.answer, instance.until)), log


def _unsupported(log: Replay) -> bool:
    return log.kind == "syntax" or "is not an iterator" in log.fault or log.fault.startswith("ModuleNotFoundError")


def _why(verdict: Verdict) -> str:
    failed = verdict.failed()
    if verdict.reason:
        return f": {verdict.reason}"
    return f": {failed[0].name}: {msgspec.json.encode(failed[0].rows[:1]).decode()[:200]}" if failed else ""
