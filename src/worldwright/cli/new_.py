"""`worldwright new pack|world|task WHERE`: a small but complete start, to be edited by hand.

The files come from `scaffold/` beside this module. What is written passes lint as it stands. Nothing is overwritten.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from worldwright.cli.look_up import find_look_up
from worldwright.cli.output import GOOD, emit, say
from worldwright.errors import UsageError
from worldwright.pack import PackWorld, read_pack

__all__ = ["new"]

SCAFFOLD = Path(__file__).parent / "scaffold"
_WORLD = SCAFFOLD / "worlds" / "parcel-counter"
_TASK = SCAFFOLD / "worlds" / "any" / "tasks" / "look-up"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*\Z")


def new(
    kind: Annotated[str, typer.Argument(help="pack, world or task.")],
    where: Annotated[Path, typer.Argument(help="DIR, PACK/NAME or PACK/WORLD/NAME.")],
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Scaffold a pack, a world in a pack, or a task in a world: complete, clean, and short enough to edit."""
    makers = {"pack": _pack, "world": _world, "task": _task}
    if kind not in makers:
        raise UsageError(f"got '{kind}'; expected new pack DIR, new world PACK/NAME or new task PACK/WORLD/NAME")
    if not _NAME.match(where.name):
        raise UsageError(f"the name '{where.name}' is not plain (expected a-z, 0-9 and -)")
    pack, root, files, edit = makers[kind](where)
    if root.is_file() or (root.is_dir() and any(root.iterdir())):
        raise UsageError(f"{root} is there already: nothing was written (take another name, or remove it first)")
    written = [_write(root / name, text) for name, text in files.items()]
    steps = [f"worldwright lint {pack}", f"worldwright show {edit}", f"worldwright play {edit}", f"worldwright rollout {edit} --solver all"]
    if as_json:
        emit({"wrote": [str(path) for path in written], "run": steps})
    else:
        _print(written, steps)
    return GOOD


Made = tuple[Path, Path, dict[str, str], str]
"""The pack, the folder to write, its files, and the task as a target."""


def _pack(where: Path) -> Made:
    return where, where, _filled(SCAFFOLD, {"__PACK__": where.name}, skip="worlds/any/"), f"{where}/parcel-counter/release-parcel@0"


def _world(where: Path) -> Made:
    pack = where.parent
    read_pack(_folder(pack))
    return pack, pack / "worlds" / where.name, _filled(_WORLD, {}), f"{where}/release-parcel@0"


def _task(where: Path) -> Made:
    world, pack = where.parent.name, where.parent.parent
    entry = read_pack(_folder(pack)).worlds.get(world)
    if entry is None:
        raise UsageError(f"{pack} has no world '{world}' (expected new task PACK/WORLD/NAME)")
    return pack, pack / "worlds" / world / "tasks" / where.name, _filled(_TASK, _words(entry)), f"{where}@0"


def _folder(pack: Path) -> Path:
    if not (pack / "pack.toml").is_file():
        raise UsageError(f"{pack}: no pack.toml there (expected a pack's folder; `worldwright new pack DIR` makes one)")
    return pack


def _words(entry: PackWorld) -> dict[str, str]:
    """What the task's files say about their world."""
    world, found = entry.world, find_look_up(entry.world)
    seen = ["brief.yaml", *(f"../../{name}" for name in ("world.yaml", "schema.sql", "events.yaml", "parties.yaml") if name in entry.files)]
    seen += ["../../handbook"] if world.handbook.pages else []
    return {
        "__TOOL__": found.tool,
        "__ARG__": found.argument,
        "__TABLE__": found.table,
        "__KEY__": found.key,
        "__COLUMN__": found.column,
        "__TYPE__": found.type,
        "__SAID_TABLE__": found.table.replace("_", " "),
        "__SEES__": ", ".join(seen),
        "__TABLES__": "\n".join(f"#   {name}({', '.join(table.names())})" for name, table in world.schema.tables.items()),
        "__TOOLS__": "\n".join(f"#   {doc.name}({', '.join(doc.args)}): {' '.join(doc.doc.split())}" for doc in world.tools()),
    }


def _filled(folder: Path, words: Mapping[str, str], skip: str = "-") -> dict[str, str]:
    """The folder's files by their path in it, with placeholders filled in."""
    out = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith(skip) and "__pycache__" not in name:
            text = path.read_text(encoding="utf-8")
            for word, value in words.items():
                text = text.replace(word, value)
            out[name] = text
    return out


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _print(written: list[Path], steps: list[str]) -> None:
    say("Wrote, in the order in which to edit:")
    wide = max(len(str(path)) for path in written)
    for path in sorted(written, key=lambda path: (len(path.parts), _ORDER.get(path.name, len(_ORDER)), path.name)):
        say(f"  {path!s:<{wide}}  {_ABOUT.get(path.name) or _ABOUT['alternative']}")
    say("Then run:")
    for step in steps:
        say(f"  {step}")
    say("docs/pack-format.md says what each file may hold; `worldwright explain RULE` what a finding of lint means.")


_ABOUT = {
    "pack.toml": "name, licence, what it is about",
    "world.yaml": "clock, tools, what is hidden",
    "schema.sql": "tables",
    "scenario.py": "a start state from a seed",
    "storage.md": "what an agent can look up",
    "brief.yaml": "what is asked",
    "verifier.yaml": "the test: write it from brief, schema and handbook, before the reference",
    "reference.py": "a known solution",
    "alternative": "another one, which must pass too",
    "cases.yaml": "runs with the verdict that a person gave them",
}
_ORDER = {name: n for n, name in enumerate(_ABOUT)}
