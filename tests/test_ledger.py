"""The ledger is only added to, adds up, and says at which line it can't be read."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from worldwright.errors import UsageError
from worldwright.ledger import Cost, Ledger, by_stage, charged, read_ledger, total
from worldwright.pack import read_pack


def test_entries_are_added_and_add_up(tmp_path):
    ledger = Ledger(tmp_path / "deep" / "ledger.jsonl")
    assert ledger.entries() == []
    ledger.add("audit", "d1", "audit", Cost(cpu=1.23456, wall=2, runs=3, calls=4))
    before = ledger.path.read_bytes()
    ledger.add("audit", "d1", "review", Cost(minutes=1.5))
    ledger.add("synthesis", "d1", "propose", Cost(tokens=100, cents=0.5))
    assert ledger.path.read_bytes().startswith(before)
    entries = ledger.entries()
    assert entries[0].cost.cpu == 1.235
    assert total(entries) == Cost(1.235, 2, 3, 4, 100, 0.5, 1.5)
    assert by_stage(entries) == {"audit": Cost(1.235, 2, 3, 4, minutes=1.5), "synthesis": Cost(tokens=100, cents=0.5)}
    assert total([]) == Cost()


def test_a_step_is_charged_with_its_children():
    burn = "import time\nuntil = time.process_time() + 0.2\nwhile time.process_time() < until: pass"
    with charged() as meter:
        subprocess.run([sys.executable, "-c", burn], check=True)
        meter.runs += 2
    assert meter.cost.cpu >= 0.2
    assert meter.cost.wall > 0
    assert meter.cost.runs == 2


def test_a_child_that_is_still_there_is_charged_to_the_step():
    burn = "import sys, time\nwhile time.process_time() < 0.3: pass\nprint('done', flush=True)\nsys.stdin.read()"
    with charged() as meter, subprocess.Popen([sys.executable, "-c", burn], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        with charged() as within:
            child.stdout.readline()
        child.stdin.close()
    assert within.cost.cpu >= 0.2
    assert meter.cost.cpu >= within.cost.cpu


def test_a_step_that_fails_is_charged_too():
    with suppress(ZeroDivisionError), charged() as meter:
        meter.calls = 7
        meter.calls //= 0
    assert meter.cost.calls == 7


def test_a_broken_line_is_named(tmp_path):
    path = tmp_path / "ledger.jsonl"
    Ledger(path).add("audit", "d", "s", Cost())
    with path.open("ab") as file:
        file.write(b"{}\n")
    with pytest.raises(UsageError, match=r"ledger\.jsonl:2: not a ledger's entry"):
        read_ledger(path)
    with pytest.raises(UsageError, match="expected a ledger"):
        read_ledger(tmp_path / "none.jsonl")


def test_steps_of_databases_are_charged():
    """Every thousand steps count, however they come together: here by one short statement run often."""
    task = next(iter(read_pack(Path(__file__).parents[1] / "examples" / "tool-hire").tasks())).task
    table = next(iter(task.world.schema.tables))
    statement = task.world.bench.prove(f"SELECT * FROM {table}", "bind", params=frozenset(), file="", field="")
    with task.start(task.instance(3)) as episode:
        with charged() as one:
            episode.connection.run(statement, {})
        with charged() as many:
            for _ in range(200):
                episode.connection.run(statement, {})
        with charged() as none:
            pass
    assert one.cost.steps < many.cost.steps
    assert many.cost.steps % 1_000 == 0
    assert none.cost.steps == 0
