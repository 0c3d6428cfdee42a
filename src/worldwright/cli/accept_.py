"""`worldwright accept TARGET --contract contract.toml`: a buyer's terms against a certificate, clause by clause."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worldwright.audit.acceptance import Known, is_met, judge, read_pass_rates
from worldwright.audit.adapters.targets import subject_of
from worldwright.audit.certificate import Certificate, read_certificate
from worldwright.audit.contract import Contract, read_contract
from worldwright.audit.lock import Request
from worldwright.audit.policy import read_policy
from worldwright.audit.subject import Subject
from worldwright.cli.audit_ import audited, licence_of
from worldwright.cli.output import BAD, GOOD, emit, note, say, show_table
from worldwright.errors import PackError, UsageError
from worldwright.ledger import Cost, read_ledger, total

__all__ = ["accept"]


def accept(
    target: Annotated[str, typer.Argument(help="What is bought: as for `worldwright audit`.")],
    contract: Annotated[Path, typer.Option(help="The buyer's terms (TOML; docs/audit.md has the fields).")],
    certificate: Annotated[Path | None, typer.Option(help="The certificate (default: audit now, under the contract's policy).")] = None,
    rollouts: Annotated[Path | None, typer.Option(help="Pass rates of a solver: the output of `worldwright rollout --json`.")] = None,
    ledger: Annotated[Path | None, typer.Option(help="The ledger (default: ledger.jsonl beside the certificate).")] = None,
    seed: Annotated[int, typer.Option(help="Where the seeds start, if it is audited now.", min=0)] = 0,
    path: Annotated[Path | None, typer.Option(help="Where the module of python:MODULE:FUNCTION is.")] = None,
    python: Annotated[str | None, typer.Option(help="The interpreter for foreign code.")] = None,
    dataset: Annotated[Path | None, typer.Option(help="The rows (JSONL) for reward:FILE.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Say clause by clause whether a contract is met. Exit code 0 if every clause is met, 1 otherwise."""
    terms = _terms(contract)
    rates = read_pass_rates(rollouts) if rollouts is not None else None
    subject = subject_of(target, path=path, python=python, dataset=dataset)
    try:
        shown, cost = _certificate(subject, terms, certificate, ledger, seed)
        clauses = judge(terms, shown, Known(licence_of(subject), _concepts(subject), rates, cost))
    finally:
        subject.close()
    if as_json:
        emit({"met": is_met(clauses), "subject": shown.lock.subject, "clauses": clauses})
    else:
        open_ones = [one.name for one in clauses if one.status != "met"]
        say(f"{'MET' if not open_ones else 'NOT MET'}: {shown.lock.subject.name} ({shown.lock.subject.digest[:12]}) against {contract}")
        show_table("", ("clause", "", "wanted", "found"), [(one.name, one.status, one.wanted, one.found) for one in clauses])
    return GOOD if is_met(clauses) else BAD


def _terms(path: Path) -> Contract:
    """The contract; a broken one is wrong usage here, not a bad thing examined."""
    try:
        return read_contract(path)
    except PackError as fault:
        raise UsageError(str(fault)) from fault


def _certificate(subject: Subject, terms: Contract, path: Path | None, ledger: Path | None, seed: int) -> tuple[Certificate, Cost | None]:
    """The certificate that is there, or one made now; and the ledger's total."""
    if path is None:
        name = terms.policy.name if terms.policy is not None else "default"
        note(f"no --certificate: auditing now under the policy {name}")
        dossier, cost = audited(subject, read_policy(name), seed, Request())
        return dossier.certificate, cost if ledger is None else total(read_ledger(ledger))
    found = read_certificate(path)
    if found.lock.subject.digest != subject.digest:
        raise UsageError(
            f"{path}: a certificate of {found.lock.subject.name} with the digest {found.lock.subject.digest[:16]}; the target has "
            f"{subject.digest[:16]} (audit this version, or take the one that was certified)"
        )
    beside = ledger or path.with_name("ledger.jsonl")
    return found, total(read_ledger(beside)) if ledger is not None or beside.exists() else None


def _concepts(subject: Subject) -> frozenset[str] | None:
    """The concepts that the tasks of a pack name; None where a subject has none to name."""
    entry = getattr(subject, "entry", None)
    if entry is None:
        return None
    tasks = [entry(case) for case in subject.cases()]
    return frozenset(name for one in tasks for name in (*one.task.brief.concepts, *one.task.world.spec.concepts))
