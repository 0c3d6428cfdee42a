"""Guarded access: retries, pace, budgets, prices, the ledger and secrets, with a scripted model and a clock of the test's own."""

from __future__ import annotations

import base64
import json
import random
import threading
import urllib.parse

import pytest

from worldwright.errors import ModelError
from worldwright.ledger import Ledger
from worldwright.model import Access, Budget, Completion, Message, Pace, Patience, Price, Request, ScriptedModel, Settings, ToolUse, Use
from worldwright.model.prices import price_of
from worldwright.model.secrets import Secrets

REQUEST = Request("solver", "m", "", (Message("user", "Hello"),), settings=Settings(100))
SAID = Completion("Hi", tokens_in=10, tokens_out=5)


def fault(kind, **named):
    return ModelError("it failed", kind=kind, **named)


class Time:
    """A clock that sleeping moves."""

    def __init__(self):
        self.now, self.slept = 100.0, []

    def clock(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


def test_waits_grow_and_are_the_same_for_the_same_seed():
    def waits(seed):
        time = Time()
        access = Access(ScriptedModel([fault("timeout")] * 4 + [SAID]), seed=seed, patience=Patience(5, 1.0, 60.0), sleep=time.sleep)
        assert access.complete(REQUEST).faults == ("timeout",) * 4
        return time.slept

    assert waits(1) == waits(1) != waits(2)
    for n, wait in enumerate(waits(3)):
        assert 0.5 * 2**n <= wait <= 2**n


def test_wait_is_at_least_what_the_provider_asks_for_and_bounded():
    patience = Patience(5, 1.0, 60.0)
    assert 30 <= patience.pause(1, 30.0, random.Random(0)) <= 31
    assert patience.pause(1, 1e9, random.Random(0)) <= 61
    assert patience.pause(60, 0.0, random.Random(0)) <= 60


@pytest.mark.parametrize("kind", ["truncated", "refused", "rejected", "budget"])
def test_lasting_fault_is_not_tried_again(kind):
    model = ScriptedModel([fault(kind), SAID])
    with pytest.raises(ModelError) as caught:
        Access(model, sleep=lambda _: None).complete(REQUEST)
    assert caught.value.kind == kind
    assert len(model.asked) == 1


def test_last_fault_tells_of_those_before():
    with pytest.raises(ModelError, match=r"it failed \(after 2 tries\)") as caught:
        Access(ScriptedModel([fault("timeout"), fault("server-error")]), patience=Patience(2), sleep=lambda _: None).complete(REQUEST)
    assert (caught.value.kind, caught.value.faults) == ("server-error", ("timeout",))


def test_pace_by_requests_and_by_tokens():
    time = Time()
    pace = Pace(2, 0, time.clock, time.sleep)
    for _ in range(5):
        pace.wait(10)
    assert time.now == pytest.approx(100 + 120)
    time = Time()
    pace = Pace(0, 100, time.clock, time.sleep)
    for tokens in (60, 40, 1, 500):  # the last is more than the limit: it goes alone
        pace.wait(tokens)
    assert time.now == pytest.approx(100 + 120)


def test_budget_refuses_what_might_not_fit_and_gives_back_what_was_not_used():
    budget = Budget(tokens=200)
    access = Access(ScriptedModel(lambda _: SAID), budget=budget)
    model = access.inner
    with pytest.raises(ModelError, match="the budget of 200 tokens has"):
        [access.complete(REQUEST) for _ in range(100)]
    made = len(model.asked)
    assert made >= 3
    assert budget.used == Use(15 * made, 0.0)
    assert budget.used.tokens <= 200


def test_money_is_counted_by_price_and_kept():
    budget = Budget(cents=1.0)
    access = Access(ScriptedModel(lambda _: Completion("x", tokens_in=10, tokens_out=100)), budget=budget, price=Price(100.0, 1_000.0))
    assert access.complete(REQUEST).cents == pytest.approx(0.101)
    with pytest.raises(ModelError, match=r"the budget of 1 cents"):
        [access.complete(REQUEST) for _ in range(20)]
    assert budget.used.cents <= 1.0


def test_what_failed_tries_used_is_in_the_counts_and_once_in_the_ledger(tmp_path):
    """As of a stream that broke off after its usage: the attempt pays for it."""
    cut = fault("cut-off", billed=True, tokens=(30, 20))
    budget, ledger = Budget(), Ledger(tmp_path / "ledger.jsonl")
    access = Access(
        ScriptedModel([cut, cut, SAID, cut, cut]),
        budget=budget,
        ledger=ledger,
        price=Price(1_000.0, 10_000.0),
        patience=Patience(3),
        sleep=lambda _: None,
    )
    got = access.complete(REQUEST)
    assert (got.tokens_in, got.tokens_out, got.faults) == (70, 45, ("cut-off", "cut-off"))
    assert got.cents == pytest.approx((70 * 1_000 + 45 * 10_000) / 1_000_000)
    assert budget.used.tokens == sum(entry.cost.tokens for entry in ledger.entries()) == 115
    access._patience = Patience(2)
    with pytest.raises(ModelError) as caught:
        access.complete(REQUEST)
    assert caught.value.tokens == (60, 40)
    assert budget.used.tokens == sum(entry.cost.tokens for entry in ledger.entries()) == 215


def test_characters_of_several_bytes_may_be_several_tokens():
    asked = Request("solver", "m", "", (Message("user", "\u6f22" * 2_000),), settings=Settings(100))
    access = Access(ScriptedModel([SAID]), budget=Budget(tokens=2_900))
    with pytest.raises(ModelError, match="the budget of 2,900 tokens has"):
        access.complete(asked)


def test_request_that_may_have_been_charged_counts_at_its_worst():
    budget = Budget(tokens=10_000)
    access = Access(ScriptedModel([fault("timeout", billed=True), SAID]), budget=budget, sleep=lambda _: None)
    access.complete(REQUEST)
    assert budget.used.tokens > 100 + 15


def test_budget_holds_for_many_threads():
    budget = Budget(tokens=5_000)
    access = Access(ScriptedModel(lambda _: Completion("x", tokens_in=10, tokens_out=100)), budget=budget)

    def work():
        for _ in range(20):
            try:
                access.complete(REQUEST)
            except ModelError:
                return

    threads = [threading.Thread(target=work) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert 4_000 < budget.used.tokens <= 5_000
    assert access.faults["budget"] >= 1


def test_every_request_is_in_the_ledger_with_faults_apart(tmp_path):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    access = Access(
        ScriptedModel([fault("timeout"), SAID, fault("refused", tokens=(7, 1))]), ledger=ledger, price=Price(1e6, 1e6), sleep=lambda _: None
    )
    access.complete(REQUEST)
    with pytest.raises(ModelError):
        access.complete(REQUEST)
    entries = ledger.entries()
    assert [(one.step, one.cost.tokens, one.cost.cents) for one in entries] == [
        ("timeout", 0, 0.0),
        ("request", 15, 15.0),
        ("refused", 8, 8.0),
    ]
    assert {(one.stage, one.artefact) for one in entries} == {("model", "solver/scripted")}


def test_tokens_are_estimated_where_nobody_counts():
    got = Access(ScriptedModel([Completion("x" * 40)])).complete(REQUEST)
    assert (got.estimated, got.tokens_out) == (True, 10)
    assert got.tokens_in > 0


FORMS = [
    lambda key: key,
    lambda key: urllib.parse.quote(key, safe=""),
    lambda key: base64.b64encode(key.encode()).decode(),
    lambda key: json.dumps(key)[1:-1],
]


@pytest.mark.parametrize("form", FORMS, ids=["plain", "percent", "base64", "json"])
def test_secret_is_hidden_in_every_form_and_place(form):
    key = 'sk/"secret"+ü='
    shown = form(key)
    secrets = Secrets()
    secrets.add("KEY", key)
    secrets.add("SHORT", "abc")
    said = Completion(
        f"a {shown} b", (ToolUse(shown, f"t{shown}", {"x": [shown, 1], shown: None}),), id=shown, kept=({"signature": shown},)
    )
    got = Access(ScriptedModel([said, ModelError(f"bad {shown}" + "x" * 2_000, kind="rejected")]), secrets=secrets).complete(REQUEST)
    assert shown not in repr(got)
    assert got.text == "a [secret KEY] b"
    assert key not in repr(secrets)
    assert secrets.hide("abc") == "abc"


def test_secret_at_the_cut_of_a_long_error_is_not_left_in_half():
    secrets = Secrets()
    secrets.add("KEY", "0123456789abcdef")
    for start in range(980, 1_002):
        text = "x" * start + "0123456789abcdef"
        with pytest.raises(ModelError) as caught:
            Access(ScriptedModel([ModelError(text, kind="rejected")]), secrets=secrets).complete(REQUEST)
        assert "0123" not in str(caught.value)


def test_prices_know_dated_names_and_guess_nothing():
    assert price_of("anthropic", "claude-haiku-4-5-20251001") == price_of("anthropic", "claude-haiku-4-5") == Price(100.0, 500.0)
    assert price_of("openai", "claude-haiku-4-5") is None
    assert price_of("openai", "gpt-4.1-mini-turbo") is None
