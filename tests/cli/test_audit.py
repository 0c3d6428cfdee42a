"""audit, accept, review and explain as commands: what they say, what they write, how they end."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

import worldwright
from worldwright.audit.probes import battery
from worldwright.audit.taxonomy import taxonomy
from worldwright.cli.main import run

Command = Callable[..., tuple[int, str, str]]
DESKS = Path(__file__).parents[1] / "audit"
SMALL = """name: small
version: 3
about: for tests
admission: 3
certification: 2
first_wave: 2
required: [untouched, collateral, reference]
search: 2
"""
KINDS = "reference,untouched,collateral,argument"


def end(capsys: Any, *argv: Any) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as caught:
        run([str(one) for one in argv])
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    assert isinstance(caught.value.code, int)
    return caught.value.code, out, err


@pytest.fixture
def command(capsys) -> Command:
    """Runs a command here; gives its exit code, stdout and stderr."""
    return lambda *argv: end(capsys, *argv)


@pytest.fixture(scope="module")
def policy(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("policy") / "small.yaml"
    path.write_text(SMALL, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folders(policy, tmp_path_factory) -> dict[str, Path]:
    """The folders of audits of three desks, each with what the command said in out.txt and err.txt."""
    made = {}
    for name in ("lax", "sound", "vague"):
        made[name] = tmp_path_factory.mktemp(name)
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as caught:
            run(["audit", f"python:desks:{name}", "--path", str(DESKS), "--policy", str(policy), "--only", KINDS, "--out", str(made[name])])
        assert caught.value.code == (0 if name == "sound" else 1)
        (made[name] / "out.txt").write_text(out.getvalue(), encoding="utf-8")
        (made[name] / "err.txt").write_text(err.getvalue(), encoding="utf-8")
    return made


# ---- audit


def test_verdict_first_then_the_worst(folders):
    folder = folders["lax"]
    out, err = ((folder / name).read_text(encoding="utf-8") for name in ("out.txt", "err.txt"))
    assert out.startswith("REJECTED: python:desks:lax (python, ")
    order = [out.index(part) for part in ("findings: ", "controls", "by task", "not checked", "counts as", "written: ")]
    assert order == sorted(order)
    assert "expected fail, got pass (reward 1); labelled by state" in out
    assert "edit     Compare the whole state" in out
    assert f"again    python {folder}/repro/01-hand-out-collateral.py" in out
    assert "tasks of distinct structure (" in out
    assert "audit python:desks:lax hand-out admission" in err
    repro = subprocess.run([sys.executable, folder / "repro" / "01-hand-out-collateral.py"], capture_output=True, timeout=60)
    assert repro.returncode == 1


def test_what_is_written(folders):
    names = {path.relative_to(folders["lax"]).as_posix() for path in folders["lax"].rglob("*") if path.is_file()}
    assert {
        "certificate.json",
        "audit.lock.json",
        "findings.json",
        "ledger.jsonl",
        "index.html",
        "repro/01-hand-out-collateral.py",
    } <= names
    certificate = json.loads((folders["lax"] / "certificate.json").read_text(encoding="utf-8"))
    assert certificate["verdict"] == "rejected"
    assert certificate["lock"] == json.loads((folders["lax"] / "audit.lock.json").read_text(encoding="utf-8"))
    assert not (folders["sound"] / "repro").exists()
    entry = json.loads((folders["lax"] / "ledger.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert entry["stage"] == "audit"
    assert entry["cost"]["runs"] > 0


def test_json_is_all_there_is_on_stdout(command, loan_desk):
    code, out, _ = command("audit", loan_desk, "--fast", "--only", "reference,untouched", "--json")
    told = json.loads(out)
    assert code == 1
    assert told["verdict"] == "undetermined"
    assert {"findings", "leads", "certificate", "not_checked", "reasons"} <= told.keys()
    assert told["certificate"]["lock"]["request"]["fast"] is True
    assert told["certificate"]["licence"]


def test_a_lock_gives_the_same_bytes_again(command, folders, policy, tmp_path):
    args = (
        "audit",
        "python:desks:sound",
        "--path",
        DESKS,
        "--policy",
        policy,
        "--lock",
        folders["sound"] / "certificate.json",
        "--out",
        tmp_path,
    )
    code, _, err = command(*args)
    assert (code, "the same bytes again" in err) == (0, True)
    assert (tmp_path / "certificate.json").read_bytes() == (folders["sound"] / "certificate.json").read_bytes()


@pytest.mark.parametrize(
    "target, policy_too, said",
    [
        ("python:desks:lax", True, "not the same subject"),
        ("python:desks:sound", False, "small: no such policy"),
    ],
)
def test_a_lock_of_something_else_is_refused(command, folders, policy, target, policy_too, said):
    more = ("--policy", policy) if policy_too else ()
    code, _, err = command("audit", target, "--path", DESKS, *more, "--lock", folders["sound"] / "audit.lock.json")
    assert code == 2
    assert said in err


def test_a_lock_under_another_policy_or_with_other_probes_is_refused(command, folders, policy, tmp_path):
    other = tmp_path / "other.yaml"
    other.write_text(SMALL.replace("admission: 3", "admission: 4"), encoding="utf-8")
    lock = folders["sound"] / "audit.lock.json"
    code, _, err = command("audit", "python:desks:sound", "--path", DESKS, "--policy", other, "--lock", lock)
    assert (code, "give the file that was used as --policy FILE" in err) == (2, True)
    changed = tmp_path / "lock.json"
    changed.write_text(lock.read_text(encoding="utf-8").replace('"collateral": 1', '"collateral": 9'), encoding="utf-8")
    code, _, err = command("audit", "python:desks:sound", "--path", DESKS, "--policy", policy, "--lock", changed)
    assert (code, "with other probes (collateral)" in err) == (2, True)


@pytest.mark.parametrize(
    "args, said",
    [
        (["nowhere"], "python:MODULE:FUNCTION: an environment in plain Python"),
        (["python:desks"], "expected python:MODULE:FUNCTION"),
        (["python:desks:sound", "--path", "/no/such/folder"], "no such folder"),
        (["reward:gone.py"], "no such file 'gone.py'"),
        ([f"reward:{DESKS / 'desks.py'}"], "say --dataset FILE"),
        (["reasoning-gym:"], "names no dataset"),
        (["{pack}", "--only", "telepathy"], "there is no kind of probe 'telepathy' (there are: "),
        (["{pack}", "--policy", "gentle"], "gentle: no such policy"),
        (["{pack}", "--case", "nothing"], "has no case 'nothing' (it has: loan-desk/settle-fine)"),
        (["{pack}/settle-fine@3"], "an audit draws its seeds itself"),
        (["{pack}", "--lock", "gone.json"], "expected a lock or a certificate"),
    ],
)  # fmt: skip
def test_wrong_usage(command, loan_desk, args, said):
    code, out, err = command("audit", *(one.replace("{pack}", str(loan_desk)) for one in args))
    assert (code, out) == (2, "")
    assert said in err


# ---- accept


def test_accept_says_clause_by_clause(command, folders, tmp_path):
    contract = tmp_path / "contract.toml"
    contract.write_text("[bounds]\nmost_false_accept = 0.9\ntasks = 1\n[cost]\nmost_cents = 1\n", encoding="utf-8")
    args = ("accept", "python:desks:sound", "--path", DESKS, "--contract", contract, "--certificate", folders["sound"] / "certificate.json")
    code, out, _ = command(*args)
    assert (code, out.splitlines()[0].startswith("MET: python:desks:sound")) == (0, True)
    contract.write_text("[bounds]\ntasks = 2\n[licence]\nallowed = ['MIT']\n", encoding="utf-8")
    code, out, _ = command(*args, "--json")
    told = json.loads(out)
    assert (code, told["met"]) == (1, False)
    assert [(one["name"], one["status"]) for one in told["clauses"]] == [
        ("verdict", "met"),
        ("bounds.tasks", "not met"),
        ("licence.allowed", "can't be said"),
    ]
    contract.write_text("[bounds]\ntask = 2\n", encoding="utf-8")
    code, _, err = command(*args)
    assert code == 2
    assert f"{contract}:2: bounds.task: " in err


def test_accept_refuses_a_certificate_of_something_else(command, folders, tmp_path):
    contract = tmp_path / "contract.toml"
    contract.write_text("", encoding="utf-8")
    code, _, err = command(
        "accept", "python:desks:lax", "--path", DESKS, "--contract", contract, "--certificate", folders["sound"] / "certificate.json"
    )
    assert code == 2
    assert "audit this version, or take the one that was certified" in err


# ---- review


def judged(folder: Path, said: str, *more: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "PYTHONPATH": str(Path(worldwright.__file__).parents[1]), "WORLDWRIGHT_DEBUG": ""}
    command = [sys.executable, "-c", "from worldwright.cli.main import run; run()", "review", str(folder), *more]
    return subprocess.run(command, input=said, env=environ, capture_output=True, text=True, timeout=60)


def test_a_person_judges_and_the_next_audit_counts_it(command, folders, policy):
    folder = folders["vague"]
    done = judged(folder, "perhaps\nskip\nwrong another parcel went out\nquit\n", "--by", "Ada")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert "brief\n  Hand out the parcel of " in done.stdout
    assert "verdict: pass (reward 1)" in done.stdout
    assert "'perhaps' is none of right, wrong, skip, quit" in done.stdout
    entries = [json.loads(line) for line in (folder / "review.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(one["verdict_is"], one["by"], one["note"]) for one in entries] == [("wrong", "Ada", "another parcel went out")]
    assert json.loads((folder / "ledger.jsonl").read_text(encoding="utf-8").splitlines()[-1])["step"] == "review by Ada"
    before = int(done.stdout.split(" to judge")[0].rpartition(" ")[2])
    again = judged(folder, "")
    assert f"{before - 1} to judge" in again.stdout
    args = ("audit", "python:desks:vague", "--path", DESKS, "--policy", policy, "--only", KINDS)
    code, out, _ = command(*args, "--reviewed", folder / "review.jsonl")
    assert code == 1
    assert "labelled by person" in out
    assert "Ada says that the verdict is wrong: another parcel went out." in out


def test_review_of_nothing(command):
    code, _, err = command("review", "nowhere")
    assert (code, "no pack there" in err) == (2, True)


# ---- explain


@pytest.mark.parametrize("name", [*battery(), *(one.code for one in taxonomy())])
def test_probes_and_faults_are_explained(command, name):
    code, out, err = command("explain", name)
    assert (code, err) == (0, "")
    assert out.startswith(f"{name} (")
    assert json.loads(command("explain", name, "--json")[1])["means"]
