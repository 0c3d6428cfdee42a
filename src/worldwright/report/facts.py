"""What the pages say, gathered from packs and trajectories as plain values. No figure is computed in a template."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from worldwright import templates
from worldwright.errors import UnusableSeed
from worldwright.pack import Pack, PackTask, PackWorld
from worldwright.report.diagram import diagram
from worldwright.rollout import Line, Trajectory, tabulate
from worldwright.solver.tokens import count_prompt
from worldwright.verifier import Status

__all__ = ["overview", "task_facts", "world_facts"]

_MOST_ROWS = 12
_MOST_CALLS = 40


def overview(packs: Sequence[Pack], done: Sequence[Trajectory]) -> dict[str, Any]:
    """The first page: every task with its rates by solver."""
    lines = tabulate(done)
    solvers = list(dict.fromkeys("alternatives" if line.solver.startswith("alternative") else line.solver for line in lines))
    rows = []
    for pack in packs:
        for entry in pack.tasks():
            name = f"{entry.world.name}/{entry.name}"
            rows.append(
                {
                    "pack": pack.meta.name,
                    "world": entry.world.name,
                    "task": entry.name,
                    "title": entry.task.brief.title,
                    "luck": entry.task.brief.luck,
                    "cells": [_cell([line for line in lines if line.task == name and _is(line, solver)]) for solver in solvers],
                }
            )
    masked = sum(one.is_masked for one in done)
    return {"solvers": solvers, "rows": rows, "attempts": len(done), "masked": masked, "packs": [_pack(pack) for pack in packs]}


def _is(line: Line, solver: str) -> bool:
    return line.solver.startswith("alternative") if solver == "alternatives" else line.solver == solver


def _cell(lines: Sequence[Line]) -> dict[str, Any] | None:
    """A rate with its interval; several lines (alternatives) are shown as the worst of them."""
    if not lines:
        return None
    worst = min(lines, key=lambda line: line.passed / line.n if line.n else 0.0)
    return {
        "passed": worst.passed,
        "n": worst.n,
        "low": worst.low,
        "high": worst.high,
        "share": worst.passed / worst.n if worst.n else 0.0,
        "of": len(lines),
    }


def _pack(pack: Pack) -> dict[str, Any]:
    return {
        "name": pack.meta.name,
        "version": pack.meta.version,
        "about": pack.meta.about,
        "licence": pack.meta.licence,
        "digest": pack.digest,
        "where": pack.where,
    }


def world_facts(entry: PackWorld, seed: int) -> dict[str, Any]:
    """A world: its tables, tools, handbook, hidden state."""
    world = entry.world
    tables = list(world.schema.tables)
    image = world.image(seed)
    counts = {name: image.query(f'SELECT count(*) FROM "{name}"')[0][0] for name in tables}
    matrix = []
    for name, tool in world.own.items():
        reads = {table for statement in tool.statements() for _, table, _ in statement.reads}
        writes = {table for statement in tool.effect for _, table, _ in statement.writes}
        cells = ["both" if t in reads and t in writes else "writes" if t in writes else "reads" if t in reads else "" for t in tables]
        matrix.append({"name": name, "doc": tool.spec.doc, "args": ", ".join(tool.spec.args), "writes": bool(tool.effect), "cells": cells})
    with world.start(seed) as episode:
        policy = episode.policy()
    return {
        "name": entry.name,
        "title": world.spec.title,
        "domain": world.spec.domain,
        "clock": world.spec.start(),
        "tick": world.spec.tick(),
        "digest": world.digest,
        "state": world.state_digest(seed),
        "seed": seed,
        "diagram": diagram(world.schema, frozenset(world.spec.hidden), frozenset(world.spec.journal)),
        "tables": [{"name": name, "rows": counts[name]} for name in tables],
        "tools": matrix,
        "built_in": [{"name": doc.name, "doc": doc.doc} for doc in world.tools() if doc.name in world.built_in],
        "hidden": [{"column": column, "by": world.spec.revealers(column)} for column in world.spec.hidden],
        "handbook": [
            {
                "name": page.name,
                "title": _rendered(page.title, policy),
                "clauses": [(one.number, _marked(one.text, policy)) for one in page.clauses],
            }
            for page in world.handbook.pages.values()
        ],
        "events": [{"name": spec.name, "due": spec.due} for spec, _, _ in world.events],
        "parties": [
            {"name": name, "about": party.spec.about, "rules": len(party.rules), "knows": party.spec.knows}
            for name, party in world.parties.items()
        ],
        "tasks": [{"name": name, "title": task.task.brief.title} for name, task in entry.tasks.items()],
    }


def _marked(text: str, policy: dict[str, Any]) -> list[tuple[str, bool]]:
    """A clause in pieces; those drawn per seed are true. A clause with more than expressions in it is one piece."""
    pieces = [text] if "{%" in text or "{#" in text else re.split(r"(\{\{.*?\}\})", text)
    return [(_rendered(piece, policy), piece.startswith("{{")) for piece in pieces if piece]


def _rendered(text: str, policy: dict[str, Any]) -> str:
    return templates.render(text, {"policy": SimpleNamespace(**policy)})  # a dict's own methods would hide a policy `items`


def task_facts(entry: PackTask, done: Sequence[Trajectory], seed: int) -> dict[str, Any]:
    """A task on one seed: what is asked, what is expected, and how attempts went."""
    task = entry.task
    try:
        instance = task.instance(seed)
    except UnusableSeed:
        return {"name": entry.name, "world": entry.world.name, "unusable": seed}
    prompt = task.prompt(instance)
    ready = entry.verifier.preflight(instance)
    mine = [one for one in done if one.trace.instance.split("@")[0] == f"{entry.world.name}/{entry.name}"]
    here = [one for one in mine if one.trace.instance == instance.name]
    passed = next((one for one in here if one.trace.solver == "reference"), None)
    failed = next(
        (one for one in sorted(here, key=lambda one: -len(one.verdict.failed())) if one.verdict.status == Status.FAIL and one.changes), None
    )
    return {
        "name": entry.name,
        "world": entry.world.name,
        "unusable": None,
        "title": task.brief.title,
        "instance": instance.name,
        "seed": seed,
        "instruction": prompt.instruction,
        "opening": prompt.opening,
        "params": [{"name": name, "value": value, "shown": name in instance.shown} for name, value in instance.params.items()],
        "stratum": instance.stratum,
        "until": instance.until,
        "answer": [
            {"name": name, "type": spec.type + (f" ({', '.join(spec.enum)})" if spec.enum else ""), "doc": spec.doc}
            for name, spec in task.brief.answer.items()
        ],
        "limits": task.brief.limits,
        "luck": task.brief.luck,
        "tokens": count_prompt(prompt),
        "health": ready.fault or "healthy on the untouched state",
        "checks": [
            _check(entry, query.name, query.field, ready.cache.get(query.field), query.statement.sql)
            for query in entry.verifier.queries()
            if ".answer." not in f".{query.field}"
        ],
        "answers": [
            (one.field, group.name, [next(iter(row.values())) for row in ready.cache.get(one.query.field, [])], one.query.statement.sql)
            for group in (entry.verifier.base, *entry.verifier.alternatives)
            for one in group.answer
        ],
        "written_by": entry.verifier.spec.written_by.kind,
        "reference": entry.reference.source if entry.reference else "",
        "plans": [*(["reference"] if entry.reference else []), *(plan.name for plan in entry.alternatives)],
        "cases": [{"name": case.name, "verdict": case.verdict} for case in entry.cases],
        "lines": tabulate(mine),
        "episodes": [_episode(one) for one in (passed, failed) if one is not None],
    }


def _check(entry: PackTask, name: str, field: str, rows: Any, sql: str) -> dict[str, Any]:
    shown = list(rows or [])
    columns = list(shown[0]) if shown else []
    return {
        "name": name,
        "field": field,
        "sql": sql,
        "columns": columns,
        "rows": [list(row.values()) for row in shown[:_MOST_ROWS]],
        "total": len(shown),
        "fixed": rows is not None,
    }


def _episode(one: Trajectory) -> dict[str, Any]:
    trace = one.trace
    results = {message.tool_call_id: message.content for message in trace.messages if message.role == "tool"}
    calls = [
        (call.function.name, call.function.arguments, results.get(call.id, "")) for message in trace.messages for call in message.tool_calls
    ]
    return {
        "solver": trace.solver,
        "status": str(one.verdict.status),
        "reward": one.verdict.reward,
        "stop": str(trace.stop),
        "answer": trace.answer,
        "calls": [
            {"tool": tool, "args": args[:160], "result": result[:160], "refused": result.startswith('{"error"')}
            for tool, args, result in calls[:_MOST_CALLS]
        ],
        "n": len(calls),
        "changes": [
            {"table": change.table, "op": change.op, "key": list(change.key), "by": change.by, "cells": _cells(change)}
            for change in one.changes[:_MOST_ROWS]
        ],
        "changed": len(one.changes),
        "checks": [
            {"name": check.name, "kind": check.kind, "ok": check.ok, "rows": [dict(row) for row in check.rows[:6]], "total": check.total}
            for check in one.verdict.checks
        ],
    }


def _cells(change: Any) -> list[tuple[str, Any, Any]]:
    names = change.new or change.old
    return [(name, change.old.get(name), change.new.get(name)) for name in names][:10]
