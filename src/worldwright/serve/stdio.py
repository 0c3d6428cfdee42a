"""One rollout over stdio: for harnesses that start a server of their own for each attempt.

Takes rollouts in which one was started; speaks MCP over stdin and stdout until the client hangs up or a signal comes, which
ends an open attempt without an answer, as it stands. Gives the trajectory. Promises that nothing else reaches stdout.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from worldwright.rollout import Trajectory
from worldwright.serve.door import mcp_server
from worldwright.serve.rollouts import Rollouts, Wanted
from worldwright.solver.protocol import Answer

__all__ = ["serve_stdio"]


async def serve_stdio(rollouts: Rollouts, wanted: Wanted) -> Trajectory:
    """Serve the one rollout; gives its trajectory once it is over and written."""
    name, rollout = await rollouts.start(wanted)
    server = mcp_server(rollouts, lambda context: name)
    speaking = asyncio.create_task(_speak(server))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, speaking.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await speaking
    if not rollout.has_ended:
        rollouts.end(name, Answer())
    made = await rollouts.trajectory(name)
    await rollouts.close()
    return made


async def _speak(server: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
