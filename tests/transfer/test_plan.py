"""A plan is read strictly: what isn't an experiment is refused with the line where it stands."""

from __future__ import annotations

import hashlib

import pytest

from worldwright.errors import PackError, UsageError
from worldwright.transfer.material import material_of, side_of
from worldwright.transfer.plan import read_plan
from worldwright.transfer.records import HeldOut


def test_plan_is_read_with_its_digest(plan_file):
    plan = read_plan(plan_file)
    assert plan.digest == hashlib.sha256(plan_file.read_bytes()).hexdigest()
    assert [arm.name for arm in plan.arms] == ["none", "shuffled", "weak", "audited", "target"]
    assert len(plan.schedule()) == 50
    assert plan.arm("weak").reward == "weakened:always"


FAULTS = [
    ("seeds: 10", "seeds: 9", "seeds", "10 to 40"),
    ("kind: demo", "kind: experiment", "10 are enough with `kind: demo`", "20 to 40"),
    ("seeds: 10", "seeds: 41", "too many", "10 to 40"),
    ("unit: calls", "unit: minutes", "budget.unit", "calls"),
    ("amount: 1000", "amount: 0", "budget.amount", "more than 0"),
    ("better: audited", "better: nobody", "there is no arm 'nobody'", "none, shuffled"),
    ("better: audited", "better: target", "a ceiling", "an arm that doesn't"),
    ("than: weak", "than: audited", "compared with itself", "another arm"),
    ("smallest: 0.05}", "smallest: 0}", "smallest", "above 0"),
    ("weakened:always", "stronger", "reward", "gold-and-noop"),
    ("weakened:always", "weakened:", "reward", "FAULT"),
    ("weakened:always", "weakened:sometimes", "reward", "state-unchecked or answer-unchecked"),
    ("name: audited", "name: weak", "two arms 'weak'", "each name once"),
    ("order: {arms: [none, weak, audited]}", "order: {arms: [none]}", "order.arms", "two or more"),
    ("  domains: [venue]\n  patterns: [triage]", "  domains: []", "nothing is held out", "domains"),
    ("over: domains", "over: patterns, colour: red", "unknown key 'colour'", "better"),
    ("measure: end", "measure: middle", "measure", "end"),
    ("kind: none, role: control", "kind: none, shuffled: true", "no rewards to shuffle", "kind lessons"),
    ("    sources: [{families: [venue/*]}]\n", "", "0 sources", "sources for lessons"),
    ("sources: [{families: [venue/*]}]", "sources: [{pack: other}]", "there is no pack 'other'", "main"),
    ("points: 3", "points: 0", "evaluation.points", "from 1"),
    ("note: reaches 0.6", "building: false\n    note: reaches 0.6", "cost nothing to build", "role control or ceiling"),
    ("note: reaches 0.1", "building: false\n    note: reaches 0.1", "whose building isn't counted", "budget.building: false"),
]


@pytest.mark.parametrize("old, new, message, expected", FAULTS, ids=[fault[1][:30] for fault in FAULTS])
def test_what_is_no_experiment_is_refused_at_its_line(plan_file, old, new, message, expected):
    text = plan_file.read_text(encoding="utf-8")
    assert old in text
    changed = text.replace(old, new, 1)
    plan_file.write_text(changed, encoding="utf-8")
    with pytest.raises(PackError) as caught:
        read_plan(plan_file)
    assert message in str(caught.value)
    assert expected in caught.value.expected
    assert caught.value.line > 0
    assert str(caught.value).startswith(f"{plan_file}:{caught.value.line}")


def test_line_is_that_of_the_fault(plan_file):
    text = plan_file.read_text(encoding="utf-8").replace("than: weak", "than: nobody")
    plan_file.write_text(text, encoding="utf-8")
    with pytest.raises(PackError) as caught:
        read_plan(plan_file)
    assert "than: nobody" in text.splitlines()[caught.value.line - 1]


def test_no_file_is_a_usage_error(tmp_path):
    with pytest.raises(UsageError, match=r"expected a plan"):
        read_plan(tmp_path / "none.yaml")


def test_families_are_held_out_by_domain_and_by_pattern(plan_file):
    material = material_of(read_plan(plan_file))
    assert material.plan.held_out_families == ("claims/triage", "venue/remedy", "venue/schedule")
    held = material.plan.held_out
    assert [side_of(family, held) for family in material.plan.held_out_families] == ["patterns", "domains", "domains"]
    assert side_of("venue/triage", held) == "domains+patterns"
    assert side_of("a/remedy+triage", held) == "patterns"
    assert side_of("a/b", HeldOut(families=("a/b",))) == "families"


def test_globs_take_and_take_away(plan_file):
    plan_file.write_text(plan_file.read_text().replace('["hire/*", claims/remedy]', '["!venue/*", "!*/triage"]'), encoding="utf-8")
    material = material_of(read_plan(plan_file))
    names = [entry.name for entry, _ in material.lessons(material.plan.arm("audited"))]
    assert sorted(names) == ["credit-late-deliveries", "decide-claim", "decide-on-a-complaint", "hear-appeal", "plan-the-day"]


def test_a_source_may_take_so_many_by_the_seed(plan_file):
    plan_file.write_text(plan_file.read_text().replace("[{families: [hire/*]}]", "[{families: [hire/*], most: 1}]", 1), encoding="utf-8")
    material = material_of(read_plan(plan_file))
    arm = material.plan.arm("shuffled")
    drawn = [[entry.name for entry, _ in material.lessons(arm, seed)] for seed in range(12)]
    assert {len(names) for names in drawn} == {1}
    assert len({names[0] for names in drawn}) > 1
    assert drawn[3] == [entry.name for entry, _ in material.lessons(arm, 3)]
    assert len(material.lessons(arm)) == 3


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("domains: [venue]", "domains: [harbour]", "no evaluated task is of 'harbour'"),
        ("families: [venue/*]", "families: [harbour/*]", "takes no task"),
    ],
)
def test_names_that_fit_nothing_are_refused(plan_file, old, new, message):
    plan_file.write_text(plan_file.read_text().replace(old, new), encoding="utf-8")
    material = material_of(read_plan(plan_file))
    with pytest.raises(UsageError, match=message):
        material.held_out, [material.lessons(arm) for arm in material.plan.arms]
