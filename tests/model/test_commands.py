"""Commands with models: configuration, recording and replay to the byte, budgets, the queue, the judge."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

import pytest

from worldwright.cli.main import run
from worldwright.ledger import read_ledger

from .desk import clerk
from .loopback import Provider, Reply

TASK = str(Path(__file__).parents[2] / "examples" / "tool-hire" / "tool-hire" / "decide-on-a-complaint")
KEY = "sk-loopback-0123456789"


@pytest.fixture
def command(capsys, monkeypatch, tmp_path):
    """Runs a command in an empty folder; gives its exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def end(*argv):
        with pytest.raises(SystemExit) as caught:
            run([str(one) for one in argv])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        assert KEY not in out + err
        return caught.value.code, out, err

    return end


@pytest.fixture
def configured(provider, monkeypatch, tmp_path):
    """A worldwright.toml whose solver is a loopback server."""
    pytest.importorskip("pydantic_ai", reason="the packages of worldwright[model] are not installed")

    def make(answer=clerk, form="openai", more="", role="") -> Provider:
        server = provider(form, answer)
        monkeypatch.setenv("LOOPBACK_KEY", KEY)
        (tmp_path / "worldwright.toml").write_text(
            f'[models.desk]\nprovider = "{form}"\nmodel = "served"\nbase_url = "{server.url}"\nkey = "LOOPBACK_KEY"\n{more}\n'
            f'[roles.default]\nmodel = "desk"\n{role}\n'
        )
        return server

    return make


@pytest.mark.parametrize("solver", ["chat", "code"])
@pytest.mark.parametrize("form", ["openai", "anthropic"])
def test_recorded_run_is_replayed_byte_for_byte(command, configured, complaint, tmp_path, form, solver):
    source = complaint.reference.source
    server = configured(clerk if solver == "chat" else lambda request, n: Reply(f"```python\n{source}```"), form)
    code, out, err = command(
        "rollout",
        TASK,
        "-s",
        solver,
        "--seeds",
        2,
        "-k",
        2,
        "-o",
        "a.jsonl",
        "--record",
        "calls.jsonl",
        "--ledger",
        "ledger.jsonl",
        "--json",
    )
    assert code == 0, err
    line = json.loads(out)["lines"][0]
    assert (line["passed"], line["n"], line["any_k"], line["all_k"]) == (4, 4, 1.0, 1.0)
    asked = len(server.asked)
    assert len(read_ledger(tmp_path / "ledger.jsonl")) == asked
    server.close()
    code, _, err = command("rollout", TASK, "-s", solver, "-m", "recorded:calls.jsonl", "--seeds", 2, "-k", 2, "-o", "b.jsonl")
    assert code == 0, err
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert len(server.asked) == asked
    for path in tmp_path.iterdir():
        assert KEY.encode() not in path.read_bytes()


@pytest.mark.parametrize("role", ["tokens = 8000", "tokens_per_attempt = 20", ""])
def test_replay_is_the_same_with_settings_and_budgets_of_the_run(command, configured, tmp_path, role):
    """Also where a budget ended the run or each attempt, and with other settings than the default."""
    configured(more="max_tokens = 333\ntemperature = 0.25\n", role=role)
    sizes = []
    for name, more in (("a", ("--record", "calls.jsonl")), ("b", ("-m", "recorded:calls.jsonl"))):
        code, _, err = command("rollout", TASK, "-s", "chat", "--seeds", 200, "-o", f"{name}.jsonl", *more)
        assert code == 0, err
        sizes.append(len((tmp_path / f"{name}.jsonl").read_text().splitlines()))
    assert (sizes[0] < 200) is role.startswith("tokens =")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert (tmp_path / "a.ledger.jsonl").exists()
    assert not (tmp_path / "b.ledger.jsonl").exists()


def test_recording_is_gone_on_with_and_pays_nothing_twice(command, configured, tmp_path):
    """A run that broke off: its completions are used, its faults and a line cut short are asked for again."""
    down = [False]
    server = configured(lambda request, n: Reply("no", stop="content_filter") if down[0] else clerk(request, n))
    command("rollout", TASK, "-s", "chat", "--seeds", 2, "-o", "a.jsonl", "--record", "calls.jsonl")
    paid = len(server.asked)
    down[0] = True
    command("rollout", TASK, "-s", "chat", "--seeds", 3, "-o", "b.jsonl", "--record", "calls.jsonl")
    assert len(server.asked) == paid + 1
    with (tmp_path / "calls.jsonl").open("a") as file:
        file.write('{"version": 1, "key": "half a li')
    down[0] = False
    code, out, _ = command("rollout", TASK, "-s", "chat", "--seeds", 3, "-o", "c.jsonl", "--record", "calls.jsonl", "--json")
    assert (code, json.loads(out)["lines"][0]["passed"]) == (0, 3)
    assert (tmp_path / "c.jsonl").read_bytes().startswith((tmp_path / "a.jsonl").read_bytes())
    command("rollout", TASK, "-s", "chat", "--seeds", 3, "-o", "d.jsonl", "-m", "recorded:calls.jsonl")
    assert (tmp_path / "c.jsonl").read_bytes() == (tmp_path / "d.jsonl").read_bytes()


def test_recording_of_a_recording_is_refused(command, tmp_path):
    (tmp_path / "calls.jsonl").touch()
    code, _, err = command("rollout", TASK, "-s", "chat", "-m", "recorded:calls.jsonl", "--record", "again.jsonl")
    assert (code, "can't be recorded again" in err) == (2, True)


def test_attempt_that_a_provider_ended_is_replayed_too(command, configured, tmp_path):
    configured(lambda request, n: Reply("no", stop="content_filter"))
    for name, more in (("a", ("--record", "calls.jsonl")), ("b", ("-m", "recorded:calls.jsonl"))):
        code, _, err = command("rollout", TASK, "-s", "chat", "--seeds", 2, "-o", f"{name}.jsonl", *more)
        assert code == 0, err
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert b'"refused"' in (tmp_path / "b.jsonl").read_bytes()


def test_replay_of_something_else_names_the_request_and_the_difference(command, configured, tmp_path):
    configured()
    command("rollout", TASK, "-s", "chat", "--seeds", 1, "-o", "a.jsonl", "--record", "calls.jsonl")
    code, out, _ = command(
        "rollout", TASK, "-s", "chat", "-m", "recorded:calls.jsonl", "--wording", 0, "--help-level", 1, "--seeds", 1, "-o", "b.jsonl"
    )
    assert code == 0
    assert "not-recorded" in out
    detail = json.loads((tmp_path / "b.jsonl").read_text())["trace"]["detail"]
    assert "calls.jsonl holds no request" in detail
    assert "messages[0].text, character" in detail


def test_money_budget_ends_the_run_and_says_so(command, configured, tmp_path):
    server = configured(
        lambda request, n: clerk(request, n), more="input_price = 1000.0\noutput_price = 1000.0\nmax_tokens = 100", role="cents = 6.0"
    )
    code, out, err = command("rollout", TASK, "-s", "chat", "--seeds", 400, "-o", "a.jsonl", "--ledger", "ledger.jsonl")
    assert code == 0
    assert "a budget is used up" in err
    assert "1 budget" in out
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert 1 < len(lines) < 400
    assert lines[-1]["reward"] is None
    assert sum(entry.cost.cents for entry in read_ledger(tmp_path / "ledger.jsonl")) <= 6.0
    assert len(server.asked) > 20


def test_attempt_budget_ends_the_attempt_alone(command, configured, tmp_path):
    configured(role="tokens_per_attempt = 20")
    code, out, _ = command("rollout", TASK, "-s", "chat", "--seeds", 3, "-o", "a.jsonl")
    assert code == 0
    assert "3 budget" in out


def test_model_without_tools_is_held_to_json_by_its_server(command, configured):
    """`tools = "json"`: the request asks for a JSON schema instead of tools, and the conversation goes on in plain messages."""

    def answer(request, n):
        first = request["messages"][-1]["content"]
        call = {"tool": "clock", "args": {}} if n == 1 else {"tool": "answer", "args": {"decision": "declined", "days_late": 0}}
        assert n == 1 or first.startswith("Result of clock:")
        return Reply(json.dumps(call))

    server = configured(answer, more='tools = "json"')
    code, out, err = command("rollout", f"{TASK}@0", "-s", "chat", "--json", "-o", "a.jsonl")
    assert code == 0, err
    assert json.loads(out)["lines"][0]["n"] == 1
    asked = server.asked[0]
    assert "tools" not in asked
    assert {one["properties"]["tool"]["const"] for one in asked["response_format"]["json_schema"]["schema"]["anyOf"]} >= {"clock", "answer"}


def test_judge_words(command, configured, tmp_path):
    """A model that needs the handbook's page: the clerk with the page found only in what it is told."""

    def reader(request, n):
        reply = clerk(request, n)
        if "The handbook says on this" in json.dumps(request["messages"][:2]):
            return reply
        return Reply(calls=[("answer", {"decision": "granted", "days_late": 99})])

    configured(reader)
    code, out, err = command("judge", TASK, "--json", "-o", "j.jsonl")
    assert code == 1, err
    [one] = json.loads(out)["judgements"]
    assert one["word"] == "under-specified"
    assert [rung["rung"] for rung in one["rungs"]] == ["brief", "clause"]
    assert len((tmp_path / "j.jsonl").read_text().splitlines()) == sum(rung["n"] for rung in one["rungs"])
    assert {entry.artefact for entry in read_ledger(tmp_path / "j.ledger.jsonl")} == {"judge/served"}


@pytest.mark.parametrize(
    "text, words",
    [
        ("[models.x]\nprovider = 'openai'\n", "models.x.model: missing"),
        ("[models.x]\nprovider = 'closedai'\n", "models.x"),
        ("[models.x]\nprovider = 'openai'\nmodel = 'm'\napi_key = 'sk-1234567'\n", "api_key"),
        ("[models.x]\nprovider = 'openai'\nmodel = 'm'\nkey = 'sk-loopback-0123'\n", "the key itself doesn't belong into a file"),
        ("[roles.chef]\nmodel = 'x'\n", "roles.chef: no such role"),
        ("[models.x\n", "not TOML"),
        ("[roles.solver]\ntokens = -1\n", "a budget below 0"),
        ("[models.x]\nprovider = 'openai'\nmodel = 'm'\ntries = 0\n", "must be at least 1"),
        ("[models.x]\nprovider = 'openai'\nmodel = 'm'\ninput_price = 1.0\n", "both input_price and output_price"),
        ("[budget]\ncents = 1\n", "budget: unknown"),
        *(
            (f"[models.x]\nprovider = 'openai'\nmodel = 'm'\nbase_url = 'http://h/v1'\n{line}\n[roles.solver]\nmodel = 'x'\n", "models.x")
            for line in (
                "requests_per_minute = -1",
                "tokens_per_minute = -1",
                "temperature = nan",
                "temperature = -1.0",
                "input_price = -1.0\noutput_price = 1.0",
                "input_price = nan\noutput_price = 1.0",
                "timeout = nan",
                "timeout = inf",
                "threads = 0",
            )
        ),
        ("[roles.solver]\ncents = nan\n", "a budget below 0, or one that is no number"),
        ("[roles.solver]\ncents = inf\n", "a budget below 0, or one that is no number"),
        ("[roles.solver]\ncents_per_attempt = nan\n", "a budget below 0, or one that is no number"),
        ("[models.x]\nprovider = 'openai'\nmodel = 'm'\nbase_url = 'http://['\n[roles.solver]\nmodel = 'x'\n", "is no address"),
        ("[models.x]\nprovider = 'openai'\nmodel = 'm'\nbase_url = 'http://h/v1?k=1'\n[roles.solver]\nmodel = 'x'\n", "behind ? or #"),
        ("[models.x]\nprovider = 'openai'\nmodel = 'm'\nbase_url = 'localhost:80'\n[roles.solver]\nmodel = 'x'\n", "is no address"),
        (
            "[models.x]\nprovider = 'openai'\nmodel = 'm'\nbase_url = 'http://h/v1'\n[roles.solver]\nmodel = 'x'\ncents = 5\n",
            "no price is known",
        ),
        ("[models.x]\nprovider = 'recorded'\nfile = 'gone.jsonl'\n[roles.solver]\nmodel = 'x'\n", "gone.jsonl"),
        ("[roles.solver]\nmodel = 'ghost'\n", "there is no model 'ghost'"),
        ("", "no model is set for the role solver"),
    ],
)
def test_bad_configuration_is_a_clear_error(command, tmp_path, text, words):
    (tmp_path / "worldwright.toml").write_text(text)
    code, _, err = command("rollout", TASK, "-s", "chat")
    assert code == 2
    assert words in err


def test_a_key_in_the_file_is_not_repeated(command, tmp_path):
    """Somebody takes `key` for the key itself, which looks like a name."""
    (tmp_path / "worldwright.toml").write_text("[models.x]\nprovider = 'openai'\nmodel = 'm'\nkey = 'sk_live_0123456789abcdef'\n")
    for argv in (("model", "list"), ("model", "ask", "Hello?", "-m", "x"), ("doctor",)):
        _, out, err = command(*argv)
        assert "0123456789abcdef" not in out + err


def test_what_an_address_carries_is_not_shown(command, tmp_path):
    (tmp_path / "worldwright.toml").write_text(
        "[models.x]\nprovider = 'openai'\nmodel = 'm'\nbase_url = 'http://bob:hunter2-secret@127.0.0.1:9/v1?api_key=another-secret'\n"
    )
    for argv in (("model", "list"), ("model", "list", "--json")):
        code, out, err = command(*argv)
        assert (code, "127.0.0.1:9/v1" in out) == (0, True)
        assert "secret" not in out + err
    assert "secret" not in "".join(command("model", "ask", "Hello?", "-m", "x")[1:])


def test_an_address_of_ones_own_gets_no_key_that_it_is_not_given(command, provider, monkeypatch, tmp_path):
    pytest.importorskip("pydantic_ai", reason="the packages of worldwright[model] are not installed")
    server = provider("openai", lambda request, n: Reply("Yes."))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for line, sent in (("", "not-needed"), ("key = 'OPENAI_API_KEY'", KEY)):
        (tmp_path / "worldwright.toml").write_text(f"[models.x]\nprovider = 'openai'\nmodel = 'm'\nbase_url = '{server.url}'\n{line}\n")
        code, out, err = command("model", "ask", "Say yes.", "-m", "x")
        assert (code, out) == (0, "Yes.\n"), err
        assert server.headers[-1]["authorization"] == f"Bearer {sent}"
    monkeypatch.delenv("OPENAI_API_KEY")
    assert "OPENAI_API_KEY isn't set" in command("model", "ask", "Say yes.", "-m", "x")[2]


def test_the_price_of_a_model_at_another_address_is_not_guessed(command, provider, monkeypatch):
    pytest.importorskip("pydantic_ai", reason="the packages of worldwright[model] are not installed")
    server = provider("openai", lambda request, n: Reply("Yes."))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    code, _, err = command("model", "ask", "Say yes.", "-m", "openai:gpt-5-mini")
    assert (code, "no price is known" in err) == (0, True)
    monkeypatch.setenv("WORLDWRIGHT_DEFAULT_CENTS", "5")
    code, _, err = command("model", "ask", "Say yes.", "-m", "openai:gpt-5-mini")
    assert (code, "no budget in cents can be kept" in err) == (2, True)


@pytest.mark.parametrize("name, value", [("TOKENS", "-5"), ("CENTS", "nan"), ("CENTS", "-0.1")])
def test_budgets_of_the_environment_are_checked_too(command, monkeypatch, name, value):
    monkeypatch.setenv(f"WORLDWRIGHT_SOLVER_{name}", value)
    code, _, err = command("model", "list")
    assert (code, "WORLDWRIGHT_SOLVER_*: a budget below 0" in err) == (2, True)


def test_environment_counts_more_than_the_file(command, monkeypatch, tmp_path):
    (tmp_path / "script.jsonl").write_text('{"calls": [{"tool": "answer", "args": {"decision": "declined", "days_late": 0}}]}\n')
    (tmp_path / "worldwright.toml").write_text("[roles.solver]\nmodel = 'ghost'\n")
    monkeypatch.setenv("WORLDWRIGHT_SOLVER_MODEL", "scripted:script.jsonl")
    code, out, err = command("rollout", TASK, "-s", "chat", "--seeds", 1)
    assert code == 0, err
    assert "chat:scripted:script" in out
    monkeypatch.setenv("WORLDWRIGHT_SOLVER_TOKENS", "many")
    assert command("rollout", TASK, "-s", "chat", "--seeds", 1)[0] == 2


def test_a_harness_without_its_packages_attempts_nothing(command, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "claude_agent_sdk", None)  # as if it weren't there
    code, _, err = command("rollout", TASK, "-s", "harness", "-m", "anthropic:a-model", "-o", "a.jsonl")
    assert (code, "pip install 'worldwright[harness]'" in err) == (2, True)
    assert not (tmp_path / "a.jsonl").exists()


def test_model_needs_a_solver_that_uses_one(command):
    code, _, err = command("rollout", TASK, "-s", "noop", "-m", "openai:gpt-5")
    assert (code, "say --solver chat" in err) == (2, True)


def test_missing_key_names_its_variable(command, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    code, _, err = command("rollout", TASK, "-s", "chat", "-m", "openai:gpt-5")
    assert (code, "OPENAI_API_KEY isn't set" in err) == (2, True)


def test_models_are_listed_without_their_keys(command, configured):
    configured()
    code, out, _ = command("model", "list")
    assert (code, "LOOPBACK_KEY" in out) == (0, True)


def test_doctor_looks_at_models_without_asking_them(command, configured, monkeypatch):
    def models():
        return next(line for line in json.loads(command("doctor", "--json")[1]) if line["check"] == "models")

    assert models()["found"] == "none is set up; nothing is sent anywhere"
    server = configured()
    assert (models()["ok"], models()["found"]) == (True, "desk, set up in worldwright.toml")
    monkeypatch.delenv("LOOPBACK_KEY")
    assert (models()["ok"], models()["found"]) == (False, "desk, set up in worldwright.toml; not set: LOOPBACK_KEY")
    Path("worldwright.toml").write_text("nonsense")
    assert "not TOML" in models()["found"]
    assert server.asked == []


def test_one_question_to_a_model(command, configured):
    configured(lambda request, n: Reply(f"You said {request['messages'][0]['content']} with {KEY}"))
    code, out, err = command("model", "ask", "Hello", "-m", "desk")
    assert (code, out) == (0, "You said Hello with [secret LOOPBACK_KEY]\n")
    assert "served: 18 tokens" in err


def test_question_to_a_model_that_refuses_the_key(command, configured):
    configured(lambda request, n: Reply(status=401, body={"error": {"message": f"bad key {KEY}"}}))
    code, _, err = command("model", "ask", "Hello", "-m", "desk")
    assert code == 1
    assert "rejected" in err
    assert "[secret LOOPBACK_KEY]" in err


def test_unknown_part_of_model(command):
    assert command("model", "serf")[0] == 2
    assert command("model", "serve")[0] == 2


LISTENING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from worldwright.cli.main import run; run()"
"""The command, also where these tests run in the background, so that the signal would be ignored."""


def test_served_queue_is_answered_by_files_and_stops_cleanly(tmp_path):
    """The command as a process of its own: a request over HTTP, an answer by a file, then the signal that Ctrl-C sends."""
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [sys.executable, "-c", LISTENING, "model", "serve", "--queue", str(tmp_path / "q")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=env,
    )
    try:
        url = process.stdout.readline().strip()
        body = json.dumps({"model": "any", "messages": [{"role": "user", "content": "Hello"}]}).encode()
        got = {}

        def ask():
            request = urllib.request.Request(f"{url}/chat/completions", body, {"content-type": "application/json"})
            with urllib.request.urlopen(request, timeout=30) as reply:
                got.update(json.load(reply))

        thread = threading.Thread(target=ask)
        thread.start()
        while not (tmp_path / "q" / "1.request.json").exists():
            time.sleep(0.02)
        asked = json.loads((tmp_path / "q" / "1.request.json").read_text())
        assert asked["request"]["messages"][0]["content"] == "Hello"
        (tmp_path / "q" / "1.response.json").write_text('{"text": "Hello yourself"}')
        thread.join(30)
        assert got["choices"][0]["message"]["content"] == "Hello yourself"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
