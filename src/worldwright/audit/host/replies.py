"""What a child said, as the records an audit speaks: facts, attempts, cases; and questions as what a child understands.

Takes replies; gives records. Promises a record whatever was said: what isn't of the expected form, and what wasn't said
because the process ended, is a fault that says so. Plays that had ended before the process did keep their verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from worldwright.audit.host.changes import changes
from worldwright.audit.host.process import Reply
from worldwright.audit.host.values import Held, Unencodable, decode, encode
from worldwright.audit.subject import Attempt, Facts, Opaque, Play, Session
from worldwright.errors import UsageError

__all__ = ["attempts_of", "cases_of", "facts_of", "question"]

_UNREADABLE = (msgspec.ValidationError, ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError)
"""What reading foreign data raises where it isn't of the expected form."""
_LATER = "not reached: an earlier play ended the process"


# ---- questions


def question(session: Session, watch: bool) -> dict[str, Any]:
    """A session as a child understands it. Raises UsageError for an order that isn't one, or a value that can't be sent."""
    order = session.order or tuple(n for n, play in enumerate(session.plays) for _ in range(len(play.acts) + 2))
    for n, play in enumerate(session.plays):
        if order.count(n) != len(play.acts) + 2:
            raise UsageError(
                f"play {n} stands {order.count(n)} times in the session's order "
                f"(expected {len(play.acts) + 2}: its start, each of its acts, its end)"
            )
    if len(order) != sum(len(play.acts) + 2 for play in session.plays):
        raise UsageError(f"the session's order names plays that aren't there (expected numbers from 0 to {len(session.plays) - 1})")
    return {"ask": "session", "plays": [_play(play) for play in session.plays], "order": order, "watch": watch}


def _play(play: Play) -> dict[str, Any]:
    try:
        acts = [{"tool": encode(act.tool), "args": encode(_sent(act.args))} for act in play.acts]
        plain = {"seed": play.seed, "finish": play.finish, "unseen": play.unseen}
        return plain | {"case": encode(play.case), "acts": acts, "answer": encode(_sent(play.answer))}
    except Unencodable as fault:
        raise UsageError(f"a play of {play.case} has an argument or answer that can't be sent to another process: {fault}") from fault


def _sent(value: Any) -> Any:
    """The value with what stayed behind named."""
    if isinstance(value, Opaque):
        return Held(value.known, value.at, value.shown)
    if type(value) is dict:
        return {key: _sent(item) for key, item in value.items()}
    return (
        [_sent(item) for item in value] if type(value) is list else tuple(_sent(item) for item in value) if type(value) is tuple else value
    )


def _opaque(held: Held) -> Opaque:
    return Opaque(held.known, held.shown, held.at)


# ---- answers


def cases_of(reply: Reply) -> tuple[list[str], str]:
    """The cases, or what went wrong."""
    for frame in _frames(reply, "cases"):
        try:
            return msgspec.convert(decode(frame["cases"]), list[str]), ""
        except _UNREADABLE as fault:
            return [], f"what was said isn't a list of cases: {fault}"
    return [], _fault(reply)


def facts_of(reply: Reply, case: str, seed: int) -> Facts:
    """The facts of an instance."""
    for frame in _frames(reply, "facts"):
        try:
            plain = _facts(frame["facts"])
            return msgspec.convert({**plain, "case": case, "seed": seed}, Facts, strict=False)
        except _UNREADABLE as fault:
            return Facts(case, seed, fault=f"what was said isn't a description of an instance: {fault}")
    return Facts(case, seed, fault=_fault(reply))


def _facts(found: Mapping[str, Any]) -> dict[str, Any]:
    plain = {name: decode(value, _opaque) for name, value in found.items() if name != "known"}
    known = [
        {**one, "acts": [_act(act) for act in one["acts"]], "answer": decode(one["answer"], _opaque)} for one in found.get("known", ())
    ]
    plain["reference"] = next((one for one in known if one["name"] == "reference"), None)
    plain["alternatives"] = [one for one in known if one["name"] != "reference"]
    return plain


def _act(act: Mapping[str, Any]) -> dict[str, Any]:
    return {"tool": decode(act["tool"]), "args": {name: decode(value, _opaque) for name, value in act["args"].items()}}


def attempts_of(reply: Reply, session: Session) -> list[Attempt]:
    """An attempt for each play, in their order."""
    found: dict[int, Attempt] = {}
    notes: dict[int, list[str]] = {}
    for frame in reply.said:
        if isinstance(frame, dict) and isinstance(frame.get("play"), int):
            if "attempt" in frame:
                found.setdefault(frame["play"], _attempt(frame["attempt"]))
            elif isinstance(frame.get("note"), str):
                notes.setdefault(frame["play"], []).append(frame["note"])
    fault = "" if len(found) == len(session.plays) else _fault(reply)
    guilty = reply.play if reply.play not in found else next((n for n in range(len(session.plays)) if n not in found), 0)
    out = []
    for n in range(len(session.plays)):
        attempt = found.get(n) or _unsaid(reply, fault, n == guilty)
        out.append(msgspec.structs.replace(attempt, notes=(*attempt.notes, *notes[n])) if n in notes else attempt)
    return out


def _unsaid(reply: Reply, fault: str, guilty: bool) -> Attempt:
    if reply.where == "done":
        return Attempt("error", where="finish", fault=fault)
    if not guilty:
        return Attempt("error", where="start", fault=f"{_LATER} ({fault})")
    where = reply.where if reply.where in ("start", "act", "state", "finish") else "start"
    return Attempt("error", where=where, fault=fault)


def _attempt(said: Any) -> Attempt:
    try:
        plain = {name: decode(value) for name, value in said.items() if name not in ("results", "tables", "keys")}
        plain["results"] = [{name: decode(value) for name, value in result.items()} for result in said.get("results", ())]
        if said.get("tables") is not None:
            plain["changes"] = changes(
                {name: (decode(rows[0]), decode(rows[1])) for name, rows in said["tables"].items()}, said.get("keys")
            )
        return msgspec.convert(plain, Attempt)
    except _UNREADABLE as fault:
        return Attempt("error", where="start", fault=f"what was said isn't an attempt: {fault}")


def _frames(reply: Reply, name: str) -> Sequence[dict[str, Any]]:
    return [frame for frame in reply.said if isinstance(frame, dict) and name in frame]


def _fault(reply: Reply) -> str:
    """Why something was not said."""
    if reply.fault:
        return reply.fault
    for frame in _frames(reply, "fault"):
        return str(frame["fault"])
    if reply.ended == "no end in time":
        return "no end in time"
    garbled = reply.where == "done"
    how = "what the process said of it can't be read: other data came between" if garbled else f"the process {_ended(reply.ended)}"
    printed = reply.printed.strip()
    return f"{how}; it printed: {printed[-500:]}" if printed else how


def _ended(ended: str) -> str:
    if ended.startswith("exit status"):
        return f"left by itself ({ended})"
    return ended if ended.startswith("ended by") else f"was ended: {ended or 'it is gone'}"
