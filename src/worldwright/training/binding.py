"""Which fields can fill which arguments: looks that fit a table, by names and by what keys look like.

Takes a goal, a memory and one of its tables; gives the tools that show more of its rows, each with the fields that fill its
arguments, and how strongly their names say so: 2 where the names belong together, 1 where only the form does. A look at rows of
one form is worked out once and kept with the goal. Promises: the same table gives the same looks in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from worldwright.training.deciding import page_of
from worldwright.training.memory import Goal, Memory, Table, Tool, owner
from worldwright.training.words import shape, stems

__all__ = ["EACH", "Fields", "bound_looks", "fields_of", "fitting", "is_own", "look_text"]

_NOT_LOOKS = frozenset({"clock", "wait", "say", "search_handbook", "list_handbook"})
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_Bound = tuple[str, tuple[tuple[str, str], ...], int]
"""A tool, what fills its arguments, and how strongly their names say so."""


EACH = "'each"
"""Stands where every value that an argument can have is asked for in turn."""


class Field(msgspec.Struct, frozen=True):
    """A field of a table: its plain name, whose key it is and in what role, and what its values look like."""

    name: str
    plain: str
    of: str
    role: str
    form: str


Fields = dict[str, list[Field]]
"""The fields of a table by the last part of their name; the row's own key is among those of every last part."""


def look_text(goal: Goal, table: Table, tool: str, bound: tuple[tuple[str, str], ...]) -> str:
    """What a look is called: the same whichever field holds the row's own key."""
    named = ((arg, "own" if is_own(goal, table, field) else field) for arg, field in bound)
    return f"{tool}({', '.join(f'{arg}={field}' for arg, field in named)})"


def is_own(goal: Goal, table: Table, field: str) -> bool:
    """Whether the field names the row itself."""
    noun, role = owner(field, goal.nouns)
    return field == table.key or ("." not in field and bool(noun) and not role and noun == (table.noun or noun))


def bound_looks(goal: Goal, memory: Memory, table: Table, shapes: Mapping[str, frozenset[str]]) -> list[_Bound]:
    """All looks at a table. They depend on its fields and on what keys look like, so they are worked out once for all alike."""
    fields = table.fields()
    forms = tuple(_form(table, field) for field in fields)
    key = (
        goal.needed,
        table.name == "told",
        table.name.count(">") == 1,
        table.aside,
        table.noun,
        table.key,
        tuple(fields),
        forms,
        frozenset(shapes.items()),
        tuple(memory.pages),
    )
    known = goal.looks.get(key)
    if known is None:
        ready = fields_of(goal, table)
        said = " ".join(memory.pages.values())
        words = stems(said)
        about = {stems(page[0].about) for page in map(page_of, memory.pages.values()) if page}
        known = [
            (name, bound, strength)
            for name, tool in goal.tools.items()
            if not (tool.doc.writes or tool.reads_page or name in _NOT_LOOKS)
            for bound, strength in _bindings(goal, table, tool, ready, shapes, said, about)
            if strength == 2 or _is_named(goal, table, bound[0], words)
        ]
        by_text = {look_text(goal, table, one[0], one[1]): one for one in sorted(known, key=lambda one: one[2])}
        known = goal.looks[key] = [one for one in known if any(one is kept for kept in by_text.values())]
    return known


def _is_named(goal: Goal, table: Table, bound: tuple[str, str], words: frozenset[str]) -> bool:
    """Whether a page that was read speaks of the role in which the one is the other's: the shipper of 'shipper_id'."""
    arg, field = bound
    role = arg if field == table.key else field.rsplit(".", 1)[-1]
    noun = owner(arg, goal.nouns)[0]
    if "." in field and noun and arg == f"{noun}_{role}" and stems(noun) <= words:
        return True
    return (field == table.key and table.name != "told") or stems(role.rsplit("_", 1)[0]) <= words


def _form(table: Table, field: str) -> str:
    """What a field's values look like, where that can matter."""
    if "_" not in field and "." not in field and field != table.key:
        return ""
    return next((shape(row[field]) for row in table.rows[:8] if row.get(field) is not None), "")


def _bindings(
    goal: Goal, table: Table, tool: Tool, fields: Fields, shapes: Mapping[str, frozenset[str]], said: str, about: set[frozenset[str]]
) -> Iterator[tuple[tuple[tuple[str, str], ...], int]]:
    """The ways in which a table's fields fill the tool's arguments, with their strength."""
    if tool.finds:
        yield from _found(goal, table, tool)
    elif len(tool.required) == 1:
        yield from _single(goal, table, tool, fields, shapes, said)
    elif len(tool.required) > 1:
        found = [
            next((field for field, strength in fitting(goal, table, arg, fields, shapes) if strength == 2), None) for arg in tool.required
        ]
        if all(found):
            yield tuple((arg, field) for arg, field in zip(tool.required, found, strict=True) if field), 2
    else:
        yield from _listed(goal, table, tool, fields, shapes, said, about)


def _found(goal: Goal, table: Table, tool: Tool) -> Iterator[tuple[tuple[tuple[str, str], ...], int]]:
    """Finding by what the instruction tells."""
    for field in table.fields() if table.name == "told" and not table.noun else ():
        named = any(one.finds and one.noun == field for one in goal.tools.values())
        fits = "_" not in field and (tool.noun == field or not named)
        value = table.rows[0][field]
        if isinstance(value, str) and not _DATE.match(value) and (fits or field == f"{tool.noun}_name"):
            yield ((tool.required[0], field),), 2


def _single(
    goal: Goal, table: Table, tool: Tool, fields: Fields, shapes: Mapping[str, frozenset[str]], said: str
) -> Iterator[tuple[tuple[tuple[str, str], ...], int]]:
    """Tools that need one argument."""
    if tool.doc.name.startswith("list_") and tool.doc.args[tool.required[0]].enum:
        yield ((tool.required[0], EACH),), 2
    elif tool.noun == table.noun and table.key and tool.doc.name.startswith("get_"):
        yield ((tool.required[0], table.key),), 2
    elif tool.doc.name in said or not tool.noun.endswith(f"_{owner(tool.required[0], goal.nouns)[0] or ' '}"):
        for field, strength in fitting(goal, table, tool.required[0], fields, shapes):
            yield ((tool.required[0], field),), strength


def _listed(
    goal: Goal, table: Table, tool: Tool, fields: Fields, shapes: Mapping[str, frozenset[str]], said: str, about: set[frozenset[str]]
) -> Iterator[tuple[tuple[tuple[str, str], ...], int]]:
    """Lists that need no argument: whole, or narrowed by the row's own key."""
    if not tool.pages and (table.name != "told" or table.noun) and tool.doc.name.startswith("list_"):
        yield (), 2
    for arg in tool.optional if tool.pages and table.name == "told" and not table.noun else ():
        for value in tool.doc.args[arg].enum or ():
            yield ((arg, f"'{value}"),), 2
    for arg in tool.optional if table.noun and tool.noun != table.noun else ():
        for field, strength in fitting(goal, table, arg, fields, shapes):
            near = strength == 2 or table.name.count(">") == 1 or arg.replace("_", " ") in said or stems(tool.noun) in about
            if field == table.key and near and not (table.aside and strength < 2):
                yield ((arg, field),), strength


def fields_of(goal: Goal, table: Table) -> Fields:
    found: Fields = {"": []}
    for name in table.fields():
        if name.startswith("="):
            continue
        above, _, plain = name.rpartition(".")
        if above and plain.startswith(f"{above.rsplit('.', 1)[-1]}_"):
            continue
        own = name == table.key and bool(table.noun)
        of, role = (table.noun, "") if own else owner(name, goal.nouns)
        one = Field(name, plain, of, role, _form(table, name))
        found.setdefault(plain.rsplit("_", 1)[-1], []).append(one)
        if name == table.key:
            found[""].append(one)
    return found


def _names_itself(goal: Goal, field: str) -> bool:
    """Whether a joined record's field is what that record is asked for by, or it can't be told."""
    above, _, plain = field.rpartition(".")
    getter = next((one for noun, one in ((noun, goal.tools.get(f"get_{noun}")) for noun in goal.nouns) if above.endswith(noun)), None)
    return getter is None or getter.required[0].rsplit("_", 1)[-1] == plain


def fitting(goal: Goal, table: Table, arg: str, fields: Fields, shapes: Mapping[str, frozenset[str]]) -> Iterator[tuple[str, int]]:
    """Fields that can fill the argument, those first that are named so."""
    noun, role = owner(arg, goal.nouns)
    last = arg.rsplit("_", 1)[-1]
    weak = []
    same = fields.get(last, [])
    for one in [*same, *(each for each in fields[""] if each not in same)]:
        if "." in one.name and one.plain == last and one.plain != arg and _names_itself(goal, one.name):
            continue
        is_key = one.name == table.key
        if (one.of and one.of == noun and (role == one.role or not role or not one.role)) or (
            one.plain == arg and not noun and (is_key or not one.of)
        ):
            yield one.name, 2
        elif "_" in arg and last != "cents" and ((noun and not one.of and not is_key) or (not noun and is_key and last == one.plain)):
            known = shapes.get(noun)
            others = any(one.form in found for other, found in shapes.items() if other != noun)
            unseen = not one.form and "." in one.name and arg == f"{noun}_{one.plain}"
            if unseen or (one.form and (one.form in known if known else not noun or not others)):
                weak.append((one.name, 1))
    yield from weak
