"""How many tokens a prompt and its tools take, roughly: an estimate without any model's vocabulary.

Takes text and tool descriptions; gives counts that are the same everywhere and need no download. Text is cut as GPT's
pre-tokenisers cut it (words with the space before them, up to three digits, runs of punctuation, white space), and a piece that
a vocabulary is unlikely to hold whole is cut further. Tools are counted as compact JSON in the form of OpenAI's chat
completions. It is an estimate: a given model's own count differs, most for text that is not English. Against the
vocabularies cl100k_base and o200k_base, over the example packs, prompts and handbooks come out 1 to 2 % high in total (-4 to
+6 % each), tools 5 to 7 % high (-4 to +15 %), results of calls 6 % low (rows of short numbers down to -32 %).
"""

from __future__ import annotations

import re

import msgspec

from worldwright.solver.trace import json_text
from worldwright.task import Prompt
from worldwright.world.arguments import openai_tool
from worldwright.world.protocol import ToolDoc

__all__ = ["TokenCounts", "count_prompt", "count_text", "count_tool"]

_WHOLE = 9
"""A word of up to so many letters is taken to be one token; the rest of a longer one costs a token every `_PART` letters."""
_PART = 4
_MARKS = 4
"""A run of punctuation costs a token every so many marks; an underscore goes with the word after it."""
_FOREIGN = 2
"""Letters beyond ASCII: characters a token."""
_PIECES = re.compile(
    r"(?P<word>[ _]?[A-Za-z]+)|(?P<digits> ?\d{1,3})|(?P<foreign> ?[^\W\d_]+)|(?P<marks> ?(?:[^\s\w]|_)+)|(?P<space>\s+)",
)


class TokenCounts(msgspec.Struct, frozen=True):
    """Estimated tokens of a prompt; `tools` by name, `total` all of it."""

    text: int
    tools: dict[str, int]

    @property
    def total(self) -> int:
        """Text and tools together."""
        return self.text + sum(self.tools.values())


def count_text(text: str) -> int:
    """Estimated tokens of a text."""
    return sum(_cost(str(found.lastgroup), len(found.group().lstrip(" "))) for found in _PIECES.finditer(text))


def count_tool(tool: ToolDoc) -> int:
    """Estimated tokens of a tool's description, in the form of OpenAI's chat completions."""
    return count_text(json_text(openai_tool(tool)))


def count_prompt(prompt: Prompt) -> TokenCounts:
    """Estimated tokens of all that an agent is told at the start: system, instruction, opening messages, tools."""
    texts = [prompt.system, prompt.instruction, *(part for turn in prompt.opening for part in turn)]
    return TokenCounts(sum(map(count_text, texts)), {tool.name: count_tool(tool) for tool in prompt.tools})


def _cost(kind: str, length: int) -> int:
    if kind == "word":
        return 1 if length <= _WHOLE else 1 - (_WHOLE - length) // _PART
    if kind == "marks":
        return -(-length // _MARKS)
    return -(-length // _FOREIGN) if kind == "foreign" else 1
