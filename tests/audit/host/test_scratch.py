"""Scratch is put back as it was marked."""

from __future__ import annotations

import os
from pathlib import Path

from worldwright.audit.host.scratch import Scratch


def seen(root: Path) -> dict[str, str]:
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        found[name] = f"-> {os.readlink(path)}" if path.is_symlink() else "folder" if path.is_dir() else path.read_text(encoding="utf-8")
    return found


def test_whatever_was_done_is_undone(tmp_path):
    (tmp_path / "home" / "deep").mkdir(parents=True)
    (tmp_path / "home" / "a").write_text("a", encoding="utf-8")
    (tmp_path / "home" / "deep" / "b").write_text("b", encoding="utf-8")
    (tmp_path / "link").symlink_to("home")
    before = seen(tmp_path)
    scratch = Scratch([str(tmp_path), str(tmp_path / "not there")])
    scratch.mark()
    for _ in range(2):
        (tmp_path / "home" / "a").write_text("changed", encoding="utf-8")
        (tmp_path / "home" / "deep" / "b").unlink()
        (tmp_path / "home" / "deep").rmdir()
        (tmp_path / "home" / "deep").write_text("a file now", encoding="utf-8")
        (tmp_path / "link").unlink()
        (tmp_path / "new" / "one").mkdir(parents=True)
        (tmp_path / "new" / "one" / "x").write_text("x", encoding="utf-8")
        (tmp_path / "new").chmod(0)
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "outwards").symlink_to("/")
        assert scratch.restore() == ""
        assert seen(tmp_path) == before


def test_a_file_held_open_is_the_same_file_afterwards(tmp_path):
    path = tmp_path / "log"
    path.write_text("start", encoding="utf-8")
    with path.open(encoding="utf-8") as held:
        scratch = Scratch([str(tmp_path)])
        scratch.mark()
        path.write_text("longer than before", encoding="utf-8")
        assert scratch.restore() == ""
        assert held.read() == "start"


def test_a_tree_too_deep_to_be_named_is_said(tmp_path):
    scratch = Scratch([str(tmp_path)])
    scratch.mark()
    here = os.getcwd()
    os.chdir(tmp_path)
    try:
        for _ in range(30):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
        assert "can't be put back" in scratch.restore()
        for _ in range(30):
            os.chdir("..")
            os.rmdir("d" * 200)
    finally:
        os.chdir(here)
    assert scratch.restore() == ""


def test_more_than_can_be_remembered_is_said(tmp_path):
    with (tmp_path / "big").open("wb") as file:
        file.truncate(17 << 20)
    scratch = Scratch([str(tmp_path)])
    scratch.mark()
    assert "more was written at import" in scratch.restore()
