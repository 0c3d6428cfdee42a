"""The Claude Agent SDK as a solver: its own loop drives, with the world as its MCP server and no other tool.

Takes an endpoint of Anthropic's form (model, address, key); gives a solver. The command-line program that the SDK's wheel holds
runs in an empty folder of its own, without the user's settings, and its tool calls become acts of the attempt, one at a time.
Promises: no file, shell or network tool is there; what the provider or the program does wrong ends the attempt without a verdict
(SolverError), with the key in no text; what the model does wrong is graded. Text that the model writes and the program's own
system context are not in the trace. Waits at most `patience` seconds for the next act.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import tempfile
import threading
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec

from worldwright.errors import ModelError, SolverError
from worldwright.model.budget import Price, Use
from worldwright.model.secrets import Secrets
from worldwright.solver.protocol import Action, Answer, Call, GiveUp, Observation, Spent
from worldwright.solver.talk import prompt_text, turn_text
from worldwright.solver.trace import json_text
from worldwright.task import Prompt
from worldwright.world.arguments import mcp_tool
from worldwright.world.protocol import ToolDoc

__all__ = ["Called", "Endpoint", "Given", "HarnessSolver", "Used", "Work"]

_LAST = 30.0


class Endpoint(msgspec.Struct, frozen=True):
    """Where the program asks for completions: `url` empty is the provider's own; `tries` is how often a request is made.

    `price` None is not known: cents are not counted then.
    """

    model: str
    key: str
    url: str = ""
    tries: int = 5
    price: Price | None = None

    def __repr__(self) -> str:
        return f"Endpoint({self.model!r})"


class Given(msgspec.Struct, frozen=True):
    """What a call gives the program, as texts."""

    texts: list[str]
    is_error: bool = False


class Work(msgspec.Struct, frozen=True):
    """All that a run of the program needs; `tools` in MCP's form, `folder` empty and its own."""

    system: str
    text: str
    tools: list[dict[str, Any]]
    endpoint: Endpoint
    most: Use
    folder: str


Called = Callable[[str, Any], Awaitable[Given]]
Used = Callable[[int, int, int], None]
Run = Callable[[Work, Called, Used], Awaitable[str]]


class HarnessSolver:
    """Lets the Claude Agent SDK attempt the task; `most` is what one attempt may use, `in_all` all of them (0 is without limit)."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        most: Use | None = None,
        in_all: Use | None = None,
        patience: float = 600.0,
        name: str = "",
        secrets: Secrets | None = None,
    ) -> None:
        self.endpoint, self.most, self.in_all, self.patience = endpoint, most or Use(), in_all or Use(), patience
        self.secrets = secrets or Secrets()
        self.secrets.add("the endpoint's key", endpoint.key)
        self.name = name or f"harness:{endpoint.model}"
        self.used = Use()
        self._lock = threading.Lock()

    @property
    def is_over(self) -> bool:
        """Whether all attempts together have used what they may."""
        return _is_used_up(self.used, self.in_all)

    def start(self, prompt: Prompt, seed: int, shown: Mapping[str, Any]) -> _Agent:
        """An agent whose program starts with its first act. Raises SolverError if the SDK isn't installed, ModelError without budget."""
        if self.is_over:
            raise ModelError(f"{self.name}: {self.used.tokens:,} tokens and {self.used.cents:.2f} cents are used up", kind="budget")
        try:
            from worldwright.solver.harness_sdk import run
        except ModuleNotFoundError as fault:
            raise SolverError(f"the solver harness needs the package {fault.name}: pip install 'worldwright[harness]'") from fault
        return _Agent(self, prompt, run)

    def charge(self, tokens: int, cents: float) -> None:
        """Add to what all attempts have used."""
        with self._lock:
            self.used = Use(self.used.tokens + tokens, self.used.cents + cents)


def _is_used_up(used: Use, most: Use) -> bool:
    return bool((most.tokens and used.tokens >= most.tokens) or (most.cents and used.cents >= most.cents))


class _Agent:
    """One run of the program, in a thread of its own; what it does comes through a queue, one act at a time."""

    def __init__(self, solver: HarnessSolver, prompt: Prompt, run: Run) -> None:
        self._solver, self._prompt, self._run = solver, prompt, run
        names = {tool.name for tool in prompt.tools}
        self._finish = next(name for name in ("submit_answer", "submit_the_answer", "submit_my_answer") if name not in names)
        self._acts: queue.Queue[Action | SolverError] = queue.Queue()
        self._thread: threading.Thread | None = None
        self._loop = asyncio.new_event_loop()
        self._task: asyncio.Task[None] | None = None
        self._waiting: asyncio.Future[Given] | None = None
        self._turn = asyncio.Lock()
        self.spent = Spent()

    # ---- the attempt's side

    def act(self, observation: Observation) -> Action:
        """Hand over what the last call gave, and wait for the next. Raises SolverError."""
        turns = [turn_text(turn) for turn in observation.turns]
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, args=("\n\n".join([self._prompt.instruction, *turns]),), daemon=True)
            self._thread.start()
        else:
            result = observation.returned[-1].result
            text = json_text(result.value if result.ok else {"error": result.error})
            self._loop.call_soon_threadsafe(self._give, Given([text, *turns], not result.ok))
        try:
            act = self._acts.get(timeout=self._solver.patience)
        except queue.Empty:
            fault = ModelError(f"{self._solver.name}: no act in {self._solver.patience:g} seconds", kind="timeout")
            self._count(fault)
            raise fault from None
        if isinstance(act, SolverError):
            raise act
        return act

    def close(self) -> None:
        """End the program. Raises SolverError if it can't be ended."""
        if self._thread is None:
            self._loop.close()
            return
        with contextlib.suppress(RuntimeError):  # the loop may be closed already
            self._loop.call_soon_threadsafe(self._stop)
        self._thread.join(_LAST)
        if self._thread.is_alive():
            raise SolverError(f"{self._solver.name}: the program did not end within {_LAST:g} seconds")

    # ---- the program's side, in its thread

    def _work(self, text: str) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._all(text))
        finally:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()

    async def _all(self, text: str) -> None:
        self._task = asyncio.current_task()
        prompt, solver = self._prompt, self._solver
        words: dict[str, Any] = {"asked": bool(prompt.answer), "finish": self._finish}
        last = ToolDoc(self._finish, prompt_text("finish", **words), dict(prompt.answer), writes=True)
        tools = [mcp_tool(tool) for tool in (*prompt.tools, last)]
        with tempfile.TemporaryDirectory() as folder:
            work = Work(prompt_text("harness", system=prompt.system, **words), text, tools, solver.endpoint, solver.most, folder)
            try:
                self._acts.put(self._ended(await self._run(work, self._called, self._used)))
            except asyncio.CancelledError:
                pass
            except SolverError as fault:
                self._fail(fault)
            except Exception as fault:  # noqa: BLE001 - whatever the SDK raises is what the agent stands on
                self._fail(SolverError(solver.secrets.hide(f"{solver.name}: {type(fault).__name__}: {fault}")))

    async def _called(self, tool: str, args: Any) -> Given:
        """What a call of the program gives; calls that come at once take their turn."""
        async with self._turn:
            if tool == self._finish:
                self._acts.put(Answer(args if self._prompt.answer else None))
                await self._loop.create_future()  # nothing comes after it: the program is ended while it waits
            self._waiting = self._loop.create_future()
            self._acts.put(Call(tool, args))
            return await self._waiting

    def _used(self, tokens_in: int, tokens_out: int, requests: int) -> None:
        """Count what a completion used. Raises ModelError once an attempt's budget is used up."""
        solver, before = self._solver, self.spent
        price = solver.endpoint.price
        cents = 0.0 if price is None else price.cents(tokens_in, tokens_out)
        self.spent = msgspec.structs.replace(
            before, requests=requests, tokens_in=tokens_in, tokens_out=tokens_out, cents=cents, estimated=True
        )
        solver.charge(tokens_in + tokens_out - before.tokens_in - before.tokens_out, cents - before.cents)
        if _is_used_up(Use(tokens_in + tokens_out, cents), solver.most):
            text = f"the attempt has used {tokens_in + tokens_out:,} tokens and {cents:.2f} cents, which is what one attempt may use"
            raise ModelError(text, kind="budget")

    def _ended(self, words: str) -> Action:
        """The program has ended by itself, without its last tool."""
        if self._prompt.answer:
            return GiveUp(f"ended without calling {self._finish}", words)
        return Answer(None, words)

    def _fail(self, fault: SolverError) -> None:
        self._count(fault)
        self._acts.put(fault)

    def _count(self, fault: SolverError) -> None:
        kind = fault.kind if isinstance(fault, ModelError) else "malformed"
        self.spent = msgspec.structs.replace(self.spent, faults={kind: 1}, fault=kind)

    def _give(self, given: Given) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(given)

    def _stop(self) -> None:
        """End the program; a call that is waiting gets no answer, so that nothing more is asked."""
        if self._task is not None:
            self._task.cancel()
