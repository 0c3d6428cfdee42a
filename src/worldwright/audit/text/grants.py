"""What a prompt grants or prescribes of a reply's text, read from its words.

Takes a prompt; gives the grants found, with the words that say so. The lexicon is `grants.yaml`. It is a reading of words,
not an understanding. `slot_format` reads whether the form of the answer itself is prescribed, apart from what is to stand
around it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from importlib import resources

import msgspec

from worldwright.audit.latitude import freedoms
from worldwright.files import decode_yaml

__all__ = ["grants", "slot_format"]

_FRAME = re.compile(
    r"</?[A-Za-z_][\w-]*>|\\?boxed(?:\{[^}]*\})?|####|\bfour hash signs?\b|\b(?:opening|closing|answer|inside|pair of|a pair|tags?)\b|"
    r"\b(?:exactly |a |one |the )?(?:single|one|last|final|exact) (?:pair|box|line|tag|block)\b|\bonce\b|[\"'`]",
    re.IGNORECASE,
)  # fmt: skip

_EXAMPLE = re.compile(
    r"\b(?:as in|such as|for example|for instance|e\.g\.|looks? like|in the (?:style|shape|pattern) of|year-month-day|hh:mm)", re.IGNORECASE
)


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    means: str
    words: list[str]


@functools.cache
def _lexicon() -> tuple[tuple[str, tuple[re.Pattern[str], ...]], ...]:
    text = resources.files("worldwright.audit.text").joinpath("grants.yaml").read_text(encoding="utf-8")
    entries = decode_yaml(text, list[_Entry], "grants.yaml")
    return tuple((one.name, tuple(re.compile(word, re.IGNORECASE) for word in one.words)) for one in entries)


@functools.lru_cache(maxsize=4096)
def grants(prompt: str) -> Mapping[str, str]:
    """Every grant of a prompt, with the first words that say so."""
    found: dict[str, str] = {}
    for name, patterns in _lexicon():
        for pattern in patterns:
            hit = pattern.search(prompt)
            if hit:
                found[name] = hit.group(0)
                break
    return found


@functools.lru_cache(maxsize=4096)
def slot_format(prompt: str) -> str:
    """The words that prescribe how the answer itself is written, whatever stands around it; "" if none do."""
    bare = _FRAME.sub(" ", prompt)
    hit = _EXAMPLE.search(bare)
    prescribed = freedoms(bare).get("format", ())
    return prescribed[0].words if prescribed else hit.group(0) if hit else ""
