"""How an attempt ended, in one short record: what tables, queues and an index need to know of it.

Takes a trajectory; gives its account. Holds no message, no change and no row of a verdict.
"""

from __future__ import annotations

import msgspec

from worldwright.rollout.trajectory import Trajectory
from worldwright.verifier import Status

__all__ = ["End", "end_of"]


class End(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """How one attempt ended, for tables and for finding it: `number` in its schedule, `pack` the place of its pack there.

    `findings` counts the verifier's remarks; `tokens`, `cents`, `fault` and `faults` are what its language model used and met.
    """

    number: int
    id: str
    pack: int
    instance: str
    solver: str
    index: int
    status: Status
    stop: str
    calls: int
    refused: int
    findings: int = 0
    tokens: int = 0
    cents: float = 0.0
    fault: str = ""
    faults: dict[str, int] = {}


def end_of(one: Trajectory, number: int = 0, pack: int = 0) -> End:
    """The account of an attempt."""
    trace, spent = one.trace, one.spent
    head = (number, one.id, pack, trace.instance, trace.solver, one.index, one.verdict.status, str(trace.stop))
    counts = (trace.counts.calls, trace.counts.refused, len(one.verdict.findings))
    if spent is None:
        return End(*head, *counts)
    return End(*head, *counts, spent.tokens_in + spent.tokens_out, spent.cents, spent.fault, dict(spent.faults))
