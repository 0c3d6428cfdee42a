"""One rollout over stdio: for harnesses that start a server of their own for each attempt.

Takes rollouts in which one was started; speaks MCP over stdin and stdout until the client hangs up or a signal comes, which
ends an open attempt without an answer, as it stands. Gives the trajectory. Promises that nothing else reaches stdout.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import stat
import sys
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from worldwright.rollout import Trajectory
from worldwright.serve.door import mcp_server
from worldwright.serve.rollouts import Rollouts, Wanted
from worldwright.solver.protocol import Answer

__all__ = ["serve_stdio"]

_LONGEST = 4 << 20
"""The most bytes of a message."""


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
    async with stdio_server(stdin=await _incoming()) as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


class _Lines:
    """Lines of stdin, waited for without a thread that nobody could stop."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader

    def __aiter__(self) -> _Lines:
        return self

    async def __anext__(self) -> str:
        try:
            line = await self._reader.readline()
        except ValueError:  # longer than the limit; what follows can't be understood
            line = b""
        if not line:
            raise StopAsyncIteration
        return line.decode(errors="replace")


async def _incoming() -> Any:
    """Stdin as lines; None where it can't be waited for (a plain file, the null device): there the SDK's own reader will do."""
    mode = os.fstat(sys.stdin.fileno()).st_mode
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or sys.stdin.isatty()):
        return None
    reader = asyncio.StreamReader(limit=_LONGEST)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return _Lines(reader)
