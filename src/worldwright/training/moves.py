"""The moves that the probe policy chooses among: whole steps of work, with their arguments taken from what it has seen.

Takes a goal and a memory; gives every Move that can be made, in a fixed order. A move is more than a call: looking something up is
done for each row of a table, through all pages of a list; writing likewise. Which tools exist, what they are called and what
their arguments are called is all that is known of them. A move's `name` says it without values of the instance, so that a sequence
of names is a program that can be tried on another instance. Promises: the same memory gives the same moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from worldwright.solver.seen import spoken_fields
from worldwright.training.binding import EACH, bound_looks, fields_of, fitting, look_text
from worldwright.training.deciding import lacking
from worldwright.training.expressions import Expression, expressions
from worldwright.training.memory import Goal, Memory, Row, Table, key_shapes, owner
from worldwright.training.taking import can_take
from worldwright.training.tracing import begins
from worldwright.training.words import quoted, stems
from worldwright.training.writing import writings

__all__ = ["KINDS", "Move", "moves"]

KINDS = ("read", "look", "ask", "wait", "keep", "pick", "join", "decide", "take", "write", "answer", "finish", "trace")
"""The kinds of moves."""

_TABLES = 2
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


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
    fields = [name for name in goal.answer if all(name != one for one, _, _ in memory.answers)]
    if 0 < len(fields) < len(goal.answer):
        return list(_answers(goal, memory, fields[0]))
    found = [*_reads(goal, memory), *_looks(goal, memory), *_asks(goal, memory), *_waits(goal, memory)]
    found += [
        *_keeps(goal, memory),
        *_picks(memory),
        *_joins(goal, memory),
        *_decides(memory),
        *_takes(memory),
        *_traces(goal, memory),
        *_writes(goal, memory),
    ]
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


def _near(memory: Memory) -> list[int]:
    """The places of the tables that are worked with: the one at hand, those beside it, and the one before."""
    beside = sum(one.aside for one in memory.tables[:-1])
    return list(range(-1, -1 - min(_TABLES + beside, len(memory.tables)), -1))


def _looks(goal: Goal, memory: Memory) -> Iterator[Move]:
    shapes = {noun: frozenset(found) for noun, found in key_shapes(memory).items()}
    for at in _near(memory):
        table = memory.tables[at]
        if not table.rows or (at < -1 and not table.noun):
            continue
        for name, bound, strength in bound_looks(goal, memory, table, shapes):
            text = look_text(goal, table, name, bound)
            again = name.startswith("list_") and any(f">{name}(" in one.name and one.rows for one in memory.tables)
            constant = next((field[1:] for _, field in bound if field.startswith("'") and field != EACH), "")
            if text not in table.looks and not again and stems(constant) <= stems(goal.text):
                yield Move("look", f"look {text} on {table.name}", name, bound, at, strength=strength)


def _asks(goal: Goal, memory: Memory) -> Iterator[Move]:
    say = goal.tools.get("say")
    if say is None or not memory.table.rows or "to" not in say.doc.args:
        return
    table, spoken = memory.table, spoken_fields(say.doc)
    fields = fields_of(goal, table)
    for to in say.doc.args["to"].enum or ():
        for arg in spoken:
            for field, strength in fitting(goal, table, arg, fields, {}):
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
    told = frozenset(re.findall(r"[a-z]+", goal.text))
    states = dict.fromkeys(
        value for row in table.rows for name, value in row.items() if name.endswith(("state", "status")) and value in told
    )
    values = [(f"'{one}'", one) for one in dict.fromkeys([*quoted(goal.text), *states])] + [
        (f"what is told as {name}", value) for name, value in memory.told.items()
    ]
    for said, value in values:
        for field in table.fields():
            name = f"{field} = {said}"
            if name in table.kept or "." in field:
                continue
            fitting = sum(row.get(field) == value for row in table.rows)
            if 0 < fitting < sum(field in row for row in table.rows):
                yield Move("keep", f"keep {name}", field=field, value=value, where=said)
            later = (
                isinstance(value, str) and _DATE.match(value) and "or later" in goal.text and f"{field} from {said} on" not in table.kept
            )
            if later and 0 < sum(str(row.get(field) or "")[:10] >= value for row in table.rows if _dated(row, field)) < len(table.rows):
                yield Move("keep", f"keep {field} from {said} on", field=field, value=value, where="on")


def _dated(row: Row, field: str) -> bool:
    return isinstance(row.get(field), str) and bool(_DATE.match(row[field]))


def _picks(memory: Memory) -> Iterator[Move]:
    table = memory.table
    if len(table.rows) > 1 and table.key:
        for which in ("lowest", "highest"):
            yield Move("pick", f"pick the {which} {table.key}", field=table.key, value=which)


def _joins(goal: Goal, memory: Memory) -> Iterator[Move]:
    """Rows of one table to rows of another by an equal value; the lines come under `=lines`."""
    places = _near(memory)
    for at in places:
        for other in places:
            ours, lines = memory.tables[at], memory.tables[other]
            if at == other or not ours.noun or ours.aside or not lines.aside or not lines.rows or not ours.rows or "=lines" in ours.rows[0]:
                continue
            for left in ours.fields():
                for right in lines.fields() if "." not in left and not left.startswith("=") else ():
                    if "." not in right and not right.startswith("=") and _alike(goal, ours, left, right):
                        name = f"join {lines.name}.{right} to {ours.name}.{left}"
                        yield Move("join", name, bound=((left, right),), table=at, value=other)
                        if ours.name != "told":
                            yield Move("join", f"{name}, strays too", bound=((left, right),), table=at, value=other, where="strays")


def _alike(goal: Goal, ours: Table, left: str, right: str) -> bool:
    """Whether the one names rows of the other: by our key, or by a name of their own that both have."""
    if left == ours.key:
        same = owner(right, goal.nouns) == (ours.noun, "")
    else:
        same = left == right and "_" not in left and any(char.isdigit() for char in str(ours.rows[0].get(left)))
    return same


def _decides(memory: Memory) -> Iterator[Move]:
    table = memory.table
    if not table.rows or not table.noun:
        return
    for page in memory.pages:
        if (table.page != page or table.by != table.looks) and lacking(memory.pages[page], frozenset(table.fields()))[2] < 1:
            yield Move("decide", f"decide by '{page}'", value=page)


def _takes(memory: Memory) -> Iterator[Move]:
    """Rows that were decided, given to people of a table beside them by a page that says who comes first."""
    table = memory.table
    if not table.rows or not table.page or "=person" in table.rows[0]:
        return
    for page, text in memory.pages.items():
        for at in _near(memory)[1:]:
            people = memory.tables[at]
            if people.aside and people.rows and can_take(text, {**people.rows[0], "id": ""}):
                for order in ("lowest", "highest"):
                    yield Move("take", f"take by '{page}' from {people.name}, the {order} first", table=at, value=(page, order))


def _writes(goal: Goal, memory: Memory) -> Iterator[Move]:
    """With the rows at hand, and with those that are to be told of something."""
    for at in _near(memory):
        table = memory.tables[at]
        if at == -1 or (table.aside and "=about" in table.fields()):
            for name, bound, where in writings(goal, memory, table):
                text = f"{name}({', '.join(f'{arg}={field}' for arg, field in bound)}) {where}"
                if text not in memory.wrote:
                    yield Move("write", f"write {text}", name, bound, at, where=where)


def _traces(goal: Goal, memory: Memory) -> Iterator[Move]:
    table = memory.table
    for page, text in memory.pages.items() if table.rows else ():
        field = begins(goal, text, table)
        if field and table.page != page and table.rows[0].get(field) is not None:
            yield Move("trace", f"trace by '{page}' from {field}", field=field, value=page)


def _answers(goal: Goal, memory: Memory, field: str) -> Iterator[Move]:
    for made in expressions(goal, memory, field):
        yield Move("answer", f"answer {field}: {made.name}", field=field, value=made.value, made=made)
