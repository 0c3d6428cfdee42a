"""What an episode leaves, as it is stored beside its trace, and back again: any verifier can judge it later without running it.

Takes what the engine kept of an episode; gives records in JSON's own values, and from them what the engine had kept, value for
value. What the transcript tells already (the calls and their results) isn't stored twice. Raises ValueError for what an
earlier format has left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec

from worldwright.solver import Trace
from worldwright.solver.trace import ChatMessage, json_text
from worldwright.world.protocol import CallRecord, Message, RowChange
from worldwright.world.records.restore import Kept

__all__ = ["Remains", "StoredChange", "kept", "remains", "stored"]


class StoredChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """A row change in JSON's own values.

    `agent` are the columns that the agent wrote (null in runs of before this was stored). A blob stands as its hex digits, an
    infinite number as text; `kinds` says where (`key.0`, `old.NAME`, `new.NAME`) there is a `blob` or a `real`.
    """

    table: str
    op: str
    key: tuple[Any, ...]
    old: dict[str, Any]
    new: dict[str, Any]
    by: str
    agent: tuple[str, ...] | None = None
    kinds: dict[str, str] = {}


class Remains(msgspec.Struct, frozen=True, omit_defaults=True):
    """What evidence rests on beside the trace and the changes.

    `at` are the times of the calls, where they aren't all the start; `refused` the numbers of refused calls; `calls` stand here
    only where the transcript doesn't tell them exactly; `messages` between the agent and people; `events` that happened;
    `numbers` of rows that have another one than at the start; `lost` says why the state was gone.
    """

    at: tuple[str, ...] = ()
    refused: tuple[int, ...] = ()
    calls: tuple[CallRecord, ...] | None = None
    messages: tuple[Message, ...] = ()
    events: tuple[tuple[int, str, str, Any], ...] = ()
    numbers: tuple[tuple[str, tuple[Any, ...], int], ...] = ()
    lost: str | None = None


# ---- to be stored


def stored(changes: Sequence[RowChange]) -> tuple[StoredChange, ...]:
    """Row changes as they are stored."""
    return tuple(map(_stored, changes))


def _stored(one: RowChange) -> StoredChange:
    kinds: dict[str, str] = {}
    key = tuple(_plain(value, f"key.{n}", kinds) for n, value in enumerate(one.key))
    old = {name: _plain(value, f"old.{name}", kinds) for name, value in one.old.items()}
    new = {name: _plain(value, f"new.{name}", kinds) for name, value in one.new.items()}
    return StoredChange(one.table, one.op, key, old, new, one.by, tuple(sorted(one.agent)), kinds)


def _plain(value: Any, place: str, kinds: dict[str, str]) -> Any:
    if isinstance(value, bytes):
        kinds[place] = "blob"
        return value.hex()
    if isinstance(value, float) and not math.isfinite(value):
        kinds[place] = "real"
        return repr(value)
    return value


def remains(left: Kept, trace: Trace) -> Remains:
    """What has to be stored beside the trace and the changes."""
    calls = tuple(left.calls)
    return Remains(
        at=tuple(call.at for call in calls) if any(call.at != trace.started for call in calls) else (),
        refused=tuple(call.n for call in calls if not call.ok),
        calls=None if _is_told(calls, trace) else calls,
        messages=tuple(left.messages),
        events=tuple((n, at, name, _cell(key)) for n, at, name, key in left.events),
        numbers=tuple((table, tuple(map(_cell, key)), number) for table, key, number in left.numbers),
        lost=left.lost,
    )


def _is_told(calls: Sequence[CallRecord], trace: Trace) -> bool:
    """Whether the transcript's first calls are these, text for text."""
    if len(calls) != trace.counts.calls:
        return False
    made = iter(_told(trace.messages))
    for n, call in enumerate(calls, 1):
        tool, args, said = next(made, ("", "", ""))
        result = call.result if call.ok else json_text({"error": call.error})
        if call.n != n or call.tool != tool or call.args != args or result != said:
            return False
    return True


def _told(messages: Sequence[ChatMessage]) -> list[tuple[str, str, str]]:
    """Tool, arguments and result of each call in the transcript; results come in the order of the calls."""
    made = [(call.function.name, call.function.arguments) for message in messages for call in message.tool_calls]
    said = [message.content for message in messages if message.role == "tool"]
    return [(tool, args, text) for (tool, args), text in zip(made, said, strict=False)]


def _cell(value: Any) -> Any:
    """A value of a key; what JSON has no form for as `{kind: text}`."""
    kinds: dict[str, str] = {}
    plain = _plain(value, "", kinds)
    return {kinds[""]: plain} if kinds else plain


# ---- back again


def kept(changes: Sequence[StoredChange], left: Remains, trace: Trace) -> Kept:
    """What the engine had kept. Raises ValueError for changes of before the agent's columns were stored."""
    return Kept(
        changes=[_change(one) for one in changes],
        calls=left.calls if left.calls is not None else _calls(left, trace),
        messages=left.messages,
        ended=trace.ended,
        events=[(n, at, name, _value(key)) for n, at, name, key in left.events],
        numbers=[(table, tuple(map(_value, key)), number) for table, key, number in left.numbers],
        lost=left.lost,
    )


def _change(one: StoredChange) -> RowChange:
    if one.agent is None:
        raise ValueError("the columns that the agent wrote were not stored")

    def back(value: Any, place: str) -> Any:
        return _value({one.kinds[place]: value}) if place in one.kinds else value

    key = tuple(back(value, f"key.{n}") for n, value in enumerate(one.key))
    old = {name: back(value, f"old.{name}") for name, value in one.old.items()}
    new = {name: back(value, f"new.{name}") for name, value in one.new.items()}
    return RowChange(one.table, one.op, key, old, new, one.by, frozenset(one.agent))


def _calls(left: Remains, trace: Trace) -> list[CallRecord]:
    refused = frozenset(left.refused)
    count = trace.counts.calls
    out = []
    for n, (tool, args, said) in enumerate(_told(trace.messages)[:count], 1):
        at = left.at[n - 1] if left.at else trace.started
        result, error = (None, str(msgspec.json.decode(said)["error"])) if n in refused else (said, None)
        out.append(CallRecord(n, at, tool, args, n not in refused, result, error))
    return out


def _value(cell: Any) -> Any:
    if not isinstance(cell, dict):
        return cell
    return bytes.fromhex(cell["blob"]) if "blob" in cell else float(cell["real"])
