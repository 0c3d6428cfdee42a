"""What a brief leaves to the agent, read from its words.

Takes the prompt and the tools' docs; gives the freedoms found, with the words that grant them. The lexicon is
`latitude.yaml`. It is a reading of words, not an understanding: it only ever turns a finding into a lead, so where it
reads too much a fault is shown and not counted, and where it reads too little a person sees a finding that the brief
allows.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from importlib import resources

import msgspec

from worldwright.audit.subject import Facts
from worldwright.files import decode_yaml

__all__ = ["Grant", "about", "freedoms", "granted", "lexicon"]


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    means: str
    words: list[str]


class Grant(msgspec.Struct, frozen=True):
    """Words that grant a freedom, and the sentence they stand in."""

    words: str
    sentence: str


_ANYTHING = re.compile(r"\b(?:anything|everything|whatever)\b")
_ANYTHING_ELSE = re.compile(r"\b(?:other files|other things|more calls|further calls|beside|besides|else)\b")


@functools.cache
def _lexicon() -> tuple[tuple[str, str, tuple[re.Pattern[str], ...]], ...]:
    text = resources.files("worldwright.audit").joinpath("latitude.yaml").read_text(encoding="utf-8")
    entries = decode_yaml(text, list[_Entry], "latitude.yaml")
    return tuple((one.name, one.means, tuple(re.compile(word, re.IGNORECASE) for word in one.words)) for one in entries)


def lexicon() -> Mapping[str, str]:
    """Every freedom, with what it means."""
    return {name: means for name, means, _ in _lexicon()}


def freedoms(text: str) -> dict[str, tuple[Grant, ...]]:
    """Freedoms that a text grants, each with every phrase that grants it and the sentence it stands in."""
    found: dict[str, list[Grant]] = {}
    for sentence in re.split(r"(?<=[.!?;:])\s+|\n+", text):
        for name, grants in _said(sentence) if sentence.strip() else ():
            found.setdefault(name, []).extend(grants)
    return {name: tuple(found[name]) for name, _, _ in _lexicon() if name in found}


@functools.lru_cache(maxsize=8_192)
def _said(sentence: str) -> tuple[tuple[str, tuple[Grant, ...]], ...]:
    """The freedoms that one sentence grants; tools' docs and pages come again with each instance."""
    out = []
    for name, _, patterns in _lexicon():
        grants = tuple(Grant(hit.group(0), sentence) for pattern in patterns for hit in [pattern.search(sentence)] if hit)
        if grants:
            out.append((name, grants))
    return tuple(out)


def granted(facts: Facts) -> dict[str, tuple[Grant, ...]]:
    """Freedoms of one instance: what the prompt grants, and what the tools' docs say of repetition, options and limits."""
    found = freedoms(facts.prompt)
    for tool in facts.tools:
        for name, grants in freedoms(f"{tool.name}: {tool.doc}").items():
            if name in ("repetition", "optional", "extras", "budget"):
                found[name] = (*found.get(name, ()), *(Grant(one.words, f"{tool.name} {one.sentence}") for one in grants))
    return found


@functools.lru_cache(maxsize=8_192)
def about(grants: tuple[Grant, ...], *texts: str, beside: bool = True) -> str:
    """The words of the first grant whose sentence speaks of what these texts name (a word's first five letters in common); "" if none.

    `beside`: what they name may be something beside the task, of which 'anything else' speaks.
    """
    stems = frozenset[str]().union(*map(_stems, texts))
    return next((one.words for one in grants if _speaks_of_anything(one.sentence, beside) or stems & _stems(one.sentence)), "")


@functools.lru_cache(maxsize=8_192)
def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:5] for word in re.findall(r"[a-z]{4,}", _plain(text)))


@functools.lru_cache(maxsize=8_192)
def _speaks_of_anything(sentence: str, beside: bool) -> bool:
    text = _plain(sentence)
    return _ANYTHING.search(text) is not None or (beside and _ANYTHING_ELSE.search(text) is not None)


def _plain(text: str) -> str:
    return text.lower().replace("_", " ")
