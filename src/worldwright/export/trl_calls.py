"""Generation held to calls of tools, for models that can't form them by themselves (extra `[trl]`).

Takes a model, its tokenizer and the TrlTasks it is trained on. While `held_to_calls` is open every message that `model.generate` writes
is one call of a tool of the row's own task, in the form `<tool_call>` that Qwen's chat templates and others share, with arguments that
fit the tool's schema; the last call that is allowed is the answer, and after the end of an attempt a message is empty. Texts and numbers
are bounded, so that a message ends. What a tool is, is read from the prompt, as the model reads it.
Does not promise the policy gradient of the held policy: TRL computes log-probabilities without the mask (see docs/exports.md).
Raises UsageError for a template without `<tools>`, a prompt of other tasks, and a schema that no grammar can be made of.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy
import torch
from llguidance import LLMatcher
from llguidance.hf import from_tokenizer
from transformers import LogitsProcessor, LogitsProcessorList
from transformers.utils import get_json_schema

from worldwright.errors import UsageError
from worldwright.export.trl_environment import Environment, TrlTasks
from worldwright.export.trl_tools import Tool

__all__ = ["held_to_calls"]

_LONGEST_TEXT = 40
_LONGEST_LIST = 5
_LARGEST = 999_999
_KEPT = ("type", "enum", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern", "required")
_DAY = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])"
_HOUR = r"([01]\d|2[0-3]):[0-5]\d"
_FORMS = {"date": f"^{_DAY}$", "date-time": f"^{_DAY}T{_HOUR}:00$", "time": f"^{_HOUR}$"}
_TOOLS = ("<tools>\n", "\n</tools>")
_RESULT = ("<tool_response>\n", "\n</tool_response>")


@contextmanager
def held_to_calls(model: Any, tokenizer: Any, tasks: TrlTasks, turns: int) -> Iterator[None]:
    """Hold `model.generate` to calls while this is open; the `turns`-th message of an attempt can only be its answer."""
    if not all(mark.strip() in (tokenizer.chat_template or "") for mark in (*_TOOLS, _RESULT[0], "<tool_call>")):
        raise UsageError(
            "the chat template doesn't write <tools>, <tool_call> and <tool_response> (give the tokenizer Qwen2.5's or Qwen3's)"
        )
    grammars, inner = _Grammars(tokenizer, tasks, turns), model.generate

    def generate(**given: Any) -> Any:
        calls = _CallsOnly(grammars, tokenizer, given["input_ids"], given.get("attention_mask"))
        return inner(**given, logits_processor=LogitsProcessorList([calls]))

    model.generate = generate
    try:
        yield
    finally:
        model.generate = inner


class _Grammars:
    """For a prompt, what the next message may be."""

    def __init__(self, tokenizer: Any, tasks: TrlTasks, turns: int) -> None:
        self._tasks, self._turns, self._tokens = tasks, turns, from_tokenizer(tokenizer)
        self._known = {_shown([get_json_schema(getattr(one, tool.name)) for tool in one._tools]): one for one in _unlike(tasks)}
        self._made: dict[str, Any] = {}

    def matcher(self, prompt: str) -> Any | None:
        """A fresh matcher, or None where the message is to be empty."""
        if _within(prompt, _RESULT, last=True) in self._tasks.closing:
            return None
        task = self._known.get(_shown([json.loads(line) for line in (_within(prompt, _TOOLS) or "").splitlines()]))
        if task is None:
            raise UsageError("a prompt shows tools of no task that is trained on (its rows and the environments belong to one TrlTasks)")
        is_last = prompt.count(_RESULT[0]) + 1 >= self._turns
        grammar = _grammar(task._tools[-1:] if is_last else task._tools)
        if grammar not in self._made:
            made = LLMatcher(self._tokens, grammar)
            if made.is_error():
                raise UsageError(f"{task._where}: no grammar can be made of its tools: {made.get_error()}")
            self._made[grammar] = made
        return self._made[grammar].deep_copy()


class _CallsOnly(LogitsProcessor):
    """The mask of one run of `generate`. Shapes: ids (rows, tokens so far), scores (rows, vocabulary)."""

    def __init__(self, grammars: _Grammars, tokenizer: Any, ids: Any, mask: Any) -> None:
        self._end, self._from = tokenizer.eos_token_id, ids.shape[1]
        kept = ids if mask is None else [row[seen.bool()] for row, seen in zip(ids, mask, strict=True)]
        self._matchers = [grammars.matcher(tokenizer.decode(row)) for row in kept]

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        out = torch.full_like(scores, -torch.inf)
        for n, matcher in enumerate(self._matchers):
            if matcher is not None and input_ids.shape[1] > self._from and not matcher.consume_token(int(input_ids[n, -1])):
                raise RuntimeError(f"a token outside the grammar was taken: {matcher.get_error()}")
            if matcher is None or matcher.is_stopped():
                self._matchers[n] = None  # this row has ended; what follows is padding
                out[n, self._end] = 0.0
                continue
            bits = numpy.unpackbits(numpy.frombuffer(matcher.compute_bitmask(), numpy.uint8), bitorder="little")
            allowed = torch.from_numpy(bits.astype(bool)).to(scores.device)[: scores.shape[1]]
            out[n, : len(allowed)] = scores[n, : len(allowed)].masked_fill(~allowed, -torch.inf)
        return out


def _unlike(tasks: TrlTasks) -> list[Environment]:
    return [kind() for kind in tasks.environments.values()]


def _shown(tools: list[Any]) -> str:
    """Tools as they are compared, in whatever order (TRL sorts them): two tasks that show the same are held to the same."""
    return "\n".join(sorted(json.dumps(tool, sort_keys=True) for tool in tools))


def _within(text: str, marks: tuple[str, str], last: bool = False) -> str | None:
    """What stands between the marks, or None."""
    start = text.rfind(marks[0]) if last else text.find(marks[0])
    end = text.find(marks[1], start)
    return text[start + len(marks[0]) : end] if 0 <= start < end else None


def _grammar(tools: tuple[Tool, ...]) -> str:
    """One call, in Lark with its JSON inside; without freedom in white space, in which a small model would lose itself."""
    calls = [
        {
            "type": "object",
            "properties": {"name": {"const": tool.name}, "arguments": _bounded(tool.schema)},
            "required": ["name", "arguments"],
            "additionalProperties": False,
        }
        for tool in tools
    ]
    form = {"anyOf": calls, "x-guidance": {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}}
    grammar: str = LLMatcher.grammar_from_lark(f'start: "<tool_call>\\n" call "\\n</tool_call>"\ncall: %json {json.dumps(form)}\n')
    return grammar


def _bounded(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with an end to every text, list and number, and formats as patterns."""
    out = {key: schema[key] for key in _KEPT if key in schema}
    kind = schema.get("type")
    if "enum" in schema:
        return out
    if kind == "object":
        out |= {"properties": {name: _bounded(one) for name, one in schema.get("properties", {}).items()}, "additionalProperties": False}
    elif kind == "array":
        out |= {"items": _bounded(schema["items"]), "maxItems": min(schema.get("maxItems", _LONGEST_LIST), _LONGEST_LIST)}
    elif kind == "string" and schema.get("format") in _FORMS:
        out = {"type": "string", "pattern": _FORMS[schema["format"]]}
    elif kind == "string" and "pattern" not in schema:
        out["maxLength"] = max(min(schema.get("maxLength", _LONGEST_TEXT), _LONGEST_TEXT), schema.get("minLength", 0))
    elif kind in ("integer", "number"):
        whole = int if kind == "integer" else float
        least = whole(schema.get("minimum", -_LARGEST))
        out |= {"minimum": least, "maximum": max(least, whole(schema.get("maximum", _LARGEST)))}
    return out
