"""A plan: a module whose `solve(...)` may only call a world's tools, run one call at a time.

Takes plan text and parameters; gives the calls as they come and the answer at the end, so that whoever drives it
decides what a call returns. A tool's error is raised inside the plan as ValueError.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pydantic_monty

from worldwright.errors import SandboxError
from worldwright.sandbox.monty import Limits, checkout, fault_of

__all__ = ["Plan", "PlanCall", "PlanDone", "PlanRun"]


class Plan(msgspec.Struct, frozen=True):
    """A plan's text; `name` says which file it is."""

    name: str
    source: str


class PlanCall(msgspec.Struct, frozen=True):
    """The plan asks for a tool."""

    tool: str
    positional: tuple[Any, ...]
    args: dict[str, Any]

    def named(self, names: Sequence[str] | None) -> dict[str, Any] | str:
        """All arguments by name, or what is wrong with the positional ones; `names` are the tool's (None: no such tool)."""
        if names is not None and len(self.positional) > len(names):
            return f"{self.tool}: got {len(self.positional)} positional arguments, it has {len(names)}: {', '.join(names) or 'none'}."
        by_place = dict(zip(names or (), self.positional, strict=False))
        doubled = next((name for name in by_place if name in self.args), None)
        return by_place | self.args if doubled is None else f"{self.tool}: the argument '{doubled}' is given twice."


class PlanDone(msgspec.Struct, frozen=True):
    """The plan has ended with this value."""

    value: Any


class PlanRun:
    """One run of a plan; `advance` after `start` until it gives a PlanDone, then `close`."""

    def __init__(
        self, plan: Plan, params: Mapping[str, Any], tools: frozenset[str], *, seed: int, clock: str, limits: Limits | None = None
    ) -> None:
        self._plan, self._params, self._tools = plan, dict(params), {name: _stub for name in tools}
        self._session = checkout(plan.name, seed, clock, limits or Limits())
        self._snapshot: Any = None
        self._open = False

    def start(self) -> PlanCall | PlanDone:
        """Load the module and run `solve` up to its first call. Raises SandboxError."""
        try:
            self._session.__enter__()
            self._open = True
            self._session.feed_run(self._plan.source, external_lookup=self._tools, print_callback=_silent)
            self._snapshot = self._session.feed_start(
                "solve(**__params)", inputs={"__params": self._params}, external_lookup=self._tools, print_callback=_silent
            )
            return self._settle()
        except pydantic_monty.MontyError as fault:
            self.close()
            raise fault_of(fault) from fault
        except TimeoutError as fault:
            raise SandboxError("no sandbox worker became free within 60 s", kind="crashed") from fault

    def advance(self, value: Any = None, error: str | None = None) -> PlanCall | PlanDone:
        """Answer the last call with a value, or with an error's text. Raises SandboxError."""
        try:
            result: Any = {"return_value": value} if error is None else {"exception": ValueError(error)}
            self._snapshot = self._snapshot.resume(result)
            return self._settle()
        except pydantic_monty.MontyError as fault:
            self.close()
            raise fault_of(fault) from fault

    def close(self) -> None:
        """Give the worker back; safe to call twice."""
        if self._open:
            self._open = False
            self._session.__exit__(None, None, None)

    def _settle(self) -> PlanCall | PlanDone:
        while True:
            snapshot = self._snapshot
            if isinstance(snapshot, pydantic_monty.MontyComplete):
                self.close()
                return PlanDone(snapshot.output)
            if isinstance(snapshot, pydantic_monty.FunctionSnapshot) and not snapshot.is_os_function and snapshot.object_id is None:
                if snapshot.function_name == "solve" and "solve" not in self._tools:
                    self.close()
                    raise SandboxError("the plan defines no solve()", kind="raised", line=1)
                return PlanCall(str(snapshot.function_name), tuple(snapshot.args), dict(snapshot.kwargs))
            self._snapshot = snapshot.resume_auto()


def _stub(*_: Any, **__: Any) -> Any:
    """Stands for a tool; the real call is made by whoever advances the run."""
    raise SandboxError("a tool was called while the plan's module was loading: call tools inside solve()", kind="raised")


def _silent(stream: str, text: str) -> None:
    """What a plan prints is nobody's business."""
