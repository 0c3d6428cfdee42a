"""The page of a transfer experiment: verdicts first, then the plan as it was registered, the curves, and every figure behind them.

Takes a registration, its results and the report on them; writes one file, `index.html`, that fetches nothing. All figures are those
of `results.json` beside it; the page says which command prints them. Controls and ceiling are in every plot.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from worldwright import __version__
from worldwright.report.transfer_plot import COLOURS, Curve, plot
from worldwright.report.write import environment
from worldwright.transfer.analysis import ArmFigures, Judged, TransferReport
from worldwright.transfer.material import side_of
from worldwright.transfer.records import OWN, WEAKENED, Arm, Plan
from worldwright.transfer.run import Registration
from worldwright.transfer.words import INSTRUMENT, MEASURES, OVER, RATES, interval, order_sentence, power_sentence, signed, verdict_sentence

__all__ = ["write_transfer_page"]

_GREY = "#5b6673"
_FEW = 8
"""As many nearest pairs are shown."""


def write_transfer_page(made: Registration, report: TransferReport, plan_text: str, out: Path, command: str) -> Path:
    """Write `index.html` below `out`; `plan_text` is the plan's file as it was registered, `command` what made the run."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / "index.html"
    path.write_text(environment().get_template("transfer.html").render(**_facts(made, report, plan_text, command)), encoding="utf-8")
    return path


def _facts(made: Registration, report: TransferReport, plan_text: str, command: str) -> dict[str, Any]:
    plan = made.plan
    others = [one for one in report.arms if one.role == "arm"]
    plain = [one for one in report.arms if one.role != "arm"]
    colours = {one.arm: COLOURS[n % len(COLOURS)] for n, one in enumerate(others)}
    return {
        "version": __version__,
        "unit": RATES.format(labelled_by=report.labelled_by, selection=report.selection),
        "plan": plan,
        "plan_text": plan_text,
        "command": command,
        "instrument": INSTRUMENT,
        "verdicts": [(one.verdict, verdict_sentence(plan, one)) for one in report.judged],
        "order": (report.order.verdict, order_sentence(plan, report.order)),
        "flags": [flag for one in report.arms for flag in one.flags],
        "whole": plot([_curve(one, colours.get(one.arm, _GREY)) for one in [*others, *plain]], report.arms[0].costs, _axis(plan)),
        "panels": [
            (
                one.arm,
                plan.arm(one.arm).note,
                plot(
                    [_curve(one, colours[one.arm]), *(_curve(each, _GREY) for each in plain)],
                    report.arms[0].costs,
                    _axis(plan),
                    width=520,
                    height=230,
                    labels=150,
                ),
            )
            for one in others
        ],
        "arms": [_row(plan, made, one) for one in report.arms],
        "judged": [_judged(plan, one) for one in report.judged],
        "rewards": [_reward(plan, one) for one in report.arms if plan.arm(one.arm).kind == "lessons"],
        "rewarded": _rewarded(plan, report) if any(plan.arm(one.arm).reward != OWN for one in report.arms) else [],
        "weakened": any(plan.arm(one.arm).reward != OWN for one in report.arms),
        "units": sorted({unit for one in report.arms for unit in one.cost if not unit.startswith("build_")}),
        "built": sorted({unit for one in report.arms for unit in one.cost if unit.startswith("build_")}),
        "costs": [(one.arm, one.cost) for one in report.arms],
        "families": [
            (
                family,
                side_of(family, plan.held_out).replace("+", " and "),
                len(made.held_out.get(family, ())),
                [interval(one.families[family], 2) for one in report.arms],
            )
            for family in plan.held_out_families
        ],
        "guard": made.guard,
        "ceiling": any(one.role == "ceiling" for one in report.arms),
        "near": made.guard.nearest[:_FEW],
        "packs": [(name, plan.packs[name], digest) for name, digest in made.packs.items()],
        "confidence": f"{plan.statistics.confidence:.0%}",
    }


def _axis(plan: Plan) -> str:
    return f"{plan.budget.unit.replace('_', ' ')} spent{', building included' if plan.budget.building else ''}"


def _curve(one: ArmFigures, colour: str) -> Curve:
    return Curve(one.arm, one.role, colour, one.curve)


def _rewarded(plan: Plan, report: TransferReport) -> list[tuple[str, str, str]]:
    """A picture for each arm that trains: reward as paid, what of it is right, and success on held-out families."""
    out = []
    for one in report.arms:
        if one.paid_curve and one.right_curve:
            curves = [
                Curve("as paid", "arm", COLOURS[1], one.paid_curve),
                Curve("right", "arm", COLOURS[0], one.right_curve),
                Curve("held out", "control", _GREY, one.curve),
            ]
            picture = plot(curves, one.costs, _axis(plan), width=520, height=230, labels=120)
            out.append((one.arm, _reward(plan, one)["reward"], picture))
    return out


def _row(plan: Plan, made: Registration, one: ArmFigures) -> dict[str, Any]:
    arm = plan.arm(one.arm)
    return {
        "name": one.arm,
        "role": one.role,
        "what": "trains on nothing" if arm.kind == "none" else f"{_tasks(arm, len(made.trained.get(one.arm, {})))}{_apart(plan, arm)}",
        "reward": "-" if arm.kind == "none" else _paid_by(arm),
        "note": arm.note,
        "n": one.seeds,
        "end": interval(one.end),
        "area": interval(one.area),
        "per_calls": interval(one.per_calls, 4),
        "per_cpu": interval(one.per_cpu, 4),
    }


def _tasks(arm: Arm, there: int) -> str:
    """How many tasks an arm trains on; of a source that takes only some, the seed draws them."""
    if any(0 < source.most < there for source in arm.sources):
        return f"{' and '.join(str(source.most or 'all') for source in arm.sources)} of {there} tasks, drawn by the seed"
    return f"{there} tasks"


def _apart(plan: Plan, arm: Arm) -> str:
    return ", building apart" if plan.budget.building and not arm.building else ""


def _paid_by(arm: Arm) -> str:
    """Who pays, in words."""
    if arm.reward.startswith(WEAKENED):
        who = f"verifiers weakened by {arm.reward.removeprefix(WEAKENED)}"
    else:
        who = "own verifiers" if arm.reward == OWN else "gold and no-op checks alone"
    return f"{who}, dealt out at random" if arm.shuffled else who


def _judged(plan: Plan, one: Judged) -> dict[str, Any]:
    difference, asked = one.difference, one.comparison
    out = {
        "what": f"{asked.better} against {asked.than}",
        "measure": f"{MEASURES[asked.measure]}; {OVER[asked.over]}",
        "why": asked.why,
        "smallest": f"{asked.smallest:g}",
        "verdict": one.verdict,
        "reason": one.why,
    }
    if difference is None or one.p is None:
        return out | dict.fromkeys(("difference", "bca", "domains", "p", "power"), "-")
    domains = one.domains
    return out | {
        "difference": signed(difference),
        "bca": "-" if difference.low_bca is None else f"{difference.low_bca:+.3f} to {difference.high_bca:+.3f}",
        "domains": "-" if domains is None else f"{interval(domains)}, n {domains.n} {domains.unit}",
        "p": f"{difference.p:.5f} (corrected {one.p:.5f})",
        "power": power_sentence(plan, difference),
    }


def _reward(plan: Plan, one: ArmFigures) -> dict[str, Any]:
    arm = plan.arm(one.arm)
    return {
        "arm": one.arm,
        "reward": _paid_by(arm),
        "paid": interval(one.paid, 2),
        "right": interval(one.right, 2),
        "end": interval(one.end, 2),
        "gap": "" if one.paid is None or one.right is None else f"{one.paid.mean - one.right.mean:+.2f}",
        "bars": [None if value is None else value.mean for value in (one.paid, one.right, one.end)],
    }
