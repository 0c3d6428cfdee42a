"""The command as a process: what it loads, how it ends, and what a broken installation looks like."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import worldwright

SOURCES = str(Path(worldwright.__file__).parents[1])
RUN = "from worldwright.cli.main import run; run()"
HEAVY = ("apsw", "jinja2", "msgspec", "numpy", "pydantic_monty", "rich", "scipy", "yaml")


def started(*argv: Any, code: str = RUN, paths: tuple[str, ...] = (), **more: Any) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((*paths, SOURCES)), "WORLDWRIGHT_DEBUG": ""}
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, argv)], env=environment, capture_output=True, text=True, timeout=120, **more
    )


def test_help_loads_nothing_that_it_doesnt_need():
    code = f"import sys\ntry:\n    {RUN}\nfinally:\n    print('loaded', [name for name in {HEAVY!r} if name in sys.modules])"
    done = started("--help", code=code)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "loaded []"
    assert "Usage: " in done.stdout


def test_the_package_runs_as_the_command_does(tmp_path):
    command = [sys.executable, "-m", "worldwright", "lint", str(tmp_path / "nowhere")]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": SOURCES}, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (2, "")
    assert "nowhere" in done.stderr


def test_json_on_stdout_is_all_there_is_and_rates_alone_load_scipy(loan_desk):
    code = f"import sys\ntry:\n    {RUN}\nfinally:\n    sys.stderr.write(str('scipy' in sys.modules))"
    done = started("show", f"{loan_desk}/settle-fine@0", "--json", code=code)
    assert (done.returncode, done.stderr) == (0, "False")
    assert json.loads(done.stdout)["task"] == "loan-desk/settle-fine@0"


def test_a_broken_installation_is_our_failure_and_debug_shows_where(tmp_path, loan_desk):
    (tmp_path / "rich").mkdir()
    (tmp_path / "rich" / "__init__.py").write_text("raise ImportError('rich is broken here')\n", encoding="utf-8")
    done = started("rollout", f"{loan_desk}/settle-fine@0", "--out", tmp_path / "run.jsonl", paths=(str(tmp_path),))
    assert done.returncode == 3
    assert done.stderr.startswith("worldwright: ImportError: rich is broken here\n")
    assert "worldwright --debug" in done.stderr
    assert "Traceback" not in done.stderr
    done = started("--debug", "rollout", f"{loan_desk}/settle-fine@0", "--out", tmp_path / "again.jsonl", paths=(str(tmp_path),))
    assert done.returncode == 3
    assert "Traceback" in done.stderr


def test_a_reader_who_goes_away_hears_no_verdict(loan_desk):
    environment = {**os.environ, "PYTHONPATH": SOURCES}
    command = [sys.executable, "-c", RUN, "show", f"{loan_desk}/loan-desk", "--tools", "openai"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (141, b"")


def test_a_game_that_is_left_is_not_passed(loan_desk, tmp_path):
    done = started("play", f"{loan_desk}/settle-fine@0", "--out", tmp_path / "run.jsonl", input="")
    assert done.returncode == 1, done.stderr
    assert "disputes fine" in done.stdout + done.stderr
    assert "verdict: fail (reward 0)" in done.stdout
    assert "Traceback" not in done.stderr
    assert (tmp_path / "run.jsonl").read_bytes().count(b"\n") == 1
