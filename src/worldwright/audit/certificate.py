"""The certificate: what an audit measured, and the verdict that the policy draws from it.

Takes an Audit and the facts of one instance a task; gives records that encode to the same bytes for the same subject
digest, policy digest, seed and tool version: no times, no paths, sorted. Two kinds of numbers stand in it and are never
mixed: instances of one task, and tasks of distinct structure. Every count says what one unit is, who labelled it and
whether the same units chose what is reported. Doesn't promise that a fault of a kind that no probe looks for would show.

`python -m worldwright.audit.certificate FILE` writes the JSON schema.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from worldwright.audit.counts import Line, Measure, Structure, Totals, lines_of, measures_of, structures_of, tasks_of, totals_of
from worldwright.audit.decide import Controls, Kind, controls_of, kinds_of, not_checked_of, reasons_of
from worldwright.audit.findings import Found, found_of, grouped
from worldwright.audit.lock import LOCK_SCHEMA, Lock, Request, encode, lock_of, read_record
from worldwright.audit.records import Side
from worldwright.audit.run import Audit
from worldwright.audit.subject import Facts
from worldwright.errors import UsageError

__all__ = [
    "SCHEMA",
    "CaseCertificate",
    "Certificate",
    "Mutation",
    "Verdict",
    "certificate_of",
    "read_certificate",
    "read_lock",
    "schema_text",
]

SCHEMA = "worldwright.certificate/1"

Verdict = Literal["accepted", "rejected", "undetermined"]

_SAYS = (
    "Rates hold under this audit's own probes: a probe false-accept rate is no rate among runs of any solver.",
    "Bounds are exact, one-sided, 95 %, each by itself (Clopper-Pearson); no bound is given where the same units chose to stop.",
    "An instance counts once a kind of probe and is wrong if any trial there with a certain label got a wrong verdict.",
    "Seeds are no substitute for tasks: a fault of structure shows on all seeds or on none.",
)


class Mutation(msgspec.Struct, frozen=True):
    """How many mutants of a task's verifier the audit's labelled runs tell apart from the original; one of n is a mutant.

    `undecided` mutants got the original's verdicts, and no labelled run looks at what they change; they are in no rate.
    """

    task: str
    killed: int
    survived: int
    undecided: int
    survivors: tuple[str, ...] = ()
    unit: str = "a mutant of the verifier"

    @property
    def score(self) -> float | None:
        """killed / (killed + survived); None where no mutant was decided."""
        decided = self.killed + self.survived
        return self.killed / decided if decided else None


class CaseCertificate(msgspec.Struct, frozen=True):
    """One task. `instances` and `wanted` are distinct instances by stage; `leads` are counted in nothing else."""

    case: str
    verdict: Verdict
    reasons: tuple[str, ...]
    controls: Controls
    instances: dict[str, int]
    wanted: dict[str, int]
    stopped: bool
    kinds: tuple[Kind, ...]
    totals: tuple[Totals, ...]
    lines: tuple[Line, ...]
    findings: tuple[Found, ...]
    leads: int
    mutation: Mutation | None = None


class Certificate(msgspec.Struct, frozen=True):
    """What can be said of the subject's reward. `tasks` are measures a side, their unit is a task of distinct structure."""

    verdict: Verdict
    reasons: tuple[str, ...]
    lock: Lock
    tasks: dict[Side, Measure]
    structures: tuple[Structure, ...]
    cases: tuple[CaseCertificate, ...]
    not_checked: tuple[str, ...]
    says: tuple[str, ...] = _SAYS
    licence: str = ""
    schema: str = SCHEMA


def certificate_of(
    audit: Audit, facts: Mapping[str, Facts], request: Request, mutation: Iterable[Any] = (), licence: str = ""
) -> Certificate:
    """The certificate of an audit.

    `facts` holds one instance a case (a case without one couldn't be started). `mutation` holds records with `case`,
    `killed`, `survived` and `undecided`.
    """
    scores = {one.task: one for one in map(_mutation, mutation)}
    names = list(dict.fromkeys([*(cell.case for cell in audit.cells), *(one.case for one in audit.outcomes)]))
    cases = tuple(_case(audit, name, scores.get(name), request) for name in sorted(names))
    structures = structures_of(names, facts)
    chosen = "the tasks that were named (--case)" if request.cases is not None else "every task of the subject"
    return Certificate(
        verdict=_worst([one.verdict for one in cases]),
        reasons=_summary(cases),
        lock=lock_of(audit, request),
        tasks=tasks_of(audit, structures, chosen),
        structures=structures,
        cases=cases,
        not_checked=not_checked_of(audit, {one.case: one.kinds for one in cases}, request.only, request.cases is not None, bool(scores)),
        licence=licence,
    )


def read_certificate(path: Path) -> Certificate:
    """A certificate from its file. Raises UsageError."""
    return read_record(path, Certificate, SCHEMA, "a certificate")  # type: ignore[no-any-return]


def read_lock(path: Path) -> Lock:
    """A lock from its file, or from a certificate. Raises UsageError."""
    try:
        return read_certificate(path).lock
    except UsageError:
        return read_record(path, Lock, LOCK_SCHEMA, "a lock or a certificate")  # type: ignore[no-any-return]


def schema_text() -> str:
    """The JSON schema of a certificate."""
    return encode(msgspec.json.schema(Certificate)).decode()


def _case(audit: Audit, name: str, mutation: Mutation | None, request: Request) -> CaseCertificate:
    outcomes = [one for one in audit.outcomes if one.case == name]
    instances = {stage: sum(one.case == name and one.stage == stage for one in audit.instances) for stage in ("admission", "certification")}
    measures = measures_of(audit, name)
    lines = lines_of(measures)
    kinds = kinds_of(audit, name, outcomes, request.only)
    controls = controls_of(audit, name, outcomes)
    groups = grouped([one for one in outcomes if one.kind == "finding" and one.confirmed])
    rejected, doubts = reasons_of(audit, name, instances, kinds, controls, outcomes, groups)
    verdict: Verdict = "rejected" if rejected else "undetermined" if doubts else "accepted"
    return CaseCertificate(
        name,
        verdict,
        tuple(rejected or doubts),
        controls,
        instances,
        {"admission": audit.policy.admission, "certification": audit.policy.certification},
        name in audit.stopped,
        kinds,
        totals_of(measures),
        lines,
        tuple(found_of(group) for group in groups),
        sum(one.kind == "lead" for one in outcomes),
        mutation,
    )


def _worst(verdicts: Sequence[Verdict]) -> Verdict:
    if "rejected" in verdicts:
        return "rejected"
    return "accepted" if verdicts and all(one == "accepted" for one in verdicts) else "undetermined"


def _summary(cases: Sequence[CaseCertificate]) -> tuple[str, ...]:
    """The reasons of the whole: each with the tasks that it holds for."""
    if not cases:
        return ("the subject poses no task",)
    worst = _worst([one.verdict for one in cases])
    by: dict[str, list[str]] = {}
    for one in cases:
        if one.verdict == worst and worst != "accepted":
            for reason in one.reasons:
                by.setdefault(reason, []).append(one.case)
    return tuple(f"{reason} ({_named(names, len(cases))})" for reason, names in by.items())


def _named(names: Sequence[str], of: int) -> str:
    if len(names) == of and of > 1:
        return f"all {of} tasks"
    return ", ".join(names) if len(names) <= 3 else f"{len(names)} of {of} tasks: {', '.join(names[:2])}, ..."


def _mutation(score: Any) -> Mutation:
    if isinstance(score, Mutation):
        return score
    return Mutation(
        getattr(score, "task", None) or score.case,
        _number(score.killed),
        _number(score.survived),
        _number(score.undecided),
        _names(score.survived),
    )


def _number(value: Any) -> int:
    return value if isinstance(value, int) else len(value)


def _names(value: Any) -> tuple[str, ...]:
    return () if isinstance(value, int) else tuple(sorted(str(getattr(one, "name", one)) for one in value))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(schema_text(), encoding="utf-8")
