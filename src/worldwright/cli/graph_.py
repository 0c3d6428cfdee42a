"""`worldwright graph show|coverage`: what there is to teach, and how much of it a pack teaches."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worldwright.cli.output import GOOD, emit, say, show_table
from worldwright.domain.trades import TRADES
from worldwright.errors import UsageError
from worldwright.forge.finish import read_funnel
from worldwright.knowledge import Coverage, KnowledgeGraph, coverage_of, read_profile, shipped
from worldwright.knowledge.graph import PATTERNS

__all__ = ["graph"]


def graph(
    what: Annotated[str, typer.Argument(help="show, or coverage.")] = "show",
    target: Annotated[str, typer.Argument(help="For show: a concept (default: all domains); for coverage: a forged pack.")] = "",
    against: Annotated[Path | None, typer.Option(help="A profile of what is wanted: CSV with domain, pattern, weight.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Show the knowledge graph, or how a pack covers it."""
    if what == "show":
        known = shipped()
        chosen = known.subtree(target) if target else set()
        if as_json:
            emit({"concepts": [one for one in known.concepts if not target or one.id in chosen]})
        else:
            _show(known, target, chosen)
        return GOOD
    if what != "coverage":
        raise UsageError(f"graph {what}: no such part (expected show or coverage)")
    if not target:
        raise UsageError("graph coverage: of which pack? (expected a pack that `forge` wrote)")
    funnel = read_funnel(Path(target))
    tasks: dict[tuple[str, str], int] = {}
    for one in funnel.outcomes:
        if one.is_certified:
            key = one.family.partition("/")[0], one.pattern
            tasks[key] = tasks.get(key, 0) + 1
    domains = list(dict.fromkeys([*(domain for domain, _ in tasks), *(TRADES if not tasks else ())]))
    found = coverage_of(tasks, domains, list(PATTERNS), read_profile(against) if against is not None else None)
    if as_json:
        emit({"lines": found.lines, "apart": found.apart, "gaps": found.gaps()})
    else:
        _covered(found)
    return GOOD


def _show(known: KnowledgeGraph, target: str, chosen: set[str]) -> None:
    kinds = ("domain", "area", "concept", "pattern", "skill")
    say(", ".join(f"{len(known.of_kind(kind))} {kind}s" for kind in kinds))  # type: ignore[arg-type]
    for one in known.concepts:
        if (target and one.id in chosen) or (not target and one.kind in ("domain", "pattern")):
            where = one.evidence[0].where if one.evidence else ""
            below = len(known.under(one.id))
            say(f"  {one.id} ({one.kind}): {one.name}{f'; {below} below it' if below else ''}{f' [{where}]' if target and where else ''}")


def _covered(found: Coverage) -> None:
    rows = [[one.domain, one.pattern, str(one.tasks), f"{100 * one.wanted:.1f} %", f"{100 * one.got:.1f} %"] for one in found.lines]
    show_table("", ["domain", "pattern", "tasks", "wanted", "got"], rows, right=(2, 3, 4))
    say(f"{found.apart:.2f} apart from what was wanted (0: exactly it; 1: nothing of it)")
    for one in found.gaps():
        say(f"gap: {one.domain}/{one.pattern}")
