"""Frames stand alone, together they are an ordinary file, and damage is found where it is."""

from __future__ import annotations

import gzip
import sys

import pytest

from worldwright.errors import UsageError
from worldwright.rollout.codec import codec_of, frames_in, stem_of

NAMES = ["run.jsonl.gz", "run.jsonl.zst"]
TEXTS = [f'{{"line": {n}}}\n'.encode() * (200 * n + 1) for n in range(4)]


@pytest.fixture(params=NAMES)
def packed(request, tmp_path):
    """A path, its codec, and some frames."""
    if request.param.endswith(".zst") and sys.version_info < (3, 14):
        pytest.importorskip("backports.zstd")
    path = tmp_path / request.param
    codec = codec_of(path)
    frames = [codec.pack(text) for text in TEXTS]
    path.write_bytes(b"".join(frames))
    return path, codec, frames


def test_frames_are_found_and_unpacked(packed):
    path, codec, frames = packed
    found = list(frames_in(path, codec))
    assert [data for *_, data in found] == TEXTS
    assert [size for _, size, _ in found] == [len(frame) for frame in frames]
    assert [codec.unpack(path.read_bytes()[at : at + size]) for at, size, _ in found] == TEXTS
    assert [codec.pack(text) for text in TEXTS] == frames


def test_members_are_one_gzip_file(tmp_path):
    codec = codec_of(tmp_path / "run.jsonl.gz")
    assert gzip.decompress(b"".join(map(codec.pack, TEXTS))) == b"".join(TEXTS)


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_cut_end_is_told_apart(packed, cut):
    path, codec, frames = packed
    path.write_bytes(b"".join(frames)[:-cut])
    *whole, (at, size, data) = frames_in(path, codec)
    assert [text for *_, text in whole] == TEXTS[:3]
    assert (at, size, data) == (sum(map(len, frames[:3])), len(frames[3]) - cut, None)


def test_a_damaged_frame_ends_the_reading(packed):
    path, codec, frames = packed
    data = bytearray(b"".join(frames))
    data[len(frames[0]) + len(frames[1]) - 3] ^= 0xFF
    path.write_bytes(data)
    assert [text for *_, text in frames_in(path, codec)] == [TEXTS[0], None]
    with pytest.raises(ValueError, match=r"."):
        codec.unpack(bytes(data[len(frames[0]) : len(frames[0]) + len(frames[1])]))


def test_an_empty_file_has_no_frames(packed):
    path, codec, _ = packed
    path.write_bytes(b"")
    assert list(frames_in(path, codec)) == []


@pytest.mark.parametrize("name", ["run.json", "run", "run.jsonl.bz2", "run.gz"])
def test_another_name_is_refused(tmp_path, name):
    with pytest.raises(UsageError, match=r"ends with \.jsonl, \.jsonl\.gz or \.jsonl\.zst"):
        codec_of(tmp_path / name)


def test_stems(tmp_path):
    assert [stem_of(tmp_path / name) for name in ("a.jsonl", "b.c.jsonl.gz", "d.jsonl.zst", "e.txt")] == ["a", "b.c", "d", "e"]
