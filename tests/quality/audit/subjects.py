"""The quality subjects: what is listed in `index/*.yaml` and `packs.yaml`, and how each of them is opened.

Takes nothing but the files beside it; gives `Version`s: the faulty one, its repaired twin, or a sound one. The tasks of the
example packs count as sound. `index/held-out.yaml`, if it is there, is a group of its own: written after the audit's probes
were frozen. Doesn't run anything.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from worldwright.audit.adapters.targets import subject_of
from worldwright.audit.subject import Subject
from worldwright.files import decode_yaml
from worldwright.pack import read_pack

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
HELD_OUT = "held-out"

Part = Literal["faulty", "repaired", "sound"]
Group = Literal["development", "held-out"]


class Listed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A subject of an index file. Faulty ones say fault, witness and repair; sound ones how they look and why they are fine."""

    id: str
    kind: str
    form: Literal["python", "reward"]
    file: str
    dataset: str = ""
    fault: str = ""
    witness: str = ""
    repair: str = ""
    looks: str = ""
    fine: str = ""


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change of one file: `find` occurs once; without it the file is made from `replace`; without that it is deleted."""

    file: str
    find: str | None = None
    replace: str | None = None


class ListedPack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A faulty pack: edits of a pack that is there, and on top of them the edits that mend it."""

    id: str
    kind: str
    form: Literal["pack"]
    base: str
    task: str
    fault_text: str
    witness: str
    fault: list[Edit]
    repair: list[Edit]


class Version(msgspec.Struct, frozen=True):
    """One thing to audit. `file`, `dataset` and `pack` are paths from the project's root; `task` names a pack's task."""

    id: str
    kind: str
    form: Literal["python", "reward", "pack"]
    part: Part
    group: Group = "development"
    file: str = ""
    dataset: str = ""
    pack: str = ""
    task: str = ""
    edits: tuple[Edit, ...] = ()

    @property
    def key(self) -> str:
        """Its id and part."""
        return f"{self.id}/{self.part}"


def listed() -> dict[str, list[Listed]]:
    """The index files' entries, by the file's name."""
    files = sorted((HERE / "index").glob("*.yaml"))
    return {file.name: decode_yaml(file.read_text(encoding="utf-8"), list[Listed], file.name) for file in files}


def listed_packs() -> list[ListedPack]:
    """The faulty packs."""
    return decode_yaml((HERE / "packs.yaml").read_text(encoding="utf-8"), list[ListedPack], "packs.yaml")


def versions() -> list[Version]:
    """Everything that can be audited, in the order of the files."""
    return [*_of_index(), *_of_packs(), *_of_examples()]


def wanted(only: str = "", form: str = "") -> list[Version]:
    """Those of these ids, kinds or parts (comma separated; an id may end in *), and of this form."""
    names = [name for name in only.split(",") if name]
    return [one for one in versions() if (not form or one.form == form) and (not names or any(_is_named(one, name) for name in names))]


def open_version(version: Version, scratch: Path) -> Subject:
    """The subject itself; an edited pack is made in `scratch`. The caller closes it."""
    if version.form == "python":
        file = ROOT / version.file
        return subject_of(f"python:{file.stem}:{version.part}", path=file.parent)
    if version.form == "reward":
        return subject_of(f"reward:{ROOT / version.file}:{version.part}", dataset=ROOT / version.dataset)
    return subject_of(f"{pack_folder(version, scratch)}/{version.task}")


def pack_folder(version: Version, scratch: Path) -> Path:
    """The folder of a version's pack: the pack itself, or an edited copy in `scratch`."""
    base = ROOT / version.pack
    if not version.edits:
        return base
    copy = scratch / base.name
    shutil.copytree(base, copy)
    for edit in version.edits:
        _change(copy, edit)
    return copy


def _of_index() -> Iterator[Version]:
    for name, entries in listed().items():
        group: Group = HELD_OUT if name == f"{HELD_OUT}.yaml" else "development"  # type: ignore[assignment]
        for one in entries:
            parts: tuple[Part, ...] = ("sound",) if one.kind == "sound" else ("faulty", "repaired")
            for part in parts:
                dataset = _from_root(one.dataset) if one.dataset else ""
                yield Version(one.id, one.kind, one.form, part, group, file=_from_root(one.file), dataset=dataset)


def _of_packs() -> Iterator[Version]:
    for one in listed_packs():
        made: tuple[tuple[Part, tuple[Edit, ...]], ...] = (("faulty", tuple(one.fault)), ("repaired", (*one.fault, *one.repair)))
        for part, edits in made:
            yield Version(one.id, one.kind, "pack", part, pack=one.base, task=one.task, edits=edits)


def _of_examples() -> Iterator[Version]:
    for folder in sorted(path.parent for path in (ROOT / "examples").glob("*/pack.toml")):
        for entry in read_pack(folder).tasks():
            task = f"{entry.world.name}/{entry.name}"
            yield Version(f"{folder.name}/{task}", "sound", "pack", "sound", pack=f"examples/{folder.name}", task=task)


def _from_root(file: str) -> str:
    return (HERE / file).relative_to(ROOT).as_posix()


def _is_named(version: Version, name: str) -> bool:
    if name.endswith("*"):
        return version.id.startswith(name[:-1])
    return name in (version.id, version.kind, version.part, version.key)


def _change(folder: Path, edit: Edit) -> None:
    path = folder / edit.file
    if edit.replace is None:
        path.unlink()
    elif edit.find is None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(edit.replace, encoding="utf-8")
    else:
        text = path.read_text(encoding="utf-8")
        if text.count(edit.find) != 1:
            raise ValueError(f"{edit.file}: {edit.find!r} is there {text.count(edit.find)} times (expected once)")
        path.write_text(text.replace(edit.find, edit.replace), encoding="utf-8")
