"""The answer as a call of a tool, the way the `chat` solver lets a model end its work.

Takes a Trajectory; gives one whose tools have one more, with the form of the answer that the brief asks for, whose system message says to
call it, and whose last message calls it where the attempt was answered. What is learnt from it then fits what `chat` shows a model.
Does not promise the whole of such a conversation: what people say by themselves stays as it is stored.
"""

from __future__ import annotations

from typing import Any

import msgspec

from worldwright.export.account import Rule
from worldwright.rollout import Trajectory
from worldwright.solver.talk import prompt_text
from worldwright.solver.trace import ChatMessage, Function, ToolCall, json_text
from worldwright.world.protocol import StopReason

__all__ = ["ANSWERING", "FORM", "NAMES", "answering"]

FORM = Rule(
    "the form of the answer",
    "set aside",
    "metadata; no message tells it (--answer-tool writes it as a tool)",
    lambda one: one.answer_schema is not None,
)
ANSWERING = Rule("the answer, the system message, the tools", "changed", "--answer-tool: the answer is a call of one tool more")
NAMES = ("answer", "give_answer", "end_with_answer")
"""What the tool that answers is called: the first name that no tool of the world has, as `chat` chooses it."""
_NOTHING = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def answering(one: Trajectory) -> Trajectory:
    """The same attempt with the answer as a call; `id` stays that of the stored trace."""
    trace = one.trace
    there = {tool["function"]["name"] for tool in trace.tools}
    name = next(name for name in NAMES if name not in there)
    words: dict[str, Any] = {"asked": one.answer_schema is not None, "finish": name}
    form = {"name": name, "description": prompt_text("finish", **words), "parameters": one.answer_schema or _NOTHING}
    messages = list(trace.messages)
    if messages and messages[0].role == "system":
        messages[0] = msgspec.structs.replace(messages[0], content=prompt_text("chat", system=messages[0].content, **words))
    if messages and trace.stop == StopReason.ANSWERED and messages[-1].role == "assistant" and not messages[-1].tool_calls:
        messages[-1] = _call(messages[-1], name, trace.answer, sum(len(message.tool_calls) for message in messages) + 1)
    tools = (*trace.tools, {"type": "function", "function": form})
    return msgspec.structs.replace(one, trace=msgspec.structs.replace(trace, messages=tuple(messages), tools=tools))


def _call(last: ChatMessage, name: str, answer: dict[str, Any] | None, number: int) -> ChatMessage:
    """The last message as a call; words that only repeat the answer are left out."""
    words = "" if last.content == json_text(answer) else last.content
    return msgspec.structs.replace(
        last, content=words, tool_calls=(ToolCall(f"call_{number}", Function(name, json_text({} if answer is None else answer))),)
    )
