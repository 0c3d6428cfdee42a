"""Tasks of a pack as environments of TRL's GRPOTrainer: the world's tools as methods, the prompts as rows, the verdict as the reward.

Takes a Pack and names of its tasks; gives `environments` (for `environment_factory`), `rows` (for `datasets.Dataset.from_list`) and
`reward` (for `reward_funcs`). Promises: calls go through the one agent loop's attempt, so limits, people and clock hold; the model sees
what the `chat` solver shows; the same pack and seeds give the same rows; an attempt without a verdict has the reward None, which TRL
keeps out of the group's mean and gives no advantage. Raises UsageError for held-out tasks, and for tools that TRL can't take. Imports
nothing of TRL. Does not promise to see a call that TRL refuses by itself (of a tool that isn't there, or whose arguments are no
object): TRL tells the model so and makes no call, so no world counts it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import msgspec

from worldwright.errors import UnusableSeed, UsageError
from worldwright.export.trl_tools import Tool, method_of, tools_of
from worldwright.pack import Pack
from worldwright.pack.labels import HELD_OUT
from worldwright.pack.read import PackTask
from worldwright.rollout import Trajectory
from worldwright.serve.rollout import ServedRollout
from worldwright.solver.open_attempt import blaming
from worldwright.solver.protocol import GiveUp
from worldwright.solver.talk import prompt_text
from worldwright.world.protocol import StopReason

__all__ = ["Environment", "TrlTasks"]

_TAKEN_NAMES = frozenset({"reset", "get_reward"})
_STOPPED = "the model stopped without an answer"
_CUT = "the trainer cut the attempt off (max_completion_length or max_tool_calling_iterations)"
_FAILED = "The world failed; the episode has ended."


class Environment:
    """One rollout at a time; TRL makes the object once and resets it often. Subclasses, one a task, have the tools as methods."""

    _tasks: TrlTasks
    _entry: PackTask
    _where: str
    _tools: tuple[Tool, ...]

    def __init__(self) -> None:
        self._rollout: ServedRollout | None = None
        self._index = 0
        self._trajectory: Trajectory | None = None

    def reset(self, *, instance: str, seed: int, **columns: Any) -> None:
        """Start the attempt that a row of the data set names; its other columns are left alone."""
        if instance != f"{self._where}@{seed}":
            raise UsageError(f"{instance}: a row of another task came to {self._where} (make rows and environments of one TrlTasks)")
        self._close()
        self._index, self._trajectory = self._tasks._next_index(instance), None
        self._rollout = self._tasks._start(self._where, seed, self._index)

    def _called(self, tool: str, args: dict[str, Any]) -> str:
        """What a call gives, as the text of TRL's tool message: TRL would take an exception for the tool's answer and go on."""
        rollout = self._rollout
        if rollout is None:
            raise UsageError(f"{self._where}: a call before the first reset")
        told = [_FAILED]

        def step() -> None:
            with blaming(StopReason.WORLD_ERROR):
                told[:] = rollout.call(tool, args).texts

        rollout.attempt.within(step)
        text = "\n\n".join(told)
        if rollout.has_ended:
            self._tasks.closing.add(text)
        return text

    def _settled(self, cut: bool, text: str, grade_cut_off: bool) -> Trajectory:
        """The graded attempt, ended here if the model hasn't ended it."""
        if self._trajectory is None:
            rollout = self._rollout
            if rollout is None:
                raise UsageError(f"{self._where}: asked for a reward before the first reset")
            if not rollout.has_ended:
                if cut and not grade_cut_off:
                    rollout.fail(_CUT)
                else:
                    rollout.end(GiveUp(_CUT if cut else _STOPPED, text))
            self._trajectory = msgspec.structs.replace(rollout.settle(), index=self._index)
            self._tasks._keep(self._trajectory)
        return self._trajectory

    def _close(self) -> None:
        if self._rollout is not None:
            self._rollout.close()


class TrlTasks:
    """See the module. Without `tasks` (`world/task`) all that aren't held out are taken, and the others are named in `left_out`.

    `keep` is given the trajectory of every attempt once it is graded; `solver` is what they call the model. `closing` holds the
    texts with which tools have told a model that its attempt is over.
    """

    def __init__(
        self, pack: Pack, tasks: Sequence[str] = (), *, solver: str = "trl", keep: Callable[[Trajectory], object] | None = None
    ) -> None:
        there = {f"{name}/{task}": entry for name, world in pack.worlds.items() for task, entry in world.tasks.items()}
        unknown = [name for name in tasks if name not in there]
        if unknown:
            raise UsageError(f"there is no task {', '.join(unknown)} in the pack (there are: {', '.join(there)})")
        held_out = [name for name in tasks or there if there[name].label.split == HELD_OUT]
        self.left_out = () if tasks else tuple(held_out)
        self._entries = {name: there[name] for name in tasks or there if name not in self.left_out}
        if held_out and (tasks or not self._entries):
            named = ", ".join(f"{name} (of the family {there[name].label.family})" for name in held_out)
            raise UsageError(f"held out, so nothing may train on it: {named}; take tasks of other families")
        self._pack, self._solver, self._keep = pack.digest, solver, keep or _nothing
        self._attempts: Counter[str] = Counter()
        self.closing: set[str] = set()
        self.environments: dict[str, type[Environment]] = {name: self._environment(name, entry) for name, entry in self._entries.items()}

    def rows(self, seeds: Iterable[int]) -> list[dict[str, Any]]:
        """A row for each task and each seed that it can use: `prompt`, `environment`, and what the row is of.

        `environment` is the task, by which TRL chooses; `instance` is `world/task@seed`.
        """
        wanted, out = list(seeds), []
        for name, entry in self._entries.items():
            for seed in wanted:
                try:
                    prompt = self._prompt(name, seed)
                except UnusableSeed:
                    continue
                label = {"family": entry.label.family, "split": entry.label.split}
                out.append({"prompt": prompt, "environment": name, "instance": f"{name}@{seed}", "seed": seed, **label, "pack": self._pack})
        if not out:
            raise UsageError(f"no task can use any of the seeds {wanted[:10]} (give others)")
        return out

    def reward(self, ends: Collection[int], *, grade_cut_off: bool = False) -> Callable[..., list[float | None]]:
        """The reward function: 1.0 or 0.0 by the verdict, None where there is none. `ends` are the ids of tokens that end a message.

        An attempt that the trainer cut off (its last message has no end, or a call in it wasn't carried out) has no verdict, unless
        `grade_cut_off` says to grade what it left.
        """
        last = frozenset(ends)

        def verdict(
            *, environments: Sequence[Environment], completions: Sequence[Any], completion_ids: Sequence[Sequence[int]], **columns: Any
        ) -> list[float | None]:
            out: list[float | None] = []
            for one, messages, ids in zip(environments, completions, completion_ids, strict=True):
                said = messages[-1] if messages else {}
                cut = bool(said.get("tool_calls")) or not ids or ids[-1] not in last
                reward = one._settled(cut, str(said.get("content") or ""), grade_cut_off).reward
                out.append(None if reward is None else float(reward))
            return out

        return verdict

    # ---- for the environments

    def _next_index(self, instance: str) -> int:
        """Which attempt at the instance this is."""
        self._attempts[instance] += 1
        return self._attempts[instance] - 1

    def _start(self, name: str, seed: int, index: int = 0) -> ServedRollout:
        finish = self.environments[name]._tools[-1].name
        return ServedRollout(self._entries[name], self._pack, seed, index=index, solver=self._solver, answer_tool=finish)

    # ---- inside

    def _environment(self, name: str, entry: PackTask) -> type[Environment]:
        tools = tools_of(entry)
        odd = [tool.name for tool in tools if tool.name in _TAKEN_NAMES or tool.name.startswith("_")]
        if odd:
            raise UsageError(f"{entry.where}: TRL keeps the names {', '.join(odd)} for itself (rename these tools in the world)")
        methods = {tool.name: method_of(tool) for tool in tools}
        return type("Environment", (Environment,), {**methods, "_tasks": self, "_entry": entry, "_where": name, "_tools": tools})

    def _prompt(self, name: str, seed: int) -> list[dict[str, str]]:
        """The system's message and one of a user, as `chat` has them; several in a row are no user's in some chat templates."""
        rollout = self._start(name, seed)
        rollout.close()
        if rollout.has_ended:
            raise UsageError(f"{name}@{seed}: the world failed before the first call: {rollout.attempt.detail}")
        finish = self.environments[name]._tools[-1].name
        words: dict[str, Any] = {"asked": rollout.answer_schema is not None, "finish": finish}
        system = prompt_text("chat", system=rollout.opening[0].content, **words)
        return [{"role": "system", "content": system}, {"role": "user", "content": "\n\n".join(rollout.told()[1:])}]


def _nothing(one: Trajectory) -> None:
    """Nobody keeps it."""
