"""Who takes what: rows given to people one after another, as a page says.

Takes a page's text, rows that were decided, and people with what they have open; gives the rows with `=person` (an id, or None where
nobody takes it) and `=free` (how many could). Work that was decided before and stays as it is changes hands with nobody. Where the page
can't be read, the rows come back as they were. Promises: the same order of rows gives the same people; loads rise and fall as
the page counts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from worldwright.training.clauses import takers
from worldwright.training.deciding import page_of
from worldwright.training.memory import Row
from worldwright.training.reading.people import desk_field, load_field, says_who

__all__ = ["can_take", "says_who", "taken"]


def can_take(text: str, person: Row) -> bool:
    """Whether the page says who comes first, and what is known of a person suffices to tell."""
    return says_who(text) and (desk_field(text, person) is not None) and bool(takers(page_of(text), [person], {}, "2000-01-01") is not None)


def taken(text: str, rows: Sequence[Row], people: Sequence[Row], key: str, now: str) -> tuple[Row, ...]:
    """See the module. `key` is the field of a person that names them."""
    staff: dict[Any, dict[str, Any]] = {one[key]: {**one, "id": one[key]} for one in people if key in one}
    load = load_field(text, next(iter(staff.values()))) if staff else None
    out = list[Row]()
    for row in rows:
        kept = row.get("outcome") is not None and row.get("outcome") == row.get("=outcome")
        found = takers(page_of(text), list(staff.values()), {**row, "outcome": row.get("=outcome")}, now)
        if found is None:
            return tuple(rows)
        person = found[0] if found and not kept else None
        out.append({**row, "=person": person, "=free": len(found)})
        former = row.get("person_id") if row.get("outcome") is not None and not kept else None
        for who, step in ((person, 1), (former, -1)):
            if load is not None and who in staff and isinstance(staff[who].get(load), int):
                staff[who][load] += step
    return tuple(out)
