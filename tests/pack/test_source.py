"""A folder and a zip of it give the same files; what isn't a plain file under a plain name is refused or left out."""

from __future__ import annotations

import os
import shutil
import stat
import struct
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest

from worldwright.errors import PackError, UsageError
from worldwright.files import DERIVED, digest
from worldwright.pack import read_pack
from worldwright.pack.source import read_files, read_one
from worldwright.pack.write import write_files, write_zip

SMALL = {"pack.toml": b"name = 'x'\n", "worlds/w/world.yaml": "title: é\n".encode(), "worlds/w/handbook/a.md": b"# A\r\n"}


def zipped(path: Path, entries: dict[str, bytes] | list[tuple[str | zipfile.ZipInfo, bytes]]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items() if isinstance(entries, dict) else entries:
            archive.writestr(name, data)
    return path


@pytest.fixture
def folder(tmp_path) -> Path:
    write_files(SMALL, tmp_path / "small")
    return tmp_path / "small"


def test_a_folder_and_its_zip_give_the_same_files(folder, tmp_path):
    assert read_files(folder) == SMALL
    write_zip(SMALL, tmp_path / "small.zip")
    assert read_files(tmp_path / "small.zip") == SMALL
    assert list(read_files(tmp_path / "small.zip")) == sorted(SMALL)
    assert read_files(str(folder)) == SMALL


def test_a_zip_may_hold_the_folder_itself(folder, tmp_path):
    archive = shutil.make_archive(str(tmp_path / "made"), "zip", tmp_path, "small")
    assert read_files(archive) == SMALL


def test_rubbish_is_left_out_of_both(folder, tmp_path):
    rubbish = {"worlds/w/__pycache__/a.pyc": b"x", ".git/config": b"x", "worlds/.DS_Store": b"x", "__MACOSX/worlds/a": b"x"}
    for name, data in rubbish.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    (folder / "worlds" / "empty").mkdir()
    assert read_files(folder) == SMALL
    assert read_files(zipped(tmp_path / "all.zip", {**SMALL, **rubbish, "worlds/empty/": b""})) == SMALL
    assert (
        read_files(zipped(tmp_path / "in.zip", {f"small/{name}": data for name, data in SMALL.items()} | {"__MACOSX/small/a": b"x"}))
        == SMALL
    )


def test_zip_bytes_depend_on_the_files_alone(folder, tmp_path):
    write_zip(SMALL, tmp_path / "one.zip")
    os.utime(folder / "pack.toml", (1_000_000_000, 1_000_000_000))
    write_zip(dict(reversed(read_files(folder).items())), tmp_path / "deep" / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "deep" / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    write_zip(SMALL | {"pack.toml": b"name = 'y'\n"}, tmp_path / "three.zip")
    assert (tmp_path / "one.zip").read_bytes() != (tmp_path / "three.zip").read_bytes()


def test_folder_zip_and_zip_of_the_zip_have_one_digest(loan_desk, loan_desk_pack, tmp_path):
    write_zip(loan_desk_pack.files, tmp_path / "one.zip")
    packed = read_pack(tmp_path / "one.zip")
    assert packed.digest == loan_desk_pack.digest == digest(read_files(loan_desk))
    assert [entry.digest for entry in packed.tasks()] == [entry.digest for entry in loan_desk_pack.tasks()]
    write_zip(packed.files, tmp_path / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_derived_files_are_kept_and_lie_outside_every_digest(loan_desk, loan_desk_pack, tmp_path):
    root = tmp_path / "desk"
    shutil.copytree(loan_desk, root)
    for place in (root, root / "worlds" / "loan-desk", root / "worlds" / "loan-desk" / "tasks" / "settle-fine"):
        for name in DERIVED:
            (place / name).write_text("{}", encoding="utf-8")
    made = read_pack(root)
    assert "certificate.json" in made.files
    assert made.digest == loan_desk_pack.digest
    assert made.worlds["loan-desk"].world.digest == loan_desk_pack.worlds["loan-desk"].world.digest
    assert made.tasks()[0].digest == loan_desk_pack.tasks()[0].digest


@pytest.mark.parametrize(
    "name", ["worlds/../../../etc/passwd", "../pack.toml", "/etc/passwd", "worlds/./w/a", "worlds//a", "worlds\\..\\a", ".."]
)
def test_a_path_that_leads_outside_a_zip(tmp_path, name):
    entry = zipfile.ZipInfo("x")
    entry.filename = name
    path = zipped(tmp_path / "a.zip", [("pack.toml", b""), (entry, b"x")])
    with pytest.raises(PackError, match="leads outside") as caught:
        read_files(path)
    assert caught.value.file == f"{path}/{name}"
    assert caught.value.expected


def test_a_path_that_stands_twice_in_a_zip(tmp_path):
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = zipped(tmp_path / "a.zip", [("pack.toml", b"a"), ("worlds/a", b"x"), ("worlds/a", b"y")])
    with pytest.raises(PackError, match="stands twice") as caught:
        read_files(path)
    assert caught.value.file == f"{path}/worlds/a"


def test_a_link_in_a_zip(tmp_path):
    entry = zipfile.ZipInfo("worlds/a")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    with pytest.raises(PackError, match="link"):
        read_files(zipped(tmp_path / "a.zip", [("pack.toml", b"a"), (entry, b"/etc/passwd")]))


@pytest.mark.parametrize("target", ["/etc/hostname", "pack.toml", "gone", "worlds"])
def test_a_link_in_a_folder(folder, target):
    (folder / "worlds" / "w" / "link").symlink_to(target if target.startswith("/") else folder / target)
    with pytest.raises(PackError, match="link") as caught:
        read_files(folder)
    assert caught.value.file == str(folder / "worlds" / "w" / "link")


def test_a_special_file_in_a_folder(folder):
    os.mkfifo(folder / "worlds" / "pipe")
    with pytest.raises(PackError, match="special file"):
        read_files(folder)


@pytest.mark.skipif(sys.platform == "darwin", reason="its file system refuses such names itself")
def test_a_name_that_is_no_unicode(folder):
    with open(os.fsencode(folder) + b"/caf\xe9.md", "wb") as file:
        file.write(b"x")
    with pytest.raises(PackError, match="can't be read") as caught:
        read_files(folder)
    assert caught.value.file.endswith("caf\\udce9.md")
    assert str(caught.value).encode()


def test_a_pack_that_is_too_large(folder, tmp_path):
    with (folder / "worlds" / "big").open("wb") as file:
        file.truncate(300 * 2**20)  # sparse: nothing of it is on the disk, and nothing may be read
    with pytest.raises(PackError, match="too large") as caught:
        read_files(folder)
    assert caught.value.expected == "at most 256 MiB"

    path = zipped(tmp_path / "a.zip", {"pack.toml": b"", "big": b"x"})
    data = path.read_bytes()
    at = data.rfind(b"PK\x01\x02")  # the last entry of the directory says how large it is
    path.write_bytes(data[: at + 24] + struct.pack("<I", 300 * 2**20) + data[at + 28 :])
    with pytest.raises(PackError, match="too large"):
        read_files(path)


def test_a_zip_that_lies_about_a_size(tmp_path):
    path = zipped(tmp_path / "a.zip", {"pack.toml": b"", "big": b"x" * 1000})
    data = path.read_bytes()
    at = data.rfind(b"PK\x01\x02")
    path.write_bytes(data[: at + 24] + struct.pack("<I", 10) + data[at + 28 :])
    with pytest.raises(UsageError, match="not a readable zip"):
        read_files(path)


@pytest.mark.parametrize("cut", [0, 10, 60, -1, -30])
def test_a_zip_that_is_cut_off_or_none(tmp_path, cut):
    path = zipped(tmp_path / "a.zip", SMALL)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(UsageError, match="not a readable zip"):
        read_files(path)


def test_where_there_is_no_pack(folder, tmp_path):
    with pytest.raises(UsageError, match="not found"):
        read_files(tmp_path / "nowhere")
    with pytest.raises(UsageError, match=r"no pack\.toml there"):
        read_files(folder / "worlds")
    with pytest.raises(UsageError, match=r"no pack\.toml in the zip"):
        read_files(zipped(tmp_path / "a.zip", {"a/x": b"", "b/pack.toml": b""}))
    with pytest.raises(UsageError, match="not a readable zip"):
        read_files(folder / "pack.toml")


def test_one_file_by_the_name_of_an_error(folder, tmp_path):
    write_zip(SMALL, tmp_path / "a.zip")
    name = "worlds/w/world.yaml"
    assert read_one(f"{folder}/{name}") == read_one(f"{tmp_path}/a.zip/{name}") == SMALL[name]
    for gone in (f"{folder}/worlds/x", f"{tmp_path}/a.zip/worlds/x", f"{folder}/pack.toml/x", "gone", "", str(folder)):
        assert read_one(gone) is None


def test_writing_goes_to_a_new_folder_alone(tmp_path):
    write_files({"a/b": b"1"}, tmp_path / "new")
    assert (tmp_path / "new" / "a" / "b").read_bytes() == b"1"
    with pytest.raises(UsageError, match="not empty"):
        write_files({"c": b"2"}, tmp_path / "new")
    with pytest.raises(UsageError, match="not empty"):
        write_files({"c": b"2"}, tmp_path / "new" / "a" / "b")
    (tmp_path / "empty").mkdir()
    write_files({"c": b"2"}, tmp_path / "empty")
    for outside in ("../x", "/tmp/x", "a/../../x"):
        with pytest.raises(UsageError, match="leads outside"):
            write_files({"fine": b"1", outside: b"2"}, tmp_path / "third")
    assert not (tmp_path / "third").exists()
    assert not (tmp_path / "x").exists()


def test_a_folder_that_can_not_be_read_is_not_left_out(loan_desk_pack):
    with tempfile.TemporaryDirectory() as place:  # not below tmp_path, which is closed to everybody else
        os.chmod(place, 0o755)
        write_files(loan_desk_pack.files, Path(place) / "pack")
        closed = Path(place) / "pack" / "worlds" / "loan-desk" / "tasks"
        closed.chmod(0)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)  # root reads everything
        try:
            with pytest.raises(PackError, match="the folder can't be read"):
                read_files(Path(place) / "pack")
        finally:
            if root:
                os.seteuid(0)
            closed.chmod(0o755)
