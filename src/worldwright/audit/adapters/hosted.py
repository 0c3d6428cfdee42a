"""A subject whose code runs in processes of its own, confined: what the adapters for foreign environments share.

Takes what to load and a name; gives a Subject. Promises that nothing the foreign code does raises here or hangs: it becomes a
fault or an attempt that is `error`. Only what the caller gets wrong raises (UsageError). The processes stay warm between
calls; `close` ends them, and so does the end of this process.

`load` is either {"module": M, "function": F, "paths": [folders to import from]} or {"file": the path of a Python file of
ours that offers the protocol for somebody else's code, "function": F, "args": {...}, "paths": [...], "keep": [further
paths that must stay readable]}; F called with `args` gives an environment as `protocol` describes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

from worldwright.audit.adapters.sources import digest_of
from worldwright.audit.host import Host, Limits, Request
from worldwright.audit.host.replies import attempts_of, cases_of, facts_of, question
from worldwright.audit.host.values import encode
from worldwright.audit.subject import Attempt, Facts, Session
from worldwright.errors import UsageError

__all__ = ["HostedSubject"]

_EXPECTED = (
    "expected a function that gives an environment with `cases`; --path names the folder to import from, "
    "--python the interpreter that has what it needs"
)


class HostedSubject:
    """Somebody's environment in a process of its own. `workers`: how many processes carry many sessions out at once."""

    expected = _EXPECTED
    """What is to be named, for who named something else."""

    def __init__(
        self,
        load: Mapping[str, Any],
        name: str,
        kind: str,
        *,
        python: str | None = None,
        limits: Limits | None = None,
        workers: int = 1,
        sources: Sequence[str] = (),
    ) -> None:
        self.name, self.kind, self.workers = name, kind, workers
        plain = {**load, "args": encode(dict(load.get("args", {})))}
        self._load, self._sources = plain, tuple(sources)
        self._host = Host(plain, python, limits)
        self._digest = ""

    @property
    def digest(self) -> str:
        """A hash of the code that was loaded and of its arguments, as far as it can be told (see `sources`); loads it first."""
        if not self._digest:
            self._ask([Request({"ask": "cases", "watch": False})])
            files = [*self._sources, *([self._host.file] if self._host.file else [])]
            self._digest = digest_of(self._load, files)
        return self._digest

    @property
    def layers(self) -> Mapping[str, str]:
        """The layers of confinement around it, each "" or why it couldn't be had; empty before the first use."""
        return dict(self._host.layers)

    def cases(self) -> list[str]:
        """The tasks it poses. Raises UsageError where it can't even say that."""
        found, fault = cases_of(self._ask([Request({"ask": "cases", "watch": False})])[0])
        if fault:
            raise UsageError(f"{self.name} {fault} ({self.expected})")
        return found

    def facts(self, case: str, seed: int) -> Facts:
        """One instance before anything is tried."""
        return self.facts_many([(case, seed)])[0]

    def facts_many(self, instances: Sequence[tuple[str, int]]) -> list[Facts]:
        """Several instances, each in a process of its own, in one go."""
        requests = [Request({"ask": "facts", "case": encode(case), "seed": seed}) for case, seed in instances]
        replies = self._ask(requests)
        return [facts_of(reply, case, seed) for reply, (case, seed) in zip(replies, instances, strict=True)]

    def run(self, session: Session, watch: bool = False) -> list[Attempt]:
        """Carry out a session. Raises UsageError for one that isn't a session."""
        return self.run_many([session], watch)[0]

    def run_many(self, sessions: Sequence[Session], watch: bool = False, workers: int | None = None) -> list[list[Attempt]]:
        """Carry out many, each in a process of its own; what they give is in their order, whoever works on them."""
        requests = [Request(question(session, watch), session.setting) for session in sessions]
        replies = self._ask(requests, workers)
        return [attempts_of(reply, session) for reply, session in zip(replies, sessions, strict=True)]

    def _ask(self, requests: Sequence[Request], workers: int | None = None) -> list[Any]:
        return list(self._host.ask(requests, self.workers if workers is None else workers))

    def close(self) -> None:
        """End its processes."""
        self._host.close()

    def __enter__(self) -> HostedSubject:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
