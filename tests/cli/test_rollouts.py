"""rollout, rescore, review and explain over stored runs: as commands."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from worldwright.rollout import read_trajectories
from worldwright.rollout.codec import index_of

DEMAND = "demand:\n- {name: it looked, rows: SELECT 1 FROM calls}\n"


@pytest.fixture
def ran(command, loan_desk, tmp_path):
    """Sixteen attempts in a compressed run."""
    path = tmp_path / "run.jsonl.gz"
    code, out, _ = command("rollout", loan_desk, "-s", "reference", "-s", "random", "--seeds", 4, "-k", 2, "--out", path)
    assert (code, f"16 trajectories: {path}" in out) == (0, True)
    return path


def changed(loan_desk: Path, root: Path, file: str, old: str, new: str) -> Path:
    """A copy of the pack in which a file is another."""
    shutil.copytree(loan_desk, root)
    path = root / "worlds" / "loan-desk" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return root


# ---- rollout


def test_workers_give_the_same_run(command, loan_desk, ran, tmp_path):
    other = tmp_path / "other.jsonl.gz"
    code, _, _ = command("rollout", loan_desk, "-s", "reference", "-s", "random", "--seeds", 4, "-k", 2, "--out", other, "--workers", 2)
    assert code == 0
    assert other.read_bytes() == ran.read_bytes()
    assert index_of(other).read_bytes() == index_of(ran).read_bytes()


def test_resume(command, loan_desk, tmp_path):
    path = tmp_path / "run.jsonl"
    asked = ("rollout", loan_desk, "-s", "random", "--seeds", 10, "-k", 4, "--out", path)
    assert command(*asked)[0] == 0
    whole, index = path.read_bytes(), index_of(path).read_bytes()
    code, _, err = command(*asked)
    assert (code, "there already" in err) == (2, True)
    path.write_bytes(whole[: 2 * len(whole) // 3])
    code, out, err = command(*asked, "--resume")
    assert code == 0
    assert "were no whole frame: dropped" in err
    assert "16 of 40 attempts are there already" in err
    assert "40 trajectories" in out
    assert (path.read_bytes(), index_of(path).read_bytes()) == (whole, index)
    code, _, err = command(*asked[:-3], 3, "--out", path, "--resume")
    assert (code, "it has k 4 for random on loan-desk/settle-fine, not 3" in err) == (2, True)
    code, _, err = command("rollout", loan_desk, "--resume")
    assert (code, "--resume needs --out" in err) == (2, True)


def test_a_solver_of_ones_own(command, loan_desk, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_solver.py").write_text(
        "from worldwright.solver.noop import NoopSolver\n\ndef make():\n    return NoopSolver()\n", encoding="utf-8"
    )
    code, out, _ = command(
        "rollout", loan_desk, "-s", "python:own_solver:make", "--seeds", 2, "--out", tmp_path / "run.jsonl", "--workers", 2
    )
    assert (code, "0/2" in out) == (0, True)


@pytest.mark.parametrize("solver, said", [("python:nowhere:make", "No module named 'nowhere'"), ("python:json:dumps", "python:json:dumps")])
def test_what_fails_before_anything_is_attempted_leaves_no_run(command, loan_desk, tmp_path, solver, said):
    code, out, err = command("rollout", loan_desk, "-s", solver, "--out", tmp_path / "run.jsonl")
    assert (code != 0, out) == (True, "")
    assert said in err
    assert list(tmp_path.iterdir()) == []


def test_what_is_odd_is_told(command, loan_desk, tmp_path):
    root = changed(loan_desk, tmp_path / "desk", "tasks/settle-fine/verifier.yaml", "answer:", DEMAND + "answer:")
    path = root / "worlds" / "loan-desk" / "tasks" / "settle-fine" / "verifier.yaml"
    path.write_text("written_by: {kind: hand}\n" + DEMAND, encoding="utf-8")
    run = tmp_path / "run.jsonl"
    code, out, _ = command("rollout", root, "-s", "random", "--seeds", 8, "--out", run)
    assert code == 0
    assert f"to look at: 1 paid-by-chance (worldwright review {run})" in out
    (lead,) = json.loads(command("rollout", root, "-s", "random", "--seeds", 8, "--out", run, "--force", "--json")[1])["odd"]
    assert lead["kind"] == "paid-by-chance"
    told = subprocess.run(
        [sys.executable, "-c", "from worldwright.cli.main import run; run()", "review", str(run), "--by", "Ada"],
        input="wrong it only looked\nright\nquit\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert "to judge (of 3 leads)" in told.stdout
    assert "why it is here: random can't know what is asked" in told.stdout
    assert "2 judged" in told.stdout
    assert "worldwright rescore" in told.stderr
    entries = [json.loads(line) for line in (tmp_path / "run.jsonl.review.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(one["probe"], one["verdict_is"], one["by"]) for one in entries] == [
        ("rollout:paid-by-chance", "wrong", "Ada"),
        ("rollout:paid-by-chance", "right", "Ada"),
    ]
    cost = json.loads((tmp_path / "run.jsonl.ledger.jsonl").read_text(encoding="utf-8"))
    assert (cost["stage"], cost["step"]) == ("rollout", "review by Ada")


# ---- explain


def test_explain_by_line_and_by_id(command, ran):
    stored = read_trajectories(ran)
    by_line = command("explain", f"{ran}:11")
    by_id = command("explain", f"{ran}:{stored[10].id[:16]}")
    assert by_line == by_id
    assert by_id[1].startswith(f"{stored[10].trace.instance} by random")
    index_of(ran).unlink()
    assert command("explain", f"{ran}:{stored[10].id[:16]}") == by_id
    code, _, err = command("explain", f"{ran}:{'0' * 16}")
    assert (code, "has no trajectory 0000000000000000" in err) == (2, True)


def test_a_damaged_end_is_left_out_and_said(command, ran, tmp_path):
    ran.write_bytes(ran.read_bytes() + b"\x1f\x8b\x08\0half a member")
    code, _, err = command("export", ran, "--to", "jsonl", "--out", tmp_path / "out")
    assert code == 0
    assert "are cut off or damaged: left out" in err


# ---- rescore


def test_rescore_by_a_pack(command, loan_desk, ran, tmp_path):
    root = changed(
        loan_desk,
        tmp_path / "desk",
        "tasks/settle-fine/verifier.yaml",
        "answer:",
        "demand:\n- {name: impossible, rows: SELECT 1 WHERE 0}\nanswer:",
    )
    out = tmp_path / "again.jsonl"
    code, told, _ = command("rescore", ran, "--verifier", root, "--out", out, "--json")
    lines = json.loads(told)["flips"]
    assert code == 0
    assert [(line["solver"], line["n"], line["changed"]) for line in lines] == [("reference", 8, {"pass -> fail": 8}), ("random", 8, {})]
    after = read_trajectories(out)
    assert [one.reward for one in after] == [0] * 16
    assert [one.id for one in after] == [one.id for one in read_trajectories(ran)]
    code, told, _ = command("rescore", out, "--verifier", loan_desk)
    assert code == 0
    assert "fail -> pass" in told
    assert f"8 of 16 verdicts flipped; nothing was run again: {tmp_path / 'again-rescored.jsonl'}" in told
    assert [one.verdict for one in read_trajectories(tmp_path / "again-rescored.jsonl")] == [one.verdict for one in read_trajectories(ran)]


def test_rescore_by_a_file(command, loan_desk, ran, tmp_path):
    file = tmp_path / "verifier.yaml"
    file.write_text("written_by: {kind: hand}\n" + DEMAND + "allow:\n- {insert: waivers}\n- {update: fines}\n", encoding="utf-8")
    code, told, _ = command("rescore", ran, "--verifier", file, "--pack", loan_desk, "--json")
    assert code == 0
    assert json.loads(told)["flips"][0]["changed"] == {}
    assert {one.pack for one in read_trajectories(tmp_path / "run-rescored.jsonl")} == {one.pack for one in read_trajectories(ran)}
    for wrong, said in (
        (("--verifier", file), "needs --pack"),
        (("--verifier", loan_desk, "--pack", loan_desk), "--pack goes with a verifier in a file"),
        (("--verifier", tmp_path / "gone.yaml", "--pack", loan_desk), "No such file"),
        (("--verifier", loan_desk, "--out", ran), "the run itself"),
    ):
        code, _, err = command("rescore", ran, *wrong, "--force")
        assert (code, said in err) == (2, True), err


@pytest.mark.parametrize(
    "file, old, new, said",
    [
        ("scenario.py", "random.seed(seed)", "random.seed(seed + 1)", "the state is gone: it ran in the world"),
        ("tasks/settle-fine/brief.yaml", "luck: 0.6", "luck: 0.7", "another task was asked"),
    ],
)
def test_rescore_refuses_where_the_state_is_gone(command, loan_desk, ran, tmp_path, file, old, new, said):
    root = changed(loan_desk, tmp_path / "desk", file, old, new)
    code, out, err = command("rescore", ran, "--verifier", root, "--out", tmp_path / "again.jsonl")
    assert (code, out) == (2, "")
    assert said in err
    assert "worldwright rollout" in err
    assert not (tmp_path / "again.jsonl").exists()


def test_rescore_refuses_a_pack_without_the_task(command, ran, tmp_path):
    tool_hire = Path(__file__).parents[2] / "examples" / "tool-hire"
    code, _, err = command("rescore", ran, "--verifier", tool_hire, "--out", tmp_path / "again.jsonl")
    assert code == 2
    assert "is an attempt at loan-desk/settle-fine: tool-hire has no such task" in err
