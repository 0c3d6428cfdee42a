"""What is compared: this project's quality subjects, and the toys that the tools themselves come with.

Takes where things are; gives `Item`s, each of which every tool's adapter can try to load. Subjects are read from
tests/quality/audit; edited packs are made in the build folder.
"""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from environments import ROOT, Places

N = 24
"""Tasks that a tool is given of a subject, at most."""


class Item(msgspec.Struct, frozen=True):
    """One thing to audit. `part` is faulty, repaired or sound; `python` the interpreter that a toy needs, for ours.

    `shim` and `dataset` of a verifiers environment: a reward function over its rubric, for tools that don't load it.
    """

    id: str
    group: str
    part: str
    kind: str
    form: str
    file: str = ""
    function: str = ""
    dataset: str = ""
    pack: str = ""
    task: str = ""
    weights: list[float] = []
    n: int = N
    python: str = ""
    shim: str = ""


def quality(module: str) -> Any:
    """A module of tests/quality/audit."""
    folder = str(ROOT / "tests" / "quality" / "audit")
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(module)


def subjects(places: Places) -> Iterator[Item]:
    """This project's own."""
    listing = quality("subjects")
    for one in listing.versions():
        held_out = f" ({one.group})" if one.group != "development" else ""
        group = {"python": "plain Python", "reward": "reward functions", "pack": "packs"}[one.form] + held_out
        known = {"id": one.key, "group": group, "part": one.part, "kind": one.kind, "form": one.form}
        if one.form == "pack":
            yield Item(**known, pack=str(_pack(listing, one, places.build / "packs")), task=one.task)
        else:
            dataset = str(ROOT / one.dataset) if one.dataset else ""
            yield Item(**known, file=str(ROOT / one.file), function=one.part, dataset=dataset)


def _pack(listing: Any, version: Any, build: Path) -> Path:
    scratch = build / version.key.replace("/", "-")
    if version.edits:
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
    folder: Path = listing.pack_folder(version, scratch)
    return folder
