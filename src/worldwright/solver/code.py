"""A language model that writes a plan: run in the sandbox, its calls made in the loop, its errors fed back.

Takes a Model; gives a solver. A module that fails (syntax, an exception, a limit of the sandbox) is answered with where and why, and
the model may write another, a stated number in all; what the failed one had changed stays changed, as it would at work. The last one's
failure ends the attempt as `plan-failed`, which is graded. Provider errors end it without a verdict.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from worldwright.errors import SandboxError
from worldwright.model.budget import Use
from worldwright.model.protocol import Model, Settings
from worldwright.sandbox import Limits, Plan
from worldwright.solver.plan import PlanSolver
from worldwright.solver.protocol import Action, Agent, Answer, Call, Observation, Spent
from worldwright.solver.seen import is_required
from worldwright.solver.talk import Talk, prompt_text, turn_text
from worldwright.task import Prompt
from worldwright.world.protocol import ToolDoc
from worldwright.world.spec import ArgSpec

__all__ = ["ROUNDS", "CodeSolver", "module_in"]

ROUNDS = 3
"""How many modules a model may write in all."""

_BLOCK = re.compile(r"```[ \t]*(?:python|py)?[ \t]*\r?\n(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)


def module_in(text: str) -> str | None:
    """The last block of code that defines `solve`, or the whole text if it does; None if there is no such module."""
    for block in reversed([*_BLOCK.findall(text)] or [text]):
        if re.search(r"^def solve\(", block, re.MULTILINE):
            return str(block)
    return None


class CodeSolver:
    """Lets a model attempt the task by writing a plan."""

    def __init__(
        self,
        model: Model,
        *,
        settings: Settings | None = None,
        most: Use | None = None,
        rounds: int = ROUNDS,
        limits: Limits | None = None,
        name: str = "",
    ) -> None:
        self.model, self.settings, self.most, self.rounds, self.limits = model, settings or Settings(), most, rounds, limits
        self.name = name or f"code:{model.name}"

    def start(self, prompt: Prompt, seed: int, shown: Mapping[str, Any]) -> _Agent:
        """An agent that has written nothing yet."""
        return _Agent(self, prompt, seed, shown)


class _Agent:
    def __init__(self, solver: CodeSolver, prompt: Prompt, seed: int, shown: Mapping[str, Any]) -> None:
        self._solver, self._prompt, self._seed, self._shown = solver, prompt, seed, shown
        self._parameters = ", ".join(shown)
        system = prompt_text(
            "code",
            system=prompt.system,
            parameters=self._parameters,
            tools="\n\n".join(_signature(tool) for tool in prompt.tools),
            asked=bool(prompt.answer),
            answer="\n".join(f"  {_field(name, spec)}" for name, spec in prompt.answer.items()),
            rounds=solver.rounds,
        )
        self._talk = Talk(solver.model, system, settings=solver.settings, seed=seed, most=solver.most)
        self._talk.tell(prompt.instruction)
        self._plan: Agent | None = None
        self._written = self._calls = self._refused = 0
        self._unsaid: list[str] = []
        self._turns: list[str] = []

    @property
    def spent(self) -> Spent:
        """What the conversation has used."""
        return self._talk.spent

    def act(self, observation: Observation) -> Action:
        """The next call of the plan, or its answer; a new plan where there is none yet or the last one failed. Raises ModelError."""
        self._refused += sum(not one.result.ok for one in observation.returned)
        self._turns += [turn_text(turn) for turn in observation.turns]
        while True:
            if self._plan is None:
                for text in self._unheard() if self._written == 0 else ():
                    self._talk.tell(text)
                self._plan = self._write()
            try:
                return self._said(self._plan.act(observation))
            except SandboxError as fault:
                self._close_plan()
                if fault.kind == "crashed" or self._written >= self._solver.rounds:
                    raise
                self._talk.tell(self._failure(fault))

    def close(self) -> None:
        """Give the sandbox's worker back."""
        self._close_plan()

    def _write(self) -> Agent:
        """A plan that the model writes. Raises SandboxError if it has written its last one without a module in it."""
        while True:
            got = self._talk.ask()
            self._written += 1
            self._calls = self._refused = 0
            self._unsaid.append(got.text)
            source = module_in(got.text)
            if source is not None:
                plan = PlanSolver(Plan(f"plan-{self._written}.py", source), limits=self._solver.limits)
                return plan.start(self._prompt, self._seed, self._shown)
            if self._written >= self._solver.rounds:
                raise SandboxError("the model wrote no module with a function solve()", kind="syntax")
            self._talk.tell(prompt_text("missing", parameters=self._parameters))

    def _failure(self, fault: SandboxError) -> str:
        turns = "\n".join(self._unheard())
        return prompt_text("failed", line=fault.line, fault=str(fault)[:2_000], calls=self._calls, refused=self._refused, turns=turns)

    def _unheard(self) -> list[str]:
        """What people have said since the model was last asked."""
        turns, self._turns = self._turns, []
        return turns

    def _said(self, action: Action) -> Action:
        """The act with what the model wrote before it, for the trace."""
        text, self._unsaid = "\n\n".join(self._unsaid), []
        if isinstance(action, Call):
            self._calls += 1
            return Call(action.tool, action.args, action.id, text)
        return Answer(action.value, text) if isinstance(action, Answer) else action

    def _close_plan(self) -> None:
        if self._plan is not None:
            self._plan.close()
            self._plan = None


def _signature(tool: ToolDoc) -> str:
    """A tool as a function's head with its words and arguments."""
    lines = [f"def {tool.name}({', '.join(tool.args)})", *(f"    {line}" for line in tool.doc.strip().splitlines())]
    return "\n".join([*lines, *(f"    {_field(name, spec)}" for name, spec in tool.args.items())])


def _field(name: str, spec: ArgSpec) -> str:
    kind = "/".join(map(str, spec.enum)) if spec.enum else spec.format or spec.type
    return f"{name} ({kind}{'' if is_required(spec) else ', optional'}): {spec.doc}".rstrip(": ").rstrip()
