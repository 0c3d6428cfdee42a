"""What the tools of a world change together: changes that no agent can make apart are opened together.

Takes a compiled verifier; gives the kinds of change, (op, table), that each tool makes by its own statements. Two
expectations are coupled where exactly the same tools make their changes: a mutant that drops one of them alone is the
same verifier in other words, because whoever leaves that change out leaves the other out too.
"""

from __future__ import annotations

from collections.abc import Sequence

from worldwright.verifier import Verifier
from worldwright.verifier.compiled import CompiledExpectation

__all__ = ["coupled", "effects"]

Kinds = frozenset[tuple[str, str]]


def effects(verifier: Verifier) -> dict[str, Kinds]:
    """Kinds of change by the tool that makes them; tools that change nothing are left out."""
    own = sorted(verifier.task.world.own.items())
    found = {name: frozenset((op, table) for one in tool.effect for op, table, _ in one.direct) for name, tool in own}
    return {name: kinds for name, kinds in found.items() if kinds}


def coupled(verifier: Verifier, expectations: Sequence[CompiledExpectation]) -> list[list[int]]:
    """Places of the expectations in groups that only go together, in their order."""
    by = effects(verifier)
    groups: dict[object, list[int]] = {}
    for n, one in enumerate(expectations):
        makers = frozenset(name for name, kinds in by.items() if (one.op, one.table.name) in kinds)
        groups.setdefault(makers or n, []).append(n)
    return list(groups.values())
