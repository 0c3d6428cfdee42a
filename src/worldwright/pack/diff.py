"""What differs between two packs: worlds and tasks that are only in one, and in those of both what has changed.

Takes two packs; gives a Difference. Of a task it says which of its parts differ (brief, verifier, reference, alternatives, cases), of a
world which tables, columns, tools, handbook clauses and parameters. Says nothing of what the changes mean.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from worldwright.pack.read import Pack, PackTask, PackWorld

__all__ = ["Change", "Difference", "difference"]


class Change(msgspec.Struct, frozen=True):
    """One thing: `what` kind of thing, its name, and whether it was added, removed or changed; `detail` says how."""

    where: str
    what: str
    name: str
    how: str
    detail: str = ""


class Difference(msgspec.Struct, frozen=True):
    """All changes from the first pack to the second."""

    one: str
    two: str
    changes: tuple[Change, ...]


def difference(one: Pack, two: Pack) -> Difference:
    """What changed from one pack to the other."""
    out: list[Change] = []
    for name in sorted(one.worlds.keys() | two.worlds.keys()):
        if name not in two.worlds or name not in one.worlds:
            tasks = len((one.worlds.get(name) or two.worlds[name]).tasks)
            out.append(Change(name, "world", name, "removed" if name in one.worlds else "added", f"{tasks} tasks"))
        else:
            out += _world(one.worlds[name], two.worlds[name])
    return Difference(one.digest, two.digest, tuple(out))


def _world(one: PackWorld, two: PackWorld) -> list[Change]:
    name = one.name
    out = _pairs(name, "table", _tables(one), _tables(two))
    out += _pairs(name, "tool", _tools(one), _tools(two))
    out += _pairs(name, "handbook clause", _clauses(one), _clauses(two))
    out += _pairs(name, "parameter", _parameters(one), _parameters(two))
    out += _pairs(name, "file", _files(one), _files(two))
    for task in sorted(one.tasks.keys() | two.tasks.keys()):
        if task not in one.tasks or task not in two.tasks:
            out.append(Change(name, "task", task, "removed" if task in one.tasks else "added"))
        elif one.tasks[task].files != two.tasks[task].files:
            out.append(Change(name, "task", task, "changed", ", ".join(_parts(one.tasks[task], two.tasks[task]))))
    return out


def _pairs(where: str, what: str, one: Mapping[str, str], two: Mapping[str, str]) -> list[Change]:
    out = []
    for name in sorted(one.keys() | two.keys()):
        if name not in two:
            out.append(Change(where, what, name, "removed"))
        elif name not in one:
            out.append(Change(where, what, name, "added"))
        elif one[name] != two[name]:
            out.append(Change(where, what, name, "changed"))
    return out


def _tables(world: PackWorld) -> dict[str, str]:
    return {name: repr(table) for name, table in world.world.schema.tables.items()}


def _tools(world: PackWorld) -> dict[str, str]:
    return {name: repr(tool.spec) for name, tool in world.world.own.items()}


def _clauses(world: PackWorld) -> dict[str, str]:
    return {f"{page.name} {one.number}": one.text for page in world.world.handbook.pages.values() for one in page.clauses}


def _parameters(world: PackWorld) -> dict[str, str]:
    """The parameters of the policy, by the values that the first few seeds have."""
    if not world.world.schema.has_policy():
        return {}
    return {name: "" for name in world.world.image(0).policy}


def _files(world: PackWorld) -> dict[str, str]:
    """The files of the scenario, which have no smaller parts."""
    return {path: data.hex() for path, data in world.files.items() if path.startswith(("scenario", "sample", "events", "parties"))}


def _parts(one: PackTask, two: PackTask) -> list[str]:
    paths = sorted(path for path in one.files.keys() | two.files.keys() if one.files.get(path) != two.files.get(path))
    return [path.rpartition(".")[0] for path in paths]
