"""A task that is found bad names what trained on it, and nothing is passed over silently."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import numpy as np
import pytest
import scripted

from worldwright.cli.main import run as command
from worldwright.errors import UsageError
from worldwright.pack.read import read_pack
from worldwright.rollout import Job, collect, write_trajectories
from worldwright.solver import SOLVERS
from worldwright.training.policy import FORMAT, Checkpoint, Policy, write_checkpoint
from worldwright.transfer.recall import Recalled, Wanted, recalled
from worldwright.transfer.run import RUNS, register

TASK = "tool-hire/plan-the-day"


@pytest.fixture(scope="module")
def stored(trades, tmp_path_factory) -> Path:
    """A run with an index over the whole pack, a plain one of two tasks, and files of other kinds."""
    root = tmp_path_factory.mktemp("stored")
    for name in ("whole.jsonl.gz", "deep/whole.jsonl"):
        with pytest.raises(SystemExit) as caught:
            command(["rollout", str(trades), "--solver", "noop", "--seeds", "2", "-o", str(root / name)])
        assert caught.value.code == 0
    pack = read_pack(trades)
    world = pack.worlds["tool-hire"]
    jobs = [Job(world.tasks[name], SOLVERS["noop"](), 5) for name in ("plan-the-day", "decide-on-a-complaint")]
    list(write_trajectories(root / "plain.jsonl", collect(jobs, pack.digest)))
    (root / "ledger.jsonl").write_text('{"stage": "solver"}\n', encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def digest(trades) -> str:
    return read_pack(trades).worlds["tool-hire"].tasks["plan-the-day"].digest


def matches(told: Recalled) -> list[tuple[str, str, str, int | None]]:
    return [(one.kind, Path(one.path).name, one.match, one.n) for one in told.found]


def test_runs_are_found_by_their_index_and_told_by_digest(stored, digest):
    told = recalled(Wanted(TASK, digest), [stored], [])
    assert matches(told) == [
        ("rollout", "whole.jsonl", "the task itself", 2),
        ("rollout", "plain.jsonl", "the task itself", 1),
        ("rollout", "whole.jsonl.gz", "the task itself", 2),
    ]
    assert all(one.digest == digest for one in told.found)
    assert "tool-hire/plan-the-day@0" in told.found[0].what
    assert told.searched == {"rollout": 3, "checkpoint": 0, "transfer": 0, "other": 1}
    assert told.unread == {}


def test_a_name_alone_finds_the_same_and_says_so(stored):
    told = recalled(Wanted(TASK), [stored], [])
    assert {one.match for one in told.found} == {"the same name, digest not known"}
    assert len(told.found) == 3


def test_a_digest_alone_is_looked_for_in_every_attempt(stored, digest):
    told = recalled(Wanted(digest=digest[:10]), [stored], [])
    assert [(one.match, one.task) for one in told.found] == [("the task itself", TASK)] * 3


def test_another_version_of_the_task_is_told_apart(stored):
    told = recalled(Wanted(TASK, "0" * 64), [stored], [])
    assert {one.match for one in told.found} == {"the same name, other files"}


def test_a_task_that_nobody_attempted_is_not_found(stored):
    told = recalled(Wanted("tool-hire/no-such-task"), [stored], [])
    assert told.found == []
    assert told.searched["rollout"] == 3


def test_what_can_not_be_read_is_told(stored, digest, tmp_path):
    shutil.copytree(stored, tmp_path / "runs")
    root = tmp_path / "runs"
    gz = root / "whole.jsonl.gz"
    gz.write_bytes(gz.read_bytes() + b"left by a crash")
    data = bytearray((root / "deep" / "whole.jsonl").read_bytes())
    data[10:14] = b"????"
    (root / "deep" / "whole.jsonl").write_bytes(bytes(data))
    (root / "plain.jsonl").write_bytes((root / "plain.jsonl").read_bytes()[:-40])
    (root / "broken.npz").write_bytes(b"no checkpoint")
    told = recalled(Wanted(TASK, digest), [root], [root])
    unread = {Path(path).name: why for path, why in told.unread.items()}
    assert "what is behind that isn't searched" in unread["whole.jsonl.gz"]
    assert "damaged" in unread["whole.jsonl"] or "changed" in unread["whole.jsonl"]
    assert "cut off" in unread["plain.jsonl"]
    assert "no checkpoint" in unread["broken.npz"]
    # what could be read is told all the same
    assert ("rollout", "whole.jsonl", "the same name, digest not known", 2) in matches(told)
    assert ("rollout", "whole.jsonl.gz", "the task itself", 2) in matches(told)


def test_checkpoints_name_what_they_saw(digest, tmp_path):
    seen = {TASK: digest, "tool-hire/decide-on-a-complaint": "1" * 64}
    for seed, tasks in ((1, seen), (2, {"other/task": "2" * 64}), (3, {"copy/of-it": digest})):
        write_checkpoint(tmp_path / f"{seed}.npz", Policy.fresh(seed), Checkpoint(FORMAT, seed, "p" * 64, tasks, (), name="audited"))
    told = recalled(Wanted(TASK, digest), [], [tmp_path])
    assert [(Path(one.path).name, one.match, one.task, one.what) for one in told.found] == [
        ("1.npz", "the task itself", TASK, "audited seed 1"),
        ("3.npz", "the task itself", "copy/of-it", "audited seed 3"),
    ]
    assert told.searched["checkpoint"] == 3
    assert told.unread == {}


def test_a_checkpoint_of_another_version_still_says_what_it_saw(digest, tmp_path):
    about = json.dumps({"format": 99, "seen": {TASK: digest}, "seed": 4, "more": True}).encode()
    np.savez(tmp_path / "old.npz", about=np.frombuffer(about, dtype=np.uint8), weights=np.zeros(3))
    told = recalled(Wanted(TASK, digest), [], [tmp_path])
    assert matches(told) == [("checkpoint", "old.npz", "the task itself", None)]
    assert told.unread == {}


def test_experiments_name_their_arms(plan_file, tmp_path, digest):
    out = tmp_path / "run"
    made = register(plan_file, out)
    runs = [scripted.conduct(made.plan, made.plan.arm(name), seed) for name, seed in (("audited", 0), ("audited", 1), ("target", 0))]
    (out / RUNS).write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in runs))
    told = recalled(Wanted(TASK, digest), [out], [out])
    assert [one.what for one in told.found] == [
        "arm audited, 2 runs ended; checkpoints audited-0, audited-1",
    ]
    assert [text.partition(": ")[2] for text in told.said[:2]] == [
        f"arm shuffled is to train on {TASK}; none of its runs has ended",
        f"arm weak is to train on {TASK}; none of its runs has ended",
    ]
    assert told.unread == {}


def test_places_and_tasks_have_to_be_there(tmp_path):
    with pytest.raises(UsageError, match="not found"):
        recalled(Wanted(TASK), [tmp_path / "none"], [])
    with pytest.raises(UsageError, match="which task"):
        recalled(Wanted(), [tmp_path], [])
    (tmp_path / "notes.txt").write_text("x")
    assert "neither a stored run" in recalled(Wanted(TASK), [tmp_path / "notes.txt"], []).unread[str(tmp_path / "notes.txt")]


def test_command_says_what_it_searched(stored, trades, tmp_path, capsys):
    with pytest.raises(SystemExit) as caught:
        command(["recall", f"{trades}/{TASK}", "--runs", str(stored)])
    said = capsys.readouterr().out
    assert caught.value.code == 0
    assert "5 stored attempts; 0 checkpoints or arms trained on it" in said
    assert "3 stored runs, 0 checkpoints, 0 registered experiments" in said
    assert "everything there could be read" in said
    (tmp_path / "broken.npz").write_bytes(b"no checkpoint")
    with pytest.raises(SystemExit) as caught:
        command(["recall", TASK, "--checkpoints", str(tmp_path), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert caught.value.code == 1
    assert list(told[0]["unread"]) == [str(tmp_path / "broken.npz")]
    with pytest.raises(SystemExit) as caught:
        command(["recall", TASK])
    assert caught.value.code == 2


def test_an_experiment_in_a_folder_that_is_named_twice_counts_once(plan_file, tmp_path):
    register(plan_file, tmp_path / "run")
    told = recalled(Wanted(TASK), [tmp_path / "run"], [tmp_path / "run"])
    assert told.searched["transfer"] == 1
