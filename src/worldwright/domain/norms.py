"""Norms: where the fields that they test are, and what is wrong with one.

Takes a model; gives the path from the entity that a norm decides to each field that it looks at: over at most two relations,
each from one field to another entity's key. Doesn't judge whether a rule is right.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator

import msgspec

from worldwright.domain.model import Clause, DomainModel, Entity, Field, Norm, Policy, Relation, Test
from worldwright.errors import UsageError

__all__ = ["NOW", "Path", "faults", "find", "is_day", "norms"]

NOW = "now"
"""The day of the world's clock, as a date that days are counted from."""

_ORDER = ("over", "at least", "under", "at most")
_HOPS = 2


class Path(msgspec.Struct, frozen=True):
    """A field, and the relations that lead to it from the entity that is decided (none: it is that entity's own)."""

    hops: tuple[Relation, ...]
    entity: Entity
    field: Field


def is_day(since: str) -> bool:
    """Whether days are counted from a day that is fixed (now, or an ISO date) rather than from a field."""
    if since == NOW:
        return True
    try:
        return datetime.date.fromisoformat(since).isoformat() == since
    except ValueError:
        return False


def norms(model: DomainModel) -> Iterator[tuple[Policy, Norm]]:
    """The policies that a machine can apply."""
    for policy in model.policies:
        if policy.norm is not None:
            yield policy, policy.norm


def find(model: DomainModel, on: str, name: str) -> Path:
    """The path to a field: `field`, `entity.field`, or `reference_field.field`. Raises UsageError if there is none, or several."""
    entities = {one.name: one for one in model.entities}
    if on not in entities:
        raise UsageError(f"there is no entity '{on}' (expected one of {', '.join(entities)})")
    first, _, rest = name.partition(".")
    if not rest:
        return Path((), entities[on], _field(entities[on], name))
    direct = [one for one in model.relations if one.from_ == on and one.fields == [first]]
    routes = [(one,) for one in direct] if direct else list(_routes(model, on, first))
    if not routes:
        raise UsageError(
            f"nothing leads from '{on}' to '{first}' in {_HOPS} steps (expected an entity that it refers to, or a field that does)"
        )
    if len(routes) > 1:
        ways = ", ".join(".".join(hop.fields[0] for hop in route) for route in routes)
        raise UsageError(f"several ways lead from '{on}' to '{first}': {ways} (expected the name of the reference field instead)")
    target = entities[routes[0][-1].to]
    return Path(routes[0], target, _field(target, rest))


def _routes(model: DomainModel, on: str, to: str) -> Iterator[tuple[Relation, ...]]:
    """The shortest ways from one entity to another."""
    simple = [one for one in model.relations if len(one.fields) == 1 and one.from_ != one.to]
    ways: list[tuple[Relation, ...]] = [(one,) for one in simple if one.from_ == on]
    for _ in range(_HOPS):
        found = [way for way in ways if way[-1].to == to]
        if found:
            yield from found
            return
        ways = [(*way, one) for way in ways for one in simple if one.from_ == way[-1].to]


def _field(entity: Entity, name: str) -> Field:
    found = next((one for one in entity.fields if one.name == name), None)
    if found is None:
        raise UsageError(f"'{entity.name}' has no field '{name}' (expected one of {', '.join(one.name for one in entity.fields)})")
    return found


def faults(model: DomainModel, policy: Policy) -> Iterator[str]:
    """What is wrong with a policy's norm."""
    norm = policy.norm
    if norm is None:
        return
    entity = next((one for one in model.entities if one.name == norm.on), None)
    if entity is None:
        yield f"it decides on '{norm.on}', which is no entity"
        return
    if len(entity.key) != 1:
        yield f"'{norm.on}' has no key of one field"
    if len(norm.clauses) < 2 or norm.clauses[-1].when or not all(clause.when for clause in norm.clauses[:-1]):
        yield "expected at least two clauses, each with a test but for the last one, which has none"
    if not any(clause.exception for clause in norm.clauses):
        yield "no clause is marked as an exception"
    if len(norm.outcomes()) < 2:
        yield "every clause has the same outcome"
    yield from _amount_faults(model, norm)
    for clause in norm.clauses:
        yield from _clause_faults(model, policy, norm, clause)


def _amount_faults(model: DomainModel, norm: Norm) -> Iterator[str]:
    shares = any(clause.share for clause in norm.clauses)
    if norm.kind != "remedy":
        if norm.amount or shares:
            yield "only a remedy has an amount and shares"
        return
    if not norm.amount or not shares:
        yield "a remedy needs an amount, and a clause with a share"
        return
    try:
        kind = find(model, norm.on, norm.amount).field.type
    except UsageError as fault:
        yield str(fault)
        return
    if kind != "money":
        yield f"its amount '{norm.amount}' is of type {kind} (expected money)"


def _clause_faults(model: DomainModel, policy: Policy, norm: Norm, clause: Clause) -> Iterator[str]:
    if clause.share and clause.share not in policy.parameters:
        yield f"the share '{clause.share}' is no parameter"
    named = {clause.share} | {one.parameter for one in clause.when}
    for name in sorted(named - {""}):
        if name in policy.parameters and f"{{{name}}}" not in clause.says:
            yield f"the clause '{clause.says[:40]}' doesn't say {{{name}}}, so that nobody can look it up"
    for test in clause.when:
        try:
            path = find(model, norm.on, test.field)
            since = None if not test.since or is_day(test.since) else find(model, norm.on, test.since)
        except UsageError as fault:
            yield str(fault)
            continue
        yield from _type_faults(test, path, since)
        yield from _value_faults(policy, test, path)


_DATES = ("date", "datetime")


def _type_faults(test: Test, path: Path, since: Path | None) -> Iterator[str]:
    kind = path.field.type
    if test.since and kind not in _DATES:
        yield f"'{test.field}' is of type {kind} (expected a date, since days are counted from '{test.since}')"
    if since is not None and since.field.type not in _DATES:
        yield f"'{test.since}' is of type {since.field.type} (expected a date)"
    if test.op in _ORDER and not test.since and kind not in ("integer", "number", "money"):
        yield f"'{test.field}' is of type {kind} (expected a number for '{test.op}')"


def _value_faults(policy: Policy, test: Test, path: Path) -> Iterator[str]:
    if test.parameter and test.parameter not in policy.parameters:
        yield f"'{test.parameter}' is no parameter of {policy.id}"
    if (test.value is None) == (not test.parameter):
        yield f"the test of '{test.field}' needs either a value or a parameter"
    if isinstance(test.value, list) != (test.op in ("in", "not in")):
        yield f"the test of '{test.field}': a list of values goes with 'in' and 'not in' alone"
    values = test.value if isinstance(test.value, list) else [test.value] if test.op in ("is", "is not") else []
    for value in values:
        if path.field.values and value is not None and value not in path.field.values:
            yield f"'{value}' is no value of '{test.field}' (expected one of {', '.join(map(str, path.field.values))})"
