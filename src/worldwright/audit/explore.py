"""What an agent can come to see by reading: every reading tool with values that it has seen, again with what these gave.

Takes an instance; gives calls with their results. Only tools that write nothing are called, arguments come from the brief,
the tools' docs and earlier results, never from the state or the known solutions. Bounded in rounds and calls, so that what
isn't found is likely, not certainly, out of reach.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any

from worldwright.audit.bench import At, is_read_named
from worldwright.audit.subject import Act, Argument, Result, Session, Tool

__all__ = ["explored"]

ROUNDS = 3
MOST = 240
_EACH = 40
_WORD = re.compile(r"[^\W_][\w.@/:-]*\w|\w")


def explored(at: At) -> list[tuple[Act, Result]]:
    """Reading calls with what they gave."""
    readers = [tool for tool in at.facts.tools if _reads(at, tool)]
    known = dict.fromkeys(_words(at.facts.prompt))
    for tool in at.facts.tools:
        known |= dict.fromkeys(_words(tool.doc))
    done: dict[str, tuple[Act, Result]] = {}
    for _ in range(ROUNDS):
        acts = [act for tool in readers for act in _calls(tool, list(known)) if repr((act.tool, act.args)) not in done]
        acts = acts[: MOST - len(done)]
        if not acts:
            break
        attempt = at.case.attempts([Session((at.play(acts, finish=False),))])[0][0]
        for act, result in zip(acts, attempt.results, strict=False):
            done[repr((act.tool, act.args))] = (act, result)
            for value in _values(result.value if result.ok else result.error):
                known.setdefault(value)
        if attempt.status == "error" or len(attempt.results) < len(acts):
            break
    return list(done.values())


def _reads(at: At, tool: Tool) -> bool:
    """By what is said of it, by its name, or because the known solution's calls of it change nothing."""
    if tool.writes is not None:
        return not tool.writes
    seen = (
        [writes for act, writes in zip(at.reference.acts, at.writes, strict=False) if act.tool == tool.name] if at.facts.reference else []
    )
    return is_read_named(tool.name) or (bool(seen) and not any(seen) and "state" in at.facts.has)


def _calls(tool: Tool, known: Sequence[Any]) -> Iterator[Act]:
    """Calls of a tool with its required arguments from what is known, the latest first."""
    required = [arg for arg in tool.args if arg.required]
    if len(required) > 2:
        return
    choices = [_fitting(arg, known) for arg in required]
    for values in itertools.islice(itertools.product(*choices), _EACH * 3):
        yield Act(tool.name, {arg.name: value for arg, value in zip(required, values, strict=True)})


def _fitting(arg: Argument, known: Sequence[Any]) -> list[Any]:
    if arg.choices:
        return list(arg.choices)
    if arg.type == "bool":
        return [True, False]
    if arg.type in ("int", "float"):
        numbers = [one for one in known if isinstance(one, (int, float)) and not isinstance(one, bool)]
        numbers += [int(one) for one in known if isinstance(one, str) and one.isdecimal() and len(one) < 12]
        return list(dict.fromkeys([1, *reversed(numbers)]))[:_EACH]
    if arg.type in ("str", "any"):
        texts = [one for one in reversed(known) if isinstance(one, str)]
        return sorted(texts, key=lambda one: one.isalpha() and one.islower())[: _EACH * 3]
    return []


def _values(value: Any) -> Iterator[Any]:
    """Every value in a result, and the words of its texts."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield str(key)
            yield from _values(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _values(one)
    elif isinstance(value, str):
        if len(value) <= 60:
            yield value
        yield from _words(value)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def _words(text: str) -> Iterator[str]:
    yield from (hit.group(0) for hit in _WORD.finditer(text[:20_000]))
