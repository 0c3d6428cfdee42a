"""Worlds from trades and databases: built alike, solved by their references, refused to those who do nothing."""

import importlib

import msgspec
import pytest

from worldwright.domain.trades import trade
from worldwright.forge.run import OFFICES, PATTERNS
from worldwright.forge.sources import sources_of
from worldwright.pack.lint import lint
from worldwright.reference import replay
from worldwright.synthesis.assemble import assemble, furnished
from worldwright.synthesis.signature import plan_signature
from worldwright.verifier import Status

TRADE_OF = {
    "remedy": "equipment-hire",
    "reconcile": "freight",
    "triage": "it-service-desk",
    "approval": "procurement",
    "schedule": "property-management",
    "rootcause": "laboratory",
}


def verdict(entry, seed, plan):
    """The verdict on a plan at a seed."""
    instance = entry.task.instance(seed)
    log, episode = replay(entry.task, instance, plan)
    try:
        evidence = episode.finish(log.answer, instance.until)
        return entry.verifier.grade(instance, evidence), log
    finally:
        episode.close()


@pytest.mark.parametrize("pattern", PATTERNS)
def test_references_are_paid_and_idle_runs_arent(build, pattern):
    draft, pack = build(TRADE_OF[pattern], pattern)
    assert pack is not None, draft.refused
    assert {task.pattern for task in draft.tasks} <= {pattern, "composed"}
    assert len({task.template for task in draft.tasks if task.pattern == pattern}) >= 3
    for entry in pack.tasks():
        for plan in (entry.reference, *entry.alternatives):
            for seed in range(3):
                got, log = verdict(entry, seed, plan)
                assert got.status == Status.PASS, (entry.name, plan.name, seed, log.fault, [str(one)[:300] for one in got.failed()])
        instance = entry.task.instance(0)
        with entry.task.start(instance) as episode:
            assert entry.verifier.grade(instance, episode.finish(None, instance.until)).status == Status.FAIL


def test_a_world_is_the_same_each_time(build):
    one, two = build("freight", "remedy", "reconcile")[1], build("freight", "remedy", "reconcile")[1]
    assert one.digest == two.digest
    assert build("freight", "remedy", "reconcile", seed=1)[1].digest != one.digest


def test_lint_finds_no_fault(build):
    _, pack = build("equipment-hire", "remedy")
    assert [str(one) for one in lint(pack, range(4)).findings if one.level == "error"] == []


def test_a_world_has_a_bearable_number_of_tools(build):
    for some in OFFICES.values():
        draft, _ = build("equipment-hire", *some)
        assert 15 <= len(draft.tools) <= 50, (some, len(draft.tools))


def test_a_rule_removed_changes_tasks_parameters_and_verifiers():
    """What a policy says is in the handbook, the parameters, the tasks and the verifiers; without it none of that is there."""
    modules = {"remedy": importlib.import_module("worldwright.synthesis.patterns.remedy")}

    def built(model):
        source = sources_of(["equipment-hire"])[0]
        source.model = model
        material = source.material(0)
        draft = furnished("hire", "Hire", material, modules, 0)
        return draft, assemble(draft, material)

    model = trade("equipment-hire")
    policy = next(one for one in model.policies if one.norm is not None and one.norm.kind == "remedy")
    clause = next(one for one in policy.norm.clauses if one.exception)
    fewer = msgspec.structs.replace(
        policy, norm=msgspec.structs.replace(policy.norm, clauses=[one for one in policy.norm.clauses if one != clause])
    )
    with_it, files = built(model)
    without, others = built(msgspec.structs.replace(model, policies=[fewer if one.id == policy.id else one for one in model.policies]))
    changed = {path.rpartition("/")[2] for path in files.keys() & others.keys() if files[path] != others[path]}
    assert {"verifier.yaml", "reference.py"} <= changed
    gone, rest = built(msgspec.structs.replace(model, policies=[one for one in model.policies if one.id != policy.id]))
    slug = next(
        task.given.ruling.slug for task in with_it.tasks if getattr(task.given, "ruling", None) and task.given.ruling.policy == policy.id
    )
    assert any(name.startswith(slug) for name in with_it.ranges)
    assert not any(name.startswith(slug) for name in gone.ranges)
    assert not any(slug.replace("_", "-") in path for path in rest)
    assert without.tasks


def test_no_plan_of_one_pattern_is_a_plan_of_another(build):
    by_pattern = {}
    for pattern in PATTERNS:
        _, pack = build(TRADE_OF[pattern], pattern)
        for entry in pack.tasks():
            if "-then-" not in entry.name:
                by_pattern.setdefault(pattern, set()).add(plan_signature(entry.reference.source))
    for one in PATTERNS:
        for two in PATTERNS:
            assert one == two or not by_pattern[one] & by_pattern[two]


def test_briefs_leak_no_key_that_they_dont_show(build):
    _, pack = build("equipment-hire", "remedy")
    for entry in pack.tasks():
        instance = entry.task.instance(0)
        prompt = entry.task.prompt(instance).instruction
        hidden = [str(value) for name, value in instance.params.items() if name not in entry.task.brief.show and isinstance(value, str)]
        assert not [value for value in hidden if len(value) > 3 and value in prompt]
        assert len(entry.task.brief.paraphrases) == 5
