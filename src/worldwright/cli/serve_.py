"""`worldwright serve PACK`: tasks over MCP, with a control channel apart; or one attempt over stdio."""

from __future__ import annotations

import asyncio
import importlib
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated

import typer

from worldwright.cli.output import GOOD, emit, note, say, unless_there
from worldwright.cli.rollout_ import tasks_of
from worldwright.errors import UsageError
from worldwright.pack.read import Target, resolve
from worldwright.serve import Rollouts, Wanted
from worldwright.serve.rollout import ANSWER_TOOL
from worldwright.serve.rollouts import MOST
from worldwright.serve.token import find_token

if TYPE_CHECKING:
    from worldwright.serve.http import Addresses

__all__ = ["serve"]


def serve(
    target: Annotated[str, typer.Argument(help="PACK, PACK/world or PACK/world/task; with --stdio PACK/world/task@seed.")],
    stdio: Annotated[bool, typer.Option("--stdio", help="Serve one attempt over stdin and stdout.")] = False,
    host: Annotated[str, typer.Option(help="The agents' address.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The agents' port; 0 for any.", min=0, max=65_535)] = 8_765,
    control_port: Annotated[int, typer.Option(help="The control channel's port (on 127.0.0.1); 0 for any.", min=0, max=65_535)] = 8_766,
    allow_host: Annotated[list[str], typer.Option(help="A name under which agents reach this machine.")] = [],
    token_file: Annotated[Path, typer.Option(help="The control channel's token; made if it isn't there.")] = Path("serve-token"),
    most: Annotated[int, typer.Option(help="The most rollouts at once.", min=1, max=1_000_000)] = MOST,
    wording: Annotated[int, typer.Option(help="With --stdio: 0 the instruction, 1 and on its paraphrases.", min=0, max=1_000)] = 0,
    index: Annotated[int, typer.Option(help="With --stdio: tells attempts at one instance apart.", min=0, max=1_000_000)] = 0,
    solver: Annotated[str, typer.Option(help="With --stdio: what the trajectory calls the agent.")] = "served",
    answer_tool: Annotated[str, typer.Option(help="With --stdio: the name of the tool that answers.")] = ANSWER_TOOL,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write each attempt that has ended to this JSONL file.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the addresses as JSON.")] = False,
) -> int:
    """Serve tasks to agents over MCP: each rollout under an id of its own; starts, ends and verdicts over a channel apart."""
    read = resolve(target)
    tasks = {f"{entry.world.name}/{entry.name}": entry for entry in tasks_of(read)}
    if out is not None:
        if out.suffix != ".jsonl":
            raise UsageError(f"{out}: expected a name that ends in .jsonl")
        unless_there(out, force)
    if stdio:
        _check_one(read, target)
        wanted = Wanted(next(iter(tasks)), read.seed or 0, index, wording, solver, answer_tool)
        made = asyncio.run(_leaf("stdio").serve_stdio(Rollouts(tasks, read.pack.digest, out=out), wanted))
        note(f"{made.trace.instance}: {made.trace.stop} after {made.trace.counts.calls} calls" + (f": {out}" if out else ""))
        return GOOD
    leaf = _leaf("http")
    token, where = find_token(os.environ, token_file)

    def ready(addresses: Addresses) -> None:
        if as_json:
            emit({"agents": addresses.agents, "control": addresses.control, "tasks": list(tasks)})
        else:
            say(f"agents:  {addresses.agents}/rollouts/ID/mcp")
            say(f"control: {addresses.control} (token {where})")
            sys.stdout.flush()
        note(f"{len(tasks)} tasks; stop with Ctrl-C")

    rollouts = Rollouts(tasks, read.pack.digest, out=out, most=most)
    sides = {"agents": (host, port), "control": ("127.0.0.1", control_port)}
    still = leaf.run_http(leaf.serve_http(rollouts, token, list(tasks), hosts=allow_host, ready=ready, **sides))
    note(f"stopped; {still} rollouts were open and have no verdict")
    return GOOD


def _check_one(read: Target, target: str) -> None:
    if read.task is None:
        names = ", ".join(f"{entry.world.name}/{entry.name}" for entry in read.pack.tasks())
        raise UsageError(f"{target}: name the one task that --stdio serves (there are: {names})")


def _leaf(name: str) -> ModuleType:
    """The module that needs the extra. Raises UsageError if that isn't installed."""
    try:
        return importlib.import_module(f"worldwright.serve.{name}")
    except ModuleNotFoundError as fault:
        if (fault.name or "").split(".")[0] == "worldwright":
            raise
        raise UsageError(f"serving needs the package {fault.name}: pip install 'worldwright[mcp]'") from fault
