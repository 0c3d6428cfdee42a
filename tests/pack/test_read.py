"""A pack is its worlds and tasks, compiled on demand, and a target names one of them."""

from __future__ import annotations

import pytest

from worldwright.errors import PackError, UsageError
from worldwright.pack import Pack, read_pack
from worldwright.pack.read import resolve
from worldwright.pack.write import write_files, write_zip

META = b"name = 'p'\nversion = '1'\nformat = 1\nlicence = 'MIT'\nabout = 'a'\n"


def test_a_pack_in_parts(loan_desk_pack):
    assert loan_desk_pack.meta.name == "loan-desk"
    assert list(loan_desk_pack.worlds) == ["loan-desk"]
    world = loan_desk_pack.worlds["loan-desk"]
    assert not any(path.startswith("tasks/") for path in world.files)
    assert list(world.tasks) == ["settle-fine"]
    task = world.tasks["settle-fine"]
    assert task.task.world is world.world
    assert task.verifier.task is task.task
    assert task.task is task.task
    assert task.reference is not None
    assert "def solve" in task.reference.source
    assert [plan.name for plan in task.alternatives] == ["alternative-page-by-page.py"]
    assert [case.verdict for case in task.cases] == ["fail"]


def test_alternatives_are_sorted_and_named_plainly(loan_desk_pack):
    more = {
        f"worlds/loan-desk/tasks/settle-fine/{name}": b"# x\n"
        for name in ("alternative-b.py", "alternative-a.py", "alternative_c.py", "alternative-.py", "alternative-d.txt")
    }
    entry = Pack(loan_desk_pack.files | more).tasks()[0]
    assert [plan.name for plan in entry.alternatives] == ["alternative-a.py", "alternative-b.py", "alternative-page-by-page.py"]


def test_a_task_without_the_optional_files(loan_desk_pack):
    gone = ("reference.py", "cases.yaml")
    entry = Pack({path: data for path, data in loan_desk_pack.files.items() if not path.endswith(gone)}).tasks()[0]
    assert entry.reference is None
    assert entry.cases == []
    assert entry.verifier.preflight(entry.task.instance(0)).fault == ""


def test_nothing_is_compiled_before_it_is_asked_for(loan_desk_pack):
    broken = Pack(
        loan_desk_pack.files | {"worlds/loan-desk/world.yaml": b"[", "worlds/loan-desk/tasks/settle-fine/brief.yaml": b"["}, "where"
    )
    assert [entry.name for entry in broken.tasks()] == ["settle-fine"]
    for _ in range(2):
        with pytest.raises(PackError) as caught:
            _ = broken.tasks()[0].task
        assert caught.value.file == "where/worlds/loan-desk/world.yaml"


def test_a_repaired_task_compiles_where_another_is_broken(loan_desk_pack):
    broken = Pack(loan_desk_pack.files | {"worlds/loan-desk/tasks/other/brief.yaml": b"title: x\n"})
    other, good = broken.tasks()
    with pytest.raises(PackError, match="the key 'bind' is missing"):
        _ = other.task
    assert good.task.brief.title


@pytest.mark.parametrize(
    "files, message",
    [
        ({"pack.toml": META}, "no world"),
        ({"pack.toml": META, "worlds/readme.md": b""}, "no world"),
        ({"pack.toml": META, "worlds/My World/world.yaml": b""}, "the name 'My World' is not plain"),
        ({"pack.toml": META, "worlds/w/tasks/do_it/brief.yaml": b""}, "the name 'do_it' is not plain"),
        ({"pack.toml": META, "worlds/-w/world.yaml": b""}, "the name '-w' is not plain"),
        ({"worlds/w/world.yaml": b""}, "the file is missing"),
    ],
)
def test_the_frame_of_a_pack(files, message):
    with pytest.raises(PackError) as caught:
        Pack(files, "there")
    assert caught.value.message == message
    assert caught.value.file.startswith("there/")
    assert caught.value.expected


def test_provenance_and_splits_are_free_tables(loan_desk_pack):
    meta = Pack({**loan_desk_pack.files, "pack.toml": META + b"[provenance]\nfrom = 'x'\non = 2026-01-01\n[splits]\ntrain = ['a']\n"}).meta
    assert meta.splits == {"train": ["a"]}
    assert meta.provenance["from"] == "x"
    with pytest.raises(PackError) as caught:
        Pack({**loan_desk_pack.files, "pack.toml": META + b"[splits]\ntrain = ['a', 1]\n"})
    assert (caught.value.line, caught.value.field) == (6, "splits[...][1]")


# ---- targets


@pytest.fixture(scope="module")
def two_worlds(loan_desk_pack, tmp_path_factory):
    """The folder of a pack with two worlds, of which one has two tasks, and a zip of it."""
    files = dict(loan_desk_pack.files)
    for path, data in loan_desk_pack.files.items():
        if path.startswith("worlds/"):
            files[path.replace("loan-desk", "other", 1)] = data
            files[path.replace("loan-desk", "other", 1).replace("settle-fine", "again")] = data
    root = tmp_path_factory.mktemp("two")
    write_files(files, root / "pack")
    write_zip(files, root / "pack.zip")
    return root


@pytest.mark.parametrize("form", ["pack", "pack.zip"])
@pytest.mark.parametrize(
    "rest, world, task, seed",
    [
        ("", None, None, None),
        ("/", None, None, None),
        ("/other", "other", None, None),
        ("/other/again", "other", "again", None),
        ("/other/again@7", "other", "again", 7),
        ("/other/again/@0", "other", "again", 0),
        ("/worlds/other", "other", None, None),
        ("/worlds/other/tasks/again@123456789", "other", "again", 123456789),
    ],
)
def test_resolve(two_worlds, form, rest, world, task, seed):
    read = resolve(f"{two_worlds}/{form}{rest}")
    assert (read.world.name if read.world else None, read.task.name if read.task else None, read.seed) == (world, task, seed)
    assert read.pack.meta.name == "loan-desk"


@pytest.mark.parametrize(
    "rest, message",
    [
        ("/gone", "has no world 'gone' (it has: loan-desk, other)"),
        ("/other/gone", "other has no task 'gone' (it has: again, settle-fine)"),
        ("/other/again/more", "too many parts"),
        ("/other@3", "a seed needs a task"),
        ("@3", "a seed needs a task"),
        ("/other/again@", "'' is not a seed"),
        ("/other/again@x", "'x' is not a seed"),
        ("/other/again@-1", "'-1' is not a seed"),
        ("/other/again@1.5", "'1.5' is not a seed"),
        ("/other/again@1@2", "other has no task 'again@1'"),
        ("/other/again@1234567890", "is not a seed"),
        ("/settle-fine", "has no world 'settle-fine'"),
    ],
)
def test_resolve_says_what_there_is(two_worlds, rest, message):
    with pytest.raises(UsageError) as caught:
        resolve(f"{two_worlds}/pack{rest}")
    assert message in str(caught.value)


def test_a_pack_of_one_world_needs_no_world_in_a_target(loan_desk):
    read = resolve(f"{loan_desk}/settle-fine@3")
    assert (read.world.name, read.task.name, read.seed) == ("loan-desk", "settle-fine", 3)


def test_an_at_sign_in_a_folder(loan_desk_pack, tmp_path):
    write_files(loan_desk_pack.files, tmp_path / "me@home" / "pack@1")
    assert resolve(f"{tmp_path}/me@home/pack@1").seed is None
    assert resolve(f"{tmp_path}/me@home/pack@1/settle-fine").task.name == "settle-fine"
    assert resolve(f"{tmp_path}/me@home/pack@1/settle-fine@2").seed == 2


def test_inside_a_pack_its_folder_may_be_left_out(loan_desk, monkeypatch):
    monkeypatch.chdir(loan_desk)
    assert resolve(".").pack.digest == read_pack(loan_desk).digest
    assert resolve("settle-fine@3").task.name == "settle-fine"
    assert resolve("./loan-desk/settle-fine").task.name == "settle-fine"
    with pytest.raises(UsageError, match="has no world 'nothing'"):
        resolve("nothing/at")
    with pytest.raises(UsageError, match="no pack there"):
        resolve("/nothing/settle-fine")


def test_no_pack_in_a_target(tmp_path, loan_desk):
    for text in (str(tmp_path), str(tmp_path / "x" / "y"), "nowhere-at-all", ""):
        with pytest.raises(UsageError, match="no pack there"):
            resolve(text)
    assert read_pack(loan_desk).where == str(loan_desk)


def test_a_byte_order_mark_is_named(loan_desk_pack):
    files = loan_desk_pack.files | {"pack.toml": b"\xef\xbb\xbf" + loan_desk_pack.files["pack.toml"]}
    with pytest.raises(PackError, match="byte order mark") as caught:
        Pack(files)
    assert (caught.value.file, caught.value.line) == ("pack.toml", 1)
