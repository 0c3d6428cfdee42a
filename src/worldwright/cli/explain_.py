"""`worldwright explain ID`: what a rule, check, verdict or stop means; or why an episode got its verdict."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from worldwright.audit.probes import battery
from worldwright.audit.probes.document import SIDES, does
from worldwright.audit.taxonomy import fault_kind, taxonomy
from worldwright.cli.output import GOOD, emit, note, say
from worldwright.cli.verdicts import verdict_lines
from worldwright.errors import UsageError
from worldwright.pack.lint import RULES
from worldwright.rollout import Trajectory
from worldwright.rollout.codec import index_of
from worldwright.rollout.run import find
from worldwright.rollout.trajectory import each_trajectory
from worldwright.world.protocol import StopReason

__all__ = ["explain", "trajectory_lines"]

CHECKS = {
    "insert": "Rows that the task calls for, matched one to one with what was inserted on the pinned columns. "
    "A row shows what is missing, or the nearest inserted row and how it differs.",
    "update": "Rows that must hold these values at the end. A row shows the key, and each column with what was expected and what was got.",
    "delete": "Rows that must be gone. A row shows the key of one that is still there.",
    "wrong": "The verifier's own judgement of what was the agent's choice: the rows are its faults, mostly with the reason under `why`.",
    "frame": "Everything that the agent changed and nothing calls for: collateral damage. What the world itself did isn't counted.",
    "answer": "An answer field, compared by its type. A row shows what was expected and what was got.",
    "forbid": "A query that must give no row. The rows shown are what it gave.",
    "demand": "A query that must give at least one row, and gave none.",
}
"""Kinds of checks in a verdict."""

VERDICTS = {
    "pass": "Every check holds: reward 1.",
    "fail": "At least one check is broken: reward 0.",
    "error": "The task or the infrastructure is broken, decided before the agent acted or without any act of its own: "
    "no reward, never trained on.",
    "unknown": "There is nothing to judge by: no reward, never a pass.",
    "verifier-overrun": "A check could not be completed, and only because of what the agent did: it counts as broken.",
    "state-lost": "A call of the agent made the state go: graded as a failure.",
}
"""Statuses and findings of a verdict."""

STOPS = {
    StopReason.WORLD_ERROR: "The world failed by itself: no verdict.",
    StopReason.SOLVER_ERROR: "What the solver stands on failed: no verdict.",
    StopReason.STATE_LOST: "A call of the agent made the state go: graded as a failure.",
    StopReason.CALL_LIMIT: "The limit of calls was reached; graded as it stands.",
    StopReason.OUTPUT_LIMIT: "The limit of characters was reached; graded as it stands.",
    StopReason.PLAN_FAILED: "The agent's own plan raised or hit a limit; graded as it stands.",
    StopReason.ANSWERED: "The agent answered.",
    StopReason.GAVE_UP: "The agent stopped without an answer; graded as it stands.",
}
"""Reasons why an attempt ended."""

_WHAT = "A probe, the code of a fault, a lint rule, a kind of check, a verdict, a stop reason, RUN.jsonl:LINE or RUN.jsonl:ID."


def explain(
    what: Annotated[
        str, typer.Argument(help="A probe, a code of a fault, a lint rule, a check, a verdict, a stop reason, or RUN.jsonl:LINE.")
    ],
    calls: Annotated[bool, typer.Option("--calls", help="For an episode: every message too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Say what a name means and how to mend it, or explain an episode's verdict with its rows."""
    found = re.fullmatch(r"(.+\.jsonl(?:\.gz|\.zst)?)(?::(\d{1,9}|[0-9a-f]{10,64}))?", what)
    if found:
        return _episode(Path(found.group(1)), found.group(2) or "1", calls, as_json)
    entry = _entry(what)
    if as_json:
        emit(entry)
    else:
        say(f"{what} ({entry['kind']})")
        say(f"  {entry['means']}")
        for name in ("does", "looked for by", "needs", "not applicable where", "edit", "faults"):
            if entry.get(name):
                say(f"  {name}: {entry[name]}")
    return GOOD


def _entry(what: str) -> dict[str, str]:
    if what in RULES:
        return {"name": what, "kind": f"lint rule, {RULES[what].level}", "means": RULES[what].means, "edit": RULES[what].edit}
    for kind, table in (
        ("check of a verdict", CHECKS),
        ("verdict", VERDICTS),
        ("stop reason", {str(key): text for key, text in STOPS.items()}),
    ):
        if what in table:
            return {"name": what, "kind": kind, "means": table[what]}
    found = _of_the_audit(what)
    if found is not None:
        return found
    known = [*RULES, *CHECKS, *VERDICTS, *(str(stop) for stop in STOPS), *battery(), *(one.code for one in taxonomy())]
    raise UsageError(f"nothing is called '{what}'. Known: {', '.join(dict.fromkeys(known))}; or RUN.jsonl:LINE for an episode.")


def _of_the_audit(what: str) -> dict[str, str] | None:
    """A kind of probe, or of fault."""
    fault = fault_kind(what)
    if fault is not None:
        finders = [name for name, module in battery().items() if what in module.PROBE.codes]
        return {
            "name": what,
            "kind": f"fault: {fault.name}",
            "means": fault.means,
            "does": f"looked for by {', '.join(finders)}" if finders else "",
        }
    module = battery().get(what)
    if module is None:
        return None
    probe = module.PROBE
    codes = [fault_kind(code) for code in probe.codes]
    return {
        "name": what,
        "kind": f"probe, {SIDES[probe.side]}, version {probe.version}{', held out' if probe.held_out else ''}",
        "means": probe.means,
        "does": does(module),
        "needs": ", ".join(sorted(probe.needs)),
        "not applicable where": probe.rule,
        "edit": probe.repair,
        "faults": "; ".join(f"{one.code} {one.name}" for one in codes if one is not None),
    }


def _episode(path: Path, which: str, calls: bool, as_json: bool) -> int:
    one = _by_line(path, int(which)) if len(which) < 10 else _by_id(path, which)
    if as_json:
        emit(one)
        return GOOD
    for text in trajectory_lines(one, calls):
        say(text)
    return GOOD


def _by_line(path: Path, line: int) -> Trajectory:
    """The trajectory on this line, read up to there. Raises UsageError."""
    n = 0
    for n, one in enumerate(each_trajectory(path, note), start=1):
        if n == line:
            return one
    raise UsageError(f"{path} has the lines 1 to {n}, not {line}" if n else f"{path} holds no trajectory")


def _by_id(path: Path, name: str) -> Trajectory:
    """The trajectory whose id begins so: by the run's index, if it has one. Raises UsageError."""
    if index_of(path).exists():
        found = find(path, name)
    else:
        found = next((one for one in each_trajectory(path, note) if one.id.startswith(name)), None)
    if found is None:
        raise UsageError(f"{path} has no trajectory {name} (expected a line, or how an id begins, with at least 10 digits)")
    return found


def trajectory_lines(one: Trajectory, calls: bool) -> list[str]:
    """An episode in words: what was asked, what was done, what changed, and why this verdict."""
    trace = one.trace
    out = [f"{trace.instance} by {trace.solver}: stopped because {trace.stop}{' (' + trace.detail + ')' if trace.detail else ''}"]
    for message in trace.messages if calls else trace.messages[1:2]:
        for call in message.tool_calls:
            out.append(f"  {message.role} calls {call.function.name}({call.function.arguments[:200]})")
        if message.content:
            out.append(f"  {message.name or message.role}: {message.content[:1000]}")
    out.append(f"  {trace.counts.calls} calls, {trace.counts.refused} refused; answer: {trace.answer}")
    out.append(f"  changes: {len(one.changes)} rows")
    for change in one.changes[:12]:
        cells = ", ".join(
            f"{name}: {change.old.get(name)!r} -> {change.new.get(name)!r}"
            if change.op == "update"
            else f"{name}: {(change.new or change.old)[name]!r}"
            for name in (change.new or change.old)
        )
        out.append(f"    {change.op} {change.table} {list(change.key)} by {change.by}: {cells[:300]}")
    return out + verdict_lines(one.verdict)
