"""The leads of a run as exhibits, for the queue in which a person judges verdicts.

Takes a stored run; gives its leads as the audit's exhibits, the attempt's own transcript in them. Runs nothing: what is shown
is what is stored. A lead about a whole task shows its first few attempts, one exhibit each.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from worldwright.audit.answers import shown
from worldwright.audit.exhibits import Exhibit, Step, sayable
from worldwright.rollout.codec import index_of
from worldwright.rollout.ending import End, end_of
from worldwright.rollout.odd import KINDS, Lead, is_fixed, odd
from worldwright.rollout.run import find, frames, head_of
from worldwright.rollout.stored import StoredChange
from worldwright.rollout.trajectory import Trajectory, each_trajectory

__all__ = ["ROLLOUT", "exhibits_of_run", "subject_of_run"]

ROLLOUT = "rollout:"
"""Before a kind of lead, in the place of a probe's name."""

_EDITS = {
    "odd-reward": "If the verdict is wrong: add what it missed to the verifier, and judge the run again with `worldwright rescore`.",
    "paid-by-chance": "If luck does it: raise the brief's `luck`, or ask for an answer that can't be guessed.",
    "flat-groups": "If the verdicts are right: make the task easier or harder, or give more help, until some attempts pass and some don't.",
    "never-passed": "If the verdicts are right: look whether the brief tells all that is needed (`worldwright judge`).",
}
_MOST_STEPS = 60
_MOST_CHANGES = 40


def subject_of_run(path: Path) -> str:
    """What reviews of a run are about: its pack's digest, or one of all of them together."""
    head = head_of(path)
    packs = list(head.schedule.packs) if head is not None else list(dict.fromkeys(one.pack for one in each_trajectory(path)))
    return packs[0] if len(packs) == 1 else hashlib.sha256("\n".join(packs).encode()).hexdigest()


def exhibits_of_run(path: Path) -> list[Exhibit]:
    """The leads of a run that a person can decide. Raises UsageError for what isn't a run."""
    indexed = index_of(path).exists()

    def ends() -> Iterator[End]:
        return (end for frame in frames(path) for end in frame.ends) if indexed else map(end_of, each_trajectory(path))

    leads = odd(ends, is_fixed)
    wanted = {name for lead in leads for name in lead.ids}
    if indexed:
        known = {name: one for name in wanted if (one := find(path, name)) is not None}
    else:
        known = {one.id: one for one in each_trajectory(path) if one.id in wanted}
    pairs = [(lead, known[name]) for lead in leads for name in lead.ids if name in known]
    return [_exhibit(f"R{n}", lead, one) for n, (lead, one) in enumerate(pairs, 1)]


def _exhibit(name: str, lead: Lead, one: Trajectory) -> Exhibit:
    task, _, seed = one.trace.instance.partition("@")
    exhibit = Exhibit(
        id=name,
        kind="lead",
        probe=f"{ROLLOUT}{lead.kind}",
        version=1,
        case=task,
        seed=int(seed),
        variant=f"{one.trace.solver} {one.index}",
        side="refuse" if one.reward else "accept",
        code="",
        severity="low",
        expected="",
        got=str(one.verdict.status),
        label="",
        by="",
        count=lead.count,
        seeds=(int(seed),),
        means=KINDS[lead.kind],
        why=f"{lead.why} ({lead.count} of {lead.of})",
        edit=_EDITS[lead.kind],
        prompt="\n".join(message.content for message in one.trace.messages[:2]),
        steps=tuple(_steps(one)),
        answer="" if one.trace.answer is None else shown(one.trace.answer),
        reward=one.reward,
        changes=tuple(map(_change, one.changes[:_MOST_CHANGES])),
        checks=tuple(f"{'ok  ' if check.ok else 'FAIL'} {check.kind}: {check.name}" for check in one.verdict.checks),
        fault=one.verdict.reason,
        setting="",
        evidence={"id": one.id, "stop": str(one.trace.stop)},
    )
    return msgspec.convert(sayable(msgspec.to_builtins(exhibit)), Exhibit)


def _steps(one: Trajectory) -> Iterator[Step]:
    refused: Sequence[int] = one.left.refused if one.left is not None else ()
    results = {message.tool_call_id: message.content for message in one.trace.messages if message.role == "tool"}
    calls = [call for message in one.trace.messages for call in message.tool_calls]
    for n, call in enumerate(calls[:_MOST_STEPS], 1):
        ok = n not in refused and n <= one.trace.counts.calls
        yield Step(call.function.name, call.function.arguments[:240], results.get(call.id, "")[:240], ok)


def _change(change: StoredChange) -> str:
    cells = [
        f"{name}: {shown(change.old[name], 60)} -> {shown(value, 60)}" if name in change.old else f"{name}: {shown(value, 60)}"
        for name, value in (change.new or change.old).items()
    ]
    return f"{change.op} {change.table} {list(change.key)}: {', '.join(cells[:8])}"
