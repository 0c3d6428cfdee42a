"""What an agent is told of tools, read off their signatures and docstrings; and a state as tables of rows.

Takes functions; gives their name, doc, and arguments with a type out of a few (str, int, float, bool, list, dict, any),
whether required, choices (of a Literal or an Enum) and default. Promises never to raise for an odd signature: what can't be
read is `any`. Doesn't call a tool.

Standard library only, from Python 3.9: it is also loaded by path into interpreters that have nothing of ours.
"""

from __future__ import annotations

import collections.abc
import enum
import functools
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, Union

from .values import encode

__all__ = ["described", "fitted", "name_of", "tables"]

_KINDS = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_LISTS = (list, tuple, set, frozenset, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection)
_DICTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_UNIONS: tuple[Any, ...] = (Union, getattr(types, "UnionType", Union))


def name_of(tool: Any) -> str:
    """A tool's name."""
    while isinstance(tool, functools.partial):
        tool = tool.func
    name = getattr(tool, "__name__", None) or getattr(tool, "name", None)
    return name if isinstance(name, str) else type(tool).__name__


def described(tool: Callable[..., Any]) -> dict[str, Any]:
    """A tool as data: name, doc, args."""
    doc = getattr(tool, "__doc__", None)
    return {"name": name_of(tool), "doc": inspect.cleandoc(doc) if isinstance(doc, str) else "", "args": _arguments(tool)}


def fitted(tool: Callable[..., Any], args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments as the tool's annotations want them: the member of an Enum for its value."""
    fit = dict(args)
    for name, kind in _hints(tool).items() if args else ():
        bare, _ = _bare(kind)
        if name in fit and inspect.isclass(bare) and issubclass(bare, enum.Enum) and not isinstance(fit[name], bare):
            try:
                fit[name] = bare(fit[name])
            except (ValueError, TypeError):
                continue  # the tool says itself what is wrong with it
    return fit


def tables(state: Any) -> dict[str, Any]:
    """A state as JSON data: tables of rows. Raises TypeError if it isn't that."""
    if not isinstance(state, Mapping):
        raise TypeError(f"state() gave a {type(state).__name__}, not a dict of tables")
    return {str(name): _rows(str(name), rows) for name, rows in state.items()}


def _rows(table: str, rows: Any) -> list[Any]:
    if isinstance(rows, Mapping):
        return [_row(row, {"key": key}) for key, row in rows.items()]
    if isinstance(rows, (str, bytes)) or not isinstance(rows, collections.abc.Iterable):
        raise TypeError(f"state() gave a {type(rows).__name__} for {table}, not a list of rows")
    return [_row(row, {}) for row in rows]


def _row(row: Any, more: dict[str, Any]) -> dict[str, Any]:
    plain = {str(name): row[name] for name in row} if isinstance(row, Mapping) else None
    if plain is None and hasattr(row, "keys"):
        plain = {str(name): row[name] for name in row.keys()}  # noqa: SIM118 - sqlite3.Row iterates over its values
    if plain is None:
        loose = encode(row, loose=True)
        if isinstance(loose, dict) and not any(name.startswith("$") for name in loose):
            return {**more, **loose}
        return {**more, "value": loose}
    return {name: encode(value, loose=True) for name, value in {**more, **plain}.items()}


# ---- signatures


def _arguments(tool: Callable[..., Any]) -> list[dict[str, Any]]:
    try:
        parameters = inspect.signature(tool).parameters.values()
    except (ValueError, TypeError):
        return []
    hints = _hints(tool)
    return [_argument(one, hints.get(one.name, Any)) for one in parameters if one.kind in _KINDS]


def _argument(parameter: inspect.Parameter, hint: Any) -> dict[str, Any]:
    required = parameter.default is inspect.Parameter.empty
    kind, choices = _kind(hint)
    default = None if required else parameter.default
    return {"name": parameter.name, "type": kind, "required": required, "choices": list(choices), "default": default}


def _raw(tool: Callable[..., Any]) -> dict[str, Any]:
    found = getattr(_plain(tool), "__annotations__", None)
    return found if isinstance(found, dict) else {}


def _plain(tool: Any) -> Any:
    """The function that has the annotations."""
    while isinstance(tool, functools.partial):
        tool = tool.func
    called = getattr(type(tool), "__call__", None)  # noqa: B004 - the function itself is wanted
    if inspect.isfunction(called):
        tool = called
    return inspect.unwrap(tool) if inspect.isfunction(tool) else tool


def _hints(tool: Callable[..., Any]) -> dict[str, Any]:
    """Annotations with names resolved where they can be."""
    try:
        return typing.get_type_hints(_plain(tool))
    except Exception:  # noqa: BLE001 - foreign names; each is then tried by itself
        return {name: _resolved(tool, kind) for name, kind in _raw(tool).items()}


def _resolved(tool: Callable[..., Any], kind: Any) -> Any:
    if not isinstance(kind, str):
        return kind
    known = {**vars(typing), **getattr(_plain(tool), "__globals__", {})}
    try:
        found = eval(kind, known)
        return eval(found, known) if isinstance(found, str) else found
    except Exception:  # noqa: BLE001 - a name that isn't there, or syntax of a later Python
        return Any


def _bare(hint: Any) -> tuple[Any, bool]:
    """The hint without Annotated and Optional, and whether None was among its kinds."""
    while hasattr(hint, "__metadata__"):
        hint = hint.__origin__
    if typing.get_origin(hint) in _UNIONS:
        kinds = [kind for kind in typing.get_args(hint) if kind is not type(None)]
        if len(kinds) == 1:
            return _bare(kinds[0])[0], True
    return hint, False


def _kind(hint: Any) -> tuple[str, tuple[Any, ...]]:
    """The type's name, and the choices where it is closed."""
    hint, _ = _bare(hint)
    origin = typing.get_origin(hint)
    if origin is typing.Literal:
        choices = typing.get_args(hint)
        kinds = {type(choice) for choice in choices}
        return (_named(kinds.pop()) if len(kinds) == 1 else "any"), choices
    if inspect.isclass(hint) and issubclass(hint, enum.Enum):
        values = tuple(member.value for member in hint)
        kinds = {type(value) for value in values}
        return (_named(kinds.pop()) if len(kinds) == 1 else "any"), values
    return _named(origin or hint), ()


def _named(kind: Any) -> str:
    if not inspect.isclass(kind):
        return "any"
    for plain in (bool, int, float, str):
        if issubclass(kind, plain):
            return plain.__name__
    if kind in _LISTS or issubclass(kind, (list, tuple, set, frozenset)):
        return "list"
    if kind in _DICTS or issubclass(kind, dict) or hasattr(kind, "__total__"):
        return "dict"
    return "any"
