"""bohrin on an item, through its library: `python bohrin_side.py ITEM.json SCRATCH`.

bohrin has no command that runs a grader: its battery gives submissions, and whoever calls it runs the grader. That part is
ours, and so is the reading of a tool task as a program: the reference becomes `def solve(tools)`, which makes the known calls
and returns the known answer, and a submission is judged by running it against a fresh episode. Anything that it raises, also
SystemExit, is an unanswered episode. Reward functions over text get the reference answer as the reference, as it is.

Flagged: a submission that bohrin holds to be known wrong is accepted, or a control that must pass is refused. Inconclusive: its own
rule excludes every task (the reference fails). Can't load: nothing was grounded, that is, the reference is no program.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bohrin.api import Attempt, ControlAttempt, Task, battery, positive_controls, scorecard
from bohrin.ir.task import Shape
from episodes import load, playing, say, spell, tasks
from rows import Rewards

Grade = Callable[[str], "float | None"]


def program_of(acts: list[tuple[str, dict[str, Any]]], answer: Any) -> str:
    """The reference as a program."""
    lines = [f"    tools[{name!r}](**{args!r})" for name, args in acts]
    return "\n".join(["def solve(tools):", *lines, f"    return {answer!r}", ""])


def posed(item: dict[str, Any]) -> list[tuple[Task, Grade]]:
    """Tasks, each with its grader."""
    if item["form"] == "reward":
        rewards = Rewards(item)
        return [
            (Task(id=str(n), prompt=row.prompt, reference=row.answer, shape=Shape.PROGRAM), lambda text, n=n: rewards.reward(n, text))
            for n, row in enumerate(rewards.rows[: item["n"]])
        ]
    environment = load(item)
    return [_posed(environment, case, seed) for case, seed in tasks(environment, item["n"])]


def _posed(environment: Any, case: str, seed: int) -> tuple[Task, Grade]:
    with playing(environment, case, seed) as run:
        as_program = bool(run.tools)
        reference = program_of(run.acts, run.answer) if as_program else spell(run.answer)
        task = Task(id=f"{case}@{seed}", prompt=run.prompt, reference=reference, shape=Shape.PROGRAM)

    def grade(text: str) -> float | None:
        with playing(environment, case, seed) as run:
            return run.judge(_carried_out(run, text)) if as_program else run.finish(text)

    return task, grade


def _carried_out(run: Any, source: str) -> Any:
    names: dict[str, Any] = {}
    try:
        exec(compile(source, "<submission>", "exec"), names)
        return names["solve"](dict(run.tools))
    except BaseException:  # noqa: BLE001 - a submission may exit or raise as it likes: the episode is then unanswered
        return None


def judged(item: dict[str, Any]) -> tuple[str, list[str]]:
    """The outcome over all tasks."""
    attempts, controls, all_posed = [], [], posed(item)
    for task, grade in all_posed:

        def tried(text: str, grade: Grade = grade) -> tuple[bool | None, bool]:
            try:
                reward = grade(text)
            except BaseException:  # noqa: BLE001 - bohrin's own rule: a crash is not measured
                return None, False
            return (None, False) if reward is None else (reward >= 1 - 1e-9, reward > 1 + 1e-9)

        controls += [ControlAttempt(task.id, one, *tried(one.payload.text)) for one in positive_controls(task)]
        attempts += [Attempt(task.id, one, *tried(one.payload.text)) for one in battery(task).candidates]
    card = scorecard([task for task, _ in all_posed], attempts, controls)
    excluded = {one.task_id for one in card.excluded}
    counted = [one for one in attempts if one.task_id not in excluded]
    controlled = [one for one in controls if one.task_id not in excluded]
    accepted = {one.candidate.provenance.operator for one in counted if one.accepted and one.candidate.known_wrong}
    refused = {one.control.relation for one in controlled if one.accepted is False and not one.control.baseline}
    if not any(one.candidate.known_wrong for one in attempts):
        return "can't load", ["no grounded submission: the reference is no program"]
    if card.excluded and not card.overall.tasks:
        return "inconclusive", [str(card.excluded[0].reason)]
    if accepted or refused:
        return "flagged", [f"accepted: {one}" for one in sorted(accepted)] + [f"refused: {one}" for one in sorted(refused)]
    return "clean", [f"coverage {card.overall.coverage.score}"]


def main() -> None:
    """The command."""
    warnings.simplefilter("ignore")
    item = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    if item["form"] == "verifiers":
        say("can't load", ["no form of bohrin's"])
        return
    try:
        outcome, why = judged(item)
    except Exception as fault:  # noqa: BLE001 - whatever keeps an item from being loaded is reported as such
        outcome, why = "can't load", [f"{type(fault).__name__}: {fault}"]
    say(outcome, why)


if __name__ == "__main__":
    main()
