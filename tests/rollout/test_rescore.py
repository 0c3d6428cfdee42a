"""Stored attempts judged again: the same verdict by the same verifier, the state exactly as it was, and refusals where it is gone."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from worldwright.errors import UsageError
from worldwright.pack import Pack, PackTask, read_pack
from worldwright.rollout import Trajectory
from worldwright.rollout.collect import graded, solver_seed
from worldwright.rollout.rescore import flips, rescored, verdict_again
from worldwright.rollout.stored import Remains, StoredChange, kept, remains, stored
from worldwright.solver import SOLVERS, Trace, attempt
from worldwright.solver.plan import PlanSolver
from worldwright.verifier import Status, Verifier
from worldwright.world.protocol import CallRecord, RowChange, StopReason
from worldwright.world.records import RecordsEvidence
from worldwright.world.records.restore import Kept, restore

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").iterdir())
VERIFIER = "worlds/loan-desk/tasks/settle-fine/verifier.yaml"


def through_json(one: Trajectory) -> Trajectory:
    return msgspec.json.decode(msgspec.json.encode(one), type=Trajectory)


def state_of(evidence: RecordsEvidence) -> dict[str, list[str]]:
    """All rows of all tables in the order in which they come, and of what was said and happened."""
    db, tables = evidence.episode.connection.db, evidence.episode.world.schema.tables
    evidence.episode.connection.grant(1_000_000_000)
    places = [*(f'main."{name}"' for name in tables), "temp.messages", "temp.event_log"]
    return {place: list(map(repr, db.execute(f"SELECT * FROM {place}"))) for place in places}


@pytest.mark.parametrize("root", EXAMPLES, ids=lambda root: root.name)
def test_the_state_comes_back_row_for_row(root):
    pack = read_pack(root)
    changed = 0
    for entry in pack.tasks():
        for solver in (PlanSolver(entry.reference, name="reference"), SOLVERS["random"](), SOLVERS["shotgun"]()):
            instance = entry.task.instance(1)
            with attempt(entry.task, instance, solver, seed=solver_seed(entry.name, 1, 0)) as made:
                assert made.evidence is not None
                one = through_json(graded(entry, instance, pack.digest, made.trace, made.evidence))
                assert one.left is not None
                with entry.task.start(instance) as episode:
                    evidence = restore(episode, kept(one.changes, one.left, one.trace), one.trace.answer)
                    assert state_of(evidence) == state_of(made.evidence)
                    assert list(evidence.calls) == list(made.evidence.calls)
                    assert list(evidence.messages) == list(made.evidence.messages)
                    assert list(evidence.changes) == list(made.evidence.changes)
                    assert (evidence.answer, evidence.ended) == (made.evidence.answer, made.evidence.ended)
                    assert entry.verifier.grade(instance, evidence) == one.verdict
                assert verdict_again(one, entry, entry.verifier) == one.verdict
                changed += len(one.changes)
    assert changed > 0


# ---- another verifier


def lenient(entry: PackTask, demand: str) -> str:
    """A verifier that allows every change and demands one thing."""
    allowed = [f"- {{{op}: {table}}}" for table in entry.world.world.schema.tables for op in ("insert", "update", "delete")]
    lines = ["written_by: {kind: hand}", "allow:", *allowed, "demand:", f"- {{name: what is demanded, rows: '{demand}'}}"]
    return "\n".join(lines) + "\n"


def test_another_verifier_gives_another_verdict_and_the_run_is_then_its_packs(attempts, settle_fine, loan_desk_pack):
    pack = Pack(loan_desk_pack.files | {VERIFIER: lenient(settle_fine, "SELECT 1 FROM changes").encode()})
    entry = pack.tasks()[0]
    after = [rescored(one, entry, pack.digest) for one in attempts]
    for old, new in zip(attempts, after, strict=True):
        assert new.verdict.status == (Status.PASS if old.changes else Status.FAIL)
        assert new.reward == int(bool(old.changes))
        assert (new.pack, new.task) == (pack.digest, entry.digest)
        assert (new.id, new.trace, new.changes) == (old.id, old.trace, old.changes)
    table = flips(zip(attempts, after, strict=True))
    by = {line.solver: line for line in table}
    assert set(by) == {"reference", "noop", "shotgun"}
    assert (by["noop"].n, by["noop"].same, by["noop"].changed) == (4, 4, {})
    changed = {"fail -> pass": sum(bool(one.changes) for one in attempts if one.trace.solver == "shotgun")}
    assert by["shotgun"].changed == {move: n for move, n in changed.items() if n}
    back = [rescored(one, settle_fine, loan_desk_pack.digest) for one in after]
    assert back == attempts


def test_one_verifier_alone_leaves_the_run_its_packs(attempts, settle_fine):
    verifier = Verifier(settle_fine.task, lenient(settle_fine, "SELECT 1 FROM calls"))
    after = [rescored(one, settle_fine, "other", verifier) for one in attempts]
    assert [one.reward for one in after] == [int(one.trace.counts.calls > 0) for one in attempts]
    assert {(one.pack, one.task) for one in after} == {(one.pack, one.task) for one in attempts}


def test_an_unhealthy_verifier_gives_no_verdict(attempts, settle_fine):
    verifier = Verifier(settle_fine.task, "written_by: {kind: hand}\nforbid:\n- {name: nothing, rows: 'SELECT 1 WHERE 0'}\n")
    assert {verdict_again(one, settle_fine, verifier).status for one in attempts} == {Status.ERROR}


def test_flips_name_a_few_attempts(attempts):
    turned = [msgspec.structs.replace(one, verdict=msgspec.structs.replace(one.verdict, status=Status.UNKNOWN)) for one in attempts]
    (first, *_) = flips(zip(attempts, turned, strict=True), most=2)
    assert (first.n, first.same, first.changed) == (4, 0, {"pass -> unknown": 4})
    assert first.examples == {"pass -> unknown": (attempts[0].id, attempts[1].id)}


# ---- refused


def test_what_left_nothing_to_grade_has_no_verdict_by_any_verifier(settle_fine, attempts):
    trace = msgspec.structs.replace(attempts[0].trace, stop=StopReason.SOLVER_ERROR)
    one = msgspec.structs.replace(attempts[0], trace=trace, left=None, changes=())
    assert verdict_again(one, settle_fine, settle_fine.verifier).status == Status.ERROR


def test_another_world_is_refused(attempts, loan_desk_pack):
    name = "worlds/loan-desk/scenario.py"
    other = Pack(loan_desk_pack.files | {name: loan_desk_pack.files[name] + b"\n# another\n"})
    with pytest.raises(UsageError, match=r"loan-desk/settle-fine@0\): the state is gone: it ran in the world"):
        verdict_again(attempts[0], other.tasks()[0], other.tasks()[0].verifier)


def test_another_brief_is_refused(attempts, loan_desk_pack):
    name = "worlds/loan-desk/tasks/settle-fine/brief.yaml"
    other = Pack(loan_desk_pack.files | {name: loan_desk_pack.files[name].replace(b"luck: 0.6", b"luck: 0.5")})
    with pytest.raises(UsageError, match="another task was asked"):
        verdict_again(attempts[0], other.tasks()[0], other.tasks()[0].verifier)


def test_a_run_of_before_is_read_and_refused(attempts, settle_fine):
    data = msgspec.json.decode(msgspec.json.encode(attempts[1]))
    for name in ("left", "index"):
        del data[name]
    for change in data["changes"]:
        del change["agent"]
    old = msgspec.json.decode(msgspec.json.encode(data), type=Trajectory)
    assert (old.left, old.verdict, old.changes[0].agent) == (None, attempts[1].verdict, None)
    with pytest.raises(UsageError, match="stored before all that another verdict needs was kept"):
        verdict_again(old, settle_fine, settle_fine.verifier)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda one: {"changes": (msgspec.structs.replace(one.changes[0], agent=None), *one.changes[1:])},
        lambda one: {
            "changes": (StoredChange("fines", "update", (999_999,), {"status": "due"}, {"status": "paid"}, "agent", ("status",)),)
        },
        lambda one: {"changes": (StoredChange("no_table", "delete", (1,), {}, {}, "agent", ()),)},
        lambda one: {"left": msgspec.structs.replace(one.left, refused=(1,))},
    ],
)
def test_what_doesnt_fit_is_refused(attempts, settle_fine, spoil):
    one = msgspec.structs.replace(attempts[1], **spoil(attempts[1]))
    with pytest.raises(UsageError, match="what is stored doesn't fit its world"):
        verdict_again(one, settle_fine, settle_fine.verifier)


# ---- odd values


def test_values_that_json_has_no_form_for_come_back(attempts):
    changes = [
        RowChange(
            "t", "update", (b"\x01\xff", 2.5), {"a": b"\x00", "b": None}, {"a": float("inf"), "b": "01ff"}, "agent", frozenset({"a", "b"})
        ),
        RowChange("t", "insert", (float("-inf"),), {}, {"c": -0.0, "d": 2**62, "e": "ä\U0001f600"}, "world", frozenset()),
    ]
    calls = [CallRecord(1, "2026-01-01T00:00:00", "x", '{"a":1}', False, None, "no")]
    left = Kept(changes, calls, [], "2026-01-01T00:00:01", [(1, "t", "e", b"\x07")], [("t", (b"\x01", 3), 9)], "gone")
    trace = msgspec.structs.replace(attempts[0].trace, ended=left.ended)
    put = msgspec.json.encode((stored(changes), remains(left, trace), trace))
    told, rest, back = msgspec.json.decode(put, type=tuple[tuple[StoredChange, ...], Remains, Trace])
    again = kept(told, rest, back)
    assert list(again.changes) == changes
    assert list(again.calls) == calls  # stored whole, because the transcript tells others
    assert (again.ended, again.lost) == (left.ended, left.lost)
    assert (list(again.events), list(again.numbers)) == (list(left.events), list(left.numbers))


def test_calls_that_the_transcript_tells_are_not_stored_twice(attempts):
    assert all(one.left is not None and one.left.calls is None for one in attempts)
    assert any(one.left.refused for one in attempts if one.left is not None)
