"""What a lint run has seen of a task, over all plans and shortcuts."""

from __future__ import annotations

from collections.abc import Iterator

from worldwright.pack.lint.findings import Finding, finding
from worldwright.pack.read import PackTask
from worldwright.verifier import Verdict

__all__ = ["Tally"]


class Tally:
    """Collects while a task is linted: `runs` by name as (passed, tried), tools that worked, checks that found something."""

    def __init__(self, runs: dict[str, tuple[int, int]], alive: set[str]) -> None:
        self.runs, self.alive = runs, alive
        self.fired: set[tuple[str, str]] = set()
        self.demands: dict[str, bool] = {}

    def saw(self, verdict: Verdict) -> None:
        """Note which checks of a verdict were broken."""
        self.fired |= {(check.kind, check.name) for check in verdict.failed()}

    def saw_untouched(self, verdict: Verdict) -> None:
        """Note which demands hold though nothing was done."""
        for check in verdict.checks:
            if check.kind == "demand":
                self.demands[check.name] = check.ok and self.demands.get(check.name, True)

    def findings(self, entry: PackTask) -> Iterator[Finding]:
        """What only shows over all runs."""
        verifier, file = entry.verifier, f"{entry.where}/verifier.yaml"
        for n, query in enumerate(verifier.demand):
            if self.demands.get(query.name):
                yield finding("demand-met", f"'{query.name}' holds before anything is done", file=file, field=f"demand[{n}]")
        judges = [
            ("wrong", one.name, one.wrong.field) for group in (verifier.base, *verifier.alternatives) for one in group.expect if one.wrong
        ]
        judges += [("forbid", query.name, query.field) for query in verifier.forbid]
        for kind, name, field in judges:
            if (kind, name) not in self.fired:
                yield finding("never-fired", f"'{name}' found nothing in any run", file=file, field=field)
