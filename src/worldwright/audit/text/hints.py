"""Hints from a reward function's source: habits of code that often pay what is wrong, or refuse what is right.

Takes source; gives hints with their line. A hint proves nothing and is no finding: it says where probes should aim (`aim`),
and they say what is so. Doesn't follow calls, and reads the file alone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence

import msgspec

from worldwright.audit.text.source import tree_of

__all__ = ["RULES", "Hint", "hints"]


class Hint(msgspec.Struct, frozen=True):
    """A habit of code. `aim` names what would show that it matters (see `probes.text_hints`)."""

    rule: str
    line: int
    says: str


_KEYS = re.compile(
    r"(?:answer|solution|truth|gold|target|label|reference|expected|correct|key)s?$|^(?:gt|ref|want|wanted|right)$", re.IGNORECASE
)
_TAGGED = re.compile(r"<\w+>|boxed|####|answer", re.IGNORECASE)
_LONG = 20
_EVALUATORS = ("eval", "exec", "sympify", "parse_expr", "parse_latex")


def hints(source: str) -> list[Hint]:
    """What stands out, in the order of lines; one hint a rule and line."""
    tree = tree_of(source)
    if tree is None:
        return []
    found = [hint for node in ast.walk(tree) for rule in RULES.values() for hint in rule(node)]
    return sorted(set(found), key=lambda one: (one.line, one.rule))


def _caught(node: ast.AST) -> Iterator[Hint]:
    """A constant other than 0 is paid where something raised."""
    if isinstance(node, ast.ExceptHandler):
        for one in ast.walk(node):
            if isinstance(one, ast.Return) and _is_paying(one.value):
                yield Hint("except-pays", one.lineno, "what raises is paid")


def _within(node: ast.AST) -> Iterator[Hint]:
    """The right answer is looked for inside a text."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.In) and _is_key(node.left):
        yield Hint("answer-within", node.lineno, f"'{ast.unparse(node)[:60]}' is met by any text that contains the right answer")


def _falls_back(node: ast.AST) -> Iterator[Hint]:
    """Length decides."""
    if isinstance(node, ast.Compare) and isinstance(node.left, ast.Call) and _called(node.left) == "len":
        limit = node.comparators[0]
        if isinstance(limit, ast.Constant) and isinstance(limit.value, (int, float)) and limit.value >= _LONG:
            yield Hint("length", node.lineno, f"'{ast.unparse(node)[:60]}': length decides something")


def _farther(node: ast.AST) -> Iterator[Hint]:
    """A distance beyond a tolerance refuses; not a number is never beyond."""
    if (
        isinstance(node, ast.Compare)
        and isinstance(node.ops[0], (ast.Gt, ast.GtE))
        and isinstance(node.left, ast.Call)
        and _called(node.left) == "abs"
    ):
        yield Hint("nan-passes", node.lineno, f"'{ast.unparse(node)[:60]}' is false for not a number")


def _cut(node: ast.AST) -> Iterator[Hint]:
    """A number is cut to a whole one before it is compared."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
        for side in (node.left, *node.comparators):
            if (
                isinstance(side, ast.Call)
                and _called(side) in ("int", "round")
                and side.args
                and isinstance(side.args[0], ast.Call)
                and _called(side.args[0]) == "float"
            ):
                yield Hint("fraction-dropped", node.lineno, f"'{ast.unparse(node)[:60]}' drops a fraction")


def _first_only(node: ast.AST) -> Iterator[Hint]:
    """The first match of a mark is read, wherever it stands."""
    if isinstance(node, ast.Call) and _called(node) == "search" and node.args:
        text = node.args[0]
        if isinstance(text, ast.Constant) and isinstance(text.value, str) and _TAGGED.search(text.value):
            yield Hint("first-match", node.lineno, f"the first match of {text.value[:40]!r} is read")


def _loose(node: ast.AST) -> Iterator[Hint]:
    """A pattern with the right answer in it has no anchors."""
    if (
        isinstance(node, ast.Call)
        and _called(node) in ("search", "findall", "match")
        and node.args
        and not isinstance(node.args[0], ast.Constant)
    ):
        text = node.args[0]
        if any(_is_key(one) for one in ast.walk(text)) and not re.search(r"\\b|\$|\\Z|\^", ast.unparse(text)):
            yield Hint("unanchored", node.lineno, f"{ast.unparse(text)[:50]} is met inside longer words and numbers")


def _starts(node: ast.AST) -> Iterator[Hint]:
    """The beginning or the end alone is compared."""
    if isinstance(node, ast.Call) and _called(node) in ("startswith", "endswith") and node.args and _is_key(node.args[0]):
        yield Hint("prefix", node.lineno, f"'{ast.unparse(node)[:60]}' is met by whatever begins or ends so")


def _sets(node: ast.AST) -> Iterator[Hint]:
    """Sets are compared: repeats and order don't count."""
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Eq, ast.LtE, ast.GtE)):
        sides = (node.left, *node.comparators)
        if sum(isinstance(side, ast.Call) and _called(side) == "set" for side in sides) > 0:
            yield Hint("sets", node.lineno, f"'{ast.unparse(node)[:60]}': repeats and order don't count")


def _evaluates(node: ast.AST) -> Iterator[Hint]:
    """A text is evaluated."""
    if isinstance(node, ast.Call) and _called(node) in _EVALUATORS and node.args and not isinstance(node.args[0], ast.Constant):
        yield Hint("evaluates", node.lineno, f"'{ast.unparse(node)[:60]}' evaluates a text")


RULES: dict[str, Callable[[ast.AST], Iterator[Hint]]] = {
    "except-pays": _caught, "answer-within": _within, "length": _falls_back, "nan-passes": _farther, "fraction-dropped": _cut,
    "first-match": _first_only, "unanchored": _loose, "prefix": _starts, "evaluates": _evaluates, "sets": _sets,
}  # fmt: skip
"""Every rule by its name."""


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _is_key(node: ast.AST) -> bool:
    """Whether an expression is named like a right answer: a name, an attribute, an item, or a method of one."""
    if isinstance(node, ast.Call):
        return (isinstance(node.func, ast.Attribute) and _is_key(node.func.value)) or any(_is_key(arg) for arg in node.args[:1])
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return bool(name and _KEYS.search(name))


def _is_paying(value: ast.expr | None) -> bool:
    items: Sequence[ast.expr] = value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value] if value is not None else []
    return any(
        isinstance(one, ast.Constant) and isinstance(one.value, (int, float)) and one.value is not None and one.value > 0 for one in items
    )
