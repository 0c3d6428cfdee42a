"""Replays in made worlds whose tools fail for a moment: where a fault hits makes no other end, and no other label."""

from worldwright.audit.adapters.pack import PackSubject
from worldwright.audit.policy import read_policy
from worldwright.audit.run import audit
from worldwright.audit.subject import Act, Play, Session
from worldwright.forge.run import Plan, _built
from worldwright.forge.sources import sources_of

TASK = "route-incident-handler"


def subject():
    built = _built(sources_of(["freight"])[0], 0, "desk", Plan(("freight",), "x", patterns=("triage", "approval")))
    assert built.world.meta[TASK]["knobs"]["faults"]
    return PackSubject(built.world.pack([TASK])), f"{built.world.name}/{TASK}"


def test_a_replay_that_hits_another_fault_ends_as_the_reference_does():
    faulty, case = subject()
    elsewhere = 0
    for seed in range(6):
        reference = faulty.facts(case, seed).reference
        plain = faulty.run(Session((Play(case, seed, reference.acts, reference.answer),)))[0]
        for more in range(1, 8):
            acts = (*(Act("clock") for _ in range(more)), *reference.acts)
            moved = faulty.run(Session((Play(case, seed, acts, reference.answer),)))[0]
            elsewhere += [one.ok for one in moved.results[more:]] != [one.ok for one in plain.results]
            assert (moved.status, moved.changes) == ("pass", plain.changes)
    assert elsewhere >= 3
    faulty.close()


def test_an_audit_of_a_world_with_faults_finds_no_wrong_verdict():
    faulty, case = subject()
    done = audit(faulty, read_policy("quick"), seed=0, cases=[case])
    faulty.close()
    certain = [one for one in done.outcomes if one.ok]
    assert {one.label for one in certain} >= {"right", "wrong"}
    assert [(one.probe, one.variant, one.got) for one in done.outcomes if one.kind == "finding"] == []
