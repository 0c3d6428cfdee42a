"""The moves that the probe policy chooses among: whole steps of work, with their arguments taken from what it has seen.

Takes a goal and a memory; gives every Move that can be made, in a fixed order. A move is more than a call: looking something up is
done for each row of a table, through all pages of a list; writing likewise. Which tools exist, what they are called and what
their arguments are called is all that is known of them. A move's `name` says it without values of the instance, so that a sequence
of names is a program that can be tried on another instance. Promises: the same memory gives the same moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from worldwright.solver.seen import spoken_fields
from worldwright.training.deciding import lacking
from worldwright.training.expressions import Expression, expressions
from worldwright.training.memory import Goal, Memory, Table, Tool, key_shapes, owner
from worldwright.training.words import quoted, shape, stems

__all__ = ["KINDS", "Move", "is_own", "look_text", "moves"]

KINDS = ("read", "look", "ask", "wait", "keep", "pick", "join", "decide", "take", "write", "answer", "finish")
"""The kinds of moves."""

_NOT_LOOKS = frozenset({"clock", "wait", "say", "search_handbook", "list_handbook"})
_TABLES = 2
_Bound = tuple[str, tuple[tuple[str, str], ...], int]
"""A tool, what fills its arguments, and how strongly their names say so."""
_DECIDED = {"outcome": "=outcome", "kind": "=outcome", "person_id": "=person"}


class Move(msgspec.Struct, frozen=True):
    """One move. `bound` pairs arguments with the fields (or `'constants`) that fill them; `strength` is 2 where names say that they
    belong together and 1 where only the form does; `table` is the table's place from the end."""

    kind: str
    name: str
    tool: str = ""
    bound: tuple[tuple[str, str], ...] = ()
    table: int = -1
    field: str = ""
    value: Any = None
    where: str = ""
    strength: int = 2
    made: Expression | None = None


def moves(goal: Goal, memory: Memory) -> list[Move]:
    """What can be done now. Once answering has begun, only the next field's answers."""
    fields = list(goal.prompt.answer)
    if len(memory.answers) < len(fields) and memory.answers:
        return list(_answers(goal, memory, fields[len(memory.answers)]))
    found = [*_reads(goal, memory), *_looks(goal, memory), *_asks(goal, memory), *_waits(goal, memory)]
    found += [*_keeps(goal, memory), *_picks(memory), *_joins(goal, memory), *_decides(memory), *_writes(goal, memory)]
    found += _answers(goal, memory, fields[0]) if fields else [Move("finish", "finish")]
    return found


def _reads(goal: Goal, memory: Memory) -> Iterator[Move]:
    tool = next((name for name, one in goal.tools.items() if one.reads_page), None)
    if tool is None:
        return
    named = [one for one in quoted(goal.text) if " " not in one]
    for page in [one for one in named if "-" in one] or named:
        if page not in memory.pages and page not in memory.unread:
            yield Move("read", f"read '{page}'", tool, value=page)


def _looks(goal: Goal, memory: Memory) -> Iterator[Move]:
    shapes = {noun: frozenset(found) for noun, found in key_shapes(memory).items()}
    for at in range(-1, -1 - min(_TABLES, len(memory.tables)), -1):
        table = memory.tables[at]
        if not table.rows or (at < -1 and not table.noun):
            continue
        for name, bound, strength in _bound(goal, memory, table, shapes):
            text = look_text(goal, table, name, bound)
            again = name.startswith("list_") and any(f">{name}(" in one.name for one in memory.tables)
            if text not in table.looks and not again:
                yield Move("look", f"look {text} on {table.name}", name, bound, at, strength=strength)


def look_text(goal: Goal, table: Table, tool: str, bound: tuple[tuple[str, str], ...]) -> str:
    """What a look is called: the same whichever field holds the row's own key."""
    named = ((arg, "own" if is_own(goal, table, field) else field) for arg, field in bound)
    return f"{tool}({', '.join(f'{arg}={field}' for arg, field in named)})"


def is_own(goal: Goal, table: Table, field: str) -> bool:
    """Whether the field names the row itself."""
    noun, role = owner(field, goal.nouns)
    return field == table.key or ("." not in field and bool(noun) and not role and noun == (table.noun or noun))


def _bound(goal: Goal, memory: Memory, table: Table, shapes: Mapping[str, frozenset[str]]) -> list[_Bound]:
    """All looks at a table. They depend on its fields and on what keys look like, so they are worked out once for all alike."""
    fields = table.fields()
    forms = tuple(_form(table, field) for field in fields)
    key = (goal.needed, table.name == "told", table.noun, table.key, tuple(fields), forms, frozenset(shapes.items()), tuple(memory.pages))
    known = goal.looks.get(key)
    if known is None:
        ready = _sorted(goal, table)
        words = frozenset[str]().union(*(stems(text) for text in memory.pages.values()))
        known = [
            (name, bound, strength)
            for name, tool in goal.tools.items()
            if not (tool.doc.writes or tool.reads_page or name in _NOT_LOOKS)
            for bound, strength in _bindings(goal, table, tool, ready, shapes)
            if strength == 2 or _is_named(table, bound[0], words)
        ]
        goal.looks[key] = known
    return known


def _is_named(table: Table, bound: tuple[str, str], words: frozenset[str]) -> bool:
    """Whether a page that was read speaks of the role in which the one is the other's: the shipper of 'shipper_id'."""
    arg, field = bound
    role = arg if field == table.key else field.rsplit(".", 1)[-1]
    return (field == table.key and table.name != "told") or stems(role.rsplit("_", 1)[0]) <= words


def _form(table: Table, field: str) -> str:
    """What a field's values look like, where that can matter."""
    if "_" not in field and field != table.key:
        return ""
    return next((shape(row[field]) for row in table.rows[:8] if row.get(field) is not None), "")


def _bindings(
    goal: Goal, table: Table, tool: Tool, fields: _Fields, shapes: Mapping[str, frozenset[str]]
) -> Iterator[tuple[tuple[tuple[str, str], ...], int]]:
    if tool.finds:
        for field in table.fields() if table.name == "told" and not table.noun else ():
            named = any(one.finds and one.noun == field for one in goal.tools.values())
            if isinstance(table.rows[0][field], str) and "_" not in field and (tool.noun == field or not named):
                yield ((tool.required[0], field),), 2
    elif len(tool.required) == 1:
        for field, strength in _fitting(goal, table, tool.required[0], fields, shapes):
            yield ((tool.required[0], field),), strength
    elif len(tool.required) > 1:
        found = [next((field for field, strength in _fitting(goal, table, arg, fields, shapes) if strength == 2), None) for arg in tool.required]
        if all(found):
            yield tuple((arg, field) for arg, field in zip(tool.required, found, strict=True) if field), 2
    else:
        if not tool.pages and table.name != "told" and tool.doc.name.startswith("list_"):
            yield (), 2
        for arg in tool.optional:
            for field, strength in _fitting(goal, table, arg, fields, shapes):
                if field == table.key and table.name != "told" and tool.noun != table.noun and (strength == 2 or table.name.count(">") == 1):
                    yield ((arg, field),), strength


class _Field(msgspec.Struct, frozen=True):
    """A field of a table: its plain name, whose key it is and in what role, and what its values look like."""

    name: str
    plain: str
    of: str
    role: str
    form: str


_Fields = dict[str, list[_Field]]
"""The fields of a table by the last part of their name; the row's own key is among those of every last part."""


def _sorted(goal: Goal, table: Table) -> _Fields:
    found: _Fields = {"": []}
    for name in table.fields():
        if name.startswith("="):
            continue
        above, _, plain = name.rpartition(".")
        if above and plain.startswith(f"{above.rsplit('.', 1)[-1]}_"):
            continue
        own = name == table.key and bool(table.noun)
        of, role = (table.noun, "") if own else owner(name, goal.nouns)
        one = _Field(name, plain, of, role, _form(table, name))
        found.setdefault(plain.rsplit("_", 1)[-1], []).append(one)
        if name == table.key:
            found[""].append(one)
    return found


def _fitting(goal: Goal, table: Table, arg: str, fields: _Fields, shapes: Mapping[str, frozenset[str]]) -> Iterator[tuple[str, int]]:
    """Fields that can fill the argument, those first that are named so."""
    noun, role = owner(arg, goal.nouns)
    last = arg.rsplit("_", 1)[-1]
    weak = []
    same = fields.get(last, [])
    for one in [*same, *(each for each in fields[""] if each not in same)]:
        if "." in one.name and one.plain == last and one.plain != arg:
            continue
        is_key = one.name == table.key
        if (one.of and one.of == noun and (role == one.role or not role or not one.role)) or (
            one.plain == arg and not noun and (is_key or not one.of)
        ):
            yield one.name, 2
        elif "_" in arg and last != "cents" and ((noun and not one.of and not is_key) or (not noun and is_key and last == one.plain)):
            known = shapes.get(noun)
            others = any(one.form in found for other, found in shapes.items() if other != noun)
            if one.form and (one.form in known if known else not noun or not others):
                weak.append((one.name, 1))
    yield from weak


def _asks(goal: Goal, memory: Memory) -> Iterator[Move]:
    say = goal.tools.get("say")
    if say is None or not memory.table.rows or "to" not in say.doc.args:
        return
    table, spoken = memory.table, spoken_fields(say.doc)
    fields = _sorted(goal, table)
    for to in say.doc.args["to"].enum or ():
        for arg in spoken:
            for field, strength in _fitting(goal, table, arg, fields, {}):
                text = look_text(goal, table, f"say:{to}", ((arg, field),))
                if strength == 2 and owner(arg, goal.nouns)[0] and text not in table.looks:
                    yield Move("ask", f"ask {text}", "say", ((arg, field),), value=to)


def _waits(goal: Goal, memory: Memory) -> Iterator[Move]:
    if "wait" in goal.tools and not memory.waited and memory.table.failed:
        yield Move("wait", "wait for what is to come in", "wait")


def _keeps(goal: Goal, memory: Memory) -> Iterator[Move]:
    table = memory.table
    if not table.rows or table.name == "told":
        return
    said = frozenset(re.findall(r"[a-z]+", goal.text))
    states = dict.fromkeys(value for row in table.rows for name, value in row.items() if name.endswith(("state", "status")) and value in said)
    values = [(f"'{one}'", one) for one in dict.fromkeys([*quoted(goal.text), *states])] + [(f"what is told as {name}", value) for name, value in goal.shown.items()]
    for said, value in values:
        for field in table.fields():
            name = f"{field} = {said}"
            if name in table.kept or "." in field:
                continue
            fitting = sum(row.get(field) == value for row in table.rows)
            if 0 < fitting < len(table.rows):
                yield Move("keep", f"keep {name}", field=field, value=value, where=said)


def _picks(memory: Memory) -> Iterator[Move]:
    table = memory.table
    if len(table.rows) > 1 and table.key:
        for which in ("lowest", "highest"):
            yield Move("pick", f"pick the {which} {table.key}", field=table.key, value=which)


def _joins(goal: Goal, memory: Memory) -> Iterator[Move]:
    """Rows of one table to rows of another by an equal value; the lines come under `=lines`."""
    places = range(-1, -1 - min(_TABLES, len(memory.tables)), -1)
    for at in places:
        for other in places:
            ours, lines = memory.tables[at], memory.tables[other]
            if at == other or not ours.noun or ours.aside or not lines.aside or not lines.rows or not ours.rows or "=lines" in ours.rows[0]:
                continue
            for left in ours.fields():
                for right in lines.fields() if "." not in left and not left.startswith("=") else ():
                    if "." not in right and not right.startswith("=") and _alike(goal, ours, left, lines, right):
                        name = f"join {lines.name}.{right} to {ours.name}.{left}"
                        yield Move("join", name, bound=((left, right),), table=at, value=other)
                        if len(ours.rows) > 1:
                            yield Move("join", f"{name}, strays too", bound=((left, right),), table=at, value=other, where="strays")


def _alike(goal: Goal, ours: Table, left: str, lines: Table, right: str) -> bool:
    """Whether the one names rows of the other: by our key, or by a name of their own that both have."""
    if left == ours.key:
        same = owner(right, goal.nouns) == (ours.noun, "")
    else:
        same = left == right and "_" not in left and any(char.isdigit() for char in str(ours.rows[0].get(left)))
    have = {row.get(left) for row in ours.rows} - {None}
    return same and any(row.get(right) in have for row in lines.rows)


def _decides(memory: Memory) -> Iterator[Move]:
    table = memory.table
    if not table.rows or not table.noun:
        return
    for page in memory.pages:
        if table.page != page and lacking(memory.pages[page], frozenset(table.fields()))[2] < 1:
            yield Move("decide", f"decide by '{page}'", value=page)


def _writes(goal: Goal, memory: Memory) -> Iterator[Move]:
    table = memory.table
    if not table.rows:
        return
    fields, ready = table.fields(), _sorted(goal, table)
    for name, tool in goal.tools.items():
        if not tool.doc.writes or name in ("wait", "say"):
            continue
        for bound in _filled(goal, table, tool, fields, ready):
            for where in _conditions(table, fields):
                text = f"{name}({', '.join(f'{arg}={field}' for arg, field in bound)}) {where}"
                if text not in memory.wrote:
                    yield Move("write", f"write {text}", name, bound, where=where)


def _filled(goal: Goal, table: Table, tool: Tool, fields: list[str], ready: _Fields) -> list[tuple[tuple[str, str], ...]]:
    """The ways to fill all required arguments, and those optional ones that are worked out."""
    ways: list[tuple[tuple[str, str], ...]] = [()]
    for arg, spec in tool.doc.args.items():
        choices: list[str] = []
        worked_out = _DECIDED.get(arg)
        if worked_out in fields:
            choices = [worked_out] if not spec.enum or _listed(table, worked_out, spec.enum) else []
        elif spec.enum and arg in tool.required and not table.page:
            choices = [f"'{one}" for one in spec.enum]
        elif spec.type in ("integer", "number") and arg.endswith("_cents"):
            wanted = ("=difference",) if "difference" in arg else ("=theirs", "=amount")
            choices = [one for one in wanted if one in fields] or ([] if table.page else ["'0"])
        elif arg in tool.required:
            choices = [field for field, strength in _fitting(goal, table, arg, ready, {}) if strength == 2][:1]
        if choices:
            ways = [(*way, (arg, choice)) for way in ways for choice in choices]
        elif arg in tool.required:
            return []
    return ways


def _listed(table: Table, field: str, values: Sequence[Any]) -> bool:
    found = {row.get(field) for row in table.rows} - {None}
    return bool(found) and found <= set(values)


def _conditions(table: Table, fields: list[str]) -> list[str]:
    """For which rows to write: for all, or those whose outcome isn't what was recorded, or that may be corrected."""
    found = ["for each"]
    if "=outcome" in fields and "outcome" in fields:
        found.append("where the outcome differs")
    if "=correct" in fields:
        found.append("where it is to be corrected")
    return found


def _answers(goal: Goal, memory: Memory, field: str) -> Iterator[Move]:
    for made in expressions(goal, memory, field):
        yield Move("answer", f"answer {field}: {made.name}", field=field, value=made.value, made=made)
