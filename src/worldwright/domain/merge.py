"""Three-way merge of domain models: what a person edited survives, what changed in the source comes in.

Takes `base` (as it was mined), `theirs` (mined again) and `mine` (`base` edited by hand). Gives a model and the conflicts:
places that both changed, in different ways. A conflict is never resolved silently: `mine` stands there until the caller takes the
other side. Things are told apart by what the source calls them, so that an entity renamed by hand is still the same entity.
Doesn't check that the result makes sense: lint it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from worldwright.domain.model import DomainModel

__all__ = ["Conflict", "Merged", "merge"]

Side = Literal["mine", "theirs"]
_GONE: Any = object()

_BY: Mapping[str, Callable[[dict[str, Any]], Any]] = {
    "entities": lambda one: one["table"] or one["name"],
    "fields": lambda one: one["column"] or one["name"],
    "states": lambda one: one["name"],
    "relations": lambda one: (one["from"], tuple(one["fields"]), one["to"], tuple(one["to_fields"])),
    "transitions": lambda one: (one["from"], one["to"]),
    "guards": lambda one: one["says"],
    "policies": lambda one: one["id"],
    "vocabulary": lambda one: (one["word"], one["of"]),
    "shares": lambda one: (type(one["value"]).__name__, one["value"]),
    "evidence": lambda one: (one["where"], one["what"]),
}
"""What tells the entries of a list of records apart."""
_SETS = frozenset({"values", "exceptions", "applies_to", "start", "ends", "unseen", "aliases"})
"""Lists whose order says nothing: additions and removals of both sides come together."""
_MEASURED = frozenset({"distribution", "evidence", "n", "rows", "source", "fan", "key_confidence"})
"""What is counted anew each time; a change of these alone is no change of the thing."""


class Conflict(msgspec.Struct, frozen=True):
    """A place that both sides changed; None where a side has nothing there."""

    at: str
    base: Any
    theirs: Any
    mine: Any

    def __str__(self) -> str:
        return f"{self.at}: was {_shown(self.base)}; mined again {_shown(self.theirs)}; by hand {_shown(self.mine)}"


class Merged(msgspec.Struct, frozen=True):
    """The merged model, and where it could not be merged."""

    model: DomainModel
    conflicts: tuple[Conflict, ...]


def merge(base: DomainModel, theirs: DomainModel, mine: DomainModel, take: Side = "mine") -> Merged:
    """The three models as one; at a conflict the side that `take` names stands."""
    old, new, own = (_plain(one) for one in (base, theirs, mine))
    _rename(old, own)
    _rename(new, own)
    work = _Merge(take)
    built = work.records((old, new, own), "")
    return Merged(msgspec.convert(built, DomainModel), tuple(work.conflicts))


def _shown(value: Any) -> str:
    if value is None:
        return "nothing"
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 160 else text[:157] + "..."


def _plain(value: Any) -> Any:
    """A record as mappings and lists, with every field in it, whether it has its default or not."""
    if isinstance(value, msgspec.Struct):
        pairs = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        return {shown: _plain(getattr(value, name)) for shown, name in pairs}
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def _rename(one: dict[str, Any], mine: dict[str, Any]) -> None:
    """Give a mined model the names that a person chose, so that references to a thing are the same on all sides."""
    chosen = {_BY["entities"](entity): entity for entity in mine["entities"]}
    entities: dict[str, str] = {}
    fields: dict[tuple[str, str], str] = {}
    for entity in one["entities"]:
        own = chosen.get(_BY["entities"](entity))
        if own is None:
            continue
        columns = {_BY["fields"](field): field["name"] for field in own["fields"]}
        entities[entity["name"]] = own["name"]
        for field in entity["fields"]:
            fields[entity["name"], field["name"]] = columns.get(_BY["fields"](field), field["name"])
    _renamed(one, entities, fields)


def _renamed(one: dict[str, Any], entities: Mapping[str, str], fields: Mapping[tuple[str, str], str]) -> None:
    def field_of(entity: str, name: str) -> str:
        return fields.get((entity, name), name)

    def dotted(name: str) -> str:
        entity, dot, field = name.partition(".")
        return entities.get(entity, entity) + dot + (field_of(entity, field) if dot else "")

    for relation in one["relations"]:
        relation["fields"] = [field_of(relation["from"], name) for name in relation["fields"]]
        relation["to_fields"] = [field_of(relation["to"], name) for name in relation["to_fields"]]
        relation["from"], relation["to"] = (entities.get(relation[end], relation[end]) for end in ("from", "to"))
    for policy in one["policies"]:
        policy["applies_to"] = [dotted(name) for name in policy["applies_to"]]
    for term in one["vocabulary"]:
        term["of"] = dotted(term["of"])
    for entity in one["entities"]:
        _renamed_inside(entity, functools.partial(field_of, entity["name"]))
        entity["name"] = entities.get(entity["name"], entity["name"])


def _renamed_inside(entity: dict[str, Any], named: Callable[[str], str]) -> None:
    entity["key"] = [named(name) for name in entity["key"]]
    life = entity["lifecycle"]
    if life is not None:
        life["field"] = named(life["field"])
        for step in life["transitions"]:
            for guard in step["guards"]:
                guard["fields"] = [named(name) for name in guard["fields"]]
    for field in entity["fields"]:
        field["name"] = named(field["name"])


def _essence(value: Any) -> Any:
    """A value without what is only counted."""
    if isinstance(value, dict):
        return {key: _essence(inner) for key, inner in value.items() if key not in _MEASURED}
    return [_essence(one) for one in value] if isinstance(value, list) else value


Sides = tuple[Any, Any, Any]
"""What base, theirs and mine have at a place; `_GONE` where one has nothing."""


class _Merge:
    """One merge; `conflicts` grows as it goes."""

    def __init__(self, take: Side) -> None:
        self.take = take
        self.conflicts: list[Conflict] = []

    def clash(self, sides: Sides, at: str) -> Any:
        base, theirs, mine = (None if one is _GONE else one for one in sides)
        self.conflicts.append(Conflict(at, base, theirs, mine))
        return sides[2] if self.take == "mine" else sides[1]

    def records(self, sides: Sides, at: str) -> dict[str, Any]:
        base, theirs, mine = sides
        out: dict[str, Any] = {}
        for key in dict.fromkeys((*mine, *theirs, *base)):
            value = self.value(key, (_at(base, key), _at(theirs, key), _at(mine, key)), f"{at}.{key}" if at else key)
            if value is not _GONE:
                out[key] = value
        return out

    def value(self, key: str, sides: Sides, at: str) -> Any:
        base, theirs, mine = sides
        if theirs == mine or base == theirs:
            return mine
        if base == mine:
            return theirs
        if isinstance(theirs, dict) and isinstance(mine, dict):
            return self.records((base if isinstance(base, dict) else {}, theirs, mine), at)
        if key in _BY and _are_lists(sides, dict):
            return self.entries(key, sides, at)
        if key in _SETS and _are_lists(sides, str | int | float):
            return _together(*_lists(sides))
        return self.one_gone(key, sides, at)

    def one_gone(self, key: str, sides: Sides, at: str) -> Any:
        """A thing that one side removed goes if the other only counted anew; anything else is a conflict."""
        base, theirs, mine = sides
        if theirs is _GONE or mine is _GONE:
            kept = theirs if mine is _GONE else mine
            if base is not _GONE and (key in _MEASURED or _essence(kept) == _essence(base)):
                return _GONE
        return self.clash(sides, at)

    def entries(self, key: str, sides: Sides, at: str) -> list[Any]:
        """Lists of records, entry by entry; in the order of `mine`, what is new in `theirs` behind what it follows there."""
        base, theirs, mine = ({_BY[key](one): one for one in side} for side in _lists(sides))
        out: list[Any] = []
        for name in _in_order(list(mine), list(theirs), list(base)):
            shown = " ".join(map(str, name)) if isinstance(name, tuple) else str(name)
            there = (base.get(name, _GONE), theirs.get(name, _GONE), mine.get(name, _GONE))
            value = self.value("", there, f"{at}[{shown}]")
            if value is not _GONE:
                out.append(value)
        return out


def _at(side: Mapping[str, Any], key: str) -> Any:
    """What a side has there; nothing is nothing, whether it is left out or null."""
    value = side.get(key)
    return _GONE if value is None else value


def _lists(sides: Sides) -> list[list[Any]]:
    return [[] if one is _GONE else one for one in sides]


def _are_lists(sides: Sides, of: Any) -> bool:
    return all(one is _GONE or (isinstance(one, list) and all(isinstance(inner, of) for inner in one)) for one in sides)


def _in_order(mine: list[Any], theirs: list[Any], base: list[Any]) -> list[Any]:
    out = list(mine)
    for side in (theirs, base):
        for n, name in enumerate(side):
            if name not in out:
                before = side[n - 1] if n else None
                out.insert(out.index(before) + 1 if before in out else (len(out) if n else 0), name)
    return out


def _together(base: Sequence[Any], theirs: Sequence[Any], mine: Sequence[Any]) -> list[Any]:
    """A list without an order: whatever either side took away is gone, whatever either added is there."""
    kept = [one for one in mine if one in theirs or one not in base]
    return kept + [one for one in theirs if one not in base and one not in kept]
