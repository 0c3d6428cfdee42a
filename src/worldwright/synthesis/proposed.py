"""Policies proposed from a database: norms that turn on its own columns, with values and thresholds from its own rows.

Takes a model and rows; gives policies with norms. What is decided on: entities whose rows others gather. Facts come from the row and
from rows that it refers to; a category splits where a part of the rows has it, a number where a part lies beyond. Which facts are
taken depends on the variant. Gives nothing where the rows don't carry three different facts.
"""

from __future__ import annotations

import datetime
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from worldwright.domain.model import Clause, DomainModel, Entity, Field, Norm, Origin, Parameter, Policy, Test
from worldwright.synthesis.material import column_name

__all__ = ["propose", "why_none"]

_FEWEST = 24
_EACH = 2
"""Policies of each kind, at most."""
_GATHERED = (
    "party",
    "staff",
    "location",
    "account",
    "resource",
    "asset",
    "case",
    "document",
    "item",
    "other",
    "event",
    "ledger",
    "schedule",
)
_FIGURES = ("money", "number", "days")
_FEWEST_FIGURES = 2
"""So many tests of a norm compare with a figure of the handbook, where the rows have as many numbers and dates."""
_WIDER, _WIDEST = 0.25, 0.8
_NAMES = ("first", "second", "third", "fourth", "fifth")
"""What the parameters of a norm are called."""
_SOURCE = Origin("proposed from the columns of the source; no rule of its owner's", "own words")

Rows = Mapping[str, Sequence[Mapping[str, Any]]]


class _Fact(msgspec.Struct, frozen=True):
    """Something that a norm can test: the path, the words for it, its kind, and the values over all decided rows.

    Of a date the values are days since `origin`.
    """

    path: str
    words: str
    kind: str
    values: tuple[Any, ...]
    origin: str = ""


def propose(model: DomainModel, rows: Rows, variant: int) -> list[Policy]:
    """Policies of the three kinds, where the rows carry them; of credits and routings two each, on one entity if there are no others."""
    out: list[Policy] = []
    entities = _decided(model, rows)
    for entity, again in [*((one, False) for one in entities), *((one, True) for one in entities)]:
        rng = random.Random(f"{model.source.digest}:{entity.name}:{variant}{':again' if again else ''}")
        kinds = Counter(one.norm.kind for one in out if one.norm is not None)
        facts = _facts(model, rows, entity)
        money = [one for one in facts if one.kind == "money" and len(set(one.values)) >= 3]
        if len({one.path for one in facts}) < 3:
            continue
        if money and kinds["remedy"] < _EACH:
            out.append(_remedy(entity, rng, money, facts, len(out) + 1, again))
        if any(one.kind in _FIGURES for one in facts):
            if kinds["route"] < _EACH:
                out.append(_route(entity, rng, facts, len(out) + 1, again))
            if kinds["approval"] < _EACH and not again:
                out.append(_approval(entity, rng, money, facts, len(out) + 1))
    return out


def why_none(model: DomainModel, rows: Rows) -> str:
    """Why no policy of some kind could be proposed, entity by entity."""
    out = []
    for entity in model.entities:
        n = len(rows.get(entity.name, ()))
        facts = {one.path for one in _facts(model, rows, entity)} if n else set()
        if n < _FEWEST:
            out.append(f"{entity.name}: {n} rows, at least {_FEWEST} are needed")
        elif entity not in _decided(model, rows):
            out.append(f"{entity.name}: it names no other entity so that several of its rows name the same one")
        else:
            out.append(f"{entity.name}: {len(facts)} columns that split its rows, at least 3 are needed, one of them a number or a date")
    return "nothing to decide on (" + ("; ".join(out) or "no table with a key of one column and rows") + ")"


def _decided(model: DomainModel, rows: Rows) -> list[Entity]:
    """Entities that are worth deciding on: with a reference to what gathers their rows, money first, then the most fields."""
    found = []
    for entity in model.entities:
        if len(rows.get(entity.name, ())) < _FEWEST or len(entity.key) != 1:
            continue
        targets = [
            one for one in model.relations if one.from_ == entity.name and one.to != entity.name and _fans(rows, entity, one.fields[0])
        ]
        if targets:
            money = any(one.type == "money" for one in entity.fields)
            found.append((-money, -len(entity.fields) - len(targets), entity.name, entity))
    return [one[-1] for one in sorted(found, key=lambda each: each[:3])]


def _fans(rows: Rows, entity: Entity, field: str) -> bool:
    """Whether several rows name the same one, for at least a few."""
    counts = Counter(row.get(column_name(entity, field)) for row in rows[entity.name])
    counts.pop(None, None)
    return sum(n >= 2 for n in counts.values()) >= 6 and None not in {row.get(column_name(entity, field)) for row in rows[entity.name]}


def _facts(model: DomainModel, rows: Rows, entity: Entity) -> list[_Fact]:
    names = {(one.from_, name) for one in model.relations for name in one.fields}

    def plain(owner: Entity) -> list[Field]:
        """Fields that aren't keys or references: numbers of these say nothing."""
        return [
            one for one in owner.fields if [one.name] != owner.key and (owner.name, one.name) not in names and not one.name.endswith("_id")
        ]

    out = [_fact(entity, field, "", list(rows[entity.name])) for field in plain(entity)]
    entities = {one.name: one for one in model.entities}
    for relation in model.relations:
        if relation.from_ != entity.name or relation.to == entity.name or relation.to not in rows:
            continue
        target = entities[relation.to]
        by_key = {row[column_name(target, target.key[0])]: row for row in rows[target.name]}
        named = [by_key.get(row.get(column_name(entity, relation.fields[0])), {}) for row in rows[entity.name]]
        out += [_fact(target, field, relation.fields[0], named) for field in plain(target)]
    return [one for one in out if one is not None and one.path != entity.key[0]]


def _fact(entity: Entity, field: Field, by: str, rows: Sequence[Mapping[str, Any]]) -> Any:
    values = tuple(row.get(column_name(entity, field.name)) for row in rows)
    filled = [one for one in values if one is not None]
    distinct = len(set(filled))
    if len(filled) < len(values) * 0.6 or distinct < 2 or [field.name] == entity.key:
        return None
    path = f"{by}.{field.name}" if by else field.name
    label = field.name.replace("_", " ")
    words = f"{entity.name.replace('_', ' ')}'s {label}" if by else label
    if field.type in ("date", "datetime"):
        return _dated(path, words, values) if distinct >= 6 else None
    if all(isinstance(one, int) for one in filled):
        if field.type == "money":
            return _Fact(path, words, "money", values)
        if field.type == "boolean" or (distinct == 2 and set(filled) <= {0, 1}):
            return _Fact(path, words, "flag", values)
        if field.type == "integer" and not field.unique and distinct >= 6:
            return _Fact(path, words, "number", values)
    if (
        field.type == "text"
        and distinct <= max(2, len(filled) // 3)
        and all(isinstance(one, str) and 0 < len(one) <= 40 and "{" not in one for one in filled)
    ):
        return _Fact(path, words, "category", values)
    return None


def _dated(path: str, words: str, values: Sequence[Any]) -> _Fact | None:
    """A date, as days since the first of a month that nearly all dates come after; None if one isn't a date."""
    try:
        days = [None if one is None else datetime.date.fromisoformat(str(one)[:10]) for one in values]
    except ValueError:
        return None
    filled = sorted(one for one in days if one is not None)
    first = filled[len(filled) // 20].replace(day=1)
    return _Fact(path, words, "days", tuple(None if one is None else (one - first).days for one in days), first.isoformat())


# ---- tests with words


class _Split(msgspec.Struct, frozen=True):
    """A test and its words, with a parameter of its own if it needs one."""

    test: Test
    says: str
    name: str = ""
    parameter: Parameter | None = None


def _split(rng: random.Random, fact: _Fact, share: tuple[float, float], name: str) -> _Split | None:
    """A test that holds for a part of the rows, between the two shares; None if this fact has no such part."""
    filled = [one for one in fact.values if one is not None]
    if fact.kind == "flag":
        value = 1 if share[0] <= sum(filled) / len(fact.values) <= share[1] else 0
        return _Split(Test(fact.path, "is", value), f"whose {fact.words} is {value}")
    if fact.kind == "category":
        counts = Counter(filled)
        chosen: list[str] = []
        order = sorted(counts, key=lambda one: (-counts[one], one))
        rng.shuffle(order)
        total = 0
        for one in order:
            if total + counts[one] <= share[1] * len(fact.values) and len(chosen) < 4:
                chosen.append(one)
                total += counts[one]
        if total < share[0] * len(fact.values):
            return None
        chosen.sort()
        if len(chosen) == 1:
            return _Split(Test(fact.path, "is", chosen[0]), f"whose {fact.words} is '{chosen[0]}'")
        listed = ", ".join(f"'{one}'" for one in chosen[:-1])
        return _Split(Test(fact.path, "in", list(chosen)), f"whose {fact.words} is {listed} or '{chosen[-1]}'")
    return _beyond(fact, share, name)


def _beyond(fact: _Fact, share: tuple[float, float], name: str) -> _Split | None:
    """More than a threshold, which is drawn from where the share of rows beyond it stays between the first and well over the second.

    The range is wide, so that many rows lie in it: what is right of them hangs on the figure.
    """
    filled = sorted(one for one in fact.values if one is not None)
    parts = (min(_WIDEST, share[1] + _WIDER), share[0])
    least, most = (filled[min(len(filled) - 1, int(len(filled) * (1 - part)))] for part in parts)
    if most - least < 4:
        return None
    step = max(1, (most - least) // 12)
    unit = {"money": "cents", "days": "days"}.get(fact.kind, "none")
    parameter = Parameter(least + step * 6, unit, least, least + step * 12, step)
    if fact.kind == "days":
        says = f"whose {fact.words} is more than {{{name}}} days after {fact.origin}"
        return _Split(Test(fact.path, "over", parameter=name, since=fact.origin), says, name, parameter)
    money = " cents" if fact.kind == "money" else ""
    return _Split(Test(fact.path, "over", parameter=name), f"whose {fact.words} is more than {{{name}}}{money}", name, parameter)


def _splits(rng: random.Random, facts: Sequence[_Fact], shares: Sequence[tuple[float, float]], names: Sequence[str]) -> list[_Split]:
    """Tests of different facts, one for each share that can be had: figures first, then facts of other entities and other kinds."""
    left = list(facts)
    rng.shuffle(left)
    out: list[_Split] = []
    kinds: Counter[str] = Counter()
    for share, name in zip(shares, names, strict=True):
        short = sum(kinds[one] for one in _FIGURES) < _FEWEST_FIGURES
        for fact in sorted(left, key=lambda one: (short and one.kind not in _FIGURES, kinds[one.kind], kinds[one.path.partition(".")[0]])):
            found = _split(rng, fact, share, name)
            if found is not None:
                out.append(found)
                kinds[fact.kind] += 1
                kinds[fact.path.partition(".")[0]] += 1
                left = [one for one in left if one.path != fact.path]
                break
    return out


# ---- the three kinds


def _policy(entity: Entity, number: int, title: str, norm: Norm, splits: Sequence[_Split], more: Mapping[str, Parameter]) -> Policy:
    parameters = {one.name: one.parameter for one in splits if one.parameter is not None} | dict(more)
    rule = " ".join(clause.says for clause in norm.clauses)
    return Policy(
        f"{entity.name[:3].upper()}-{number}",
        rule,
        _SOURCE,
        parameters,
        [one.says for one in norm.clauses if one.exception],
        [entity.name],
        [],
        norm,
    )


def _thing(entity: Entity) -> str:
    return entity.name.replace("_", " ")


def _article(words: str) -> str:
    return f"{'An' if words[:1] in 'aeiou' else 'A'} {words}"


def _remedy(entity: Entity, rng: random.Random, money: Sequence[_Fact], facts: Sequence[_Fact], number: int, again: bool) -> Policy:
    amount = rng.choice([one for one in money if "." not in one.path] or list(money))
    usable = [one for one in facts if one.path != amount.path]
    splits = _splits(rng, usable, [(0.12, 0.35), (0.2, 0.5), (0.2, 0.5), (0.2, 0.6), (0.2, 0.6)], _NAMES)
    thing = _article(_thing(entity))
    shares = {
        "full_percent": Parameter(60, "percent", 40, 80, 5),
        "part_percent": Parameter(20, "percent", 10, 35, 5),
        "late_percent": Parameter(90, "percent", 82, 98, 2),
        "some_percent": Parameter(40, "percent", 30, 50, 5),
    }
    base = amount.words
    kinds = (("earns nothing", "declined", ""), (f"earns {{part_percent}} % of its {base}", "reduced", "part_percent"),
             (f"earns {{late_percent}} % of its {base}", "raised", "late_percent"), ("isn't covered", "declined", ""),
             (f"earns {{some_percent}} % of its {base}", "reduced", "some_percent"))  # fmt: skip
    n = min(len(splits), 4 + rng.randrange(2))
    clauses = [
        Clause(f"{thing} {one.says} {what}.", then, [one.test], share, True)
        for (what, then, share), one in zip(kinds, splits[:n], strict=False)
    ]
    clauses.append(Clause(f"Otherwise {{full_percent}} % of its {base} is credited.", "granted", [], "full_percent"))
    used = {clause.share for clause in clauses}
    title = f"{_thing(entity)} {'goodwill' if again else 'credit'}"
    norm = Norm(entity.name, "remedy", clauses, title, amount.path)
    return _policy(entity, number, title, norm, splits[:n], {name: one for name, one in shares.items() if name in used})


_DESKS = (("regional desk", "key accounts", "back office", "front desk"), ("specialists", "audit", "priority line", "general line"))


def _route(entity: Entity, rng: random.Random, facts: Sequence[_Fact], number: int, again: bool) -> Policy:
    splits = _splits(rng, facts, [(0.15, 0.35), (0.2, 0.5), (0.25, 0.6), (0.2, 0.5), (0.2, 0.5)], _NAMES)
    desks = rng.choice(_DESKS)
    turns = (desks[0], desks[1], desks[2], desks[1], desks[0])
    thing = _article(_thing(entity))
    clauses = [
        Clause(f"{thing} {one.says} goes to '{desk}'.", desk, [one.test], "", n == 0)
        for n, (one, desk) in enumerate(zip(splits, turns, strict=False))
    ]
    clauses.append(Clause(f"Otherwise it goes to '{desks[3]}'.", desks[3]))
    title = f"{_thing(entity)} {'follow-up' if again else 'routing'}"
    return _policy(entity, number, title, Norm(entity.name, "route", clauses, title), splits, {})


def _approval(entity: Entity, rng: random.Random, money: Sequence[_Fact], facts: Sequence[_Fact], number: int) -> Policy:
    measure = rng.choice(list(money) or [one for one in facts if one.kind in _FIGURES])
    others = [one for one in facts if one.path != measure.path]
    splits = _splits(rng, others, [(0.12, 0.3), (0.12, 0.3), (0.12, 0.3)], _NAMES[:3])
    high, middle = _beyond(measure, (0.1, 0.3), "high"), _beyond(measure, (0.35, 0.65), "middle")
    thing = _article(_thing(entity))
    needs = (("clerk", "needs the 'clerk' alone"), ("director", "needs the 'director'"), ("manager", "needs the 'manager'"))
    clauses = [
        Clause(f"{thing} {one.says} {says}.", level, [one.test], "", True) for (level, says), one in zip(needs, splits, strict=False)
    ]
    used = list(splits)
    for one, level in ((high, "director"), (middle, "manager")):
        if one is not None:
            clauses.append(Clause(f"{thing} {one.says} needs the '{level}'.", level, [one.test]))
            used.append(one)
    clauses.append(Clause("Otherwise the 'clerk' is enough.", "clerk"))
    title = f"{_thing(entity)} approval"
    return _policy(entity, number, title, Norm(entity.name, "approval", clauses, title), used, {})
