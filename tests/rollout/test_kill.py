"""A run that is killed at any moment, again and again, ends with the same bytes as one that wasn't."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from runs import bytes_of

import worldwright
from worldwright.rollout.codec import index_of

COMMAND = "from worldwright.cli.main import run; run()"


@pytest.mark.slow
@pytest.mark.parametrize("form", ["jsonl", "jsonl.gz"])
def test_killed_at_random_moments(loan_desk, tmp_path, form):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(worldwright.__file__).parents[1]), str(Path(__file__).parent)])}

    def command(path: Path, *more: str) -> list[str]:
        solvers = ["-s", "python:runs:Slow", "-s", "random", "-s", "reference"]
        told = ["rollout", str(loan_desk), "--seeds", "24", "-k", "4", *solvers, "--out", str(path), *more]
        return [sys.executable, "-c", COMMAND, *told]

    whole, path = tmp_path / f"whole.{form}", tmp_path / f"killed.{form}"
    subprocess.run(command(whole, "--workers", "1"), env=environment, check=True, capture_output=True, timeout=300)
    rng = random.Random(form)
    kills = 0
    for tried in range(12):
        process = subprocess.Popen(
            command(path, "--resume", "--workers", str(1 + tried % 2)),
            env=environment,
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        before = index_of(path).stat().st_size if index_of(path).exists() else 0
        while process.poll() is None and (not index_of(path).exists() or index_of(path).stat().st_size <= before):
            time.sleep(0.002)  # until it has gone on a bit, then at any moment
        time.sleep(rng.random() * 0.15)
        process.send_signal(signal.SIGKILL)
        kills += process.wait() == -signal.SIGKILL
        if index_of(path).stat().st_size == index_of(whole).stat().st_size:
            break
    subprocess.run(command(path, "--resume"), env=environment, check=True, capture_output=True, timeout=300)
    assert kills >= 3
    assert bytes_of(path) == bytes_of(whole)
