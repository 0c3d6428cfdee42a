"""A subject that counts what is asked of it; otherwise as the one inside.

Takes a subject; gives one with `runs` (attempts) and `calls` (acts in them), for the ledger.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from worldwright.audit.bench import Solved, facts_many, run_many, solved_many
from worldwright.audit.subject import Attempt, Facts, Session, Subject

__all__ = ["Metered"]


class Metered:
    """See the module."""

    def __init__(self, inner: Subject) -> None:
        self.inner = inner
        self.name, self.kind, self.digest = inner.name, inner.kind, inner.digest
        self.runs = self.calls = 0

    def cases(self) -> Sequence[str]:
        """The tasks it poses."""
        return self.inner.cases()

    def facts(self, case: str, seed: int) -> Facts:
        """One instance before anything is tried."""
        return self.inner.facts(case, seed)

    def facts_many(self, instances: Sequence[tuple[str, int]]) -> list[Facts]:
        """Several instances; in one go where the subject can."""
        return facts_many(self.inner, instances)

    def solved_many(self, instances: Sequence[tuple[str, int]], bare: Collection[int] = ()) -> list[Solved]:
        """Several instances, with what the subject knows of its own solutions' runs: these count, as if they had been asked for."""
        solved = solved_many(self.inner, instances, bare)
        for facts, left in solved:
            self.runs += len(left or ())
            self.calls += sum(len(one.acts) for one in facts.known()) if left is not None else 0
        return solved

    def run(self, session: Session, watch: bool = False) -> list[Attempt]:
        """Carry out a session."""
        return self.run_many([session], watch)[0]

    def run_many(self, sessions: Sequence[Session], watch: bool = False) -> list[list[Attempt]]:
        """Carry out sessions."""
        self.runs += sum(len(session.plays) for session in sessions)
        self.calls += sum(len(play.acts) for session in sessions for play in session.plays)
        return run_many(self.inner, sessions, watch)

    def close(self) -> None:
        """End its processes."""
        self.inner.close()
