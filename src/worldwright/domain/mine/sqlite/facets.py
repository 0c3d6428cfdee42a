"""Facets: what part a table plays in its trade, by its name, its columns, its relations and its data.

Takes a table with what is known of it; gives the facet with the most weight and why. The table's own name weighs most, its last word
more than the others; shape weighs where names are silent. With too little weight the facet is `other`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from worldwright.domain.mine.sqlite.joins import Join
from worldwright.domain.mine.sqlite.kinds import Typed
from worldwright.domain.mine.sqlite.layout import Table
from worldwright.domain.mine.sqlite.vocabulary import lexicon, stems
from worldwright.domain.model import Evidence, Facet

__all__ = ["facet_of"]

_NAME, _EARLIER = 4.0, 1.0
_LEAST = 1.0
_SHORT = (3, 50)
"""Columns and rows of a list of kinds."""
_COLUMNS: Mapping[str, tuple[Facet, float]] = {
    "email": ("party", 1.0),
    "phone": ("party", 0.5),
    "birth": ("party", 0.7),
    "dob": ("party", 0.7),
    "gender": ("party", 0.5),
    "surname": ("party", 0.7),
    "hire": ("staff", 1.5),
    "salary": ("staff", 1.0),
    "sku": ("item", 1.5),
    "price": ("item", 0.7),
    "stock": ("item", 0.5),
    "isbn": ("item", 1.0),
    "serial": ("asset", 1.0),
    "mime": ("document", 1.2),
    "filename": ("document", 1.2),
    "body": ("document", 0.8),
    "latitude": ("location", 1.2),
    "longitude": ("location", 1.2),
    "zip": ("location", 0.4),
    "postcode": ("location", 0.4),
    "balance": ("account", 1.0),
    "debit": ("ledger", 1.0),
    "credit": ("ledger", 0.8),
    "capacity": ("resource", 1.0),
}


def facet_of(table: Table, kinds: Mapping[str, Typed], joins: Sequence[Join], has_lifecycle: bool) -> tuple[Facet, list[Evidence]]:
    """The facet of a table and the evidence for it."""
    weights: Counter[Facet] = Counter()
    why: dict[Facet, list[str]] = {}
    for facet, weight, text in [*_by_name(table.name), *_by_columns(table), *_by_shape(table, kinds, joins, has_lifecycle)]:
        weights[facet] += weight  # type: ignore[assignment]
        why.setdefault(facet, []).append(text)
    if not weights:
        return "other", [Evidence(table.name, "neither its name nor its columns nor its relations say what it is")]
    best = max(weights, key=lambda one: (weights[one], one))
    if weights[best] < _LEAST:
        return "other", [Evidence(table.name, f"too little says that it is {best}: {'; '.join(why[best])}")]
    return best, [Evidence(table.name, f"{best} by {'; '.join(dict.fromkeys(why[best]))}")]


Weighed = list[tuple[Facet, float, str]]


def _by_name(name: str) -> Weighed:
    parts = stems(name)
    out: Weighed = []
    for facet, known in lexicon().facets.items():
        for n, word in enumerate(parts):
            if word in known:
                last = n == len(parts) - 1
                out.append((facet, _NAME if last else _EARLIER, f"the word '{word}' in its name"))  # type: ignore[arg-type]
    return out


def _by_columns(table: Table) -> Weighed:
    out: Weighed = []
    seen = {stem: one.name for one in table.columns for stem in stems(one.name)}
    for word, (facet, weight) in _COLUMNS.items():
        if word in seen:
            out.append((facet, weight, f"the column {seen[word]}"))
    names = {stem for one in table.columns for stem in stems(one.name)}
    if {"first", "last", "name"} <= names:
        out.append(("party", 1.2, "columns for a first and a last name"))
    return out


def _by_shape(table: Table, kinds: Mapping[str, Typed], joins: Sequence[Join], has_lifecycle: bool) -> Weighed:
    out_of = [one for one in joins if one.table == table.name and one.to != table.name]
    into = [one for one in joins if one.to == table.name and one.table != table.name]
    types = Counter(one.type for one in kinds.values())
    dates = types["date"] + types["datetime"]
    out: Weighed = []
    linking = {name for one in out_of for name in one.columns}
    if len(out_of) > 1 and linking >= {one.name for one in table.columns}:
        out.append(("other", 5.0, "it only links others"))
    if into and not out_of and len(table.columns) <= _SHORT[0] and (table.rows or 0) <= _SHORT[1]:
        out.append(("other", 2.0, "a short list that others refer to"))
    if has_lifecycle:
        out.append(("case", 1.2, "its lifecycle"))
    if out_of and into and dates:
        out.append(("case", 0.8, "it refers to others, others to it, and it has dates"))
    if out_of and not into and dates and not has_lifecycle:
        out.append(("event", 1.0, "it has dates and refers to others, and nothing refers to it"))
    if out_of and dates and types["money"] and not into:
        out.append(("ledger", 1.1, "dated amounts that nothing refers to"))
    if dates >= 2 and {"start", "end"} <= {stem for one in table.columns for stem in stems(one.name)}:
        out.append(("schedule", 1.0, "a start and an end"))
    return out
