"""Eight faults of a provider, each injected into a rollout over the real client libraries: handled, counted, within the budget."""

from __future__ import annotations

import json

import msgspec
import pytest

from worldwright.ledger import Ledger
from worldwright.model import Access, Budget, Patience, Price
from worldwright.model.recorded import RecordingModel, read_recording
from worldwright.model.secrets import Secrets
from worldwright.rollout import Job, collect, write_trajectories
from worldwright.solver.chat import ChatSolver
from worldwright.verifier import Status
from worldwright.world.protocol import StopReason

from .desk import clerk
from .loopback import Reply

KEY = "sk-loopback-0123456789"
FORMS = [(form, stream) for form in ("openai", "anthropic") for stream in (False, True)]


class Rig:
    """A rollout of one attempt whose provider does something wrong at some requests."""

    def __init__(self, provider, hosted, tmp_path, form, stream, fault, at=(2,), tries=3, timeout=20.0, budget=None, usage=(11, 7)):
        def answer(request, n):
            reply = fault(request) if n in at else clerk(request, n)
            reply.usage = usage
            return reply

        self.waits: list[float] = []
        self.server = provider(form, answer)
        self.ledger = Ledger(tmp_path / "ledger.jsonl")
        self.budget = budget or Budget(tokens=1_000_000, cents=10_000.0)
        secrets = Secrets()
        secrets.add("LOOPBACK_KEY", KEY)
        self.access = Access(
            hosted(self.server, stream=stream, timeout=timeout, key=KEY),
            budget=self.budget,
            patience=Patience(tries=tries),
            price=Price(100.0, 1000.0),
            ledger=self.ledger,
            secrets=secrets,
            sleep=self.waits.append,
        )
        self.path = tmp_path / "run.jsonl"

    def run(self, hire, complaint, n=1):
        jobs = [Job(complaint, ChatSolver(self.access), seed) for seed in range(n)]
        return list(write_trajectories(self.path, collect(jobs, hire.digest)))

    def steps(self):
        return [entry.step for entry in self.ledger.entries()]


@pytest.fixture
def rig(provider, hosted, tmp_path):
    return lambda *args, **named: Rig(provider, hosted, tmp_path, *args, **named)


def error(form, status, kind, text, headers=()):
    body = {"error": {"type": kind, "message": text, "code": kind}}
    return Reply(status=status, body=body if form == "openai" else {"type": "error", **body}, headers=dict(headers))


@pytest.mark.parametrize("form, stream", FORMS)
@pytest.mark.parametrize(
    "fault, kind",
    [
        (lambda form: error(form, 429, "rate_limit_error", "slow down", {"retry-after": "7"}), "rate-limited"),
        (lambda form: error(form, 500, "api_error", "oops"), "server-error"),
        (lambda form: Reply(raw=b"<html>not json at all"), "malformed"),
    ],
    ids=["429", "500", "invalid JSON"],
)
def test_transient_fault_is_overcome_and_counted(rig, hire, complaint, form, stream, fault, kind):
    one = rig(form, stream, lambda _: fault(form))
    [run] = one.run(hire, complaint)
    assert run.verdict.status is Status.PASS
    assert run.spent.faults == {kind: 1}
    assert one.steps().count(kind) == 1
    assert len(one.steps()) == len(one.server.asked) == run.spent.requests + 1
    assert len(one.waits) == 1
    assert one.waits[0] >= (7 if kind == "rate-limited" else 0.5)
    assert one.access.faults == {kind: 1}


@pytest.mark.parametrize("form, stream", FORMS)
def test_timeout_is_overcome_and_counted(rig, hire, complaint, form, stream):
    one = rig(form, stream, lambda _: Reply(hang=30), timeout=1.0)
    [run] = one.run(hire, complaint)
    assert (run.verdict.status, run.spent.faults) == (Status.PASS, {"timeout": 1})
    assert one.steps().count("timeout") == 1


@pytest.mark.parametrize("form", ["openai", "anthropic"])
@pytest.mark.parametrize("cut", [0.3, 0.8])
def test_truncated_stream_is_overcome_and_counted(rig, hire, complaint, form, cut):
    def short(request):
        whole = clerk(request, 2)
        whole.cut = int(900 * cut)
        return whole

    one = rig(form, True, short)
    [run] = one.run(hire, complaint)
    assert run.verdict.status is Status.PASS
    assert sum(run.spent.faults.values()) == 1
    assert set(run.spent.faults) <= {"cut-off", "connection", "malformed"}


@pytest.mark.parametrize("form", ["openai", "anthropic"])
def test_stream_that_ends_politely_before_its_end_is_a_fault(rig, hire, complaint, form):
    """All events are whole and the body has its length, but the last ones are missing: no answer may be made of it."""

    def short(request):
        whole = clerk(request, 2)
        data = one.server._stream(whole)
        events = data.split(b"\n\n")
        return Reply(raw=b"\n\n".join(events[: len(events) - 4]) + b"\n\n", headers={"content-type": "text/event-stream"})

    one = rig(form, True, short)
    [run] = one.run(hire, complaint)
    assert run.verdict.status is Status.PASS
    assert sum(run.spent.faults.values()) == 1


@pytest.mark.parametrize("form, stream", FORMS)
def test_refusal_leaves_no_verdict(rig, hire, complaint, form, stream):
    one = rig(form, stream, lambda _: Reply("I can't help.", stop="content_filter" if form == "openai" else "refusal"))
    [run] = one.run(hire, complaint)
    assert (run.trace.stop, run.reward, run.is_masked) == (StopReason.SOLVER_ERROR, None, True)
    assert (run.spent.fault, run.spent.faults) == ("refused", {"refused": 1})
    assert len(one.server.asked) == 2  # asking the same again is no way out


@pytest.mark.parametrize("form, stream", FORMS)
def test_truncated_answer_leaves_no_verdict(rig, hire, complaint, form, stream):
    one = rig(form, stream, lambda _: Reply("I was about to", stop="length" if form == "openai" else "max_tokens"))
    [run] = one.run(hire, complaint)
    assert (run.trace.stop, run.reward, run.spent.fault) == (StopReason.SOLVER_ERROR, None, "truncated")
    assert one.ledger.entries()[-1].cost.tokens == 18  # what was said before is paid for


@pytest.mark.parametrize("form, stream", FORMS)
def test_call_of_an_unknown_tool_is_the_agents_own_fault(rig, hire, complaint, form, stream):
    one = rig(form, stream, lambda _: Reply(calls=[("launch_rocket", {"when": "now"})]), at=(1,))
    [run] = one.run(hire, complaint)
    assert (run.verdict.status, run.trace.counts.refused) == (Status.PASS, 1)
    assert run.spent.faults == {}


def test_arguments_that_are_no_json_are_the_agents_own_fault(rig, hire, complaint):
    one = rig("openai", False, lambda _: Reply(calls=[("ask_carrier", '{"rental_id": ')]))
    [run] = one.run(hire, complaint)
    assert (run.verdict.status, run.trace.counts.refused) == (Status.PASS, 1)


ODD = [
    '{"rental_id": NaN}',
    '{"rental_id": 1e999}',
    '{"rental_id": "\\ud800"}',
    '{"rental_id": 1' + "0" * 400 + "}",
    "[" * 3_000 + "]" * 3_000,
    '"text"',
    "null",
]


@pytest.mark.parametrize("odd", ODD, ids=["NaN", "infinity", "half a character", "huge", "deep", "text", "null"])
def test_odd_arguments_are_refused_by_the_world_and_replay(rig, hire, complaint, tmp_path, odd):
    """What JSON can't carry on is refused, written down, and comes back the same."""
    one = rig("openai", False, lambda _: Reply("half: \ud800", calls=[("ask_carrier", odd)]))
    record = RecordingModel(one.access, tmp_path / "calls.jsonl")
    runs = []
    for model in (record, None):
        model = model or read_recording(tmp_path / "calls.jsonl")
        runs += collect([Job(complaint, ChatSolver(model), 0)], hire.digest)
    assert (runs[0].verdict.status, runs[0].trace.counts.refused) == (Status.PASS, 1)
    assert msgspec.json.encode(runs[0]) == msgspec.json.encode(runs[1])


@pytest.mark.parametrize("form, stream", FORMS)
@pytest.mark.parametrize("echo", ["text", "arguments", "error"])
def test_secret_that_the_server_echoes_is_kept_nowhere(rig, hire, complaint, tmp_path, form, stream, echo):
    replies = {
        "text": lambda _: Reply(f"Your key is {KEY}.", calls=[("search_handbook", {"query": "credit"})]),
        "arguments": lambda _: Reply(calls=[("search_handbook", {"query": KEY})]),
        "error": lambda _: error(form, 401, "authentication_error", f"the key {KEY} is unknown"),
    }
    one = rig(form, stream, replies[echo])
    [run] = one.run(hire, complaint)
    assert KEY in json.dumps(one.server.headers)  # it did reach the server, and came back
    for path in tmp_path.iterdir():
        assert KEY.encode() not in path.read_bytes(), path.name
    assert "[secret LOOPBACK_KEY]" in one.path.read_text()
    assert run.is_masked is (echo == "error")


@pytest.mark.parametrize("form, stream", FORMS)
def test_provider_that_stays_down_ends_the_attempt_without_a_verdict(rig, hire, complaint, form, stream):
    one = rig(form, stream, lambda _: error(form, 503, "overloaded_error", "busy"), at=range(1, 100))
    runs = one.run(hire, complaint, n=2)
    assert [run.reward for run in runs] == [None, None]
    assert [run.spent.faults for run in runs] == [{"server-error": 3}] * 2
    assert len(one.steps()) == len(one.server.asked) == 6
    assert one.waits[1] > one.waits[0]  # growing, within what chance allows


def test_budget_holds_over_faults_and_ends_cleanly(rig, hire, complaint):
    budget = Budget(tokens=30_000)
    one = rig("openai", False, lambda _: error("openai", 500, "api_error", "oops"), budget=budget, usage=(900, 100))
    runs = one.run(hire, complaint, n=40)
    assert len(runs) == 40  # nothing is lost: each has its line
    assert budget.is_spent
    assert 20_000 < budget.used.tokens <= 30_000
    last = runs[-1]
    assert (last.trace.stop, last.reward, last.spent.fault) == (StopReason.SOLVER_ERROR, None, "budget")
    spent = sum(run.spent.tokens_in + run.spent.tokens_out for run in runs)
    assert spent == sum(entry.cost.tokens for entry in one.ledger.entries()) == budget.used.tokens
