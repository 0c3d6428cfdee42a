"""A plan is registered before anything runs, each run is made once, and what comes out doesn't depend on how it was made."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import worldwright
from worldwright.errors import UsageError, WorldwrightError
from worldwright.transfer.records import Results
from worldwright.transfer.run import PLAN, REGISTERED, RUNS, carried_out, read_runs, register

SCRIPTED = "scripted:conduct"


@pytest.fixture
def log(tmp_path, monkeypatch) -> Path:
    path = tmp_path / "log"
    path.touch()
    monkeypatch.setenv("SCRIPTED_LOG", str(path))
    return path


def conducted(log: Path) -> list[str]:
    return sorted(line.rpartition(" ")[0] for line in log.read_text(encoding="utf-8").splitlines())


def carry(plan_file: Path, out: Path, workers: int = 2, said: list[str] | None = None) -> Results:
    return carried_out(register(plan_file, out), out, workers, (said if said is not None else []).append, SCRIPTED)


@pytest.fixture(scope="module")
def once(trades, tmp_path_factory) -> tuple[Results, Path]:
    """What the plan gives, by one process, and the folder of that run."""
    from conftest import PLAN as TEXT

    root = tmp_path_factory.mktemp("known")
    (root / "plan.yaml").write_text(TEXT.replace("PACK", str(trades)), encoding="utf-8")
    return carry(root / "plan.yaml", root / "run", 1), root / "run"


@pytest.fixture
def known(once) -> Results:
    return once[0]


@pytest.fixture
def finished(once, tmp_path) -> Path:
    """A folder in which the plan was carried out."""
    return Path(shutil.copytree(once[1], tmp_path / "finished"))


def test_figures_do_not_depend_on_processes(plan_file, tmp_path, log, known):
    results = carry(plan_file, tmp_path / "run", 3)
    assert results == known
    assert len(conducted(log)) == len(set(conducted(log))) == 50
    assert {line.rpartition(" ")[2] for line in log.read_text(encoding="utf-8").splitlines()} == {"1"}  # one thread each


def test_plan_is_copied_and_registered_before_anything_runs(plan_file, tmp_path, log):
    out = tmp_path / "run"
    made = register(plan_file, out)
    assert (out / PLAN).read_bytes() == plan_file.read_bytes()
    registered = json.loads((out / REGISTERED).read_bytes())
    assert registered["plan"]["digest"] == made.plan.digest
    assert set(registered["trained"]["audited"]) == {
        "claims-desk/decide-claim",
        "claims-desk/hear-appeal",
        "tool-hire/credit-late-deliveries",
        "tool-hire/decide-on-a-complaint",
        "tool-hire/plan-the-day",
    }
    assert conducted(log) == []


def test_finished_runs_are_not_made_again(plan_file, finished, log, known):
    out = finished
    whole = (out / RUNS).read_bytes().splitlines(keepends=True)
    (out / RUNS).write_bytes(b"".join(whole[:20]) + whole[20][:30])
    log.write_text("")
    said: list[str] = []
    assert carry(plan_file, out, said=said) == known
    assert len(conducted(log)) == 30
    assert any("cut off" in text for text in said)
    assert any("20 of 50 runs are there already" in text for text in said)
    assert (out / RUNS).read_bytes().startswith(b"".join(whole[:20]))


def test_a_changed_plan_or_pack_is_refused(plan_file, trades, tmp_path):
    root = tmp_path / "pack"
    shutil.copytree(trades, root)
    text = plan_file.read_text(encoding="utf-8").replace(str(trades), str(root))
    plan_file.write_text(text, encoding="utf-8")
    out = tmp_path / "run"
    carry(plan_file, out)
    plan_file.write_text(text.replace("smallest: 0.05", "smallest: 0.2"), encoding="utf-8")
    with pytest.raises(UsageError, match="a plan isn't changed once it is registered"):
        register(plan_file, out)
    plan_file.write_text(text, encoding="utf-8")
    brief = next(root.rglob("brief.yaml"))
    brief.write_text(brief.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    with pytest.raises(UsageError, match="the pack 'main'"):
        register(plan_file, out)
    before = (out / RUNS).read_bytes()
    assert before.count(b"\n") == 50  # a refusal loses nothing
    register(plan_file, out, force=True)
    assert (out / RUNS).read_bytes() == b""


def test_a_refused_plan_leaves_nothing(plan_file, tmp_path):
    plan_file.write_text(plan_file.read_text(encoding="utf-8").replace("claims/remedy", "claims/*"), encoding="utf-8")
    with pytest.raises(UsageError, match="held out"):
        register(plan_file, tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_a_run_that_fails_loses_no_other(plan_file, tmp_path, monkeypatch, log, known):
    out = tmp_path / "run"
    monkeypatch.setenv("SCRIPTED_FAILS", "weak:2")
    with pytest.raises(ValueError, match="scripted to fail"):
        carry(plan_file, out)
    kept = (out / RUNS).read_bytes().count(b"\n")
    assert 10 <= kept < 50
    monkeypatch.delenv("SCRIPTED_FAILS")
    log.write_text("")
    assert carry(plan_file, out) == known
    assert len(conducted(log)) == 50 - kept


@pytest.mark.slow
def test_a_process_that_dies_is_told(plan_file, tmp_path, monkeypatch, known):
    monkeypatch.setenv("SCRIPTED_DIES", "weak:2")
    with pytest.raises(WorldwrightError, match="a process that made runs died"):
        carry(plan_file, tmp_path / "run")
    monkeypatch.delenv("SCRIPTED_DIES")
    assert carry(plan_file, tmp_path / "run") == known


@pytest.mark.parametrize(
    "conduct, what", [("scripted:nobody", "nobody"), ("no_such_module:conduct", "no_such_module"), ("scripted:PLAN", "PLAN")]
)
def test_a_learner_that_is_not_there_is_a_usage_error(plan_file, tmp_path, conduct, what):
    out = tmp_path / "run"
    with pytest.raises(UsageError, match=what):
        carried_out(register(plan_file, out), out, 1, lambda _: None, conduct)


def test_one_process_at_a_time_writes(plan_file, tmp_path):
    out = tmp_path / "run"
    made = register(plan_file, out)
    with (out / RUNS).open("ab") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(UsageError, match="another process"):
            carried_out(made, out, 1, lambda _: None, SCRIPTED)


def test_a_damaged_line_in_the_middle_is_named(plan_file, finished):
    out = finished
    lines = (out / RUNS).read_bytes().splitlines(keepends=True)
    (out / RUNS).write_bytes(lines[0] + lines[1][:40] + b"\n" + b"".join(lines[2:]))
    with pytest.raises(UsageError, match=r"runs\.jsonl:2: not a run"):
        carry(plan_file, out)
    (out / RUNS).write_bytes(b"".join([*lines, lines[3]]))
    with pytest.raises(UsageError, match=r"runs\.jsonl:51: .* stands twice"):
        carry(plan_file, out)


def test_runs_without_a_registration_are_not_lost(plan_file, finished):
    out = finished
    (out / REGISTERED).unlink()
    with pytest.raises(UsageError, match=r"no registered\.json"):
        register(plan_file, out)
    assert (out / RUNS).read_bytes().count(b"\n") == 50


def test_processes_end_with_a_command_that_is_killed(plan_file, tmp_path):
    """A run that nobody would keep isn't carried on: the pipe that all processes hold closes once the last has ended."""
    (tmp_path / "endless.py").write_text(
        "import pathlib, time\ndef conduct(plan, arm, seed):\n"
        f"    pathlib.Path({str(tmp_path)!r}, f'begun-{{arm.name}}-{{seed}}').touch()\n    time.sleep(3600)\n"
    )
    code = "import sys; from worldwright.cli.main import run; sys.exit(run())"
    command = [sys.executable, "-c", code, "transfer", str(plan_file), "-o", str(tmp_path / "run"), "--conduct", "endless:conduct"]
    settings = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(worldwright.__file__).parents[1]), str(tmp_path)])}
    process = subprocess.Popen(
        [*command, "--workers", "2"], env=settings, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        while process.poll() is None and not list(tmp_path.glob("begun-*")):
            time.sleep(0.05)
        assert process.poll() is None
        process.kill()
        process.communicate(timeout=60)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.slow
def test_killed_at_any_moment_it_goes_on(plan_file, tmp_path, known):
    """The command is killed while it runs, several times; in the end everything is there, once."""
    out = tmp_path / "run"
    code = "import sys; from worldwright.cli.main import run; sys.exit(run())"
    command = [sys.executable, "-c", code, "transfer", str(plan_file), "-o", str(out), "--conduct", SCRIPTED]
    paths = [str(Path(worldwright.__file__).parents[1]), str(Path(__file__).parent)]
    settings = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    for wanted in (1, 17):
        process = subprocess.Popen(command, env=settings, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
        while process.poll() is None and (not (out / RUNS).exists() or (out / RUNS).read_bytes().count(b"\n") < wanted):
            time.sleep(0.01)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    done = subprocess.run(command, env=settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    made = register(plan_file, out)
    order = {key: n for n, key in enumerate((arm.name, seed) for arm, seed in made.plan.schedule())}
    runs = read_runs(out, made.plan, lambda _: None)
    assert tuple(sorted(runs, key=lambda run: order[run.arm, run.seed])) == known.runs
