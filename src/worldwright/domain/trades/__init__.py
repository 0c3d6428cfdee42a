"""The domain models that are shipped: one YAML file a trade, written by us.

Takes a trade's name; gives its DomainModel. How often an exception decides stands in the evidence of its policy, drawn from
the model's own distributions, each field by itself; it is no measurement of a real trade. Sources are named from memory
where they are named: who relies on one should look it up.
"""

from __future__ import annotations

from importlib import resources

from worldwright.domain.model import DomainModel
from worldwright.errors import UsageError
from worldwright.files import decode_yaml

__all__ = ["TRADES", "trade"]

TRADES = (
    "accounts-payable",
    "equipment-hire",
    "freight",
    "hospital-scheduling",
    "identity-and-access",
    "insurance-claims",
    "it-service-desk",
    "laboratory",
    "procurement",
    "property-management",
)


def trade(name: str) -> DomainModel:
    """A shipped trade's domain model. Raises UsageError for a name that isn't one."""
    if name not in TRADES:
        raise UsageError(f"{name}: no such trade (expected {', '.join(TRADES)})")
    file = resources.files("worldwright.domain").joinpath(f"trades/{name}.yaml")
    return decode_yaml(file.read_text(encoding="utf-8"), DomainModel, f"{name}.yaml")
