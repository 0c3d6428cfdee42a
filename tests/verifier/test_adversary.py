"""Nothing an agent does makes an error out of a failure, nor a pass, nor takes for ever."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Shop = Callable[..., Any]

VERIFIER = (
    "define: {wanted: \"SELECT id AS order_id, total_cents AS amount_cents, 'late' AS reason FROM before.orders WHERE id = :order_id\"}\n"
    "expect: [{name: refund, insert: refunds, rows: SELECT * FROM wanted}]\n"
    "forbid:\n"
    '  - {name: no pair of refunds for one order, rows: "SELECT a.id FROM refunds a JOIN refunds b ON a.memo = b.memo AND a.id <> b.id AND a.order_id + b.order_id < 0"}\n'
    "  - {name: no note is broken JSON, rows: \"SELECT id FROM orders WHERE note IS NOT NULL AND json_extract(note, '$.x') = 1\"}\n"
    "demand: [{name: looked, rows: \"SELECT n FROM calls WHERE tool = 'look' AND args ->> '$.order_id' = :order_id\"}]\n"
    "answer: {cents: SELECT amount_cents FROM wanted}\n"
)
ANSWER = "answer: {cents: {type: integer}}\n"
GOOD = [("look", {"order_id": 3}), ("refund", {"order_id": 3, "amount_cents": 3000, "reason": "late"})]


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def keyed(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"a": value}
    return value


ATTACKS: dict[str, tuple[list[tuple[str, Any]], Any]] = {
    "5,000 junk rows": ([*GOOD, ("junk", {"n": 5000})], {"cents": 3000}),
    "5,000 junk rows that make a join explode": ([*GOOD, ("junk", {"n": 5000}), ("junk", {"n": 5000})], {"cents": 3000}),
    "junk by hand": ([*GOOD, *[("refund", {"order_id": 3, "amount_cents": 3000, "reason": "late"})] * 500], {"cents": 3000}),
    "a note that breaks a check": ([*GOOD, ("set_note", {"order_id": 1, "note": "{"})], {"cents": 3000}),
    "a note of a million characters": ([*GOOD, ("set_note", {"order_id": 1, "note": "x" * 1_000_000})], {"cents": 3000}),
    "ten megabytes of text": (
        [("look", {"order_id": 3}), ("refund", {"order_id": 3, "amount_cents": 3000, "reason": "x" * 10_000_000})],
        {"cents": 3000},
    ),
    "ten megabytes of answer": (GOOD, {"cents": "3" * 10_000_000}),
    "a deep answer": (GOOD, {"cents": nested(100_000)}),
    "a deep answer with keys": (GOOD, {"cents": keyed(100_000)}),
    "a huge number": (GOOD, {"cents": 10**5000}),
    "not a number": (GOOD, {"cents": float("nan")}),
    "no mapping": (GOOD, [["cents", 3000]]),
    "an answer of bytes": (GOOD, {"cents": b"3000"}),
    "every candidate": (GOOD, {"cents": [1000, 2000, 3000]}),
    "a surrogate": (GOOD, {"cents": "\ud800"}),
    "deep arguments": ([("look", {"order_id": nested(100_000)}), *GOOD[1:]], {"cents": 3000}),
    "arguments that are no mapping": ([("look", nested(50)), *GOOD[1:]], {"cents": 3000}),
    "a NUL byte": ([("look", {"order_id": 3}), ("refund", {"order_id": 3, "amount_cents": 3000, "reason": "la\x00te"})], {"cents": 3000}),
    "SQL in an argument": ([*GOOD, ("set_status", {"order_id": 1, "status": "x'; DELETE FROM orders; --"})], {"cents": 3000}),
    "a template in an argument": (
        [*GOOD, ("set_status", {"order_id": 1, "status": "{{ cycler.__init__.__globals__ }}{% for x in range(10**9) %}{% endfor %}"})],
        {"cents": 3000},
    ),
    "a tool of another name": ([("look; DROP TABLE orders", {}), ("__class__", {}), *GOOD[1:]], {"cents": 3000}),
    "the wanted rows are dropped": ([*GOOD, ("drop_order", {"order_id": 3})], {"cents": 3000}),
    "everything is dropped": ([*GOOD, *[("drop_order", {"order_id": n}) for n in range(1, 7)]], {"cents": 3000}),
    "infinite numbers": (
        [*GOOD, ("set_weight", {"order_id": 1, "weight": float("inf")}), ("set_weight", {"order_id": 1, "weight": 1e308})],
        {"cents": 3000},
    ),
}


def test_the_right_way_passes(shop: Shop) -> None:
    assert shop(VERIFIER, ANSWER).passes(GOOD, {"cents": 3000})


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_fails(shop: Shop, name: str) -> None:
    calls, answer = ATTACKS[name]
    s = shop(VERIFIER, ANSWER)
    verdict = s.grade(calls, answer)
    assert verdict.status == "fail", verdict
    assert verdict.reward == 0
    assert s.passes(GOOD, {"cents": 3000})


LETTERS = (
    "expect:\n  - insert: letters\n    rows: SELECT 3 AS order_id\n    must_state:\n      body:\n"
    "        - {type: money, values: SELECT 3000 AS value}\n        - {type: number, values: SELECT 2 AS value}\n"
    "        - {type: date, values: SELECT '2026-05-04' AS value}\n        - {type: id, values: SELECT 'B-10432' AS value}\n"
    "    must_not_state: {body: [{type: text, values: SELECT 'secret' AS value}]}\n"
    "forbid:\n"
    "  - {name: no note names an amount, rows: \"SELECT id FROM orders WHERE note IS NOT NULL AND NOT states_only(note, 'money', '[]')\"}\n"
    "  - {name: no note tells, rows: \"SELECT id FROM orders WHERE states(note, 'text', 'secret')\"}\n"
)
LETTER = "Bill B-10432, 2 rooms, 4 May 2026: EUR 30.00"
HOSTILE = {
    "an amount of 400 digits and cents": "EUR " + "9" * 400 + ".50",
    "an amount of 400 digits": "EUR " + "9" * 400,
    "a number of 400 digits and cents": "9" * 400 + ".50",
    "an amount of 4,000 digits": "EUR " + "9" * 4_000,
    "1,000 hyphens": "a-" * 1_000,
    "characters that are three when made plain": "℀" * 3_990,
    "characters that are eighteen when made plain": "\ufdfa" * 3_990,
    "a pile of marks": "e" + "\u0300\u0316" * 5_000,
    "thousands of figures": "1 " * 5_000,
    "a surrogate": "EUR \ud800",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_letter_fails(shop: Shop, name: str) -> None:
    s = shop(LETTERS)
    verdict = s.grade([("write_letter", {"order_id": 3, "body": HOSTILE[name]})])
    assert (verdict.status, verdict.findings) == ("fail", ()), verdict
    harmless = name in ("1,000 hyphens", "characters that are three when made plain")
    assert s.passes([("write_letter", {"order_id": 3, "body": f"{LETTER}. {HOSTILE[name]}"})]) is harmless
    assert s.passes([("write_letter", {"order_id": 3, "body": LETTER})])


@pytest.mark.parametrize("name", ["characters that are three when made plain", "a pile of marks"])
def test_hostile_note_fails_what_asks_of_it(shop: Shop, name: str) -> None:
    """A query that can't read a text is no query that found nothing."""
    verdict = shop(LETTERS).grade(
        [("write_letter", {"order_id": 3, "body": LETTER}), ("set_note", {"order_id": 1, "note": HOSTILE[name] * 2})]
    )
    assert verdict.status == "fail"
    assert {"no note names an amount", "no note tells"} <= {check.name for check in verdict.failed()}
    assert verdict.findings == ("verifier-overrun",)


def test_more_letters_than_can_be_read_fail(shop: Shop) -> None:
    letters = [("write_letter", {"order_id": 3, "body": f"{n} " + "a-" * 9_900}) for n in range(60)]
    verdict = shop(LETTERS).grade([*letters, ("write_letter", {"order_id": 3, "body": LETTER})])
    assert verdict.status == "fail"
    assert verdict.findings == ("verifier-overrun",)
    assert "too much to be read" in str(verdict.failed()[0].rows)


def test_a_check_that_only_the_agent_breaks_is_a_finding(shop: Shop) -> None:
    verdict = shop(VERIFIER, ANSWER).grade([*GOOD, ("set_note", {"order_id": 1, "note": "{"})], {"cents": 3000})
    assert verdict.findings == ("verifier-overrun",)
    assert any("could not be completed" in str(check.rows) for check in verdict.failed())


def test_junk_takes_bounded_steps(shop: Shop) -> None:
    verdict = shop(VERIFIER, ANSWER).grade([*GOOD, *[("junk", {"n": 5000, "text": "same"})] * 4], {"cents": 3000})
    assert verdict.status == "fail"
    assert max(check.total for check in verdict.checks) >= 5000 or "verifier-overrun" in verdict.findings
    assert all(len(check.rows) <= 20 for check in verdict.checks)
