"""Writes the pages: an overview, one page a world, one page a task."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2

from worldwright import __version__
from worldwright.errors import UsageError
from worldwright.pack import Pack
from worldwright.report.facts import overview, task_facts, world_facts
from worldwright.rollout import Trajectory
from worldwright.rollout.table import INTERVAL, UNIT

__all__ = ["environment", "write_report"]


def write_report(packs: Sequence[Pack], done: Sequence[Trajectory], out: Path, seed: int, name: str = "index.html") -> Path:
    """Write all pages below `out`; gives the path of the first, `name`. Raises UsageError if two packs have a world of one name."""
    names = [one for pack in packs for one in pack.worlds]
    doubled = sorted({one for one in names if names.count(one) > 1})
    if doubled:
        raise UsageError(f"two packs have a world '{doubled[0]}': write a report for each")
    out.mkdir(parents=True, exist_ok=True)
    env = environment()
    shared: dict[str, Any] = {"version": __version__, "unit": f"{UNIT}; {INTERVAL}"}
    first = out / name
    _write(first, env.get_template("overview.html").render(**shared, **overview(packs, done)))
    for pack in packs:
        for world in pack.worlds.values():
            facts = world_facts(world, seed)
            _write(out / _page(world.name), env.get_template("world.html").render(**shared, pack=pack.meta.name, world=facts))
            for entry in world.tasks.values():
                told = task_facts(entry, done, seed)
                text = env.get_template("task.html").render(**shared, pack=pack.meta.name, task=told, world=facts)
                _write(out / _page(world.name, entry.name), text)
    return first


def environment() -> jinja2.Environment:
    """What all pages are rendered with: escaped, and an undefined name is an error."""
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "pages"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters["percent"] = lambda value: f"{100 * value:.0f} %"
    env.globals["page"] = _page
    return env


def _page(world: str, task: str = "") -> str:
    """A page's file name. Names have no dots, so no two pages share one."""
    return f"world.{world}.{task}.html" if task else f"world.{world}.html"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
