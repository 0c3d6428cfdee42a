"""Carrying out a move: the calls that it takes, one after another, and what is known afterwards.

Takes a goal, a memory and a move; `carried_out` is a generator that yields Calls, is sent their CallResults, and returns the new
Memory. The same code runs in a real attempt and in practice. What a call refuses is noted and the rest of the move goes on; an
error that doesn't speak of what was asked for is taken for a passing one and the call is made again. Makes no call of its own
accord beyond the move.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from typing import Any

import msgspec

from worldwright.solver.protocol import Call
from worldwright.training.binding import EACH, look_text
from worldwright.training.calling import once, paged, patient
from worldwright.training.deciding import decided
from worldwright.training.following import concerned
from worldwright.training.known import before, expanded, joined, merged, plain, pushed, with_table
from worldwright.training.memory import Goal, Memory, Row, Table, Tool, owner, start_of
from worldwright.training.moves import Move
from worldwright.training.taking import taken
from worldwright.training.tracing import traced
from worldwright.world.protocol import CallResult

__all__ = ["Doing", "carried_out"]

Doing = Generator[Call, CallResult, Memory]
"""Yields calls, is sent what they gave, returns what is known then."""

_TIME = re.compile(r"\b(\d\d:\d\d)\b")


def carried_out(goal: Goal, memory: Memory, move: Move) -> Doing:
    """Do the move."""
    if move.kind in _CALLING:
        return (yield from _CALLING[move.kind](goal, memory, move))
    return _thought(goal, memory, move)


def _thought(goal: Goal, memory: Memory, move: Move) -> Memory:
    """Moves that take no call."""
    table = memory.table
    if move.kind == "keep":
        late = move.where == "on"
        rows = tuple(row for row in table.rows if (str(row.get(move.field)) >= move.value if late else row.get(move.field) == move.value))
        return with_table(memory, msgspec.structs.replace(table, rows=rows, kept=table.kept | {move.name.removeprefix("keep ")}))
    if move.kind == "pick":
        pick = max if move.value == "highest" else min
        row = pick(table.rows, key=lambda one: str(one.get(move.field)))
        return with_table(memory, msgspec.structs.replace(table, rows=(row,), kept=table.kept | {move.name}))
    if move.kind == "join":
        return joined(memory, move)
    if move.kind == "decide":
        rows = decided(memory.pages[move.value], table.rows, table.noun, goal.now)
        return with_table(memory, msgspec.structs.replace(table, rows=rows, page=move.value, by=table.looks))
    if move.kind == "take":
        people, (page, order) = memory.tables[move.table], move.value
        turns = sorted(table.rows, key=lambda one: str(one.get(table.key)), reverse=order == "highest")
        done = taken(memory.pages[page], turns, people.rows, people.key, goal.now)
        return with_table(memory, msgspec.structs.replace(table, rows=tuple(done), kept=table.kept | {move.name, *before(people)}))
    return memory


# ---- moves that call


def _read(goal: Goal, memory: Memory, move: Move) -> Doing:
    (arg,) = goal.tools[move.tool].required
    result, calls = yield from patient(move.tool, {arg: move.value})
    text = result.value.get("text") if result.ok and isinstance(result.value, Mapping) else None
    memory = msgspec.structs.replace(memory, calls=memory.calls + calls)
    if not isinstance(text, str):
        return msgspec.structs.replace(memory, unread=memory.unread | {move.value})
    return msgspec.structs.replace(memory, pages={**memory.pages, move.value: text})


def _look(goal: Goal, memory: Memory, move: Move) -> Doing:
    table, tool = memory.tables[move.table], goal.tools[move.tool]
    got: dict[tuple[Any, ...], Any] = {}
    calls = errors = 0
    for row in _asked_for(tool, move, table):
        values = tuple(row.get(field) for _, field in move.bound)
        if None in values or values in got:
            continue
        args = {arg: value for (arg, _), value in zip(move.bound, values, strict=True)}
        value, spent = yield from (paged if tool.pages else once)(tool.doc.name, args, tool.doc.doc)
        calls, errors = calls + spent, errors + (value is None)
        got[values] = value
    memory = msgspec.structs.replace(memory, calls=memory.calls + calls, errors=memory.errors + errors)
    text = look_text(goal, table, move.tool, move.bound)
    if not move.bound and not any(isinstance(value, list) for value in got.values()):
        return with_table(memory, msgspec.structs.replace(table, looks=table.looks | {text}), move.table)
    if any(isinstance(value, list) for value in got.values()):
        looked = msgspec.structs.replace(table, looks=table.looks | {text})
        return pushed(with_table(memory, looked, move.table), expanded(goal, table, move, got), aside=not (tool.pages or tool.finds))
    return with_table(memory, merged(goal, table, move, got, text), move.table)


def _asked_for(tool: Tool, move: Move, table: Table) -> Sequence[Row]:
    """What a look is made for: each row or, where it doesn't go by rows, each value that it asks for."""
    field = move.bound[0][1] if move.bound else ""
    if field == EACH:
        return [{EACH: value} for value in tool.doc.args[move.bound[0][0]].enum or ()]
    return [{field: field[1:]}] if field.startswith("'") else table.rows


def _ask(goal: Goal, memory: Memory, move: Move) -> Doing:
    table, ((arg, field),) = memory.table, move.bound
    got: dict[tuple[Any, ...], Any] = {}
    calls = 0
    for row in table.rows:
        if row.get(field) is None or (row[field],) in got:
            continue
        result, spent = yield from patient("say", {"to": move.value, "act": "ask", "fields": {arg: row[field]}})
        calls += spent
        told = result.value.get("fields") if result.ok and isinstance(result.value, Mapping) else None
        got[(row[field],)] = {name: plain(value) for name, value in told.items() if name != arg} if isinstance(told, Mapping) else None
    memory = msgspec.structs.replace(memory, calls=memory.calls + calls)
    return with_table(memory, merged(goal, table, move, got, look_text(goal, table, f"say:{move.value}", move.bound)))


def _wait(goal: Goal, memory: Memory, _move: Move) -> Doing:
    """Until the latest time that the rows name, or else the pages; then what had failed is looked up again."""
    times = [value for row in memory.table.rows for name, value in row.items() if name.endswith("_at") and isinstance(value, str)]
    times += [f"{goal.now[:10]}T{one}:00" for text in memory.pages.values() for one in _TIME.findall(text)]
    later = [one for one in times if one[:10] == goal.now[:10] and one > goal.now]
    memory = msgspec.structs.replace(memory, waited=True)
    if not later:
        return memory
    _, calls = yield from patient("wait", {"until": max(later)})
    memory = msgspec.structs.replace(memory, calls=memory.calls + calls)
    table = memory.table
    for text in sorted(table.failed):
        tool, _, bound = text.rstrip(")").partition("(")
        pairs = tuple((arg, field) for arg, _, field in (one.partition("=") for one in bound.split(", ")))
        pairs = tuple((arg, memory.table.key if field == "own" else field) for arg, field in pairs)
        again = Move("look", f"look {text} on {table.name}", tool, pairs)
        cleared = msgspec.structs.replace(memory.table, looks=memory.table.looks - {text}, failed=memory.table.failed - {text})
        memory = yield from _look(goal, with_table(memory, cleared), again)
    return memory


def _write(goal: Goal, memory: Memory, move: Move) -> Doing:
    table, rows = memory.tables[move.table], list[Row]()
    calls = errors = 0
    for row in table.rows:
        args = {arg: field[1:] if field.startswith("'") else row.get(field) for arg, field in move.bound}
        args = {arg: int(value) if arg.endswith("_cents") and isinstance(value, str) else value for arg, value in args.items()}
        needed = goal.tools[move.tool].required
        specs = goal.tools[move.tool].doc.args
        listed = all(value is None or not specs[arg].enum or value in (specs[arg].enum or ()) for arg, value in args.items())
        if not listed or not _is_meant(row, move.where) or any(args.get(arg) is None for arg in needed):
            rows.append(row)
            continue
        result, spent = yield from patient(move.tool, {arg: value for arg, value in args.items() if value is not None})
        calls, errors = calls + spent, errors + (not result.ok)
        rows.append({**row, "=written": True} if result.ok else row)
    memory = msgspec.structs.replace(memory, calls=memory.calls + calls, errors=memory.errors + errors)
    memory = msgspec.structs.replace(memory, wrote=(*memory.wrote, move.name.removeprefix("write ")))
    return with_table(memory, msgspec.structs.replace(table, rows=tuple(rows)), move.table)


def _trace(goal: Goal, memory: Memory, move: Move) -> Doing:
    """The rows come back with what their chains lead to; those that are to be told of it come as a table beside them."""
    table = memory.table
    rows, told, calls = yield from traced(goal, memory.pages[move.value], table.rows, move.field)
    memory = msgspec.structs.replace(memory, calls=memory.calls + calls)
    memory = with_table(memory, msgspec.structs.replace(table, rows=rows, page=move.value, by=table.looks))
    noun = owner(move.field, goal.nouns)[0] or table.noun
    notices = Table(f"{table.name}, to be told", noun, told or ({"id": None, "=about": None},), "id", looks=before(table))
    return pushed(memory, notices, aside=True)


def _answer(goal: Goal, memory: Memory, move: Move) -> Doing:
    """The last answer of a first part leads on to the second, about what is looked up for it, or to the end."""
    assert move.made is not None
    memory = msgspec.structs.replace(memory, answers=(*memory.answers, (move.field, move.made.name, move.value)))
    if goal.then is None or goal.second is None or sum(name in goal.answer for name, _, _ in memory.answers) < len(goal.answer):
        return memory
    if all(value != goal.then.when for _, _, value in memory.answers):
        return msgspec.structs.replace(memory, answers=(*memory.answers, *goal.then.otherwise()))
    by, told, calls = yield from concerned(goal, memory, goal.then.about)
    start = msgspec.structs.replace(start_of(goal.second), told=told, tables=(Table("told", "", (told,)),), part=by)
    return msgspec.structs.replace(start, answers=memory.answers, calls=memory.calls + calls, errors=memory.errors)


def _is_meant(row: Row, where: str) -> bool:
    if "=outcome" in row and row["=outcome"] is None:
        return False
    if where == "where the outcome differs":
        return row.get("outcome") not in (None, row.get("=outcome"))
    if where.startswith("where it is ") and "=ending" in row:
        return bool(row["=ending"] == where.removeprefix("where it is "))
    if where == "where it is to be corrected":
        return row.get("=correct") is True
    return True


_CALLING = {"read": _read, "look": _look, "ask": _ask, "wait": _wait, "write": _write, "trace": _trace, "answer": _answer}
