"""Faulty packs are reported by the rule that they break, in the right file, and their repaired twins are clean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from worldwright.files import decode_yaml
from worldwright.pack import Pack
from worldwright.pack.lint import RULES, LintReport, lint
from worldwright.pack.read import read_files

HERE = Path(__file__).parent / "lint"
WORLD = "worlds/loan-desk/"
SEEDS = range(8)
STATES = 12


class Edit(msgspec.Struct, frozen=True):
    file: str
    find: str | None = None
    replace: str | None = None


class Fault(msgspec.Struct, frozen=True):
    name: str
    rule: str
    file: str
    fault: list[Edit]
    repair: list[Edit]


FAULTS = decode_yaml((HERE / "faults.yaml").read_text(), list[Fault], "faults.yaml")
BASE = read_files(HERE / "base")


def edited(files: dict[str, bytes], edits: list[Edit]) -> dict[str, bytes]:
    out = dict(files)
    for edit in edits:
        path = WORLD + edit.file
        if edit.replace is None:
            del out[path]
        elif edit.find is None:
            out[path] = edit.replace.encode()
        else:
            text = out[path].decode()
            assert text.count(edit.find) == 1, (edit.file, edit.find, text.count(edit.find))
            out[path] = text.replace(edit.find, edit.replace).encode()
    return out


def report(files: dict[str, bytes]) -> LintReport:
    return lint(Pack(files), SEEDS, states=STATES)


def test_base_is_clean() -> None:
    assert report(BASE).findings == ()


@pytest.mark.parametrize("case", FAULTS, ids=lambda case: case.name)
def test_fault_is_found_and_twin_is_clean(case: Any) -> None:
    faulty = edited(BASE, case.fault)
    found = [one for one in report(faulty).findings if one.rule == case.rule and one.file == WORLD + case.file]
    assert found, [str(one) for one in report(faulty).findings]
    assert found[0].edit
    twin = edited(faulty, case.repair)
    assert twin != faulty
    assert report(twin).findings == ()


def test_every_rule_has_a_fault() -> None:
    untested = {"one-stratum", "free-graded"}
    assert set(RULES) - {case.rule for case in FAULTS} == untested
    assert len(FAULTS) >= 24
