"""Tools for models without tools, with a scripted model below."""

from __future__ import annotations

import json

import pytest

from worldwright.model import Completion, Message, Request, ScriptedModel, Tool, ToolUse
from worldwright.model.constrained import ConstrainedModel

SCHEMA = {
    "type": "object",
    "properties": {
        "at": {"type": "string", "description": "Where.", "pattern": "^x+$", "format": "date"},
        "n": {"type": "integer", "minimum": 1.0, "default": 1},
        "which": {"type": "string", "enum": ["a", "b"]},
        "all": {"type": "array", "items": {"type": "string"}, "maxItems": 200},
    },
    "required": ["at"],
    "additionalProperties": False,
}
TOOLS = (Tool("look", "Look there.\nMore words.", SCHEMA), Tool("answer", "End.", {"type": "object", "properties": {}}))


def asked(*messages, tools=TOOLS):
    return Request("solver", "m", "Be good.", tuple(messages) or (Message("user", "Hi"),), tools)


def test_request_becomes_one_for_a_json_object():
    inner = ScriptedModel([Completion('{"tool": "look", "args": {"at": "x"}}', tokens_in=3, tokens_out=4)])
    got = ConstrainedModel(inner).complete(asked())
    assert got == Completion("", (ToolUse("call_1", "look", {"at": "x"}),), "calls", 3, 4)
    seen = inner.asked[0]
    assert seen.tools == ()
    assert "- look(at: string, n: integer, which: string, all: array): Look there." in seen.system
    first = seen.output["anyOf"][0]
    assert first["properties"]["tool"] == {"const": "look"}
    assert first["properties"]["args"] == {
        "type": "object",
        "required": ["at"],
        "properties": {
            "at": {"type": "string", "maxLength": 200},
            "n": {"type": "integer", "minimum": 1},
            "which": {"type": "string", "enum": ["a", "b"]},
            "all": {"type": "array", "items": {"type": "string", "maxLength": 200}, "maxItems": 20},
        },
        "additionalProperties": False,
    }


def test_conversation_is_told_in_plain_messages():
    inner = ScriptedModel([Completion("{}")])
    said = Message("assistant", "words", (ToolUse("a", "look", {"at": "x"}),))
    ConstrainedModel(inner).complete(asked(Message("user", "Hi"), said, Message("tool", '{"seen": "{{ 7 }}"}', call="a", tool="look")))
    messages = inner.asked[0].messages
    assert [one.role for one in messages] == ["user", "assistant", "user"]
    assert json.loads(messages[1].text) == {"tool": "look", "args": {"at": "x"}}
    assert messages[2].text == 'Result of look: {"seen": "{{ 7 }}"}'


@pytest.mark.parametrize("text", ["words", "[]", "{}", '{"tool": 1}', '{"tool": "look"'])
def test_reply_of_another_form_stays_text(text):
    got = ConstrainedModel(ScriptedModel([Completion(text)])).complete(asked())
    assert (got.text, got.calls) == (text, ())


def test_request_without_tools_passes_unchanged():
    inner = ScriptedModel([Completion("x")])
    request = asked(tools=())
    ConstrainedModel(inner).complete(request)
    assert inner.asked == [request]
