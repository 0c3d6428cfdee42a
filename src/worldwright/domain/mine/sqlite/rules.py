"""Policies and vocabulary of the chosen tables: what CHECKs and triggers demand, and what things are called.

Takes a Mine (and the entities made of it); gives the parts of a DomainModel. A rule keeps the words of its source: nothing is paraphrased.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from worldwright.domain.mine.sqlite.checks import limits_of
from worldwright.domain.mine.sqlite.entities import Mine
from worldwright.domain.mine.sqlite.layout import Table, Trigger
from worldwright.domain.mine.sqlite.text import tokens
from worldwright.domain.model import Entity, Evidence, Origin, Policy, Term
from worldwright.domain.names import distinct, snake

__all__ = ["policies", "vocabulary"]

_MOST_TERMS = 12


def policies(work: Mine) -> list[Policy]:
    """What CHECKs say beyond the limits of single fields, and what triggers refuse."""
    found = [one for table in work.tables() for one in _checked(work, table)]
    chosen = set(work.part.tables)
    by_name = {one.casefold(): one for one in chosen}
    for trigger in work.layout.triggers:
        table = by_name.get(trigger.table.casefold())
        if table is not None:
            found += _refused(work, trigger, table)
    names = distinct([f"{n} {one.id}" for n, one in enumerate(found)], "rule")
    taken: set[str] = set()
    out = []
    for one, name in zip(found, names.values(), strict=True):
        identity = one.id if one.id not in taken else name.lstrip("_")
        taken.add(identity)
        out.append(msgspec.structs.replace(one, id=identity))
    return out


def _checked(work: Mine, table: Table) -> Iterator[Policy]:
    names = [one.name for one in table.columns]
    entity = work.entity_of(table.name)
    for n, check in enumerate(table.checks, 1):
        if limits_of(check, names) is None:
            yield Policy(
                id=snake(check.name) if check.name else f"{entity}_check_{n}",
                rule=f"It always holds that {check.text}",
                source=Origin(f"{work.file.path.name}: CHECK of {table.name}"),
                applies_to=_named(work, table, check.text) or [entity],
                evidence=[Evidence(table.name, "a CHECK that SQLite enforces", table.rows or 0)],
            )


_RAISES = re.compile(r"RAISE\s*\(\s*(?:ABORT|FAIL|ROLLBACK)\s*,\s*'((?:[^']|'')*)'", re.IGNORECASE)
_WHEN = re.compile(r"\b(BEFORE|AFTER|INSTEAD\s+OF)?\s*\b(INSERT|UPDATE(?:\s+OF\s+[^;]*?)?|DELETE)\s+ON\b", re.IGNORECASE | re.DOTALL)


def _refused(work: Mine, trigger: Trigger, table: str) -> list[Policy]:
    """A trigger that refuses something states a rule in its message."""
    said = [one.replace("''", "'") for one in _RAISES.findall(trigger.sql)]
    if not said:
        return []
    when = _WHEN.search(trigger.sql)
    act = " ".join(when.group(2).split()) if when else "a change"
    known = work.layout.table(table)
    return [
        Policy(
            id=snake(trigger.name, "trigger"),
            rule=f"{act} is refused: {'; '.join(dict.fromkeys(said))}",
            source=Origin(f"{work.file.path.name}: trigger {trigger.name}"),
            applies_to=_named(work, known, trigger.sql) or [work.entity_of(table)],
            evidence=[Evidence(table, " ".join(trigger.sql.split())[:400])],
        )
    ]


def _named(work: Mine, table: Table, text: str) -> list[str]:
    """The fields of a table that a text of SQL names."""
    by_name: Mapping[str, str] = {one.name.casefold(): one.name for one in table.columns if not work.profiles[table.name][one.name].fault}
    found = [by_name.get(one.value.casefold()) for one in tokens(text) if one.kind in ("word", "name")]
    entity = work.entity_of(table.name)
    return [f"{entity}.{work.field_of(table.name, one)}" for one in dict.fromkeys(found) if one is not None]


def vocabulary(made: Sequence[Entity]) -> list[Term]:
    """The trade's words: what its things and their states are called."""
    out = []
    for entity in made:
        word = entity.name.replace("_", " ")
        out.append(Term(word, entity.name, entity.about, [entity.table] if entity.table not in (word, entity.name) else []))
        life = entity.lifecycle
        if life is not None:
            out += [Term(one.name, f"{entity.name}.{life.field}", one.about or f"a state of {word}") for one in life.states]
        for field in entity.fields:
            values = [one for one in field.values if isinstance(one, str) and any(sign.isalpha() for sign in one)]
            if (life is None or field.name != life.field) and 0 < len(values) <= _MOST_TERMS:
                out += [Term(one, f"{entity.name}.{field.name}") for one in values]
    return out
