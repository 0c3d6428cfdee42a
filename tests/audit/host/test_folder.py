"""An agent's acts in a folder stay in it, and files are read as text."""

from __future__ import annotations

import os
import time

import pytest

from worldwright.audit.host import folder


def test_files_are_read_as_text_and_links_not_followed(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.txt").write_text("b é", encoding="utf-8")
    (tmp_path / "bytes").write_bytes(b"\xff\x00")
    (tmp_path / "out").symlink_to("/etc")
    (tmp_path / "a" / "link").symlink_to("b.txt")
    os.mkfifo(tmp_path / "pipe")
    found, left_out = folder.files(str(tmp_path))
    assert found == {"a/b.txt": "b é", "a/link": "-> b.txt", "bytes": "\xff\0", "out": "-> /etc", "pipe": ""}
    assert left_out == 0


def test_what_is_too_large_is_left_out(tmp_path):
    (tmp_path / "a").write_bytes(b"x" * 600_000)
    (tmp_path / "b").write_bytes(b"x" * 600_000)
    (tmp_path / "c").write_bytes(b"x")
    found, left_out = folder.files(str(tmp_path))
    assert (list(found), left_out) == (["a", "c"], 1)


def test_writing_makes_folders_and_replaces_links(tmp_path):
    (tmp_path / "outside").write_text("mine", encoding="utf-8")
    work = tmp_path / "work"
    work.mkdir()
    (work / "link").symlink_to(tmp_path / "outside")
    folder.write(str(work), "a/b/c.txt", "text \ud800")
    folder.write(str(work), "link", "theirs")
    assert (work / "a" / "b" / "c.txt").read_bytes() == b"text \xed\xa0\x80"
    assert ((tmp_path / "outside").read_text(), (work / "link").read_text()) == ("mine", "theirs")
    folder.delete(str(work), "link")
    assert not (work / "link").exists()


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "out/x", "", ".", "a\0b", "..", 3])
def test_no_act_leaves_the_folder(tmp_path, name):
    work = tmp_path / "work"
    work.mkdir()
    (work / "out").symlink_to(tmp_path)
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(ValueError, match=r"outside|no file's name"):
        folder.write(str(work), name, "x")
    with pytest.raises(ValueError, match=r"outside|no file's name"):
        folder.delete(str(work), name)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_keeper_writes_until_it_is_ended(tmp_path):
    keeper = folder.Keeper(str(tmp_path), "deep/x", "kept")
    path = tmp_path / "deep" / "x"
    try:
        for _ in range(3):
            path.write_text("something longer", encoding="utf-8")
            until = time.monotonic() + 20
            while path.read_text(encoding="utf-8") != "kept" and time.monotonic() < until:
                time.sleep(0.002)
            assert path.read_text(encoding="utf-8") == "kept"
    finally:
        keeper.end()
    path.write_text("mine", encoding="utf-8")
    time.sleep(0.02)
    assert path.read_text(encoding="utf-8") == "mine"
