"""A records world, compiled from its files: schema, tools, handbook, events, people and start states.

Takes a mapping from file name to bytes; gives a world whose every SQL text has been proven. Raises PackError.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from worldwright.errors import PackError, UsageError
from worldwright.files import decode_yaml, digest
from worldwright.world.arguments import Validator, compile_arguments
from worldwright.world.protocol import ToolDoc
from worldwright.world.records.connection import GRADE_STEPS, Pool
from worldwright.world.records.database import instant
from worldwright.world.records.episode import RecordsEpisode
from worldwright.world.records.events import Event, is_settled
from worldwright.world.records.handbook import Handbook
from worldwright.world.records.image import Image, build_image
from worldwright.world.records.parties import Party, compile_party
from worldwright.world.records.policy import Statement, Workbench
from worldwright.world.records.scenario import ScenarioSource
from worldwright.world.records.schema import read_schema
from worldwright.world.records.tools import compile_tool
from worldwright.world.spec import ACTS, ArgSpec, EventSpec, PartySpec, WorldSpec

__all__ = ["RecordsWorld"]

_KEPT_IMAGES = 96


def _text(doc: str, **more: Any) -> ArgSpec:
    return ArgSpec(type="string", doc=doc, **more)


_CLOCK: dict[str, tuple[str, dict[str, ArgSpec]]] = {"clock": ("The time now.", {})}
_WAIT = {"wait": ("Let time pass until then.", {"until": _text("The time to wait for, like 2026-03-30T14:00:00.", format="datetime")})}
_BOOK = {
    "search_handbook": ("The handbook's clauses that fit some words best.", {"query": _text("Words to look for.", max_length=500)}),
    "read_handbook": ("A page of the handbook.", {"page": _text("The page's name.", max_length=200)}),
    "list_handbook": ("The pages of the handbook.", {}),
}


class RecordsWorld:
    """A compiled world. Safe for threads; each episode belongs to one thread at a time."""

    def __init__(
        self, name: str, files: Mapping[str, bytes], functions: Mapping[str, Callable[..., Any]] | None = None, where: str = ""
    ) -> None:
        self.name, self.where = name, where or name
        self.digest = digest(files)
        self.spec = decode_yaml(_decoded(files, "world.yaml", self.where), WorldSpec, f"{self.where}/world.yaml")
        self.schema = read_schema(_decoded(files, "schema.sql", self.where), f"{self.where}/schema.sql")
        pages = [path for path in files if path.startswith("handbook/") and path.endswith(".md")]
        self.handbook = Handbook({f"{self.where}/{path}": _decoded(files, path, self.where) for path in pages})
        self.bench = Workbench(self.schema, f"{self.where}/schema.sql")
        self._check_clock()
        file = f"{self.where}/world.yaml"
        self.own = {tool: compile_tool(tool, spec, self.bench, file) for tool, spec in self.spec.tools.items()}
        self.events = self._events(files)
        self.settled = all(is_settled(event.due, self.schema.views) for event in self.events)
        """Whether what is due changes only when a row does."""
        self.parties: dict[str, Party] = self._parties(files)
        self._check_keys()
        self.moves = bool(self.events or self.spec.tick())
        self._docs = self._built_in_docs()
        self.built_in: dict[str, Validator] = {doc.name: compile_arguments(doc.name, _open_to(doc)) for doc in self._docs}
        for clash in sorted(set(self.own) & set(self.built_in)):
            raise PackError(f"'{clash}' is a built-in tool", file=file, field=f"tools.{clash}", expected="another name")
        code, sample = (_decoded(files, name, self.where) if name in files else None for name in ("scenario.py", "sample.yaml"))
        self._source = ScenarioSource(self.schema, self.spec.start(), code, files.get("scenario.sqlite"), sample, self.where)
        self.pool = Pool(functions or {})
        self._images: OrderedDict[int, Image] = OrderedDict()
        self._broken: dict[int, PackError] = {}
        self._lock = threading.Lock()

    def tools(self, parties: Iterable[str] | None = None) -> Sequence[ToolDoc]:
        """What an agent is told: own tools, then built-in ones; `say` only names the parties that take part (None: all)."""
        present = [name for name in self.parties if parties is None or name in set(parties)]
        out = [tool.doc for tool in self.own.values()]
        for doc in self._docs:
            if doc.name not in ("say", "read_messages"):
                out.append(doc)
            elif present:
                out.append(self._said(doc, present))
        return out

    def start(
        self, seed: int, params: Mapping[str, Any] | None = None, parties: Sequence[str] = (), call_limit: int | None = None
    ) -> RecordsEpisode:
        """A fresh episode. Raises UsageError for a party that isn't there or lacks a parameter."""
        for name in parties:
            if name not in self.parties:
                raise UsageError(f"{self.name} has no party '{name}'; it has: {', '.join(self.parties) or 'none'}")
            for need in self.parties[name].spec.needs:
                if need not in (params or {}):
                    raise UsageError(f"party '{name}' of {self.name} needs the parameter '{need}'")
        return RecordsEpisode(self, self.image(seed), seed, params or {}, parties, call_limit)

    def image(self, seed: int) -> Image:
        """This seed's start state; the last few are kept. Raises PackError, at once if it is known that there is none."""
        with self._lock:
            if seed in self._images:
                self._images.move_to_end(seed)
                return self._images[seed]
            if seed in self._broken:
                raise _again(self._broken[seed])
        try:
            built = build_image(self.schema, self._source.rows(seed), self.spec.start(), self._source.file)
        except PackError as fault:
            with self._lock:
                self._broken[seed] = fault
            raise
        with self._lock:
            self._images[seed] = built
            while len(self._images) > _KEPT_IMAGES:
                self._images.popitem(last=False)
        return built

    def state_digest(self, seed: int) -> str:
        """The digest of this seed's start state."""
        return self.image(seed).digest

    def ask_start(self, seed: int, statement: Statement, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Rows of a proven query over this seed's start state."""
        connection = self.pool.take(self.image(seed))
        connection.begin(self.spec.start())
        try:
            return connection.run(statement, values, steps=GRADE_STEPS)
        finally:
            connection.end()
            self.pool.give(connection)

    def statements(self) -> list[Statement]:
        """Every statement that may write, or decide what is written, in this world."""
        out = [one for tool in self.own.values() for one in tool.statements()]
        out += [one for event in self.events for one in (event.due, *event.effect)]
        rules = [rule for party in self.parties.values() for rule in party.rules]
        return out + [one for rule in rules for one in (rule.when, *rule.effect) if one is not None]

    def _check_keys(self) -> None:
        """A row with NULL in its key is invisible to the change log, so nothing may write one."""
        for statement in self.statements():
            for op, name, _ in statement.writes:
                table = self.schema.tables.get(name)
                if op != "delete" and table is not None and table.nullable_key:
                    message = f"the key column '{name}.{table.nullable_key}' may be NULL, and the world writes this table"
                    raise PackError(message, file=f"{self.where}/schema.sql", field=name, expected="NOT NULL on every key column")

    def _check_clock(self) -> None:
        file, start, tick = f"{self.where}/world.yaml", self.spec.start(), self.spec.tick()
        if instant(start) != start:
            raise PackError(f"got '{start}'", file=file, field="clock", expected="a time like 2026-03-30T09:00:00")
        if tick < 0:
            raise PackError(f"got {tick}", file=file, field="clock.tick", expected="seconds, 0 or more")
        for tool, fault in self.spec.faults.items():
            if tool not in self.spec.tools or not 0 <= fault.rate <= 1:
                raise PackError("a fault is of one of the tools, with a rate from 0 to 1", file=file, field=f"faults.{tool}")

    def _events(self, files: Mapping[str, bytes]) -> list[Event]:
        if "events.yaml" not in files:
            return []
        file = f"{self.where}/events.yaml"
        out: dict[str, Event] = {}
        for n, spec in enumerate(decode_yaml(_decoded(files, "events.yaml", self.where), list[EventSpec], file)):
            if spec.name in out:
                raise PackError(f"two events are called '{spec.name}'", file=file, field=f"[{n}].name", expected="each name once")
            due = self.bench.prove(spec.due, "event", params=frozenset({"now"}), file=file, field=f"{spec.name}.due")
            if due.columns != ("key", "at"):
                raise PackError(f"due gives {', '.join(due.columns)}", file=file, field=f"{spec.name}.due", expected="the columns key, at")
            names = frozenset({"now", "key", "at"})
            effect = [
                self.bench.prove(sql, "event-effect", params=names, file=file, field=f"{spec.name}.effect[{k}]")
                for k, sql in enumerate(spec.effect)
            ]
            out[spec.name] = Event(spec, due, tuple(effect))
        return list(out.values())

    def _parties(self, files: Mapping[str, bytes]) -> dict[str, Party]:
        if "parties.yaml" not in files:
            return {}
        file = f"{self.where}/parties.yaml"
        specs = decode_yaml(_decoded(files, "parties.yaml", self.where), dict[str, PartySpec], file)
        return {name: compile_party(name, spec, self.bench, file) for name, spec in specs.items()}

    def _built_in_docs(self) -> list[ToolDoc]:
        wanted: dict[str, tuple[str, dict[str, ArgSpec]]] = {**_BOOK} if self.handbook.pages else {}
        wanted |= _CLOCK
        if self.events or self.spec.tick() or self.parties:
            wanted |= _WAIT
        docs = [ToolDoc(name, doc, args) for name, (doc, args) in wanted.items()]
        if self.parties:
            docs.append(self._said(ToolDoc("say", "Say something to a person; gives their reply.", {}, writes=True), list(self.parties)))
            docs.append(ToolDoc("read_messages", "All that people have said to you.", {}))
        return docs

    def _said(self, doc: ToolDoc, present: Sequence[str]) -> ToolDoc:
        if doc.name != "say":
            return doc
        about = []
        for name in present:
            fields = self.parties[name].spec.fields
            told = "; ".join(f"{field} ({'/'.join(spec.enum) if spec.enum else spec.type}): {spec.doc}" for field, spec in fields.items())
            about.append(f"{name}: {told or 'no fields'}")
        args = {
            "to": ArgSpec(doc="Whom: " + ", ".join(present) + ".", enum=list(present)),
            "act": ArgSpec(doc="What you do by saying it.", enum=list(ACTS)),
            "fields": ArgSpec(type="object", doc="What you say, as values. " + " ".join(about), optional=True),
            "text": ArgSpec(doc="The same in words.", default="", max_length=4000),
        }
        return ToolDoc("say", doc.doc, args, writes=True)


def _again(fault: PackError) -> PackError:
    """The same error with a traceback of its own."""
    return type(fault)(fault.message, file=fault.file, line=fault.line, field=fault.field, expected=fault.expected)


def _open_to(doc: ToolDoc) -> dict[str, ArgSpec]:
    """The arguments to check: whom one can talk to is the episode's business, not the world's."""
    if doc.name != "say":
        return doc.args
    return doc.args | {"to": msgspec.structs.replace(doc.args["to"], enum=None)}


def _decoded(files: Mapping[str, bytes], name: str, where: str) -> str:
    if name not in files:
        raise PackError("the file is missing", file=f"{where}/{name}", expected="a file of that name")
    try:
        return files[name].decode()
    except UnicodeDecodeError as fault:
        line = files[name][: fault.start].count(b"\n") + 1
        raise PackError("not UTF-8 text", file=f"{where}/{name}", line=line, expected="UTF-8") from fault
