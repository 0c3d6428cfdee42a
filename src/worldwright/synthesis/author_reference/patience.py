"""Patience: a plan that calls a tool again when it fails for a moment.

Takes a plan's code and the tools that fail now and then, with what they say when they do. Gives the code with each call of such a tool
behind a function that tries a bounded number of times; any other error is raised as it is. A call with positional arguments isn't
put behind one: `calls_of` says where there are such.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from worldwright.world.spec import FaultSpec

__all__ = ["calls_of", "patient"]

_AGAIN = 11
"""So many times more a call is made, at most: at a rate of 0.15 not one of a thousand million runs needs more."""


def calls_of(code: str) -> tuple[set[str], set[str]]:
    """The names that a plan calls with named arguments, and those that it uses otherwise too. Raises SyntaxError."""
    tree = ast.parse(code)
    calls = [call.func for call in _calls(tree)]
    named = {one.id for one in calls if isinstance(one, ast.Name)}
    return named, {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and not any(one is call for call in calls)}


def patient(code: str, faults: Mapping[str, FaultSpec]) -> str:
    """The plan, trying again where tools fail for a moment. Raises SyntaxError."""
    lines = code.splitlines(keepends=True)
    functions: dict[tuple[str, tuple[str, ...]], str] = {}
    places: list[tuple[int, int, str, str]] = []
    for call in _calls(ast.parse(code)):
        if isinstance(call.func, ast.Name) and call.func.id in faults:
            tool = call.func.id
            names = tuple(one.arg or "" for one in call.keywords)
            same = sum(made == tool for made, _ in functions)
            function = functions.setdefault((tool, names), f"patient_{tool}" + (f"_{same + 1}" if same else ""))
            places.append((call.func.lineno - 1, call.func.col_offset, tool, function))
    for row, column, tool, function in sorted(places, reverse=True):
        line = lines[row].encode()
        lines[row] = (line[:column] + function.encode() + line[column + len(tool) :]).decode()
    changed = "".join(lines)
    if not functions:
        return code
    at = changed.index("\ndef ") + 1 if not changed.startswith("def ") else 0
    made = "".join(_function(function, tool, names, faults[tool].error) for (tool, names), function in functions.items())
    return changed[:at] + made + changed[at:]


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    """Calls by name with named arguments alone."""
    for one in ast.walk(tree):
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and not one.args and all(key.arg for key in one.keywords):
            yield one


def _function(name: str, tool: str, arguments: tuple[str, ...], error: str) -> str:
    call = f"{tool}({', '.join(f'{one}={one}' for one in arguments)})"
    return (
        f"def {name}({', '.join(arguments)}):\n"
        f"    for _ in range({_AGAIN}):\n"
        f"        try:\n"
        f"            return {call}\n"
        f"        except ValueError as fault:\n"
        f"            if str(fault) != {error!r}:\n"
        f"                raise\n"
        f"    return {call}\n\n\n"
    )
