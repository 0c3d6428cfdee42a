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
from worldwright.training.binding import EACH, is_own, look_text
from worldwright.training.calling import once, paged, patient
from worldwright.training.deciding import decided
from worldwright.training.memory import Goal, Memory, Row, Table, owner
from worldwright.training.moves import Move
from worldwright.training.taking import taken
from worldwright.training.tracing import traced
from worldwright.world.protocol import CallResult

__all__ = ["Doing", "carried_out"]

Doing = Generator[Call, CallResult, Memory]
"""Yields calls, is sent what they gave, returns what is known then."""

_KEPT_TABLES = 3
_KEPT_ASIDE = 2
_MOST_ROWS = 200
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?\Z")
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
        rows = tuple(row for row in table.rows if row.get(move.field) == move.value)
        return _with(memory, msgspec.structs.replace(table, rows=rows, kept=table.kept | {move.name.removeprefix("keep ")}))
    if move.kind == "pick":
        pick = max if move.value == "highest" else min
        row = pick(table.rows, key=lambda one: str(one.get(move.field)))
        return _with(memory, msgspec.structs.replace(table, rows=(row,), kept=table.kept | {move.name}))
    if move.kind == "join":
        return _joined(memory, move)
    if move.kind == "decide":
        rows = decided(memory.pages[move.value], table.rows, table.noun, goal.now)
        return _with(memory, msgspec.structs.replace(table, rows=rows, page=move.value, by=table.looks))
    if move.kind == "take":
        people, (page, order) = memory.tables[move.table], move.value
        turns = sorted(table.rows, key=lambda one: str(one.get(table.key)), reverse=order == "highest")
        done = taken(memory.pages[page], turns, people.rows, people.key, goal.now)
        return _with(memory, msgspec.structs.replace(table, rows=tuple(done), kept=table.kept | {move.name, *_before(people)}))
    if move.kind == "answer":
        assert move.made is not None
        return msgspec.structs.replace(memory, answers=(*memory.answers, (move.field, move.made.name, move.value)))
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
    each = (
        [{EACH: value} for value in tool.doc.args[move.bound[0][0]].enum or ()] if move.bound and move.bound[0][1] == EACH else table.rows
    )
    for row in each:
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
        return _with(memory, msgspec.structs.replace(table, looks=table.looks | {text}), move.table)
    if any(isinstance(value, list) for value in got.values()):
        looked = msgspec.structs.replace(table, looks=table.looks | {text})
        return _pushed(_with(memory, looked, move.table), _expanded(goal, table, move, got), aside=not (tool.pages or tool.finds))
    return _with(memory, _merged(goal, table, move, got, text), move.table)


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
        got[(row[field],)] = {name: _plain(value) for name, value in told.items() if name != arg} if isinstance(told, Mapping) else None
    memory = msgspec.structs.replace(memory, calls=memory.calls + calls)
    return _with(memory, _merged(goal, table, move, got, look_text(goal, table, f"say:{move.value}", move.bound)))


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
        memory = yield from _look(goal, _with(memory, cleared), again)
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
    return _with(memory, msgspec.structs.replace(table, rows=tuple(rows)), move.table)


def _trace(goal: Goal, memory: Memory, move: Move) -> Doing:
    """The rows come back with what their chains lead to; those that are to be told of it come as a table beside them."""
    table = memory.table
    rows, told, calls = yield from traced(goal, memory.pages[move.value], table.rows, move.field)
    memory = msgspec.structs.replace(memory, calls=memory.calls + calls)
    memory = _with(memory, msgspec.structs.replace(table, rows=rows, page=move.value, by=table.looks))
    noun = owner(move.field, goal.nouns)[0] or table.noun
    notices = Table(f"{table.name}, to be told", noun, told or ({"id": None, "=about": None},), "id", looks=_before(table))
    return _pushed(memory, notices, aside=True)


def _is_meant(row: Row, where: str) -> bool:
    if "=outcome" in row and row["=outcome"] is None:
        return False
    if where == "where the outcome differs":
        return row.get("outcome") not in (None, row.get("=outcome"))
    if where.startswith("where it is ") and "=ending" in row:
        return row["=ending"] == where.removeprefix("where it is ")
    if where == "where it is to be corrected":
        return row.get("=correct") is True
    return True


_CALLING = {"read": _read, "look": _look, "ask": _ask, "wait": _wait, "write": _write, "trace": _trace}


# ---- what is known then


def _with(memory: Memory, table: Table, at: int = -1) -> Memory:
    tables = list(memory.tables)
    tables[at] = table
    return msgspec.structs.replace(memory, tables=tuple(tables))


def _pushed(memory: Memory, table: Table, aside: bool = False) -> Memory:
    """The table comes to hand, or beside what is at hand: a list that isn't paged is a statement or a roster to hold rows against."""
    if aside:
        table = msgspec.structs.replace(table, aside=True)
    others = [*memory.tables, table]
    last = others[-2] if aside else table
    beside = [one for one in others if one.aside and one is not last]
    before = [one for one in others if not one.aside and one is not last]
    return msgspec.structs.replace(memory, tables=(*before[-_KEPT_TABLES:], *beside[-_KEPT_ASIDE:], last))


def _merged(goal: Goal, table: Table, move: Move, got: Mapping[tuple[Any, ...], Any], text: str) -> Table:
    """What was looked up, in each row: under its own names where it is about the row itself.

    What the desk has on a row never replaces what another tool has shown of it, in whichever order they were asked.
    """
    arg, field = move.bound[0]
    of = owner(arg, goal.nouns)[0] or owner(field, goal.nouns)[0]
    own = is_own(goal, table, field) or ("." not in field and (not table.noun or ("_" not in field and not owner(field, goal.nouns)[0])))
    prefix = "" if own else f"{field.rsplit('_', 1)[0]}."
    rows, failed, nobodys = [], False, _looked_up(goal, move.tool)
    for row in table.rows:
        value = got.get(tuple(row.get(name) for _, name in move.bound))
        if isinstance(value, Mapping):
            failed = failed or (own and None in value.values() and move.tool != f"get_{of}")
            told = {
                f"{prefix}{name}": one
                for name, one in value.items()
                if name != arg and (one is not None or own or move.tool.startswith("get_"))
            }
            rows.append({**told, **row} if own and move.tool == f"get_{of}" else {**row, **told})
        else:
            failed = failed or own
            rows.append({**row} if not nobodys or nobodys in row else {**row, nobodys: None})
    noun, key = table.noun, table.key
    if not noun and own and of:
        noun, last = of, field.rsplit("_", 1)[-1]
        key = last if rows and last in rows[0] else field
        if key != field:
            rows = [{name: value for name, value in row.items() if name != field} for row in rows]
    elif own and move.tool == f"get_{of}" and key not in ("", field.rsplit("_", 1)[-1]):
        key = field.rsplit("_", 1)[-1] if rows and field.rsplit("_", 1)[-1] in rows[0] else key
    return msgspec.structs.replace(
        table, rows=tuple(rows), noun=noun, key=key, looks=table.looks | {text}, failed=table.failed | ({text} if failed else set())
    )


def _looked_up(goal: Goal, tool: str) -> str:
    """The key that a tool gives which finds records by something else (`lookup_site_by_name`); empty for other tools."""
    noun, by, _ = tool.partition("_")[2].partition("_by_")
    getter = goal.tools.get(f"get_{noun}")
    return getter.required[0] if by and getter is not None and len(getter.required) == 1 else ""


def _expanded(goal: Goal, table: Table, move: Move, got: Mapping[tuple[Any, ...], Any]) -> Table:
    """The rows of lists, each with what is known of the row that it was listed for."""
    tool, rows, done = goal.tools[move.tool], list[Row](), set[tuple[Any, ...]]()
    above, kept = table.noun or "told", tool.pages or tool.finds
    each = [(row, tuple(row.get(name) for _, name in move.bound)) for row in table.rows]
    if move.bound and move.bound[0][1] == EACH:
        each = [({}, values) for values in got]
    for row, values in each:
        items = got.get(values)
        if not isinstance(items, list) or values in done:
            continue
        done.add(values)
        if move.bound and move.bound[0][1] == EACH:
            items = [{**item, move.bound[0][0]: values[0]} for item in items]
        known = {f"{above}.{name}": value for name, value in row.items() if "." not in name and not name.startswith("=")} if kept else {}
        rows += [{**known, **item} for item in items if isinstance(item, Mapping)]
    key = _key_of(goal, tool.noun, rows)
    name = f"{table.name}>{move.tool}({', '.join(arg for arg, _ in move.bound)})"
    return Table(name, tool.noun, tuple(rows[:_MOST_ROWS]), key, looks=_before(table))


def _before(table: Table) -> frozenset[str]:
    """What decided the contents of a table, as part of what decides those of one that is made of it."""
    return frozenset(one if ": " in one else f"{table.name}: {one}" for one in table.looks | table.kept)


def _key_of(goal: Goal, noun: str, rows: Sequence[Row]) -> str:
    own = [name for name in rows[0] if "." not in name] if rows else []
    getter = goal.tools.get(f"get_{noun}")
    if getter is not None and len(getter.required) == 1:
        last = getter.required[0].rsplit("_", 1)[-1]
        if last in own:
            return last
    return own[0] if own else ""


def _joined(memory: Memory, move: Move) -> Memory:
    """The lines of another table with each row; lines that belong to none become rows of their own."""
    ours, lines = memory.tables[move.table], memory.tables[move.value]
    ((left, right),) = move.bound
    plain: list[Row] = [{name: value for name, value in one.items() if "." not in name} for one in lines.rows]
    rows: list[Row] = [{**row, "=lines": tuple(one for one in plain if one.get(right) == row.get(left))} for row in ours.rows]
    have = {row.get(left) for row in ours.rows}
    if move.where == "strays":
        strays = [one for one in plain if one.get(right) is None or (left == right and one[right] not in have)]
        rows = [{lines.key: None, **row} for row in rows] + [{**one, "=lines": (one,), "=unknown": True} for one in strays]
    name, looks = f"{ours.name}+{lines.name}{move.where}", ours.looks | _before(lines)
    table = msgspec.structs.replace(ours, name=name, rows=tuple(rows), looks=looks)
    return msgspec.structs.replace(memory, tables=(*(one for one in memory.tables if one is not ours and one is not lines), table))


def _plain(value: Any) -> Any:
    if isinstance(value, str) and _NUMBER.match(value):
        return float(value) if "." in value else int(value)
    return value
