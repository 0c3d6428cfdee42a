"""Mutants of verifiers, and how many of them labelled runs notice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from worldwright.audit.adapters.pack import PackSubject
from worldwright.audit.mutate import LabelledRun, Mutant, mutants, score
from worldwright.audit.mutate.alike import Alike
from worldwright.audit.mutate.edit import GONE, put
from worldwright.audit.mutate.sql import moved_bounds, silenced_arms, without_conditions
from worldwright.audit.subject import Act, Play, Session
from worldwright.files import decode_yaml, encode_yaml
from worldwright.pack import Pack, PackTask, read_pack
from worldwright.verifier import Verifier, VerifierSpec

EXAMPLES = Path(__file__).parents[2] / "examples"
FINE = "loan-desk/settle-fine"
VERIFIER = "worlds/loan-desk/tasks/settle-fine/verifier.yaml"


@pytest.fixture(scope="module")
def loans(loan_desk_pack: Pack) -> PackSubject:
    return PackSubject(loan_desk_pack)


@pytest.fixture(scope="module")
def waived(loans: PackSubject) -> int:
    """A seed on which the fine is waived, of a student, so that the amount isn't the fine's."""
    for seed in range(50):
        reference = loans.facts(FINE, seed).reference
        if reference is not None and reference.answer["decision"] == "waived" and reference.answer["amount_cents"] > 1:
            return seed
    raise AssertionError("no such seed")


def with_verifier(pack: Pack, more: str) -> PackSubject:
    """The loan desk with more at the end of its verifier."""
    return PackSubject(Pack({**pack.files, VERIFIER: pack.files[VERIFIER] + more.encode()}, "edited"))


def named(made: list[Mutant], name: str) -> Mutant:
    [found] = [one for one in made if one.name == name]
    return found


def run_of(
    subject: PackSubject, seed: int, right: Any = "pass", *, amount: int | None = None, drop: str = "", answer: Any = ...
) -> LabelledRun:
    """The reference, perhaps with another waiver, without a tool's calls, or with another answer."""
    known = subject.facts(FINE, seed).reference
    assert known is not None
    acts = [act for act in known.acts if act.tool != drop]
    if amount is not None:
        acts = [Act(act.tool, {**act.args, "amount_cents": amount}) if act.tool == "waive_fine" else act for act in acts]
    return LabelledRun(seed, tuple(acts), known.answer if answer is ... else answer, right, "reference" if right == "pass" else "changed")


# ---- texts


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("SELECT 1", []),
        ("SELECT 1 FROM t WHERE a = 1", ["SELECT 1 FROM t"]),
        ("SELECT 1 FROM t WHERE a AND b GROUP BY c", ["SELECT 1 FROM t WHERE b GROUP BY c", "SELECT 1 FROM t WHERE a GROUP BY c"]),
        ("SELECT 1 FROM t WHERE a BETWEEN 1 AND 2 AND b", ["SELECT 1 FROM t WHERE b", "SELECT 1 FROM t WHERE a BETWEEN 1 AND 2"]),
        ("SELECT 1 FROM t WHERE a OR b AND c", ["SELECT 1 FROM t"]),
        ("SELECT 1 FROM t WHERE CASE WHEN a AND b THEN 1 END", ["SELECT 1 FROM t"]),
        ("SELECT 1 FROM t WHERE x = 'a AND b' -- AND c\n", ["SELECT 1 FROM t -- AND c"]),
        (
            "SELECT 1 FROM t WHERE a UNION SELECT 2 FROM u WHERE b",
            ["SELECT 1 FROM t UNION SELECT 2 FROM u WHERE b", "SELECT 1 FROM t WHERE a UNION SELECT 2 FROM u"],
        ),
        ("SELECT 1 FROM t WHERE EXISTS (SELECT 1 FROM u WHERE p AND q);", ["SELECT 1 FROM t ;"]),
    ],
)
def test_a_condition_is_dropped(sql, found):
    assert [" ".join(text.split()) for _, text in without_conditions(sql)] == found


@pytest.mark.parametrize(
    ("sql", "shown"),
    [
        ("SELECT 1", []),
        ("SELECT 1 UNION ALL SELECT 2;", ["SELECT 1", "SELECT 2"]),
        (
            "SELECT 1 UNION SELECT 2 UNION ALL SELECT (SELECT 3 UNION SELECT 4)",
            ["SELECT 1", "SELECT 2", "SELECT (SELECT 3 UNION SELECT 4)"],
        ),
        ("SELECT 1 UNION SELECT 2 ORDER BY 1", []),
        ("SELECT 1 EXCEPT SELECT 2 UNION SELECT 3", []),
        ("SELECT ' UNION ' || x FROM t", []),
    ],
)
def test_an_arm_is_silenced(sql, shown):
    found = list(silenced_arms(sql))
    assert [name for name, _ in found] == shown
    assert all(text.count("WHERE 0") == 1 for _, text in found)


def test_bounds_are_moved_and_other_signs_left():
    sql = "SELECT a ->> '$.<', b <> c, d << 1 FROM t WHERE a < 1 AND b >= (SELECT x FROM u WHERE y > 2) -- a < b"
    assert [text.replace(" ", "") for _, text in moved_bounds(sql)] == [
        sql.replace("a < 1", "a <= 1").replace(" ", ""),
        sql.replace("b >= (", "b > (").replace(" ", ""),
        sql.replace("y > 2", "y >= 2").replace(" ", ""),
    ]


def test_a_record_is_changed_in_one_place(loans):
    spec = loans.entry(FINE).verifier.spec
    assert put(spec, ("expect", 1, "rows"), "SELECT 1").expect[1].rows == "SELECT 1"
    assert put(spec, ("expect", 0), GONE).expect == spec.expect[1:]
    assert put(spec, ("answer", "decision"), GONE).answer.keys() == {"amount_cents"}
    assert encode_yaml(spec) == encode_yaml(loans.entry(FINE).verifier.spec)


# ---- mutants


def test_every_check_has_a_mutant(loans):
    """Waiving a fine writes two tables at once, so what they are held to goes together."""
    made = mutants(loans.entry(FINE))
    names = {one.name for one in made if one.weakens}
    assert names >= {
        "expect[0], expect[1]: not called for, only allowed",
        "expect[0]: amount_cents is open",
        "expect[0]: amount_cents within 1",
        "expect[1]: status is open",
        "answer.decision: ungraded",
        "answer.amount_cents: ungraded",
        "any insert of notices allowed",
        "any insert of waivers, any update of fines allowed",
    }
    assert not {"expect[0]: not called for, only allowed", "expect[0]: fine_id is open", "any insert of waivers allowed"} & names
    shifted = {one.kind for one in made if one.direction == "shifted"}
    assert shifted == {"condition-dropped", "bound-moved"}
    assert all(one.fault == "" for one in made)


def test_mutants_are_the_same_each_time_and_say_something_else(loans, loan_desk_pack):
    entry = loans.entry(FINE)
    made = mutants(entry)
    again = mutants(PackSubject(loan_desk_pack).entry(FINE))
    assert [(one.name, one.text) for one in made] == [(one.name, one.text) for one in again]
    specs = [decode_yaml(one.text, VerifierSpec, "verifier.yaml") for one in made]
    assert all(spec != entry.verifier.spec for spec in specs)
    assert len({one.text for one in made}) == len(made)


@pytest.mark.parametrize(
    ("name", "case"),
    [
        ("tool-hire", "tool-hire/credit-late-deliveries"),
        ("tool-hire", "tool-hire/plan-the-day"),
        ("energy-billing", "billing-desk/refuse-goodwill"),
        ("venue-booking", "venue-desk/cancel-or-keep"),
    ],
)
def test_a_weaker_mutant_accepts_what_the_verifier_accepts(name, case):
    subject = PackSubject(read_pack(EXAMPLES / name))
    weaker = [one for one in mutants(subject.entry(case)) if one.weakens]
    facts = subject.facts(case, 2)
    assert weaker
    for known in [*facts.known(), *(run for _, right, run in facts.recorded if right == "pass")]:
        playing = subject.begin(case, 2)
        for act in known.acts:
            playing.act(act)
        evidence = playing.finish(known.answer)
        assert playing.ready is not None
        refused = [one.name for one in weaker if one.verifier and one.verifier.grade(playing.ready.instance, evidence).status == "fail"]
        playing.close()
        assert refused == []


RICH = """written_by: {kind: hand}
expect:
  - {insert: waivers, rows: SELECT :fine_id AS fine_id, tolerance: {amount_cents: 1}, loose: [note], open: [amount_cents],
     wrong: SELECT id FROM new WHERE amount_cents > 900 UNION ALL SELECT id FROM new WHERE amount_cents < 1,
     must_state: {note: [{type: money, values: SELECT 1 AS value WHERE 0, may: SELECT 5 AS value}]},
     must_not_state: {note: [{type: text, values: SELECT 'secret' AS value}]}}
any_of:
  - {name: marked, expect: [{update: fines, rows: "SELECT id, 'waived' AS status, amount_cents FROM before.fines WHERE id = :fine_id"}], answer: {decision: SELECT 'waived'}}
  - {name: deleted, expect: [{delete: fines, rows: SELECT :fine_id AS id}]}
allow:
  - {update: members, rows: SELECT id FROM before.members, columns: [name]}
  - {insert: notices}
answer: {amount_cents: SELECT 1}
forbid:
  - {name: many, rows: SELECT 1 FROM calls WHERE n > 10 UNION ALL SELECT 2 FROM calls WHERE tool = 'x' AND ok}
demand:
  - {name: some, rows: SELECT 1 FROM calls}
"""


@pytest.mark.parametrize(("condition", "same"), [("1 < 2 AND 1 = 1", True), ("2 < 2", False)])
def test_a_mutant_is_the_verifier_itself_only_where_its_text_gives_the_same_rows(loan_desk_pack, condition, same):
    text = (
        loan_desk_pack.files[VERIFIER].decode().replace("define:\n", f"define:\n  few: SELECT 1 AS n FROM before.loans WHERE {condition}\n")
    )
    text += "demand:\n- {name: few, rows: SELECT count(*) FROM few}\n"
    entry = PackSubject(Pack({**loan_desk_pack.files, VERIFIER: text.encode()}, "edited")).entry(FINE)
    changed = [one for one in mutants(entry) if one.changed is not None and one.changed[0] == "define.few"]
    assert len(changed) >= 2
    assert [Alike(entry).on(entry.task.instance(0), one) for one in changed] == [same] * len(changed)
    changed[0].forget()


def test_mutants_of_all_that_a_verifier_can_say_compile(loan_desk_pack):
    entry = PackSubject(Pack({**loan_desk_pack.files, VERIFIER: RICH.encode()}, "edited")).entry(FINE)
    made = mutants(entry)
    assert [(one.name, one.fault) for one in made if one.fault] == []
    assert {(one.direction, one.kind) for one in made} == {
        *(("weaker", kind) for kind in (
            "allowance-broadened", "answer-ungraded", "column-loosened", "column-opened", "demand-dropped", "expectation-dropped",
            "forbid-arm-dropped", "forbid-dropped", "frame-opened", "text-check-dropped", "tolerance-widened", "wrong-arm-dropped",
            "wrong-dropped",
        )),
        *(("stricter", kind) for kind in ("allowance-removed", "end-removed", "loose-removed", "may-removed", "tolerance-removed")),
        *(("shifted", kind) for kind in ("bound-moved", "condition-dropped")),
    }  # fmt: skip
    assert {one.affects for one in made if one.name.startswith(("expect", "any_of", "answer"))} == {None}


def test_what_does_not_compile_is_kept_with_its_reason(loan_desk_pack):
    arms = "forbid:\n  - name: two\n    rows: |\n      WITH x(i) AS (SELECT 1 FROM disputed WHERE 0) SELECT i FROM x UNION ALL SELECT i FROM x\n"
    entry: PackTask = with_verifier(loan_desk_pack, arms).entry(FINE)
    broken = [one for one in mutants(entry) if one.fault]
    assert [one.kind for one in broken] == ["forbid-arm-dropped"]
    assert broken[0].verifier is None
    assert "no such table: x" in broken[0].fault
    assert score(with_verifier(loan_desk_pack, arms), entry, [], broken).dropped == ((broken[0].name, broken[0].fault),)


# ---- scores


def test_a_run_that_breaks_one_check_alone_kills_the_mutant_without_it(loans, waived):
    known = loans.facts(FINE, waived).reference
    wrong = run_of(loans, waived, "fail", answer={**known.answer, "decision": "upheld"})
    got = score(loans, loans.entry(FINE), [run_of(loans, waived), wrong])
    killed = {one.mutant: one for one in got.killed}
    assert "answer.decision: ungraded" in killed
    assert (killed["answer.decision: ungraded"].source, killed["answer.decision: ungraded"].seed) == ("changed", waived)
    assert "answer.amount_cents: ungraded" not in killed
    assert (got.case, got.runs) == (FINE, 2)


def test_a_mutant_survives_where_something_else_is_wrong_too_and_is_undecided_where_nothing_touches_it(loans, waived):
    known = loans.facts(FINE, waived).reference
    both = run_of(loans, waived, "fail", answer={"decision": "upheld", "amount_cents": known.answer["amount_cents"] + 1})
    made = [one for one in mutants(loans.entry(FINE)) if one.kind in ("answer-ungraded", "frame-opened")]
    got = score(loans, loans.entry(FINE), [both], made)
    assert got.survived == ("answer.decision: ungraded", "answer.amount_cents: ungraded")
    assert set(got.undecided) == {one.name for one in made if one.kind == "frame-opened"}
    assert got.score == 0.0


def test_runs_that_tell_nothing_are_not_played_and_what_the_verifier_said_before_changes_no_score(loans, waived, monkeypatch):
    """Each run is one of many alike, so that only the first of them are played once their outlines are known."""
    entry, known = loans.entry(FINE), loans.facts(FINE, waived).reference
    answers = [{**known.answer, "amount_cents": known.answer["amount_cents"] + n} for n in range(2, 9)]
    plays = [Play(FINE, waived, known.acts, answer) for answer in answers]
    loans.run_many([Session((play,)) for play in plays])
    unknown = [LabelledRun(waived, play.acts, play.answer, "fail", "changed") for play in plays]
    told = [msgspec.structs.replace(run, truth=loans.outline(play)) for run, play in zip(unknown, plays, strict=True)]
    made = [one for one in mutants(entry) if one.kind == "frame-opened"] + [named(mutants(entry), "answer.decision: ungraded")]
    graded: list[Any] = []
    grade = Verifier.grade
    monkeypatch.setattr(Verifier, "grade", lambda self, *given: graded.append(self) or grade(self, *given))
    first = score(loans, entry, unknown, made)
    assert graded.count(entry.verifier) == len(plays)
    graded.clear()
    assert all(run.truth is not None for run in told)
    assert score(loans, entry, told, made) == first
    assert graded == []  # nothing that these mutants leave out is wrong in any of them


def test_off_by_one_kills_the_tolerance_and_off_by_many_only_the_open_column(loans, waived):
    entry, right = loans.entry(FINE), loans.facts(FINE, waived).reference.answer["amount_cents"]
    made = [named(mutants(entry), f"expect[0]: amount_cents {what}") for what in ("is open", "within 1")]
    near = score(loans, entry, [run_of(loans, waived, "fail", amount=right + 1)], made)
    far = score(loans, entry, [run_of(loans, waived, "fail", amount=right + 2)], made)
    assert [one.mutant for one in near.killed] == [one.name for one in made]
    assert [one.mutant for one in far.killed] == [made[0].name]
    assert far.undecided == (made[1].name,)
    assert score(loans, entry, [], made).score is None


def test_uncertain_directions_do_not_kill(loans, waived):
    """A weaker mutant is only held against wrong runs."""
    entry = loans.entry(FINE)
    got = score(loans, entry, [run_of(loans, waived)], [one for one in mutants(entry) if one.weakens])
    assert got.killed == got.survived == ()


def test_a_stricter_mutant_is_killed_by_a_right_run(loan_desk_pack, waived):
    subject = with_verifier(loan_desk_pack, "allow:\n  - {insert: notices}\n")
    entry = subject.entry(FINE)
    made = [named(mutants(entry), "allow[0]: removed")]
    plain = run_of(subject, waived)
    member = next(act.args["member_id"] for act in plain.acts if act.tool == "list_fines")
    told = LabelledRun(waived, (*plain.acts, Act("send_notice", {"member_id": member, "body": "Done."})), plain.answer, "pass", "told")
    assert score(subject, entry, [plain], made).undecided == ("allow[0]: removed",)
    assert [one.source for one in score(subject, entry, [plain, told], made).killed] == ["told"]


def test_a_mutant_that_has_nothing_left_to_check_is_refused():
    subject = PackSubject(read_pack(EXAMPLES / "tool-hire"))
    entry = subject.entry("tool-hire/plan-the-day")
    known = subject.facts("tool-hire/plan-the-day", 0).reference
    runs = [LabelledRun(0, (), None, "fail", "idle"), LabelledRun(0, known.acts, known.answer, "pass", "reference")]
    made = [named(mutants(entry), "expect[0]: not called for, only allowed")]
    got = score(subject, entry, runs, made)
    assert got.refused == (made[0].name,)
    assert got.killed == got.survived == got.undecided == ()
