"""What is known of an instance before anything is tried, as JSON data.

Takes an environment, a case and a seed; starts one episode and asks it for all it offers. Promises that a capability that is
absent, not implemented or broken is not listed as there, and that a broken one is named in the notes; so is a state that
differs when asked twice, and a question that changes what it asks about. Doesn't carry out a solution.

Standard library only, from Python 3.9: it is also loaded by path into interpreters that have nothing of ours.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from .describe import described
from .episodes import Episode, Failed
from .values import Held, Unencodable, encode, shown
from .watch import Watch

__all__ = ["facts"]


def facts(environment: Any, case: str, seed: int, at: Callable[[str], None], watch: Watch, environ: Mapping[str, str]) -> dict[str, Any]:
    """The facts; `environ` is the environment before the foreign code was loaded."""
    try:
        episode = Episode(environment, case, seed, at, watch)
        asked = _Asked(episode)
        found = {"prompt": encode(episode.prompt), "pass_mark": encode(episode.pass_mark()), **asked.all()}
    except Failed as failed:
        return {"fault": f"{failed.where}: {failed.fault}"}
    found["environ"] = encode({name: value for name, value in os.environ.items() if environ.get(name) != value})
    note = episode.close()
    found["notes"] = encode([*asked.notes, *([note] if note else [])])
    return found


class _Asked:
    """An episode as it is asked for its capabilities."""

    def __init__(self, episode: Episode) -> None:
        self.episode = episode
        self.notes: list[str] = []
        self.has: set[str] = set()

    def all(self) -> dict[str, Any]:
        """Everything beside prompt and pass mark."""
        episode = self.episode
        tools = [episode.guarded("start", described, tool) for tool in episode.tools.values()]
        files, left_out = episode.files()
        if left_out:
            self.notes.append(f"files: {left_out} left out, more than 1 MB in all")
        state = self._state(files)
        known = self._known(state)
        if files is not None:
            self.has.add("folder")
        if episode.has("reply"):
            self.has.add("reply")
        if getattr(episode.theirs, "pass_mark", None) is not None:
            self.has.add("pass_mark")
        return {"tools": encode(tools, loose=True), "files": encode(files), "state": state, "has": sorted(self.has), "known": known}

    def _state(self, files: Any) -> dict[str, Any] | None:
        try:
            state = self.episode.state()
            again = self.episode.state() if state is not None else None
        except Failed as failed:
            self.notes.append(f"state: {failed.fault}")
            return None
        if state is None:
            return None
        self.has.add("state")
        if again != state:
            self.notes.append("state() differs when it is asked twice")
        if self.episode.files()[0] != files:
            self.notes.append("state() changes the folder")
        return state

    def _known(self, state: Any) -> list[dict[str, Any]]:
        known: list[dict[str, Any]] = []
        for name in ("reference", "alternatives"):
            try:
                offered = self.episode.optional("start", name)
                if offered is None:
                    continue
                some = [offered] if name == "reference" else self.episode.guarded("start", list, offered)
                for solution in some:
                    known.append(self._solution(len(known) + (name == "alternatives" and "reference" not in self.has), solution))
                self.has.add(name)
            except Failed as failed:
                self.notes.append(f"{name}: {failed.fault}")
            self._compare(name, state)
        return known

    def _compare(self, name: str, state: Any) -> None:
        try:
            if state is not None and self.episode.state() != state:
                self.notes.append(f"{name}() changes the state")
        except Failed as failed:
            self.notes.append(f"state after {name}(): {failed.fault}")

    def _solution(self, number: int, solution: Any) -> dict[str, Any]:
        return dict(self.episode.guarded("start", _solution, number, solution))


def _solution(number: int, solution: Any) -> dict[str, Any]:
    acts, answer = solution
    calls = [(tool, args) for tool, args in acts]
    data = [
        {"tool": encode(str(tool)), "args": {str(name): _or_held(value, number, f"{n}.{name}") for name, value in dict(args).items()}}
        for n, (tool, args) in enumerate(calls)
    ]
    return {"name": f"alternative-{number}" if number else "reference", "acts": data, "answer": _or_held(answer, number)}


def _or_held(value: Any, known: int, at: str = "") -> Any:
    """The value as JSON data, or where it stays."""
    try:
        return encode(value)
    except (Unencodable, RecursionError):
        return encode(Held(known, at, shown(value, 500)))
