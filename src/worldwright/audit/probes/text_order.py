"""The right parts in another order, where the prompt allows any."""

from __future__ import annotations

from worldwright.audit.bench import At, Steps
from worldwright.audit.probes.text_list import ORDER_FREE, parts_of
from worldwright.audit.records import Claim
from worldwright.audit.text.completion import reading, unfit

PROBE = ORDER_FREE


def rule(at: At) -> str:
    """The prompt says that the order is free."""
    found = reading(at)
    return unfit(at) or ("" if found is not None and "any-order" in found.grants and parts_of(found) else PROBE.rule)


def trials(at: At) -> Steps:
    """Backwards, and the first part last."""
    found = reading(at)
    assert found is not None
    parts = parts_of(found)
    assert parts is not None
    why = f"The prompt says '{found.grants['any-order']}'."
    orders = {"backwards": parts.parts[::-1], "the first last": [*parts.parts[1:], parts.parts[0]]}
    yield [
        at.must_pass(name, (), found.sent(found.put(parts.text(other))), Claim.FORM, why)
        for name, other in orders.items()
        if other != parts.parts
    ]
