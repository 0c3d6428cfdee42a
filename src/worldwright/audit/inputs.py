"""Inputs of a function that an agent is shown: in the brief, or in files of its folder.

Takes texts and the function's name; gives tuples of arguments, read as literals. A reading of forms, not an understanding:
what it doesn't find is not shown to have none.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["inputs_in_brief", "inputs_in_files"]

_MOST = 100_000


def inputs_in_files(files: Mapping[str, str], entry: str, params: list[str]) -> Iterator[tuple[Any, ...]]:
    """Argument tuples that the folder shows: calls in programs, and lists or objects of arguments in JSON files."""
    for path, text in files.items():
        if path.endswith(".py") and len(text) < _MOST:
            yield from _calls_in(text, entry)
        if not path.endswith((".json", ".jsonl")) or len(text) > _MOST:
            continue
        for value in _read_json(text):
            for one in value if isinstance(value, list) else [value]:
                keys = [key for key in ("args", "arguments", "input", "inputs") if isinstance(one, dict) and key in one]
                inner = one[keys[0]] if keys else one
                if isinstance(inner, dict) and all(name in inner for name in params):
                    yield tuple(inner[name] for name in params)
                elif isinstance(inner, list) and len(inner) == len(params) > 1:
                    yield tuple(inner)
                elif len(params) == 1 and keys:
                    yield (inner,)


def _read_json(text: str) -> list[Any]:
    for some in ([text], [line for line in text.splitlines() if line.strip()][:60]):
        try:
            return [json.loads(one) for one in some]
        except (ValueError, RecursionError):
            continue
    return []


def inputs_in_brief(prompt: str, entry: str) -> Iterator[tuple[Any, ...]]:
    """Argument tuples of the calls that the brief shows: `f(1, 2)`, and `INPUT -> OUTPUT` lines."""
    yield from _calls_in(prompt, entry)
    for line in prompt.splitlines():
        pair = re.match(r"[\s\-*>]*(?:input:?\s*)?(.+?)\s*(?:->|=>|→|⇒|\bgives\b|\breturns\b|;?\s*output:)\s*\S", line, re.IGNORECASE)
        if pair:
            yield from _literal(pair.group(1))


def _calls_in(text: str, entry: str) -> Iterator[tuple[Any, ...]]:
    for hit in re.finditer(rf"(?<!\w){re.escape(entry)}\(", text):
        tail = text[hit.start() :]
        for end in [n for n, char in enumerate(tail[:400]) if char == ")"]:
            try:
                call = ast.parse(tail[: end + 1], mode="eval").body
                yield tuple(ast.literal_eval(one) for one in call.args)  # type: ignore[attr-defined]
                break
            except (SyntaxError, ValueError, AttributeError):
                continue


def _literal(text: str) -> Iterator[tuple[Any, ...]]:
    for read in (json.loads, ast.literal_eval):
        try:
            value = read(text)
        except (ValueError, SyntaxError, RecursionError):
            continue
        yield value if isinstance(value, tuple) else (value,)
        return
