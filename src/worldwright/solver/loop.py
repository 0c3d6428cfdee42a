"""The one agent loop: observe, act, stop.

Takes a task, an instance, a solver and its seed; gives an Attempt: the evidence, still open for grading, and the trace.
It never grades. Promises: the first stop reason that applies, in the order of `StopReason`, ends the attempt; what
the agent does wrong is evidence, while a failure of the world or of what the solver stands on leaves no evidence at all,
so it can never become a verdict; the same inputs give the same trace, byte for byte, as far as the solver does. Does not
promise an end if an agent's `act` never returns: a solver that waits has to bound its own waiting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NoReturn

import msgspec

from worldwright.errors import SandboxError, UsageError
from worldwright.solver.protocol import Action, Agent, Answer, Call, GiveUp, Observation, Returned, Solver
from worldwright.solver.trace import VERSION, Counts, Trace, Transcript, brief_digest, json_text, plain, tool_docs
from worldwright.task import Instance, Limits, Prompt, Task
from worldwright.world.protocol import CallResult, StopReason
from worldwright.world.records import RecordsEpisode, RecordsEvidence

__all__ = ["LIMITS", "UNGRADED", "Attempt", "attempt", "reached"]

LIMITS: tuple[tuple[StopReason, str], ...] = ((StopReason.CALL_LIMIT, "calls"), (StopReason.OUTPUT_LIMIT, "output"))
"""The limits of a brief and what reaching them is called, in the order in which they are looked at."""

UNGRADED = frozenset({StopReason.WORLD_ERROR, StopReason.SOLVER_ERROR})
"""The stops that leave nothing to grade."""

_RANK = {reason: rank for rank, reason in enumerate(StopReason)}
_SAID = {
    StopReason.CALL_LIMIT: "The limit of calls is reached; the episode has ended.",
    StopReason.OUTPUT_LIMIT: "The limit of characters is reached; the episode has ended.",
}
_ENDED = CallResult(False, error="The episode has ended.")


class Attempt:
    """What one attempt left. `evidence` is None if there is nothing to grade; it lives until `close`."""

    def __init__(self, trace: Trace, evidence: RecordsEvidence | None, episode: RecordsEpisode | None) -> None:
        self.trace, self.evidence, self._episode = trace, evidence, episode

    def close(self) -> None:
        """Give the episode's state back; safe to call twice."""
        if self._episode is not None:
            self._episode.close()

    def __enter__(self) -> Attempt:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def attempt(task: Task, instance: Instance, solver: Solver, *, seed: int, wording: int = 0) -> Attempt:
    """Let the solver attempt the instance; `seed` is the solver's own, `wording` picks the instruction or a paraphrase.

    Raises UsageError if the instance is another task's. Close the Attempt, or use it in a `with`.
    """
    if (instance.world, instance.task) != (task.world.name, task.name):
        raise UsageError(f"{instance.name} is no instance of {task.world.name}/{task.name}: take one from task.instance(seed)")
    with ExitStack() as open_things:
        run = _Run(task, instance)
        open_things.callback(run.close)
        run.go(solver, seed, wording)
        trace = run.trace(solver.name, seed, wording)
        open_things.pop_all()
    return Attempt(trace, run.evidence, run.episode)


def reached(used: Counts, limits: Limits) -> StopReason | None:
    """The first limit that is exceeded by what was used."""
    return next((reason for reason, name in LIMITS if getattr(used, name) > getattr(limits, name)), None)


class _Stopped(Exception):
    """Ends the run with this reason."""

    def __init__(self, reason: StopReason, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason, self.detail = reason, detail


@contextmanager
def _blaming(reason: StopReason) -> Iterator[None]:
    """The one place where an exception becomes a stop: code in here is the world's or the solver's, as `reason` says."""
    try:
        yield
    except _Stopped:
        raise
    except Exception as fault:
        if reason is StopReason.SOLVER_ERROR and isinstance(fault, SandboxError) and fault.kind != "crashed":
            where = f"line {fault.line}: " if fault.line else ""
            raise _Stopped(StopReason.PLAN_FAILED, f"{where}{fault}") from fault
        raise _Stopped(reason, f"{type(fault).__name__}: {fault}") from fault


class _Run:
    """One attempt while it runs."""

    def __init__(self, task: Task, instance: Instance) -> None:
        self.task, self.instance, self.limits = task, instance, task.brief.limits
        self.transcript = Transcript()
        self.prompt: Prompt | None = None
        self.episode: RecordsEpisode | None = None
        self.evidence: RecordsEvidence | None = None
        self.used = Counts()
        self.answer: dict[str, Any] | None = None
        self.stop: StopReason | None = None
        self.detail = ""
        self.started = self.ended = task.world.spec.start()

    def go(self, solver: Solver, seed: int, wording: int) -> None:
        """From the start state to the evidence."""
        steps: tuple[Callable[[], None], ...] = (lambda: self._attempt(solver, seed, wording), self._finish)
        for step in steps:
            try:
                if self.stop not in UNGRADED:
                    step()
            except _Stopped as stopped:
                self._end(stopped)
        if self.episode is not None:
            self.ended = self.episode.now()
        if self.evidence is None:
            self.close()

    def close(self) -> None:
        """Give the episode back."""
        if self.episode is not None:
            self.episode.close()

    def trace(self, solver: str, seed: int, wording: int) -> Trace:
        """The record of what happened."""
        assert self.stop is not None
        return Trace(
            version=VERSION,
            instance=self.instance.name,
            world=self.task.world.digest,
            brief=brief_digest(self.task.brief),
            solver=solver,
            seed=seed,
            wording=wording,
            stop=self.stop,
            detail=self.detail.encode(errors="replace").decode(),
            answer=self.answer,
            counts=msgspec.structs.replace(self.used, read=self.transcript.read),
            started=self.started,
            ended=self.ended,
            messages=tuple(self.transcript.messages),
            tools=tool_docs(self.prompt) if self.prompt is not None else (),
        )

    # ---- inside

    def _end(self, stopped: _Stopped) -> None:
        """Note why the attempt ends; of several reasons the first in the order of StopReason counts."""
        if self.stop is None or _RANK[stopped.reason] < _RANK[self.stop]:
            self.stop, self.detail = stopped.reason, stopped.detail

    def _attempt(self, solver: Solver, seed: int, wording: int) -> None:
        """Until the agent has ended and is closed."""
        with _blaming(StopReason.WORLD_ERROR):
            prompt = self.prompt = self.task.prompt(self.instance, wording)
            episode = self.episode = self.task.start(self.instance)
            self.transcript.opening(prompt)
        with _blaming(StopReason.SOLVER_ERROR):
            agent = solver.start(prompt, seed, dict(self.instance.shown))
        try:
            self._drive(agent, episode)
        except _Stopped as stopped:
            self._end(stopped)
        finally:
            with _blaming(StopReason.SOLVER_ERROR):
                agent.close()

    def _drive(self, agent: Agent, episode: RecordsEpisode) -> NoReturn:
        returned: tuple[Returned, ...] = ()
        while True:
            observation = self._observe(episode, returned)
            with _blaming(StopReason.SOLVER_ERROR):
                action = agent.act(observation)
            if isinstance(action, Answer):
                self._answer(action)
            if isinstance(action, GiveUp):
                self.transcript.said(action.text or action.reason)
                raise _Stopped(StopReason.GAVE_UP, action.reason)
            returned = self._call_all(episode, _calls(action))

    def _observe(self, episode: RecordsEpisode, returned: tuple[Returned, ...]) -> Observation:
        with _blaming(StopReason.WORLD_ERROR):
            turns = tuple(episode.turns())
            now = episode.now()
            for turn in turns:
                self.transcript.turn(turn)
        return Observation(returned, turns, now, self.limits.calls - self.used.calls)

    def _call_all(self, episode: RecordsEpisode, calls: Sequence[Call]) -> tuple[Returned, ...]:
        """Make the calls in their order; once one has ended the episode the others are not made."""
        ids, out = self.transcript.calls(calls), []
        ended: StopReason | None = None
        for call, call_id in zip(calls, ids, strict=True):
            result = _ENDED if ended else self._call(episode, call)
            with _blaming(StopReason.WORLD_ERROR):
                self.transcript.result(call_id, result)
            ended = ended or result.ended
            out.append(Returned(call, result))
        if ended is not None:
            raise _Stopped(ended, episode.lost or f"at the call of {call.tool}")
        return tuple(out)

    def _call(self, episode: RecordsEpisode, call: Call) -> CallResult:
        used = self.used
        would = msgspec.structs.replace(used, calls=used.calls + 1, output=used.output + _said(call))
        limit = reached(would, self.limits)
        if limit is not None:
            return CallResult(False, error=_SAID[limit], ended=limit)
        with _blaming(StopReason.WORLD_ERROR):
            result = episode.call(call.tool, call.args)
        self.used = msgspec.structs.replace(would, refused=used.refused + (not result.ok))
        return result

    def _answer(self, action: Answer) -> NoReturn:
        value = plain(action.value)
        self.transcript.said(action.text or json_text(value))
        would = msgspec.structs.replace(self.used, output=self.used.output + (0 if value is None else len(json_text(value))))
        limit = reached(would, self.limits)
        if limit is not None:
            raise _Stopped(limit, "at the answer")
        self.used = would
        if value is not None and not isinstance(value, dict):
            raise _Stopped(StopReason.ANSWERED, "the answer is not an object, so it counts as none")
        self.answer = value
        raise _Stopped(StopReason.ANSWERED)

    def _finish(self) -> None:
        """Let the clock run on with the agent gone, and take the evidence."""
        assert self.episode is not None
        with _blaming(StopReason.WORLD_ERROR):
            self.evidence = self.episode.finish(self.answer, self.instance.until)
        if self.evidence.lost is not None:
            self._end(_Stopped(StopReason.STATE_LOST, self.evidence.lost))


def _calls(action: Action) -> Sequence[Call]:
    """The calls of an act. An act that is none of the four kinds is a defect of the solver."""
    calls = [action] if isinstance(action, Call) else action
    if isinstance(calls, (list, tuple)) and calls and all(isinstance(one, Call) and isinstance(one.tool, str) for one in calls):
        return calls
    expected = "a Call, some Calls, an Answer or a GiveUp"
    raise _Stopped(StopReason.SOLVER_ERROR, f"the agent's act was of type {type(action).__name__}; expected {expected}")


def _said(call: Call) -> int:
    """Characters that the call says to a person."""
    text = call.args.get("text") if call.tool == "say" and isinstance(call.args, Mapping) else None
    return len(text) if isinstance(text, str) else 0
