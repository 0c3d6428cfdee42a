"""One attempt while it is open: the agent's acts come in one by one, from the loop or from a server.

Takes a task and an instance; gives what each act brought, then the evidence and the trace. The order is `open`,
`observe`, acts, `finish`, `trace`, `close`; `within` takes such a step and notes why it ended the attempt, if it did.
Promises: the first stop reason that applies, in the order of `StopReason`, ends the attempt; what the agent does wrong
is evidence; a failure of the world or of what the solver stands on leaves none. The same acts leave the same trace,
whoever makes them. Not safe for use by two threads at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import msgspec

from worldwright.errors import SandboxError
from worldwright.solver.protocol import Action, Answer, Call, GiveUp, Observation, Returned
from worldwright.solver.trace import VERSION, Counts, Trace, Transcript, brief_digest, json_text, plain, tool_docs
from worldwright.task import Instance, Limits, Prompt, Task
from worldwright.world.protocol import CallResult, StopReason
from worldwright.world.records import RecordsEpisode, RecordsEvidence

__all__ = ["ENDED", "LIMITS", "SAID", "UNGRADED", "OpenAttempt", "Stopped", "blaming", "reached"]

LIMITS: tuple[tuple[StopReason, str], ...] = ((StopReason.CALL_LIMIT, "calls"), (StopReason.OUTPUT_LIMIT, "output"))
"""The limits of a brief and what reaching them is called, in the order in which they are looked at."""

UNGRADED = frozenset({StopReason.WORLD_ERROR, StopReason.SOLVER_ERROR})
"""The stops that leave nothing to grade."""

ENDED = CallResult(False, error="The episode has ended.")
"""What a call gives after the end."""

SAID = {
    StopReason.CALL_LIMIT: "The limit of calls is reached; the episode has ended.",
    StopReason.OUTPUT_LIMIT: "The limit of characters is reached; the episode has ended.",
}
"""What an agent is told when it reaches a limit."""

_RANK = {reason: rank for rank, reason in enumerate(StopReason)}


class Stopped(Exception):
    """Ends the attempt with this reason."""

    def __init__(self, reason: StopReason, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason, self.detail = reason, detail


class blaming:  # noqa: N801 - it reads as a verb: with blaming(...)
    """The one place where an exception becomes a stop: code in here is the world's or the solver's, as `reason` says."""

    __slots__ = ("reason",)

    def __init__(self, reason: StopReason) -> None:
        self.reason = reason

    def __enter__(self) -> None:
        """Nothing is held; a class because every step passes here several times."""

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, _: object) -> None:
        if fault is None or isinstance(fault, Stopped) or not isinstance(fault, Exception):
            return
        if self.reason is StopReason.SOLVER_ERROR and isinstance(fault, SandboxError) and fault.kind != "crashed":
            where = f"line {fault.line}: " if fault.line else ""
            raise Stopped(StopReason.PLAN_FAILED, f"{where}{fault}") from fault
        raise Stopped(self.reason, f"{type(fault).__name__}: {fault}") from fault


def reached(used: Counts, limits: Limits) -> StopReason | None:
    """The first limit that is exceeded by what was used."""
    return next((reason for reason, name in LIMITS if getattr(used, name) > getattr(limits, name)), None)


class OpenAttempt:
    """See the module. `wording` picks the instruction (0) or a paraphrase; `help` is told after it."""

    def __init__(self, task: Task, instance: Instance, wording: int = 0, help: str = "") -> None:
        self.task, self.instance, self.wording, self.limits = task, instance, wording, task.brief.limits
        self.help, self.transcript = help, Transcript()
        self.prompt: Prompt | None = None
        self.episode: RecordsEpisode | None = None
        self.evidence: RecordsEvidence | None = None
        self.used = Counts()
        self.returned: tuple[Returned, ...] = ()
        self.answer: dict[str, Any] | None = None
        self.stop: StopReason | None = None
        self.detail = ""
        self.started = self.ended = task.world.spec.start()

    # ---- steps, in their order; each may raise Stopped

    def open(self) -> None:
        """Set the task: the prompt and the episode are there, and the transcript begins."""
        with blaming(StopReason.WORLD_ERROR):
            prompt = self.task.prompt(self.instance, self.wording)
            if self.help:
                prompt = msgspec.structs.replace(prompt, instruction=f"{prompt.instruction}\n\n{self.help}")
            self.prompt = prompt
            self.episode = self.task.start(self.instance)
            self.transcript.opening(prompt)

    def observe(self) -> Observation:
        """What the agent sees before its next act: what its calls gave, and what people have said by themselves since then."""
        episode = self._running()
        with blaming(StopReason.WORLD_ERROR):
            turns = tuple(episode.turns())
            now = episode.now()
            for turn in turns:
                self.transcript.turn(turn)
        returned, self.returned = self.returned, ()
        return Observation(returned, turns, now, self.limits.calls - self.used.calls)

    def act(self, action: Action) -> None:
        """Carry out an act; `returned` is then what its calls gave, also where one of them ended the attempt."""
        if isinstance(action, Answer):
            self._answer(action)
        if isinstance(action, GiveUp):
            self.transcript.said(action.text or action.reason)
            raise Stopped(StopReason.GAVE_UP, action.reason)
        self._call_all(self._running(), _calls(action))

    def finish(self) -> None:
        """Let the clock run on with the agent gone, and take the evidence if there is any; without it the episode is closed."""
        self.within(self._take_evidence)
        if self.episode is not None:
            self.ended = self.episode.now()
        if self.evidence is None:
            self.close()

    # ---- around the steps

    def within(self, step: Callable[[], object]) -> None:
        """Take the step, unless nothing can be graded any more; a stop in it ends the attempt."""
        try:
            if self.stop not in UNGRADED:
                step()
        except Stopped as stopped:
            self.end(stopped)

    def end(self, stopped: Stopped) -> None:
        """Note why the attempt ends; of several reasons the first in the order of StopReason counts."""
        if self.stop is None or _RANK[stopped.reason] < _RANK[self.stop]:
            self.stop, self.detail = stopped.reason, stopped.detail

    def close(self) -> None:
        """Give the episode back; safe to call twice."""
        if self.episode is not None:
            self.episode.close()

    def trace(self, solver: str, seed: int) -> Trace:
        """The record of what happened, once the attempt has ended."""
        assert self.stop is not None
        return Trace(
            version=VERSION,
            instance=self.instance.name,
            world=self.task.world.digest,
            brief=brief_digest(self.task.brief),
            solver=solver,
            seed=seed,
            wording=self.wording,
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

    def _running(self) -> RecordsEpisode:
        assert self.episode is not None
        return self.episode

    def _call_all(self, episode: RecordsEpisode, calls: Sequence[Call]) -> None:
        """Make the calls in their order; once one has ended the episode the others are not made."""
        ids, out = self.transcript.calls(calls), []
        ended: StopReason | None = None
        for call, call_id in zip(calls, ids, strict=True):
            result = ENDED if ended else self._call(episode, call)
            with blaming(StopReason.WORLD_ERROR):
                self.transcript.result(call_id, result)
            ended = ended or result.ended
            out.append(Returned(call, result))
        self.returned = tuple(out)
        if ended is not None:
            raise Stopped(ended, episode.lost or f"at the call of {call.tool}")

    def _call(self, episode: RecordsEpisode, call: Call) -> CallResult:
        used = self.used
        would = msgspec.structs.replace(used, calls=used.calls + 1, output=used.output + _said(call))
        limit = reached(would, self.limits)
        if limit is not None:
            return CallResult(False, error=SAID[limit], ended=limit)
        with blaming(StopReason.WORLD_ERROR):
            result = episode.call(call.tool, call.args)
        self.used = msgspec.structs.replace(would, refused=used.refused + (not result.ok))
        return result

    def _answer(self, action: Answer) -> NoReturn:
        value = plain(action.value)
        self.transcript.said(action.text or json_text(value))
        would = msgspec.structs.replace(self.used, output=self.used.output + (0 if value is None else len(json_text(value))))
        limit = reached(would, self.limits)
        if limit is not None:
            raise Stopped(limit, "at the answer")
        self.used = would
        if value is not None and not isinstance(value, dict):
            raise Stopped(StopReason.ANSWERED, "the answer is not an object, so it counts as none")
        self.answer = value
        raise Stopped(StopReason.ANSWERED)

    def _take_evidence(self) -> None:
        episode = self._running()
        with blaming(StopReason.WORLD_ERROR):
            self.evidence = episode.finish(self.answer, self.instance.until)
        if self.evidence.lost is not None:
            self.end(Stopped(StopReason.STATE_LOST, self.evidence.lost))


def _calls(action: Action) -> Sequence[Call]:
    """The calls of an act. An act that is none of the four kinds is a defect of the solver."""
    calls = [action] if isinstance(action, Call) else action
    if isinstance(calls, (list, tuple)) and calls and all(isinstance(one, Call) and isinstance(one.tool, str) for one in calls):
        return calls
    expected = "a Call, some Calls, an Answer or a GiveUp"
    raise Stopped(StopReason.SOLVER_ERROR, f"the agent's act was of type {type(action).__name__}; expected {expected}")


def _said(call: Call) -> int:
    """Characters that the call says to a person."""
    text = call.args.get("text") if call.tool == "say" and isinstance(call.args, Mapping) else None
    return len(text) if isinstance(text, str) else 0
