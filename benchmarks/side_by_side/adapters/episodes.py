"""What every adapter here needs: an item loaded as a plain environment, its tasks, and an episode played step by step.

Takes an item (a dict, see `items.py`); gives the environment's own objects. Written by us, for tools that weren't made for
environments with tools: they submit text, so an answer that isn't text is spelled as JSON and read back. Standard library only.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import json
import os
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NOTHING = "Done."
"""How the answer of a task that wants none is spelled; read back as None."""
MOST_ACTS = 60
_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER


def load(item: dict[str, Any]) -> Any:
    """The environment of an item: a module's function without arguments, or a pack's task."""
    if item["form"] == "pack":
        from packs import PackEnvironment

        return PackEnvironment(item["pack"], item["task"])
    return getattr(module_of(item["file"]), item["function"])()


def module_of(file: str) -> Any:
    """A module, by its file; what lies beside it can be imported."""
    path = Path(file)
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(f"subject_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file}: can't be imported")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tasks(environment: Any, n: int) -> list[tuple[str, int]]:
    """`n` tasks: every case on seed 0, then on seed 1, and so on; seeds on which a case can't be set are left out."""
    usable = getattr(environment, "usable", lambda case, seed: True)
    found: list[tuple[str, int]] = []
    for seed in range(4 * n):
        for case in environment.cases():
            if len(found) < n and usable(case, seed):
                found.append((case, seed))
    return found


class Run:
    """One episode under way. `acts` and `answer` are those of the reference ([] and None where there is none)."""

    def __init__(self, environment: Any, case: str, seed: int) -> None:
        self.episode = environment.start(case, seed)
        self.prompt = str(self.episode.prompt)
        self.tools = {tool.__name__: tool for tool in self.episode.tools}
        self.acts, self.answer, self.has_reference = [], None, False
        with contextlib.suppress(AttributeError, NotImplementedError):
            acts, self.answer = self.episode.reference()
            self.acts, self.has_reference = [(name, dict(args)) for name, args in acts], True

    def call(self, name: str, args: dict[str, Any]) -> str:
        """What the agent is told. ValueError and TypeError are answers; anything else is raised."""
        tool = self.tools.get(name)
        if tool is None:
            return f"error: there is no tool {name}"
        try:
            return str(tool(**args))
        except (TypeError, ValueError) as fault:
            return f"error: {fault}"

    def finish(self, text: str | None) -> float | None:
        """The reward of an answer given as text."""
        return self.judge(None if text is None else read(text, self.answer))

    def judge(self, answer: Any) -> float | None:
        """The reward of an answer; 1.0 is a pass, whatever the pass mark is."""
        reward = self.episode.finish(answer)
        return None if reward is None else float(reward) / (float(getattr(self.episode, "pass_mark", 1.0)) or 1.0)

    def close(self) -> None:
        """Give the episode back."""
        with contextlib.suppress(AttributeError, NotImplementedError):
            self.episode.close()


@contextlib.contextmanager
def playing(environment: Any, case: str, seed: int) -> Iterator[Run]:
    """An episode that is closed at the end."""
    run = Run(environment, case, seed)
    try:
        yield run
    finally:
        run.close()


def spell(answer: Any) -> str:
    """An answer as text."""
    if answer is None:
        return NOTHING
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False, default=str)


def read(text: str, like: Any) -> Any:
    """A text as an answer of the reference's kind, where it can be read as one."""
    if like is None and text.strip() in ("", NOTHING):
        return None
    if like is None or isinstance(like, str):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def adopt() -> None:
    """On Linux, processes whose parents end become this one's children, so that `say` can count their CPU seconds."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def say(outcome: str, why: list[str], **more: Any) -> None:
    """The one line that the command reads: flagged, clean, inconclusive or can't load, and why."""
    told = {"outcome": outcome, "why": [str(one)[:200] for one in why[:6]], "cpu_seconds": _cpu(), **more}
    print(json.dumps(told), flush=True)


def _cpu(patience: float = 2.0) -> float:
    """CPU seconds of this process and of its children that have ended; waits for them a little."""
    until = time.monotonic() + patience
    with contextlib.suppress(ChildProcessError):
        while time.monotonic() < until:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.05)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return round(sum(one.ru_utime + one.ru_stime for one in used), 2)
