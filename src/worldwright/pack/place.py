"""Where in a pack a fault lies: the line of a field, whatever its file is written in.

Takes what an error names (file and field) and the file's bytes; gives the line of the field, of the nearest thing
around it, or the first. 0 only where there is no line: a file that is missing, or a database.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import PurePosixPath

from worldwright.errors import PackError
from worldwright.files import locate

__all__ = ["line_in", "placing"]


def line_in(file: str, data: bytes, field: str) -> int:
    """The line of `field` in a file of a pack with this content."""
    finder = _FINDERS.get(PurePosixPath(file).suffix)
    return 0 if finder is None else max(1, finder(data.decode(errors="replace"), field))


@contextmanager
def placing(files: Callable[[], Mapping[str, bytes]]) -> Iterator[None]:
    """PackErrors that come out of here name a line of their file; `files` are by the paths that errors name."""
    try:
        yield
    except PackError as fault:
        if not fault.line:
            data = files().get(fault.file)
            fault.line = 0 if data is None else line_in(fault.file, data, fault.field)
        raise


def _first(text: str, *patterns: str) -> int:
    """The line of the first match of the first pattern that matches; 0 if none does."""
    found = next((match for pattern in patterns for match in [re.search(pattern, text, re.MULTILINE | re.IGNORECASE)] if match), None)
    return 0 if found is None else text.count("\n", 0, found.start()) + 1


def _in_toml(text: str, field: str) -> int:
    keys = [re.escape(part) for part in reversed(re.split(r"[.\[\]]+", field)) if part]
    return _first(text, *(rf"^[ \t]*\[*[ \t]*(?:[\w-]+\.)*[\"']?{key}[\"']?[ \t]*[\].=]" for key in keys))


def _in_sql(text: str, field: str) -> int:
    table, _, column = field.partition(".")
    name = rf"[\[\"`]?{re.escape(table)}\b"
    start = _first(text, rf"CREATE\s+(?:TEMP\w*\s+)?(?:TABLE|VIEW|TRIGGER|UNIQUE\s+INDEX|INDEX)\s+(?:IF\s+NOT\s+EXISTS\s+)?{name}")
    if not (start and column):
        return start or (_first(text, re.escape(field)) if field else 0)
    body = "\n".join(text.split("\n")[start - 1 :])
    inner = _first(body, rf"[(,\s][\[\"`]?{re.escape(column)}\b")
    return start + max(0, inner - 1)


def _in_markdown(text: str, field: str) -> int:
    return _first(text, rf"^{re.escape(field.removeprefix('clause '))}[.)]\s", re.escape(field)) if field else 0


def _in_python(text: str, field: str) -> int:
    """A scenario's field is a table, or a table's column: its last mention in quotes is where the rows are handed on."""
    table = field.partition(".")[0]
    last = max(text.rfind(f'"{table}"'), text.rfind(f"'{table}'")) if table else -1
    return text.count("\n", 0, last) + 1 if last >= 0 else _first(text, r"^def (?:scenario|solve)\b")


_FINDERS: Mapping[str, Callable[[str, str], int]] = {
    ".yaml": locate,
    ".toml": _in_toml,
    ".sql": _in_sql,
    ".md": _in_markdown,
    ".py": _in_python,
}
