"""The agents' side over HTTP: the official client in both revisions, and what a request can name."""

from __future__ import annotations

import asyncio
import http.client
import json

import pytest
from running import HEADERS, request

from worldwright.serve import ServedRollout

client = pytest.importorskip("mcp.client.client")

TASK = "tool-hire/credit-late-deliveries"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_does_a_task(served, late, reference_trace, script, mode):
    trace = reference_trace(late, 2)
    started = served.start(TASK, seed=2)

    async def act():
        async with client.Client(started["url"], mode=mode) as agent:
            listed = (await agent.list_tools()).tools
            prompt = await agent.get_prompt("task")
            results = [await agent.call_tool(tool, args) for tool, args in script(trace)]
            last = await agent.call_tool("submit_answer", trace.answer)
        return [one.model_dump(by_alias=True, exclude_none=True) for one in listed], prompt, results, last

    listed, prompt, results, last = asyncio.run(act())
    assert listed == started["tools"]
    assert [one.content.text for one in prompt.messages] == [one["content"] for one in started["messages"]]
    assert [one.content[0].text for one in results] == [one.content for one in trace.messages if one.role == "tool"]
    assert last.content[0].text == "The answer is taken; the episode has ended."
    assert not last.is_error
    status, verdict = served.control("GET", f"/rollouts/{started['id']}/verdict")
    assert (status, verdict["reward"], verdict["stop"]) == (200, 1, "answered")
    _, made = served.control("GET", f"/rollouts/{started['id']}/trajectory")
    assert made["trace"]["messages"] == json.loads(trace.encode())["messages"]


def test_every_connection_will_do(served):
    started = served.start(TASK)
    assert all(served.call(started["url"], "clock", {})["isError"] is False for _ in range(3))
    _, listed = served.control("GET", "/rollouts")
    assert next(one["calls"] for one in listed["rollouts"] if one["id"] == started["id"]) == 3


def test_the_header_names_the_rollout_too(served):
    one, other = served.start(TASK), served.start(TASK)
    for started in (one, other):
        served.call("/mcp", "clock", {}, **{"Worldwright-Rollout": started["id"]})
    _, listed = served.control("GET", "/rollouts")
    assert [line["calls"] for line in listed["rollouts"] if line["id"] in (one["id"], other["id"])] == [1, 1]


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS"])
def test_there_is_nothing_but_post(served, method):
    path = served.start(TASK)["url"].removeprefix(served.said["agents"])
    status, _ = request(served.agents, method, path, None, dict(HEADERS))
    assert status == 405


def test_a_protocol_error_is_no_call(served):
    started = served.start(TASK)
    for message in (
        "{",
        "[]",
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "clock", "arguments": [1]}},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {}},
        {"jsonrpc": "2.0", "id": 1, "method": "resources/list"},
        {"jsonrpc": "2.0", "id": 1, "method": "reset"},
    ):
        status, data = served.post(started["url"], message)
        assert status in (200, 400, 404), data
        assert "error" in json.loads(data)
    _, listed = served.control("GET", "/rollouts")
    assert next(one["calls"] for one in listed["rollouts"] if one["id"] == started["id"]) == 0


@pytest.mark.parametrize(
    "text", ['"\\ud800"', "12345678901234567890123", "null", '["a"]', '{"a": 1}', '"\\u0000"', "1e999", "NaN", "[" * 50_000]
)
def test_a_strange_value_is_refused_and_harms_nothing(served, late, text):
    """What JSON can carry reaches the world as it would in process, and is recorded; what it can't is no call."""
    started, rollout = served.start(TASK), ServedRollout(late, "p", 0)
    call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_customers","arguments":{"text": TEXT}}}'
    status, data = served.post(started["url"], call.replace("TEXT", text))
    if status == 200:
        told = json.loads(data)["result"]["content"][0]["text"]
        assert told == rollout.call("find_customers", {"text": json.loads(text)}).texts[0]
    else:
        assert (status, "error" in json.loads(data)) == (400, True)
    assert served.call(started["url"], "clock", {})["isError"] is False
    assert served.control("POST", f"/rollouts/{started['id']}/finish", {})[1]["stop"] == "answered"
    assert served.control("GET", f"/rollouts/{started['id']}/trajectory")[0] == 200
    rollout.close()


def test_a_connection_stays_open(served):
    started = served.start(TASK)
    connection = http.client.HTTPConnection(served.agents)
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "clock", "arguments": {}}})
    for _ in range(5):
        connection.request("POST", started["url"].removeprefix(served.said["agents"]), message, HEADERS)
        assert json.loads(connection.getresponse().read())["result"]["isError"] is False
    connection.close()
