"""A served pack, and what its tests compare with."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from running import EXAMPLES, Served

from worldwright.pack import Pack, PackTask, read_pack
from worldwright.solver import attempt
from worldwright.solver.plan import PlanSolver
from worldwright.solver.trace import Trace


@pytest.fixture(scope="session")
def tool_hire_pack() -> Pack:
    return read_pack(EXAMPLES / "tool-hire")


@pytest.fixture(scope="session")
def late(tool_hire_pack) -> PackTask:
    """A task that asks for an answer and for writes."""
    return tool_hire_pack.worlds["tool-hire"].tasks["credit-late-deliveries"]


@pytest.fixture(scope="session")
def reference_trace() -> Callable[[PackTask, int], Trace]:
    """What the loop records of a task's reference."""

    def of(entry: PackTask, seed: int) -> Trace:
        with attempt(entry.task, entry.task.instance(seed), PlanSolver(entry.reference, name="reference"), seed=0) as made:
            return made.trace

    return of


@pytest.fixture(scope="session")
def script() -> Callable[[Trace], list[tuple[str, Any]]]:
    """The calls of a trace."""
    return lambda trace: [
        (call.function.name, json.loads(call.function.arguments)) for message in trace.messages for call in message.tool_calls
    ]


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[Served]:
    pytest.importorskip("mcp.server.lowlevel")
    pytest.importorskip("uvicorn")
    with Served(EXAMPLES / "tool-hire") as running:
        yield running


@pytest.fixture
def command_line(capsys) -> Callable[..., tuple[int, str, str]]:
    """Runs a command here; gives its exit code, stdout and stderr."""
    from worldwright.cli.main import run

    def end(*argv: Any) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            run([str(one) for one in argv])
        out, err = capsys.readouterr()
        return int(caught.value.code), out, err

    return end
