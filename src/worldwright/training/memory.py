"""What the probe policy has in mind during an attempt: pages it read, tables of rows it saw, what it wrote and answered.

Takes a prompt and what its instruction tells; gives a Memory, which never changes: a move makes a new one. Two attempts that did
the same moves in another order have equal keys, so that what was computed for one serves the other. A row is a flat mapping: its
own fields as tools named them, those of joined records behind the record's noun (`site.docks`), and what the policy worked out
behind `=` (`=outcome`). It holds values; it doesn't know what they mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from worldwright.solver.seen import is_required
from worldwright.task import Prompt
from worldwright.training.parts import Sequel, split
from worldwright.training.words import shape, singular
from worldwright.world.protocol import ToolDoc
from worldwright.world.spec import ArgSpec

__all__ = ["Goal", "Memory", "Row", "Table", "Tool", "goal_of", "key_shapes", "owner", "start_of"]

Row = Mapping[str, Any]


class Tool(msgspec.Struct, frozen=True):
    """A tool, and what its name says: the noun of what it shows or changes, and whether it lists, finds or pages."""

    doc: ToolDoc
    noun: str
    required: tuple[str, ...]
    optional: tuple[str, ...]
    pages: bool
    finds: bool
    reads_page: bool


class Goal(msgspec.Struct, frozen=True, eq=False):
    """What the attempt is about: told once, the same through the whole attempt.

    `nouns` are the records that tools show one by one. `needed` are the tools that the agent is told to do with, on a lower tier;
    empty if it is told nothing. `looks` is kept for all attempts with the same tools. Where the instruction has two parts, `text` and
    `answer` are those of one of them, and `then` and `second` of the first say when the other follows and what it is about.
    """

    prompt: Prompt
    text: str
    answer: Mapping[str, ArgSpec]
    shown: Mapping[str, Any]
    tools: Mapping[str, Tool]
    nouns: frozenset[str]
    now: str
    needed: frozenset[str] = frozenset()
    looks: dict[Any, Any] = {}
    then: Sequel | None = None
    second: Goal | None = None

    @property
    def parts(self) -> int:
        """How many parts the work has."""
        return 1 + (self.second is not None)

    def at(self, memory: Memory) -> Goal:
        """The goal of the part that the memory is of."""
        return self.second if memory.part and self.second is not None else self


class Table(msgspec.Struct, frozen=True):
    """Rows of one kind. `name` is how they were come by; `looks` what was looked up for each row; `key` the field that names a row.

    `failed` are looks that left some row without a value; `page` is the page by which the rows were decided; `kept` what they were
    narrowed to; `by` the looks there had been by then; `aside` says that it came as a whole, such as a statement to hold rows against.
    """

    name: str
    noun: str
    rows: tuple[Row, ...]
    key: str = ""
    looks: frozenset[str] = frozenset()
    failed: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()
    page: str = ""
    by: frozenset[str] = frozenset()
    aside: bool = False

    @property
    def identity(self) -> tuple[Any, ...]:
        """What decides its contents."""
        return (self.name, self.looks, self.failed, self.kept, self.page, self.by)

    def fields(self) -> list[str]:
        """The fields that some row has, in the order of the rows; of many rows the first and the last few."""
        return list(dict.fromkeys(name for row in (*self.rows[:8], *self.rows[8:][-4:]) for name in row))


class Memory(msgspec.Struct, frozen=True):
    """See the module. The last of `tables` is the one at hand; `wrote` and `answers` are in the order in which they came. `told` is what
    the work began with; `part` is empty or, in the second part of the work, says by which field of the first it was found."""

    tables: tuple[Table, ...]
    pages: Mapping[str, str] = {}
    unread: frozenset[str] = frozenset()
    wrote: tuple[str, ...] = ()
    answers: tuple[tuple[str, str, Any], ...] = ()
    waited: bool = False
    calls: int = 0
    errors: int = 0
    told: Mapping[str, Any] = {}
    part: str = ""

    @property
    def table(self) -> Table:
        """The table at hand."""
        return self.tables[-1]

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal for attempts that know, wrote and answered the same."""
        tables = tuple(one.identity for one in self.tables)
        answers = tuple((name, how) for name, how, _ in self.answers)
        return (tables, frozenset(self.pages), self.unread, self.wrote, answers, self.waited, self.part)


def goal_of(prompt: Prompt, shown: Mapping[str, Any], now: str, needed: frozenset[str] = frozenset()) -> Goal:
    """The goal of an attempt that was just told of."""
    tools = {one.name: _tool(one) for one in prompt.tools}
    nouns = frozenset(one.noun for name, one in tools.items() if name == f"get_{one.noun}" and len(one.required) == 1)
    tools = {name: one for name, one in tools.items() if not needed or name in needed}
    looks = _looks.setdefault((tuple(id(one.doc) for one in tools.values()), needed), {})
    whole = Goal(prompt, prompt.instruction, prompt.answer, dict(shown), tools, nouns, now, needed, looks)
    then = split(prompt.instruction, prompt.answer)
    if then is None:
        return whole
    asked = {name: one for name, one in prompt.answer.items() if name not in then.answer}
    second = msgspec.structs.replace(whole, text=then.text, answer=then.answer)
    return msgspec.structs.replace(whole, text=then.before, answer=asked, then=then, second=second)


def start_of(goal: Goal) -> Memory:
    """What is known before the first move."""
    return Memory((Table("told", "", (dict(goal.shown),)),), told=goal.shown)


_looks: dict[Any, dict[Any, Any]] = {}
"""By the tools there are: which looks fit tables of a form."""
_known: dict[int, tuple[ToolDoc, Tool]] = {}


def _tool(doc: ToolDoc) -> Tool:
    found = _known.get(id(doc))
    if found is None:
        verb, _, rest = doc.name.partition("_")
        pages = "page" in doc.args and doc.args["page"].type == "integer"
        required = tuple(name for name, spec in doc.args.items() if is_required(spec))
        optional = tuple(name for name, spec in doc.args.items() if not is_required(spec) and not (name == "page" and pages))
        found = (
            doc,
            Tool(
                doc,
                singular(rest) if verb in ("list", "find") else rest,
                required,
                optional,
                pages,
                required == ("text",),
                required == ("page",),
            ),
        )
        _known[id(doc)] = found
    return found[1]


@lru_cache(maxsize=65_536)
def owner(name: str, nouns: frozenset[str]) -> tuple[str, str]:
    """Of which record a field or argument is the key, and in what role: `from_site_id` is (site, from), `shipper_id` ("", shipper).

    The second is the part of the name before the record's noun, or the whole name without its last part where no record has it.
    """
    plain = name.rsplit(".", 1)[-1]
    stem = plain.rsplit("_", 1)[0] if "_" in plain else ""
    for noun in sorted(nouns, key=len, reverse=True):
        if stem == noun:
            return noun, ""
        if stem.endswith(f"_{noun}"):
            return noun, stem[: -len(noun) - 1]
        if stem.startswith(f"{noun}_"):
            return noun, stem[len(noun) + 1 :]
    return "", stem


def key_shapes(memory: Memory) -> dict[str, set[str]]:
    """By noun, what the keys of its rows have looked like so far."""
    found: dict[str, set[str]] = {}
    for table in memory.tables:
        if table.noun and table.key:
            found.setdefault(table.noun, set()).update(shape(row[table.key]) for row in table.rows[:3] if table.key in row)
    return found
