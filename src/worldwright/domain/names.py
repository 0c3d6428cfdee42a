"""Names: the words in one, its snake_case form, and whether two name the same thing.

Takes names as a source writes them; gives words in lower case. Knows English plurals only.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

__all__ = ["distinct", "singular", "snake", "words"]

_BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+|(?<=[a-z])(?=[0-9])")
_KEEP_S = ("ss", "us", "is", "ys", "ics")
_IRREGULAR = {
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "data": "data",
    "news": "news",
    "series": "series",
    "addresses": "address",
    "statuses": "status",
    "analyses": "analysis",
    "movies": "movie",
    "cookies": "cookie",
}


def words(name: str) -> list[str]:
    """The words of a name, in lower case: `InvoiceLine`, `invoice line` and `INVOICE_LINE` are all invoice, line."""
    return [word for part in _BREAK.split(name) if part and (word := _plain(part))]


def _plain(word: str) -> str:
    """A word in lower case, without accents where plain letters are left, and without signs that no name may have."""
    low = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).casefold()).casefold()
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", low) if not unicodedata.combining(sign)).casefold()
    return "".join(sign for sign in (bare if bare.isascii() else low) if f"a{sign}".isidentifier() and sign == sign.casefold())


def singular(word: str) -> str:
    """An English word's singular, as far as its ending tells."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or not word.endswith("s") or word.endswith(_KEEP_S):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    return word[:-1]


def snake(name: str, otherwise: str = "unnamed") -> str:
    """The name in snake_case; `otherwise` if it has no letter or digit. A digit in front gets an underscore before it."""
    joined = "_".join(words(name)) or otherwise
    return joined if joined.isidentifier() else f"_{joined}"


def distinct(names: Iterable[str], otherwise: str) -> dict[str, str]:
    """Each name with a snake_case form that no other has: the second gets `_2`."""
    given: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        base = wanted = snake(name, otherwise)
        n = 1
        while wanted in taken:
            n += 1
            wanted = f"{base}_{n}"
        taken.add(wanted)
        given[name] = wanted
    return given
