"""A reward function over prompts and completions, as an environment: one case, and a row of its data set for each seed.

Takes the function's name in FILE, rows, and the form of a completion; gives an environment as `protocol` describes it. The
file is imported when this one is, where it stands in `sys.path` itself; else from the first folder there that has it. An
answer is put into the frame of the form; an answer {"$completion": TEXT} is the whole completion, {"$completion": MESSAGES}
the messages as they are. Promises to call the function as trainers do: lists of one completion and one value of each column
for functions of `completions`, plain values for others, and nothing that a function has no parameter for. Rewards of several
functions (names joined by +) are added. Doesn't say which reward is enough: `marks` does.

Standard library only, from Python 3.9: it is loaded by path into interpreters that have nothing of ours.
"""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import json
import os
import sys
from collections.abc import Callable
from typing import Any

__all__ = ["ANSWERS", "COMPLETIONS", "PROMPTS", "WHOLE", "Episode", "Rows", "environment", "rendered", "told"]

WHOLE = "$completion"
COMPLETIONS = (
    "completion", "response", "output", "solution_str", "model_output", "reply", "prediction", "pred", "generation", "generated", "text",
    "candidate", "submission", "hypothesis", "student_answer", "predict_str", "model_response", "content",
)  # fmt: skip
"""What a parameter for one completion is called."""
PROMPTS = ("prompt", "question", "problem", "query", "instruction", "input", "text")
"""What a prompt is called, in the order of preference."""
ANSWERS = (
    "answer", "solution", "ground_truth", "gold", "target", "label", "reference", "expected", "final_answer", "expected_answer",
    "gold_answer", "correct_answer", "reference_answer", "answers", "ground_truths", "targets", "labels", "references", "solutions",
    "correct", "truth", "gt", "output", "response", "completion",
)  # fmt: skip
"""What a right answer is called, in the order of preference."""
_GROUPS = ("completions", "responses", "outputs")
_EXTRA = {"completion_ids": [[0]], "trainer_state": None, "log_extra": None, "log_metric": None, "environments": None}
_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_loaded: dict[str, Any] = {}


def _load(path: str) -> Any:
    name = os.path.splitext(os.path.basename(path))[0]
    if path not in _loaded:
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise ImportError(f"{os.path.basename(path)} is no Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules.setdefault(name, module)
        spec.loader.exec_module(module)
        _loaded[path] = module
    return _loaded[path]


for _path in [path for path in sys.path if path.endswith(".py") and os.path.isfile(path)]:
    sys.path.remove(_path)
    _load(_path)


def _module(file: str) -> Any:
    places = [path for path in _loaded if os.path.basename(path) == file] or [os.path.join(folder, file) for folder in sys.path]
    for path in places:
        if path in _loaded or os.path.isfile(path):
            return _load(path)
    raise ImportError(f"no file {file} to import from")


def environment(**args: Any) -> Rows:
    """The environment: `file`, `function`, `rows`, `frame`, `chat`, `marks`, as `Rows` takes them."""
    return Rows(**args)


class Rows:
    """`rows` are {prompt, columns, answer, others}; `marks` the least reward that counts as success, one or one for each row."""

    def __init__(
        self,
        file: str,
        function: str,
        rows: list[dict[str, Any]],
        frame: tuple[str, str] = ("", ""),
        chat: bool = False,
        marks: Any = 1.0,
        known: bool = True,
    ) -> None:
        module = _module(file)
        self.name = f"{file}:{function}"
        self.functions = [_found(module, name, file) for name in function.split("+")]
        self.rows, self.frame, self.chat, self.marks, self.known = rows, tuple(frame), chat, marks, known
        self._case = function
        for one in self.functions:
            _arguments(one, "", rows[0])

    def cases(self) -> list[str]:
        """The function's name."""
        return [self._case]

    def start(self, case: str, seed: int) -> Episode:
        """The row that the seed picks: in file order, from the first again after the last."""
        n = seed % len(self.rows)
        mark = self.marks[n] if isinstance(self.marks, (list, tuple)) else self.marks
        return Episode(self, self.rows[n], float(mark))


class Episode:
    """One row, one completion."""

    def __init__(self, of: Rows, row: dict[str, Any], mark: float) -> None:
        self._of, self._row = of, row
        self.pass_mark = mark
        self.prompt = told(row["prompt"])
        self.tools: list[Any] = []
        self.checks: list[str] = []

    def reference(self) -> Any:
        """No call, and the answer of the data set."""
        if not self._of.known or self._row.get("answer") is None:
            raise NotImplementedError
        return [], self._row["answer"]

    def alternatives(self) -> Any:
        """The other right answers of the row."""
        if not self._of.known or not self._row.get("others"):
            raise NotImplementedError
        return [([], other) for other in self._row["others"]]

    def finish(self, answer: Any) -> Any:
        """The reward of the completion that holds this answer; None where no function has an opinion."""
        completion = rendered(answer, self._of.frame)
        shown = completion if isinstance(completion, str) else json.dumps(completion, ensure_ascii=False, default=repr)
        self.checks = [f"completion: {_short(shown)}"]
        given: Any = completion
        if self._of.chat and isinstance(completion, str):
            given = [{"role": "assistant", "content": completion}]
        elif not self._of.chat and not isinstance(completion, str):
            given = told(completion)
        rewards = [_reward(one, given, self._row) for one in self._of.functions]
        said = [reward for reward in rewards if reward is not None]
        if len(said) == 1:
            return said[0]
        return sum(said) if said else None


# ---- completions


def rendered(answer: Any, frame: Any) -> Any:
    """The completion that an answer makes: a text, or messages where the answer is that."""
    if isinstance(answer, dict) and set(answer) == {WHOLE}:
        return answer[WHOLE]
    if answer is None:
        return ""
    return f"{frame[0]}{_text(answer)}{frame[1]}"


def _text(answer: Any) -> str:
    if isinstance(answer, str):
        return answer
    if isinstance(answer, bytes):
        return answer.decode("latin-1")
    try:
        return json.dumps(answer, ensure_ascii=False)
    except (TypeError, ValueError):
        return str(answer)


def told(prompt: Any) -> str:
    """A prompt or messages as one text: what system and user say, and what others say with their role."""
    if isinstance(prompt, str):
        return prompt
    if not isinstance(prompt, (list, tuple)):
        return _text(prompt)
    parts = []
    for message in prompt:
        role = message.get("role", "user") if isinstance(message, dict) else "user"
        text = _content(message.get("content") if isinstance(message, dict) else message)
        parts.append(text if role in ("system", "user", "assistant") else f"{role}: {text}")
    return "\n\n".join(parts)


def _content(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) if isinstance(part, dict) else str(part) for part in content)
    return "" if content is None else str(content)


def _short(text: str) -> str:
    return repr(text if len(text) <= 300 else f"{text[:200]}...{text[-80:]}") + (f" ({len(text):,} characters)" if len(text) > 300 else "")


# ---- the call


def _found(module: Any, name: str, file: str) -> Any:
    function: Any = module
    for part in name.split("."):
        function = getattr(function, part, None)
    if inspect.isclass(function):
        function = function()
    if not callable(function):
        raise ImportError(f"{file} has no function {name}")
    return function


def _reward(function: Callable[..., Any], completion: Any, row: dict[str, Any]) -> Any:
    grouped, args, named = _arguments(function, completion, row)
    result = function(*args, **named)
    if inspect.isawaitable(result):
        result = asyncio.run(_awaited(result))
    if hasattr(result, "tolist"):
        result = result.tolist()
    if grouped or isinstance(result, (list, tuple)):
        if not isinstance(result, (list, tuple)) or len(result) < 1 or (grouped and len(result) != 1):
            raise TypeError(f"for one completion the function gave {result!r:.100}, not a list of one reward")
        result = result[0]
    if isinstance(result, dict):
        result = next((result[key] for key in ("score", "reward", "value") if key in result), result)
    return result


async def _awaited(result: Any) -> Any:
    return await result


def _arguments(function: Callable[..., Any], completion: Any, row: dict[str, Any]) -> tuple[bool, list[Any], dict[str, Any]]:
    """Whether it wants lists, and what it is called with."""
    parameters = [one for one in inspect.signature(function).parameters.values()]
    open_ended = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters)
    names = {one.name for one in parameters if one.kind in _NAMED}
    group = next((name for name in _GROUPS if name in names and name not in row["columns"]), "")
    if group:
        return True, [], _grouped(parameters, group, open_ended, completion, row)
    positional = [
        one for one in parameters if one.kind is not inspect.Parameter.VAR_KEYWORD and one.kind is not inspect.Parameter.VAR_POSITIONAL
    ]
    return False, *_single(function, positional, open_ended, completion, row)


def _grouped(parameters: list[Any], group: str, open_ended: bool, completion: Any, row: dict[str, Any]) -> dict[str, Any]:
    there = {**_EXTRA, **{name: [value] for name, value in row["columns"].items()}, "prompts": [row["prompt"]], group: [completion]}
    named = {one.name: there[one.name] for one in parameters if one.kind in _NAMED and one.name in there}
    for one in parameters:
        if one.kind in _NAMED and one.name not in named and one.default is inspect.Parameter.empty:
            if one.name not in ANSWERS or row.get("key") is None:
                raise TypeError(
                    f"the data set has no column '{one.name}' for the function's parameter (it has {', '.join(row['columns'])})"
                )
            named[one.name] = [row["key"]]
    return {**there, **named} if open_ended else named


def _single(
    function: Any, parameters: list[Any], open_ended: bool, completion: Any, row: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    columns = row["columns"]
    names = [one.name for one in parameters]
    fitting = [name for name in names if name in COMPLETIONS and name not in columns] or [name for name in names if name in COMPLETIONS]
    first = (fitting or [name for name in names if name not in columns and name not in PROMPTS] or names or [""])[0]
    if not first:
        raise TypeError(f"{getattr(function, '__name__', 'the function')} takes no completion")
    args: list[Any] = []
    named: dict[str, Any] = {}
    for one in parameters:
        if one.name == first:
            value = completion
        elif one.name in columns:
            value = columns[one.name]
        elif one.name in PROMPTS:
            value = row["prompt"]
        elif one.name in ANSWERS and row.get("key") is not None:
            value = row["key"]
        elif one.default is not inspect.Parameter.empty:
            continue
        else:
            raise TypeError(f"the data set has no column '{one.name}' for the function's parameter (it has {', '.join(columns)})")
        if one.kind is inspect.Parameter.POSITIONAL_ONLY:
            args.append(value)
        else:
            named[one.name] = value
    return args, {**{name: value for name, value in columns.items() if name not in names}, **named} if open_ended else named
