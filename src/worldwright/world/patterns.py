"""Patterns of arguments: regular expressions that can't take long, whatever text they are held against.

Takes a pattern's text; gives it compiled, or raises ValueError. Python tries every way in which a text can be cut into
the pattern's parts, so the number of ways is bounded here, over the parse tree: a repeat that what comes next can't
continue has one way to stop, any other as many as it has lengths, and a repeat without bound of a part that has several
ways itself (`(a+)*`, `(a|aa)*`) is refused. Overestimates; a pattern is refused rather than trusted.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Sequence
from typing import Any

__all__ = ["LENGTH", "compile_pattern"]

LENGTH = 200
"""The most characters of a text that has a pattern, unless its `max_length` says otherwise."""
_MOST_WAYS = 100_000
_MANY = 64

_parser: Any = importlib.import_module("re._parser")
_compiler: Any = importlib.import_module("re._compiler")
_CHARACTERS = {"LITERAL", "NOT_LITERAL", "ANY", "IN"}
_REPEATS = {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}
_GROUPS = {"SUBPATTERN", "ATOMIC_GROUP"}
_LONGEST = 1_000

Chars = frozenset[str]


def compile_pattern(text: str, length: int = LENGTH) -> re.Pattern[str]:
    """The pattern compiled. Raises ValueError for one that may take long on a text of `length` characters."""
    if len(text) > _LONGEST:
        raise ValueError(f"a pattern of {len(text):,} characters; expected at most {_LONGEST:,}")
    try:
        compiled = re.compile(text)
        tree = _parser.parse(text)
        ways = _Ways(tree, length).sequence(list(tree), frozenset())
    except (re.error, RecursionError, OverflowError, MemoryError) as fault:
        raise ValueError(f"the pattern can't be compiled: {fault}") from fault
    if ways > _MOST_WAYS:
        raise ValueError(f"the pattern {text[:60]} can match one text in too many ways: let no repeat run into what follows it")
    return compiled


class _Ways:
    """How many ways parts of one pattern have to match; what may follow a part decides which of them are told apart."""

    def __init__(self, tree: Any, length: int) -> None:
        self._state, self._length = tree.state, length
        self._samples: Chars = frozenset(map(chr, range(256))) | frozenset(_mentioned(tree))
        self._sets: dict[str, Chars] = {}

    def sequence(self, parts: Sequence[Any], after: Chars) -> float:
        """Of parts in a row, followed by one of the characters of `after` (or by the end of the text)."""
        total = 1.0
        for n, part in enumerate(parts):
            total *= self.part(part, self.first(parts[n + 1 :], after))
        return total

    def part(self, part: Any, after: Chars) -> float:
        """Of one part."""
        name, inner = str(part[0]), part[1]
        if name in _REPEATS:
            return self._repeat(inner[0], inner[1], inner[2], after)
        if name == "BRANCH":
            return self._branch(inner[1], after)
        if name == "GROUPREF_EXISTS":
            return sum(self.sequence(list(one), after) for one in inner[1:] if one is not None)
        return self.sequence(_inside(name, inner), after)

    def _repeat(self, least: int, most: Any, body: Any, after: Chars) -> float:
        parts = list(body)
        begins = self.first(parts, frozenset())
        most = min(int(most), self._length)
        once = self.sequence(parts, begins | after)
        if once > 1 or (self._empty(parts) and most > 1):
            return max(once, 2.0) ** most if most < _MANY else float("inf")
        return 1.0 if begins.isdisjoint(after) else float(max(1, most - least + 1))

    def _branch(self, alternatives: Sequence[Any], after: Chars) -> float:
        firsts = [self.first(list(one), after) for one in alternatives]
        ways = [self.sequence(list(one), after) for one in alternatives]
        apart = sum(map(len, firsts)) == len(frozenset().union(*firsts))
        return max(ways) if apart and sum(self._empty(list(one)) for one in alternatives) < 2 else sum(ways)

    def first(self, parts: Sequence[Any], after: Chars) -> Chars:
        """The characters with which these parts, or what comes after them, can begin."""
        out: Chars = frozenset()
        for part in parts:
            out |= self._begins(part)
            if not self._empty([part]):
                return out
        return out | after

    def _begins(self, part: Any) -> Chars:
        name, inner = str(part[0]), part[1]
        if name in _CHARACTERS:
            return self._matched(part)
        if name in _REPEATS:
            return self.first(list(inner[2]), frozenset())
        if name == "BRANCH":
            return frozenset().union(*(self.first(list(one), frozenset()) for one in inner[1]))
        if name.startswith("GROUPREF"):
            return self._samples
        return self.first(_inside(name, inner), frozenset()) if name in _GROUPS else frozenset()

    def _empty(self, parts: Sequence[Any]) -> bool:
        """Whether these parts can match nothing."""
        return all(self._may_be_empty(str(part[0]), part[1]) for part in parts)

    def _may_be_empty(self, name: str, inner: Any) -> bool:
        if name in _REPEATS:
            return inner[0] == 0 or self._empty(list(inner[2]))
        if name == "BRANCH":
            return any(self._empty(list(one)) for one in inner[1])
        return name not in _CHARACTERS and (name not in _GROUPS or self._empty(_inside(name, inner)))

    def _matched(self, part: Any) -> Chars:
        """Those of the samples that a part for one character matches."""
        key = repr(part)
        if key not in self._sets:
            one = _compiler.compile(_parser.SubPattern(self._state, [part]), self._state.flags)
            self._sets[key] = frozenset(sign for sign in self._samples if one.match(sign))
        return self._sets[key]


def _inside(name: str, inner: Any) -> list[Any]:
    """The parts of a group, or of a look ahead or back."""
    if name == "SUBPATTERN":
        if inner[1] or inner[2]:
            raise ValueError("the pattern changes its flags midway; expected one meaning for the whole of it")
        return list(inner[3])
    if name == "ATOMIC_GROUP":
        return list(inner)
    return list(inner[1]) if name.startswith("ASSERT") else []


def _mentioned(node: Any) -> Iterator[str]:
    """The characters that a pattern names, ends of ranges included, and their other case."""
    if isinstance(node, int) and not isinstance(node, bool) and 0 <= node < 0x110000:
        yield from {chr(node), chr(node).lower()[:1], chr(node).upper()[:1]}
    elif isinstance(node, (tuple, list)) or type(node).__name__ == "SubPattern":
        for one in node:
            yield from _mentioned(one)
