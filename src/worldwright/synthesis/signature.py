"""Structural signatures: what a plan or a verifier is when the names in it don't count.

A plan's signature is that of its syntax tree in which tool names, column names, texts and local names are numbered in the order in
which they first come, and in which numbers stay only if they are small. Two plans with one signature are the same plan, parametrised
by tool and column names alone. A verifier's is that of its SQL in the same way. Gives hashes; the same for every machine.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Mapping
from typing import Any

import msgspec

__all__ = ["plan_signature", "verifier_signature"]

_WORD = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|[A-Za-z_]\w*|\d+|\S")
_SQL = frozenset(
    [
        "select",
        "from",
        "where",
        "and",
        "or",
        "not",
        "in",
        "is",
        "null",
        "as",
        "join",
        "left",
        "on",
        "group",
        "by",
        "having",
        "order",
        "limit",
        "offset",
        "union",
        "all",
        "case",
        "when",
        "then",
        "else",
        "end",
        "exists",
        "distinct",
        "sum",
        "count",
        "min",
        "max",
        "coalesce",
        "julianday",
        "date",
        "substr",
        "cast",
        "integer",
        "text",
        "abs",
        "round",
        "over",
        "partition",
        "with",
        "recursive",
        "between",
        "like",
        "before",
        "insert",
        "update",
        "delete",
        "changes",
        "calls",
        "answer",
    ]
)


def plan_signature(code: str) -> str:
    """The signature of a plan's code. Raises SyntaxError."""
    names: dict[str, str] = {}

    def of(kind: str, name: str) -> str:
        return names.setdefault(f"{kind}:{name}", f"{kind}{len(names)}")

    def shape(node: Any) -> Any:
        if isinstance(node, ast.Name):
            return of("n", node.id)
        if isinstance(node, ast.FunctionDef):
            # What a function is called and in which order functions stand is no part of what it does; calls tie them together.
            return ["def", of("n", node.name), [of("n", one.arg) for one in node.args.args], [shape(one) for one in node.body]]
        if isinstance(node, ast.keyword):
            return ["kw", of("k", node.arg or ""), shape(node.value)]
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                return of("s", node.value)
            return node.value if not isinstance(node.value, int) or abs(node.value) <= 2 else "number"
        if isinstance(node, ast.AST):
            parts = [shape(value) for field, value in ast.iter_fields(node) if field not in ("ctx", "type_comment", "type_ignores", "kind")]
            return [type(node).__name__, *parts]
        if isinstance(node, list):
            return [shape(one) for one in node]
        return node

    body = [one for one in ast.parse(code).body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    return _hash(repr([shape(one) for one in body if not isinstance(one, (ast.Import, ast.ImportFrom))]))


def verifier_signature(spec: Any) -> str:
    """The signature of a verifier's spec, or of what it is as plain data."""
    data = msgspec.to_builtins(spec)
    data.pop("written_by", None)
    names: dict[str, str] = {}

    def word(text: str) -> str:
        low = text.lower()
        if low in _SQL or not re.match(r"['\"\w]", text):
            return low
        if text[0].isdigit():
            return text if len(text) == 1 and text <= "2" else "0"
        return names.setdefault(text.strip('"'), f"w{len(names)}")

    def shape(value: Any) -> Any:
        if isinstance(value, str):
            return " ".join(word(one) for one in _WORD.findall(value))
        if isinstance(value, Mapping):
            return [[key if key in _KEYS else "name", shape(one)] for key, one in value.items()]
        if isinstance(value, (list, tuple)):
            return [shape(one) for one in value]
        return value

    return _hash(repr(shape(data)))


_KEYS = frozenset(
    ("define", "compute", "expect", "any_of", "allow", "answer", "forbid", "demand", "rows", "insert", "update", "delete", "open", "wrong")
)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
