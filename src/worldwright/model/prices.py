"""What hosted models cost, from the data file beside this one.

Takes a provider and a model's name; gives a Price, or None where none is known: nothing is guessed. A dated name such as
`claude-haiku-4-5-20251001` has the price of the name without its date. Prices of long prompts, caches and batches are not in it: a
price in one's own configuration counts more.
"""

from __future__ import annotations

import csv
import functools
import re
from pathlib import Path

from worldwright.model.budget import Price

__all__ = ["price_of"]

_DATED = re.compile(r"-(\d{8}|\d{4}-\d\d-\d\d|latest)\Z")


@functools.cache
def _listed() -> dict[tuple[str, str], Price]:
    with (Path(__file__).parent / "prices.csv").open(encoding="utf-8", newline="") as file:
        return {
            (row["provider"], row["model"]): Price(float(row["input_cents_per_million"]), float(row["output_cents_per_million"]))
            for row in csv.DictReader(file)
        }


def price_of(provider: str, model: str) -> Price | None:
    """The listed price of a provider's model."""
    return _listed().get((provider, model)) or _listed().get((provider, _DATED.sub("", model)))
