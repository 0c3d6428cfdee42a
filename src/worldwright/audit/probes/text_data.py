"""Rows of the data set that contradict each other or say nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from worldwright.audit.bench import At, Case, plain_outcome
from worldwright.audit.records import Outcome, Probe

PROBE = Probe(
    id="text-data",
    side="hold",
    codes=("R3", "R5"),
    needs=frozenset(),
    means="Rows ask the same and have different answers, ask nothing, or have no answer.",
    repair="Mend or drop these rows.",
    rule="there is no data set to read",
)
_SURE, _PERHAPS = "data: ", "data, perhaps: "


def rule(case: Case) -> str:
    """Only where the adapter has read a data set."""
    return "" if case.instances and any(note.startswith("rows: ") for note in case.instances[0].facts.notes) else PROBE.rule


def look(case: Case, fresh: Sequence[At]) -> Iterator[Outcome]:
    """Every remark on the rows, once: contradictions and empty prompts are findings; repeats and empty answers are leads."""
    at = fresh[0]
    if at is not case.instances[0]:
        return
    found = [(note.startswith(_SURE), note.partition(": ")[2]) for note in at.facts.notes if note.startswith((_SURE, _PERHAPS))]
    if not found:
        yield plain_outcome(PROBE, at, "all rows", True)
    for sure, what in found:
        yield plain_outcome(
            PROBE,
            at,
            what,
            False,
            why=f"In the data set, {what}.",
            evidence={"rows": what},
            lead=not sure,
            code="R5" if "empty prompt" in what else "R3",
        )
