"""One attempt in a records world: calls, clock, events, people, forks, and the evidence at the end.

Promises: the same (world, seed, parameters, calls) gives the same results, whatever runs beside it; a refused call
changes nothing; what the agent does comes back as data. `finish` lets the clock run on and gives the evidence, which
lives until `close`. Not safe for use by two threads at once; `asynchronous()` queues concurrent callers.
"""

from __future__ import annotations

import asyncio
import datetime
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import apsw
import msgspec

from worldwright.errors import BudgetSpent, StateLost, TemplateFault, UsageError
from worldwright.world.protocol import CallRecord, CallResult, Message, RowChange, StopReason
from worldwright.world.records.changes import Changes, Mark
from worldwright.world.records.connection import GRADE_STEPS, TOOL_STEPS, Connection
from worldwright.world.records.image import Image, rows_digest
from worldwright.world.records.parties import MOVED, Party, Reply
from worldwright.world.records.policy import Statement
from worldwright.world.records.tools import ToolRefusal, in_words

if TYPE_CHECKING:
    from worldwright.world.records.world import RecordsWorld

__all__ = ["AGENT", "AsyncEpisode", "EpisodeMark", "RecordsEpisode", "RecordsEvidence"]

AGENT = "agent"
_MOST_EVENTS = 1_000
_RESULT_LENGTH = 1_000_000


class EpisodeMark(msgspec.Struct, frozen=True):
    """A point in an episode to come back to."""

    name: str
    changes: Mark
    clock: str
    calls: int
    messages: int
    delivered: int
    fired: frozenset[tuple[str, Any]]
    spent: frozenset[str]
    n: int


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
        self._spent: set[str] = set()
        self._delivered = 0
        self._marks = 0
        self._evidence: RecordsEvidence | None = None
        self._connection: Connection | None = world.pool.take(image)
        self._connection.begin(self._clock)
        self.changes = Changes(self._connection, world.schema)
        try:
            for party in self.parties.values():
                text = party.opening(self.params)
                if text:
                    self._message(party.name, AGENT, Reply("inform", {}, text))
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
        try:
            result = self._attempt(connection, tool, args)
        except StateLost as fault:
            self.lost = str(fault)
            result = CallResult(False, error="The system had to stop; the episode has ended.", ended=StopReason.STATE_LOST)
        self._record(at, tool, args, result)
        if self.lost is None and self.world.moves:
            self._move(self._after(self.world.spec.tick()))
            if self.lost is not None:
                result = msgspec.structs.replace(result, ended=StopReason.STATE_LOST)
        return result

    def turns(self) -> list[Message]:
        """What parties have said by themselves since the last time (the opening included)."""
        fresh = [message for message in self.messages[self._delivered :] if message.recipient == AGENT]
        self._delivered = len(self.messages)
        return fresh

    def finish(self, answer: Mapping[str, Any] | None, until: str | None = None) -> RecordsEvidence:
        """End the attempt; the world goes on alone to `until`. Gives the evidence, alive until `close`."""
        if self._evidence is not None:
            raise UsageError("the episode is finished already")
        if until is not None and self.lost is None and until > self._clock:
            self._move(until)
        self.changes.stop()
        self._evidence = RecordsEvidence(self, answer)
        return self._evidence

    def close(self) -> None:
        """Give the state back; safe to call twice."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        if hasattr(self, "changes"):
            self.changes.stop()
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
        segments = self.changes.segments()
        other = RecordsEpisode.__new__(RecordsEpisode)
        other.__dict__.update(self.__dict__)
        other.calls, other.messages = list(self.calls), list(self.messages)
        other._fired, other._spent = set(self._fired), set(self._spent)
        other._marks = 0
        connection = self.world.pool.take(self.image)
        other._connection = connection
        connection.begin(self._clock)
        try:
            _replay(connection, [segment.data for segment in segments])
            for table in ("messages", "event_log"):
                rows = self.connection.db.execute(f"SELECT * FROM temp.{table}").fetchall()
                if rows:
                    connection.db.executemany(f"INSERT INTO temp.{table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
            other.changes = Changes(connection, self.world.schema, segments)
        except BaseException:
            connection.end()
            self.world.pool.give(connection)
            raise
        return other

    def mark(self) -> EpisodeMark:
        """A point to come back to with `back`: cheaper than a fork, for depth-first search."""
        self._marks += 1
        name = f"mark{self._marks}"
        changes = self.changes.mark()
        self.connection.db.execute(f"SAVEPOINT {name}")
        return EpisodeMark(
            name,
            changes,
            self._clock,
            len(self.calls),
            len(self.messages),
            self._delivered,
            frozenset(self._fired),
            frozenset(self._spent),
            self._n,
        )

    def back(self, mark: EpisodeMark) -> None:
        """Undo all that came after the mark (which stays good for another `back`)."""
        self.connection.grant(100_000_000)
        if self._evidence is not None or self.lost is not None:
            raise UsageError("the state is gone: start another episode")
        self.connection.db.execute(f"ROLLBACK TO {mark.name}")
        self.changes.back(mark.changes)
        del self.calls[mark.calls :], self.messages[mark.messages :]
        self._delivered, self._n = mark.delivered, mark.n
        self._fired, self._spent = set(mark.fired), set(mark.spent)
        self._set_clock(mark.clock)

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

    def _attempt(self, connection: Connection, name: str, args: Mapping[str, Any]) -> CallResult:
        try:
            own = self.world.own.get(name)
            if own is None:
                value = self._built_in(name, args)
            else:
                values = own.validate(args)
                self._fault(name)
                value = own.run(connection, values | {"now": self._clock})
            if len(encoded := _encode(value)) > _RESULT_LENGTH:
                raise ToolRefusal(f"The result is too long ({len(encoded):,} characters). Narrow the request.")
        except (ToolRefusal, ValueError) as refused:
            return CallResult(False, error=str(refused))
        except BudgetSpent:
            return CallResult(False, error="The request takes too long to be carried out. Narrow it.")
        except (apsw.Error, OverflowError) as refused:
            return CallResult(False, error=in_words(refused))
        return CallResult(True, value=value)

    def _fault(self, name: str) -> None:
        spec = self.world.spec.faults.get(name)
        if spec is not None:
            drawn = hashlib.sha256(f"fault\0{self.seed}\0{name}\0{self._n}".encode()).digest()
            if int.from_bytes(drawn[:8], "big") < spec.rate * 2**64:
                raise ToolRefusal(spec.error)

    def _built_in(self, name: str, args: Mapping[str, Any]) -> Any:
        validate = self.world.built_in.get(name)
        if validate is None or (name in ("say", "read_messages") and not self.parties):
            known = ", ".join(tool.name for tool in self.world.tools(self.parties))
            raise ToolRefusal(f"There is no tool '{str(name)[:60]}'. The tools are: {known}.".encode(errors="replace").decode())
        values = validate(args)
        if name == "clock":
            return {"now": self._clock}
        if name == "wait":
            return self._wait(values["until"])
        if name == "say":
            return self._say(values)
        if name == "read_messages":
            return [{"sender": m.sender, "act": m.act, "fields": m.fields, "text": m.text, "at": m.at} for m in self.messages if m.recipient == AGENT]
        return self._look_up(name, values)

    def _look_up(self, name: str, values: Mapping[str, Any]) -> Any:
        book, policy = self.world.handbook, self.policy()
        if name == "list_handbook":
            return book.list(policy)
        if name == "search_handbook":
            return book.search(values["query"], policy, self.image.digest)
        page = book.read(values["page"], policy)
        if page is None:
            raise ToolRefusal(f"There is no page '{values['page'][:60]}'. The pages are: {', '.join(book.pages)}.")
        return page

    def policy(self) -> dict[str, Any]:
        """The policy table as it is now."""
        if "policy" not in self.world.schema.tables:
            return {}
        self.connection.grant(TOOL_STEPS)
        return dict(self.connection.db.execute("SELECT name, value FROM main.policy").fetchall())

    def _wait(self, until: str) -> dict[str, Any]:
        if until < self._clock:
            raise ToolRefusal(f"It is {self._clock} already.")
        if until > self._after(366 * 86_400):
            raise ToolRefusal("That is more than a year away.")
        self._move(until)
        return {"now": self._clock}

    def _say(self, values: Mapping[str, Any]) -> dict[str, Any]:
        party = self.parties.get(values["to"])
        if party is None:
            raise ToolRefusal(f"There is no '{values['to'][:60]}' to talk to. You can talk to: {', '.join(self.parties)}.")
        given = {key: value for key, value in (values["fields"] or {}).items() if value is not None}
        said = {key: value for key, value in party.fields(given).items() if value is not None}
        self._message(AGENT, party.name, Reply(values["act"], {key: given[key] for key in said}, values["text"]))
        if values["act"] == "close":
            reply = self._hear(party, "close", said)
            return _shown(reply)
        return _shown(self._hear(party, values["act"], said) or self._message(party.name, AGENT, Reply("decline", {}, party.spec.otherwise)))

    def _hear(self, party: Party, act: str, said: Mapping[str, Any]) -> Message | None:
        """Let the party's first fitting rule fire; gives its message."""
        values = party.values(self.params, said, self._clock)
        spent = frozenset(name for owner, name in (key.split("\0") for key in self._spent) if owner == party.name)
        chosen = party.answer(act, values, spent, self._ask)
        if chosen is None:
            return None
        rule, reply = chosen
        if rule.effect:
            with self.changes.as_world():
                for statement in rule.effect:
                    self.connection.run(statement, values)
        self._spent.add(f"{party.name}\0{rule.spec.name}")
        return self._message(party.name, AGENT, reply)

    def _ask(self, statement: Statement, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return self.connection.run(statement, values, most=1)

    def _message(self, sender: str, recipient: str, reply: Reply) -> Message:
        message = Message(len(self.messages) + 1, self._clock, self._n, sender, recipient, reply.act, dict(reply.fields), reply.text)
        self.messages.append(message)
        if sender == AGENT or self._n:
            self._delivered = len(self.messages)
        row = (message.n, message.at, message.call, sender, recipient, message.act, json.dumps(message.fields), message.text)
        self.connection.grant(TOOL_STEPS)
        self.connection.db.execute("INSERT INTO temp.messages VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        return message

    def _after(self, seconds: int) -> str:
        return (datetime.datetime.fromisoformat(self._clock) + datetime.timedelta(seconds=seconds)).isoformat() if seconds else self._clock

    def _set_clock(self, now: str) -> None:
        self._clock = now
        self.connection.set_clock(now)

    def _move(self, target: str) -> None:
        """Let time pass until `target`, events happening in their order at their own time."""
        happened = 0
        try:
            while (due := self._next_event(target)) is not None:
                at, order, key = due
                happened += 1
                if happened > _MOST_EVENTS:
                    raise BudgetSpent(f"more than {_MOST_EVENTS} events at once")
                self._set_clock(max(self._clock, at))
                self._happen(order, key, at)
            self._set_clock(max(self._clock, target))
            if happened:
                self._speak_up()
        except (apsw.Error, BudgetSpent, StateLost, OverflowError, TemplateFault) as fault:
            if not self._n and self._evidence is None and not isinstance(fault, StateLost):
                pass
            self.lost = f"the world could not go on: {fault}"

    def _next_event(self, target: str) -> tuple[str, int, Any] | None:
        best: tuple[str, int, str, Any] | None = None
        for order, (spec, due, _) in enumerate(self.world.events):
            for key, at in self.connection.run(due, {"now": self._clock}):
                when = _instant(at)
                if key is None or when is None or when > target or (spec.name, key) in self._fired:
                    continue
                entry = (when, order, f"{key:020d}" if isinstance(key, int) else str(key), key)
                if best is None or entry[:3] < best[:3]:
                    best = entry
        return None if best is None else (best[0], best[1], best[3])

    def _happen(self, order: int, key: Any, at: str) -> None:
        spec, _, effect = self.world.events[order]
        self._fired.add((spec.name, key))
        with self.changes.as_world():
            for statement in effect:
                self.connection.run(statement, {"key": key, "at": at, "now": self._clock})
        self.connection.grant(TOOL_STEPS)
        self.connection.db.execute(
            "INSERT INTO temp.event_log (n, at, event, key) VALUES ((SELECT count(*) + 1 FROM temp.event_log), ?, ?, ?)", (self._clock, spec.name, key)
        )

    def _speak_up(self) -> None:
        for party in self.parties.values():
            before = self._delivered
            if self._hear(party, MOVED, {}) is not None:
                self._delivered = before

    def _record(self, at: str, tool: str, args: Any, result: CallResult) -> None:
        name = tool if isinstance(tool, str) else repr(tool)
        value = _encode(result.value) if result.ok else None
        self.calls.append(CallRecord(self._n, at, name[:200].encode(errors="replace").decode(), _encode(args), result.ok, value, result.error))


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


class RecordsEvidence:
    """What an episode leaves. Queries run on the episode's own state; nothing can be written any more."""

    def __init__(self, episode: RecordsEpisode, answer: Mapping[str, Any] | None) -> None:
        self._episode = episode
        self._loaded: set[str] = set()
        self._changes: list[RowChange] | None = None
        self.answer = answer
        self.calls: Sequence[CallRecord] = tuple(episode.calls)
        self.messages: Sequence[Message] = tuple(episode.messages)
        self.started, self.ended = episode.world.spec.start(), episode.now()
        self.params = episode.params
        self.lost = episode.lost
        self.touched = bool(episode.calls) or answer is not None

    @property
    def changes(self) -> Sequence[RowChange]:
        """Net changes by row."""
        if self._changes is None:
            self._changes = self._episode.changes.rows()
        return self._changes

    def run(self, statement: Statement, values: Mapping[str, Any], most: int | None = None) -> list[tuple[Any, ...]]:
        """Rows of a proven verifier query. Raises BudgetSpent, StateLost or apsw.Error."""
        for database, table, _ in statement.reads:
            if database == "temp" and table in _LOADERS and table not in self._loaded:
                self._loaded.add(table)
                self._episode.connection.grant(1_000_000_000)
                _LOADERS[table](self, self._episode.connection.db)
        return self._episode.connection.run(statement, values, steps=GRADE_STEPS, most=most)


def _load_calls(evidence: RecordsEvidence, db: apsw.Connection) -> None:
    rows = [(c.n, c.at, c.tool, c.args, int(c.ok), c.result, c.error) for c in evidence.calls]
    db.executemany("INSERT INTO temp.calls VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def _load_changes(evidence: RecordsEvidence, db: apsw.Connection) -> None:
    rows = []
    for change in evidence.changes:
        key = _encode([value.hex() if isinstance(value, bytes) else value for value in change.key])
        for column in dict.fromkeys((*change.old, *change.new)):
            by = change.by if change.op != "update" else AGENT if column in change.agent else "world"
            rows.append((change.table, change.op, key, column, change.old.get(column), change.new.get(column), by))
    db.executemany("INSERT INTO temp.changes (table_name, op, key, column_name, old, new, by) VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def _load_answer(evidence: RecordsEvidence, db: apsw.Connection) -> None:
    rows = []
    for field, value in (evidence.answer or {}).items():
        plain = value if value is None or isinstance(value, (str, float)) or (isinstance(value, int) and abs(value) < 2**63) else _encode(value)
        rows.append((str(field).replace("\0", ""), plain.encode(errors="replace").decode() if isinstance(plain, str) else plain))
    db.executemany("INSERT INTO temp.answer VALUES (?, ?)", rows)


_LOADERS = {"calls": _load_calls, "changes": _load_changes, "answer": _load_answer}


def _replay(connection: Connection, segments: Sequence[bytes]) -> None:
    """Bring a fresh copy of the start state to where these changes lead, with triggers off."""
    if not segments:
        return
    total = segments[0]
    for data in segments[1:]:
        total = apsw.Changeset.concat(total, data)
    db = connection.db
    connection.grant(1_000_000_000)
    kept, db.authorizer = db.authorizer, None
    db.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    try:
        apsw.Changeset.apply(total, db)
    finally:
        db.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 1)
        db.authorizer = kept


def _shown(message: Message | None) -> dict[str, Any]:
    if message is None:
        return {"sender": None, "act": None, "fields": {}, "text": None}
    return {"sender": message.sender, "act": message.act, "fields": message.fields, "text": message.text}


def _instant(at: Any) -> str | None:
    """An ISO date or time as `YYYY-MM-DDTHH:MM:SS`, or None."""
    try:
        return datetime.datetime.fromisoformat(at).replace(microsecond=0, tzinfo=None).isoformat()
    except (ValueError, TypeError):
        return None


_ENCODER = msgspec.json.Encoder()


def _encode(value: Any) -> str:
    """JSON text of what an agent sent or got; never fails."""
    try:
        return _ENCODER.encode(value).decode()
    except (TypeError, ValueError, RecursionError, OverflowError, UnicodeError):
        return '{"unrecordable": true}'
