"""Exhibits: findings and leads as a person looks at them, each with its witness run once more.

Takes a subject and the outcomes of its audit; gives one exhibit a group, as plain text that any terminal, page or JSON
file can show. An exhibit is no part of a certificate: what a run gives may hold paths and process ids.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from worldwright.audit.answers import shown
from worldwright.audit.bench import run_many
from worldwright.audit.findings import Group, side_of
from worldwright.audit.probes import probe_named
from worldwright.audit.records import Side
from worldwright.audit.subject import Act, Attempt, Change, Facts, Play, Result, Session, Setting, Subject

__all__ = ["Exhibit", "Step", "exhibits_of", "sayable"]

_MOST_STEPS = 60
_MOST_CHANGES = 40


class Step(msgspec.Struct, frozen=True):
    """A call and what it gave. `play` numbers the episodes of a session from 1."""

    tool: str
    args: str
    result: str
    ok: bool
    play: int = 1


class Exhibit(msgspec.Struct, frozen=True):
    """A group of outcomes with its first witness. `seeds` are those of all its outcomes, `count` is how many these are."""

    id: str
    kind: Literal["finding", "lead"]
    probe: str
    version: int
    case: str
    seed: int
    variant: str
    side: Side
    code: str
    severity: str
    expected: str
    got: str
    label: str
    by: str
    count: int
    seeds: tuple[int, ...]
    means: str
    why: str
    edit: str
    prompt: str
    steps: tuple[Step, ...]
    answer: str
    reward: float | None
    changes: tuple[str, ...]
    checks: tuple[str, ...]
    fault: str
    setting: str
    evidence: dict[str, Any]
    repro: str = ""
    """The script that shows it again, relative to the audit's folder; "" where there is none."""


def exhibits_of(subject: Subject, groups: Sequence[Group], facts: Mapping[tuple[str, int], Facts], letter: str) -> list[Exhibit]:
    """An exhibit for each group, named by a letter and a number. `facts` spares asking again for instances that are known."""
    sessions = [group.first.session for group in groups]
    done = iter(run_many(subject, [one for one in sessions if one is not None]))
    attempts = [next(done) if session is not None else [] for session in sessions]
    return [
        _exhibit(f"{letter}{n}", group, tried, _prompt(group, tried, facts))
        for n, (group, tried) in enumerate(zip(groups, attempts, strict=True), 1)
    ]


def _prompt(group: Group, attempts: Sequence[Attempt], facts: Mapping[tuple[str, int], Facts]) -> str:
    known = facts.get((group.first.case, group.first.seed))
    return next((one.prompt for one in reversed(attempts) if one.prompt), known.prompt if known else "")


def _exhibit(name: str, group: Group, attempts: Sequence[Attempt], prompt: str) -> Exhibit:
    one, probe = group.first, probe_named(group.first.probe)
    session = one.session or Session(())
    last = attempts[-1] if attempts else Attempt("unknown")
    exhibit = Exhibit(
        id=name,
        kind="finding" if one.kind == "finding" else "lead",
        probe=one.probe,
        version=one.version,
        case=one.case,
        seed=one.seed,
        variant=one.variant,
        side=side_of(one, {probe.id: probe.side} if probe else {}),
        code=one.code,
        severity=one.severity,
        expected=one.expected,
        got=one.got,
        label=one.label,
        by=one.by,
        count=group.count,
        seeds=group.seeds,
        means=probe.means if probe else "The environment does not start.",
        why=one.why,
        edit=one.edit,
        prompt=prompt,
        steps=tuple(_steps(session.plays, attempts)),
        answer="; ".join(shown(play.answer) for play in session.plays if play.finish),
        reward=last.reward,
        changes=tuple(map(_change, (last.changes or ())[:_MOST_CHANGES])),
        checks=last.checks,
        fault=f"{last.where}: {last.fault}"[:600] if last.fault else str(one.evidence.get("fault", "")),
        setting=_setting(session.setting),
        evidence=dict(one.evidence),
    )
    return msgspec.convert(
        sayable(msgspec.structs.asdict(exhibit) | {"steps": [msgspec.structs.asdict(step) for step in exhibit.steps]}), Exhibit
    )


def _steps(plays: Sequence[Play], attempts: Sequence[Attempt]) -> Iterable[Step]:
    for n, (play, attempt) in enumerate(zip(plays, attempts, strict=False), 1):
        for m, act in enumerate(play.acts[:_MOST_STEPS]):
            result = attempt.results[m] if m < len(attempt.results) else Result(False, error="not reached")
            yield _step(act, result, n)


def _step(act: Act, result: Result, play: int) -> Step:
    args = ", ".join(f"{name}={shown(value, 120)}" for name, value in act.args.items())
    return Step(act.tool, args, shown(result.value, 240) if result.ok else (result.error or result.crash)[:240], result.ok, play)


def _change(change: Change) -> str:
    cells = [
        f"{name}: {shown(change.old[name], 60)} -> {shown(value, 60)}" if name in change.old else f"{name}: {shown(value, 60)}"
        for name, value in (change.new or change.old).items()
    ]
    return f"{change.op} {change.table} {change.key}: {', '.join(cells[:8])}"


def _setting(setting: Setting) -> str:
    """What is unusual about the surroundings; "" where nothing is."""
    plain = Setting()
    unusual = [
        f"{name} {shown(getattr(setting, name))}" for name in setting.__struct_fields__ if getattr(setting, name) != getattr(plain, name)
    ]
    return ", ".join(unusual)


def sayable(value: Any) -> Any:
    """A value as JSON can carry it: no lone surrogates, no numbers beyond it, anything strange as its repr."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else str(value)[:60]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {sayable(str(key)): sayable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [sayable(item) for item in value]
    return sayable(repr(value))
