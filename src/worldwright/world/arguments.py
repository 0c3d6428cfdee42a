"""Typed arguments: compiled validators, and the shapes in which models know tools.

An argument's spec becomes a closure that gives the value to bind, or raises ValueError with words for the agent.
Validators are strict (a number in quotes is not a number) and say what was expected and what was got.
"""

from __future__ import annotations

import datetime
import functools
import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from worldwright.errors import PackError
from worldwright.world.patterns import LENGTH, compile_pattern
from worldwright.world.protocol import ToolDoc
from worldwright.world.spec import ArgSpec

__all__ = ["Validator", "compile_arguments", "compile_value", "json_schema", "mcp_tool", "openai_tool", "shown", "typed_default"]

Check = Callable[[Any], Any]
Validator = Callable[[Any], dict[str, Any]]

TEXT_LENGTH = 2_000
LIST_LENGTH = 200
MESSAGE_LENGTH = 290
_INT = 2**63
_CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?\Z", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d\Z", re.ASCII)
_DATETIME = re.compile(r"\d{4}-\d\d-\d\d[T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?\Z", re.ASCII)


def compile_arguments(name: str, specs: Mapping[str, ArgSpec], file: str = "", field: str = "") -> Validator:
    """A function from a call's arguments to the values to bind (every argument present; absent optional = None)."""
    checks = {arg: compile_value(spec, f"{field or f'tools.{name}.args'}.{arg}", file) for arg, spec in specs.items()}
    defaults = {arg: typed_default(spec) for arg, spec in specs.items() if spec.default is not msgspec.UNSET or spec.optional}

    def validate(args: Any) -> dict[str, Any]:
        try:
            if args.__class__ is dict and args.keys() == checks.keys():
                bound = {arg: check(args[arg]) for arg, check in checks.items() if args[arg] is not None}
                if len(bound) == len(checks):
                    return bound
            return _bound(args, checks, defaults)
        except ValueError:
            pass
        try:
            return _bound(args, checks, defaults)
        except ValueError as fault:
            raise ValueError(_brief(f"{name}: {fault}")) from None

    return validate


def _bound(args: Any, checks: Mapping[str, Check], defaults: Mapping[str, Any]) -> dict[str, Any]:
    if args.__class__ is not dict and not isinstance(args, Mapping):
        raise ValueError(f"arguments must be an object, got {shown(args)}.")
    for arg in args:
        if arg not in checks:
            raise ValueError(f"unknown argument {shown(arg)}. Its arguments: {', '.join(checks) or 'none'}.")
    out: dict[str, Any] = {}
    arg = ""
    try:
        for arg, check in checks.items():
            if arg in defaults and args.get(arg) is None:
                out[arg] = defaults[arg]
            elif arg in args:
                out[arg] = check(args[arg])
            else:
                break
        else:
            return out
    except ValueError as fault:
        raise ValueError(f"argument '{arg}': {fault}") from None
    raise ValueError(f"the argument '{arg}' is missing. Its arguments: {', '.join(checks)}.")


def typed_default(spec: ArgSpec) -> Any:
    """The default as a value to bind, typed by the argument."""
    if spec.default is msgspec.UNSET:
        return None
    if isinstance(spec.default, list):
        return json.dumps([_typed(item, spec.items or ArgSpec()) for item in spec.default])
    return _typed(spec.default, spec)


def _typed(text: str, spec: ArgSpec) -> Any:
    if spec.type == "integer":
        return int(text)
    if spec.type == "number":
        return float(text)
    return {"true": 1, "false": 0}[text] if spec.type == "boolean" else text


def compile_value(spec: ArgSpec, field: str = "", file: str = "") -> Check:
    """A function from one JSON value to the value to bind; raises ValueError in words for the agent."""
    try:
        enum = [_typed(text, spec) for text in spec.enum] if spec.enum is not None else None
        pattern = _pattern(spec, field, file)
        check = _narrowed(_BASE[spec.type](spec, field, file), enum, pattern, spec)
        if spec.default is not msgspec.UNSET:
            check(_plain_default(spec))
    except (ValueError, KeyError) as fault:
        raise PackError(f"the enum or default doesn't fit the type {spec.type}: {fault}", file=file, field=field) from fault
    return check


def _pattern(spec: ArgSpec, field: str, file: str) -> re.Pattern[str] | None:
    try:
        return compile_pattern(spec.pattern, _longest(spec)) if spec.pattern else None
    except ValueError as fault:
        raise PackError(str(fault), file=file, field=f"{field}.pattern", expected="a regular expression that no text makes slow") from fault


def _narrowed(base: Check, enum: list[Any] | None, pattern: re.Pattern[str] | None, spec: ArgSpec) -> Check:
    if enum is None and pattern is None:
        return base

    def narrowed(value: Any) -> Any:
        got = base(value)
        if enum is not None and got not in enum:
            raise ValueError(_brief(f"expected one of {', '.join(spec.enum or ())}, got {shown(value)}", shown(value)))
        if pattern is not None and not pattern.fullmatch(str(got)):
            raise ValueError(_brief(f"expected text of the form {spec.pattern}, got {shown(value)}", shown(value)))
        return got

    return narrowed


def _plain_default(spec: ArgSpec) -> Any:
    """The default as a call would send it."""
    if isinstance(spec.default, list):
        return json.loads(typed_default(spec))
    value = typed_default(spec)
    return bool(value) if spec.type == "boolean" else value


def _brief(text: str, ending: str = "") -> str:
    """A message of bearable length; what was got stands at its end."""
    if len(text) <= MESSAGE_LENGTH - len(ending):
        return text
    return f"{text[: MESSAGE_LENGTH - len(ending) - 40]} ..." + (f", got {ending}" if ending else "")


def _longest(spec: ArgSpec) -> int:
    """The most characters of a text."""
    return spec.max_length if spec.max_length is not None else LENGTH if spec.pattern else TEXT_LENGTH


def _string(spec: ArgSpec, field: str, file: str) -> Check:
    least, most = spec.min_length or 0, _longest(spec)
    form = _FORMS.get(spec.format or "")

    def check(value: Any) -> Any:
        if not isinstance(value, str):
            raise ValueError(f"expected text, got {shown(value)}")
        if len(value) > most or len(value) < least:
            raise ValueError(f"expected {least} to {most} characters, got {len(value)}")
        if "\x00" in value:
            raise ValueError("text can't contain NUL characters")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError("text must be valid Unicode") from None
        return form(value) if form else value

    return check


def _date(value: str) -> str:
    """An ISO date, as it is."""
    try:
        if not _DATE.match(value):
            raise ValueError
        return datetime.date.fromisoformat(value).isoformat()
    except ValueError:
        raise ValueError(f"expected a date like 2026-03-30, got {shown(value)}") from None


def _datetime(value: str) -> str:
    """An ISO date and time without a zone (the world's own time), to the second."""
    try:
        if not _DATETIME.match(value):
            raise ValueError
        return datetime.datetime.fromisoformat(value).replace(microsecond=0).isoformat()
    except ValueError:
        raise ValueError(f"expected a time like 2026-03-30T09:00:00, got {shown(value)}") from None


def _time(value: str) -> str:
    if not _CLOCK.match(value):
        raise ValueError(f"expected a time of day like 09:30, got {shown(value)}")
    return value


_FORMS: dict[str, Callable[[str], str]] = {"date": _date, "datetime": _datetime, "time": _time}


def _numeric(spec: ArgSpec, field: str, file: str) -> Check:
    least, most, whole = spec.minimum, spec.maximum, spec.type == "integer"
    bounded = least is not None or most is not None

    def check(value: Any) -> Any:
        if value.__class__ is int and not bounded and -_INT <= value < _INT:
            return value
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ValueError(f"expected {'a whole number' if whole else 'a number'}, got {shown(value)}")
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError("expected a finite number")
        if whole and isinstance(value, float):
            if not value.is_integer():
                raise ValueError(f"expected a whole number, got {shown(value)}")
            value = int(value)
        if isinstance(value, int) and not -_INT <= value < _INT:
            raise ValueError("the number is too large")
        if (least is not None and value < least) or (most is not None and value > most):
            raise ValueError(f"expected {_span(least, most)}, got {shown(value)}")
        return value

    return check


def _span(least: float | None, most: float | None) -> str:
    if most is None:
        return f"at least {least:g}"
    return f"at most {most:g}" if least is None else f"{least:g} to {most:g}"


def _boolean(spec: ArgSpec, field: str, file: str) -> Check:
    def check(value: Any) -> int:
        if not isinstance(value, bool):
            raise ValueError(f"expected true or false, got {shown(value)}")
        return int(value)

    return check


def _list(spec: ArgSpec, field: str, file: str) -> Check:
    if spec.items is not None and spec.items.type in ("object", "list"):
        raise PackError(
            f"a list of {spec.items.type}s can't be bound", file=file, field=f"{field}.items", expected="items of a simple type"
        )
    item = compile_value(spec.items or ArgSpec(), f"{field}.items", file)
    least, most = spec.min_length or 0, LIST_LENGTH if spec.max_length is None else spec.max_length

    def check(value: Any) -> str:
        if not isinstance(value, (list, tuple)):
            raise ValueError(f"expected a list, got {shown(value)}")
        if not least <= len(value) <= most:
            raise ValueError(f"expected {least} to {most} items, got {len(value)}")
        return json.dumps([item(one) for one in value])

    return check


def _alias(form: str) -> Callable[[ArgSpec, str, str], Check]:
    """The types `date` and `datetime` are text of that format."""

    def build(spec: ArgSpec, field: str, file: str) -> Check:
        return _string(msgspec.structs.replace(spec, format=form), field, file)

    return build


def _object(spec: ArgSpec, field: str, file: str) -> Check:
    def check(value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise ValueError(f"expected an object, got {shown(value)}")
        return value

    return check


_BASE: dict[str, Callable[[ArgSpec, str, str], Check]] = {
    "string": _string,
    "integer": _numeric,
    "number": _numeric,
    "boolean": _boolean,
    "list": _list,
    "date": _alias("date"),
    "datetime": _alias("datetime"),
    "object": _object,
}


def shown(value: Any) -> str:
    """A value as it is quoted back to the agent: never long, never failing."""
    if isinstance(value, str):
        return f"'{value[:40]}{'...' if len(value) > 40 else ''}'".encode(errors="replace").decode()
    if value is None or isinstance(value, (bool, float)):
        return json.dumps(value)
    if isinstance(value, int):
        return str(value) if -_INT <= value < _INT else "a huge number"
    return "a list" if isinstance(value, (list, tuple)) else "an object" if isinstance(value, Mapping) else type(value).__name__


_JSON_TYPE = {"date": "string", "datetime": "string", "list": "array"}
_JSON_FORMAT = {"datetime": "date-time"}


@functools.singledispatch
def json_schema(thing: Any) -> dict[str, Any]:
    """JSON schema of an argument, or of all arguments of a tool."""
    raise TypeError(type(thing).__name__)


@json_schema.register
def _(spec: ArgSpec) -> dict[str, Any]:
    out: dict[str, Any] = {"type": _JSON_TYPE.get(spec.type, spec.type)}
    form = spec.format or (spec.type if spec.type in ("date", "datetime") else None)
    lengths = ("minItems", "maxItems") if spec.type == "list" else ("minLength", "maxLength")
    pairs = {
        "description": spec.doc or None,
        "enum": [_typed(text, spec) if spec.type != "boolean" else text == "true" for text in spec.enum] if spec.enum else None,
        "minimum": spec.minimum,
        "maximum": spec.maximum,
        lengths[0]: spec.min_length,
        lengths[1]: spec.max_length,
        "pattern": f"^(?:{spec.pattern})$" if spec.pattern else None,
        "format": _JSON_FORMAT.get(form or "", form),
        "items": json_schema(spec.items or ArgSpec()) if spec.type == "list" else None,
    }
    out.update({key: value for key, value in pairs.items() if value is not None})
    if spec.default is not msgspec.UNSET:
        out["default"] = _plain_default(spec)
    return out


@json_schema.register
def _(tool: ToolDoc) -> dict[str, Any]:
    required = [name for name, spec in tool.args.items() if spec.default is msgspec.UNSET and not spec.optional]
    return {
        "type": "object",
        "properties": {name: json_schema(spec) for name, spec in tool.args.items()},
        "required": required,
        "additionalProperties": False,
    }


def openai_tool(tool: ToolDoc) -> dict[str, Any]:
    """The tool in the form of OpenAI's chat completions."""
    return {"type": "function", "function": {"name": tool.name, "description": tool.doc, "parameters": json_schema(tool)}}


def mcp_tool(tool: ToolDoc) -> dict[str, Any]:
    """The tool in the form of MCP's `tools/list`."""
    return {
        "name": tool.name,
        "description": tool.doc,
        "inputSchema": json_schema(tool),
        "annotations": {"readOnlyHint": not tool.writes},
    }
