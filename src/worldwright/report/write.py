"""Writes the pages: an overview, one page a world, one page a task."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2

from worldwright import __version__
from worldwright.pack import Pack
from worldwright.report.facts import overview, task_facts, world_facts
from worldwright.rollout import Trajectory
from worldwright.rollout.table import UNIT

__all__ = ["write_report"]


def write_report(packs: Sequence[Pack], done: Sequence[Trajectory], out: Path, seed: int) -> Path:
    """Write all pages below `out`; gives the path of the first."""
    out.mkdir(parents=True, exist_ok=True)
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "pages"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters["percent"] = lambda value: f"{100 * value:.0f} %"
    shared: dict[str, Any] = {"version": __version__, "unit": UNIT}
    first = out / "index.html"
    first.write_text(env.get_template("overview.html").render(**shared, **overview(packs, done)))
    for pack in packs:
        for world in pack.worlds.values():
            facts = world_facts(world, seed)
            (out / f"{world.name}.html").write_text(env.get_template("world.html").render(**shared, pack=pack.meta.name, world=facts))
            for entry in world.tasks.values():
                page = env.get_template("task.html").render(**shared, pack=pack.meta.name, task=task_facts(entry, done, seed), world=facts)
                (out / f"{world.name}--{entry.name}.html").write_text(page)
    return first
