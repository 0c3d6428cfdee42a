"""Steps per CPU second through the whole loop of rollouts, and peak memory by the number of attempts.

    python benchmarks/rollouts.py PACK... [--seeds 8] [-k 8] [--solvers replay,reference,random,shotgun] [--profile]
    python benchmarks/rollouts.py --memory 1000,10000,100000 PACK

A step is one tool call, with everything that an attempt takes shared out over its calls: the start state, the prompt, the solver's
own thinking, the trace, the verdict, what is kept for other verifiers, and storage. CPU seconds are user and system time of this
process and of all that it started (the sandbox's workers too), without reading and compiling the packs. One process works. The solver
`replay` makes the reference's calls again without thinking: what is left is the loop itself.
"""

from __future__ import annotations

import argparse
import contextlib
import cProfile
import os
import pstats
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from worldwright.errors import UnusableSeed, UsageError
from worldwright.pack.read import Pack, PackTask, read_pack
from worldwright.rollout.codec import codec_of
from worldwright.rollout.engine import here, on_processes
from worldwright.rollout.run import RunWriter, frames
from worldwright.rollout.schedule import Batch, Schedule
from worldwright.rollout.workplace import solver_named
from worldwright.solver import Agent, Solver, attempt
from worldwright.solver.plan import PlanSolver
from worldwright.solver.replay import ReplaySolver, logged
from worldwright.task import Prompt

_TICK = os.sysconf("SC_CLK_TCK")


def cpu() -> float:
    """CPU seconds of this process and of all its descendants, alive or waited for."""
    children: dict[int, list[int]] = {}
    used: dict[int, float] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(folder.name))
            used[int(folder.name)] = sum(map(int, fields[11:15])) / _TICK
    total, left = 0.0, [os.getpid()]
    while left:
        pid = left.pop()
        total += used.get(pid, 0.0)
        left += children.get(pid, [])
    return total


def name_of_run() -> str:
    """The best form there is here."""
    try:
        codec_of(Path("run.jsonl.zst"))
    except UsageError:
        return "run.jsonl.gz"
    return "run.jsonl.zst"


class Replayed:
    """What the solver `replay` is: the reference's calls, recorded before the clock starts, made again: the loop without a solver."""

    name = "replay"

    def __init__(self, entry: PackTask) -> None:
        self.entry = entry
        self.known: dict[str, ReplaySolver] = {}

    def start(self, prompt: Prompt, seed: int, shown: Mapping[str, Any]) -> Agent:
        return self.known[key_of(prompt, shown)].start(prompt, seed, shown)

    def record(self, seed: int) -> None:
        assert self.entry.reference is not None
        instance = self.entry.task.instance(seed)
        with attempt(self.entry.task, instance, PlanSolver(self.entry.reference), seed=0) as made:
            assert made.evidence is not None
            calls = ReplaySolver(logged(made.evidence.calls), made.trace.answer, "replay")
        self.known[key_of(self.entry.task.prompt(instance), instance.shown)] = calls


def key_of(prompt: Prompt, shown: Mapping[str, Any]) -> str:
    return f"{prompt.instruction}\0{sorted(shown.items())}"


def schedule_of(pack: Pack, solvers: list[str], seeds: int, k: int) -> Schedule:
    tasks = [one for one in pack.tasks() for _ in solvers if one.reference is not None]
    batches = [Batch(0, f"{one.world.name}/{one.name}", solver, 0, seeds, k) for one in dict.fromkeys(tasks) for solver in solvers]
    return Schedule((pack.digest,), tuple(batches))


def measure(path: str, solver: str, seeds: int, k: int, profile: bool) -> None:
    pack = read_pack(path)
    for entry in pack.tasks():
        _ = entry.task, entry.verifier
    schedule = schedule_of(pack, [solver], seeds, k)
    replayed = {entry: Replayed(entry) for entry in pack.tasks() if solver == "replay" and entry.reference is not None}
    for one in replayed.values():
        for seed in range(seeds):
            with contextlib.suppress(UnusableSeed):
                one.record(seed)

    def resolve(entry: PackTask, name: str) -> Solver:
        return replayed[entry] if name == "replay" else solver_named(entry, name)

    with tempfile.TemporaryDirectory() as folder:
        run_path = Path(folder) / name_of_run()
        profiler = cProfile.Profile()
        start = cpu()
        with RunWriter(run_path, schedule) as run:
            if profile:
                profiler.enable()
            for piece in here(schedule, (pack,), run_path.name, resolve=resolve):
                run.add(piece)
            profiler.disable()
        spent = cpu() - start
        ends = [end for frame in frames(run_path) for end in frame.ends]
        steps, size = sum(end.calls for end in ends), run_path.stat().st_size
    print(
        f"{pack.meta.name:24} {solver:10} {len(ends):6} attempts {steps:8} steps {spent:7.2f} CPU s "
        f"{steps / spent:8.0f} steps/CPU s {1000 * spent / len(ends):7.2f} ms/attempt {size / len(ends):7.0f} B/attempt",
        flush=True,
    )
    if profile:
        pstats.Stats(profiler).sort_stats("tottime").print_stats(40)
        pstats.Stats(profiler).sort_stats("cumtime").print_stats("worldwright", 45)


def memory(path: str, attempts: int) -> None:
    """Peak memory of this process and of its largest child, over so many attempts by two processes."""
    pack = read_pack(path)
    tasks = [f"{one.world.name}/{one.name}" for one in pack.tasks()]
    k = 8
    seeds = -(-attempts // (k * len(tasks)))
    schedule = Schedule((pack.digest,), tuple(Batch(0, task, "random", 0, seeds, k) for task in tasks))
    with tempfile.TemporaryDirectory() as folder:
        run_path = Path(folder) / name_of_run()
        with RunWriter(run_path, schedule) as run:
            for piece in on_processes(schedule, (pack,), run_path.name, 2):
                run.add(piece)
        made, size = sum(len(frame.ends) for frame in frames(run_path)), run_path.stat().st_size
    own, child = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(
        f"{made:8} attempts: peak {own.ru_maxrss / 1024:6.0f} MiB here, {child.ru_maxrss / 1024:6.0f} MiB in a worker; "
        f"{own.ru_utime + own.ru_stime:.1f} CPU s here, {child.ru_utime + child.ru_stime:.1f} in workers; {size / 2**20:.1f} MiB stored",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="+")
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("-k", type=int, default=8)
    parser.add_argument("--solvers", default="replay,reference,random,shotgun")
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--memory", default="", help="numbers of attempts, with commas")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.alone:  # each figure in a process of its own
        if asked.memory:
            memory(asked.packs[0], int(asked.memory))
        else:
            measure(asked.packs[0], asked.solvers, asked.seeds, asked.k, asked.profile)
        return
    options = ["--seeds", str(asked.seeds), "-k", str(asked.k), *(["--profile"] if asked.profile else [])]
    for pack in asked.packs:
        for number in filter(None, asked.memory.split(",")):
            subprocess.run([sys.executable, __file__, pack, "--alone", "--memory", number], check=True)
        for solver in [] if asked.memory else asked.solvers.split(","):
            subprocess.run([sys.executable, __file__, pack, "--alone", "--solvers", solver, *options], check=True)


if __name__ == "__main__":
    main()
