"""Both sides over HTTP in one process and one event loop, each on an address of its own, until it is told to stop.

Takes rollouts, a token and two addresses; says through `ready` where it listens. Promises: on SIGINT or SIGTERM no request
is cut off that ends within some seconds, every open rollout ends without a verdict, and all that ended is written. Raises
OSError if an address is taken.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any

import msgspec
import uvicorn

from worldwright.serve.control import Control
from worldwright.serve.door import Door
from worldwright.serve.rollouts import Rollouts

__all__ = ["Addresses", "run_http", "serve_http"]

logging.getLogger("mcp").setLevel(logging.ERROR)  # its warnings quote what anybody sent

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_PATIENCE = 5
_THINKING = 120
_BACKLOG = 2_048


class Addresses(msgspec.Struct, frozen=True):
    """Where the two sides listen, as URLs without a path."""

    agents: str
    control: str


def run_http(serving: Coroutine[Any, Any, int]) -> int:
    """Run what `serve_http` gave, in the event loop that uvicorn would take: uvloop's where it is installed."""
    with asyncio.Runner(loop_factory=uvicorn.Config(_nothing).get_loop_factory()) as runner:
        return runner.run(serving)


async def _nothing(scope: Any, receive: Any, send: Any) -> None:
    """An application that is never asked."""


async def serve_http(
    rollouts: Rollouts,
    token: str,
    tasks: Sequence[str],
    *,
    agents: tuple[str, int],
    control: tuple[str, int],
    hosts: Sequence[str] = (),
    ready: Callable[[Addresses], None],
) -> int:
    """Serve until stopped; gives how many rollouts were still open. `hosts`: names under which agents reach this machine."""
    with contextlib.ExitStack() as bound:
        agents_socket, control_socket = bound.enter_context(_bound(agents)), bound.enter_context(_bound(control))
        addresses = Addresses(_url(agents_socket), _url(control_socket))
        door = Door(rollouts, [*LOOPBACK, agents[0], *hosts])
        inner = Control(rollouts, token, list(tasks), lambda: addresses.agents)
        servers = [(_server(door), agents_socket), (_server(inner), control_socket)]

        def stop() -> None:
            for server, _ in servers:
                server.should_exit = True

        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop)
            bound.callback(loop.remove_signal_handler, number)
        async with door.sessions.run(), asyncio.TaskGroup() as running:
            for server, listening in servers:
                running.create_task(_serve(server, listening, stop))
            while not all(server.started or server.should_exit for server, _ in servers):
                await asyncio.sleep(0.01)
            ready(addresses)
    return await rollouts.close()


class _Server(uvicorn.Server):
    """Leaves the signals to the two servers' common owner."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take no signal."""
        yield


async def _serve(server: uvicorn.Server, listening: socket.socket, stop: Callable[[], None]) -> None:
    """One side; when it ends, so does the other."""
    try:
        await server.serve(sockets=[listening])
    finally:
        stop()


def _server(application: Door | Control) -> uvicorn.Server:
    config = uvicorn.Config(
        application,
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        backlog=_BACKLOG,
        timeout_graceful_shutdown=_PATIENCE,
        timeout_keep_alive=_THINKING,
    )
    return _Server(config)


def _bound(address: tuple[str, int]) -> socket.socket:
    host, port = address
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # asyncio sends at once only where the protocol is named
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
    except OSError as fault:
        made.close()
        raise OSError(f"{host}:{port}: {fault.strerror or fault} (give another port, or 0 for any that is free)") from fault
    return made


def _url(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
