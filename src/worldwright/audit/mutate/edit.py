"""Records with one thing in them changed: `put(spec, ("expect", 0, "rows"), text)`.

Takes a frozen record and a path of field names, list places and keys; gives a record with that value there, or without
the list's or mapping's entry if the value is GONE. The rest is shared.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec

__all__ = ["GONE", "Path", "put"]

T = TypeVar("T")
Path = tuple[str | int, ...]

GONE: Final = object()
"""Stands for no entry."""


def put(thing: T, path: Path, value: Any) -> T:
    """`thing` with `value` at `path`."""
    return _put(thing, path, value)  # type: ignore[no-any-return]


def _put(thing: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    head, rest = path[0], path[1:]
    if isinstance(thing, list):
        assert isinstance(head, int)
        inner = _put(thing[head], rest, value)
        return [*thing[:head], *([] if inner is GONE else [inner]), *thing[head + 1 :]]
    if isinstance(thing, dict):
        changed = {key: _put(one, rest, value) if key == head else one for key, one in thing.items()}
        return {key: one for key, one in changed.items() if one is not GONE}
    return msgspec.structs.replace(thing, **{str(head): _put(getattr(thing, str(head)), rest, value)})
