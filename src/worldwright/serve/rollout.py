"""One attempt whose agent lives elsewhere: it calls tools and answers, and somebody apart asks for the verdict.

Takes a task of a pack, a seed and what the attempt is called; gives replies to the agent's calls and, after the end, the
same Trajectory that the loop's attempt would have given for the same acts. Promises: an agent finds the tools, results,
refusals and limits of the loop, one more tool to answer with, and nothing else: no reset and no verdict. Calls and ends are
made by one thread; `settle` may run in another once the attempt has ended. Does not promise an end if the agent never
comes back: whoever started the rollout ends it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from worldwright.errors import UsageError
from worldwright.pack.read import PackTask
from worldwright.rollout import Trajectory
from worldwright.rollout.collect import answer_schema, graded, solver_seed
from worldwright.rollout.ladder import RUNGS, help_text
from worldwright.solver.open_attempt import ENDED, SAID, OpenAttempt, Stopped, blaming
from worldwright.solver.protocol import Action, Answer, Call
from worldwright.solver.trace import ChatMessage, json_text
from worldwright.world.arguments import mcp_tool
from worldwright.world.protocol import StopReason, ToolDoc

__all__ = ["ANSWER_TOOL", "Reply", "ServedRollout"]

ANSWER_TOOL = "submit_answer"
_ASKED = "Submit your answer. This ends the task: no tool can be called after it."
_DONE = "Say that you are done. This ends the task: no tool can be called after it."
_TAKEN = "The answer is taken; the episode has ended."
_FAILED = "The world failed; the episode has ended."


class Reply(msgspec.Struct, frozen=True):
    """What a call gave, as texts: the result first, then what people have said by themselves since the last call."""

    texts: tuple[str, ...]
    is_error: bool = False


class ServedRollout:
    """See the module. `answer_tool` is the name of the tool that answers; with None, only `end` can."""

    def __init__(
        self,
        entry: PackTask,
        pack: str,
        seed: int,
        *,
        index: int = 0,
        wording: int = 0,
        solver: str = "served",
        answer_tool: str | None = ANSWER_TOOL,
        help_level: int = 0,
    ) -> None:
        instance = entry.task.instance(seed)
        self.entry, self.pack = entry, pack
        self.solver = f"{solver} +{RUNGS[help_level]}" if help_level else solver
        self.seed = solver_seed(f"{entry.world.name}/{entry.name}", seed, index)
        self.attempt = OpenAttempt(entry.task, instance, wording, help_text(entry, instance, help_level))
        entry.verifier.preflight(instance)
        self.answer_tool = answer_tool
        docs = entry.task.world.tools(entry.task.brief.parties)
        if answer_tool in {doc.name for doc in docs}:
            raise UsageError(f"{entry.where}: the world has a tool '{answer_tool}' of its own (give the answer's tool another name)")
        self.tools: list[dict[str, Any]] = [mcp_tool(doc) for doc in docs]
        if answer_tool is not None:
            asked = entry.task.brief.answer
            self.tools.append(mcp_tool(ToolDoc(answer_tool, _ASKED if asked else _DONE, asked, writes=True)))
        self.answer_schema = answer_schema(entry)
        self.trajectory: Trajectory | None = None
        self.attempt.within(self.attempt.open)
        self.attempt.within(self.attempt.observe)
        self.opening: tuple[ChatMessage, ...] = tuple(self.attempt.transcript.messages)

    # ---- the agent's side

    def call(self, tool: str, args: Any) -> Reply:
        """Call a tool, or answer. After the end every call gives the same error and changes nothing."""
        if self.has_ended:
            return _refused(str(ENDED.error))
        if tool == self.answer_tool:
            return self._answer(args)
        attempt = self.attempt
        attempt.within(lambda: self._act(Call(tool, args)))
        if not attempt.returned:
            return _refused(_FAILED)
        ok, told = attempt.returned[-1].result.ok, len(attempt.transcript.messages) - 1
        if attempt.stop is None:
            attempt.within(attempt.observe)
        return Reply(tuple(map(_spoken, attempt.transcript.messages[told:])), not ok)

    def told(self) -> list[str]:
        """What the agent is told at the start: the setting, what is asked, and what people have said."""
        return [_spoken(one) for one in self.opening]

    # ---- the side of whoever started it

    @property
    def has_ended(self) -> bool:
        """Whether no act is taken any more."""
        return self.attempt.stop is not None

    def end(self, action: Action) -> None:
        """End the attempt with an Answer or a GiveUp. Raises UsageError if it has ended already."""
        self._check_running()
        self.attempt.within(lambda: self.attempt.act(action))

    def fail(self, detail: str) -> None:
        """End the attempt because what the agent stands on has failed: there will be no verdict. Raises UsageError as `end` does."""
        self._check_running()
        self.attempt.end(Stopped(StopReason.SOLVER_ERROR, detail))

    def settle(self) -> Trajectory:
        """The graded record of the attempt, which has ended; the state is given back. The same record each time."""
        if self.trajectory is None:
            attempt = self.attempt
            try:
                attempt.finish()
                trace = attempt.trace(self.solver, self.seed)
                self.trajectory = graded(self.entry, attempt.instance, self.pack, trace, attempt.evidence)
            finally:
                self.close()
        return self.trajectory

    def close(self) -> None:
        """Give the state back; safe to call twice."""
        self.attempt.close()

    # ---- inside

    def _act(self, call: Call) -> None:
        """Whatever fails here is not the agent's doing, so it ends the attempt without a verdict and is told to nobody but its trace."""
        with blaming(StopReason.WORLD_ERROR):
            self.attempt.act(call)

    def _check_running(self) -> None:
        if self.attempt.stop is not None:
            raise UsageError(f"the attempt has ended already ({self.attempt.stop}): ask for its verdict")

    def _answer(self, args: Any) -> Reply:
        """As the loop's Answer: what is given counts, in the right form or not; nothing given where nothing is asked is None."""
        value = args if args or self.entry.task.brief.answer else None
        self.end(Answer(value))
        stop = self.attempt.stop
        return _refused(SAID[stop]) if stop in SAID else Reply((_TAKEN,))


def _refused(text: str) -> Reply:
    return Reply((json_text({"error": text}),), is_error=True)


def _spoken(message: ChatMessage) -> str:
    """A message of the transcript as the agent reads it: what a person says begins with their name."""
    return f"{message.name}: {message.content}" if message.name else message.content
