"""rl-envdoctor on an item, through its own command: `python envdoctor_side.py ITEM.json SCRATCH`.

Reward functions and verifiers environments are forms that it knows: they go in as they are. Everything else goes in through
this adapter, written by us for what is its best chance: a task without tools takes the submitted text as its answer; a task
with tools takes a plan (calls and answer) written as JSON, which is also what the known answer is, so that the tool's own
oracle calibrates and its fixed texts are agents that do nothing. Where the known calls alone aren't paid, a second scan takes the
text as the answer after these calls; what the tool then says of corrupted answers stands for what it says of corrupted plans,
since it moves a bare number by five per cent, and a digit of a plan by one.

Flagged: a finding of severity high or above, which is where the command itself fails by default. Inconclusive: none, and it says
itself that it couldn't calibrate (`baseline_sanity`), or it had no cases. `looser` is the outcome where medium findings flag too.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from envdoctor.targets.base import Target
from envdoctor.targets.function import FunctionTarget
from envdoctor.types import Case, Score
from episodes import load, module_of, playing, read, say, spell, tasks
from rows import Rewards

PLAN, ANSWER = "plan", "answer"
CORRUPTED = "grader_accepts_wrong"
RANKS = ("critical", "high", "medium", "low", "info")


class Episodes(Target):
    """An environment with episodes, each completion a whole attempt."""

    def __init__(self, item: dict[str, Any], mode: str) -> None:
        self.name, self._environment, self._mode = item["id"], load(item), mode

    def cases(self, n: int = 20, seed: int = 0) -> list[Case]:
        """The tasks."""
        return [self._case(*task) for task in tasks(self._environment, n)]

    def _case(self, case: str, seed: int) -> Case:
        with playing(self._environment, case, seed) as run:
            is_plan = bool(run.tools) and self._mode == PLAN
            known = json.dumps({"calls": run.acts, "answer": run.answer}, default=str) if is_plan else spell(run.answer)
            return Case(id=f"{case}@{seed}", prompt=run.prompt, answer=known, info={"task": [case, seed]})

    def score(self, case: Case, completion: str) -> Score:
        """Play a plan, or give the text as the answer."""
        began = time.perf_counter()
        try:
            with playing(self._environment, *case.info["task"]) as run:
                reward = run.finish(self._played(run, completion))
        except Exception as fault:  # noqa: BLE001 - what an environment raises is reported to the tool as its own target does
            return Score(reward=0.0, seconds=time.perf_counter() - began, error=f"{type(fault).__name__}: {fault}")
        return Score(reward=reward or 0.0, seconds=time.perf_counter() - began)

    def _played(self, run: Any, completion: str) -> str:
        if self._mode == ANSWER:
            for act in run.acts:
                run.call(*act)
        if not run.tools or self._mode == ANSWER:
            return completion
        plan = read(completion, {})
        if not (isinstance(plan, dict) and isinstance(plan.get("calls"), list)):
            return completion
        for call in plan["calls"]:
            if isinstance(call, list) and len(call) == 2 and isinstance(call[1], dict):
                run.call(str(call[0]), call[1])
        return spell(plan.get("answer"))

    @property
    def meta(self) -> dict[str, Any]:
        """What it is."""
        return {"kind": "episodes"}


def target() -> Any:
    """What the command scans; the item is named by an environment variable."""
    item = json.loads(Path(os.environ["ITEM"]).read_text(encoding="utf-8"))
    if item["form"] == "verifiers":
        from envdoctor.targets.verifiers import VerifiersTarget

        return VerifiersTarget(module_of(item["file"]).load_environment(), name=item["id"])
    if item["form"] != "reward":
        return Episodes(item, os.environ["MODE"])
    rewards = Rewards(item)
    cases = [Case(id=str(n), prompt=row.prompt, answer=row.answer, info={"row": n}) for n, row in enumerate(rewards.rows)]
    return FunctionTarget(lambda completion, info: rewards.reward(info["row"], completion), cases, name=item["id"])


def judged(report: dict[str, Any], least: str) -> tuple[str, list[str]]:
    """The outcome of a report, where findings of this severity or above flag."""
    found = sorted({(RANKS.index(one["severity"]), one["check"], one["evidence"].get("policy") or "") for one in report["findings"]})
    why = [f"{RANKS[rank]} {check} {policy}".strip() for rank, check, policy in found]
    if not report["stats"].get("n_cases"):
        return "inconclusive", ["no cases"]
    if any(rank <= RANKS.index(least) for rank, _, _ in found):
        return "flagged", why
    return ("inconclusive" if any(check == "baseline_sanity" for _, check, _ in found) else "clean"), why


def grades_answers(item: dict[str, Any]) -> bool:
    """Whether its first task has tools, and the known calls without the known answer aren't paid."""
    if item["form"] not in ("python", "pack"):
        return False
    try:
        environment = load(item)
        with playing(environment, *tasks(environment, 1)[0]) as run:
            if not run.tools or run.answer is None:
                return False
            for act in run.acts:
                run.call(*act)
            return (run.finish("") or 0.0) < 1 - 1e-9
    except Exception:  # noqa: BLE001 - an environment that doesn't start is reported by the tool
        return False


def scanned(item: dict[str, Any], mode: str) -> dict[str, Any] | str:
    """The tool's report, or why there is none."""
    here = str(Path(__file__).parent)
    command = [str(Path(sys.executable).parent / "envdoctor"), "scan", "envdoctor_side::target", "--n", str(item["n"]), "--format", "json"]
    paths = os.pathsep.join([here, os.environ.get("PYTHONPATH", "")])
    environ = {**os.environ, "ITEM": sys.argv[1], "MODE": mode, "PYTHONPATH": paths}
    done = subprocess.run(command, capture_output=True, text=True, env=environ, cwd=sys.argv[2])
    if done.returncode not in (0, 1) or not done.stdout.strip():
        return (done.stderr.strip().splitlines() or ["no output"])[-1]
    report: dict[str, Any] = json.loads(done.stdout[done.stdout.index("{") :])
    return report


def main() -> None:
    """The command."""
    item = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    report = scanned(item, PLAN)
    if isinstance(report, dict) and grades_answers(item):
        answers = scanned(item, ANSWER)
        if isinstance(answers, dict):
            kept = [one for one in report["findings"] if one["check"] != CORRUPTED]
            report = {**report, "findings": [*kept, *answers["findings"]]}
    if isinstance(report, str):
        say("can't load", [report])
        return
    say(*judged(report, "high"), looser=judged(report, "medium")[0])


if __name__ == "__main__":
    if importlib.util.find_spec("envdoctor") is None:
        raise SystemExit("needs rl-envdoctor: run benchmarks/side_by_side/run.py, which makes its environment")
    main()
