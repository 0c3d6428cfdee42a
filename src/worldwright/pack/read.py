"""Reading a pack: a folder or a zip, as files, and compiled on demand.

Takes a path; gives a Pack whose worlds and tasks are compiled when first asked for. Plans are kept as text: nothing
here runs them. Raises PackError (broken files), naming file and line, and UsageError (no pack there, or no such world
or task).
"""

from __future__ import annotations

import codecs
import re
import tomllib
import zipfile
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from worldwright.errors import PackError, UsageError
from worldwright.files import decode_yaml, digest
from worldwright.pack.cases import Case
from worldwright.pack.labels import Label, labelled
from worldwright.pack.place import line_in, placing
from worldwright.pack.source import read_files
from worldwright.sandbox import Plan
from worldwright.task import Task
from worldwright.verifier import FUNCTIONS, Verifier
from worldwright.world.records import RecordsWorld

__all__ = ["Pack", "PackMeta", "PackTask", "PackWorld", "Target", "read_files", "read_pack", "resolve"]

_NAME = re.compile(r"[a-z0-9][a-z0-9-]*\Z")


class PackMeta(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`pack.toml`. `families` by `world/task`; `splits` lists families."""

    name: str
    version: str
    format: int
    licence: str
    about: str
    provenance: dict[str, Any] = {}
    families: dict[str, str] = {}
    splits: dict[str, list[str]] = {}


class PackTask:
    """One task with its verifier and its plans."""

    def __init__(self, world: PackWorld, name: str, files: Mapping[str, bytes]) -> None:
        self.world, self.name, self.files = world, name, files
        self.where = f"{world.where}/tasks/{name}"
        self.digest = digest(files)
        self.label = Label()

    @cached_property
    def task(self) -> Task:
        """The brief in its world."""
        with placing(self._placed):
            return Task(self.name, self.world.world, self._text("brief.yaml"), self.where)

    @cached_property
    def verifier(self) -> Verifier:
        """The verifier. Raises PackError, also if there is none."""
        with placing(self._placed):
            return Verifier(self.task, self._text("verifier.yaml"), self.where)

    @property
    def reference(self) -> Plan | None:
        """The reference plan, if there is one."""
        return self._plan("reference.py") if "reference.py" in self.files else None

    @property
    def alternatives(self) -> list[Plan]:
        """The other right ways."""
        return [self._plan(name) for name in sorted(self.files) if re.fullmatch(r"alternative-[a-z0-9-]+\.py", name)]

    @cached_property
    def cases(self) -> list[Case]:
        """The judged runs."""
        if "cases.yaml" not in self.files:
            return []
        return decode_yaml(self._text("cases.yaml"), list[Case], f"{self.where}/cases.yaml")

    def _placed(self) -> dict[str, bytes]:
        return self.world.placed() | {f"{self.where}/{path}": data for path, data in self.files.items()}

    def _plan(self, name: str) -> Plan:
        return Plan(name, self._text(name))

    def _text(self, name: str) -> str:
        if name not in self.files:
            raise PackError("the file is missing", file=f"{self.where}/{name}", expected="a file of that name")
        try:
            return self.files[name].decode()
        except UnicodeDecodeError as fault:
            line = self.files[name][: fault.start].count(b"\n") + 1
            raise PackError("not UTF-8 text", file=f"{self.where}/{name}", line=line, expected="UTF-8") from fault


class PackWorld:
    """One world with its tasks."""

    def __init__(self, name: str, files: Mapping[str, bytes], root: str) -> None:
        self.name, self.where = name, f"{root}worlds/{name}"
        self.files = {path: data for path, data in files.items() if not path.startswith("tasks/")}
        inside: dict[str, dict[str, bytes]] = {}
        for path, data in files.items():
            if path.startswith("tasks/") and path.count("/") >= 2:
                _, task, rest = path.split("/", 2)
                inside.setdefault(task, {})[rest] = data
        self.tasks = {task: PackTask(self, task, inside[task]) for task in sorted(inside)}

    @cached_property
    def world(self) -> RecordsWorld:
        """The compiled world. Raises PackError."""
        with placing(self.placed):
            return RecordsWorld(self.name, self.files, FUNCTIONS, self.where)

    def placed(self) -> dict[str, bytes]:
        """The world's own files by the paths that errors name."""
        return {f"{self.where}/{path}": data for path, data in self.files.items()}


class Pack:
    """A pack's files, its description and its worlds."""

    def __init__(self, files: Mapping[str, bytes], where: str = "") -> None:
        self.files, self.where = dict(files), where
        root = f"{where}/" if where else ""
        self.meta = _meta(files, root)
        self.digest = digest(files)
        inside: dict[str, dict[str, bytes]] = {}
        for path, data in files.items():
            if path.startswith("worlds/") and path.count("/") >= 2:
                _, world, rest = path.split("/", 2)
                inside.setdefault(world, {})[rest] = data
        self.worlds = {world: PackWorld(world, inside[world], root) for world in sorted(inside)}
        if not self.worlds:
            raise PackError("no world", file=f"{root}worlds", expected="worlds/<name>/world.yaml")
        for entry in self.worlds.values():
            for name, place in [(entry.name, entry.where), *((task.name, task.where) for task in entry.tasks.values())]:
                if not _NAME.match(name):
                    raise PackError(f"the name '{name}' is not plain", file=place, expected="a-z, 0-9 and -")
        self._label(f"{root}pack.toml")

    def _label(self, file: str) -> None:
        """Tell each task its family and side. Raises PackError if that isn't clear."""
        try:
            labels = labelled(self.meta.families, self.meta.splits)
        except ValueError as fault:
            line = line_in("pack.toml", self.files["pack.toml"], "splits")
            raise PackError(str(fault), file=file, line=line, field="splits", expected="plain names, and each family once") from fault
        for task in self.tasks():
            task.label = labels.get(f"{task.world.name}/{task.name}", Label())

    def tasks(self) -> list[PackTask]:
        """All tasks, by world and name."""
        return [task for world in self.worlds.values() for task in world.tasks.values()]


class Target(msgspec.Struct, frozen=True):
    """What `PACK[/world[/task[@seed]]]` names."""

    pack: Any
    world: Any = None
    task: Any = None
    seed: int | None = None


def read_pack(path: str | Path) -> Pack:
    """The pack at this path (a folder or a zip)."""
    return Pack(read_files(path), str(path))


def resolve(text: str) -> Target:
    """Read `PACK[/world[/task[@seed]]]`, where PACK is the longest part that is a folder with a pack.toml, or a zip; inside of a
    pack's folder it may be left out, or be `.`."""
    body, at, tail = text.rpartition("@")
    if not at or "/" in tail or Path(text).exists():
        body, at, tail = text, "", ""
    seed: int | None = None
    if at:
        if not re.fullmatch(r"\d{1,9}", tail):
            raise UsageError(f"'{tail}' is not a seed: write world/task@7")
        seed = int(tail)
    parts = Path(body).parts
    for n in range(len(parts), 0 if Path(body).is_absolute() else -1, -1):
        root = Path(*parts[:n])
        if (root / "pack.toml").is_file() or (root.is_file() and zipfile.is_zipfile(root)):
            return _target(read_pack(root), list(parts[n:]), seed, text)
    raise UsageError(f"{text}: no pack there (expected a folder with a pack.toml, or a zip of one)")


def _target(pack: Pack, rest: list[str], seed: int | None, text: str) -> Target:
    if rest[:1] == ["worlds"]:
        rest = [rest[1], *rest[3:]] if rest[2:3] == ["tasks"] else rest[1:2]
    if len(rest) > 2:
        raise UsageError(f"{text}: too many parts (expected PACK/world/task@seed)")
    world = task = None
    if rest:
        world = pack.worlds.get(rest[0])
        if world is None and len(rest) == 1 and len(pack.worlds) == 1 and rest[0] in next(iter(pack.worlds.values())).tasks:
            world = next(iter(pack.worlds.values()))
            rest = [world.name, rest[0]]
        if world is None:
            raise UsageError(f"{text}: {pack.meta.name} has no world '{rest[0]}' (it has: {', '.join(pack.worlds)})")
    if world is not None and len(rest) == 2:
        task = world.tasks.get(rest[1])
        if task is None:
            raise UsageError(f"{text}: {world.name} has no task '{rest[1]}' (it has: {', '.join(world.tasks) or 'none'})")
    if seed is not None and task is None:
        raise UsageError(f"{text}: a seed needs a task (expected PACK/world/task@seed)")
    return Target(pack, world, task, seed)


def _meta(files: Mapping[str, bytes], root: str) -> PackMeta:
    file = f"{root}pack.toml"
    if "pack.toml" not in files:
        raise PackError("the file is missing", file=file, expected="a file of that name")
    if files["pack.toml"].startswith(codecs.BOM_UTF8):
        raise PackError("starts with a byte order mark", file=file, line=1, expected="plain UTF-8")
    try:
        meta = msgspec.convert(tomllib.loads(files["pack.toml"].decode()), PackMeta)
    except UnicodeDecodeError as fault:
        line = files["pack.toml"][: fault.start].count(b"\n") + 1
        raise PackError("not UTF-8 text", file=file, line=line, expected="UTF-8") from fault
    except RecursionError as fault:
        raise PackError("nested too deeply", file=file, line=1, expected="plain TOML") from fault
    except tomllib.TOMLDecodeError as fault:
        found = re.search(r"at line (\d+)", str(fault))
        line = int(found.group(1)) if found else files["pack.toml"].count(b"\n") + 1
        raise PackError(f"not TOML: {fault}", file=file, line=line, expected="TOML 1.0") from fault
    except msgspec.ValidationError as fault:
        named = re.search(r"at `\$\.?(.+)`|field `(.+)`", str(fault))
        field = next((group for group in named.groups() if group), "") if named else ""
        line = line_in("pack.toml", files["pack.toml"], field)
        raise PackError(str(fault), file=file, line=line, field=field, expected="name, version, format, licence, about") from fault
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", meta.name):
        line = line_in("pack.toml", files["pack.toml"], "name")
        raise PackError(f"got '{meta.name}'", file=file, line=line, field="name", expected="letters, digits, . _ and -")
    if meta.format != 1:
        line = line_in("pack.toml", files["pack.toml"], "format")
        raise PackError(f"format {meta.format}", file=file, line=line, field="format", expected="1")
    return meta
