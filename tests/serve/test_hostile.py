"""Hostile requests from where an agent stands: it knows its own rollout's address, and wants control, another rollout, a file, the network.

After each of them the other rollout is untouched, nothing was started or ended, nothing secret stood in an answer, nobody called
outside, and the agent's own tools still work.
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from running import HEADERS, TOKEN, Served

pytest.importorskip("mcp.server.lowlevel")

TASK = "tool-hire/credit-late-deliveries"
SECRETS = (TOKEN, "root:x:", "def solve", "written_by", "grace_days", '"verdict":', '"reward":', "Traceback", "site-packages")
"""What stands in the token, in /etc/passwd, in references, verifiers and the policy table, in verdicts, and in our own failures."""


def call(tool: str, arguments: Any, method: str = "tools/call", **more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": {"name": tool, "arguments": arguments, **more}}


def ask(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}


OWN = "POST /rollouts/{own}/mcp"
REQUESTS: dict[str, tuple[str, dict[str, str], Any]] = {
    # control, asked at the agents' side
    "start a rollout": ("POST /rollouts", {}, {"task": TASK}),
    "list the rollouts": ("GET /rollouts", {}, None),
    "read the own verdict": ("GET /rollouts/{own}/verdict", {}, None),
    "read the own trajectory": ("GET /rollouts/{own}/trajectory", {"authorization": "Bearer {own}"}, None),
    "finish the other": ("POST /rollouts/{other}/finish", {}, {"gave_up": "x"}),
    "drop the other": ("DELETE /rollouts/{other}", {}, None),
    "list the tasks": ("GET /tasks", {}, None),
    "control in absolute form": ("GET {control}/rollouts", {}, None),
    "a proxy's tunnel": ("CONNECT {control_host}", {}, None),
    "a web socket": (OWN.replace("POST", "GET"), {"connection": "Upgrade", "upgrade": "websocket", "sec-websocket-version": "13"}, None),
    # control, asked as a tool or a method
    "a tool that resets": (OWN, {}, call("reset", {})),
    "a tool that grades": (OWN, {}, call("verdict", {"rollout": "{own}"})),
    "a method that finishes": (OWN, {}, ask("rollouts/finish", id="{other}")),
    "python as a tool": (OWN, {}, call("__import__('os').system", {"command": "id"})),
    "log level of the server": (OWN, {}, ask("logging/setLevel", level="debug")),
    # other rollouts
    "the other by traversal": ("POST /rollouts/{own}/../{half}/mcp", {}, call("clock", {})),
    "the other by encoded traversal": ("POST /rollouts/{own}%2f..%2f{half}/mcp", {}, call("clock", {})),
    "half of an id": ("POST /rollouts/{half}/mcp", {}, call("clock", {})),
    "any rollout": ("POST /rollouts/*/mcp", {}, call("clock", {})),
    "no rollout": ("POST /rollouts//mcp", {}, call("clock", {})),
    "two headers": ("POST /mcp", {"worldwright-rollout": "{own}", "Worldwright-Rollout": "{half}"}, call("clock", {})),
    "a session of another": (
        OWN,
        {"mcp-session-id": "{half}", "worldwright-rollout": "{half}"},
        call("clock", {}, _meta={"rollout": "{half}"}),
    ),
    "another's request cancelled": (OWN, {}, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
    "many at once": (OWN, {}, [call("clock", {}), call("clock", {})]),
    # files
    "a page above the handbook": (OWN, {}, call("read_handbook", {"page": "../tasks/credit-late-deliveries/verifier.yaml"})),
    "a page that is a file": (OWN, {}, call("read_handbook", {"page": "/etc/passwd"})),
    "a resource": (OWN, {}, ask("resources/read", uri="file:///etc/passwd")),
    "a prompt that is a file": (OWN, {}, ask("prompts/get", name="../../verifier.yaml")),
    "an image of the server's disk": ("GET /static/../../../../etc/passwd", {}, None),
    # the database
    "a table dropped": (OWN, {}, call("find_customers", {"text": "'; DROP TABLE rentals; --"})),
    "a file attached": (OWN, {}, call("find_customers", {"text": "' UNION SELECT load_extension('/tmp/x'), 1, 1 --"})),
    "the policy read": (OWN, {}, call("find_customers", {"text": "' UNION SELECT name, value, 1 FROM policy --"})),
    # the network
    "an address to fetch": (OWN, {}, call("search_handbook", {"query": "{canary}/x"})),
    "a reference to fetch": (OWN, {}, call("find_customers", {"text": "{canary}/x", "$ref": "{canary}/schema"})),
    "a request sampled": (OWN, {}, ask("sampling/createMessage", messages=[], maxTokens=1)),
    # the protocol
    "a foreign host": (OWN, {"host": "evil.example"}, call("clock", {})),
    "a foreign page": (OWN, {"origin": "http://evil.example"}, call("clock", {})),
    "too long": (OWN, {}, call("find_customers", {"text": "x" * (2 << 20)})),
    "a strange version": (OWN, {"mcp-protocol-version": "../../1"}, call("clock", {})),
    "two lengths": (OWN, {"transfer-encoding": "chunked", "content-length": "5"}, call("clock", {})),
}


class Canary:
    """A listener on this machine that counts who calls."""

    def __init__(self) -> None:
        self.calls = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._count, daemon=True).start()

    def _count(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self._socket.accept()[0].close()
                self.calls += 1

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(scope="module")
def canary() -> Iterator[Canary]:
    made = Canary()
    yield made
    made.close()


def sent(host: str, line: str, headers: dict[str, str], body: bytes) -> bytes:
    """What a server answers to exactly these bytes, as far as it answers within a second of silence."""
    name, _, port = host.rpartition(":")
    method, path = line.split(" ", 1)
    written = {"host": host, **HEADERS, **({} if "content-length" in headers else {"content-length": str(len(body))}), **headers}
    head = "\r\n".join([f"{method} {path} HTTP/1.1", *(f"{key}: {value}" for key, value in written.items()), "connection: close", "", ""])
    answer = b""
    with socket.create_connection((name, int(port)), timeout=10) as connection:
        with contextlib.suppress(OSError):  # the server may hang up before it has read all
            connection.sendall(head.encode("latin-1") + body)
        with contextlib.suppress(OSError):
            while got := connection.recv(65_536):
                answer += got
    return answer


def state(served: Served) -> list[tuple[str, int, Any]]:
    return [(one["id"], one["calls"], one["stop"]) for one in served.control("GET", "/rollouts")[1]["rollouts"]]


def test_there_are_enough():
    assert len(REQUESTS) >= 30


@pytest.mark.parametrize("name", REQUESTS)
def test_hostile(served, canary, name):
    own, other = served.start(TASK), served.start(TASK, index=1)
    before = state(served)
    names = {"own": own["id"], "other": other["id"], "half": other["id"][:12], "canary": canary.url}
    names |= {"control": served.said["control"], "control_host": served.control_host}

    def filled(text: str) -> str:
        for key, value in names.items():
            text = text.replace("{" + key + "}", value)
        return text

    line, headers, message = REQUESTS[name]
    body = b"" if message is None else filled(json.dumps(message)).encode()
    answer = sent(served.agents, filled(line), {key: filled(value) for key, value in headers.items()}, body).decode("latin-1")
    after = state(served)
    assert [one for one in after if one[0] != own["id"]] == [one for one in before if one[0] != own["id"]]
    assert next(one[2] for one in after if one[0] == own["id"]) is None
    assert not [secret for secret in (*SECRETS, other["id"]) if secret in answer]
    assert " 101 " not in answer.split("\r\n")[0]
    assert served.call(own["url"], "clock", {})["isError"] is False
    assert canary.calls == 0
    if line != "POST /rollouts/{own}/mcp":
        assert not answer or answer.split(" ")[1] in ("400", "404", "405"), answer
    elif answer and answer.split(" ")[1] == "200":
        got = json.loads(answer.split("\r\n\r\n", 1)[1])
        assert "error" in got or got["result"]["isError"] or name in REFUSED_BY_NOBODY
    for started in (own, other):
        assert served.control("DELETE", f"/rollouts/{started['id']}")[0] == 200


REFUSED_BY_NOBODY = {
    "a table dropped",  # searched for, as text, and not found
    "a file attached",
    "the policy read",
    "an address to fetch",
    "a session of another",  # the path alone counts, so this is a call like any other
}
"""What is answered as an ordinary call of the agent's own."""


@pytest.mark.parametrize("path", ["/rollouts", "/rollouts/{own}/verdict", "/rollouts/{own}/finish", "/tasks"])
@pytest.mark.parametrize("token", ["{own}", "", "null", "a-token", "Bearer"])
def test_control_is_closed_to_who_has_only_an_id(served, path, token):
    own = served.start(TASK)
    for method in ("GET", "POST"):
        given = {"authorization": f"Bearer {token.replace('{own}', own['id'])}"}
        answer = sent(served.control_host, f"{method} {path.replace('{own}', own['id'])}", given, b"{}")
        assert answer.split(b" ")[1] == b"401"
    assert served.control("GET", f"/rollouts/{own['id']}/verdict")[0] == 409
