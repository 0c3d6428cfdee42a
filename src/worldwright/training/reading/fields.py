"""Which field of a row the words of a sentence mean.

Takes the keys of a row (own fields by their name, joined ones as "entity.field"), the words around a comparison and what the
page is about; gives a key, `NOTHING` where the row says that the record meant isn't there, or None where no field, or more
than one, would do. Raises nothing. Promises never to choose among equals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from worldwright.training.reading.words import CLOSED, Token, stem, stems

__all__ = ["NOTHING", "Field", "fields_of", "find", "link", "named"]

NOTHING = "(no record)"
"""Stands for a field of a record that the row has no link to."""

_UNITS = frozenset({"cent"})
_ENDINGS = ("ed", "d", "ing", "ion", "ions", "ment", "e", "er", "ly", "al")
_JOINING = frozenset(["of", "in", "on", "at", "to", "by", "for", "from", "with", "and", "or", "the", "a", "an", "is", "was"])
_LINKS = ("_id", "_number", "_code", "_plate", "_key", "_ref", "_no")


class Field(msgspec.Struct, frozen=True):
    """A field: its key, its words without the unit of money, and the entities that lead to it, nearest last."""

    key: str
    words: tuple[str, ...]
    path: tuple[tuple[str, ...], ...]


@lru_cache(maxsize=2048)
def fields_of(keys: frozenset[str]) -> tuple[Field, ...]:
    """The fields of rows that have these keys, in the order of the keys."""
    out = []
    for key in sorted(keys):
        *path, name = key.split(".")
        words = stems(name)
        out.append(Field(key, words[:-1] if len(words) > 1 and words[-1] in _UNITS else words, tuple(stems(one) for one in path)))
    return tuple(out)


@lru_cache(maxsize=2048)
def _links(keys: frozenset[str]) -> tuple[tuple[tuple[str, ...], str], ...]:
    """The records that fields link to: their words and the key of the link."""
    out = []
    for key in sorted(keys):
        name = key.rsplit(".", 1)[-1]
        ending = next((one for one in _LINKS if name.endswith(one) and len(name) > len(one)), None)
        if ending is not None:
            out.append((stems(name[: -len(ending)]), key))
    return tuple(out)


def named(row: Mapping[str, Any], name: tuple[str, ...]) -> str | None:
    """The field that a bracket names ("age years", "the tenant's rent paid by", "measured by: competence days ago")."""
    keys = frozenset(row)
    words = tuple(word for word in name if word not in ("the", "it", "its"))
    if ":" in words:
        at = words.index(":")
        role, words = words[:at], words[at + 1 :]
    else:
        role = ()
    exact = [one for one in fields_of(keys) if one.words == words]
    if role:
        exact = [one for one in exact if any(_same(step, role) for step in one.path)] or [one for one in exact if one.path]
    if not exact:
        exact = [one for one in fields_of(keys) if one.path and any((*step, *one.words) == words for step in one.path)]
        exact = exact or [one for one in fields_of(keys) if one.path and any((step[-1], *one.words) == words for step in one.path)]
    own = [one for one in exact if not one.path]
    if not exact and "of" in words:  # "hours of the hire's machine"
        at = words.index("of")
        return _of(row, words[:at], words[at + 1 :])
    return _only(own or exact)


def _of(row: Mapping[str, Any], words: tuple[str, ...], steps: tuple[str, ...]) -> str | None:
    """The field with these words of the record that is named after it."""
    found = [one for one in fields_of(frozenset(row)) if one.words == words and one.path and one.path[-1][-1:] == steps[-1:]]
    near = [one for one in found if all(step[-1] in steps for step in one.path)]
    if not found and any(value is None and stems(key.rsplit(".", 1)[-1])[-1:] == steps[-1:] for key, value in row.items()):
        return NOTHING
    return _only(near or found)


def find(
    row: Mapping[str, Any], near: Sequence[Token], window: Sequence[str], about: str, fits: Callable[[Any], bool], opens: bool = False
) -> str | None:
    """The field that the words in `window` (stems) name; `near` are the words that lead to the comparison (from the start of the
    sentence, if it `opens` it), `about` what the page is on; only fields whose values `fits` lets through are looked at."""
    keys = frozenset(row)
    scored = [(score, one) for score, one in _scored(keys, tuple(window)) if fits(row[one.key])]
    owner = _owner(tuple(near), stems(about)[-1:], keys, opens)
    if owner is not None and owner[0] != "own":
        links = [key for words, key in _links(keys) if words and _same(words, owner[1])]
        links = [link for link in links if "." not in link] or links
        if links and all(row[link] is None for link in links):
            return NOTHING
        mine = [(score, one) for score, one in scored if one.path and _leads(one, owner[1])]
        if mine:
            return _best(mine)
        loaded = any(_leads(one, owner[1]) for one in fields_of(keys))
        if not loaded and any("_".join(owner[1]) == key.rsplit(".", 1)[-1] and row[key] is None for key in keys):
            return NOTHING
        if not loaded and links:
            records = {record for link in links for record in _records(row, link)}
            return _best([(score, one) for score, one in scored if one.key.rpartition(".")[0] in records])
        if owner[0] == "unknown":
            return _best([(score, one) for score, one in scored if one.path and score[0] >= 2])
        if not loaded:
            return _best([(score, one) for score, one in scored if not one.path and score[0] >= 2])
    return _best(scored, own=owner is None or owner[0] == "own")


def link(row: Mapping[str, Any], words: Sequence[str]) -> str | None:
    """The own field that links to the record with this name, if there is just one."""
    found = [key for name, key in _links(frozenset(row)) if "." not in key and name[-len(words) :] == tuple(words)]
    return found[0] if words and len(found) == 1 else None


def _records(row: Mapping[str, Any], link: str) -> list[str]:
    """The joined records that the link leads to: those with a field of their own that has its value."""
    own = {key for _, key in _links(frozenset(row))}
    return [key.rpartition(".")[0] for key, value in row.items() if "." in key and key not in own and value == row[link]]


def _best(scored: Sequence[tuple[tuple[float, float], Field]], own: bool = False) -> str | None:
    """The best one, if there is one that is better than all others; own fields come first where `own` says so."""
    if not scored:
        return None
    top = max((score[0], own and not one.path) for score, one in scored)
    best = [(score, one) for score, one in scored if (score[0], own and not one.path) == top]
    nearest = max(score[1] for score, _ in best)
    return _only([one for score, one in best if score[1] == nearest])


def _only(found: Sequence[Field]) -> str | None:
    """The only one; of several ways to the same entity's field the shortest, if it is the only one of its length."""
    if len(found) <= 1:
        return found[0].key if found else None
    shortest = min(len(one.path) for one in found)
    short = [one for one in found if len(one.path) == shortest]
    return short[0].key if len(short) == 1 else None


@lru_cache(maxsize=8192)
def _scored(keys: frozenset[str], window: tuple[str, ...]) -> tuple[tuple[tuple[float, float], Field], ...]:
    """The fields that the window names, each with how well it does."""
    return tuple((score, one) for one in fields_of(keys) if (score := _score(one.words, window)) is not None)


def _score(words: tuple[str, ...], window: Sequence[str]) -> tuple[float, float] | None:
    """How well the window names a field with these words: how many are there, and how near the end; None if one isn't."""
    main = [word for word in words if word not in _JOINING] or list(words)
    places, exact = [], 0
    for word in main:
        found = [n for n, one in enumerate(window) if _alike(word, one)]
        if not found:
            return None
        places.append(found[-1])
        exact += word in window
    joining = sum(1 for word in words if word in _JOINING and word in window)
    return (len(main) + joining / 8 - (len(main) - exact) / 4, max(places))


def _alike(word: str, other: str) -> bool:
    if word == other:
        return True
    return min(len(word), len(other)) >= 4 and bool(_bases(word) & _bases(other))


@lru_cache(maxsize=8192)
def _bases(word: str) -> frozenset[str]:
    """The word, and what is left of it without an ending."""
    cut = {word[: -len(end)] for end in _ENDINGS if word.endswith(end) and len(word) - len(end) >= 4}
    return frozenset({word, *cut})


def _same(words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return words == other or (bool(words) and bool(other) and words[-1] == other[-1])


def _leads(field: Field, entity: tuple[str, ...]) -> bool:
    return bool(field.path) and any(_same(step, entity) for step in field.path)


@lru_cache(maxsize=8192)
def _owner(near: tuple[Token, ...], about: tuple[str, ...], keys: frozenset[str], opens: bool) -> tuple[str, tuple[str, ...]] | None:
    """Whose field is meant: ("own", ()), ("joined", its words), ("unknown", its word), or None where nothing near says so."""
    entities = {step[-1]: step for one in fields_of(keys) for step in one.path if step}
    entities |= {words[-1]: words for words, _ in _links(keys) if words and words[-1] not in entities}
    for n in range(len(near) - 1, -1, -1):
        token = near[n]
        if token.kind != "word":
            continue
        word, after = stem(token.text), near[n + 1].text if n + 1 < len(near) else ""
        if token.text in ("its", "it", "they", "their") or word in about:
            return ("own", ())
        if word in entities and not _is_field(entities[word], near[n + 1 :], keys):
            return ("joined", entities[word])
        if _owns(near, n, after) and token.text not in CLOSED:
            first = opens and n <= 3 and not any(one.text in ("whose", "'s") for one in near[:n])
            return ("own", ()) if first else ("unknown", (word,))
    return None


def _owns(near: Sequence[Token], n: int, after: str) -> bool:
    """Whether the noun at this place has what follows: "N's", "N whose", "a N of kind"."""
    if after in ("whose",) or (n + 1 < len(near) and near[n + 1].kind == "own"):
        return True
    article = near[n - 1].text if n else ""
    following = near[n + 2].text if n + 2 < len(near) else ""
    return after == "of" and article in ("a", "an", "any") and following not in ("the", "a", "an") and following != ""


def _is_field(entity: tuple[str, ...], rest: Sequence[Token], keys: frozenset[str]) -> bool:
    """Whether the entity's word is only the beginning of a longer name of an own field ("order status")."""
    follows = tuple(stem(token.text) for token in rest[:1] if token.kind == "word")
    return bool(follows) and any(not one.path and (entity[-1], *follows) == one.words[: len(follows) + 1] for one in fields_of(keys))
