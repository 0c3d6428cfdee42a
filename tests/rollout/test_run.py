"""A stored run: the same bytes however it was made and however often it was interrupted; found by id; refused where it is another's."""

from __future__ import annotations

import random
import sys

import msgspec
import pytest
from runs import bytes_of, schedule_of, write

from worldwright.errors import UsageError
from worldwright.rollout import read_trajectories, tabulate
from worldwright.rollout.codec import index_of
from worldwright.rollout.collect import Job, collect
from worldwright.rollout.run import RunWriter, find, frames, head_of
from worldwright.rollout.table import Tally
from worldwright.solver import SOLVERS

NAMES = ["run.jsonl", "run.jsonl.gz", "run.jsonl.zst"]


@pytest.fixture(params=NAMES)
def name(request):
    if request.param.endswith(".zst") and sys.version_info < (3, 14):
        pytest.importorskip("backports.zstd")
    return request.param


@pytest.fixture(scope="module")
def schedule(loan_desk_pack):
    return schedule_of(loan_desk_pack, "reference", "random", "shotgun")


@pytest.fixture
def whole(name, schedule, loan_desk_pack, tmp_path):
    """A run that was made in one go."""
    path = tmp_path / "whole" / name
    write(path, schedule, loan_desk_pack)
    return path


def test_a_run_holds_what_collect_makes(whole, schedule, settle_fine, loan_desk_pack):
    stored = read_trajectories(whole)
    assert len(stored) == schedule.attempts == 36
    jobs = [Job(settle_fine, SOLVERS["random"](), seed, index) for seed in range(4) for index in range(3)]
    assert stored[12:24] == list(collect(jobs, loan_desk_pack.digest))
    assert [one.index for one in stored[:6]] == [0, 1, 2, 0, 1, 2]


def test_the_index_tells_the_same_table_as_the_trajectories(whole, schedule):
    tally = Tally(schedule.packs, 3)
    for frame in frames(whole):
        for end in frame.ends:
            tally.add(end)
    assert tally.lines() == tabulate(read_trajectories(whole), 3)
    assert tally.n == 36
    head = head_of(whole)
    assert head is not None
    assert head.schedule == schedule


@pytest.mark.parametrize("workers", [1, 3, 8])
def test_the_bytes_dont_depend_on_the_number_of_processes(whole, name, schedule, loan_desk_pack, tmp_path, workers):
    write(tmp_path / name, schedule, loan_desk_pack, workers)
    assert bytes_of(tmp_path / name) == bytes_of(whole)


def test_an_attempt_is_found_by_id_and_number(whole):
    stored = read_trajectories(whole)
    for number in (0, 17, 35):
        assert find(whole, number) == find(whole, stored[number].id) == find(whole, stored[number].id[:12]) == stored[number]
    assert find(whole, "0" * 12) is None
    assert find(whole, 36) is None


def test_finding_reads_one_frame_alone(whole):
    stored = read_trajectories(whole)
    first, *_ = frames(whole)
    data = bytearray(whole.read_bytes())
    for place in range(first.size, len(data)):
        data[place] ^= 0x55
    whole.write_bytes(data)
    assert find(whole, stored[0].id) == stored[0]
    with pytest.raises(UsageError, match="damaged from byte"):
        find(whole, stored[20].id)


def test_an_index_of_another_file_is_noticed(whole, name, schedule, loan_desk_pack, tmp_path):
    lines = index_of(whole).read_bytes().splitlines(keepends=True)
    index_of(whole).write_bytes(b"".join(line.replace(b'"loan-desk/settle-fine@0"', b'"loan-desk/settle-fine@1"') for line in lines))
    assert find(whole, 0) is not None  # what it says beside the id isn't compared
    wrong = "f" * 64
    first = msgspec.json.decode(lines[1])["ends"][0][1]
    index_of(whole).write_bytes(b"".join(line.replace(first.encode(), wrong.encode()) for line in lines))
    with pytest.raises(UsageError, match="it says ffffffffffff where the run has"):
        find(whole, wrong)


# ---- interrupted


@pytest.mark.parametrize("most", [1, 4, 7])
def test_going_on_gives_the_same_bytes(whole, name, schedule, loan_desk_pack, tmp_path, most):
    path = tmp_path / name
    assert write(path, schedule, loan_desk_pack, most=most) == most
    assert len(read_trajectories(path)) == 5 * most
    assert write(path, schedule, loan_desk_pack, resume=True) == schedule.chunks - most
    assert bytes_of(path) == bytes_of(whole)
    assert write(path, schedule, loan_desk_pack, resume=True) == 0
    assert bytes_of(path) == bytes_of(whole)


def test_going_on_from_any_cut_of_either_file_gives_the_same_bytes(whole, name, schedule, loan_desk_pack, tmp_path):
    data, index = bytes_of(whole)
    rng = random.Random(7)
    for _ in range(12):
        path = tmp_path / name
        path.write_bytes(data[: rng.randrange(len(data) + 1)])
        index_of(path).write_bytes(index[: rng.randrange(len(index) + 1)])
        write(path, schedule, loan_desk_pack, resume=True)
        assert bytes_of(path) == (data, index)


def test_going_on_from_damage_gives_the_same_bytes(whole, name, schedule, loan_desk_pack, tmp_path):
    data, index = bytes_of(whole)
    head = index.index(b"\n") + 1
    rng = random.Random(8)
    path = tmp_path / name
    for _ in range(6):
        spoilt = bytearray(data)
        place = rng.randrange(len(data))
        spoilt[place] ^= 1 << rng.randrange(8)
        path.write_bytes(spoilt)
        index_of(path).write_bytes(index)
        with RunWriter(path, schedule, resume=True) as run:
            assert run.chunk < schedule.chunks
            assert run.dropped > 0
        write(path, schedule, loan_desk_pack, resume=True)
        assert bytes_of(path) == (data, index)
    path.write_bytes(data)
    index_of(path).write_bytes(index[:head] + b"\0" * 40 + b"\n" + index[head:])
    write(path, schedule, loan_desk_pack, resume=True)
    assert bytes_of(path) == (data, index)


def test_a_cut_end_is_left_out_and_said(whole):
    stored = read_trajectories(whole)
    whole.write_bytes(whole.read_bytes()[:-9])
    notes: list[str] = []
    left = read_trajectories(whole, notes.append)
    assert left == stored[: len(left)]
    assert 30 <= len(left) < 36
    assert len(notes) == 1
    assert "left out" in notes[0]


# ---- refused


@pytest.mark.parametrize(
    "other, said",
    [
        (lambda pack: schedule_of(pack, "reference", "random"), "it has 3 batches of attempts"),
        (
            lambda pack: schedule_of(pack, "reference", "random", "noop"),
            "it has solver shotgun for shotgun on loan-desk/settle-fine, not noop",
        ),
        (lambda pack: schedule_of(pack, "reference", "random", "shotgun", k=4), "it has k 3 for reference"),
        (lambda pack: schedule_of(pack, "reference", "random", "shotgun", seeds=9), "it has seeds 4 for reference"),
        (lambda pack: schedule_of(pack, "reference", "random", "shotgun", chunk=6), "another chunk"),
        (
            lambda pack: msgspec.structs.replace(schedule_of(pack, "reference", "random", "shotgun"), packs=("ab" * 32,)),
            "it is of the packs",
        ),
    ],
)
def test_a_run_of_something_else_is_not_gone_on_with(loan_desk_pack, schedule, tmp_path, other, said):
    path = tmp_path / "run.jsonl"
    write(path, schedule, loan_desk_pack, most=2)
    before = bytes_of(path)
    with pytest.raises(UsageError, match=said):
        RunWriter(path, other(loan_desk_pack), resume=True)
    assert bytes_of(path) == before


def test_a_run_without_its_index_is_read_but_not_gone_on_with(loan_desk_pack, schedule, tmp_path):
    path = tmp_path / "run.jsonl.gz"
    write(path, schedule, loan_desk_pack, most=2)
    index_of(path).unlink()
    assert len(read_trajectories(path)) == 10
    with pytest.raises(UsageError, match="it isn't known which attempts were made"):
        RunWriter(path, schedule, resume=True)


def test_two_writers_are_one_too_many(loan_desk_pack, schedule, tmp_path):
    path = tmp_path / "run.jsonl"
    with RunWriter(path, schedule) as run:
        before = bytes_of(path)
        for resume in (True, False):
            with pytest.raises(UsageError, match="another process is writing this run"):
                RunWriter(path, schedule, resume=resume)
        assert bytes_of(path) == before
        assert run.chunk == 0
