"""Python of a pack in the Monty sandbox: a fresh checkout each time, fixed clock and seed, every limit set.

Takes source text, a function's name and plain values; gives the function's value. Promises: no files, no network, no
environment, no wall clock; the same source, arguments, clock and seed give the same value on every machine.
Safe for threads, and for processes that fork before the first use (Monty's own threads don't survive a fork).
Doesn't protect: against a bug in Monty itself (its worker is a separate process of the same user, without a
namespace of its own), and a host function handed in is as powerful as the host makes it.
"""

from __future__ import annotations

import atexit
import datetime
import os
import threading
from collections.abc import Mapping
from typing import Any

import msgspec
import pydantic_monty

from worldwright.errors import SandboxError

__all__ = ["Limits", "call_function", "checkout", "fault_of"]


class Limits(msgspec.Struct, frozen=True):
    """What one run in the sandbox may use; `seconds` is time executing, `turn_seconds` between two host calls."""

    seconds: float = 10.0
    turn_seconds: float = 5.0
    memory: int = 256_000_000
    calls: int = 5_000
    depth: int = 200


_WORKERS = 64
_pool_lock = threading.Lock()
_pools: dict[int, pydantic_monty.Monty] = {}


def _pool() -> pydantic_monty.Monty:
    """This process's worker pool. Raises SandboxError in a process that was forked after the first use."""
    if _pools and os.getpid() not in _pools:
        raise SandboxError(
            "this process was forked after the sandbox's first use: fork earlier, or start it afresh (spawn)", kind="crashed"
        )
    with _pool_lock:
        if not _pools:
            pool = pydantic_monty.Monty(min_processes=1, max_processes=_WORKERS, checkout_timeout=60.0, request_timeout=60.0)
            pool.__enter__()
            _pools[os.getpid()] = pool
            atexit.register(_close, os.getpid())
        return _pools[os.getpid()]


def _close(pid: int) -> None:
    if pid == os.getpid():
        _pools.pop(pid).__exit__(None, None, None)


def checkout(name: str, seed: int, clock: str, limits: Limits) -> pydantic_monty.MontySession:
    """A fresh session whose clock stands at `clock` (ISO) and whose `random` starts from `seed`."""
    return _pool().checkout(
        script_name=name,
        limits={
            "max_feed_duration_secs": limits.seconds,
            "max_turn_duration_secs": limits.turn_seconds,
            "max_memory": limits.memory,
            "max_suspensions": max(1, limits.calls),
            "max_recursion_depth": limits.depth,
            "max_total_sleep_secs": 1.0,
        },
        assert_message_annotations=False,
        os_policy={
            "datetime": datetime.datetime.fromisoformat(clock),
            "timezone": "utc",
            "sleep": "zero",
            "random_start": {"seed": seed},
        },
    )


def fault_of(fault: pydantic_monty.MontyError) -> SandboxError:
    """A Monty failure as our error, with the line of the pack's own code."""
    if isinstance(fault, pydantic_monty.MontyCrashedError):
        return SandboxError("the sandbox's worker was stopped", kind="limit" if fault.timed_out else "crashed")
    text = str(fault)
    line = 0
    if isinstance(fault, (pydantic_monty.MontyRuntimeError, pydantic_monty.MontySyntaxError)):
        frames = fault.traceback()
        line = frames[-1].line if frames else 0
    name = text.split(":", 1)[0]
    if isinstance(fault, pydantic_monty.MontySyntaxError) or "does not yet support" in text:
        return SandboxError(text, kind="syntax", line=line)
    if name in ("TimeoutError", "MemoryError", "RecursionError") or "suspension" in text:
        return SandboxError(text, kind="limit", line=line)
    return SandboxError(text, kind="raised", line=line)


def call_function(
    source: str, function: str, args: Mapping[str, Any], *, seed: int, clock: str, name: str = "main.py", limits: Limits | None = None
) -> Any:
    """Run `source`, then `function(**args)`, and give its value. Raises SandboxError."""
    try:
        with checkout(name, seed, clock, limits or Limits()) as session:
            session.feed_run(source, print_callback=_silent)
            return session.feed_run(f"{function}(**__args)", inputs={"__args": dict(args)}, print_callback=_silent)
    except pydantic_monty.MontyError as fault:
        raise fault_of(fault) from fault
    except TimeoutError as fault:
        raise SandboxError("no sandbox worker became free within 60 s", kind="crashed") from fault


def _silent(stream: str, text: str) -> None:
    """What pack code prints is nobody's business."""
