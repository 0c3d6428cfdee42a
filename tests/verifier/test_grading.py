"""Verdicts by kinds of expectation, and that they explain themselves with rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from worldwright.errors import PackError

Shop = Callable[..., Any]
REFUND = "expect: [{name: refund, insert: refunds, rows: 'SELECT id AS order_id, total_cents AS amount_cents, ''late'' AS reason FROM before.orders WHERE id = :order_id'}]\n"
GOOD = [("refund", {"order_id": 3, "amount_cents": 3000, "reason": "late"})]


def test_insert(shop: Shop) -> None:
    s = shop(REFUND)
    assert s.passes(GOOD)
    assert not s.passes([])
    assert not s.passes(GOOD * 2)
    assert not s.passes([("refund", {"order_id": 3, "amount_cents": 3001, "reason": "late"})])
    assert s.passes([("refund", {"order_id": 3, "amount_cents": 3000, "reason": "late", "memo": "as agreed"})])


def test_insert_then_delete_nets_to_nothing(shop: Shop) -> None:
    there_and_back = [("refund", {"order_id": 5, "amount_cents": 1}), ("unrefund", {"order_id": 5})]
    assert shop(REFUND + "allow: [{insert: audit_log}]\n").passes([*there_and_back, *GOOD])


def test_what_is_left_of_an_insert_that_is_taken_back_is_the_agents(shop: Shop) -> None:
    verdict = shop(REFUND).grade([("refund", {"order_id": 5, "amount_cents": 1}), ("unrefund", {"order_id": 5}), *GOOD])
    assert verdict.reward == 0
    assert [row["table"] for row in verdict.failed()[0].rows] == ["audit_log"]


def test_columns_that_nothing_pins_stay_at_their_default(shop: Shop) -> None:
    s = shop("expect: [{insert: refunds, rows: 'SELECT 3 AS order_id, 3000 AS amount_cents'}]\n")
    assert s.passes([("refund", {"order_id": 3, "amount_cents": 3000})])
    verdict = s.grade([("refund", {"order_id": 3, "amount_cents": 3000, "reason": "because"})])
    assert verdict.reward == 0
    assert "because" in str(verdict.failed()[0].rows)


def test_collateral_is_a_fault_with_its_row(shop: Shop) -> None:
    verdict = shop(REFUND).grade([*GOOD, ("set_status", {"order_id": 1, "status": "lost"})])
    assert verdict.reward == 0
    failed = verdict.failed()
    assert [check.kind for check in failed] == ["frame"]
    assert failed[0].rows[0]["table"] == "orders"
    assert failed[0].rows[0]["key"] == [1]


def test_a_change_that_is_undone_is_no_change(shop: Shop) -> None:
    assert shop(REFUND).passes([("set_status", {"order_id": 1, "status": "x"}), ("set_status", {"order_id": 1, "status": "open"}), *GOOD])


def test_update_holds_if_it_held_already(shop: Shop) -> None:
    s = shop(
        "expect:\n  - {insert: refunds, rows: \"SELECT 3 AS order_id, 3000 AS amount_cents, 'late' AS reason\"}\n"
        "  - {update: orders, rows: \"SELECT id, 'open' AS status FROM before.orders WHERE id IN (2, 3)\"}\n"
    )
    assert not s.passes(GOOD)
    assert s.passes([*GOOD, ("set_status", {"order_id": 2, "status": "open"})])
    assert not s.passes([*GOOD, ("set_status", {"order_id": 2, "status": "open"}), ("set_note", {"order_id": 2, "note": "n"})])
    assert not s.passes([*GOOD, ("set_status", {"order_id": 2, "status": "open"}), ("set_status", {"order_id": 3, "status": "shut"})])
    assert not s.passes([*GOOD, ("drop_order", {"order_id": 2})])


def test_delete(shop: Shop) -> None:
    s = shop("expect: [{delete: orders, rows: SELECT id FROM before.orders WHERE id = :order_id}]\n")
    assert s.passes([("drop_order", {"order_id": 3})])
    assert not s.passes([])
    assert not s.passes([("drop_order", {"order_id": 3}), ("drop_order", {"order_id": 4})])


def test_composite_keys(shop: Shop) -> None:
    s = shop("expect: [{update: seats, rows: \"SELECT 1 AS row_no, 'b' AS seat, 'Ito' AS holder\"}]\n")
    assert s.passes([("take_seat", {"row_no": 1, "seat": "b", "holder": "Ito"})])
    assert not s.passes([("take_seat", {"row_no": 2, "seat": "b", "holder": "Ito"})])


def test_open_and_wrong(shop: Shop) -> None:
    s = shop(
        "expect:\n  - insert: refunds\n    rows: SELECT 3 AS order_id, 'late' AS reason\n    open: [amount_cents]\n"
        "    wrong: SELECT n.order_id, 'too much' AS why FROM new n JOIN before.orders o ON o.id = n.order_id WHERE n.amount_cents > o.total_cents\n"
    )
    assert s.passes(GOOD)
    assert s.passes([("refund", {"order_id": 3, "amount_cents": 1, "reason": "late"})])
    verdict = s.grade([("refund", {"order_id": 3, "amount_cents": 3001, "reason": "late"})])
    assert verdict.failed()[0].rows[0]["why"] == "too much"


def test_wrong_sees_composite_keys(shop: Shop) -> None:
    s = shop(
        "expect:\n  - update: seats\n    rows: SELECT 1 AS row_no, 'a' AS seat\n    open: [holder]\n    wrong: SELECT n.seat FROM new n WHERE n.holder IS NOT 'Ito'\n"
        "answer: {x: SELECT 1}\n",
        "answer: {x: {type: integer}}\n",
    )
    assert s.passes([("take_seat", {"row_no": 1, "seat": "a", "holder": "Ito"})], {"x": 1})
    assert not s.passes([("take_seat", {"row_no": 1, "seat": "a", "holder": "Oti"})], {"x": 1})
    assert not s.passes([], {"x": 1})


def test_tolerance_needs_the_best_matching(shop: Shop) -> None:
    s = shop(
        "expect:\n  - insert: refunds\n    rows: SELECT 3 AS order_id, 'late' AS reason, column1 AS amount_cents FROM (VALUES (100), (104))\n    tolerance: {amount_cents: 3}\n"
    )

    def pair(*amounts: int) -> list[Any]:
        return [("refund", {"order_id": 3, "amount_cents": amount, "reason": "late"}) for amount in amounts]

    assert s.passes(pair(102, 98))
    assert s.passes(pair(98, 102))
    assert s.passes(pair(102, 103))
    assert not s.passes(pair(98, 99))
    assert not s.passes(pair(102))


def test_any_of(shop: Shop) -> None:
    s = shop(
        "any_of:\n"
        "  - {name: pay, expect: [{insert: refunds, rows: \"SELECT 3 AS order_id, 3000 AS amount_cents, 'late' AS reason\"}], answer: {did: \"SELECT 'paid'\"}}\n"
        "  - {name: close, expect: [{update: orders, rows: \"SELECT 3 AS id, 'closed' AS status\"}], answer: {did: \"SELECT 'closed'\"}}\n",
        "answer: {did: {type: string}}\n",
    )
    close = [("set_status", {"order_id": 3, "status": "closed"})]
    assert s.passes(GOOD, {"did": "paid"})
    assert s.passes(close, {"did": "closed"})
    assert not s.passes(GOOD, {"did": "closed"})
    assert not s.passes([*GOOD, *close], {"did": "paid"})
    assert s.grade(close, {"did": "closed"}).met == "close"


def test_allow(shop: Shop) -> None:
    s = shop(
        REFUND + "allow:\n  - {update: orders, rows: SELECT id FROM before.orders WHERE id < 3, columns: [note]}\n  - {insert: letters}\n"
    )
    assert s.passes([*GOOD, ("set_note", {"order_id": 1, "note": "x"}), ("write_letter", {"order_id": 9, "body": "hi"})])
    assert not s.passes([*GOOD, ("set_note", {"order_id": 4, "note": "x"})])
    assert not s.passes([*GOOD, ("set_status", {"order_id": 1, "status": "x"})])


def test_forbid_and_demand(shop: Shop) -> None:
    s = shop(
        REFUND
        + "forbid: [{name: never looked at another, rows: \"SELECT n FROM calls WHERE tool = 'look' AND args ->> '$.order_id' <> :order_id\"}]\n"
        + "demand: [{name: looked first, rows: \"SELECT n FROM calls WHERE tool = 'look' AND ok AND n < (SELECT min(n) FROM calls WHERE tool = 'refund')\"}]\n"
    )
    look = ("look", {"order_id": 3})
    assert s.passes([look, *GOOD])
    assert not s.passes([*GOOD, look])
    assert not s.passes(GOOD)
    assert not s.passes([look, ("look", {"order_id": 4}), *GOOD])


def test_changes_are_evidence(shop: Shop) -> None:
    s = shop(
        REFUND
        + "demand: [{name: logged by the world, rows: \"SELECT n FROM changes WHERE table_name = 'audit_log' AND by = 'world' AND column_name = 'what'\"}]\n"
    )
    assert s.passes(GOOD)


def test_what_a_trigger_writes_is_not_blamed_on_the_agent(shop: Shop) -> None:
    assert shop(REFUND).passes(GOOD)


def test_must_state(shop: Shop) -> None:
    s = shop(
        "expect:\n  - insert: letters\n    rows: SELECT 3 AS order_id\n    must_state:\n      body:\n"
        '        - {type: money, values: "SELECT id AS order_id, total_cents AS value FROM before.orders", may: SELECT 500 AS value}\n'
        "        - {type: date, values: SELECT due AS value FROM before.orders WHERE id = :order_id}\n"
        "    must_not_state: {body: [{type: text, values: SELECT 'secret' AS value}]}\n"
    )

    def letter(body: str) -> bool:
        return bool(s.passes([("write_letter", {"order_id": 3, "body": body})]))

    assert letter("We owe you EUR 30.00 since 3 May 2026.")
    assert letter("30 euros (of which EUR 5.00 is postage), due 2026-05-03")
    assert not letter("We owe you EUR 31.00 since 3 May 2026.")
    assert not letter("We owe you EUR 30.00 or EUR 40.00 since 3 May 2026.")
    assert not letter("We owe you EUR 30.00.")
    assert not letter("EUR 30.00, 3 May 2026, and a Secret.")


TEXT = (
    "expect:\n  - insert: letters\n    rows: SELECT 3 AS order_id\n    must_state: {body: [{type: money, values: SELECT 3000 AS value}]}\n"
    "    must_not_state: {body: [{type: text, values: SELECT 'secret' AS value}, {type: id, values: SELECT 'F-77' AS value}]}\n"
)


def test_a_letter_that_is_too_long_to_be_read_is_at_fault_in_every_way(shop: Shop) -> None:
    """Past the end of what is read nothing may hide: neither what must not be stated nor what is not called for."""
    for must in (
        "must_state: {body: [{type: money, values: SELECT 3000 AS value}]}",
        "must_not_state: {body: [{type: text, values: SELECT 'secret' AS value}]}",
    ):
        s = shop(
            "expect:\n  - insert: letters\n    rows: SELECT 3 AS order_id\n    open: [body]\n    wrong: SELECT 1 FROM new WHERE 0\n    "
            + must
            + "\n"
        )
        assert s.passes([("write_letter", {"order_id": 3, "body": "EUR 30.00 " + "x " * 9_900})])
        verdict = s.grade([("write_letter", {"order_id": 3, "body": "EUR 30.00 " + "x " * 10_000})])
        assert verdict.reward == 0
        assert "more than 20,000 characters" in str(verdict.failed()[0].rows)
        assert verdict.findings == ()


@pytest.mark.parametrize("body", ["EUR 30.00, see file F 77", "EUR 30.00, see F77-B", "EUR 30.00, " + "x " * 9_900 + "secret"])
def test_what_must_not_be_stated_is_found_in_every_writing(shop: Shop, body: str) -> None:
    assert not shop(TEXT).passes([("write_letter", {"order_id": 3, "body": body})])
    assert shop(TEXT).passes([("write_letter", {"order_id": 3, "body": "EUR 30.00, see file F 78"})])


def test_an_update_is_held_to_what_its_text_must_state(shop: Shop) -> None:
    s = shop(
        "expect:\n  - update: orders\n    rows: SELECT 3 AS id\n    must_state: {note: [{type: date, values: SELECT '2026-05-03' AS value}]}\n"
    )
    assert s.passes([("set_note", {"order_id": 3, "note": "due on 3 May 2026"})])
    assert not s.passes([("set_note", {"order_id": 3, "note": "due on 3 May 2026 or on 4 May 2026"})])
    assert not s.passes([("set_note", {"order_id": 3, "note": "due on 3 May 2026 " + "x " * 10_000})])


def test_two_expectations_on_one_table_share_the_rows(shop: Shop) -> None:
    s = shop(
        "expect:\n"
        "  - {name: one, insert: letters, rows: SELECT 3 AS order_id, must_state: {body: [{type: id, values: SELECT 'A-1' AS value}]}}\n"
        "  - {name: two, insert: letters, rows: SELECT 3 AS order_id, must_state: {body: [{type: id, values: SELECT 'A-2' AS value}]}}\n"
    )
    one, two = ("write_letter", {"order_id": 3, "body": "on A-1"}), ("write_letter", {"order_id": 3, "body": "on A-2"})
    assert s.passes([one, two])
    assert s.passes([two, one])
    assert not s.passes([one, one])


def test_compute(shop: Shop) -> None:
    code = "def compute(tables, params):\n    best = max(tables['orders'], key=lambda row: row['total_cents'])\n    return [{'id': best['id'], 'cents': best['total_cents']}]\n"
    s = shop(
        "compute:\n  best:\n    columns: [id, cents]\n    code: |\n"
        + "".join(f"      {line}\n" for line in code.splitlines())
        + "answer: {order: SELECT id FROM best, cents: SELECT cents FROM best}\n",
        "answer: {order: {type: integer}, cents: {type: integer}}\n",
    )
    assert s.passes([], {"order": 6, "cents": "6000"})
    assert not s.passes([], {"order": 5, "cents": 6000})


def test_untouched_health_is_decided_before_the_agent_acts(shop: Shop) -> None:
    cases = {
        "expect: [{insert: refunds, rows: SELECT id AS order_id FROM before.orders WHERE id = 99}]\n": "vacuous",
        "demand: [{name: d, rows: SELECT id FROM orders}]\n": "vacuous",
        "forbid: [{name: f, rows: \"SELECT json_extract('{', '$.a')\"}]\n": "fails on the untouched state",
        "forbid: [{name: f, rows: \"SELECT 1 WHERE states_only('x', 'money', '{')\"}]\n": "no JSON array",
        "forbid: [{name: f, rows: \"SELECT 1 WHERE states('x', 'mony', 5)\"}]\n": "no type 'mony'",
        "forbid: [{name: f, rows: WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i FROM c WHERE i < 0}]\n": "steps",
    }
    for text, reason in cases.items():
        s = shop(text)
        for calls in ([], GOOD):
            verdict = s.grade(calls)
            assert verdict.status == "error", text
            assert verdict.reward is None
            assert reason in verdict.reason


class Torn:
    """Evidence that breaks in the middle of grading."""

    lost, started, ended, answer = None, "2026-05-04T09:00:00", "2026-05-04T09:00:00", None

    @property
    def changes(self) -> Any:
        raise RecursionError("too deep")


def test_whatever_grading_raises_after_the_agent_acted_is_a_failure(shop: Shop) -> None:
    s = shop(REFUND)
    verdict = s.verifier.grade(s.instance, Torn())
    assert (verdict.status, verdict.reward, verdict.findings) == ("fail", 0, ("verifier-overrun",))
    assert "RecursionError: too deep" in verdict.reason
    assert s.passes(GOOD)


def test_whatever_grading_raises_before_the_agent_acted_is_an_error(shop: Shop) -> None:
    s = shop(REFUND)
    broken = msgspec.structs.replace(s.instance, until="no time at all")
    verdict = s.verifier.grade(broken, None)
    assert (verdict.status, verdict.reward) == ("error", None)
    assert verdict.reason.startswith("grading the untouched state fails: UsageError: got 'no time at all'")
    assert s.passes(GOOD)


def test_compute_that_fails_is_an_error(shop: Shop) -> None:
    s = shop(
        'compute: {c: {columns: [a], code: "def compute(tables, params): return 1 / 0"}}\nanswer: {x: SELECT a FROM c}\n',
        "answer: {x: {type: integer}}\n",
    )
    assert s.grade([], {"x": 1}).status == "error"


def test_no_evidence_is_an_error_and_no_reward(shop: Shop) -> None:
    s = shop(REFUND)
    verdict = s.verifier.grade(s.instance, None)
    assert (verdict.status, verdict.reward) == ("error", None)


@pytest.mark.parametrize(
    ("text", "field", "message"),
    [
        ("expect: [{insert: nowhere, rows: SELECT 1 AS x}]\n", "expect[0].insert", "not a table"),
        ("expect: [{insert: refunds, update: orders, rows: SELECT 1 AS id}]\n", "expect[0]", "exactly one"),
        ("expect: [{insert: refunds, rows: SELECT 1 AS nope}]\n", "expect[0].rows", "not a column"),
        ("expect: [{update: orders, rows: SELECT 'a' AS status}]\n", "expect[0].rows", "primary key"),
        ("expect: [{insert: refunds, rows: SELECT 1 AS order_id, open: [order_id]}]\n", "expect[0].open", "both pinned and open"),
        ("expect: [{insert: refunds, rows: DELETE FROM orders}]\n", "expect[0].rows", "writes"),
        ("forbid: [{name: f, rows: SELECT * FROM sqlite_master}]\n", "forbid[0]", "sqlite_master"),
        ("answer: {y: SELECT 1}\n", "answer.y", "asks for no"),
        ("define: {orders: SELECT 1}\nforbid: [{name: f, rows: SELECT 1 WHERE 0}]\n", "define.orders", "taken"),
    ],
)
def test_broken_verifiers_are_named(shop: Shop, text: str, field: str, message: str) -> None:
    with pytest.raises(PackError) as caught:
        shop(text)
    assert caught.value.field == field
    assert message in str(caught.value)
    assert caught.value.file.endswith("verifier.yaml")
