"""What a task is made of when names don't count, and how much of it two tasks share.

Takes tasks; gives their structure as multisets of short runs of tokens: of the reference's syntax tree and of the verifier's SQL, and
where a task has no reference, of its world's tools. `shares` gives the Jaccard share of each pair, from 0 to 1. The signatures of
`synthesis.signature` tell only whether two are the same: over 300 forged tasks 299 plans differ, so equality would guard nothing.
Raises PackError for a file that can't be read.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from worldwright.errors import PackError
from worldwright.files import plain
from worldwright.pack.read import PackTask

__all__ = ["PLAN", "TOOLS", "VERIFIER", "Structure", "shares", "structure_of"]

PLAN, TOOLS, VERIFIER = "plan", "tools", "verifier"
Structure = Mapping[str, frozenset[Any]]
"""By part (`plan`, `tools`, `verifier`), its runs of tokens, each with how many of the kind came before it."""
_RUN = 4
"""Tokens in a run."""
_WORD = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|[A-Za-z_]\w*|\d+|\S")
_KEPT = re.compile(
    r"(select|from|where|and|or|not|in|is|null|join|left|on|group|by|having|order|limit|union|all|case|when|then|else|end|exists|"
    r"distinct|sum|count|min|max|coalesce|julianday|date|abs|round|over|partition|with|recursive|between|like|before|changes|calls|"
    r"define|compute|expect|any_of|allow|answer|forbid|demand|rows|insert|update|delete|open|wrong)\Z"
)


def structure_of(entry: PackTask, *, tools: bool) -> Structure:
    """The task's structure; with `tools` its world's tools are looked at also where it has a reference."""
    out: dict[str, frozenset[Any]] = {}
    plan = entry.reference
    if plan is not None:
        out[PLAN] = _runs(list(_syntax(_parsed(plan.source, f"{entry.where}/{plan.name}"))))
    if tools or plan is None:
        out[TOOLS] = _numbered(_graph(entry))
    data = entry.files.get("verifier.yaml")
    if data is not None:
        where = f"{entry.where}/verifier.yaml"
        try:
            out[VERIFIER] = _runs(list(_statements(plain(data.decode(), where))))
        except UnicodeDecodeError as fault:
            raise PackError("not UTF-8 text", file=where, expected="UTF-8") from fault
    return out


def shares(left: Sequence[frozenset[Any]], right: Sequence[frozenset[Any]]) -> NDArray[np.float64]:
    """What each of `left` shares with each of `right`: common runs over all runs; shape (left, right)."""
    from scipy.sparse import csr_array

    places: dict[Any, int] = {}
    for runs in (*left, *right):
        for run in runs:
            places.setdefault(run, len(places))

    def matrix(rows: Sequence[frozenset[Any]]) -> Any:
        columns = np.array([places[run] for runs in rows for run in runs], dtype=np.int64)
        starts = np.cumsum([0, *map(len, rows)])
        return csr_array((np.ones(len(columns)), columns, starts), shape=(len(rows), max(1, len(places))))

    common = (matrix(left) @ matrix(right).T).toarray()
    sizes = np.array([len(runs) for runs in left])[:, None] + np.array([len(runs) for runs in right])[None, :]
    return np.asarray(common / np.maximum(1, sizes - common), dtype=np.float64)


def _parsed(code: str, where: str) -> ast.AST:
    try:
        return ast.parse(code)
    except SyntaxError as fault:
        raise PackError(f"not Python: {fault.msg}", file=where, line=fault.lineno or 1, expected="a plan") from fault


def _syntax(node: ast.AST) -> Iterator[str]:
    """The kinds of a syntax tree's nodes, from the top down."""
    yield type(node.value).__name__ if isinstance(node, ast.Constant) else type(node).__name__
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr_context):
            yield from _syntax(child)


def _statements(value: Any) -> Iterator[str]:
    """The words of a verifier that are its language's; all others are one."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key != "written_by":
                yield key if _KEPT.match(key) else "name"
                yield from _statements(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _statements(inner)
    elif value is not None:
        for word in _WORD.findall(str(value)):
            low = word.lower()
            yield low if _KEPT.match(low) or not re.match(r"['\"\w]", word) else "0" if word[0].isdigit() else "name"


def _graph(entry: PackTask) -> list[Any]:
    """The world's tools by form (reads or writes, of what, refused how often), and which of them take an argument of one name."""
    tools = entry.world.world.spec.tools
    forms = {
        name: (
            "rows" if one.rows else "row" if one.row else "effect",
            len(one.require),
            len(one.effect),
            *sorted(arg.type for arg in one.args.values()),
        )
        for name, one in tools.items()
    }
    edges = [
        ("with", *sorted((forms[a], forms[b]), key=str))
        for a, b in combinations(sorted(tools), 2)
        for _ in tools[a].args.keys() & tools[b].args.keys()
    ]
    return [*forms.values(), *edges]


def _runs(tokens: Sequence[str]) -> frozenset[Any]:
    return _numbered([tuple(tokens[n : n + _RUN]) for n in range(max(1, len(tokens) - _RUN + 1))])


def _numbered(things: Sequence[Any]) -> frozenset[Any]:
    """A multiset as a set: each thing with how many of it came before."""
    seen: Counter[Any] = Counter()
    out = set()
    for one in things:
        out.add((one, seen[one]))
        seen[one] += 1
    return frozenset(out)
