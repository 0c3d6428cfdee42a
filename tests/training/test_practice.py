"""Practice leads where a real attempt leads, and training refuses what is held out."""

import copy
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from worldwright.errors import UnusableSeed, UsageError
from worldwright.pack import read_pack
from worldwright.pack.labels import HELD_OUT, Label
from worldwright.solver import attempt
from worldwright.solver.protocol import Call
from worldwright.training.agent import ProbeSolver, probe
from worldwright.training.course import Course, HeldOut, Lesson, Trainee, attempted, success, train
from worldwright.training.features import FEATURES
from worldwright.training.gradient import Attempted, advantages, gradient
from worldwright.training.network import Network
from worldwright.training.policy import FORMAT, Checkpoint, Policy, read_checkpoint, write_checkpoint
from worldwright.training.practice import Practice
from worldwright.training.rewards import FAULTS, Weakened

PACK = Path(__file__).resolve().parents[2] / "examples" / "tool-hire"


@pytest.fixture(scope="module")
def entries():
    return list(read_pack(PACK).tasks())


def practices(entry, n=2):
    out, seeds = [], count(1)
    while len(out) < n:
        try:
            out.append(Practice(entry.task, entry.task.instance(next(seeds))))
        except UnusableSeed:
            continue
    return out


def test_practice_leads_where_a_real_attempt_leads(entries):
    """The agent's choices are repeated move by move in practice: the same calls count, the same answer and verdict."""
    policy = Policy.fresh(3)
    compared = 0
    for entry in entries:
        (practice,) = practices(entry, 1)
        for seed in range(4):
            agents = []
            solver = ProbeSolver(policy)
            start = solver.start
            solver.start = lambda *args, start=start, agents=agents: agents.append(start(*args)) or agents[0]
            with attempt(entry.task, practice.instance, solver, seed=seed) as made:
                verdict = entry.verifier.grade(practice.instance, made.evidence)
                trace = made.trace
            chance = np.random.default_rng([seed & 0xFFFFFFFF, 41])
            place = practice.root
            while not place.ended and len(place.memory.answers) < len(practice.goal.prompt.answer) and place.moves:
                sums = np.cumsum(policy.chances(place.features))
                choice = min(int(np.searchsorted(sums, float(chance.random()) * float(sums[-1]), side="right")), len(sums) - 1)
                place = practice.step(place, choice)
                if place.key == agents[0]._memory.key:
                    break
            if trace.counts.calls < entry.task.brief.limits.calls and place.ended:
                assert practice.verdict(place, entry.verifier).status == verdict.status
                compared += 1
    assert compared > 0


def test_the_same_seed_trains_the_same_policy(entries):
    weights = []
    for _ in range(2):
        policy = Policy.fresh(0)
        lessons = [Lesson(entry, practices(entry)) for entry in entries[:2]]
        steps = list(train(policy, lessons, 5, Course(groups=2, k=4), 3))
        assert sum(step.attempts for step in steps) == 24
        weights.append(policy.network.weights)
    for name, value in weights[0].items():
        assert np.array_equal(value, weights[1][name])


def test_training_moves_the_weights_only_where_rewards_differ(entries):
    entry = entries[0]
    policy = Policy.fresh(0)
    before = {name: value.copy() for name, value in policy.network.weights.items()}
    everything = Weakened(entry.verifier, "always")
    list(train(policy, [Lesson(entry, practices(entry), everything)], 1, Course(groups=2, k=4, entropy=0.0, thrift=0.0), 2))
    assert all(np.array_equal(before[name], value) for name, value in policy.network.weights.items())


def test_what_is_held_out_is_never_trained_on(entries):
    other = copy.copy(entries[0])
    other.label = Label("tools/hire", HELD_OUT)
    with pytest.raises(HeldOut, match="tools/hire is held out"):
        Lesson(other, practices(other, 1))


def test_a_budget_in_calls_is_kept_to_within_an_attempt(entries):
    lessons = [Lesson(entry, practices(entry)) for entry in entries]
    trainee = Trainee(Policy.fresh(1), lessons, 1, Course(groups=8, k=16))
    trainee.update(0.0, most=40)
    longest = max(entry.task.brief.limits.calls for entry in entries)
    assert 40 <= trainee.calls <= 40 + longest + 1
    assert trainee.attempts < 8 * 16


def test_answering_alone_spends_a_budget_too(entries):
    """Where whatever is done passes, attempts soon call nothing; training still comes to an end."""
    everything = [Lesson(entry, practices(entry, 1), Weakened(entry.verifier, "always")) for entry in entries]
    trainee = Trainee(Policy.fresh(0), everything, 0, Course(groups=2, k=8))
    for _ in range(400):
        if trainee.calls >= 3000:
            break
        trainee.update(0.5, most=3000 - trainee.calls)
    assert trainee.calls >= 3000
    assert trainee.calls >= trainee.attempts


def test_a_checkpoint_comes_back(tmp_path, entries):
    policy = Policy.fresh(7)
    about = Checkpoint(FORMAT, 7, "digest", {"a/b": "c"}, ("x/y",))
    write_checkpoint(tmp_path / "one.npz", policy, about)
    again, told = read_checkpoint(tmp_path / "one.npz")
    assert told == about
    assert all(np.array_equal(policy.network.weights[name], value) for name, value in again.network.weights.items())
    (practice,) = practices(entries[0], 1)
    assert np.array_equal(policy.chances(practice.root.features), again.chances(practice.root.features))
    assert probe(str(tmp_path / "one.npz")).name == "probe:one"
    whole = (tmp_path / "one.npz").read_bytes()
    np.save(tmp_path / "array.npy", np.zeros(3))
    for bad in (b"no checkpoint", b"", whole[: len(whole) // 2], (tmp_path / "array.npy").read_bytes()):
        (tmp_path / "bad.npz").write_bytes(bad)
        with pytest.raises(UsageError, match="no checkpoint of the probe policy"):
            read_checkpoint(tmp_path / "bad.npz")
    with pytest.raises(UsageError, match=r"No such file or directory \(expected a checkpoint"):
        read_checkpoint(tmp_path / "none.npz")


def test_a_lesson_needs_an_instance(entries):
    with pytest.raises(UsageError, match="nothing to train on"):
        Lesson(entries[0], [])


def test_weakened_graders_pass_whatever_the_verifier_passes(entries):
    """And a fault in them shows: some attempt that the verifier fails is paid."""
    policy, paid = Policy.fresh(2), dict.fromkeys(FAULTS, 0)
    for entry in entries:
        for practice in practices(entry):
            for seed in range(12):
                _, _, end, _ = attempted(policy, practice, np.random.default_rng(seed), {})
                own = practice.verdict(end, entry.verifier).reward
                for fault in FAULTS:
                    got = practice.verdict(end, Weakened(entry.verifier, fault)).reward
                    assert got >= own
                    paid[fault] += got > own
    assert paid["always"] > 0
    assert paid["rows-unchecked"] + paid["answer-unchecked"] + paid["collateral-unchecked"] + paid["state-unchecked"] > 0
    with pytest.raises(UsageError, match="no fault 'odd'"):
        Weakened(entries[0].verifier, "odd")


def test_advantages_are_relative_to_the_group():
    assert advantages([1, 1, 1]).tolist() == [0, 0, 0]
    assert advantages([1, 0]).round(3).tolist() == [1, -1]


def test_the_gradient_is_that_of_the_objective():
    """Against differences of J = mean of A * log p, by the formula of the docstring."""
    chance = np.random.default_rng(0)
    features = chance.random((5, FEATURES)).astype(np.float32)
    network = Network.fresh(4)
    groups = [[Attempted((features,), (2,), 1.0), Attempted((features,), (0,), 0.0)]]

    def objective():
        p = network.chances(features).astype(np.float64)
        return (np.log(p[2]) * advantages([1, 0])[0] + np.log(p[0]) * advantages([1, 0])[1]) / 2

    made = gradient(network, groups, 0.0)
    for name, at in (("w0", (3,)), ("w2", (1,)), ("b1", (0,)), ("w1", (5, 2))):
        held = network.weights[name][at]
        step = 1e-2
        network.weights[name][at] = held + step
        high = objective()
        network.weights[name][at] = held - step
        low = objective()
        network.weights[name][at] = held
        assert made[name][at] == pytest.approx((high - low) / (2 * step), abs=2e-3)


def test_success_is_a_share_of_attempts(entries):
    shares = success(Policy.fresh(0), [(entry, practice) for entry in entries for practice in practices(entry, 1)], 3, 4)
    assert len(shares) == len(entries)
    assert all(share in (0, 0.25, 0.5, 0.75, 1) for share in shares)


def test_an_episode_that_serves_many_attempts_does_not_run_out_of_calls(entries):
    """The limit is held against what one attempt calls: what was tried before on other ways mustn't use it up."""
    entry = entries[0]
    (practice,) = practices(entry, 1)
    tool = next(one for one in practice.goal.tools.values() if one.required and not one.doc.writes)
    for n in range(entry.task.brief.limits.calls + 5):
        result, acts = practice._called(Call(tool.doc.name, dict.fromkeys(tool.required, f"nothing-{n}")), ())
        assert result.ended is None
        assert acts == ()
    assert practice.calls > entry.task.brief.limits.calls
