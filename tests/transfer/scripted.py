"""Runs with a known outcome, made without any training: what an arm reaches is in its note, as `reaches 0.5 of 1.0 budgets`."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

from worldwright.transfer.records import Arm, ArmRun, Plan, Point


def conduct(plan: Plan, arm: Arm, seed: int) -> ArmRun:
    """A straight rise from 0.1 to what the arm's note says; every figure depends on plan, arm and seed alone."""
    chance = random.Random(f"{arm.name}:{seed}")
    shared = random.Random(seed).gauss(0, 0.03)  # what arms with one seed have in common
    said = re.search(r"reaches ([\d.]+) of ([\d.]+) budgets", arm.note)
    reached, share = (float(said[1]), float(said[2])) if said else (0.1, 1.0)
    log = os.environ.get("SCRIPTED_LOG")
    if log:
        with Path(log).open("a") as file:
            file.write(f"{arm.name} {seed} {os.environ.get('OMP_NUM_THREADS')}\n")
    if os.environ.get("SCRIPTED_DIES") == f"{arm.name}:{seed}":
        os._exit(3)
    if os.environ.get("SCRIPTED_FAILS") == f"{arm.name}:{seed}":
        raise ValueError("scripted to fail")
    points = []
    build = 0.0 if arm.kind == "none" else 0.1 * plan.budget.amount
    for n in range(1 if arm.kind == "none" else plan.evaluation.points):
        part = n / max(1, plan.evaluation.points - 1)
        spent = 0.0 if arm.kind == "none" else part * (share * plan.budget.amount - build)
        level = 0.1 + (reached - 0.1) * part + shared
        success = {
            family: min(1.0, max(0.0, level + chance.gauss(0, 0.02) - 0.05 * (place % 2)))
            for place, family in enumerate(plan.held_out_families)
        }
        cost = {"calls": spent, "build_calls": build, "attempts": spent / 4, "gradient_steps": 10.0 * n, "cpu_seconds": spent / 500}
        paid = min(1.0, 0.2 + 0.7 * part)
        right = paid if arm.reward == "own" else 0.1
        points.append(Point(cost, success, *((None, None) if arm.kind == "none" else (paid, right))))
    return ArmRun(arm.name, seed, tuple(points), f"{arm.name}-{seed}")
