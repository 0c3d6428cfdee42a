"""Junk that makes a grader overrun, crash or go vacuous."""

from __future__ import annotations

import math
from typing import Any

from worldwright.audit.answers import JUNK
from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe, Trial
from worldwright.audit.subject import Act

PROBE = Probe(
    id="dodge",
    side="accept",
    codes=("I4", "A7", "A11"),
    needs=frozenset({"reference"}),
    means="An agent's junk makes the grader crash, hang or pass, so that a failure is lost or rewarded.",
    repair="Treat whatever the agent gives as data: check type and size first, and fail what isn't of the right form.",
)


def _deep(depth: int) -> list[object]:
    out: list[object] = []
    for _ in range(depth):
        out = [out]
    return out


def trials(at: At) -> Steps:
    """Odd answers to an undone task; odd arguments in its calls."""
    idle = at.does or at.asks or bool(at.reference.acts)
    if not idle:
        return
    odd = {
        "an enormous text": "1 " * 100_000,
        "a deep list": _deep(50),
        "a lone surrogate and a NUL": "\ud800\x00",
        "not a number": math.nan,
        "infinity": math.inf,
        "a huge number": 10**400,
        "bytes": b"\xff",
        "an object": {"answer": JUNK, "": None},
        "a list of objects": [{"a": [None]}, 3, "x"],
        "a negative number": -1,
        "text with braces": "{}{0}{x!r}%s%(a)s\\",
    }
    claim = Claim.CONSTRUCTION if at.does else Claim.ANSWER
    made = [at.must_fail(f"nothing done, {name}", (), answer, claim) for name, answer in odd.items()]
    made += [_junk_call(at, n) for n in range(len(at.reference.acts)) if at.reference.acts[n].args]
    yield at.take(made, 4)


def _junk_call(at: At, n: int) -> Trial:
    act = at.reference.acts[n]
    junk: dict[str, Any] = {name: at.rng.choice(["", "x" * 100_000, -1, None, [], {"a": 1}, "\x00"]) for name in act.args}
    return at.must_fail(
        f"{act.tool} with junk, nothing else", (Act(act.tool, junk),), None, Claim.CONSTRUCTION if at.does else Claim.ANSWER
    )
