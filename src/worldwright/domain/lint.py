"""What is wrong with a domain model: one entry a rule, and findings with file, line, field and what was expected.

Takes a model and, for the lines, the text of its file. An `error` means that whatever is built from the model would stand on
something that isn't there; a `warning` is something that a person should fill in or look at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from worldwright.domain.model import FORMAT, DomainModel, Entity, Field, Lifecycle
from worldwright.domain.norms import faults as norm_faults
from worldwright.files import locate

__all__ = ["RULES", "Finding", "Rule", "lint"]


class Rule(msgspec.Struct, frozen=True):
    """A rule: what it means, and what was expected instead."""

    id: str
    level: Literal["error", "warning"]
    means: str
    expected: str


class Finding(msgspec.Struct, frozen=True):
    """A rule broken at one place."""

    rule: str
    level: str
    file: str
    line: int
    field: str
    message: str
    expected: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.level} [{self.rule}] {self.field + ': ' if self.field else ''}{self.message} (expected {self.expected})"


RULES = {
    rule.id: rule
    for rule in (
        Rule("format", "error", "The file is of another version of the format.", f"format {FORMAT}"),
        Rule("no-entities", "error", "The model has no entity.", "at least one entity"),
        Rule("name", "error", "A name isn't snake_case, so nothing can be called by it.", "small letters, digits and _, no digit in front"),
        Rule("twice", "error", "Two things of one kind have the same name.", "each name once"),
        Rule("unknown-reference", "error", "A name leads to no entity, field or state.", "a name that the model has"),
        Rule("key-missing", "warning", "An entity has no key, so nothing tells its rows apart.", "the fields that tell its rows apart"),
        Rule("key-nullable", "warning", "A field of a key may be null.", "a key whose fields always have a value"),
        Rule("relation-shape", "error", "A relation has unequal numbers of fields at its ends, or none.", "as many fields as to_fields"),
        Rule("relation-unbacked", "warning", "A relation that no key declares has no evidence.", "evidence, or declared: true"),
        Rule("reference-unbacked", "warning", "A field of type reference stands in no relation.", "a relation from this field"),
        Rule("confidence", "error", "A confidence is out of range.", "a number from 0 to 1"),
        Rule(
            "share",
            "error",
            "A share is out of range, or shares add up to more than the whole.",
            "0 to 1, at most 1 in all",
        ),
        Rule("range", "error", "The least value of a field is above the most.", "least at most as great as most"),
        Rule("outside-range", "error", "A listed value lies outside the field's own range.", "values from least to most"),
        Rule("quantiles", "error", "Quantiles fall.", "quantiles in rising order"),
        Rule("unit-missing", "warning", "Money without a unit: nobody can tell cents from euros.", "unit: a currency, or its cents"),
        Rule("form-missing", "warning", "A date or time doesn't say how it is written.", "form: such as iso-date or epoch-seconds"),
        Rule(
            "state-unreached",
            "error",
            "No transition leads to a state, and nothing starts there.",
            "a transition to it, or it under start",
        ),
        Rule("state-final", "warning", "No transition leaves a state that isn't an end.", "a transition from it, or it under ends"),
        Rule("state-unseen", "warning", "A state that the source lists is never reached.", "a transition to it, or the state removed"),
        Rule("order-unknown", "warning", "The source doesn't show in which order the states follow.", "transitions, and order: person"),
        Rule("guard-fieldless", "error", "A guard names no field, so nothing can check it.", "the fields that it looks at"),
        Rule("policy-parameter", "warning", "A parameter of a policy has no unit.", "a unit (or 'none')"),
        Rule("norm", "error", "A policy's norm can't be applied as it stands.", "what docs/domain-models.md says of norms"),
        Rule("licence-missing", "warning", "A policy's source states no licence for its words.", "licence: such as MIT, or 'own words'"),
    )
}
"""All rules by id."""


def lint(model: DomainModel, file: str = "", text: str = "") -> list[Finding]:
    """Everything that breaks a rule, errors first, then by where it stands."""
    found = [_finding(rule, field, message, file, text) for rule, field, message in _broken(model)]
    return sorted(found, key=lambda one: (one.level, one.line))


Broken = tuple[str, str, str]
"""Rule, field (as a path that `files.locate` follows), message."""


def _finding(rule: str, field: str, message: str, file: str, text: str) -> Finding:
    entry = RULES[rule]
    return Finding(rule, entry.level, file, locate(text, field) if text else 0, field, message, entry.expected)


def _broken(model: DomainModel) -> Iterator[Broken]:
    if model.format != FORMAT:
        yield "format", "format", f"got {model.format}"
    if not model.entities:
        yield "no-entities", "entities", "it is empty"
    yield from _twice("entities", (one.name for one in model.entities))
    yield from _twice("policies", (one.id for one in model.policies))
    for entity in model.entities:
        yield from _entity(model, entity)
    yield from _relations(model)
    yield from _policies(model)
    for n, term in enumerate(model.vocabulary):
        if term.of and not _leads(model, term.of):
            yield "unknown-reference", f"vocabulary[{n}].of", f"'{term.of}' is neither an entity nor entity.field"


def _twice(field: str, names: Iterable[str]) -> Iterator[Broken]:
    for name, n in Counter(names).items():
        if n > 1:
            yield "twice", f"{field}.{name}", f"'{name}' stands {n} times"


def _is_snake(name: str) -> bool:
    return name.isidentifier() and name in (name.lower(), name.casefold())


def _leads(model: DomainModel, name: str) -> bool:
    entity, _, field = name.partition(".")
    found = next((one for one in model.entities if one.name == entity), None)
    return found is not None and (not field or any(one.name == field for one in found.fields))


def _entity(model: DomainModel, entity: Entity) -> Iterator[Broken]:
    at = f"entities.{entity.name}"
    if not _is_snake(entity.name):
        yield "name", at, f"got '{entity.name}'"
    yield from _twice(f"{at}.fields", (one.name for one in entity.fields))
    fields = {one.name: one for one in entity.fields}
    if not entity.key:
        yield "key-missing", at, f"{entity.name} has no key"
    for name in entity.key:
        if name not in fields:
            yield "unknown-reference", f"{at}.key", f"the key names '{name}', which is no field of {entity.name}"
        elif fields[name].nullable:
            yield "key-nullable", f"{at}.fields.{name}", f"{name} is part of the key of {entity.name}"
    if not 0 <= entity.key_confidence <= 1:
        yield "confidence", f"{at}.key_confidence", f"got {entity.key_confidence}"
    used = {name for relation in model.relations if relation.from_ == entity.name for name in relation.fields}
    for field in entity.fields:
        yield from _field(f"{at}.fields.{field.name}", field, field.name in used)
    if entity.lifecycle is not None:
        yield from _lifecycle(f"{at}.lifecycle", entity.lifecycle, fields)


def _field(at: str, field: Field, is_used: bool) -> Iterator[Broken]:
    if not _is_snake(field.name):
        yield "name", at, f"got '{field.name}'"
    if field.type == "money" and not field.unit:
        yield "unit-missing", at, f"{field.name} is money"
    if field.type in ("date", "datetime", "time") and not field.form:
        yield "form-missing", at, f"{field.name} is a {field.type}"
    if field.type == "reference" and not is_used:
        yield "reference-unbacked", at, f"{field.name} refers to nothing"
    yield from _range(at, field)
    if field.distribution is not None:
        spread = field.distribution
        shares = [one.share for one in spread.shares]
        if any(not 0 <= one <= 1 for one in (*shares, spread.nulls)) or sum(shares) > 1.001:
            yield "share", f"{at}.distribution", f"{field.name} has the shares {', '.join(map(str, shares[:8]))}"
        if any(_above(low, high) for low, high in zip(spread.quantiles, spread.quantiles[1:], strict=False)):
            yield "quantiles", f"{at}.distribution.quantiles", f"got {spread.quantiles}"


def _range(at: str, field: Field) -> Iterator[Broken]:
    if _above(field.least, field.most):
        yield "range", f"{at}.least", f"{field.least} is above {field.most}"
        return
    for value in field.values:
        if _above(field.least, value) or _above(value, field.most):
            yield "outside-range", f"{at}.values", f"{value!r} is not from {field.least} to {field.most}"


def _above(low: object, high: object) -> bool:
    """Whether two values of a kind stand in the wrong order."""
    if isinstance(low, str) and isinstance(high, str):
        return low > high
    return isinstance(low, int | float) and isinstance(high, int | float) and low > high


def _lifecycle(at: str, life: Lifecycle, fields: dict[str, Field]) -> Iterator[Broken]:
    if life.field not in fields:
        yield "unknown-reference", f"{at}.field", f"'{life.field}' is no field of the entity"
    states = [one.name for one in life.states]
    yield from _twice(f"{at}.states", states)
    ends = [(f"{at}.{part}", name) for part in ("start", "ends", "unseen") for name in getattr(life, part)]
    ends += [(f"{at}.transitions[{n}]", name) for n, step in enumerate(life.transitions) for name in (step.from_, step.to)]
    for where, name in ends:
        if name not in states:
            yield "unknown-reference", where, f"'{name}' is no state"
    for n, step in enumerate(life.transitions):
        for k, guard in enumerate(step.guards):
            yield from _guard(f"{at}.transitions[{n}].guards[{k}]", guard.says, guard.fields, fields)
    yield from _order(at, life)


def _order(at: str, life: Lifecycle) -> Iterator[Broken]:
    if life.order == "unknown" and not life.transitions:
        yield "order-unknown", at, f"the states of {life.field} have no order"
        return
    for state in life.states:
        if state.name in life.unseen:
            yield "state-unseen", f"{at}.states.{state.name}", f"the source lists '{state.name}' and doesn't show how it is reached"
            continue
        if state.name not in life.start and all(state.name != step.to for step in life.transitions):
            yield "state-unreached", f"{at}.states.{state.name}", f"nothing leads to '{state.name}'"
        if state.name not in life.ends and all(state.name != step.from_ for step in life.transitions):
            yield "state-final", f"{at}.states.{state.name}", f"nothing leaves '{state.name}'"


def _guard(at: str, says: str, names: list[str], fields: dict[str, Field]) -> Iterator[Broken]:
    if not names:
        yield "guard-fieldless", at, f"'{says}' names no field"
    for name in names:
        if name not in fields:
            yield "unknown-reference", at, f"the guard '{says}' names '{name}', which is no field of the entity"


def _relations(model: DomainModel) -> Iterator[Broken]:
    for n, one in enumerate(model.relations):
        at = f"relations[{n}]"
        for entity, names, part in ((one.from_, one.fields, "fields"), (one.to, one.to_fields, "to_fields")):
            if not _leads(model, entity):
                yield "unknown-reference", f"{at}.{'from' if part == 'fields' else 'to'}", f"'{entity}' is no entity"
                continue
            for name in names:
                if not _leads(model, f"{entity}.{name}"):
                    yield "unknown-reference", f"{at}.{part}", f"'{name}' is no field of {entity}"
        if not one.fields or len(one.fields) != len(one.to_fields):
            yield "relation-shape", at, f"{len(one.fields)} fields lead to {len(one.to_fields)}"
        if not 0 <= one.confidence <= 1:
            yield "confidence", f"{at}.confidence", f"got {one.confidence}"
        if not one.declared and not one.evidence:
            yield "relation-unbacked", at, f"{one.from_} to {one.to}"


def _policies(model: DomainModel) -> Iterator[Broken]:
    for n, policy in enumerate(model.policies):
        at = f"policies[{n}]"
        for name in policy.applies_to:
            if not _leads(model, name):
                yield "unknown-reference", f"{at}.applies_to", f"'{name}' is neither an entity nor entity.field"
        for name, parameter in policy.parameters.items():
            if not parameter.unit:
                yield "policy-parameter", f"{at}.parameters.{name}", f"{name} is {parameter.value}, of what?"
        if not policy.source.licence:
            yield "licence-missing", f"{at}.source", f"the policy {policy.id}"
        for message in norm_faults(model, policy):
            yield "norm", f"{at}.norm", f"{policy.id}: {message}"
