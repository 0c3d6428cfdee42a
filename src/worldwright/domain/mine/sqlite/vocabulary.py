"""The words by which names speak of what a thing is, from `words.yaml`."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from importlib import resources

import msgspec

from worldwright.domain.names import singular, words
from worldwright.files import decode_yaml

__all__ = ["Words", "lexicon", "stems"]


class Words(msgspec.Struct, frozen=True):
    """Lists of words by what they speak of."""

    time: list[str]
    money: list[str]
    weak_money: list[str]
    not_money: list[str]
    minor: list[str]
    currency: list[str]
    flag: list[str]
    status: list[str]
    status_values: list[str]
    place: list[str]
    code: list[str]
    history: list[str]
    old: list[str]
    new: list[str]
    facets: dict[str, list[str]]

    def speaks(self, of: str, stems: Iterable[str]) -> bool:
        """Whether any of the words speaks of this."""
        return not set(getattr(self, of)).isdisjoint(stems)


@functools.cache
def lexicon() -> Words:
    """The words, read once."""
    file = resources.files("worldwright.domain.mine.sqlite").joinpath("words.yaml")
    return decode_yaml(file.read_text(encoding="utf-8"), Words, "words.yaml")


@functools.lru_cache(4096)
def stems(name: str) -> tuple[str, ...]:
    """The words of a name in the singular."""
    return tuple(singular(one) for one in words(name))
