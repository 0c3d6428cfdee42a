"""Plain Python environments as subjects: found, run by other interpreters, hashed; and what is said when they can't be."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from worldwright.audit.adapters.hosted import HostedSubject
from worldwright.audit.adapters.python import PythonSubject
from worldwright.audit.adapters.sources import digest_of, source_files
from worldwright.audit.subject import Play, Session
from worldwright.errors import UsageError

SUMS = """
import sys
class Episode:
    tools = []
    def __init__(self, seed): self.right, self.prompt = seed + 1, f"What follows {seed}?"
    def reference(self): return [], self.right
    def finish(self, answer): return float(answer == self.right)
class Sums:
    def __init__(self, cases): self.listed = cases
    def cases(self): return list(self.listed)
    def start(self, case, seed): return Episode(seed)
def make(): return Sums(("next",))
def of(cases, more=()): return Sums((*cases, *more, sys.prefix))
class Holder:
    make = staticmethod(make)
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "sums.py").write_text(SUMS, encoding="utf-8")
    return tmp_path


def statuses(subject: HostedSubject) -> list[str]:
    answers = (subject.facts("next", 4).reference.answer, 7)
    return [subject.run(Session((Play("next", 4, (), answer),)))[0].status for answer in answers]


def test_a_module_in_a_folder(folder):
    with PythonSubject("sums", "make", str(folder)) as subject:
        assert (subject.name, subject.kind, subject.cases()) == ("python:sums:make", "python", ["next"])
        assert statuses(subject) == ["pass", "fail"]
        assert set(subject.layers) > {"user", "seccomp"}
    with PythonSubject("sums", "Holder.make", str(folder)) as subject:
        assert subject.cases() == ["next"]


def test_another_interpreter_that_has_nothing_of_ours(folder, tmp_path):
    venv.create(tmp_path / "other", with_pip=False, symlinks=True)
    python = str(tmp_path / "other" / "bin" / "python")
    lacks = subprocess.run([python, "-c", "import msgspec"], capture_output=True, check=False, env={})
    assert lacks.returncode != 0
    with PythonSubject("sums", "make", str(folder), python) as subject:
        assert statuses(subject) == ["pass", "fail"]


def test_a_shim_with_arguments(folder):
    load = {"file": str(folder / "sums.py"), "function": "of", "args": {"cases": ["a"], "more": ("b",)}}
    with HostedSubject(load, "shim", "reward") as subject:
        assert subject.cases() == ["a", "b", sys.prefix]
        one = subject.digest
    with HostedSubject({**load, "args": {"cases": ["c"]}}, "shim", "reward") as subject:
        assert subject.digest != one


def test_a_package_beside_its_data(tmp_path):
    package = tmp_path / "shop"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "env.py").write_text(
        SUMS + "\nfrom importlib.resources import files\nTEXT = files('shop').joinpath('data.txt').read_text()\n", encoding="utf-8"
    )
    (package / "data.txt").write_text("x", encoding="utf-8")
    digests = []
    for text in ("x", "y"):
        (package / "data.txt").write_text(text, encoding="utf-8")
        with PythonSubject("shop.env", "make", str(tmp_path)) as subject:
            digests.append(subject.digest)
            assert subject.cases() == ["next"]
    assert len(set(digests)) == 2


@pytest.mark.parametrize(
    "module, function, said",
    [
        ("nothing", "make", "No module named 'nothing'"),
        ("sums", "other", "has no attribute 'other'"),
        ("sums", "Episode", "TypeError"),
    ],
)
def test_what_can_not_be_loaded_is_said_with_the_next_step(folder, module, function, said):
    with PythonSubject(module, function, str(folder)) as subject:
        with pytest.raises(UsageError, match=said) as caught:
            subject.cases()
        assert "--path names the folder" in str(caught.value)
        assert said in subject.facts("a", 0).fault
        assert len(subject.digest) == 64


@pytest.mark.parametrize(
    "module, function, path, python, said",
    [
        ("a b", "make", None, None, "'a b' is no module's name"),
        ("sums", "make()", None, None, "is no function's name"),
        ("sums", "make", "/nowhere/at/all", None, "--path /nowhere/at/all: not a folder"),
        ("sums", "make", None, "python-of-nobody", "--python python-of-nobody: no such program"),
    ],
)
def test_names_that_can_not_be_are_said_at_once(module, function, path, python, said):
    with pytest.raises(UsageError) as caught:
        PythonSubject(module, function, path, python)
    assert said in str(caught.value)


def test_a_program_that_is_no_python_is_a_fault(folder):
    with PythonSubject("sums", "make", str(folder), shutil.which("true")) as subject:
        assert "its process ended" in subject.facts("next", 0).fault


def test_a_file_that_is_no_program_is_said(folder):
    program = folder / "program"
    program.write_bytes(b"\0\1\2")
    program.chmod(0o755)
    with PythonSubject("sums", "make", str(folder), str(program)) as subject, pytest.raises(UsageError, match="can't be started"):
        subject.facts("next", 0)


def test_a_digest_follows_what_is_imported_from_beside_and_no_more(folder):
    def names() -> list[str]:
        return [name for name, _ in source_files(folder / "sums.py")]

    assert names() == ["sums.py"]
    (folder / "sums.py").write_text("import json, one\nfrom two.deep import x\n" + SUMS, encoding="utf-8")
    (folder / "one.py").write_text("import three", encoding="utf-8")
    (folder / "three.py").write_text("import sums", encoding="utf-8")
    (folder / "stranger.py").write_text("", encoding="utf-8")
    (folder / "two").mkdir()
    (folder / "two" / "__init__.py").write_text("", encoding="utf-8")
    (folder / "two" / "deep.py").write_text("x = 1", encoding="utf-8")
    assert sorted(names()) == ["one.py", "sums.py", "three.py", "two/__init__.py", "two/deep.py"]
    before = digest_of({"module": "sums", "function": "make"}, [str(folder / "sums.py")])
    copy = Path(shutil.copytree(folder, folder.parent / "copy"))
    assert digest_of({"module": "sums", "function": "make"}, [str(copy / "sums.py")]) == before
    (copy / "stranger.py").write_text("changed", encoding="utf-8")
    assert digest_of({"module": "sums", "function": "make"}, [str(copy / "sums.py")]) == before
    (copy / "three.py").write_text("changed = 1", encoding="utf-8")
    assert digest_of({"module": "sums", "function": "make"}, [str(copy / "sums.py")]) != before
