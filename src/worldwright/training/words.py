"""Words as the probe policy compares them: lower case, cut to a stem, without the words that join others.

Takes names of tools, fields and pages, and sentences; gives sets of stems, quoted texts and nouns. It knows no trade: what it
gives two texts in common is all that the policy ever sees of their words.
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["negated", "overlap", "quoted", "shape", "singular", "stem", "stems"]

_WORD = re.compile(r"[a-z]+|\d+")
_QUOTED = re.compile(r"(?<![A-Za-z0-9])'([^'\n]{1,60})'(?![A-Za-z0-9])")
_SHAPE = re.compile(r"[A-Za-z]+")
_JOINING = frozenset(
    _WORD.findall(
        "a an the of to in on at by for from with and or is are be was were it its this that these those as each every all any one if "
        "so who whom whose which what when where how than then there their they them you your we our us do does did has have had "
        "will would"
    )
)
_DENIALS = frozenset(_WORD.findall("no not nothing none never nobody neither nor without don doesn didn isn aren"))
_BEFORE, _AFTER = 6, 3
_PARTS = re.compile(r"[.,;:()]")


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A word without its commonest endings: recorded, records, recording are one."""
    if word == "people":
        return "person"
    for ending in ("ations", "ation", "ings", "ing", "ied", "ies", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)] + ("y" if ending in ("ied", "ies") else "")
    return word


@lru_cache(maxsize=65_536)
def stems(text: str) -> frozenset[str]:
    """The stems of a text's words, or of a name's parts."""
    return frozenset(stem(word) for word in _WORD.findall(text.lower()) if word not in _JOINING)


def overlap(words: frozenset[str], others: frozenset[str]) -> float:
    """Which share of `words` stands in `others`; 0 where there are none."""
    return len(words & others) / len(words) if words else 0.0


@lru_cache(maxsize=4096)
def quoted(text: str) -> tuple[str, ...]:
    """What stands between single quotes, each once, in order."""
    return tuple(dict.fromkeys(_QUOTED.findall(text)))


@lru_cache(maxsize=65_536)
def negated(text: str, word: str) -> bool:
    """Whether a denial stands within a few words of the word, wherever it stands: 'Record nothing' denies 'record', but 'Record it if it is
    one; else record nothing' doesn't, and neither does 'nothing else'."""
    said = [_near(part, stem(word)) for part in _parts(text.lower().replace("nothing else", "else").replace("nobody else", "else"))]
    return any(said) and all(one is not False for one in said)


def _parts(text: str) -> list[str]:
    """The parts of its sentences, without those that say in brackets when something holds."""
    return [part for part in _PARTS.split(text) if not part.startswith("also if ")]


def _near(part: str, word: str) -> bool | None:
    """Whether a part of a sentence denies each place of the word in it; None where the word isn't there."""
    found = [stem(one) if one not in _DENIALS else one for one in _WORD.findall(part)]
    places = [n for n, one in enumerate(found) if one == word]
    return all(any(one in _DENIALS for one in found[max(0, at - _BEFORE) : at + _AFTER]) for at in places) if places else None


@lru_cache(maxsize=65_536)
def singular(noun: str) -> str:
    """dock_slots: dock_slot; parties: party; boxes: box."""
    if noun.endswith("people"):
        return noun[: -len("people")] + "person"
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    if noun.endswith(("ches", "shes", "sses", "xes", "zes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


@lru_cache(maxsize=65_536)
def shape(value: object) -> str:
    """What ids of one kind have in common: the letters that they begin with; '#' for numbers."""
    found = _SHAPE.match(str(value)) if isinstance(value, str) else None
    return found.group() if found else "#"
