"""The command `serve` in a process of its own, its control channel, and bare HTTP requests."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import worldwright

EXAMPLES = Path(__file__).parents[2] / "examples"
TOKEN = "a-token-of-these-tests-alone"
COMMAND = (sys.executable, "-c", "from worldwright.cli.main import run; run()")


def environment(**more: str) -> dict[str, str]:
    """This environment, in which the package is found."""
    return os.environ | {"PYTHONPATH": str(Path(worldwright.__file__).parents[1])} | more


class Served:
    """A running `worldwright serve`; use it in a `with`."""

    def __init__(self, target: Path | str, *options: Any, token: str | None = TOKEN) -> None:
        self.token = token or ""
        variable = {} if token is None else {"WORLDWRIGHT_SERVE_TOKEN": token}
        command = [*COMMAND, "serve", str(target), "--port", "0", "--control-port", "0", "--json", *map(str, options)]
        self.process = subprocess.Popen(command, env=environment(**variable), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        said = ""
        while not said.endswith("\n}\n"):
            line = self.process.stdout.readline()
            assert line, self.process.stderr.read()
            said += line
        self.said = json.loads(said)

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    @property
    def agents(self) -> str:
        return self.said["agents"].removeprefix("http://")

    @property
    def control_host(self) -> str:
        return self.said["control"].removeprefix("http://")

    def control(self, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, Any]:
        """Status and JSON of a request on the control channel."""
        headers = {"authorization": f"Bearer {self.token if token is None else token}"}
        status, data = request(self.control_host, method, path, None if body is None else json.dumps(body), headers)
        return status, json.loads(data)

    def start(self, task: str, **more: Any) -> dict[str, Any]:
        status, started = self.control("POST", "/rollouts", {"task": task, **more})
        assert status == 201, started
        return started

    def call(self, url: str, tool: str, args: Any, **headers: str) -> Any:
        """The result of a call, in the revision with the handshake."""
        status, data = self.post(
            url, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": args}}, **headers
        )
        assert status == 200, data
        return json.loads(data)["result"]

    def post(self, url: str, message: Any, **headers: str) -> tuple[int, bytes]:
        """Status and bytes of a message to the agents' side."""
        body = message if isinstance(message, (bytes, str)) else json.dumps(message)
        path = url.removeprefix(self.said["agents"])
        return request(self.agents, "POST", path, body, {**HEADERS, **headers})

    def stop(self) -> tuple[int, str]:
        """Exit code and stderr after SIGTERM."""
        self.process.send_signal(signal.SIGTERM)
        _, err = self.process.communicate(timeout=30)
        return self.process.returncode, err


HEADERS = {"content-type": "application/json", "accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25"}


def request(host: str, method: str, path: str, body: Any, headers: dict[str, str]) -> tuple[int, bytes]:
    """One request on a connection of its own."""
    with contextlib.closing(http.client.HTTPConnection(host, timeout=30)) as connection:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
