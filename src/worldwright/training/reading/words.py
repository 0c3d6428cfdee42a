"""The words of a sentence: tokens, stems and the closed classes of English that the reading goes by.

Takes text; gives tokens. A word loses its apostrophe-s (which becomes a token of its own) and its hyphens; a quoted value
and a number are one token each. `stem` takes endings off, so that "days" and "day" are one word. Raises nothing. Promises
the same tokens for the same text; it knows no word of any trade.
"""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

__all__ = ["ARTICLES", "CLOSED", "COPULAS", "MARKERS", "NEGATIONS", "Token", "content", "number", "stem", "stems", "tokens"]

ARTICLES = frozenset(
    ["a", "an", "the", "any", "some", "each", "every", "all", "another", "other", "its", "their", "his", "her", "this", "that"]
)
COPULAS = frozenset(["is", "are", "was", "were", "be", "been", "isn't", "aren't", "wasn't", "weren't"])
NEGATIONS = frozenset(["not", "isn't", "aren't", "wasn't", "weren't", "never", "neither", "nor", "no", "none", "without", "nobody"])
MARKERS = frozenset(
    ["whose", "that", "which", "who", "where", "if", "when", "unless", "while", "until", "provided", "without", "except", "whom"]
)
"""Words that open a condition."""

CLOSED = (
    ARTICLES
    | COPULAS
    | NEGATIONS
    | MARKERS
    | frozenset(
        [
            "of",
            "in",
            "on",
            "at",
            "to",
            "by",
            "for",
            "from",
            "with",
            "and",
            "or",
            "as",
            "too",
            "also",
            "only",
            "alone",
            "than",
            "then",
            "it",
            "they",
            "them",
            "there",
            "here",
            "what",
        ]
    )
    | frozenset(
        [
            "over",
            "under",
            "above",
            "below",
            "more",
            "less",
            "fewer",
            "most",
            "least",
            "up",
            "later",
            "earlier",
            "before",
            "after",
            "within",
            "between",
            "exactly",
            "just",
        ]
    )
    | frozenset(
        [
            "has",
            "have",
            "had",
            "hasn't",
            "hadn't",
            "haven't",
            "does",
            "doesn't",
            "do",
            "don't",
            "did",
            "didn't",
            "can",
            "may",
            "must",
            "will",
            "would",
            "so",
            "but",
            "even",
            "be",
        ]
    )
    | frozenset(
        ["otherwise", "case", "cases", "else", "nothing", "first", "second", "both", "either", "such", "same", "many", "much", "one", "two"]
    )
)
"""Words that name no field by themselves."""

_NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_TOKEN = re.compile(
    r"(?<![\w])'(?P<quoted>[^'\n]+)'(?!\w)"
    r"|(?P<date>\d{4}-\d\d-\d\d(?:T[\d:]+)?)"
    r"|(?P<number>-?\d[\d ]*(?:[.,]\d+)*)(?![\w])"
    r"|(?P<word>[^\W\d_]+n't|[^\W\d_]+)"
    r"|(?P<own>'s\b|(?<=s)'(?=\s))"
    r"|(?P<mark>[%(),.:;?!])"
)


class Token(msgspec.Struct, frozen=True):
    """One token: its `kind` ("word", "quoted", "date", "number", "own" for the apostrophe, "mark") and its text; words are
    in lower case."""

    kind: str
    text: str


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of the text, in order."""
    out = []
    for found in _TOKEN.finditer(text.replace("’", "'")):
        kind = found.lastgroup or "mark"
        said = found.group(kind)
        out.append(Token(kind, said.strip() if kind in ("quoted", "number") else said.lower()))
    return tuple(out)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """The word without the ending of a plural or a participle: "days" and "day", "filed" and "file" are one."""
    low = word.lower()
    for end, put in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if low.endswith(end) and len(low) > len(end) + 1:
            return low[: -len(end)] + put
    if low.endswith("s") and not low.endswith(("ss", "us", "is")) and len(low) > 3:
        low = low[:-1]
    return low


@lru_cache(maxsize=8192)
def stems(text: str) -> tuple[str, ...]:
    """The stems of the words of a name or of a text; figures count as words."""
    return tuple(stem(one) for one in re.findall(r"[^\W\d_]+|\d+", text.replace("%", " percent ").replace("_", " ")))


def content(words: tuple[str, ...]) -> frozenset[str]:
    """The words that are in no closed class."""
    return frozenset(word for word in words if word not in CLOSED and len(word) > 1)


def number(token: Token) -> float | None:
    """What a token counts: figures (with blanks or commas between thousands) and the number words up to twelve."""
    if token.kind == "number":
        text = re.sub(r"[ ,](?=\d{3}(?:\D|$))", "", token.text).replace(",", ".")
        try:
            return float(text)
        except ValueError:
            return None
    if token.kind == "word" and token.text in _NUMBERS:
        return float(_NUMBERS.index(token.text))
    return None
