"""The experiment's verdicts as sentences, for terminal and page alike.

Takes a Plan and its TransferReport; gives plain sentences. A figure never stands without its unit, its n and its interval.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldwright.transfer.analysis import Judged, OrderCheck, TransferReport
from worldwright.transfer.records import Plan
from worldwright.transfer.statistics import BETTER, SAME, UNDECIDED, WORSE, Estimate, Paired

__all__ = ["INSTRUMENT", "MEASURES", "OVER", "RATES", "interval", "order_sentence", "power_sentence", "sentences", "verdict_sentence"]

INSTRUMENT = (
    "The probe policy is an instrument: a small network trained in seconds. What it learns says which tasks teach it; it says nothing about"
    " language models without calibration against one."
)
RATES = (
    "success is the share of sampled attempts that pass, each held-out family counting the same; one unit is a seed (a whole training with"
    " its evaluation) unless it is named; labelled by {labelled_by}; {selection}"
)
MEASURES = {"end": "success at the end", "area": "area under success against cost"}
OVER = {"all": "all held-out families", "domains": "families of unseen domains", "patterns": "families of unseen patterns"}


def sentences(plan: Plan, report: TransferReport) -> Iterator[str]:
    """The verdict on each comparison, then the known order."""
    for one in report.judged:
        yield verdict_sentence(plan, one)
    yield order_sentence(plan, report.order)


def verdict_sentence(plan: Plan, one: Judged) -> str:
    """One comparison in a sentence."""
    asked = one.comparison
    first, second = asked.better, asked.than
    where = f"{MEASURES[asked.measure]}, {OVER[asked.over]}"
    if one.difference is None or one.p is None:
        return f"Undecided: {first} against {second} ({where}): {one.why}."
    figures = f"{signed(one.difference)}; p {_p(one.p)}"
    said = {
        BETTER: f"{first} does better than {second}",
        WORSE: f"{first} does worse than {second}",
        SAME: f"No difference that matters between {first} and {second}: within {asked.smallest:g} either way",
        UNDECIDED: f"Undecided: {first} against {second}",
    }[one.verdict]
    return f"{said} ({where}): {figures}.{f' Not compared, because {one.why}.' if one.why else ''}"


def order_sentence(plan: Plan, order: OrderCheck) -> str:
    """Whether the instrument measures."""
    arms = " < ".join(order.arms)
    steps = ", then ".join(signed(step, brief=True) for step in order.steps) or "no pair of runs"
    said = {
        "pass": "The known order comes out: the instrument tells these arms apart",
        "fail": "The known order does not come out: the instrument can't be trusted here, and neither can the verdicts",
        "undecided": "Whether the known order comes out is undecided: a step's interval includes 0, or runs are missing or off the budget",
    }[order.verdict]
    return f"{said} ({arms}, {MEASURES[plan.order.measure]}: steps of {steps})."


def power_sentence(plan: Plan, difference: Paired) -> str:
    """What the design could have found."""
    estimate = difference.estimate
    if difference.detectable is None or estimate.sd is None:
        return "no power can be said with fewer than two pairs"
    return (
        f"finds a true difference of {difference.detectable:.3f} in {plan.statistics.power:.0%} of such experiments"
        f" (n {estimate.n} {estimate.unit}, sd {estimate.sd:.3f} of the paired differences)"
    )


def signed(difference: Paired, *, brief: bool = False) -> str:
    """A difference with its interval, its unit and its n."""
    one = difference.estimate
    if one.low is None or one.high is None:
        return f"{one.mean:+.3f} (n {one.n} {one.unit}, no interval)"
    tail = "" if brief else f", n {one.n} paired {one.unit}"
    return f"{one.mean:+.3f} ({one.low:+.3f} to {one.high:+.3f}{tail})"


def interval(one: Estimate | None, places: int = 3) -> str:
    """A mean with its interval; `-` where nothing was measured."""
    if one is None:
        return "-"
    if one.low is None or one.high is None:
        return f"{one.mean:.{places}f} (n {one.n})"
    return f"{one.mean:.{places}f} ({one.low:.{places}f} to {one.high:.{places}f})"


def _p(value: float) -> str:
    return "below 0.0001" if value < 0.0001 else f"{value:.4f}"
