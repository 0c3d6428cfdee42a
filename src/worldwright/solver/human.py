"""A person at a terminal as a solver: typed commands become acts, and what is mistyped costs nothing.

Takes two functions, one that asks for a line and one that shows text; gives a solver. A line that can't be understood, or whose
arguments don't fit the tool, is explained and asked for again before the world hears of it. The end of the input
gives up. Does not promise a result that doesn't depend on the person.
"""

from __future__ import annotations

import difflib
import json
import re
import shlex
from collections.abc import Callable, Mapping
from typing import Any

from worldwright.solver.protocol import Action, Answer, Call, GiveUp, Observation
from worldwright.solver.seen import is_required, spoken_fields
from worldwright.task import Prompt
from worldwright.world.arguments import compile_arguments
from worldwright.world.protocol import CallResult, ToolDoc
from worldwright.world.spec import ArgSpec

__all__ = ["HumanSolver"]

_PAIR = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_BOOLEANS = {"true": True, "yes": True, "false": False, "no": False}
_HELP = """\
TOOL name=value ...        use a tool; put values with spaces in quotes, lists as a,b,c
TOOL {"name": value}       the same as JSON
say NAME ACT [field=value ...] [words]
                           talk to a person; ACT is ask, inform, propose, confirm, decline or close
answer field=value ...     finish, with your answer (or answer {"field": value})
tools                      the tools
help TOOL                  a tool's arguments
quit                       give up
A tool that has the name of a command is used with: call TOOL name=value ..."""


class _Mistake(Exception):
    """A line that can't be carried out, and why."""


class HumanSolver:
    """Lets a person attempt the task."""

    name = "human"

    def __init__(self, read: Callable[[str], str] = input, write: Callable[[str], None] = print) -> None:
        self.read, self.write = read, write

    def start(self, prompt: Prompt, seed: int, shown: Mapping[str, Any]) -> _Agent:
        """Shows the prompt."""
        return _Agent(prompt, self.read, self.write)


class _Agent:
    def __init__(self, prompt: Prompt, read: Callable[[str], str], write: Callable[[str], None]) -> None:
        self._prompt, self._read, self._write = prompt, read, write
        self._tools = {tool.name: tool for tool in prompt.tools}
        self._commands: dict[str, Callable[[str], Action | None]] = {
            "answer": self._answer,
            "call": self._call,
            "help": self._help,
            "quit": lambda _: GiveUp("quit"),
            "say": self._say,
            "tools": self._list,
        }
        for text in (prompt.system, "", prompt.instruction, "", "Type help for the commands and for the answer's fields."):
            write(text)

    def act(self, observation: Observation) -> Action:
        for one in observation.returned:
            self._write(_shown(one.result))
        for turn in observation.turns:
            told = " ".join(f"{name}={value}" for name, value in turn.fields.items())
            self._write(f"{turn.sender} ({turn.act}{f', {told}' if told else ''}): {turn.text}")
        while True:
            try:
                line = self._read(f"[{observation.calls_left} calls left] > ")
            except EOFError:
                return GiveUp("the input ended")
            try:
                action = self._understand(line)
            except _Mistake as mistake:
                self._write(str(mistake))
                continue
            if action is not None:
                return action

    def close(self) -> None:
        """Nothing is held."""

    def _understand(self, line: str) -> Action | None:
        """The act that a line means; None if it only asked for something to be shown."""
        word, rest = _first(line)
        if word in self._commands:
            return self._commands[word](rest)
        return self._call(line) if word else None

    def _call(self, line: str) -> Action | None:
        name, rest = _first(line)
        tool = self._tool(name)
        return Call(name, _checked(name, tool.args, _read_args(rest, tool.args)))

    def _tool(self, name: str) -> ToolDoc:
        if name in self._tools:
            return self._tools[name]
        close = difflib.get_close_matches(name, [*self._tools, *self._commands], n=1)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise _Mistake(f"There is no tool or command '{name}'.{hint} Type tools or help.")

    def _say(self, rest: str) -> Action | None:
        if "say" not in self._tools:
            raise _Mistake("There is nobody to talk to in this task.")
        tool, words = self._tools["say"], _words(rest)
        if not words or rest.startswith("{") or _PAIR.fullmatch(words[0]):
            return self._call(f"say {rest}")
        fields, specs, text = {}, spoken_fields(tool), []
        for word in words[2:]:
            found = _PAIR.fullmatch(word)
            if found is None:
                text.append(word)
            elif found[1] in specs:
                fields[found[1]] = _typed(found[2], specs[found[1]], found[1])
            else:
                raise _Mistake(f"There is no field '{found[1]}'. The fields are: {', '.join(specs) or 'none'}.")
        args = {"to": words[0], "act": words[1] if len(words) > 1 else "", "fields": fields, "text": " ".join(text)}
        return Call("say", _checked("say", tool.args, args))

    def _answer(self, rest: str) -> Action | None:
        specs = self._prompt.answer
        return Answer(_checked("answer", specs, _read_args(rest, specs)))

    def _list(self, _: str) -> None:
        for tool in self._tools.values():
            self._write(f"{tool.name}({', '.join(tool.args)})  {tool.doc.strip()}")

    def _help(self, name: str) -> None:
        if not name:
            self._write(_HELP)
            asked = [f"  {_described(field, spec)}" for field, spec in self._prompt.answer.items()]
            self._write("\n".join(["The answer's fields:", *asked]) if asked else "No answer is asked: finish with answer alone.")
            return
        tool = self._tool(name)
        self._write("\n".join([tool.doc.strip(), *(f"  {_described(arg, spec)}" for arg, spec in tool.args.items())]))


def _first(line: str) -> tuple[str, str]:
    word, _, rest = line.strip().partition(" ")
    return word, rest.strip()


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        raise _Mistake('A quotation mark is not closed. Put text with an apostrophe in double quotes: name="it\'s".') from None


def _read_args(text: str, specs: Mapping[str, ArgSpec]) -> dict[str, Any]:
    """Arguments from `name=value ...` or from a JSON object."""
    if text.startswith("{"):
        value = _json(text, "the arguments")
        if not isinstance(value, dict):
            raise _Mistake("Expected one JSON object.")
        return value
    out: dict[str, Any] = {}
    for word in _words(text):
        found = _PAIR.fullmatch(word)
        if found is None:
            example = next(iter(specs), "name")
            raise _Mistake(f"'{word}' is not name=value. Write for instance {example}={shlex.quote(word)}.")
        if found[1] in out:
            raise _Mistake(f"'{found[1]}' is given twice.")
        out[found[1]] = _typed(found[2], specs.get(found[1], ArgSpec()), found[1])
    return out


def _checked(name: str, specs: Mapping[str, ArgSpec], args: dict[str, Any]) -> dict[str, Any]:
    """The arguments, if they fit."""
    try:
        compile_arguments(name, specs)(args)
    except ValueError as fault:
        raise _Mistake(str(fault)) from None
    return args


def _typed(text: str, spec: ArgSpec, name: str) -> Any:
    """A typed word as a value of the argument's type."""
    hint = f" Put JSON in single quotes: {name}='...'."
    if spec.type == "list":
        if text.startswith("["):
            return _json(text, name, hint)
        return [_typed(part.strip(), spec.items or ArgSpec(), name) for part in text.split(",")] if text else []
    if spec.type == "object":
        return _json(text, name, hint)
    try:
        if spec.type in ("integer", "number"):
            return int(text) if spec.type == "integer" else float(text)
        return _BOOLEANS[text.lower()] if spec.type == "boolean" else text
    except (ValueError, KeyError):
        wanted = {"integer": "a whole number", "number": "a number"}.get(spec.type, "true or false")
        raise _Mistake(f"{name}: expected {wanted}, got '{text[:40]}'.") from None


def _json(text: str, what: str, hint: str = "") -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise _Mistake(f"{what}: not JSON ({fault}).{hint}") from None


def _described(name: str, spec: ArgSpec) -> str:
    kind = "/".join(spec.enum) if spec.enum else spec.format or spec.type
    return f"{name} ({kind}{'' if is_required(spec) else ', optional'}) {spec.doc}".rstrip()


def _shown(result: CallResult) -> str:
    """A result to read: a row a line, or a field a line."""
    if not result.ok:
        return f"Refused: {result.error}"
    if isinstance(result.value, list):
        lines = [json.dumps(row, ensure_ascii=False) for row in result.value]
        return "\n".join([*lines, f"({len(lines)} {'row' if len(lines) == 1 else 'rows'})"])
    if isinstance(result.value, dict):
        return "\n".join(f"{name}: {value}" for name, value in result.value.items())
    return str(result.value)
