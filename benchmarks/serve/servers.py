"""Servers that the benchmark starts, what they cost, and the environments they run in.

Takes what to start; gives URLs, CPU seconds and resident memory of exactly the processes that were started. Environments are
made under build/serve from PyPI, once, with the versions pinned here.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build" / "serve"
TOKEN = "a-token-for-this-benchmark"
PINS = {
    "ours": ["mcp==2.3.0", "uvicorn==0.54.0", "httptools==0.9.0", "uvloop==0.23.0", "fastmcp==4.2.3"],
    "fastapi-mcp": ["fastapi==0.165.0", "sqlalchemy==2.1.9", "fastapi-mcp==0.4.0", "mcp==1.30.0", "httptools==0.9.0", "uvloop==0.23.0"],
    "fastmcp": ["fastapi==0.165.0", "sqlalchemy==2.1.9", "fastmcp==4.2.3", "httptools==0.9.0", "uvloop==0.23.0"],
}


def python(name: str) -> Path:
    """The interpreter of an environment, which is made if it isn't there."""
    home = BUILD / name
    interpreter = home / "bin" / "python"
    if not (home / "ready").exists():
        print(f"making {home}", file=sys.stderr)
        shutil.rmtree(home, ignore_errors=True)
        venv.create(home, with_pip=True)
        wanted = [*PINS[name], *([str(ROOT)] if name == "ours" else [])]
        subprocess.run([interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted], check=True)
        (home / "ready").touch()
    return interpreter


class Process:
    """One server's process."""

    def __init__(self, *command: Any, **more: Any) -> None:
        environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "WORLDWRIGHT_SERVE_TOKEN": TOKEN}
        self.inner = subprocess.Popen([str(part) for part in command], env=environment, text=True, **more)

    def cpu(self) -> float:
        """CPU seconds so far."""
        fields = Path(f"/proc/{self.inner.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """Resident memory in MiB."""
        return int(Path(f"/proc/{self.inner.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def stop(self) -> tuple[int, float]:
        """Ask it to stop; gives its exit code and the seconds it took."""
        began = time.perf_counter()
        self.inner.send_signal(signal.SIGTERM)
        return self.inner.wait(120), time.perf_counter() - began


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def peers(kind: str, start_state: bytes, number: int, folder: Path) -> Iterator[tuple[list[Process], list[str]]]:
    """So many environments of that kind, each a process with a database of its own."""
    interpreter, made, urls = python(kind), [], []
    try:
        for n in range(number):
            database, port = folder / f"{kind}-{n}.sqlite", free_port()
            database.write_bytes(start_state)
            made.append(Process(interpreter, HERE / "peer.py", kind, database, port))
            urls.append(f"http://127.0.0.1:{port}/mcp" + ("/" if kind == "fastmcp" else ""))
        for url in urls:
            _wait_for(url)
        yield made, urls
    finally:
        for one in made:
            one.inner.kill()
            one.inner.wait()


class Ours:
    """Our server, with its control channel."""

    def __init__(self, pack: Path, *options: Any) -> None:
        command = ("-c", "from worldwright.cli.main import run; run()", "serve", pack, "--port", 0, "--control-port", 0, "--json", *options)
        self.process = Process(python("ours"), *command, stdout=subprocess.PIPE)
        assert self.process.inner.stdout is not None
        said = ""
        while not said.endswith("\n}\n"):
            line = self.process.inner.stdout.readline()
            if not line:
                raise RuntimeError(f"the server did not start: {said}")
            said += line
        self.addresses = json.loads(said)

    def __enter__(self) -> Ours:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.inner.kill()
        self.process.inner.wait()

    def control(self, method: str, path: str, body: Any = None) -> Any:
        """A request on the control channel."""
        data = None if body is None else json.dumps(body)
        connection = http.client.HTTPConnection(self.addresses["control"].removeprefix("http://"))
        connection.request(method, path, data, {"authorization": f"Bearer {TOKEN}"})
        answer = connection.getresponse()
        read = json.loads(answer.read())
        connection.close()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {read}")
        return read

    def start(self, wanted: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Start rollouts; gives what the control channel said of each."""
        return [self.control("POST", "/rollouts", one) for one in wanted]


def through_fastmcp(pack: Path) -> tuple[Process, list[str]]:
    """Our rollouts behind a FastMCP server; gives the URLs of one rollout of each task."""
    process = Process(python("ours"), HERE / "door_fastmcp.py", pack, free_port(), stdout=subprocess.PIPE)
    assert process.inner.stdout is not None
    urls = json.loads(process.inner.stdout.readline())
    _wait_for(urls[0])
    return process, urls


def _wait_for(url: str) -> None:
    host = url.removeprefix("http://").split("/")[0]
    for _ in range(600):
        with contextlib.suppress(OSError):
            connection = http.client.HTTPConnection(host)
            connection.connect()
            connection.close()
            return
        time.sleep(0.1)
    raise RuntimeError(f"{url}: nobody answers")
