"""Every error of the package, named by the boundary it crosses.

    WorldwrightError
    ├── PackError            a pack's files are not what the format says: file, line, field, expectation
    │   └── TemplateFault    a template can't be compiled or rendered
    ├── UsageError           the caller asked for something that isn't there, or in a wrong way
    ├── SandboxError         code of a pack (plan, scenario, compute) failed or hit a limit
    ├── WorldError           the world itself failed: no verdict may be drawn from the episode
    │   ├── BudgetSpent      a statement used up its step budget
    │   └── StateLost        the transaction is gone: the episode has no state left to grade
    ├── SolverError          the solver's infrastructure failed: no verdict may be drawn from the episode
    │   └── ModelError       a language model gave no usable completion, or a budget for it is used up
    └── UnusableSeed         a task's `bind` returns no row for this seed

What an agent does wrong is not an error of ours: it is data (`world.protocol.CallResult`).
"""

from __future__ import annotations

__all__ = [
    "BudgetSpent",
    "ModelError",
    "PackError",
    "SandboxError",
    "SolverError",
    "StateLost",
    "TemplateFault",
    "UnusableSeed",
    "UsageError",
    "WorldError",
    "WorldwrightError",
]


class WorldwrightError(Exception):
    """The root of all our errors."""


class PackError(WorldwrightError):
    """A file of a pack breaks the format."""

    def __init__(self, message: str, *, file: str = "", line: int = 0, field: str = "", expected: str = "") -> None:
        self.message, self.file, self.line, self.field, self.expected = message, file, line, field, expected
        super().__init__(str(self))

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        parts = [part for part in (where, self.field) if part]
        text = ": ".join([*parts, self.message])
        return f"{text} (expected {self.expected})" if self.expected else text


class TemplateFault(PackError):
    """A template can't be compiled, or names something undefined."""


class UsageError(WorldwrightError):
    """The caller's request can't be met as it stands; the message says what to do."""


class SandboxError(WorldwrightError):
    """A plan, scenario or compute function failed, or hit a limit of the sandbox.

    `kind` is one of `syntax`, `raised`, `limit`, `crashed`, `value`.
    """

    def __init__(self, message: str, *, kind: str, line: int = 0) -> None:
        super().__init__(message)
        self.kind, self.line = kind, line


class WorldError(WorldwrightError):
    """The world failed by itself; the episode ends without a verdict."""


class BudgetSpent(WorldError):
    """A statement was stopped because it used more steps than its budget."""


class StateLost(WorldError):
    """SQLite ended the whole transaction, so the episode's state is gone."""


class SolverError(WorldwrightError):
    """What a solver stands on (a model's endpoint, a terminal, a worker) failed; the agent is not to blame."""


class ModelError(SolverError):
    """A language model gave nothing that can be used; `kind` is one of `worldwright.model.FAULTS`.

    `wait` are the seconds after which the provider says to ask again, `billed` whether the request may have been charged
    although nothing usable came back. `faults` are the kinds of the tries before the last one; `tokens` and `cents` are what
    the failed request cost as far as the provider said.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: str,
        wait: float = 0.0,
        billed: bool = False,
        faults: tuple[str, ...] = (),
        tokens: tuple[int, int] = (0, 0),
        cents: float = 0.0,
    ) -> None:
        super().__init__(message)
        self.kind, self.wait, self.billed = kind, wait, billed
        self.faults, self.tokens, self.cents = faults, tokens, cents


class UnusableSeed(WorldwrightError):
    """The task can't be set on this seed's start state."""
