"""Status columns: which column of a table says how far a thing has come, and the states that stand in it.

Takes a table with profiles and kinds; gives a Status or nothing. Names and values both count: a column of a status's name, or one whose
values are mostly words for states. A `state` beside a city or a postcode is a place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from worldwright.domain.mine.sqlite.checks import Limits
from worldwright.domain.mine.sqlite.joins import Join
from worldwright.domain.mine.sqlite.kinds import Typed
from worldwright.domain.mine.sqlite.layout import Layout, Table
from worldwright.domain.mine.sqlite.opening import Opened, quoted
from worldwright.domain.mine.sqlite.profile import Profile
from worldwright.domain.mine.sqlite.vocabulary import lexicon, stems
from worldwright.domain.model import Evidence, State

__all__ = ["Status", "find_status"]

_MOST = 15
_LONGEST = 40
_WORDS_SHARE = 0.5


class Status(msgspec.Struct, frozen=True):
    """The column that says how far a thing has come; `values` maps what is stored to the state's name."""

    column: str
    values: dict[Any, str]
    states: tuple[State, ...]
    evidence: tuple[Evidence, ...]


def find_status(
    file: Opened,
    layout: Layout,
    table: Table,
    profiles: Mapping[str, Profile],
    kinds: Mapping[str, Typed],
    limits: Mapping[str, Limits],
    joins: Sequence[Join],
) -> Status | None:
    """The status column of a table, or None."""
    columns = [one.name for one in table.columns]
    scored = []
    for n, name in enumerate(columns):
        score, why = _score(name, columns, profiles[name], kinds[name], limits.get(name, Limits()))
        is_key = name in table.key and len(table.key) == 1
        if score >= 1 and not is_key:
            scored.append((score, -n, name, why))
    if not scored:
        return None
    _, _, name, why = max(scored)
    lookup = next((one for one in joins if one.table == table.name and one.columns == (name,)), None)
    return _status(file, layout, table, name, limits.get(name, Limits()), lookup, why)


def _score(name: str, columns: Sequence[str], profile: Profile, kind: Typed, limits: Limits) -> tuple[float, str]:
    """How much a column looks like a status, and by what."""
    values = list(dict.fromkeys([*limits.values, *profile.counts]))
    if kind.type not in ("text", "integer") or not 2 <= len(values) <= _MOST:
        return 0.0, ""
    if any(not isinstance(one, str | int) or len(str(one)) > _LONGEST for one in values):
        return 0.0, ""
    share = _share_of_words(values)
    named = lexicon().speaks("status", stems(name)[-2:])
    if named and not share and _is_place(name, columns):
        return 0.0, ""
    if not limits.values and not named and profile.filled < 2 * len(values):
        return 0.0, ""
    if kind.type == "integer" and not named:
        return 0.0, ""
    by = [
        text for text, holds in (("its name", named), (f"{share:.0%} of its values are words for states", share >= _WORDS_SHARE)) if holds
    ]
    return 2.0 * named + (1 + share) * (share >= _WORDS_SHARE), " and ".join(by)


def _share_of_words(values: Sequence[Any]) -> float:
    known = set(lexicon().status_values)
    texts = [one.strip().casefold() for one in values if isinstance(one, str) and one.strip()]
    return sum(one in known or one.replace("-", "_") in known for one in texts) / len(texts) if texts else 0.0


def _is_place(name: str, columns: Sequence[str]) -> bool:
    others = [stem for one in columns if one != name for stem in stems(one)]
    return "state" in stems(name) and lexicon().speaks("place", others)


def _status(file: Opened, layout: Layout, table: Table, name: str, limits: Limits, lookup: Join | None, why: str) -> Status | None:
    shown = quoted(name)
    found = file.rows(f"SELECT {shown}, count(*) FROM main.{quoted(table.name)} GROUP BY 1 ORDER BY 2 DESC, 1")
    counts = {value: n for value, n in found if isinstance(value, str | int)}
    labels = _labels(file, layout, lookup)
    for value in (*limits.values, *labels):
        counts.setdefault(value, 0)
    if not 2 <= len(counts) <= _MOST:
        return None
    names = {value: str(value) for value in counts}
    if len(set(names.values())) != len(names):  # 1 and '1' in one column
        return None
    states = tuple(State(names[value], n, labels.get(value, "")) for value, n in counts.items())
    where = f"{table.name}.{name}"
    notes = [Evidence(where, f"a status by {why}", sum(counts.values()))]
    if lookup is not None and labels:
        notes.append(Evidence(lookup.to, "lists the states", len(labels)))
    return Status(name, names, states, tuple(notes))


def _labels(file: Opened, layout: Layout, lookup: Join | None) -> dict[Any, str]:
    """What a table that lists the states calls them."""
    if lookup is None:
        return {}
    there = layout.table(lookup.to)
    text = next((one for one in there.columns if one.name not in lookup.to_columns and "CHAR" in one.declared.upper()), None)
    text = text or next((one for one in there.columns if one.name not in lookup.to_columns), None)
    if text is None or (there.rows or 0) > _MOST:
        return {}
    rows = file.rows(f"SELECT {quoted(lookup.to_columns[0])}, {quoted(text.name)} FROM main.{quoted(there.name)} ORDER BY 1")
    return {value: str(label) for value, label in rows if isinstance(value, str | int) and label is not None}
