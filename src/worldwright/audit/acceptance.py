"""Acceptance: a contract held against a certificate, clause by clause: met, not met, or can't be said.

Takes a contract, a certificate, and what else is known (licence, concepts, pass rates of a solver, the ledger's total);
gives a clause for each term. What is absent can't be said, which is not met for whoever signs. Nothing is measured here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from worldwright.audit.certificate import Certificate
from worldwright.audit.contract import Bounds, Contract, CostTerms, Coverage, Difficulty, Licence, PolicyTerms
from worldwright.audit.counts import RATES, Measure
from worldwright.audit.policy import SHIPPED, read_policy
from worldwright.audit.records import Side
from worldwright.errors import UsageError
from worldwright.ledger import Cost

__all__ = ["Clause", "Known", "PassRate", "is_met", "judge", "read_pass_rates"]


class PassRate(msgspec.Struct, frozen=True):
    """A line of `worldwright rollout --json`: a solver's pass rate on a task with its 95 % interval."""

    task: str
    solver: str
    passed: int
    n: int
    low: float
    high: float


class _Rollout(msgspec.Struct):
    lines: tuple[PassRate, ...]


class Known(msgspec.Struct, frozen=True):
    """What is known beside the certificate; None: nothing is."""

    licence: str = ""
    concepts: frozenset[str] | None = None
    rates: tuple[PassRate, ...] | None = None
    cost: Cost | None = None


Status = Literal["met", "not met", "can't be said"]


class Clause(msgspec.Struct, frozen=True):
    """One term of the contract."""

    name: str
    wanted: str
    found: str
    status: Status


def read_pass_rates(path: Path) -> tuple[PassRate, ...]:
    """The lines of what `worldwright rollout --json` printed. Raises UsageError."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Rollout).lines
    except OSError as fault:
        raise UsageError(f"{path}: {fault.strerror or fault} (expected the output of `worldwright rollout --json`)") from fault
    except msgspec.MsgspecError as fault:
        raise UsageError(f"{path}: not the output of `worldwright rollout --json`: {fault}") from fault


def judge(contract: Contract, certificate: Certificate, known: Known) -> list[Clause]:
    """Every term, in the contract's order; the certificate's own verdict is the first."""
    verdict: Status = "met" if certificate.verdict == "accepted" else "not met"
    return [
        Clause("verdict", "accepted", certificate.verdict, verdict),
        *_bounds(contract.bounds, certificate),
        *_difficulty(contract.difficulty, certificate, known),
        *_coverage(contract.coverage, certificate, known),
        *_licence(contract.licence, certificate.licence or known.licence),
        *_cost(contract.cost, certificate, known.cost),
        *_policy(contract.policy, certificate),
    ]


def _bounds(terms: Bounds, certificate: Certificate) -> Iterator[Clause]:
    pairs: tuple[tuple[str, Side], ...] = (("most_false_accept", "accept"), ("most_false_refusal", "refuse"))
    for name, side in pairs:
        if (most := getattr(terms, name)) is not None:
            yield _instances(f"bounds.{name}", most, side, certificate)
    for name, side in pairs:
        if (most := getattr(terms, f"task_{name}")) is not None:
            yield _at_most(f"bounds.task_{name}", most, certificate.tasks[side], f"{RATES[side]}: ")
    if terms.tasks is not None:
        accepted = {case.case for case in certificate.cases if case.verdict == "accepted"}
        n = sum(any(case in accepted for case in one.cases) for one in certificate.structures)
        yield Clause(
            "bounds.tasks", f"at least {terms.tasks}", f"{n} accepted tasks of distinct structure", "met" if n >= terms.tasks else "not met"
        )


def _instances(name: str, most: float, side: Side, certificate: Certificate) -> Clause:
    """The worst task by its certification instances."""
    by = {
        case.case: next((t.measure for t in case.totals if t.side == side and t.stage == "certification"), None)
        for case in certificate.cases
    }
    missing = [case for case, measure in by.items() if measure is None or measure.most is None]
    if missing or not by:
        where = f": {', '.join(missing[:3])}" if missing else ""
        return Clause(name, f"at most {most:.2%}", f"no bound on certification instances of {len(missing)} tasks{where}", "can't be said")
    worst = max(by, key=lambda case: by[case].most or 0.0)  # type: ignore[union-attr]
    measure = by[worst]
    assert measure is not None
    return _at_most(name, most, measure, f"the worst task, {worst}: ")


def _at_most(name: str, most: float, measure: Measure, front: str) -> Clause:
    if measure.most is None:
        return Clause(name, f"at most {most:.2%}", f"{front}no bound (0 {measure.unit})", "can't be said")
    found = f"{front}{measure.wrong} of {measure.n} {measure.unit}, at most {measure.most:.2%} at 95 %"
    return Clause(name, f"at most {most:.2%}", found, "met" if measure.most <= most else "not met")


def _difficulty(terms: Difficulty | None, certificate: Certificate, known: Known) -> Iterator[Clause]:
    """Met where the whole interval lies in the band, not met where it lies outside; on the edge it can't be said."""
    if terms is None:
        return
    wanted = f"{terms.solver} passes {terms.least:.0%} to {terms.most:.0%} of the attempts at each task"
    if known.rates is None:
        yield Clause("difficulty", wanted, "no table of pass rates was given (--rollouts)", "can't be said")
        return
    rates = {one.task: one for one in known.rates if one.solver == terms.solver and one.n}
    outside = [case.case for case in certificate.cases if case.case in rates and _is_outside(rates[case.case], terms)]
    open_ones = [case.case for case in certificate.cases if case.case not in rates or not _is_inside(rates[case.case], terms)]
    if outside:
        one = rates[outside[0]]
        yield Clause(
            "difficulty",
            wanted,
            f"{one.task}: {one.passed}/{one.n} ({one.low:.2f}-{one.high:.2f}); {len(outside)} tasks outside",
            "not met",
        )
    elif open_ones:
        yield Clause(
            "difficulty", wanted, f"{len(open_ones)} tasks without a rate, or with an interval that reaches over the band", "can't be said"
        )
    else:
        yield Clause("difficulty", wanted, f"{len(rates)} tasks inside, with their whole 95 % intervals", "met")


def _is_outside(rate: PassRate, terms: Difficulty) -> bool:
    return rate.high < terms.least or rate.low > terms.most


def _is_inside(rate: PassRate, terms: Difficulty) -> bool:
    return terms.least <= rate.low and rate.high <= terms.most


def _coverage(terms: Coverage, certificate: Certificate, known: Known) -> Iterator[Clause]:
    if terms.concepts:
        wanted = f"tasks for {', '.join(terms.concepts)}"
        if known.concepts is None:
            yield Clause("coverage.concepts", wanted, "the subject names no concepts", "can't be said")
        else:
            lacking = [one for one in terms.concepts if one not in known.concepts]
            yield Clause(
                "coverage.concepts",
                wanted,
                f"lacking: {', '.join(lacking)}" if lacking else "all are there",
                "not met" if lacking else "met",
            )
    if terms.probes:
        lacks = [
            f"{kind.probe} on {case.case} ({kind.status}: {kind.reason})"
            for case in certificate.cases
            for kind in case.kinds
            if kind.probe in terms.probes and kind.status in ("unknown", "left out")
        ]
        found = f"{len(lacks)} without a result: {'; '.join(lacks[:3])}" if lacks else "all ran, or don't apply by a rule"
        yield Clause("coverage.probes", ", ".join(terms.probes), found, "not met" if lacks else "met")


def _licence(terms: Licence | None, licence: str) -> Iterator[Clause]:
    if terms is not None:
        status: Status = "can't be said" if not licence else "met" if licence in terms.allowed else "not met"
        yield Clause("licence.allowed", ", ".join(terms.allowed), licence or "the subject states no licence", status)


def _cost(terms: CostTerms, certificate: Certificate, cost: Cost | None) -> Iterator[Clause]:
    accepted = sum(case.verdict == "accepted" for case in certificate.cases)
    for name, most, unit in (("most_cents", terms.most_cents, "cents"), ("most_cpu_seconds", terms.most_cpu_seconds, "seconds of CPU")):
        if most is None:
            continue
        wanted = f"at most {most:g} {unit} for each accepted task"
        spent = 0.0 if cost is None else cost.cents if unit == "cents" else cost.cpu
        if cost is None:
            yield Clause(f"cost.{name}", wanted, "no ledger was given (--ledger)", "can't be said")
        elif not accepted:
            yield Clause(f"cost.{name}", wanted, f"{spent:g} {unit}, and no accepted task", "not met")
        else:
            yield Clause(
                f"cost.{name}",
                wanted,
                f"{spent / accepted:.3g} {unit} ({accepted} accepted)",
                "met" if spent / accepted <= most else "not met",
            )


def _policy(terms: PolicyTerms | None, certificate: Certificate) -> Iterator[Clause]:
    if terms is None:
        return
    used = certificate.lock.policy
    known = read_policy(used.name) if used.name in SHIPPED else None
    found = f"{used.name} v{used.version}"
    if known is not None and known.version == used.version and known.digest != used.sha256:
        yield Clause("policy", _policy_text(terms), f"{found}, but another text than the one of that name here", "not met")
        return
    if known is not None and (known.admission, known.certification) != (used.admission, used.certification):
        yield Clause("policy", _policy_text(terms), f"{found}, with other numbers of instances than its own", "not met")
        return
    yield Clause(
        "policy", _policy_text(terms), found, "met" if used.name == terms.name and used.version >= terms.least_version else "not met"
    )


def _policy_text(terms: PolicyTerms) -> str:
    return f"{terms.name}, version {terms.least_version} or later"


def is_met(clauses: Sequence[Clause]) -> bool:
    """Whether every clause is met."""
    return all(one.status == "met" for one in clauses)
