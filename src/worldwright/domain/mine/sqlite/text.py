"""What the text of a CREATE TABLE says beyond what SQLite's PRAGMAs tell: CHECKs, generated columns, and comments.

Takes the text as SQLite keeps it; gives a Declared. Reads tokens, not grammar: text that it can't follow gives fewer facts and
never an error, since SQLite has accepted the text already.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

import msgspec

__all__ = ["Check", "Declared", "Token", "read_table", "tokens"]

_TOKEN = re.compile(
    r"""(?P<comment>--[^\n]*|/\*.*?(?:\*/|\Z))
    |(?P<string>'(?:[^']|'')*')
    |(?P<name>"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])
    |(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)
    |(?P<word>[^\W\d][\w$]*)
    |(?P<sign><>|<=|>=|==|!=|\|\||.)""",
    re.VERBOSE | re.DOTALL,
)
_TABLE_WORDS = frozenset({"CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"})
_LONGEST = 300


class Token(msgspec.Struct, frozen=True):
    """A token: `kind` is comment, string, name (quoted), number, word or sign; `value` without quotes; `at` where it starts."""

    kind: str
    text: str
    at: int

    @property
    def value(self) -> str:
        """The text without its quotes."""
        if self.kind == "string" or (self.kind == "name" and self.text[0] != "["):
            quote = self.text[0]
            return self.text[1:-1].replace(quote * 2, quote)
        return self.text[1:-1] if self.kind == "name" else self.text

    def says(self, *words: str) -> bool:
        """Whether it is one of these keywords."""
        return self.kind == "word" and self.text.upper() in words


class Check(msgspec.Struct, frozen=True):
    """A CHECK: its expression, its name if it has one, the column it stands at ("" for the table's)."""

    text: str
    name: str = ""
    column: str = ""


class ColumnText(msgspec.Struct, frozen=True):
    """What the text says of a column."""

    generated: str = ""
    about: str = ""


class Declared(msgspec.Struct, frozen=True):
    """What the text says of a table; columns by their name in small letters."""

    columns: dict[str, ColumnText]
    checks: tuple[Check, ...]
    about: str
    without_rowid: bool


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text, white space left out."""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "sign"
        if not (kind == "sign" and match.group().isspace()):
            yield Token(kind, match.group(), match.start())


def read_table(sql: str) -> Declared:
    """What a CREATE TABLE says."""
    every = list(tokens(sql))
    opens = next((n for n, one in enumerate(every) if one.text == "("), None)
    if opens is None:
        return Declared({}, (), "", False)
    closes = _closing(every, opens)
    tail = [one for one in every[closes + 1 :] if one.kind == "word"]
    without = any(one.says("WITHOUT") and two.says("ROWID") for one, two in itertools.pairwise(tail))
    columns: dict[str, ColumnText] = {}
    checks: list[Check] = []
    for piece in _pieces(every[opens + 1 : closes], sql):
        code = [one for one in piece if one.kind != "comment"]
        if not code:
            continue
        is_column = not code[0].says(*_TABLE_WORDS)
        name = code[0].value if is_column else ""
        checks += _checks(code, sql, name)
        if is_column:
            columns[name.casefold()] = ColumnText(_generated(code, sql), _comment(piece))
    before = [one for one in every[:opens] if one.kind == "comment"]
    return Declared(columns, tuple(checks), _comment(before), without)


def _closing(every: Sequence[Token], opens: int) -> int:
    """Where the bracket that opens there closes; the last token if it doesn't."""
    depth = 0
    for n in range(opens, len(every)):
        depth += (every[n].text == "(") - (every[n].text == ")")
        if depth == 0:
            return n
    return len(every) - 1


def _pieces(inside: Sequence[Token], sql: str) -> list[list[Token]]:
    """What stands between the commas; a comment on the line of a comma belongs to what is before it."""
    pieces: list[list[Token]] = [[]]
    depth, comma = 0, -1
    for one in inside:
        if one.kind == "comment" and comma >= 0 and len(pieces[-1]) == 0 and "\n" not in sql[comma : one.at]:
            pieces[-2].append(one)
            continue
        depth += (one.text == "(") - (one.text == ")")
        if one.text == "," and depth == 0:
            pieces.append([])
            comma = one.at
        else:
            pieces[-1].append(one)
    return pieces


def _checks(code: Sequence[Token], sql: str, column: str) -> Iterator[Check]:
    for n, one in enumerate(code[:-1]):
        if one.says("CHECK") and code[n + 1].text == "(":
            name = code[n - 1].value if n >= 2 and code[n - 2].says("CONSTRAINT") else ""
            yield Check(_between(code, n + 1, sql), name, column)


def _between(code: Sequence[Token], opens: int, sql: str) -> str:
    closes = _closing(code, opens)
    return " ".join(sql[code[opens].at + 1 : code[closes].at].split())


def _generated(code: Sequence[Token], sql: str) -> str:
    """The expression of a generated column."""
    for n, one in enumerate(code[:-1]):
        if one.says("AS") and code[n + 1].text == "(":
            return _between(code, n + 1, sql)
    return ""


def _comment(piece: Sequence[Token]) -> str:
    parts = [one.text.removeprefix("--").removeprefix("/*").removesuffix("*/") for one in piece if one.kind == "comment"]
    return " ".join(" ".join(parts).split())[:_LONGEST]
