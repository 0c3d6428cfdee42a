"""No arm but a ceiling trains on held-out work, on what is as good as the same, or on what nobody knows the side of."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from worldwright.errors import UsageError
from worldwright.pack.read import read_pack
from worldwright.transfer.guard import Guard, guarded
from worldwright.transfer.material import material_of
from worldwright.transfer.plan import read_plan
from worldwright.transfer.structure import PLAN, TOOLS, VERIFIER, shares, structure_of


def guard(plan_file: Path) -> Guard:
    return guarded(material_of(read_plan(plan_file)))


def changed(plan_file: Path, old: str, new: str) -> Path:
    text = plan_file.read_text(encoding="utf-8")
    assert old in text
    plan_file.write_text(text.replace(old, new), encoding="utf-8")
    return plan_file


def test_a_border_that_holds_names_the_nearest_pairs(plan_file):
    found = guard(plan_file)
    assert {one.held_out for one in found.nearest} == {
        "claims-desk/clear-backlog",
        "venue-desk/cancel-or-keep",
        "venue-desk/rebook-with-client",
    }
    assert all(0 < one.share < 0.95 for one in found.nearest)
    assert [one.share for one in found.nearest] == sorted((one.share for one in found.nearest), reverse=True)
    assert {one.by for one in found.nearest} == {"plan and verifier"}
    assert found.trained == 5
    assert found.one_world == 1  # the backlog lies in the desk in which claims are decided
    assert any("held out by domains" in text and "2 held-out tasks" in text for text in found.said)


@pytest.mark.parametrize("glob, what", [("claims/*", "triage is held out"), ("venue/schedule", "venue is held out")])
def test_held_out_families_are_refused(plan_file, glob, what):
    changed(plan_file, '["hire/*", claims/remedy]', f'["hire/*", "{glob}"]')
    with pytest.raises(UsageError, match=what) as caught:
        guard(plan_file)
    assert "arm 'audited'" in str(caught.value)


def test_a_ceiling_may(plan_file):
    guard(plan_file)  # its arm `target` trains on the venue
    changed(plan_file, "role: ceiling", "role: arm")
    with pytest.raises(UsageError, match="arm 'target'"):
        guard(plan_file)


@pytest.mark.parametrize("apart, what", [("domain", "the domain claims"), ("pattern", "the pattern remedy")])
def test_a_family_may_be_held_out_with_its_domain_or_pattern(plan_file, apart, what):
    changed(plan_file, "  domains: [venue]\n  patterns: [triage]", "  families: [venue/remedy, claims/triage]")
    changed(plan_file, "sources: [{families: [venue/*]}]", "sources: [{families: [venue/remedy]}]")
    changed(plan_file, ", over: domains", "")
    guard(plan_file)
    changed(plan_file, "  families: [venue/remedy, claims/triage]", f"  families: [venue/remedy, claims/triage]\n  apart: [{apart}]")
    with pytest.raises(UsageError, match=re.escape(what)):
        guard(plan_file)


def copied(trades: Path, tmp_path: Path) -> Path:
    shutil.copytree(trades, tmp_path / "copy")
    return tmp_path / "copy"


def test_the_same_task_under_other_names_is_refused(trades, tmp_path, plan_file):
    """A held-out task comes back in a family that is trained on, its world, tables and texts renamed."""
    root = copied(trades, tmp_path)
    shutil.copytree(root / "worlds" / "venue-desk", root / "worlds" / "hall-desk")
    shutil.rmtree(root / "worlds" / "hall-desk" / "tasks" / "rebook-with-client")
    for name in ("reference.py", "verifier.yaml"):
        path = root / "worlds" / "hall-desk" / "tasks" / "cancel-or-keep" / name
        path.write_text(path.read_text(encoding="utf-8").replace("booking", "reservation").replace("client", "customer"), encoding="utf-8")
    toml = root / "pack.toml"
    toml.write_text(toml.read_text(encoding="utf-8") + '"hall-desk/cancel-or-keep" = "hire/remedy"\n', encoding="utf-8")
    changed(plan_file, str(trades), str(root))
    with pytest.raises(UsageError, match="near duplicates") as caught:
        guard(plan_file)
    assert "hall-desk/cancel-or-keep has 100% of its structure in common with the held-out venue-desk/cancel-or-keep" in str(caught.value)


def test_a_task_without_a_family_or_labelled_held_out_is_refused(trades, tmp_path, plan_file):
    root = copied(trades, tmp_path)
    toml = root / "pack.toml"
    text = toml.read_text(encoding="utf-8")
    changed(plan_file, str(trades), str(root))
    changed(plan_file, 'sources: [{families: ["hire/*", claims/remedy]}]', 'sources: [{families: ["hire/*", unlabelled]}]')
    toml.write_text(text.replace('"claims-desk/decide-claim" = "claims/remedy"\n', ""), encoding="utf-8")
    with pytest.raises(UsageError, match=r"no family in its pack\.toml"):
        guard(plan_file)
    changed(plan_file, "unlabelled", "claims/remedy")
    toml.write_text(text.replace("[families]", '[splits]\nheld_out = ["hire/schedule"]\n[families]'), encoding="utf-8")
    with pytest.raises(UsageError, match="its pack labels held_out"):
        guard(plan_file)


def test_without_references_tools_stand_for_plans_and_it_is_said(trades, tmp_path, plan_file):
    root = copied(trades, tmp_path)
    for path in [*root.rglob("reference.py"), *root.rglob("alternative-*.py")]:
        path.unlink()
    changed(plan_file, str(trades), str(root))
    found = guard(plan_file)
    assert {one.by for one in found.nearest} == {"tools and verifier"}
    assert any("on one side there is no reference" in text for text in found.said)


def test_structure_does_not_know_names(trades):
    task = read_pack(trades).worlds["tool-hire"].tasks["plan-the-day"]
    whole = structure_of(task, tools=True)
    assert set(whole) == {PLAN, TOOLS, VERIFIER}
    assert not any("tool" in str(run) or "hire" in str(run) for run in whole[VERIFIER])
    assert shares([whole[PLAN]], [whole[PLAN]])[0, 0] == 1.0


def test_shares_are_of_multisets():
    a, b = frozenset({("x", 0), ("x", 1), ("y", 0)}), frozenset({("x", 0), ("z", 0)})
    assert shares([a, b], [a, b]).tolist() == [[1.0, 0.25], [0.25, 1.0]]
    assert shares([frozenset()], [a]).tolist() == [[0.0]]
