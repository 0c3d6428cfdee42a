"""Driving an episode of somebody's environment, step by step, with every failure turned into data.

Takes an environment and plays; gives attempts and facts as JSON data. Promises that whatever the environment raises ends the
play it was in, as an error that says where, and nothing else; that states and files are copied when they are read; that a
play's own processes end before the next play's verdict. Doesn't survive the end of the process: whoever started it says then
how far it came (`at` is called before each step).

Standard library only, from Python 3.9: it is also loaded by path into interpreters that have nothing of ours.
"""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

from . import describe, folder
from .values import Held, decode, encode, shown
from .watch import Watch

__all__ = ["At", "Episode", "Failed", "Playing", "told"]

At = Callable[[int, str], None]
"""Called with a play's number and where it is: start, act, state, finish, close."""
_LONGEST = 1_000
_ANSWERS = (ValueError, TypeError)
_LIBRARY = (f"{sysconfig.get_path('stdlib')}/", f"{sysconfig.get_path('platstdlib')}/")
_OWN = os.path.dirname(os.path.abspath(__file__))


class Failed(Exception):
    """The environment raised, in `where`."""

    def __init__(self, where: str, fault: str) -> None:
        super().__init__(where, fault)
        self.where, self.fault = where, fault


def told(fault: BaseException) -> str:
    """An exception as a line: its type, what it says, and the last line it came through, the standard library's left out."""
    try:
        text = f"{type(fault).__name__}: {fault}"
    except BaseException:  # noqa: BLE001 - foreign code; its failure is the answer
        text = type(fault).__name__
    return f"{text[:_LONGEST]}{_place(fault.__traceback__)}"


def _place(step: TracebackType | None) -> str:
    places = []
    while step is not None:
        places.append((step.tb_frame.f_code.co_filename, step.tb_lineno))
        step = step.tb_next
    foreign = [one for one in places if not one[0].startswith((_OWN, "<frozen"))]
    for file, line in reversed([one for one in foreign if not one[0].startswith(_LIBRARY)] or foreign):
        return f" ({os.path.basename(file)}:{line})"
    return ""


class Episode:
    """An episode of theirs, behind calls that raise Failed and nothing else."""

    def __init__(self, environment: Any, case: str, seed: int, at: Callable[[str], None], watch: Watch) -> None:
        self._at, self.watch = at, watch
        watch.phase, watch.places.folder = "start", ""
        try:
            self.theirs = self.guarded("start", lambda: environment.start(case, seed))
        finally:
            watch.phase = ""
        self.prompt = _prompt(self.guarded("start", lambda: self.theirs.prompt))
        tools = self.guarded("start", lambda: list(self.theirs.tools or ()))
        self.tools: dict[str, Any] = {self.guarded("start", describe.name_of, tool): tool for tool in tools}
        self.folder = self._find_folder()
        self._known: list[tuple[list[Any], Any]] | None = None

    def guarded(self, where: str, step: Callable[..., Any], *args: Any) -> Any:
        """What the step gives. Raises Failed for whatever it raises."""
        self._at(where)
        try:
            return step(*args)
        except BaseException as fault:  # noqa: BLE001 - foreign code, whose failure is data; sys.exit is one
            raise Failed(where, told(fault)) from None

    def has(self, name: str) -> bool:
        """Whether the episode has a method of this name at all."""
        return callable(self.guarded("start", lambda: getattr(self.theirs, name, None)))

    def optional(self, where: str, name: str) -> Any:
        """What a method gives that takes nothing; None where it is absent or not implemented."""
        if not self.has(name):
            return None
        self._at(where)
        try:
            return getattr(self.theirs, name)()
        except NotImplementedError:
            return None
        except BaseException as fault:  # noqa: BLE001 - as above
            raise Failed(where, told(fault)) from None

    def _find_folder(self) -> str:
        found = self.optional("start", "folder")
        path = "" if found is None else self.guarded("start", lambda: os.path.realpath(os.fspath(found)))
        self.watch.places.folder = path
        return str(path)

    def state(self) -> dict[str, Any] | None:
        """The tables as JSON data; None where there is no state."""
        found = self.optional("state", "state")
        tables: dict[str, Any] | None = None if found is None else self.guarded("state", describe.tables, found)
        return tables

    def files(self) -> tuple[dict[str, str] | None, int]:
        """The folder's files, and how many are left out; None where there is no folder."""
        if not self.folder:
            return None, 0
        found: tuple[dict[str, str], int] = self.guarded("state", folder.files, self.folder)
        return found

    def pass_mark(self) -> float:
        """The least reward that counts as success. Raises Failed for what is no number."""
        mark = self.guarded("start", lambda: getattr(self.theirs, "pass_mark", 1.0))
        return float(self.guarded("start", lambda: 1.0 if mark is None else float(mark)))

    def known(self) -> list[tuple[list[Any], Any]]:
        """Its own solutions, the reference first (None in its place where there is none)."""
        if self._known is None:
            reference = self.optional("start", "reference")
            more = self.optional("start", "alternatives")
            self._known = [reference, *self.guarded("start", lambda: list(more or ()))]
        return self._known

    def held(self, held: Held) -> Any:
        """A value that never left: of the episode's own solutions."""
        acts, answer = self.known()[held.known]
        if not held.at:
            return answer
        number, _, name = held.at.partition(".")
        return acts[int(number)][1][name]

    def close(self) -> str:
        """Close it; "" or what went wrong."""
        try:
            if self.has("close"):
                self.guarded("close", lambda: self.theirs.close())
        except Failed as failed:
            return f"close() raised {failed.fault}"
        return ""


def _prompt(prompt: Any) -> str:
    return prompt if type(prompt) is str else str(prompt) if isinstance(prompt, str) else shown(encode(prompt, loose=True), 100_000)


_LARGE = 200
"""Of tables with more rows than this, before and after together, only those are told that differ."""


def _apart(before: list[Any], after: list[Any]) -> list[list[Any]]:
    """The rows of each that the other hasn't got."""
    left: dict[str, int] = {}
    for row in after:
        text = repr(row)
        left[text] = left.get(text, 0) + 1
    gone = []
    for row in before:
        text = repr(row)
        if left.get(text):
            left[text] -= 1
        else:
            gone.append(row)
    made = []
    for row in reversed(after):
        text = repr(row)
        if left.get(text):
            left[text] -= 1
            made.append(row)
    return [gone, made[::-1]]


def _keys(before: list[Any], after: list[Any]) -> dict[str, list[str]]:
    """All columns, and those that every row has and no two rows share, before and after."""
    columns = list(dict.fromkeys(name for row in (*before, *after) for name in row))
    return {"columns": columns, "unique": [name for name in columns if all(_is_key(name, rows) for rows in (before, after))]}


def _is_key(column: str, rows: list[Any]) -> bool:
    seen = set()
    for row in rows:
        value = row.get(column)
        text = value if isinstance(value, str) else repr(value)
        if value is None or text in seen:
            return False
        seen.add(text)
    return True


class Playing:
    """One play under way: `step` carries out its next step, `attempt` is what it left."""

    def __init__(self, number: int, play: Mapping[str, Any], environment: Any, at: At, watch: Watch) -> None:
        self._play, self._environment, self._watch = play, environment, watch
        self._at: Callable[[str], None] = lambda where: at(number, where)
        self.ended = False
        self.episode: Episode | None = None
        self.attempt: dict[str, Any] = {"status": "unknown", "results": [], "touched": []}
        self._before: dict[str, Any] | None = None
        self._keepers: list[folder.Keeper] = []
        self._next = 0
        self._acts: list[tuple[str, dict[str, Any]]] = []
        self._answer: Any = None

    def step(self) -> None:
        """Start, one act, or the end."""
        if self.ended:
            return
        try:
            if self._next == 0:
                self._start()
            elif self._next <= len(self._acts):
                self._act(*self._acts[self._next - 1])
            else:
                self._end()
        except Failed as failed:
            self.attempt.update(status="error", where=failed.where, fault=failed.fault)
            self.ended = True
        finally:
            self._next += 1
            self.attempt["touched"] += self._watch.taken()
        if self.ended:
            for keeper in self._keepers:
                keeper.end()

    def close(self) -> str:
        """Close the episode, if there is one; "" or what went wrong."""
        return "" if self.episode is None else self.episode.close()

    def _start(self) -> None:
        episode = self.episode = Episode(self._environment, self._play["case"], self._play["seed"], self._at, self._watch)
        self.attempt["prompt"] = encode(episode.prompt)
        self._before = None if self._play["unseen"] else episode.state()
        if self._before is not None and episode.state() != self._before:
            self.attempt["notes"] = ["state() differs when it is asked twice"]
        self._acts = [(decode(act["tool"]), episode.guarded("start", decode, act["args"], episode.held)) for act in self._play["acts"]]
        self._answer = episode.guarded("start", decode, self._play["answer"], episode.held)

    def _act(self, tool: str, args: dict[str, Any]) -> None:
        assert self.episode is not None
        self._at("act")
        result = self._done(self.episode, tool, args)
        self.attempt["results"].append(result)
        if result.get("crash"):
            raise Failed("act", result["crash"])

    def _done(self, episode: Episode, name: str, args: dict[str, Any]) -> dict[str, Any]:
        if name in _IN_FOLDER:
            return self._done_in_folder(episode, name, args)
        if name == "$say":
            function: Any = getattr(episode.theirs, "reply", None)
            if not callable(function):
                return _refused("there is nobody to talk to")
        elif name in episode.tools:
            function = episode.tools[name]
        else:
            return _refused("no such tool")
        try:
            value = function(args["text"]) if name == "$say" else function(**describe.fitted(function, args))
        except NotImplementedError as fault:
            return _refused("there is nobody to talk to") if name == "$say" else {"ok": False, "crash": told(fault)}
        except _ANSWERS as fault:
            return _refused(_said(fault))
        except BaseException as fault:  # noqa: BLE001 - foreign code, whose failure is data
            return {"ok": False, "crash": told(fault)}
        return {"ok": True, "value": episode.guarded("act", encode, value, True)}

    def _done_in_folder(self, episode: Episode, name: str, args: dict[str, Any]) -> dict[str, Any]:
        if not episode.folder:
            return _refused("there is no folder")
        try:
            if name == "$delete":
                folder.delete(episode.folder, args["path"])
            elif name == "$keep":
                self._keepers.append(folder.Keeper(episode.folder, args["path"], args["text"]))
            else:
                folder.write(episode.folder, args["path"], args["text"])
        except (OSError, ValueError, KeyError) as fault:
            return _refused(_said(fault))
        return {"ok": True}

    def _end(self) -> None:
        episode = self.episode
        assert episode is not None
        self.ended = True
        after = None if self._play["unseen"] else episode.state()
        if after is not None and self._before is not None:
            names = [name for name in {**self._before, **after} if repr(self._before.get(name)) != repr(after.get(name))]
            both = {name: (self._before.get(name, []), after.get(name, [])) for name in names}
            self.attempt["tables"] = {name: list(pair) for name, pair in both.items()}
            large = {name: pair for name, pair in both.items() if len(pair[0]) + len(pair[1]) > _LARGE}
            if large:
                self.attempt["tables"].update((name, _apart(*pair)) for name, pair in large.items())
                self.attempt["keys"] = {name: _keys(*pair) for name, pair in large.items()}
        self.attempt["files"] = encode(episode.files()[0])
        if self._play["finish"]:
            self._grade(episode)

    def _grade(self, episode: Episode) -> None:
        mark = episode.pass_mark()
        self._watch.places.folder, self._watch.phase = episode.folder, "finish"
        try:
            reward = episode.guarded("finish", lambda: episode.theirs.finish(self._answer))
        finally:
            self._watch.phase = ""
        if reward is None:
            return
        number = episode.guarded("finish", _number, reward)
        self.attempt["reward"] = encode(number)
        if number != number:
            raise Failed("finish", "the reward is not a number (nan)")
        self.attempt["status"] = "pass" if number >= mark - 1e-9 else "fail"
        checks = episode.guarded("finish", lambda: getattr(episode.theirs, "checks", None))
        if isinstance(checks, (list, tuple)):
            self.attempt["checks"] = [encode(check) for check in checks if type(check) is str]


_IN_FOLDER = ("$write", "$delete", "$keep")


def _refused(error: Any) -> dict[str, Any]:
    return {"ok": False, "error": error}


def _said(fault: BaseException) -> Any:
    try:
        return encode(str(fault)[:10_000] or type(fault).__name__)
    except BaseException:  # noqa: BLE001 - foreign code; its failure is the answer
        return type(fault).__name__


def _number(reward: Any) -> float:
    if isinstance(reward, (str, bytes)) or not hasattr(reward, "__float__"):
        raise TypeError(f"the reward is a {type(reward).__name__}, not a number: {shown(reward, 200)}")
    return float(reward)
