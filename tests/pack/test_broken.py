"""Every way in which a pack can be broken is said with file, line and field: by the pack itself, by lint and by show."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from worldwright.cli.main import run
from worldwright.errors import PackError
from worldwright.files import decode_yaml
from worldwright.pack import Pack, read_pack
from worldwright.pack.write import write_zip

WORLD = "worlds/loan-desk/"


class Edit(msgspec.Struct, frozen=True):
    file: str
    find: str | None = None
    replace: str | None = None
    bytes: bool = False


class Broken(msgspec.Struct, frozen=True):
    """See broken.yaml."""

    name: str
    edits: list[Edit]
    message: str
    at: str | None = None
    place: str | None = msgspec.field(default=None, name="in")
    field: str = ""
    lint: bool = False
    seed: bool = False

    def file(self) -> str:
        named = self.place or self.edits[-1].file
        return named if named == "pack.toml" else WORLD + named


BROKEN = decode_yaml((Path(__file__).parent / "broken.yaml").read_text(encoding="utf-8"), list[Broken], "broken.yaml")


def apply(edit: Edit, root: Path) -> None:
    path = root / (edit.file if edit.file == "pack.toml" else WORLD + edit.file)
    if edit.replace is None:
        path.unlink()
        return
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if edit.find is not None:
        assert text.count(edit.find) == 1, (edit.file, edit.find, text.count(edit.find))
        text = text.replace(edit.find, edit.replace)
    else:
        assert not text, edit.file
        text = edit.replace
    path.write_bytes(text.encode("latin-1" if edit.bytes else "utf-8"))


def line_of(root: Path, case: Broken) -> int:
    """The line in which `at` stands for the last time; 0 if there is none."""
    if case.at is None:
        return 0
    text = (root / case.file()).read_bytes().decode("latin-1")
    assert case.at in text, case.at
    return text.count("\n", 0, text.rfind(case.at)) + 1


@pytest.fixture
def broken(request, loan_desk, tmp_path) -> tuple[Broken, Path, int]:
    """The case, the folder of its pack, and the line to be named."""
    root = tmp_path / "desk"
    shutil.copytree(loan_desk, root)
    for edit in request.param.edits:
        apply(edit, root)
    return request.param, root, line_of(root, request.param)


def ended(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command."""
    with pytest.raises(SystemExit) as caught:
        run(argv)
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    assert isinstance(caught.value.code, int)
    return caught.value.code, out, err


def compile_all(pack: Pack) -> None:
    for entry in pack.tasks():
        _ = entry.world.world, entry.task, entry.verifier, entry.cases, entry.reference


every_broken = pytest.mark.parametrize("broken", BROKEN, ids=lambda case: case.name, indirect=True)


@every_broken
def test_lint_and_show_name_the_place(broken, capsys):
    case, root, line = broken
    code, out, _ = ended(capsys, "lint", "--fast", "--seeds", "1", "--json", str(root))
    assert code == 1
    (report,) = json.loads(out)
    found = [(one["file"], one["line"], one["field"]) for one in report["findings"] if case.message in one["message"]]
    assert found == [(f"{root}/{case.file()}", line, case.field)], report["findings"]
    assert all(one["edit"] for one in report["findings"])

    code, out, err = ended(capsys, "show", f"{root}/loan-desk/settle-fine@0", "--answers")
    if case.lint:
        assert (code, err) == (0, "")
        return
    assert (code, out) == (1, "")
    where = f"{root}/{case.file()}:{line}" if line else f"{root}/{case.file()}"
    assert err.startswith(f"worldwright: {where}: {case.field + ': ' if case.field else ''}")
    assert case.message in err
    assert err.endswith(")\n") == ("(expected " in err) or "SQLite refuses" in err or "failed" in err


@every_broken
def test_the_pack_itself_names_the_place(broken):
    case, root, line = broken
    if case.lint or case.seed:
        compile_all(read_pack(root))
        return
    with pytest.raises(PackError) as caught:
        compile_all(read_pack(root))
    fault = caught.value
    assert (fault.file, fault.line, fault.field) == (f"{root}/{case.file()}", line, case.field)


def test_the_cases_cover_every_file_of_the_format():
    seen = {Path(case.file()).name for case in BROKEN}
    assert seen >= {
        "pack.toml",
        "world.yaml",
        "schema.sql",
        "scenario.py",
        "events.yaml",
        "parties.yaml",
        "fines.md",
        "brief.yaml",
        "verifier.yaml",
        "cases.yaml",
        "reference.py",
    }
    assert len({case.name for case in BROKEN}) == len(BROKEN)


def find(name: str) -> Any:
    return next(case for case in BROKEN if case.name == name)


@pytest.mark.parametrize(
    "broken",
    [find(name) for name in ("an unknown key", "a scenario that raises", "a page with a broken template", "luck above one")],
    ids=lambda case: case.name,
    indirect=True,
)
def test_a_zip_names_the_same_place(broken, capsys, tmp_path):
    case, root, line = broken
    path = tmp_path / "desk.zip"
    write_zip({file.relative_to(root).as_posix(): file.read_bytes() for file in root.rglob("*") if file.is_file()}, path)
    code, out, err = ended(capsys, "show", f"{path}/loan-desk/settle-fine@0")
    assert (code, out) == (1, "")
    assert err.startswith(f"worldwright: {path}/{case.file()}:{line}: ")
