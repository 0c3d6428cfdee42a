"""The forge: the same output with any number of workers and after a kill, a certificate that is the audit's, clear errors."""

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from importlib import resources
from pathlib import Path

import pytest

from worldwright.cli.main import run
from worldwright.errors import UsageError
from worldwright.forge.finish import finished, funnel_of, read_funnel
from worldwright.forge.run import Plan, forge
from worldwright.forge.sources import sources_of
from worldwright.pack import read_pack


def tree(root):
    """Files below a folder, but for what says what it cost."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name != "ledger.jsonl"
    }


def outcomes(forged):
    return [(one.world, one.task, one.stage, one.reasons, one.plan, one.calls) for one in funnel_of(forged).outcomes]


@pytest.fixture(scope="module")
def policy(tmp_path_factory):
    """A policy that certifies on few instances, so that a test takes seconds."""
    path = tmp_path_factory.mktemp("policy") / "few.yaml"
    path.write_text(
        "name: few\nversion: 1\nabout: A few instances, for tests alone.\nadmission: 3\ncertification: 3\nfirst_wave: 1\nwide: 1\nthin: 2\n"
        "required: [untouched, reference]\nsearch: 4\nunknown_allowed: [alternatives]\n",
        encoding="utf-8",
    )
    return str(path)


def plan(policy, **more):
    return Plan(("freight",), "small", tasks=4, policy=policy, patterns=("remedy", "triage"), **more)


def test_the_pack_is_the_same_with_one_worker_and_with_two(policy, tmp_path):
    one = forge(plan(policy), tmp_path / "one.pieces", 1)
    two = forge(plan(policy), tmp_path / "two.pieces", 2)
    assert outcomes(one) == outcomes(two)
    finished(one, tmp_path / "one")
    finished(two, tmp_path / "two")
    left, right = tree(tmp_path / "one"), tree(tmp_path / "two")
    assert left.keys() == right.keys()
    assert {path for path in left if left[path] != right[path] and path != "forge.json"} == set()


def test_what_was_done_is_not_done_again(policy, tmp_path):
    first = forge(plan(policy), tmp_path / "pieces", 1)
    kept = sorted((tmp_path / "pieces").glob("*.piece"))
    assert kept
    stamps = [path.stat().st_mtime_ns for path in kept]
    again = forge(plan(policy), tmp_path / "pieces", 1)
    assert outcomes(first) == outcomes(again)
    assert [path.stat().st_mtime_ns for path in kept] == stamps
    kept[0].write_bytes(b"half a pie")
    assert outcomes(forge(plan(policy), tmp_path / "pieces", 1)) == outcomes(first)


def test_a_killed_run_goes_on(policy, tmp_path):
    command = [sys.executable, "-c", "from worldwright.cli.main import run; run()", "forge", "freight", "--patterns", "remedy,triage"]
    command += ["--tasks", "4", "--policy", policy, "--no-report", "--workers", "2", "-o", str(tmp_path / "small")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    pieces = tmp_path / "small.pieces"
    end = time.monotonic() + 120
    while process.poll() is None and not list(pieces.glob("*.piece")) and time.monotonic() < end:
        time.sleep(0.05)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert subprocess.run(command, capture_output=True).returncode == 0
    whole = forge(plan(policy), tmp_path / "whole.pieces", 1)
    finished(whole, tmp_path / "whole" / "small")
    left, right = tree(tmp_path / "small"), tree(tmp_path / "whole" / "small")
    assert {path for path in left.keys() | right.keys() if left.get(path) != right.get(path) and path != "forge.json"} == set()


def test_processes_end_with_a_command_that_is_killed(policy, tmp_path):
    """The pipe that all of them hold closes once the last has ended; pieces of two dozen tasks would take them minutes."""
    command = [sys.executable, "-c", "from worldwright.cli.main import run; run()", "forge", "freight", "procurement", "--no-report"]
    command += ["--workers", "2", "-o", str(tmp_path / "big")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    try:
        while process.poll() is None and len(processes_of(process.pid)) < 3:
            time.sleep(0.05)
        assert process.poll() is None
        process.kill()
        process.communicate(timeout=30)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def processes_of(session):
    """The Python processes of a session."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            name, _, rest = path.read_text().rpartition(")")
            if int(rest.split()[3]) == session and "python" in name:
                found.append(path)
    return found


def test_the_certificate_is_that_of_an_audit(policy, tmp_path, capsys):
    finished(forge(plan(policy), tmp_path / "pieces", 1), tmp_path / "small")
    with pytest.raises(SystemExit):
        run(["audit", str(tmp_path / "small"), "--policy", policy, "--out", str(tmp_path / "audit")])
    capsys.readouterr()
    mine, theirs = (json.loads((tmp_path / part / "certificate.json").read_bytes()) for part in ("small", "audit"))
    assert mine == theirs


def test_the_account_says_what_became_of_everything(policy, tmp_path):
    _, dossier, funnel = finished(forge(plan(policy, held_out=("triage",)), tmp_path / "pieces", 1), tmp_path / "small")
    assert dossier is not None
    assert read_funnel(tmp_path / "small") == funnel
    counts = funnel.counted()
    assert counts["proposed"] == len(funnel.outcomes) == 4
    assert counts["certified"] == len(read_pack(tmp_path / "small").tasks()) == len(dossier.certificate.cases)
    assert all(one.reasons for one in funnel.outcomes if not one.is_certified)
    assert all(one.cost.cpu > 0 and one.cost.runs > 0 for one in funnel.outcomes if one.is_certified)
    text = (tmp_path / "small" / "pack.toml").read_text(encoding="utf-8")
    assert 'held_out = ["freight/triage"]' in text
    assert 'train = ["freight/remedy' in text
    labels = {f"{task.world.name}/{task.name}": task.label for task in read_pack(tmp_path / "small").tasks()}
    assert {name: one.family for name, one in labels.items()} == {
        f"{one.world}/{one.task}": one.family for one in funnel.outcomes if one.is_certified
    }
    sides = {(one.family, one.split) for one in labels.values()}
    assert ("freight/triage", "held_out") in sides
    assert sides - {("freight/triage", "held_out")} <= {("freight/remedy", "train"), ("freight/remedy+remedy", "train")}


@pytest.mark.parametrize("name", ["library", "clinic", "warehouse", "school"])
def test_worlds_of_a_database_hold_its_rows(name, tmp_path):
    from databases import office

    path = office(tmp_path / f"{name}.sqlite", name)
    source = sources_of([str(path)])[0]
    material = source.material(0)
    assert material.model.policies
    assert all("no rule of its owner's" in one.source.where for one in material.model.policies)
    db = sqlite3.connect(path)
    entities = {one.name: one for one in source.model.entities}
    for entity, table in material.tables.items():
        own = entities[entity]
        key = next(one for one in own.fields if one.name == own.key[0])
        there = {str(row[0]) for row in db.execute(f'SELECT "{key.column}" FROM "{own.table}"')}
        assert {str(row[table.key]) for row in source.reading.rows[entity]} <= there
    db.close()


def test_what_is_no_source_is_told(tmp_path):
    (tmp_path / "letter.sqlite").write_text("Dear Sir or Madam,\n" * 100, encoding="utf-8")
    for given, told in ((str(tmp_path / "letter.sqlite"), "letter.sqlite"), ("nowhere.sqlite", "neither a file nor a shipped trade")):
        with pytest.raises(UsageError, match=told):
            sources_of([given])


def test_a_folder_of_somebody_else_is_left_alone(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(UsageError, match="not empty, and no forged pack"):
        finished(
            forge(Plan(("freight",), "x", tasks=1, policy="exploratory", patterns=("remedy",)), tmp_path / "pieces", 1), tmp_path / "mine"
        )
    assert (tmp_path / "mine" / "letter.txt").read_text(encoding="utf-8") == "dear"


def test_an_earlier_pack_is_replaced_only_when_asked(policy, tmp_path):
    done = forge(plan(policy), tmp_path / "pieces", 1)
    finished(done, tmp_path / "small")
    with pytest.raises(UsageError, match="--force replaces it"):
        finished(done, tmp_path / "small")
    finished(done, tmp_path / "small", force=True)


def test_sources_of_one_name_are_told_apart(policy, tmp_path):
    from databases import office

    (tmp_path / "two").mkdir()
    paths = [str(office(folder / "library.sqlite", "library")) for folder in (tmp_path, tmp_path / "two")]
    with pytest.raises(UsageError, match="would be called 'library', as those of"):
        forge(Plan(tuple(paths), "x", policy=policy), tmp_path / "pieces", 1)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"held_out": ("labortory",)}, "there is no 'labortory'"),
        ({"profile": ((("freight", "haulage"), 1.0),)}, "the profile wants no family that there is"),
    ],
)
def test_what_nothing_answers_to_is_told(policy, tmp_path, more, told):
    with pytest.raises(UsageError, match=told):
        forge(plan(policy, **more), tmp_path / "pieces", 1)


def test_what_a_task_that_cant_be_set_cost_is_charged(policy, tmp_path, monkeypatch):
    monkeypatch.setattr("worldwright.forge.trial._USABLE", 1.1)  # nothing can be set so often
    done = funnel_of(forge(Plan(("freight",), "x", tasks=2, policy=policy, patterns=("remedy",), mutants=False), tmp_path / "pieces", 1))
    unset = [one for one in done.outcomes if one.reasons and one.reasons[0].startswith("unusable seeds")]
    assert unset
    assert all(one.cost.cpu > 0 and one.stage == "proposed" for one in unset)


def test_a_mined_model_can_be_forged(policy, tmp_path, capsys):
    """Its money has decimals in the source and is whole cents in the world."""
    with resources.as_file(resources.files("worldwright.forge").joinpath("samples/chinook.sqlite")) as database, pytest.raises(SystemExit):
        run(["mine", str(database), "-o", str(tmp_path / "music.yaml")])
    capsys.readouterr()
    done = funnel_of(
        forge(Plan((str(tmp_path / "music.yaml"),), "x", tasks=3, policy=policy, patterns=("reconcile",)), tmp_path / "pieces", 1)
    )
    assert sum(one.stage == "certified" for one in done.outcomes) >= 1
    others = [reason for one in done.outcomes if one.stage != "certified" for reason in one.reasons]
    assert all(reason.startswith("unusable seeds") for reason in others), others


@pytest.mark.parametrize("text", ["name: x\nentities: [1", "openapi: 3.0.0\n"])
def test_a_file_that_is_no_model_is_told(tmp_path, text):
    (tmp_path / "odd.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"odd\.yaml:\d+: .*forge takes SQLite files, domain models"):
        sources_of([str(tmp_path / "odd.yaml")])
