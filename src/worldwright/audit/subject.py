"""What an audit drives, whatever it is made of: subjects, what they can do, and what an attempt left.

An adapter gives a `Subject`; probes are written against these records alone. A `Play` is one scripted attempt; a
`Session` is one or more plays in the same process, in any interleaving. Nothing here says whether a verdict is right:
that is `labels`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec

__all__ = [
    "DELETE",
    "KEEP",
    "SAY",
    "WHOLE",
    "WRITE",
    "Act",
    "Argument",
    "Attempt",
    "Change",
    "Facts",
    "Known",
    "Opaque",
    "Play",
    "Result",
    "Session",
    "Setting",
    "State",
    "Status",
    "Subject",
    "Tool",
    "Touch",
]  # fmt: skip

State = dict[str, list[dict[str, Any]]]
"""Tables of rows."""

Status = Literal["pass", "fail", "error", "unknown"]
"""`error`: something raised, hung or died; `unknown`: `finish` gave None."""

SAY = "$say"
"""An act: a turn of the conversation; args {text}. Its result's value is the reply (None: the talk has ended)."""
WRITE = "$write"
"""An act: write a file in the episode's folder; args {path, text}. `path` is relative; parents are made."""
DELETE = "$delete"
"""An act: delete a file in the episode's folder; args {path}."""
KEEP = "$keep"
"""An act: a process of the agent's goes on writing a file, from now until the verdict is in; args {path, text}."""


WHOLE = "$completion"
"""A key: where `Facts.frame` is there, the answer {WHOLE: text} is the whole completion, with no frame around it."""


class Opaque(msgspec.Struct, frozen=True):
    """A value of the environment's that can't leave its process: the answer of its n-th known solution (0: reference).

    `at`: or an argument of one of that solution's acts, as "ACT.NAME" (acts counted from 0).
    """

    known: int
    shown: str
    at: str = ""


class Act(msgspec.Struct, frozen=True):
    """One step: a call of a tool, or one of SAY, WRITE, DELETE, KEEP."""

    tool: str
    args: dict[str, Any] = {}


class Known(msgspec.Struct, frozen=True):
    """A solution that the subject itself offers as right: `reference`, `alternative-1`, ..."""

    name: str
    acts: tuple[Act, ...]
    answer: Any = None


class Argument(msgspec.Struct, frozen=True):
    """A tool's argument. `type` is one of str, int, float, bool, list, dict, any; `choices` where it is closed."""

    name: str
    type: str = "any"
    required: bool = True
    choices: tuple[Any, ...] = ()
    default: Any = None


class Tool(msgspec.Struct, frozen=True):
    """What an agent is told of a tool. `writes` is None where the subject doesn't say."""

    name: str
    doc: str = ""
    args: tuple[Argument, ...] = ()
    writes: bool | None = None


class Facts(msgspec.Struct, frozen=True):
    """What is known of one instance before anything is tried.

    `has` names the optional capabilities that are there: reference, alternatives, state, folder, reply, pass_mark.
    `state` is the start state; `files` the folder's files (relative path to text, binary ones as latin-1, at most 1 MB in
    all). `fault` says why the instance could not even be started ("" if it could).
    """

    case: str
    seed: int
    prompt: str = ""
    tools: tuple[Tool, ...] = ()
    pass_mark: float = 1.0
    has: frozenset[str] = frozenset()
    reference: Known | None = None
    alternatives: tuple[Known, ...] = ()
    state: State | None = None
    files: Mapping[str, str] | None = None
    environ: Mapping[str, str] = {}
    fault: str = ""
    answer: Mapping[str, str] | None = None
    """Types of the answer's fields, where the subject states them."""
    free: frozenset[tuple[str, str]] = frozenset()
    """(table, column) that the subject itself declares not to matter."""
    recorded: tuple[tuple[str, Status, Known], ...] = ()
    """Judged runs of the subject's own: name, right status, run."""
    usable: bool = True
    """False: the task can't be set on this seed, by its own rule; no fault."""
    luck: float | None = None
    """The pass rate that the subject itself allows to those who don't do the work."""
    notes: tuple[str, ...] = ()
    """Remarks on the instance: `state()` differs when it is asked twice, and the like."""
    start: str = ""
    """A digest of the start state, where the subject has one; "" otherwise."""
    frame: tuple[str, str] | None = None
    """What stands before and after the answer in a completion, where the subject grades completions."""

    def known(self) -> tuple[Known, ...]:
        """All solutions that the subject offers as right, the reference first."""
        return (() if self.reference is None else (self.reference,)) + self.alternatives

    def tool(self, name: str) -> Tool | None:
        """The tool of that name."""
        return next((tool for tool in self.tools if tool.name == name), None)


class Setting(msgspec.Struct, frozen=True):
    """The surroundings of a session; the default is the plain one (UTC, C.UTF-8, hash seed 0).

    `days`: what the wall clock is shifted by, for all that reads it in Python. `environ`: environment variables added.
    `where`: another working directory and home (any text: a fresh folder of that name). `failing`: names of Python audit
    events (`subprocess.Popen`, `open`, `socket.connect`, `tempfile.mkstemp`, `sqlite3.connect`, ...) that raise OSError
    while `finish` runs, as on a broken machine. `load`: other processes keep the processor busy.
    """

    zone: str = "UTC"
    locale: str = "C.UTF-8"
    hash_seed: int = 0
    days: float = 0
    environ: dict[str, str] = {}
    where: str = ""
    failing: tuple[str, ...] = ()
    load: bool = False


class Play(msgspec.Struct, frozen=True):
    """One scripted attempt. `finish` false: abandoned, never graded.

    `unseen`: nobody asks for its state, so that what is drawn late is drawn late; where asking has no effect this changes
    nothing, and such an adapter may ignore it.
    """

    case: str
    seed: int
    acts: tuple[Act, ...] = ()
    answer: Any = None
    finish: bool = True
    unseen: bool = False


class Session(msgspec.Struct, frozen=True):
    """Plays in one fresh process, sharing one environment object.

    `order` names plays by number, once for each of their steps (start, every act, then the end); empty: one play after
    the other.
    """

    plays: tuple[Play, ...]
    order: tuple[int, ...] = ()
    setting: Setting = Setting()


class Result(msgspec.Struct, frozen=True):
    """What an act gave. `error`: what the tool answered (ValueError, TypeError); `crash`: any other exception."""

    ok: bool
    value: Any = None
    error: str = ""
    crash: str = ""


class Touch(msgspec.Struct, frozen=True):
    """What the environment did while it graded: an audit event, what it was about, and whether that was there.

    `event`: open, import, subprocess.Popen, socket.connect, exec, clock, ... `path` is relative to the episode's folder
    where it lies inside (`inside`).
    """

    event: str
    path: str = ""
    mode: str = ""
    inside: bool = False
    there: bool = True


class Change(msgspec.Struct, frozen=True):
    """What became of one row: `old` and `new` hold the changed columns (the whole row for an insert or a delete).

    `key` is the row's identity as text: the value of a column that is unique in the table at start and end (id, key,
    name, ... the first such column), else its content. Rows without such a column are compared as a multiset: a changed
    one is a delete and an insert.
    """

    table: str
    op: Literal["insert", "update", "delete"]
    key: str
    old: dict[str, Any] = {}
    new: dict[str, Any] = {}


class Attempt(msgspec.Struct, frozen=True):
    """What a play left.

    `changes` is how the state after the last act differs from the start state (None where there is no state); `files`
    the folder after the last act. `where` is start, act, state or finish for an `error`. `checks` are the grader's own
    reasons, where it gives any. `notes` are remarks on the run that are no fault by themselves.
    """

    status: Status
    reward: float | None = None
    prompt: str = ""
    results: tuple[Result, ...] = ()
    changes: tuple[Change, ...] | None = None
    files: Mapping[str, str] | None = None
    touched: tuple[Touch, ...] = ()
    fault: str = ""
    where: str = ""
    checks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Subject(Protocol):
    """Somebody's environment, as an audit sees it. Adapters implement this."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def kind(self) -> str:
        """pack, python, reasoning-gym, reward."""

    @property
    def digest(self) -> str:
        """A hash of what was audited, as far as the adapter can tell."""

    def cases(self) -> Sequence[str]:
        """The tasks it poses."""

    def facts(self, case: str, seed: int) -> Facts:
        """One instance before anything is tried."""

    def run(self, session: Session, watch: bool = False) -> list[Attempt]:
        """Carry out a session: an attempt for each play, in their order. Never raises for what the environment does."""

    def close(self) -> None:
        """End its processes."""
