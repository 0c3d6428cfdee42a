"""A reward function and its rows, for tools that don't call reward functions as trainers do.

Takes an item of the form `reward`; gives rows (prompt, answer) and the reward of a completion for a row. Functions named with
+ are summed with the item's weights. Columns are passed by name as far as the function takes them. Standard library only.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any, NamedTuple

from episodes import module_of

PROMPTS = ("prompt", "question", "problem", "query", "instruction", "input", "text")
ANSWERS = (
    "answer", "solution", "ground_truth", "gold", "target", "label", "reference", "expected", "final_answer", "expected_answer",
    "gold_answer", "correct_answer", "output", "response",
)  # fmt: skip


class Row(NamedTuple):
    """A row as text."""

    prompt: str
    answer: str
    columns: dict[str, Any]


class Rewards:
    """See the module."""

    def __init__(self, item: dict[str, Any]) -> None:
        module = module_of(item["file"])
        self._functions = [getattr(module, name) for name in item["function"].split("+")]
        self._weights = item.get("weights") or [1.0] * len(self._functions)
        lines = Path(item["dataset"]).read_text(encoding="utf-8").splitlines()
        read = [json.loads(line) for line in lines if line.strip()]
        taken = [name for function in self._functions for name in inspect.signature(function).parameters]
        self._prompt = next(name for name in PROMPTS if name in read[0])
        columns = [name for name in taken if name in read[0] and name not in (self._prompt, "prompts", "completions")]
        self._answer = next((name for name in [*ANSWERS, *columns] if name in read[0] and (name in columns or name in ANSWERS)), "")
        self.chat = isinstance(read[0][self._prompt], list)
        self.rows = [Row(_text(row[self._prompt]), _answer(row.get(self._answer)), row) for row in read]

    def reward(self, n: int, completion: str) -> float:
        """The weighted sum for a completion of row `n`."""
        row = self.rows[n].columns
        said = [{"role": "assistant", "content": completion}] if self.chat else completion
        told = {name: [value] for name, value in row.items()} | {"prompts": [row[self._prompt]], "completions": [said]}
        total = 0.0
        for function, weight in zip(self._functions, self._weights, strict=True):
            parameters = inspect.signature(function).parameters
            open_ended = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
            value = function(**{name: one for name, one in told.items() if open_ended or name in parameters})[0]
            total += weight * (0.0 if value is None else float(value))
        return total


def _text(prompt: Any) -> str:
    return prompt if isinstance(prompt, str) else "\n".join(str(turn.get("content") or "") for turn in prompt)


def _answer(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if "####" in text and (len(text) > 60 or "\n" in text):
        return text.rsplit("####", 1)[1].strip()
    return text.strip()
