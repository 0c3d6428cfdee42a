"""Processes that die, solvers that fail, and how far ahead the work goes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from runs import bytes_of, schedule_of, write

import worldwright
from worldwright.errors import PackError, UsageError
from worldwright.pack import Pack
from worldwright.rollout import read_trajectories, tabulate
from worldwright.rollout.engine import AHEAD, here, on_processes
from worldwright.rollout.workplace import DIED
from worldwright.verifier import Status
from worldwright.world.protocol import StopReason

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def findable(monkeypatch):
    """Processes find the solvers of this folder."""
    monkeypatch.syspath_prepend(str(HERE))


@pytest.mark.slow
def test_attempts_that_take_their_process_along_are_masked_and_counted(loan_desk_pack, tmp_path):
    schedule = schedule_of(loan_desk_pack, "python:runs:Deadly", "noop", seeds=3, k=2)
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    write(one, schedule, loan_desk_pack, 1)
    write(other, schedule, loan_desk_pack, 2)
    assert bytes_of(one) == bytes_of(other)
    stored = read_trajectories(one)
    assert len(stored) == schedule.attempts
    lost = [each for each in stored if each.is_masked]
    assert 0 < len(lost) < 6
    assert {(each.trace.solver, each.reward, each.trace.stop, each.trace.detail) for each in lost} == {
        ("deadly", None, StopReason.WORLD_ERROR, DIED)
    }
    assert all(each.trace.seed % 3 == 0 for each in lost)
    assert {each.verdict.status for each in stored if each.trace.solver == "noop"} == {Status.FAIL}
    line, _ = tabulate(stored)
    assert (line.masked, line.ended, line.n) == (len(lost), {"world-error": len(lost)}, 6 - len(lost))


def test_a_process_that_dies_once_leaves_no_trace(loan_desk_pack, tmp_path, monkeypatch):
    monkeypatch.setenv("UNLUCKY", str(tmp_path / "marker"))
    schedule = schedule_of(loan_desk_pack, "python:runs:Unlucky")
    write(tmp_path / "died.jsonl", schedule, loan_desk_pack, 1)
    assert (tmp_path / "marker").exists()
    write(tmp_path / "lived.jsonl", schedule, loan_desk_pack, 1)
    assert bytes_of(tmp_path / "died.jsonl") == bytes_of(tmp_path / "lived.jsonl")
    assert not any(one.is_masked for one in read_trajectories(tmp_path / "died.jsonl"))


def test_what_a_solver_prints_does_no_harm(loan_desk_pack, tmp_path):
    schedule = schedule_of(loan_desk_pack, "python:runs:Noisy")
    write(tmp_path / "run.jsonl", schedule, loan_desk_pack, 2)
    assert len(read_trajectories(tmp_path / "run.jsonl")) == schedule.attempts


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize(
    "solver, said",
    [
        ("python:runs:broken", "it made a object"),
        ("python:runs:Missing", "has no attribute 'Missing'"),
        ("python:no_such_module:f", "No module named 'no_such_module'"),
        ("clever", "there is no solver 'clever'"),
    ],
)
def test_a_solver_that_isnt_there_is_said(loan_desk_pack, tmp_path, solver, said, workers):
    with pytest.raises(UsageError, match=said):
        write(tmp_path / "run.jsonl", schedule_of(loan_desk_pack, "noop", solver, seeds=8), loan_desk_pack, workers)
    assert len(read_trajectories(tmp_path / "run.jsonl")) == 20  # whole chunks before the first that failed


@pytest.mark.parametrize("workers", [0, 2])
def test_a_broken_pack_is_the_packs_fault_wherever_it_shows(loan_desk_pack, tmp_path, workers):
    name = "worlds/loan-desk/scenario.py"
    pack = Pack(
        loan_desk_pack.files | {name: loan_desk_pack.files[name].replace(b"random.seed(seed)", b"random.seed(seed) or 1 // 0")}, "packs/x"
    )
    with pytest.raises(PackError, match=r"packs/x/worlds/loan-desk/scenario.py.*ZeroDivisionError"):
        write(tmp_path / "run.jsonl", schedule_of(pack, "noop"), pack, workers)


def test_unusable_seeds_are_counted(loan_desk_pack):
    brief = "worlds/loan-desk/tasks/settle-fine/brief.yaml"
    text = loan_desk_pack.files[brief].replace(b"WHERE f.status = 'due'", b"WHERE f.status = 'due' AND (SELECT count(*) FROM loans) > 36")
    pack = Pack(loan_desk_pack.files | {brief: text})
    schedule = schedule_of(pack, "noop", seeds=10, k=1)
    pieces = list(here(schedule, (pack,), "run.jsonl"))
    assert 0 < sum(piece.unusable for piece in pieces) < 10
    assert sum(piece.unusable + len(piece.ends) for piece in pieces) == 10
    assert list(on_processes(schedule, (pack,), "run.jsonl", 2)) == pieces


def test_no_more_is_begun_than_can_be_taken(loan_desk_pack, tmp_path, monkeypatch):
    """However slowly pieces are taken: what was begun stays within the window. Counted by the files that attempts leave."""
    (tmp_path / "begun").mkdir()
    monkeypatch.setenv("BEGUN", str(tmp_path / "begun"))
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "leaving.py").write_text(
        "import os, pathlib, runs\n"
        "class Leaving(runs.Harmful):\n"
        "    name = 'leaving'\n"
        "    def start(self, prompt, seed, shown):\n"
        "        pathlib.Path(os.environ['BEGUN'], str(seed)).touch()\n"
        "        self.is_bad = False\n"
        "        return self\n",
        encoding="utf-8",
    )
    schedule = schedule_of(loan_desk_pack, "python:leaving:Leaving", seeds=60, k=1, chunk=1)
    pieces = on_processes(schedule, (loan_desk_pack,), "run.jsonl", 2)
    for taken, _ in enumerate(pieces, 1):
        assert len(list((tmp_path / "begun").iterdir())) <= taken + 2 * AHEAD
        if taken == 20:
            break
    pieces.close()
    assert len(list((tmp_path / "begun").iterdir())) <= 20 + 2 * AHEAD


WORKER = "import sys; from worldwright.rollout.worker import main; main()"


def test_a_worker_ends_with_whoever_started_it():
    environment = {**os.environ, "PYTHONPATH": str(Path(worldwright.__file__).parents[1])}
    process = subprocess.Popen([sys.executable, "-c", WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    process.send_signal(signal.SIGCONT)
    out, _ = process.communicate(b"", timeout=60)
    assert (process.returncode, out) == (0, b"")
