"""Calls as steps of a move: made again while they fail for now only, and through all pages of a list.

Takes a tool's name and arguments; each is a generator that yields Calls, is sent their CallResults, and returns what came of it with the
number of calls.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from typing import Any

from worldwright.solver.protocol import Call
from worldwright.world.protocol import CallResult

__all__ = ["is_passing", "once", "paged", "patient"]

_TRIES = 12
_MOST_ROWS = 200
_PER_PAGE = re.compile(r"\b(\d+) a page\b")


def once(name: str, args: dict[str, Any], _doc: str) -> Generator[Call, CallResult, tuple[Any, int]]:
    result, calls = yield from patient(name, args)
    return (result.value if result.ok else None), calls


def paged(name: str, args: dict[str, Any], doc: str) -> Generator[Call, CallResult, tuple[Any, int]]:
    found: list[Any] = []
    said = _PER_PAGE.search(doc)
    size, calls, page = int(said.group(1)) if said else 0, 0, 1
    while True:
        result, spent = yield from patient(name, args | {"page": page})
        calls += spent
        if not result.ok or not isinstance(result.value, list):
            return (found if page > 1 else None), calls
        found += result.value
        if len(result.value) < max(1, size) or len(found) >= _MOST_ROWS:
            return found, calls
        page += 1


def is_passing(result: CallResult, args: Mapping[str, Any]) -> bool:
    """Whether a call failed for now only: its error says nothing of what was asked for, so it is worth asking again."""
    seen = [str(value) for value in args.values() if isinstance(value, (str, int)) and str(value)]
    return not result.ok and result.ended is None and not any(one in (result.error or "") for one in seen)


def patient(name: str, args: dict[str, Any]) -> Generator[Call, CallResult, tuple[CallResult, int]]:
    """The call, made again while its error says nothing of what was asked for; with the number of calls."""
    n = 0
    while True:
        n += 1
        result = yield Call(name, args)
        if n == _TRIES or not is_passing(result, args):
            return result, n
