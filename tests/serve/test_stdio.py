"""One attempt over stdio, as a harness starts it: the official client, a hang-up, signals; nothing but the protocol on stdout."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys

import pytest
from running import COMMAND, EXAMPLES, environment

from worldwright.rollout import read_trajectories

client = pytest.importorskip("mcp.client.client")
TARGET = f"{EXAMPLES / 'tool-hire'}/tool-hire/credit-late-deliveries@2"
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


def arguments(out, *more):
    return [*COMMAND[1:], "serve", TARGET, "--stdio", "--out", str(out), *more]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_does_a_task(tmp_path, late, reference_trace, script, mode):
    from mcp.client.stdio import StdioServerParameters

    trace, out = reference_trace(late, 2), tmp_path / "run.jsonl"
    server = StdioServerParameters(command=sys.executable, args=arguments(out, "--solver", "a client"), env=environment())

    async def act():
        async with client.Client(server, mode=mode) as agent:
            names = [one.name for one in (await agent.list_tools()).tools]
            for tool, args in script(trace):
                await agent.call_tool(tool, args)
            return names, await agent.call_tool("submit_answer", trace.answer)

    names, last = asyncio.run(act())
    assert names[-1] == "submit_answer"
    assert last.content[0].text == "The answer is taken; the episode has ended."
    (made,) = read_trajectories(out)
    assert (made.reward, made.trace.solver, made.trace.messages) == (1, "a client", trace.messages)


def started(out, *more):
    command = [sys.executable, *arguments(out, *more)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment(), stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def spoken(process, *messages):
    """Send these; gives the answer to the last, which has an id."""
    for message in messages:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    process.stdin.flush()
    while True:
        answer = json.loads(process.stdout.readline())
        if answer.get("id") == messages[-1]["id"]:
            return answer


OPENED = ({"id": 1, "method": "initialize", "params": HELLO}, {"method": "notifications/initialized"})
CLOCK = {"id": 2, "method": "tools/call", "params": {"name": "clock", "arguments": {}}}


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, None], ids=["terminated", "interrupted", "hung up"])
def test_an_open_attempt_ends_as_it_stands(tmp_path, how):
    out = tmp_path / "run.jsonl"
    process = started(out)
    assert "now" in spoken(process, *OPENED, CLOCK)["result"]["content"][0]["text"]
    if how is None:
        process.stdin.close()
    else:
        process.send_signal(how)
    code, rest, err = process.wait(30), process.stdout.read(), process.stderr.read()
    assert (code, rest) == (0, "")
    assert "answered after 1 calls" in err
    assert "Traceback" not in err
    (made,) = read_trajectories(out)
    assert (made.trace.stop, made.trace.answer, made.reward) == ("answered", None, 0)
    process.stdin.close()
    process.stdout.close()
    process.stderr.close()


def test_a_line_that_is_no_message_harms_nothing(tmp_path):
    process = started(tmp_path / "run.jsonl", "--answer-tool", "hand_in")
    process.stdin.write("\x00\n{\n[]\nnull\n" + "x" * 100_000 + "\n")
    spoken(process, *OPENED, CLOCK)
    listed = spoken(process, {"id": 3, "method": "tools/list", "params": {}})["result"]["tools"]
    assert listed[-1]["name"] == "hand_in"
    process.communicate(timeout=30)
    assert process.returncode == 0


@pytest.mark.parametrize(
    "target, words",
    [(EXAMPLES / "tool-hire", "name the one task that --stdio serves"), (f"{TARGET[:-2]}@999999999999", "is not a seed")],
)
def test_what_cannot_be_served_is_said(command_line, target, words):
    code, out, err = command_line("serve", target, "--stdio")
    assert (code, out) == (2, "")
    assert words in err


def test_the_extra_that_is_missing_is_named(tmp_path):
    code = "import sys; sys.modules['mcp'] = None; sys.modules['uvicorn'] = None\nfrom worldwright.cli.main import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", code, "serve", str(EXAMPLES / "tool-hire")], env=environment(), capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 2
    assert "pip install 'worldwright[mcp]'" in done.stderr
    assert not list(tmp_path.iterdir())
