"""How a state differs from another: changed rows, told apart by a key of their table.

Takes tables as rows before and after; gives Changes, in the order of tables and keys. A table's key is the first of its
columns (id, key, name, ..., then the others in their order) that every row has and no two rows share, before and after; a
table without one is compared as a multiset of rows. Promises that the order of rows doesn't matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from worldwright.audit.subject import Change

__all__ = ["changes"]

Rows = Sequence[Mapping[str, Any]]
_LIKELY = ("id", "key", "name", "code", "number", "no", "ref", "sku", "uid", "uuid", "slug", "path", "email")


def changes(tables: Mapping[str, tuple[Rows, Rows]], keys: Mapping[str, Mapping[str, Sequence[str]]] | None = None) -> tuple[Change, ...]:
    """The changes of every table, given as its rows before and after.

    `keys`, by table: its `columns` and those that are `unique`, where the rows given are only some.
    """
    return tuple(change for name in sorted(tables) for change in _of_table(name, *tables[name], (keys or {}).get(name)))


def _of_table(table: str, before: Rows, after: Rows, keys: Mapping[str, Sequence[str]] | None) -> Iterator[Change]:
    key = _key(table, before, after, keys)
    if key is None:
        yield from _of_multiset(table, before, after)
        return
    old = {_text(row[key]): row for row in before}
    new = {_text(row[key]): row for row in after}
    for name in sorted({**old, **new}):
        if name not in new:
            yield Change(table, "delete", name, dict(old[name]), {})
        elif name not in old:
            yield Change(table, "insert", name, {}, dict(new[name]))
        else:
            yield from _of_row(table, name, old[name], new[name])


def _of_row(table: str, key: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    names = [name for name in {**old, **new} if name not in old or name not in new or not _same(old[name], new[name])]
    if names:
        was = {name: old[name] for name in names if name in old}
        yield Change(table, "update", key, was, {name: new[name] for name in names if name in new})


def _of_multiset(table: str, before: Rows, after: Rows) -> Iterator[Change]:
    old, new = Counter(map(_row_text, before)), Counter(map(_row_text, after))
    rows = {_row_text(row): dict(row) for row in (*before, *after)}
    for text in sorted((old - new).elements()):
        yield Change(table, "delete", text, rows[text], {})
    for text in sorted((new - old).elements()):
        yield Change(table, "insert", text, {}, rows[text])


def _key(table: str, before: Rows, after: Rows, keys: Mapping[str, Sequence[str]] | None) -> str | None:
    columns = list(keys["columns"]) if keys else list(dict.fromkeys(name for row in (*before, *after) for name in row))
    own = [name for name in (f"{table}_id", f"{table.rstrip('s')}_id") if name in columns]
    likely = [name for name in _LIKELY if name in columns]
    ids = [name for name in columns if name.endswith("_id")]
    for name in dict.fromkeys((*likely[:2], *own, *likely, *ids, *columns)):
        if name in keys["unique"] if keys else all(_is_key(name, rows) for rows in (before, after)):
            return name
    return None


def _is_key(column: str, rows: Rows) -> bool:
    values = [row.get(column) for row in rows]
    return None not in values and len({_text(value) for value in values}) == len(values)


def _same(one: Any, other: Any) -> bool:
    """Equal as a state is: a number whatever its type, but no truth value for a number."""
    return bool((one == other and isinstance(one, bool) == isinstance(other, bool)) or (one != one and other != other))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)


def _row_text(row: Mapping[str, Any]) -> str:
    return repr(sorted(row.items()))
