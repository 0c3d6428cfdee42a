"""The audit finds faults that are known, and leaves their repaired twins and sound subjects alone.

A few subjects of every sort are audited here; `make quality` audits all of them and holds the rates to audit/floor.yaml.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from worldwright.audit.policy import read_policy
from worldwright.audit.taxonomy import fault_kind, taxonomy

HERE = Path(__file__).parent / "audit"


def load(name: str) -> Any:
    """A module of audit/, which is a folder of scripts."""
    if str(HERE) not in sys.path:
        sys.path.append(str(HERE))
    return importlib.import_module(name)


SUBJECTS, RESULTS, MEASURE = load("subjects"), load("results"), load("measure")
VERSIONS = {one.key: one for one in SUBJECTS.versions()}
LISTED = [one for entries in SUBJECTS.listed().values() for one in entries]
FILES = sorted({SUBJECTS.ROOT / one.file for one in VERSIONS.values() if one.file})
FAST = ("a1_stations", "a2_greenhouse", "a3_museum", "a4_payroll", "a6_till", "r1_petty_cash", "r2_new_number", "i1_menu_board")
FAST_SOUND = ("paint_mix",)
FEW = read_policy(str(HERE / "few.yaml"))


@pytest.mark.parametrize("subject", FAST)
def test_a_fault_is_found_and_its_twin_is_clean(subject):
    rows = [MEASURE.measured(VERSIONS[f"{subject}/{part}"], FEW, 0) for part in ("faulty", "repaired")]
    assert [row.outcome for row in rows] == ["found", "not found"], [str(row) for row in rows]


@pytest.mark.parametrize("subject", FAST_SOUND)
def test_a_sound_subject_is_left_alone(subject):
    row = MEASURE.measured(VERSIONS[f"{subject}/sound"], FEW, 0)
    assert row.outcome == "not found", str(row)


def test_a_subject_that_takes_too_long_has_failed():
    row = MEASURE.measured_apart(VERSIONS["a1_stations/faulty"], "exploratory", 0, 0.05, "")
    assert (row.outcome, row.note) == ("failed", "too slow: over 0.05 s")


# ---- the listing


def test_every_id_is_there_once():
    assert [key for key, n in Counter(one.key for one in SUBJECTS.versions()).items() if n > 1] == []


@pytest.mark.parametrize("entry", LISTED, ids=lambda entry: entry.id)
def test_an_entry_says_what_it_must(entry):
    sound = entry.kind == "sound"
    assert sound or fault_kind(entry.kind)
    assert all((entry.looks, entry.fine)) if sound else all((entry.fault, entry.witness, entry.repair))
    functions = {node.name for node in ast.parse((HERE / entry.file).read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)}
    assert functions >= ({"sound"} if sound else {"faulty", "repaired"})
    assert (entry.form == "reward") == bool(entry.dataset)
    assert not entry.dataset or (HERE / entry.dataset).is_file()


@pytest.mark.parametrize("entry", SUBJECTS.listed_packs(), ids=lambda entry: entry.id)
def test_a_pack_entry_can_be_made(entry, tmp_path):
    assert fault_kind(entry.kind)
    assert entry.fault_text
    assert entry.witness
    texts = []
    for part in ("faulty", "repaired"):
        folder = SUBJECTS.pack_folder(VERSIONS[f"{entry.id}/{part}"], tmp_path / part)
        world, task = entry.task.split("/")
        assert (folder / "worlds" / world / "tasks" / task).is_dir()
        texts.append({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()})
    assert texts[0] != texts[1]


def test_every_file_is_listed():
    lying = sorted(path for folder in ("python", "reward", "sound") for path in (HERE / folder).glob("*.py"))
    assert [str(path) for path in lying if path not in FILES] == []


def test_every_kind_has_three_faulty_subjects_and_sixty_are_sound():
    faulty = Counter(one.kind for one in VERSIONS.values() if one.part == "faulty" and one.group == "development")
    assert {one.code: faulty[one.code] for one in taxonomy() if faulty[one.code] < 3} == {}
    assert sum(one.part == "sound" for one in VERSIONS.values()) >= 60


def test_half_or_more_have_nothing_to_do_with_this_package():
    ours = [path for path in FILES if "worldwright" in imported(path)]
    assert ours == []
    apart = [one for one in VERSIONS.values() if one.file]
    assert 2 * len(apart) >= len(VERSIONS)


def imported(path: Path) -> set[str]:
    """First parts of all names that a file imports, wherever in the file."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.split(".")[0] for name in names}


# ---- what is made of rows


def row(subject: str, part: str, outcome: str, **more: Any) -> Any:
    return RESULTS.Row(
        subject, part, "sound" if part == "sound" else "A4", "python", "development", outcome, policy="exploratory 1", **more
    )


ROWS = (
    row("one", "faulty", "found", by_kind=True),
    row("one", "repaired", "not found"),
    row("two", "faulty", "undetermined"),
    row("two", "repaired", "found"),
    row("three", "sound", "failed", note="too slow"),
    row("four", "sound", "not found"),
)


def test_a_table_counts_and_bounds():
    text = RESULTS.tables(ROWS, first=())
    assert "| A4 | damage not seen | 1 of 2 (at least 3%) | 1 of 2 | 1 of 2 (at most 97%) | 1 | 0 |" in text
    assert "| all | 1 of 2 (at least 3%) | 1 of 2 (at most 97%) | 0 of 1 (at most 95%) | 1 | 1 |" in text
    assert "development set" in text.lower()
    assert "Missed:\n\n- two/faulty (A4): undetermined" in text


def test_the_first_run_of_held_out_subjects_stands_apart():
    first = [msgspec.structs.replace(one, group="held-out") for one in ROWS]
    again = [msgspec.structs.replace(one, group="held-out", outcome="found") for one in ROWS[:1]]
    text = RESULTS.tables(again, first=first)
    assert text.index("before anything was mended") < text.index("no longer unseen")
    assert "flatter" not in text


def test_a_floor_is_held():
    floors = [RESULTS.Floor("exploratory", sensitivity=0.6, alarms=0.2, kinds=0.6)]
    assert RESULTS.floor_faults(ROWS, floors) == [
        "50.0% of the faulty subjects were found (expected at least 60.0%)",
        "25.0% of twins and sound subjects were alarmed (expected at most 20.0%)",
        "50% of kind A4 were found (expected at least 60%)",
        "three/sound could not be audited",
    ]
    assert RESULTS.floor_faults(ROWS, []) == ["no floor for the policy exploratory"]
    assert RESULTS.floor_faults([one for one in ROWS if one.id in ("one", "four")], floors) == []


def test_the_floor_file_can_be_read():
    assert {one.policy for one in RESULTS.read_floor(HERE / "floor.yaml")} >= {"exploratory"}
