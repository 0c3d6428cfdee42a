"""Running the checks: all of them, or some, with results as data.

Takes a way to make a world and seeds; gives one result a check, in the order of `CHECKS`. A check that is broken by one
thing doesn't hide what another finds: after a failure the next check gets a fresh world.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from worldwright.errors import UsageError
from worldwright.world.conformance.alike import (
    check_asynchronous,
    check_fork,
    check_interleaved,
    check_repeats,
    check_reset,
    check_threads,
)
from worldwright.world.conformance.calls import check_call_limit, check_protocol, check_reachable, check_typed, check_unknown_tool
from worldwright.world.conformance.draw import Known
from worldwright.world.conformance.ending import check_closed, check_evidence, check_finished, check_turns
from worldwright.world.conformance.processes import check_processes, check_wall_clock
from worldwright.world.conformance.subject import Broken, Check, CheckResult, Factory, NotSupported, Status, Subject, tried

__all__ = ["CHECKS", "conform", "known_checks", "run_check"]

CHECKS: Mapping[str, Check] = {
    "protocol": check_protocol,
    "repeats": check_repeats,
    "reset": check_reset,
    "interleaved": check_interleaved,
    "threads": check_threads,
    "fork": check_fork,
    "asynchronous": check_asynchronous,
    "reachable": check_reachable,
    "typed": check_typed,
    "unknown-tool": check_unknown_tool,
    "call-limit": check_call_limit,
    "evidence": check_evidence,
    "turns": check_turns,
    "finished": check_finished,
    "closed": check_closed,
    "processes": check_processes,
    "wall-clock": check_wall_clock,
}
"""Every check by its name, in the order in which they are run."""


def conform(
    make_world: Factory | str, seeds: Sequence[int], *, steps: int = 30, known: Known | None = None, checks: Iterable[str] = CHECKS
) -> list[CheckResult]:
    """Run the checks on the world that `make_world` makes: a function, or `MODULE:FUNCTION`.

    `steps` is how many calls a walk has; `known` are values by argument name that walks may use; `checks` are names in
    `CHECKS`. Raises UsageError if there is no such world or check.
    """
    wanted = known_checks(checks)
    subject = Subject(make_world, seeds, steps, known)
    return [run_check(name, subject) for name in wanted]


def known_checks(names: Iterable[str]) -> list[str]:
    """The names of checks, as they were given. Raises UsageError for one that isn't there."""
    wanted = list(names)
    for name in wanted:
        if name not in CHECKS:
            raise UsageError(f"there is no check '{name}' (there are: {', '.join(CHECKS)})")
    return wanted


def run_check(name: str, subject: Subject) -> CheckResult:
    """One check's result; whatever the world raises is a failure of the check."""
    _, fault = tried(lambda: CHECKS[name](subject))
    if fault is None:
        return CheckResult(name, Status.OK)
    if isinstance(fault, NotSupported):
        return CheckResult(name, Status.UNSUPPORTED, str(fault))
    subject.renew()
    return CheckResult(name, Status.FAIL, str(fault) if isinstance(fault, Broken) else _in_words(fault))


def _in_words(fault: Exception) -> str:
    """An exception of the world's, with the place where it was raised."""
    frames = traceback.extract_tb(fault.__traceback__)
    where = f", raised in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(fault).__name__}: {fault}{where}"
