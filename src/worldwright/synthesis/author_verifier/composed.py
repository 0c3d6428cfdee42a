"""Verifiers of composed tasks: those of both parts, the second one's held to only where the first came to the outcome."""

from __future__ import annotations

import importlib
import re
from typing import Any

import msgspec

from worldwright.errors import UsageError
from worldwright.synthesis.draft import Draft, TaskDraft, text_of
from worldwright.synthesis.patterns.composed import Composed
from worldwright.verifier.spec import VerifierSpec, WrittenBy

__all__ = ["write"]


def write(draft: Draft, task: TaskDraft) -> VerifierSpec:
    """The verifier of a composed task."""
    given: Composed = task.given
    one = _prefixed(_part(draft, given.first), "one_")
    two = _prefixed(_part(draft, given.second), "two_")
    if "one_ruled" not in one.define or two.any_of or two.demand or one.any_of:
        raise UsageError(f"{task.name}: its parts can't be composed (expected plain expectations, and a ruling in the first)")
    follows = f"(SELECT outcome FROM one_ruled) = {text_of(given.outcome)}"
    expect = [msgspec.structs.replace(each, rows=f"SELECT * FROM ({each.rows}) WHERE {follows}") for each in two.expect]
    answer = {f"first_{name}": sql for name, sql in one.answer.items()}
    answer |= {f"then_{name}": f"SELECT CASE WHEN {follows} THEN ({sql}) ELSE 0 END" for name, sql in two.answer.items()}
    return VerifierSpec(
        WrittenBy("procedural"),
        one.define | two.define,
        one.compute | two.compute,
        [*one.expect, *expect],
        allow=[*one.allow, *two.allow],
        answer=answer,
        forbid=[*one.forbid, *two.forbid],
    )


def _part(draft: Draft, task: TaskDraft) -> VerifierSpec:
    module: Any = importlib.import_module(f"worldwright.synthesis.author_verifier.{task.pattern}")
    return module.write(draft, task)  # type: ignore[no-any-return]


def _prefixed(spec: VerifierSpec, prefix: str) -> VerifierSpec:
    """The same verifier, its definitions under other names."""
    names = [*spec.define, *spec.compute]
    if not names:
        return spec
    pattern = re.compile(rf"(?<![\w.\"'])({'|'.join(map(re.escape, names))})(?![\w\"'])")

    def named(value: Any) -> Any:
        if isinstance(value, str):
            return pattern.sub(lambda match: f"{prefix}{match.group(1)}", value)
        if isinstance(value, dict):
            return {key: named(one) for key, one in value.items()}
        return [named(one) for one in value] if isinstance(value, list) else value

    plain = msgspec.to_builtins(spec)
    sql = ("rows", "wrong", "values", "may")

    def inside(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: named(one) if key in sql else inside(one) for key, one in value.items()}
        return [inside(one) for one in value] if isinstance(value, list) else value

    out = {key: inside(value) for key, value in plain.items()}
    out["define"] = {f"{prefix}{key}": named(value) for key, value in plain.get("define", {}).items()}
    out["compute"] = {f"{prefix}{key}": value for key, value in plain.get("compute", {}).items()}
    out["answer"] = named(plain.get("answer", {}))
    return msgspec.convert(out, VerifierSpec)
