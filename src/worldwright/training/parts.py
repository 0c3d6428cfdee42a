"""Work in two parts: what an instruction says of when the second follows and what it is about.

Takes an instruction and the fields of its answer; gives a Sequel, or None where the instruction has one part. The parts are told by the
words that number them and by the condition between them; the fields of the second part are those whose description says what
they are without it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from worldwright.world.spec import ArgSpec

__all__ = ["Sequel", "split"]

_PARTS = re.compile(r"\bPart one[.:]\s+(.*?)\s+Part two, only if [^.']*? is '([^']+)'[^.]*\.\s+(.*)\Z", re.DOTALL)
_ABOUT = re.compile(r"\bIt is about the ([a-z][a-z -]*?) that the [a-z -]+? of part one \w+ to\b[^.]*\.\s*")
_WITHOUT = re.compile(r"(\S+) if there was no second part\b")
_WHOLE = re.compile(r"-?\d+\Z")


class Sequel(msgspec.Struct, frozen=True):
    """A second part: `before` is the text of the first; this part follows when an answer of the first is `when`. `about` is the record
    that it is about, as tools name it; empty where that isn't said."""

    before: str
    when: str
    about: str
    text: str
    answer: Mapping[str, ArgSpec]

    def otherwise(self) -> tuple[tuple[str, str, Any], ...]:
        """The answers of the part where it doesn't follow, each with the way that it came by."""
        out = []
        for name, spec in self.answer.items():
            found = _WITHOUT.search(spec.doc)
            said = found.group(1).strip("'") if found else ""
            out.append((name, "without a second part", int(said) if _WHOLE.match(said) else said))
        return tuple(out)


def split(instruction: str, answer: Mapping[str, ArgSpec]) -> Sequel | None:
    """See the module."""
    found = _PARTS.search(instruction)
    fields = {name: one for name, one in answer.items() if _WITHOUT.search(one.doc)}
    if found is None or not 0 < len(fields) < len(answer):
        return None
    before, when, text = found.groups()
    about = _ABOUT.match(text)
    noun = about.group(1).replace(" ", "_").replace("-", "_") if about else ""
    return Sequel(before, when, noun, text[about.end() :] if about else text, fields)
