"""Labels: what counts, and on whose word."""

from __future__ import annotations

from worldwright.audit.bench import At, Case, outcome_of
from worldwright.audit.probes.untouched import PROBE
from worldwright.audit.records import Claim
from worldwright.audit.subject import Act, Attempt, Change, Facts, Known, Result

BOOKED = (Change("bookings", "insert", "7", {}, {"id": 7, "room": 3}),)
OTHER = (Change("bookings", "insert", "7", {}, {"id": 7, "room": 4}),)


def bench(prompt: str = "Book room 3 and answer with its floor.", answer: object = 2) -> At:
    """An instance whose reference books a room and is paid."""
    reference = Known("reference", (Act("book", {"room": 3}),), answer)
    facts = Facts("hotel", 1, prompt, (), 1.0, frozenset({"reference", "state"}), reference, (), {"bookings": []})
    at = At(Case(None, "hotel", 1), facts, "admission")  # type: ignore[arg-type]
    at.known = ((reference, Attempt("pass", 1.0, prompt, (Result(True),), BOOKED)),)
    at.writes = (True,)
    return at


def outcome(at: At, changes: tuple[Change, ...], answer: object, got: str, claim: Claim = Claim.END, lead: str = ""):
    trial = at.must_fail("a run", (), answer, claim, lead=lead)
    return outcome_of(at, PROBE, trial, Attempt(got, float(got == "pass"), at.facts.prompt, (), changes))  # type: ignore[arg-type]


def test_another_end_that_is_paid_is_a_finding() -> None:
    found = outcome(bench(), OTHER, 2, "pass")
    assert (found.label, found.by, found.ok, found.kind) == ("wrong", "state", False, "finding")


def test_another_end_that_is_refused_counts_as_right() -> None:
    assert outcome(bench(), OTHER, 2, "fail").ok is True


def test_the_same_end_and_answer_are_equivalent_and_in_no_rate() -> None:
    found = outcome(bench(), BOOKED, "2", "pass")
    assert (found.label, found.ok, found.kind) == ("equivalent", None, "")


def test_the_same_end_with_another_answer_is_wrong_where_one_is_asked_for() -> None:
    found = outcome(bench(), BOOKED, 5, "pass")
    assert (found.label, found.by, found.ok) == ("wrong", "answer", False)


def test_the_same_end_with_any_answer_is_equivalent_where_none_is_asked_for() -> None:
    assert outcome(bench("Book room 3.", None), BOOKED, 5, "pass").label == "equivalent"


def test_a_generated_key_alone_is_disputed() -> None:
    again = (Change("bookings", "insert", "8", {}, {"id": 8, "room": 3}),)
    found = outcome(bench(), again, 2, "pass")
    assert (found.label, found.ok, found.kind) == ("disputed", None, "lead")


def test_a_lead_is_shown_and_never_counted() -> None:
    found = outcome(bench(), OTHER, 2, "pass", lead="the brief leaves it open")
    assert (found.ok, found.kind) == (None, "lead")


def test_no_verdict_is_neither_right_nor_wrong() -> None:
    assert outcome(bench(), OTHER, 2, "unknown").ok is None


def test_without_a_state_an_end_is_disputed() -> None:
    at = bench()
    at.known = ((at.reference, Attempt("pass", 1.0, "", (Result(True),))),)
    trial = at.must_fail("a run", (), 2, Claim.END)
    assert outcome_of(at, PROBE, trial, Attempt("pass", 1.0)).label == "disputed"


def test_a_must_pass_run_with_another_end_is_disputed() -> None:
    at = bench()
    trial = at.must_pass("a detour", (), 2, Claim.END)
    assert outcome_of(at, PROBE, trial, Attempt("fail", 0.0, "", (), OTHER)).label == "disputed"
    assert outcome_of(at, PROBE, trial, Attempt("fail", 0.0, "", (), BOOKED)).kind == "finding"


def test_a_refused_call_takes_the_label_away() -> None:
    import msgspec

    at = bench()
    trial = msgspec.structs.replace(at.must_pass("as written", (), 2, Claim.CONSTRUCTION), unless_refused=True)
    refused = Attempt("fail", 0.0, "", (Result(False, error="no"),), BOOKED)
    assert outcome_of(at, PROBE, trial, refused).label == "disputed"
