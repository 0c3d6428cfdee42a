"""Trajectories survive their file, and a file that isn't one is named by its line."""

from __future__ import annotations

import json

import msgspec
import pytest

from worldwright.errors import UsageError
from worldwright.rollout import read_trajectories, write_trajectories
from worldwright.rollout.stored import StoredChange, stored
from worldwright.world.protocol import RowChange


def test_what_is_written_is_read_back_equal(attempts, tmp_path):
    path = tmp_path / "deep" / "run.jsonl"
    assert list(write_trajectories(path, attempts)) == attempts
    assert read_trajectories(path) == attempts
    lines = path.read_bytes().splitlines()
    assert len(lines) == len(attempts)
    first = json.loads(lines[0])
    assert (first["version"], first["reward"], first["verdict"]["status"]) == (1, 1, "pass")
    assert [message["role"] for message in first["trace"]["messages"][:2]] == ["system", "user"]


def test_a_line_is_there_as_soon_as_it_is_handed_on(attempts, tmp_path):
    path = tmp_path / "run.jsonl"
    short = [msgspec.structs.replace(one, trace=msgspec.structs.replace(one.trace, messages=(), tools=())) for one in attempts]
    written = write_trajectories(path, short)
    next(written)
    next(written)
    assert read_trajectories(path) == short[:2]
    written.close()


def test_a_new_run_takes_the_place_of_the_old(attempts, tmp_path):
    path = tmp_path / "run.jsonl"
    list(write_trajectories(path, attempts))
    list(write_trajectories(path, attempts[:1]))
    assert read_trajectories(path) == attempts[:1]
    list(write_trajectories(path, []))
    assert read_trajectories(path) == []


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"{}", b'{"version": 1}', b"\xff", b"null"])
def test_a_line_that_is_none_is_named(attempts, tmp_path, line):
    path = tmp_path / "run.jsonl"
    path.write_bytes(msgspec.json.encode(attempts[0]) + b"\n" + line + b"\n")
    with pytest.raises(UsageError) as caught:
        read_trajectories(path)
    assert str(caught.value).startswith(f"{path}:2: not a trajectory")


def test_a_line_of_a_later_version_is_named(attempts, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(attempts[0], version=2)) + b"\n")
    with pytest.raises(UsageError, match=r"run.jsonl:1: a trajectory of version 2 \(expected 1\)"):
        read_trajectories(path)


def test_no_file(tmp_path):
    for path in (tmp_path / "gone.jsonl", tmp_path):
        with pytest.raises(UsageError, match="expected a JSONL file"):
            read_trajectories(path)


def test_changes_are_stored_in_jsons_own_values():
    changes = [RowChange("t", "update", (b"\x01\xff", 2), {"a": b"\x00", "b": None}, {"a": 1.5, "b": "x"}, "agent", frozenset({"a"}))]
    kinds = {"key.0": "blob", "old.a": "blob"}
    assert stored(changes) == (
        StoredChange("t", "update", ("01ff", 2), {"a": "00", "b": None}, {"a": 1.5, "b": "x"}, "agent", ("a",), kinds),
    )
