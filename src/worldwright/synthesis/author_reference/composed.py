"""References of composed tasks: the plans of both parts in one, the second for the group of the first one's row."""

from __future__ import annotations

import ast
import importlib
import io
import tokenize
from typing import Any

from worldwright.synthesis.draft import Draft, TaskDraft
from worldwright.synthesis.patterns.composed import Composed
from worldwright.synthesis.reads import reads_of

__all__ = ["write"]


def write(draft: Draft, task: TaskDraft) -> dict[str, str]:
    """The plan of a composed task, and another one made of the parts' other ways."""
    given: Composed = task.given
    first, second = _plans(draft, given.first), _plans(draft, given.second)
    out = {"reference.py": _joined(draft, given, first["reference.py"], second["reference.py"])}
    others = [code for name, code in second.items() if name != "reference.py"]
    if others:
        out["alternative-other-second-part.py"] = _joined(draft, given, first["reference.py"], others[0])
    return out


def _plans(draft: Draft, task: TaskDraft) -> dict[str, str]:
    module: Any = importlib.import_module(f"worldwright.synthesis.author_reference.{task.pattern}")
    return module.write(draft, task)  # type: ignore[no-any-return]


def _joined(draft: Draft, given: Composed, first: str, second: str) -> str:
    table = draft.table(given.ruling.entity)
    reads = reads_of(table)
    key = table.key_argument
    lines = [
        f"def solve({key}):",
        f"    first = one_solve({key})",
        '    out = {"first_" + name: first[name] for name in first}',
        f'    if first["outcome"] != {given.outcome!r}:',
        *(f'        out["then_{name}"] = 0' for name in given.second.brief.answer),
        "        return out",
        f"    row = {reads.get}({reads.key}={key})",
    ]
    for hop in given.group.hops[:-1]:
        between = reads_of(draft.table(hop.entity))
        lines.append(f"    row = {between.get}({between.key}=row[{hop.column!r}])")
    group = draft.table(given.group.entity)
    named = f"row[{given.group.hops[-1].column!r}]"
    shown = given.second.brief.show[0]
    if shown != group.key_argument:
        of = reads_of(group)
        named = f"{of.get}({of.key}={named})[{group.label!r}]"
    lines += [
        f"    second = two_solve({named})",
        "    for name in second:",
        '        out["then_" + name] = second[name]',
        "    return out",
    ]
    heads = sorted({line for code in (first, second) for line in code.splitlines() if line.startswith("import ")})
    return "\n".join([*heads, "", "", _apart(first, "one_"), "", _apart(second, "two_"), "", *lines, ""])


def _apart(code: str, prefix: str) -> str:
    """A plan's code with all names of its top level under others, without imports and its docstring."""
    tree = ast.parse(code)
    names = {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}
    names |= {target.id for one in tree.body if isinstance(one, ast.Assign) for target in one.targets if isinstance(target, ast.Name)}
    out = []
    before = ""
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        text = prefix + token.string if token.type == tokenize.NAME and token.string in names and before != "." else token.string
        out.append((token.type, text, token.start, token.end, token.line))
        before = token.string
    renamed = _untokenized(out)
    keep = [one for one in ast.parse(renamed).body if not isinstance(one, (ast.Import, ast.ImportFrom)) and not _is_text(one)]
    lines = renamed.splitlines()
    return "\n\n\n".join("\n".join(lines[one.lineno - 1 : one.end_lineno]) for one in keep) + "\n"


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _untokenized(tokens: list[tuple[int, str, tuple[int, int], tuple[int, int], str]]) -> str:
    """Code from tokens, each line's own indentation kept; what is longer than before moves the rest of its line."""
    lines: dict[int, str] = {}
    moved: dict[int, int] = {}
    for kind, text, start, end, _ in tokens:
        if kind in (tokenize.ENCODING, tokenize.ENDMARKER, tokenize.INDENT, tokenize.DEDENT) or not text.strip():
            continue
        row = start[0]
        column = start[1] + moved.get(row, 0)
        lines[row] = lines.get(row, "").ljust(column) + text
        if start[0] == end[0]:
            moved[row] = moved.get(row, 0) + len(text) - (end[1] - start[1])
    return "\n".join(lines.get(n, "") for n in range(1, max(lines, default=0) + 1)) + "\n"
