"""Small changes of a query's text: a condition dropped, an arm of a UNION silenced, a bound moved.

Takes SQL; gives (what was changed, the new text) pairs. Works on tokens, so what stands in quotes, comments, brackets and
CASE is left alone. Doesn't know SQL's grammar: a text it makes may not compile, and whoever uses it drops those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

__all__ = ["moved_bounds", "silenced_arms", "without_conditions"]

_TOKEN = re.compile(
    r"(?P<space>\s+|--[^\n]*|/\*.*?(?:\*/|\Z))"
    r"|(?P<quoted>'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|\[[^\]]*\])"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<sign>->>|->|<=|>=|<>|!=|==|<<|>>|\|\||[<>])"
    r"|(?P<other>.)",
    re.DOTALL,
)
_ENDS = frozenset({"group", "having", "order", "limit", "window", "union", "except", "intersect"})
_MOVED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_SHOWN = 60


class _Token(msgspec.Struct, frozen=True):
    """A token: `depth` counts the brackets and CASEs around it; `word` is in lower case."""

    kind: str
    text: str
    start: int
    depth: int

    @property
    def word(self) -> str:
        return self.text.lower() if self.kind == "word" else ""

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def without_conditions(sql: str) -> Iterator[tuple[str, str]]:
    """The query without one of the conditions that its outermost WHERE clauses join by AND (all of one that has an OR)."""
    tokens = _tokens(sql)
    for n, token in enumerate(tokens):
        if token.word == "where" and token.depth == 0:
            clause = _clause(tokens[n + 1 :])
            parts = _conditions(clause)
            end = clause[-1].end if clause else token.end
            texts = [sql[part[0].start : part[-1].end] for part in parts if part]
            for k, text in enumerate(texts):
                others = "\nAND ".join(texts[:k] + texts[k + 1 :])
                yield _short(text), sql[: token.start] + (f"WHERE {others}\n" if others else " ") + sql[end:]


def silenced_arms(sql: str) -> Iterator[tuple[str, str]]:
    """The query with one of the arms of its outermost UNION giving no rows."""
    tokens = _tokens(sql)
    if any(token.depth == 0 and token.word in ("order", "limit", "except", "intersect") for token in tokens):
        return
    starts, ends = [0], []
    for n, token in enumerate(tokens):
        if token.word == "union" and token.depth == 0:
            ends.append(token.start)
            following = tokens[n + 1] if n + 1 < len(tokens) else token
            starts.append(following.end if following.word == "all" else token.end)
    ends.append(len(sql.rstrip().rstrip(";")))
    if len(starts) < 2:
        return
    for start, end in zip(starts, ends, strict=True):
        arm = sql[start:end]
        yield _short(arm), f"{sql[:start]} SELECT * FROM (\n{arm}\n) WHERE 0 {sql[end:]}"


def moved_bounds(sql: str) -> Iterator[tuple[str, str]]:
    """The query with one of its comparisons including its bound, or excluding it."""
    for token in _tokens(sql):
        if token.text in _MOVED and token.kind == "sign":
            around = sql[max(0, token.start - _SHOWN // 2) : token.end + _SHOWN // 2]
            yield f"{_short(around)}: {_MOVED[token.text]}", sql[: token.start] + _MOVED[token.text] + sql[token.end :]


def _tokens(sql: str) -> list[_Token]:
    """All tokens but space and comments."""
    out: list[_Token] = []
    depth = 0
    for found in _TOKEN.finditer(sql):
        kind, text = str(found.lastgroup), found.group(0)
        if kind == "space":
            continue
        opens = text == "(" or text.lower() == "case"
        closes = text == ")" or (text.lower() == "end" and kind == "word")
        depth -= closes
        out.append(_Token(kind, text, found.start(), depth))
        depth += opens
    return out


def _clause(tokens: list[_Token]) -> list[_Token]:
    """The tokens of a WHERE clause at depth 0."""
    for n, token in enumerate(tokens):
        if token.depth < 0 or token.text == ";" or (token.depth == 0 and token.word in _ENDS):
            return tokens[:n]
    return tokens


def _conditions(clause: list[_Token]) -> list[list[_Token]]:
    if any(token.depth == 0 and token.word == "or" for token in clause):
        return [clause]
    parts: list[list[_Token]] = [[]]
    between = False
    for token in clause:
        if token.depth == 0 and token.word == "and" and not between:
            parts.append([])
            continue
        if token.depth == 0 and token.word in ("and", "between"):
            between = token.word == "between"
        parts[-1].append(token)
    return parts


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
