"""Tools of a task as methods that transformers can read a schema from, for it takes a tool's schema from a Python function alone.

Takes a task; gives its Tools, the one that ends it last, and for each a method with its name, hints and a docstring in Google's style.
What a hint can't say (bounds, patterns, formats, defaults) is said in the argument's description, so that nothing is lost to the model.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, cast

import msgspec

from worldwright.export.answering import NAMES
from worldwright.pack.read import PackTask
from worldwright.rollout.collect import answer_schema
from worldwright.solver.talk import prompt_text
from worldwright.world.arguments import json_schema
from worldwright.world.protocol import ToolDoc

__all__ = ["Tool", "method_of", "tools_of"]

_NOTHING: dict[str, Any] = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
_HINTS: Mapping[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool, "object": dict}
_TOLD = ("format", "pattern", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "default")
"""What a schema can say and a type hint can't; it goes into the argument's description."""


class Tool(msgspec.Struct, frozen=True):
    """A tool of a task; `schema` is that of all its arguments. The last tool of a task is the one that ends it."""

    name: str
    doc: str
    schema: dict[str, Any]


def tools_of(entry: PackTask) -> tuple[Tool, ...]:
    """The world's tools for this task, and the one that ends it."""
    docs = entry.task.world.tools(entry.task.brief.parties)
    finish = next(name for name in NAMES if name not in {doc.name for doc in docs})
    asked = answer_schema(entry)
    last = Tool(finish, prompt_text("finish", asked=asked is not None, finish=finish), asked or _NOTHING)
    return (*map(_tool, docs), last)


def _tool(doc: ToolDoc) -> Tool:
    return Tool(doc.name, doc.doc.strip(), json_schema(doc))


def method_of(tool: Tool) -> Callable[..., str]:
    """A method that transformers reads as this tool: name, one-line description, hints, and a description of each argument.

    It takes whatever it is given, so that what is wrong with the arguments is for the world to say.
    """

    def method(self: Any, /, **args: Any) -> str:
        text: str = self._called(tool.name, args)
        return text

    properties: dict[str, Any] = tool.schema["properties"]
    hints = {name: _hint(schema) for name, schema in properties.items()}
    kind = inspect.Parameter.POSITIONAL_ONLY  # of these alone a name may be a keyword of Python
    needed = set(tool.schema["required"])
    parameters = [inspect.Parameter(name, kind, annotation=hints[name]) for name in properties if name in needed]
    parameters += [inspect.Parameter(name, kind, annotation=hints[name], default=None) for name in properties if name not in needed]
    lines = [f"    {name}: {_description(name, schema)}" for name, schema in properties.items()]
    method.__name__, method.__qualname__ = tool.name, f"Environment.{tool.name}"
    method.__doc__ = "\n".join([_plain(tool.doc) or tool.name, *(["", "Args:", *lines] if lines else [])])
    method.__annotations__ = hints
    cast(Any, method).__signature__ = inspect.Signature([inspect.Parameter("self", kind), *parameters])
    return method


def _hint(schema: Mapping[str, Any]) -> Any:
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    if schema.get("type") == "array":
        return list[_hint(schema["items"])]  # type: ignore[misc]
    return _HINTS[schema["type"]]


def _description(name: str, schema: Mapping[str, Any]) -> str:
    """What is said of an argument; never empty, for transformers would take the next argument for it."""
    told = {key: int(value) if isinstance(value, float) and value.is_integer() else value for key, value in schema.items()}
    bounds = "; ".join(f"{key} {json.dumps(told[key], ensure_ascii=False)}" for key in _TOLD if key in told)
    return " ".join(part for part in (_plain(schema.get("description", "")) or name, f"({bounds})" if bounds else "") if part)


def _plain(text: str) -> str:
    """One line without the words at which transformers cuts a docstring up."""
    return re.sub(r"\b(Args|Returns|Raises):", r"\1 -", " ".join(text.split()))
