"""From runs to verdicts: what is measured of a run, how arms are compared, and what is flagged instead."""

from __future__ import annotations

import msgspec
import pytest
import scripted

from worldwright.errors import UsageError
from worldwright.transfer.analysis import analysed, scope
from worldwright.transfer.material import material_of
from worldwright.transfer.measure import area, at, ended, gain, missed
from worldwright.transfer.plan import read_plan
from worldwright.transfer.records import ArmRun, Budget, Plan, Point, Results, checked, spent
from worldwright.transfer.words import sentences

BUDGET = Budget("calls", 100.0)


def run_of(*points: tuple[float, float], arm: str = "audited", build: float = 0.0) -> ArmRun:
    """A run of one family that was at a success where it had cost so many calls."""
    return ArmRun(arm, 0, tuple(Point({"calls": calls, "build_calls": build}, {"f": success}) for calls, success in points))


@pytest.fixture
def plan(plan_file) -> Plan:
    return material_of(read_plan(plan_file)).plan


def results(plan: Plan, **notes: str) -> Results:
    """Scripted runs, arms with other notes where they are given."""
    arms = tuple(msgspec.structs.replace(arm, note=notes.get(arm.name, arm.note)) for arm in plan.arms)
    plan = msgspec.structs.replace(plan, arms=arms)
    return Results(plan.digest, tuple(scripted.conduct(plan, arm, seed) for arm, seed in plan.schedule()))


def test_area_is_by_trapezoids_up_to_the_budget():
    assert area(run_of((0, 0.0), (100, 1.0)), ("f",), BUDGET) == pytest.approx(0.5)
    assert area(run_of((0, 0.0), (200, 1.0)), ("f",), BUDGET) == pytest.approx(0.25)  # what comes after the budget doesn't count
    assert area(run_of((0, 0.0), (50, 1.0)), ("f",), BUDGET) == pytest.approx(0.75)  # and stays as it was before it
    assert area(run_of((0, 0.4)), ("f",), BUDGET) == pytest.approx(0.4)


def test_building_is_spent_before_anything_is_learned():
    run = run_of((0, 0.2), (50, 1.0), build=50.0)
    assert [spent(point, BUDGET) for point in run.points] == [50, 100]
    assert at(run, ("f",), [0, 50, 75, 100], BUDGET) == pytest.approx([0.2, 0.2, 0.6, 1.0])
    assert [spent(point, Budget("calls", 100.0, building=False)) for point in run.points] == [0, 50]


def test_end_is_the_last_points_and_never_the_first():
    run = run_of((0, 0.0), (50, 0.5), (100, 0.7))
    assert ended(run, ("f",)) == pytest.approx(0.7)
    assert ended(run, ("f",), last=2) == pytest.approx(0.6)
    assert ended(run, ("f",), last=9) == pytest.approx(0.6)
    assert ended(run_of((0, 0.3)), ("f",), last=3) == pytest.approx(0.3)


def test_gain_is_for_what_was_spent(plan):
    plan = msgspec.structs.replace(plan, held_out_families=("f",))
    run = run_of((0, 0.1), (500, 0.6), build=500.0)
    assert gain(run, 0.1, plan, "calls") == pytest.approx(0.5 / 1000)
    assert gain(run, 0.1, plan, "cpu_seconds") is None
    assert missed(run, plan) == pytest.approx(0.0)


def test_scripted_truth_comes_out(plan):
    report = analysed(plan, results(plan))
    better, controls = report.judged
    assert better.verdict == "better"
    assert better.difference.estimate.mean == pytest.approx(0.3, abs=0.03)
    assert better.difference.estimate.n == 10
    assert (better.domains.n, better.domains.unit) == (2, "domains of held-out families")
    assert controls.verdict == "no difference that matters"
    assert report.order.verdict == "pass"
    arms = {one.arm: one for one in report.arms}
    assert arms["none"].end.mean < arms["weak"].end.mean < arms["audited"].end.mean < arms["target"].end.mean
    assert arms["weak"].paid.mean == pytest.approx(0.9)
    assert arms["weak"].right.mean == pytest.approx(0.1)
    assert arms["weak"].paid_curve[-1].mean == pytest.approx(0.9)
    assert arms["weak"].right_curve[-1].mean == pytest.approx(0.1)
    assert arms["none"].paid_curve == []
    assert arms["none"].per_calls is None
    assert arms["none"].paid is None
    assert arms["audited"].per_calls.mean == pytest.approx(0.5, abs=0.05)
    assert report.missing == 0


def test_pairs_are_by_seed(plan):
    """What runs with one seed have in common is taken out: the interval of the difference is far narrower than an arm's own."""
    report = analysed(plan, results(plan))
    arm = next(one for one in report.arms if one.arm == "audited").end
    paired = report.judged[0].difference.estimate
    assert paired.high - paired.low < 0.6 * (arm.high - arm.low)


def test_scopes_are_unseen_domains_or_unseen_patterns(plan):
    assert scope(plan, "all") == ("claims/triage", "venue/remedy", "venue/schedule")
    assert scope(plan, "domains") == ("venue/remedy", "venue/schedule")
    assert scope(plan, "patterns") == ("claims/triage",)


@pytest.mark.parametrize("share, flagged", [("1.03", True), ("0.97", True), ("1.015", False)])
def test_an_arm_off_the_budget_is_flagged_and_not_compared(plan, share, flagged):
    report = analysed(plan, results(plan, audited=f"reaches 0.6 of {share} budgets"))
    flags = next(one for one in report.arms if one.arm == "audited").flags
    assert bool(flags) is flagged
    assert (report.judged[0].verdict == "undecided") is flagged
    assert ("missed the budget" in report.judged[0].why) is flagged
    assert report.order.verdict == ("undecided" if flagged else "pass")


def test_missing_seeds_are_flagged(plan):
    whole = results(plan)
    part = msgspec.structs.replace(whole, runs=tuple(run for run in whole.runs if (run.arm, run.seed) != ("weak", 4)))
    report = analysed(plan, part)
    assert report.missing == 1
    assert report.judged[0].verdict == "undecided"
    assert "9 of the 10 registered seeds" in report.judged[0].why
    assert report.judged[0].difference.estimate.n == 9


def test_a_wrong_order_fails_and_an_unclear_one_is_undecided(plan):
    assert analysed(plan, results(plan, weak="reaches 0.9 of 1.0 budgets")).order.verdict == "fail"
    same = msgspec.structs.replace(plan, order=msgspec.structs.replace(plan.order, arms=("none", "shuffled")))
    flat = tuple(
        msgspec.structs.replace(run, points=tuple(msgspec.structs.replace(p, success=dict.fromkeys(p.success, 0.2)) for p in run.points))
        for run in results(plan).runs
    )
    assert analysed(same, Results(plan.digest, flat)).order.verdict == "undecided"


def test_sentences_carry_n_unit_and_interval(plan):
    first, second, order = sentences(plan, analysed(plan, results(plan)))
    assert first.startswith("audited does better than weak (success at the end, all held-out families): +0.")
    assert "n 10 paired seeds" in first
    assert " to +0." in first
    assert second.startswith("No difference that matters between shuffled and none: within 0.05 either way")
    assert order.startswith("The known order comes out")


def lacking(point: Point, **changes: object) -> Point:
    return msgspec.structs.replace(point, **changes)


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda run: msgspec.structs.replace(run, seed=99), "no such run"),
        (lambda run: msgspec.structs.replace(run, points=()), "no point"),
        (
            lambda run: msgspec.structs.replace(run, points=(lacking(run.points[0], success={"claims/triage": 0.5}), *run.points[1:])),
            "expected the held-out families",
        ),
        (lambda run: msgspec.structs.replace(run, points=(*run.points[:-1], lacking(run.points[-1], paid=1.5))), "no share"),
        (
            lambda run: msgspec.structs.replace(run, points=(*run.points[:-1], lacking(run.points[-1], cost={"calls": float("inf")}))),
            "no number",
        ),
        (
            lambda run: msgspec.structs.replace(run, points=(*run.points[:-1], lacking(run.points[-1], cost={"attempts": 1.0}))),
            "doesn't count calls",
        ),
        (lambda run: msgspec.structs.replace(run, points=run.points[::-1]), "go down"),
    ],
)
def test_runs_that_can_not_be_are_refused(plan, change, message):
    run = scripted.conduct(plan, plan.arm("audited"), 3)
    assert checked(run, plan) is run
    with pytest.raises(UsageError, match=message):
        checked(change(run), plan)
