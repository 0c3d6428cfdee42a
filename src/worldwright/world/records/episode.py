"""One attempt in a records world: calls, clock, events, people, forks, and the evidence at the end.

Promises: the same (world, seed, parameters, calls) gives the same results, whatever runs beside it; a refused call
changes nothing; what the agent does comes back as data. `finish` lets the clock run on and gives the evidence, which
lives until `close`. Not safe for use by two threads at once; `asynchronous()` queues concurrent callers.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import apsw
import msgspec

from worldwright.errors import BudgetSpent, StateLost, TemplateFault, UsageError, WorldError
from worldwright.world.arguments import Validator, shown
from worldwright.world.protocol import CallRecord, CallResult, Message, RowChange, StopReason
from worldwright.world.records.branch import copy_rows
from worldwright.world.records.changes import Changes, Mark, changed_keys
from worldwright.world.records.connection import TOOL_STEPS, Connection, Versions
from worldwright.world.records.database import instant, later
from worldwright.world.records.events import Due, Move
from worldwright.world.records.evidence import RecordsEvidence, as_json
from worldwright.world.records.image import Image, rows_digest
from worldwright.world.records.parties import MOVED, Party, Reply
from worldwright.world.records.policy import Statement
from worldwright.world.records.tools import Outcome, Tool, ToolRefusal, in_words, inserts

if TYPE_CHECKING:
    from worldwright.world.records.world import RecordsWorld

__all__ = ["AGENT", "AsyncEpisode", "EpisodeMark", "RecordsEpisode", "RecordsEvidence"]

AGENT = "agent"
_YEAR = 366 * 86_400
_marks = itertools.count(1)


class EpisodeMark(msgspec.Struct, frozen=True):
    """A point in an episode to come back to."""

    name: str
    changes: Mark
    clock: str
    calls: int
    messages: int
    unheard: tuple[Message, ...]
    fired: frozenset[tuple[str, Any]]
    spent: frozenset[tuple[str, str]]
    n: int
    versions: Versions


class RecordsEpisode:
    """See the module. Made by `RecordsWorld.start`."""

    def __init__(
        self, world: RecordsWorld, image: Image, seed: int, params: Mapping[str, Any], parties: Sequence[str], call_limit: int | None
    ) -> None:
        self.world, self.image, self.seed = world, image, seed
        self.params, self.parties = dict(params), {name: world.parties[name] for name in parties}
        self.call_limit = call_limit
        self.calls: list[CallRecord] = []
        self.messages: list[Message] = []
        self.lost: str | None = None
        self._n = 0
        self._clock = world.spec.start()
        self._fired: set[tuple[str, Any]] = set()
        self._spent: set[tuple[str, str]] = set()
        self._unheard: list[Message] = []
        self._marks: list[str] = []
        self._evidence: RecordsEvidence | None = None
        self._connection: Connection | None = world.pool.take(image)
        try:
            self._connection.begin(self._clock)
            self.changes = Changes(self._connection, world.schema)
            for party in self.parties.values():
                text = party.opening(self.params)
                if text:
                    self._unheard.append(self._message(party.name, AGENT, Reply("inform", {}, text)))
        except BaseException:
            self.close()
            raise

    # ---- what an agent and its loop use

    def now(self) -> str:
        """The world's time, ISO."""
        return self._clock

    def call(self, tool: str, args: Mapping[str, Any]) -> CallResult:
        """Call a tool. An exception out of here means that the world itself failed."""
        connection = self.connection
        if self._evidence is not None:
            raise UsageError("the episode is finished: start another one")
        if self.lost is not None:
            return CallResult(False, error="The episode has ended.", ended=StopReason.STATE_LOST)
        if self.call_limit is not None and self._n >= self.call_limit:
            return CallResult(False, error="The limit of calls is reached; the episode has ended.", ended=StopReason.CALL_LIMIT)
        self._n += 1
        at = self._clock
        text: str | None = None
        try:
            result, text = self._attempt(connection, tool, args)
        except StateLost as fault:
            self.lost = str(fault)
            result = CallResult(False, error="The system had to stop; the episode has ended.", ended=StopReason.STATE_LOST)
        self._record(at, tool, args, result, text)
        if self.lost is None and self.world.moves:
            self._move(later(self._clock, self.world.spec.tick()))
        if self.lost is not None and result.ended is None:
            result = msgspec.structs.replace(result, ended=StopReason.STATE_LOST)
        return result

    def turns(self) -> list[Message]:
        """What parties have said by themselves since the last time (the opening included)."""
        fresh, self._unheard = self._unheard, []
        return fresh

    def finish(self, answer: Mapping[str, Any] | None, until: str | None = None) -> RecordsEvidence:
        """End the attempt; the world goes on alone to `until` (ISO). Gives the evidence, alive until `close`."""
        self._go_on(until)
        self.changes.stop()
        self._evidence = RecordsEvidence(self, answer)
        return self._evidence

    def foreseen(self, answer: Mapping[str, Any] | None, until: str | None = None) -> RecordsEvidence:
        """The evidence that `finish` would give now, good until anything is done or undone.

        The world has gone on to `until` then: to let the agent go on from here, make a mark before and go back to it.
        """
        self._go_on(until)
        if self.lost is None:
            self.changes.segments()
        else:
            self.changes.stop()
        return RecordsEvidence(self, answer)

    def ended_as(
        self,
        calls: Sequence[CallRecord],
        messages: Sequence[Message],
        changes: Sequence[RowChange],
        now: str,
        lost: str | None,
        answer: Mapping[str, Any] | None,
    ) -> RecordsEvidence:
        """The evidence of an episode that ended so, once its rows have been brought back (`restore` does)."""
        self._check_open("the episode is finished already")
        self.calls, self.messages, self.lost = list(calls), list(messages), lost
        self._set_clock(now)
        self._evidence = RecordsEvidence(self, answer, changes)
        return self._evidence

    def close(self) -> None:
        """Give the state back; safe to call twice."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            if hasattr(self, "changes"):
                self.changes.drop()
        finally:
            connection.end()
            self.world.pool.give(connection)

    def __enter__(self) -> RecordsEpisode:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def asynchronous(self) -> AsyncEpisode:
        """The same episode for `await`; concurrent calls take their turn."""
        return AsyncEpisode(self)

    # ---- branches

    def fork(self) -> RecordsEpisode:
        """An independent episode in the same state, on a connection of its own."""
        self._check_alive()
        segments = self.changes.segments()
        other = RecordsEpisode.__new__(RecordsEpisode)
        other.__dict__.update(self.__dict__)
        other.calls, other.messages, other._unheard = list(self.calls), list(self.messages), list(self._unheard)
        other._fired, other._spent, other._marks = set(self._fired), set(self._spent), []
        connection = self.world.pool.take(self.image)
        try:
            connection.begin(self._clock)
            copy_rows(self.connection, connection, self.world.schema, changed_keys(segments), self.changes.inserted)
            other.changes = Changes(connection, self.world.schema, segments)
            other.changes.inserted.update(self.changes.inserted)
        except BaseException:
            connection.end()
            self.world.pool.give(connection)
            raise
        other._connection = connection
        return other

    def mark(self) -> EpisodeMark:
        """A point to come back to with `back`: cheaper than a fork, for depth-first search."""
        self._check_alive()
        name = f"mark{next(_marks)}"
        changes = self.changes.mark()
        self.connection.savepoint(_savepoint(len(self._marks) + 1))
        self._marks.append(name)
        return EpisodeMark(
            name,
            changes,
            self._clock,
            len(self.calls),
            len(self.messages),
            tuple(self._unheard),
            frozenset(self._fired),
            frozenset(self._spent),
            self._n,
            self.connection.versions(),
        )

    def back(self, mark: EpisodeMark) -> None:
        """Undo all that came after the mark (which stays good for another `back`)."""
        self._check_alive()
        if mark.name not in self._marks:
            raise UsageError("the mark is of another episode, or was undone by going back behind it")
        del self._marks[self._marks.index(mark.name) + 1 :]
        self.connection.savepoint(_savepoint(len(self._marks)), "ROLLBACK TO")
        self.connection.went_back(mark.versions)
        self.changes.back(mark.changes)
        del self.calls[mark.calls :], self.messages[mark.messages :]
        self._unheard, self._n = list(mark.unheard), mark.n
        self._fired, self._spent = set(mark.fired), set(mark.spent)
        self._set_clock(mark.clock)

    def forget(self, mark: EpisodeMark) -> None:
        """Give up a mark and those made after it, keeping what was done since; marks that pile up slow down what follows."""
        if mark.name not in self._marks:
            raise UsageError("the mark is of another episode, or was undone by going back behind it")
        del self._marks[self._marks.index(mark.name) :]
        if not self.connection.broken:
            self.connection.savepoint(_savepoint(len(self._marks) + 1), "RELEASE")

    def _go_on(self, until: str | None) -> None:
        """Let the world go on alone to its end."""
        self._check_open("the episode is finished already")
        target = instant(until)
        if until is not None and target is None:
            raise UsageError(f"got '{until}'; expected a time like 2026-03-30T18:00:00")
        if target is not None and self.lost is None and target > self._clock:
            self._move(target)

    def _check_open(self, finished: str) -> None:
        _ = self.connection
        if self._evidence is not None:
            raise UsageError(finished)

    def _check_alive(self) -> None:
        self._check_open("the episode is finished: start another one")
        if self.lost is not None:
            raise UsageError("the state is gone: start another episode")

    # ---- inside

    @property
    def connection(self) -> Connection:
        """The open connection. Raises UsageError after `close`."""
        if self._connection is None:
            raise UsageError("the episode is closed: start another one")
        return self._connection

    def state_digest(self) -> str:
        """The digest of the state as it is now."""
        self.connection.grant(1_000_000_000)
        return rows_digest(self.connection.db, self.world.schema)

    def _attempt(self, connection: Connection, name: Any, args: Any) -> tuple[CallResult, str | None]:
        """The result and its JSON text. What is refused has changed nothing; any other exception is the world's own failure."""
        try:
            own = self.world.own.get(name) if isinstance(name, str) else None
            if own is None:
                value = self._built_in(name, args)
                return CallResult(True, value), as_json(value)
            outcome = self._own(connection, own, args)
            return CallResult(True, outcome.value), outcome.text
        except ToolRefusal as refused:
            return CallResult(False, error=str(refused)), None
        except BudgetSpent:
            return CallResult(False, error="The request takes too long to be carried out. Narrow it."), None
        except (apsw.Error, OverflowError, MemoryError) as refused:
            return CallResult(False, error=in_words(refused)), None

    def _own(self, connection: Connection, tool: Tool, args: Any) -> Outcome:
        try:
            values = tool.validate(args)
        except ValueError as fault:
            raise ToolRefusal(str(fault)) from None
        if self.world.spec.faults:
            self._fault(tool.name)
        values["now"] = self._clock
        if tool.spreads:
            self.changes.cut()
        outcome = tool.run(connection, values)
        if tool.effect:
            self.changes.wrote(tool.named, tool.inserts)
        if tool.spreads:
            self.changes.cut()
        return outcome

    def _fault(self, name: str) -> None:
        spec = self.world.spec.faults.get(name)
        if spec is not None:
            drawn = hashlib.sha256(f"fault\0{self.seed}\0{name}\0{self._n}".encode()).digest()
            if int.from_bytes(drawn[:8], "big") < spec.rate * 2**64:
                raise ToolRefusal(spec.error)

    def _built_in(self, name: Any, args: Any) -> Any:
        validate = self.world.built_in.get(name) if isinstance(name, str) else None
        if validate is None or (name in ("say", "read_messages") and not self.parties):
            known = ", ".join(tool.name for tool in self.world.tools(self.parties))
            raise ToolRefusal(f"There is no tool {shown(name)}. The tools are: {known}.")
        values = _checked(validate, args)
        if name == "clock":
            return {"now": self._clock}
        if name == "wait":
            return self._wait(values["until"])
        if name == "say":
            return self._say(values)
        if name == "read_messages":
            return [_shown(message) | {"at": message.at} for message in self.messages if message.recipient == AGENT]
        return self._look_up(name, values)

    def _look_up(self, name: str, values: Mapping[str, Any]) -> Any:
        policy = self.policy()
        try:
            return self._page(name, values, policy)
        except TemplateFault:
            if policy == self.image.policy:
                raise  # nobody's doing but the pack's
            raise ToolRefusal("The handbook can't be shown as things stand.") from None

    def _page(self, name: str, values: Mapping[str, Any], policy: Mapping[str, Any]) -> Any:
        book = self.world.handbook
        if name == "list_handbook":
            return book.list(policy)
        if name == "search_handbook":
            return book.search(values["query"], policy, self.image)
        page = book.read(values["page"], policy)
        if page is None:
            raise ToolRefusal(f"There is no page '{values['page'][:60]}'. The pages are: {', '.join(book.pages)}.")
        return page

    def policy(self) -> dict[str, Any]:
        """The policy table as it is now."""
        if not self.world.schema.has_policy():
            return {}
        self.connection.grant(TOOL_STEPS)
        return {str(name): value for name, value in self.connection.db.execute("SELECT name, value FROM main.policy")}

    def _wait(self, until: str) -> dict[str, Any]:
        if until < self._clock:
            raise ToolRefusal(f"It is {self._clock} already.")
        if until > later(self._clock, _YEAR):
            raise ToolRefusal("That is more than a year away.")
        self._move(until)
        return {"now": self._clock}

    def _say(self, values: Mapping[str, Any]) -> dict[str, Any]:
        party = self.parties.get(values["to"])
        if party is None:
            raise ToolRefusal(f"There is no {shown(values['to'])} to talk to. You can talk to: {', '.join(self.parties)}.")
        given = {key: value for key, value in (values["fields"] or {}).items() if value is not None}
        said = {key: value for key, value in _checked(party.fields, given).items() if value is not None}
        mark = self.mark()
        try:
            self._message(AGENT, party.name, Reply(values["act"], party.told(said), values["text"]))
            reply = self._hear(party, values["act"], said)
            if reply is None and values["act"] != "close":
                reply = self._message(party.name, AGENT, Reply("decline", {}, party.spec.otherwise))
        except StateLost:
            raise
        except TemplateFault:
            self.back(mark)
            raise ToolRefusal("That can't be answered. Say it in another way.") from None
        except BaseException:
            self.back(mark)
            raise
        finally:
            self.forget(mark)
        return _shown(reply)

    def _hear(self, party: Party, act: str, said: Mapping[str, Any]) -> Message | None:
        """Let the party's first fitting rule fire; gives its message."""
        values = party.values(self.params, said, self._clock)
        spent = frozenset(name for owner, name in self._spent if owner == party.name)
        chosen = party.answer(act, values, spent, self._ask)
        if chosen is None:
            return None
        rule, reply = chosen
        if rule.effect:
            self._write_as_world(rule.effect, values, self.connection.run)
        self._spent.add((party.name, rule.spec.name))
        return self._message(party.name, AGENT, reply)

    def _ask(self, statement: Statement, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return self.connection.run(statement, values, most=1)

    def _message(self, sender: str, recipient: str, reply: Reply) -> Message:
        message = Message(len(self.messages) + 1, self._clock, self._n, sender, recipient, reply.act, dict(reply.fields), reply.text)
        self.messages.append(message)
        row = (message.n, message.at, message.call, sender, recipient, message.act, json.dumps(message.fields), message.text)
        self.connection.grant(TOOL_STEPS)
        self.connection.db.execute("INSERT INTO temp.messages VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        return message

    def _set_clock(self, now: str) -> None:
        self._clock = now
        self.connection.set_clock(now)

    def _move(self, target: str) -> None:
        """Let time pass until `target`, events happening in their order at their own time."""
        move = Move(self.connection, self.world.events, self.world.settled)
        try:
            while (due := move.next(self._clock, target, self._fired)) is not None:
                self._set_clock(max(self._clock, due.at))
                self._happen(move, due)
            self._set_clock(max(self._clock, target))
            if move.happened:
                self._speak_up()
        except (apsw.Error, WorldError, OverflowError, MemoryError, TemplateFault) as fault:
            self.lost = f"the world could not go on: {fault}"

    def _happen(self, move: Move, due: Due) -> None:
        event = self.world.events[due.order]
        self._fired.add((event.spec.name, due.key))
        self._write_as_world(event.effect, {"key": due.key, "at": due.at, "now": self._clock}, move.run)
        self.connection.grant(TOOL_STEPS)
        self.connection.db.execute(_LOG_EVENT, (self._clock, event.spec.name, due.key))

    def _write_as_world(self, statements: Sequence[Statement], values: Mapping[str, Any], run: Callable[..., Any]) -> None:
        with self.changes.as_world(), self.connection.all_or_nothing():
            self.connection.db.set_last_insert_rowid(0)
            for statement in statements:
                run(statement, values)
        self.changes.inserted.update(inserts(statements))

    def _speak_up(self) -> None:
        for party in self.parties.values():
            message = self._hear(party, MOVED, {})
            if message is not None:
                self._unheard.append(message)

    def _record(self, at: str, tool: Any, args: Any, result: CallResult, text: str | None) -> None:
        if tool.__class__ is str and tool in self.world.own:
            name = tool
        else:
            name = tool[:200].encode(errors="replace").decode() if isinstance(tool, str) else shown(tool)
        self.calls.append(CallRecord(self._n, at, name, as_json(args), result.ok, text, result.error))


_LOG_EVENT = "INSERT INTO temp.event_log (n, at, event, key) VALUES ((SELECT count(*) + 1 FROM temp.event_log), ?, ?, ?)"


def _savepoint(depth: int) -> str:
    """SQLite's name for the mark of this depth: few names, so that their statements are prepared once."""
    return f"mark{depth}"


def _checked(validate: Validator, args: Any) -> dict[str, Any]:
    """The values to bind; what doesn't fit is refused."""
    try:
        return validate(args)
    except ValueError as fault:
        raise ToolRefusal(str(fault)) from None


class AsyncEpisode:
    """`await episode.call(...)`: for event loops. Calls take microseconds, so they run in the loop's own thread."""

    def __init__(self, episode: RecordsEpisode) -> None:
        self.episode = episode
        self._turn = asyncio.Lock()

    async def call(self, tool: str, args: Mapping[str, Any]) -> CallResult:
        """As RecordsEpisode.call."""
        async with self._turn:
            return self.episode.call(tool, args)

    async def finish(self, answer: Mapping[str, Any] | None, until: str | None = None) -> RecordsEvidence:
        """As RecordsEpisode.finish."""
        async with self._turn:
            return self.episode.finish(answer, until)

    def close(self) -> None:
        """As RecordsEpisode.close."""
        self.episode.close()


def _shown(message: Message | None) -> dict[str, Any]:
    if message is None:
        return {"sender": None, "act": None, "fields": {}, "text": None}
    return {"sender": message.sender, "act": message.act, "fields": dict(message.fields), "text": message.text}
