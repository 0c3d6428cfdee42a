"""Attempts become graded trajectories; what is not the agent's fault is never a reward."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import worldwright
from worldwright.errors import PackError, SandboxError, SolverError
from worldwright.pack import Pack
from worldwright.rollout import Job, Trajectory, collect, tabulate
from worldwright.rollout.collect import solver_seed
from worldwright.sandbox import Plan
from worldwright.solver import SOLVERS, Answer, Call
from worldwright.solver.plan import PlanSolver
from worldwright.verifier import Status
from worldwright.world.protocol import StopReason

PAGE = "worlds/loan-desk/handbook/fines.md"
BRIEF = "worlds/loan-desk/tasks/settle-fine/brief.yaml"


def one(job: Job, pack: str = "p") -> Trajectory:
    (made,) = collect([job], pack)
    return made


def test_trajectories_come_in_the_order_asked_for(attempts, settle_fine, loan_desk_pack):
    assert [(made.trace.solver, made.trace.instance) for made in attempts] == [
        (solver, f"loan-desk/settle-fine@{seed}") for solver in ("reference", "noop", "shotgun") for seed in range(4)
    ]
    assert {(made.pack, made.task, made.world) for made in attempts} == {
        (loan_desk_pack.digest, settle_fine.digest, settle_fine.world.world.digest)
    }
    assert all(made.id == made.trace.id for made in attempts)
    assert len({made.id for made in attempts}) == len(attempts)


def test_the_reference_is_paid_and_nothing_is_not(attempts):
    assert [made.reward for made in attempts[:4]] == [1, 1, 1, 1]
    assert [made.reward for made in attempts[4:]] == [0] * 8
    assert not any(made.is_masked for made in attempts)
    assert all(made.reward == made.verdict.reward for made in attempts)


def test_changes_are_kept_with_the_trajectory(attempts, settle_fine):
    changed = {made.trace.instance: made.changes for made in attempts[:4]}
    for seed in range(4):
        instance = settle_fine.task.instance(seed)
        changes = changed[instance.name]
        if instance.stratum == "waived":
            assert [(change.op, change.table, change.by) for change in changes] == [
                ("update", "fines", "agent"),
                ("insert", "waivers", "agent"),
            ]
            assert changes[0].key == (instance.params["fine_id"],)
            assert (changes[0].old, changes[0].new) == ({"status": "due"}, {"status": "waived"})
        else:
            assert changes == ()
    assert {settle_fine.task.instance(seed).stratum for seed in range(4)} == {"waived", "upheld"}


def test_an_unusable_seed_is_left_out(settle_fine, loan_desk_pack):
    text = (
        loan_desk_pack.files[BRIEF]
        .decode()
        .replace("WHERE f.status = 'due'", "WHERE f.status = 'due' AND (SELECT count(*) FROM loans) > 36")
    )
    pack = Pack(loan_desk_pack.files | {BRIEF: text.encode()})
    entry = pack.tasks()[0]
    made = list(collect([Job(entry, SOLVERS["noop"](), seed) for seed in range(10)], pack.digest))
    usable = [seed for seed in range(10) if entry.task.ways(seed)]
    assert 0 < len(usable) < 10
    assert [int(each.trace.instance.split("@")[1]) for each in made] == usable


# ---- infrastructure


class Failing:
    """A solver of which one part fails with this exception."""

    name = "failing"

    def __init__(self, part: str, fault: BaseException) -> None:
        self.part, self.fault = part, fault

    def _maybe(self, part: str) -> None:
        if part == self.part:
            raise self.fault

    def start(self, prompt: Any, seed: int, shown: Any) -> Failing:
        self._maybe("start")
        return self

    def act(self, observation: Any) -> Any:
        self._maybe("act" if observation.returned else "first act")
        return Answer({"decision": "upheld", "amount_cents": 0}) if observation.returned else Call("find_members", {"text": "a"})

    def close(self) -> None:
        self._maybe("close")


@pytest.mark.parametrize("part", ["start", "first act", "act", "close"])
@pytest.mark.parametrize(
    "fault",
    [
        SolverError("endpoint down"),
        ConnectionError("reset"),
        MemoryError(),
        AssertionError("bug"),
        SandboxError("worker gone", kind="crashed"),
    ],
    ids=lambda fault: type(fault).__name__,
)
def test_a_solver_that_fails_is_an_error_without_reward(settle_fine, part, fault):
    made = one(Job(settle_fine, Failing(part, fault), 0))
    assert (made.verdict.status, made.reward, made.is_masked) == (Status.ERROR, None, True)
    assert made.trace.stop == StopReason.SOLVER_ERROR
    assert type(fault).__name__ in made.trace.detail
    assert made.changes == ()
    (line,) = tabulate([made])
    assert (line.passed, line.n, line.masked, line.low, line.high) == (0, 0, 1, 0.0, 1.0)


def test_a_solver_that_wants_to_end_the_process_does(settle_fine):
    with pytest.raises(KeyboardInterrupt):
        one(Job(settle_fine, Failing("act", KeyboardInterrupt()), 0))
    assert one(Job(settle_fine, SOLVERS["noop"](), 0)).reward == 0


def test_a_plan_of_the_agent_that_fails_is_a_failure(settle_fine):
    for source in (
        "def solve(member, fine_id):\n    return 1 // 0\n",
        "def solve(:",
        "def solve(member, fine_id):\n    while True:\n        find_members(text='a')\n",
    ):
        made = one(Job(settle_fine, PlanSolver(Plan("p.py", source)), 0))
        assert (made.verdict.status, made.reward, made.is_masked) == (Status.FAIL, 0, False)


def test_a_world_that_crashes_is_an_error_without_reward(settle_fine, loan_desk_pack):
    text = loan_desk_pack.files[PAGE].decode().replace("{{ policy.student_percent }}", "{{ policy.percent }}")
    pack = Pack(loan_desk_pack.files | {PAGE: text.encode()})
    made = list(
        collect([Job(pack.tasks()[0], PlanSolver(settle_fine.reference, name="reference"), seed) for seed in range(3)], pack.digest)
    )
    assert [(each.verdict.status, each.reward, each.trace.stop) for each in made] == [(Status.ERROR, None, StopReason.WORLD_ERROR)] * 3
    assert tabulate(made)[0].n == 0
    whole = [
        *made,
        *collect([Job(settle_fine, PlanSolver(settle_fine.reference, name="reference"), seed) for seed in range(3)], pack.digest),
    ]
    (line,) = tabulate(whole)
    assert (line.passed, line.n, line.masked) == (3, 3, 3)


def test_a_broken_start_state_is_the_packs_fault(loan_desk_pack):
    name = "worlds/loan-desk/scenario.py"
    pack = Pack(loan_desk_pack.files | {name: loan_desk_pack.files[name].replace(b"random.seed(seed)", b"random.seed(seed) or 1 // 0")})
    with pytest.raises(PackError, match="ZeroDivisionError"):
        one(Job(pack.tasks()[0], SOLVERS["noop"](), 0))


def test_a_verifier_that_isnt_healthy_is_an_error_without_reward(settle_fine, loan_desk_pack):
    name = "worlds/loan-desk/tasks/settle-fine/verifier.yaml"
    vacuous = b"written_by: {kind: hand}\nforbid:\n- {name: no fine is gone, rows: 'SELECT 1 WHERE 0'}\n"
    pack = Pack(loan_desk_pack.files | {name: vacuous})
    made = one(Job(pack.tasks()[0], PlanSolver(settle_fine.reference, name="reference"), 0))
    assert (made.verdict.status, made.reward) == (Status.ERROR, None)
    assert "nothing to check" in made.verdict.reason


# ---- seeds and bytes


def test_an_attempts_own_seed_hangs_on_task_seed_and_index_alone():
    assert solver_seed("w/t", 0, 0) == solver_seed("w/t", 0, 0)
    drawn = {solver_seed(task, seed, index) for task in ("w/t", "w/u") for seed in range(5) for index in range(5)}
    assert len(drawn) == 50
    assert all(0 <= one < 2**63 for one in drawn)


def test_attempts_at_one_instance_differ_by_index_and_wording(settle_fine):
    made = [one(Job(settle_fine, SOLVERS["random"](), 0, index, wording)) for index, wording in ((0, 0), (1, 0), (0, 1), (0, 0))]
    assert made[0] == made[3]
    assert made[0].trace.seed != made[1].trace.seed
    assert [call for call in made[0].trace.messages if call.role == "assistant"] != [
        call for call in made[1].trace.messages if call.role == "assistant"
    ]
    assert made[2].trace.wording == 1
    assert made[2].trace.seed == made[0].trace.seed


PROCESS = """
import sys
from pathlib import Path
from worldwright.cli.rollout_ import NAMES, jobs
from worldwright.pack import read_pack
from worldwright.rollout import collect, write_trajectories
packs = [read_pack(path) for path in sys.argv[2:]]
made = (one for pack in packs for one in collect(jobs(pack.tasks(), NAMES, range(2), 1), pack.digest))
for _ in write_trajectories(Path(sys.argv[1]), made):
    pass
"""


def test_the_bytes_are_the_same_in_every_process_and_for_every_hash_seed(loan_desk, tmp_path):
    tool_hire = Path(__file__).parents[2] / "examples" / "tool-hire"
    running = []
    for number in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": number, "PYTHONPATH": str(Path(worldwright.__file__).parents[1])}
        command = [sys.executable, "-c", PROCESS, str(tmp_path / number), str(loan_desk), str(tool_hire)]
        running.append(subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True))
    for process in running:
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    one_run, other = ((tmp_path / number).read_bytes() for number in ("1", "2"))
    assert one_run.count(b"\n") >= 20
    assert one_run == other
