"""`worldwright conform`: packs and worlds of one's own through the kit, and digests to compare between machines."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from worldwright.cli.main import run
from worldwright.cli.packed_world import casts, open_world, told, usable
from worldwright.pack import read_pack
from worldwright.world.conformance import CHECKS, Status, conform

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
TOOL_HIRE = EXAMPLES / "tool-hire"
STALLS = ROOT / "tests" / "world" / "conformance" / "stalls.py"
APART = ("processes", "wall-clock")

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs the command in a folder of its own; gives exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def act(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            run(args)
        said = capsys.readouterr()
        return int(ended.value.code or 0), said.out, said.err

    return act


def test_pack_passes_every_check_in_other_processes_too(command: Command) -> None:
    code, out, err = command("conform", str(TOOL_HIRE), "--seeds", "1", "--json")
    [report] = json.loads(out)
    assert (code, err) == (0, "conform tool-hire/tool-hire\n")
    assert report["world"] == "tool-hire/tool-hire"
    assert report["digest"] == read_pack(TOOL_HIRE).worlds["tool-hire"].world.digest
    assert [(one["name"], one["status"], one["detail"]) for one in report["results"]] == [(name, "ok", "") for name in CHECKS]


def test_faulty_world_of_ones_own_is_told_with_exit_code_1(command: Command, tmp_path: Path) -> None:
    shutil.copy(STALLS, tmp_path / "stalls_here.py")
    code, out, _ = command(
        "conform", "python:stalls_here:rewrites_the_answer", "--check", "closed", "--check", "evidence", "--check", "turns"
    )
    assert code == 1
    assert "python:stalls_here:rewrites_the_answer: evidence: fail: the answer is kept as" in out
    assert "2 of 3" in out


@pytest.mark.parametrize(
    "args, says",
    [
        (["nowhere"], "no pack there"),
        (["python:nowhere:make"], "no module 'nowhere'"),
        (["python:x"], "MODULE:FUNCTION"),
        ([f"python:{STALLS}:stall", "--check", "speed"], "no check 'speed'"),
        ([f"python:{STALLS}:stall", f"python:{STALLS}:refuses_to_fork", "--digest-only"], "'stall@0' is there twice"),
    ],
)
def test_wrong_use_is_told(command: Command, args: list[str], says: str) -> None:
    code, out, err = command("conform", *args)
    assert (code, out) == (2, "")
    assert says in err


def test_digests_are_exactly_two_tables(command: Command, tmp_path: Path) -> None:
    shutil.copytree(TOOL_HIRE, tmp_path / "packs" / "tool-hire")
    _, out, _ = command("conform", "packs", "--digest-only", "--json")
    said = json.loads(out)
    world = read_pack(TOOL_HIRE).worlds["tool-hire"]
    assert said.keys() == {"digests", "verdicts"}
    assert said["digests"] == {f"tool-hire@{seed}": world.world.state_digest(seed) for seed in range(5)}
    assert said["verdicts"].keys() == {f"tool-hire/{task}@{seed}" for task in world.tasks for seed in range(3)}
    for name, found in said["verdicts"].items():
        plans = world.tasks[name.split("/")[1].split("@")[0]]
        assert found.keys() == {"reference", "noop", *(plan.name.removesuffix(".py") for plan in plans.alternatives)}
        assert {solver: one["status"] for solver, one in found.items()} == {
            solver: "fail" if solver == "noop" else "pass" for solver in found
        }
        assert all(len(one["trace"]) == 64 for one in found.values())


def test_digests_of_a_world_of_ones_own(command: Command) -> None:
    code, out, _ = command("conform", f"python:{STALLS}:stall", "--digest-only", "--json")
    said = json.loads(out)
    assert code == 0
    assert list(said["digests"]) == [f"stall@{seed}" for seed in range(5)]
    assert said["verdicts"] == {}


PACKS = sorted(path.parent.name for path in EXAMPLES.glob("*/pack.toml"))


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow) if name == "chinook" else name for name in PACKS])
def test_example_worlds_pass(name: str) -> None:
    """In this process alone, and without the longest walks; `worldwright conform examples` does it all."""
    found = {}
    for world, entry in read_pack(EXAMPLES / name).worlds.items():
        for task in casts(entry):
            made = open_world(str(EXAMPLES / name), world, task)
            seeds = usable(entry, task, range(20), 1)
            results = conform(
                lambda made=made: made, seeds, steps=12, known=told(entry, seeds), checks=[one for one in CHECKS if one not in APART]
            )
            found |= {f"{world} {task} {one.name}": one.detail for one in results if one.status != Status.OK}
    assert found == {}


def test_people_of_a_world_come_along() -> None:
    entry = read_pack(EXAMPLES / "venue-booking").worlds["venue-desk"]
    assert {people for people in casts(entry).values()} == {("client",), ("organiser",)}
    task = next(iter(casts(entry)))
    world = open_world(str(EXAMPLES / "venue-booking"), "venue-desk", task)
    say = next(tool for tool in world.tools() if tool.name == "say")
    assert say.args["to"].enum == list(casts(entry)[task])
    episode = world.start(usable(entry, task, range(9), 1)[0])
    assert episode.call("say", {"to": casts(entry)[task][0], "act": "close"}).ok
    episode.close()
