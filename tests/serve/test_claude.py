"""The program that the Claude Agent SDK's wheel holds, against a loopback Messages API: over stdio MCP, and as the solver `harness`.

No request leaves this machine. Left out where the extra `harness` isn't installed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from messages_api import MessagesApi, text, use
from running import COMMAND, EXAMPLES, environment

from worldwright.model.budget import Price, Use
from worldwright.pack import read_pack
from worldwright.rollout import Job, collect, read_trajectories
from worldwright.solver.harness import Endpoint, HarnessSolver

sdk = pytest.importorskip("claude_agent_sdk")
pytestmark = pytest.mark.slow

CLAUDE = Path(sdk.__file__).parent / "_bundled" / "claude"
KEY = "sk-a-key-for-the-loopback"
WORLD = "mcp__world__"
TASK = "tool-hire/credit-late-deliveries"


def turns(calls, answer, finish="submit_answer"):
    """A model's turns that make these calls, one a turn, and answer."""
    return [[use(WORLD + tool, args)] for tool, args in calls] + [[use(WORLD + finish, answer)], [text("Done.")]]


def test_the_bundled_program_does_a_task_over_stdio(tmp_path, late, reference_trace, script):
    trace, out = reference_trace(late, 0), tmp_path / "run.jsonl"
    served = {"command": sys.executable, "args": [*COMMAND[1:], "serve", f"{EXAMPLES / 'tool-hire'}/{TASK}@0", "--stdio", "-o", str(out)]}
    servers = {"mcpServers": {"world": {"type": "stdio", **served, "env": {"PYTHONPATH": environment()["PYTHONPATH"]}}}}
    with MessagesApi(turns(script(trace), trace.answer)) as api:
        own = {
            "HOME": str(tmp_path),
            "ANTHROPIC_BASE_URL": api.url,
            "ANTHROPIC_API_KEY": KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }
        options = ["--bare", "--tools", "", "--allowedTools", "mcp__world", "--strict-mcp-config", "--mcp-config", json.dumps(servers)]
        options += ["--system-prompt", trace.messages[0].content, "--model", "a-model", "--output-format", "json"]
        done = subprocess.run(
            [str(CLAUDE), "-p", trace.messages[1].content, *options],
            env={"PATH": os.environ["PATH"], **own},
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["result"] == "Done."
    (made,) = read_trajectories(out)
    assert (made.verdict.status, made.reward) == ("pass", 1)
    assert made.trace.messages == trace.messages
    assert {tool["name"] for tool in api.requests[0]["tools"]} == {WORLD + tool["function"]["name"] for tool in trace.tools} | {
        f"{WORLD}submit_answer"
    }


@pytest.fixture
def attempts(late):
    """Lets the harness attempt a task once, against these turns; gives the trajectory and what the endpoint was sent."""

    def once(script, *, entry=late, tries=2, patience=60.0, price=None, **more):
        with MessagesApi(script) as api:
            solver = HarnessSolver(Endpoint("a-model", KEY, api.url, tries, price), patience=patience, **more)
            (made,) = collect([Job(entry, solver, 0)], "p")
        return made, api.requests

    return once


def test_the_harness_does_a_task(attempts, late, reference_trace, script):
    trace = reference_trace(late, 0)
    made, sent = attempts(turns(script(trace), trace.answer))
    assert (made.reward, made.trace.solver, made.trace.messages[2:]) == (1, "harness:a-model", trace.messages[2:])
    assert made.spent.tokens_in == 100 * (len(script(trace)) + 1)
    told = [block["text"] for block in sent[0]["messages"][0]["content"] if block["type"] == "text"]
    assert told[-1] == late.task.prompt(late.task.instance(0)).instruction
    assert {tool["name"].removeprefix(WORLD) for tool in sent[0]["tools"]} == {tool["function"]["name"] for tool in trace.tools} | {
        "submit_answer"
    }


def test_calls_at_once_are_made_one_after_another(attempts):
    made, sent = attempts([[use(f"{WORLD}clock", {}), use(f"{WORLD}list_drivers", {}), use(f"{WORLD}clock", {})], [text("No idea.")]])
    assert made.trace.counts.calls == 3
    assert (made.trace.stop, made.trace.detail, made.reward) == ("gave-up", "ended without calling submit_answer", 0)
    results = [block for block in sent[-1]["messages"][-1]["content"] if block["type"] == "tool_result"]
    assert len(results) == 3
    assert all("now" in json.dumps(one) or "heavy_licence" in json.dumps(one) for one in results)


def test_tools_that_are_not_the_worlds_are_not_there(attempts, tmp_path):
    planted = tmp_path / "planted.txt"
    planted.write_text("planted words", encoding="utf-8")
    made, sent = attempts([[use("Read", {"file_path": str(planted)})], [use("Bash", {"command": f"cat {planted}"})], [text("No.")]])
    assert made.trace.counts.calls == 0
    assert "planted words" not in json.dumps(sent)
    assert (made.trace.stop, made.reward) == ("gave-up", 0)


def test_a_file_named_in_the_task_is_not_read(attempts, tmp_path):
    from counter_files import counter_pack

    planted = tmp_path / "planted.txt"
    planted.write_text("planted words", encoding="utf-8")
    pack = counter_pack(
        tmp_path / "pack", {"instruction: Pack order {{ order_id }}.": f"instruction: Pack order {{{{ order_id }}}} as @{planted} says."}
    )
    _, sent = attempts([[text("No.")]], entry=read_pack(pack).worlds["counter"].tasks["packing"])
    assert str(planted) in json.dumps(sent[0]["messages"])
    assert "planted words" not in json.dumps(sent)


def test_the_limit_of_calls_ends_the_program(attempts, tmp_path):
    from counter_files import counter_pack

    entry = read_pack(counter_pack(tmp_path / "pack")).worlds["counter"].tasks["packing"]
    made, sent = attempts([[use(f"{WORLD}clock", {})] for _ in range(20)], entry=entry)
    assert (made.trace.stop, made.trace.counts.calls) == ("call-limit", 5)
    assert len(sent) <= 7
    told = json.dumps(sent[0]["messages"])
    assert "Please pack my order 1." in told


@pytest.mark.parametrize("status, kind", [(500, "server-error"), (429, "rate-limited"), (401, "rejected")])
def test_what_the_provider_does_wrong_is_no_failure(attempts, status, kind):
    made, _ = attempts([[use(f"{WORLD}clock", {})], *[status] * 40], tries=1)
    assert (made.trace.stop, made.reward, made.spent.fault) == ("solver-error", None, kind)
    assert made.trace.counts.calls == 1
    assert KEY not in made.trace.encode().decode()


def test_a_budget_ends_it_without_a_verdict(attempts):
    made, sent = attempts([[use(f"{WORLD}clock", {})] for _ in range(20)], most=Use(tokens=300))
    assert (made.trace.stop, made.reward, made.spent.fault) == ("solver-error", None, "budget")
    assert len(sent) < 8


def test_a_model_that_says_nothing_is_waited_for_so_long_alone(attempts):
    import time

    def slow(_):
        time.sleep(4)
        return [text("Late.")]

    made, _ = attempts([slow], patience=1.0)
    assert (made.trace.stop, made.reward, made.spent.fault) == ("solver-error", None, "timeout")
    assert "no act in 1 seconds" in made.trace.detail


def test_the_command_knows_the_harness(tmp_path, late, reference_trace, script):
    trace = reference_trace(late, 0)
    with MessagesApi(turns(script(trace), trace.answer)) as api:
        (tmp_path / "worldwright.toml").write_text(
            f'[models.here]\nprovider = "anthropic"\nmodel = "a-model"\nbase_url = "{api.url}"\nkey = "HERE_KEY"\n', encoding="utf-8"
        )
        target, out = f"{EXAMPLES / 'tool-hire'}/{TASK}@0", tmp_path / "run.jsonl"
        done = subprocess.run(
            [*COMMAND, "rollout", target, "--solver", "harness", "--model", "here", "-o", str(out)],
            env=environment(HERE_KEY=KEY),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
        )
    assert done.returncode == 0, done.stderr
    (made,) = read_trajectories(out)
    assert (made.reward, made.trace.solver) == (1, "harness:here")
    assert KEY not in done.stdout + done.stderr + out.read_text(encoding="utf-8")


def test_the_command_asks_where_the_environment_says(tmp_path, late, reference_trace, script):
    """As the solver `chat` does: a request must not go to the provider when another address is set."""
    trace = reference_trace(late, 0)
    with MessagesApi(turns(script(trace), trace.answer)) as api:
        target, out = f"{EXAMPLES / 'tool-hire'}/{TASK}@0", tmp_path / "run.jsonl"
        done = subprocess.run(
            [*COMMAND, "rollout", target, "--solver", "harness", "--model", "anthropic:a-model", "-o", str(out)],
            env=environment(ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL=api.url),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
        )
    assert done.returncode == 0, done.stderr
    (made,) = read_trajectories(out)
    assert (made.reward, len(api.requests) > 1) == (1, True)


def test_money_without_a_price_is_no_budget(command_line, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    text = "[models.here]\nprovider = 'anthropic'\nmodel = 'a-model'\n[roles.solver]\nmodel = 'here'\ncents_per_attempt = 5\n"
    (tmp_path / "worldwright.toml").write_text(text, encoding="utf-8")
    code, _, err = command_line("rollout", f"{EXAMPLES / 'tool-hire'}/{TASK}@0", "--solver", "harness")
    assert (code, "no budget in cents can be kept" in err) == (2, True)


def test_money_is_counted_by_the_price_that_is_set(attempts):
    made, _ = attempts([[use(f"{WORLD}clock", {})] for _ in range(20)], most=Use(cents=3.0), price=Price(10_000.0, 0.0))
    assert (made.trace.stop, made.reward, made.spent.fault) == ("solver-error", None, "budget")
    assert made.spent.cents >= 3.0
