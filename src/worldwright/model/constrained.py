"""Tools for models that know none: each reply is held to a JSON schema, `{"tool": ..., "args": {...}}`.

Takes a Model that keeps to a request's `output` schema; gives a Model that takes requests with tools. The tools are told in
the system prompt, results come back as user's messages. Texts in the schema are bounded, so that a small model's reply ends.
Requests without tools pass unchanged. A reply that isn't such an object stays text: it calls nothing.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import msgspec

from worldwright import templates
from worldwright.model.protocol import Completion, Message, Model, Request, Tool, ToolUse

__all__ = ["ConstrainedModel"]

_LONGEST_TEXT = 200
_LONGEST_LIST = 20
_KEPT = ("type", "enum", "const", "minimum", "maximum", "required")


class ConstrainedModel:
    """Passes requests with tools on as requests for one JSON object."""

    def __init__(self, inner: Model) -> None:
        self.inner, self.name = inner, inner.name

    def complete(self, request: Request) -> Completion:
        """One completion, with at most one call. Raises ModelError."""
        if not request.tools:
            return self.inner.complete(request)
        told = "\n".join(_line(tool) for tool in request.tools)
        asked = msgspec.structs.replace(
            request,
            system=_prompt("constrained", system=request.system, tools=told),
            messages=tuple(_plain(one) for one in request.messages),
            tools=(),
            output={"anyOf": [_schema(tool) for tool in request.tools]},
        )
        got = self.inner.complete(asked)
        call = _call(got.text, len(request.messages))
        return got if call is None else msgspec.structs.replace(got, text="", calls=(call,), stop="calls")

    def close(self) -> None:
        """Close the model."""
        self.inner.close()


@functools.cache
def _template(name: str) -> str:
    return (Path(__file__).parent / "prompts" / f"{name}.md").read_text(encoding="utf-8")


def _prompt(name: str, **values: Any) -> str:
    return templates.render(_template(name), values, file=f"model/prompts/{name}.md").strip()


def _line(tool: Tool) -> str:
    args = ", ".join(f"{name}: {one.get('type', 'any')}" for name, one in tool.schema.get("properties", {}).items())
    return f"- {tool.name}({args}): {tool.doc.splitlines()[0] if tool.doc else ''}"


def _plain(one: Message) -> Message:
    """A message without calls or results of its own kind."""
    if one.role == "tool":
        return Message("user", _prompt("result", tool=one.tool, result=one.text))
    if one.calls:
        said = [msgspec.json.encode({"tool": call.tool, "args": call.args}).decode() for call in one.calls]
        return Message(one.role, "\n".join(said))
    return one


def _schema(tool: Tool) -> dict[str, Any]:
    properties = {"tool": {"const": tool.name}, "args": _bounded(tool.schema)}
    return {"type": "object", "properties": properties, "required": ["tool", "args"], "additionalProperties": False}


def _bounded(schema: dict[str, Any]) -> dict[str, Any]:
    """What a grammar can be made of: types, choices and bounds; no patterns, no formats, no words."""
    out = {key: schema[key] for key in _KEPT if key in schema}
    if schema.get("type") == "object":
        out["properties"] = {name: _bounded(one) for name, one in schema.get("properties", {}).items()}
        out["additionalProperties"] = False
    if schema.get("type") == "array":
        out["items"] = _bounded(schema.get("items", {"type": "string"}))
        out["maxItems"] = min(schema.get("maxItems", _LONGEST_LIST), _LONGEST_LIST)
    if schema.get("type") == "string" and "enum" not in schema:
        out["maxLength"] = min(schema.get("maxLength", _LONGEST_TEXT), _LONGEST_TEXT)
    if schema.get("type") == "integer":  # a grammar wants whole bounds
        out |= {key: int(out[key]) for key in ("minimum", "maximum") if key in out}
    return out


def _call(text: str, n: int) -> ToolUse | None:
    try:
        value = msgspec.json.decode(text)
    except msgspec.MsgspecError:
        return None
    if not isinstance(value, dict) or not isinstance(value.get("tool"), str):
        return None
    return ToolUse(f"call_{n}", value["tool"], value.get("args", {}))
