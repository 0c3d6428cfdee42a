"""The control channel: nobody without the token, and plain answers for whoever has it."""

from __future__ import annotations

import json
import re
import socket

import pytest
from running import EXAMPLES, TOKEN, Served, request

DAY = "tool-hire/plan-the-day"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": "Bearer "},
        {"authorization": "Bearer wrong"},
        {"authorization": f"Basic {TOKEN}"},
        {"authorization": f"bearer {TOKEN}"},
        {"authorization": f"Bearer {TOKEN}x"},
        {"authorization": f"Bearer {TOKEN[:-1]}"},
        {"x-token": TOKEN},
    ],
)
@pytest.mark.parametrize(
    "method, path", [("GET", "/rollouts"), ("POST", "/rollouts"), ("GET", "/tasks"), ("DELETE", "/rollouts/x"), ("GET", "/")]
)
def test_without_the_token_there_is_nothing(served, headers, method, path):
    status, data = request(served.control_host, method, path, None, headers)
    assert status == 401
    assert json.loads(data) == {"error": "expected the header 'Authorization: Bearer TOKEN'"}


def test_a_start_says_what_an_agent_needs(served):
    started = served.start(DAY, seed=3, wording=1)
    assert started["instance"] == f"{DAY}@3"
    assert started["url"] == f"{served.said['agents']}/rollouts/{started['id']}/mcp"
    assert [one["role"] for one in started["messages"]] == ["system", "user"]
    assert (started["answer_schema"], started["answer_tool"], started["stop"]) == (None, "submit_answer", None)
    assert set(started["limits"]) == {"calls", "output"}
    assert served.control("GET", "/tasks")[1] == {"tasks": served.said["tasks"]}


@pytest.mark.parametrize(
    "body, stop, reward",
    [
        ({}, "answered", 0),
        ({"answer": None}, "answered", 0),
        ({"answer": {"a": 1}}, "answered", 0),
        ({"answer": [1]}, "answered", 0),
        ({"gave_up": "too hard"}, "gave-up", 0),
        ({"failed": "no GPU left"}, "solver-error", None),
    ],
)
def test_ways_to_end(served, body, stop, reward):
    name = served.start(DAY)["id"]
    assert served.control("GET", f"/rollouts/{name}/verdict")[0] == 409
    status, ended = served.control("POST", f"/rollouts/{name}/finish", body)
    assert (status, ended["stop"]) == (200, stop)
    status, verdict = served.control("GET", f"/rollouts/{name}/verdict")
    assert (status, verdict["reward"]) == (200, reward)
    assert served.control("POST", f"/rollouts/{name}/finish", {})[1]["stop"] == stop
    assert served.control("POST", f"/rollouts/{name}/finish", {"answer": {}})[0] == 409
    assert served.control("DELETE", f"/rollouts/{name}")[0] == 200
    assert served.control("GET", f"/rollouts/{name}/verdict")[0] == 404


@pytest.mark.parametrize(
    "method, path, body, status",
    [
        ("POST", "/rollouts", "{", 400),
        ("POST", "/rollouts", "[]", 400),
        ("POST", "/rollouts", '{"task": "tool-hire/plan-the-day", "colour": 1}', 400),
        ("POST", "/rollouts", '{"task": 5}', 400),
        ("POST", "/rollouts", '{"task": "nothing"}', 409),
        ("POST", "/rollouts", '{"task": "tool-hire/plan-the-day", "seed": -4}', 409),
        ("POST", "/rollouts", b"\xff\xfe", 400),
        ("POST", "/rollouts", b'"' + b"x" * (1 << 21) + b'"', 413),
        ("POST", "/rollouts/none/finish", "{}", 404),
        ("PATCH", "/rollouts", "{}", 404),
        ("GET", "/rollouts/a/b/c", None, 404),
        ("GET", "/../tasks", None, 404),
        ("GET", "/mcp", None, 404),
    ],
)
def test_what_is_wrong_is_said(served, method, path, body, status):
    got, data = request(served.control_host, method, path, body, {"authorization": f"Bearer {TOKEN}"})
    assert got == status
    assert json.loads(data)["error"]
    assert TOKEN not in data.decode()


def test_two_endings_at_once_are_refused(served):
    name = served.start(DAY)["id"]
    status, data = served.control("POST", f"/rollouts/{name}/finish", {"answer": {}, "failed": "x"})
    assert (status, data["error"]) == (400, "got answer and failed (expected at most one of answer, gave_up, failed)")
    assert served.control("GET", f"/rollouts/{name}/verdict")[0] == 409


@pytest.mark.parametrize(
    "rest",
    [b"content-length: 30\r\n\r\n", b'content-length: 30\r\n\r\n{"answer": {}', b"transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n"],
    ids=["nothing of the body", "half of it", "no last chunk"],
)
def test_a_request_that_breaks_off_ends_nothing(served, rest):
    name = served.start(DAY)["id"]
    host, port = served.control_host.split(":")
    with socket.create_connection((host, int(port)), timeout=30) as broken:
        broken.sendall(f"POST /rollouts/{name}/finish HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {TOKEN}\r\n".encode() + rest)
        assert served.control("GET", "/tasks")[0] == 200  # the server has had its turn: the request has begun
        broken.shutdown(socket.SHUT_WR)
        while broken.recv(4096):
            pass
    assert served.control("GET", f"/rollouts/{name}/verdict")[0] == 409
    assert served.control("POST", f"/rollouts/{name}/finish", {"failed": "x"})[1]["stop"] == "solver-error"


@pytest.mark.parametrize(
    "wrong", [{"answer_tool": "say it"}, {"answer_tool": "a\n"}, {"answer_tool": ""}, {"solver": "a\x00"}, {"solver": ""}]
)
def test_names_that_no_client_would_take_are_refused(served, wrong):
    status, data = served.control("POST", "/rollouts", {"task": DAY, **wrong})
    assert (status, "solver or answer_tool" in data["error"]) == (409, True)


def test_the_command_makes_a_token(tmp_path):
    pytest.importorskip("uvicorn")
    file = tmp_path / "token"
    with Served(EXAMPLES / "tool-hire", "--token-file", file, token=None) as running:
        running.token = file.read_text(encoding="ascii").strip()
        assert running.control("GET", "/rollouts") == (200, {"rollouts": []})
        assert running.control("GET", "/rollouts", token=TOKEN)[0] == 401
        _, err = running.stop()
    assert running.token not in err
    assert file.stat().st_mode & 0o077 == 0


def test_stopped_with_rollouts_open(tmp_path):
    pytest.importorskip("uvicorn")
    out = tmp_path / "run.jsonl"
    with Served(EXAMPLES / "tool-hire", "--out", out, "--most", 3) as running:
        names = [running.start(DAY, index=n)["id"] for n in range(3)]
        assert running.control("POST", "/rollouts", {"task": DAY})[0] == 409
        running.control("POST", f"/rollouts/{names[0]}/finish", {})
        code, err = running.stop()
    assert code == 0
    assert "stopped; 2 rollouts were open and have no verdict" in err
    assert not re.search("Traceback|Exception", err)
    assert TOKEN not in err
    made = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert sorted((one["trace"]["stop"], one["reward"] is None) for one in made) == [
        ("answered", False),
        ("solver-error", True),
        ("solver-error", True),
    ]
