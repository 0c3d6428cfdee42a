"""The dossier: all that one audit leaves, and the files it is kept in.

Takes a subject, a policy and a request; gives a Dossier (audit, certificate, exhibits, repro scripts) and writes its files:
certificate.json and audit.lock.json (the same bytes each time), findings.json and repro/*.py (what to look at; these may
hold paths of this machine). Pages are made elsewhere.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from worldwright.audit.adapters.metered import Metered
from worldwright.audit.certificate import Certificate, certificate_of
from worldwright.audit.exhibits import Exhibit, exhibits_of
from worldwright.audit.findings import Group, grouped
from worldwright.audit.lock import Request, encode
from worldwright.audit.policy import Policy
from worldwright.audit.repro import file_name, load_of, script_for
from worldwright.audit.review import Reviewed, apply_review
from worldwright.audit.run import Audit
from worldwright.audit.run import audit as run_audit
from worldwright.audit.subject import Facts, Subject
from worldwright.errors import UsageError

__all__ = ["FILES", "Dossier", "Findings", "drawn_up", "examine", "read_findings", "write_files"]

FILES = ("certificate.json", "audit.lock.json", "findings.json")
_MOST_LEADS = 60
_COLLECTED = 50_000
"""So many objects more than before have it looked for circular garbage (Python's own: 700 or 2,000)."""


_collecting = threading.Lock()
_underway: list[tuple[int, int, int]] = []
"""Python's thresholds as each audit under way found them: subjects may be audited side by side, and the last one restores the first's."""


class Findings(msgspec.Struct, frozen=True):
    """findings.json: what to look at, the worst first."""

    subject: str
    digest: str
    findings: tuple[Exhibit, ...]
    leads: tuple[Exhibit, ...]
    more_leads: int = 0
    schema: str = "worldwright.findings/1"


class Dossier(msgspec.Struct, frozen=True):
    """One audit with all that follows from it. `scripts` are texts by their path in the folder."""

    audit: Audit
    certificate: Certificate
    findings: Findings
    scripts: dict[str, str]
    runs: int
    calls: int


def examine(
    subject: Subject,
    policy: Policy,
    *,
    seed: int,
    request: Request,
    reviewed: Sequence[Reviewed] = (),
    mutation: Callable[[Audit], Sequence[Any]] = lambda _: (),
    licence: str = "",
    note: Callable[[str], None] = lambda _: None,
) -> Dossier:
    """Audit a subject and draw up all that follows. Raises UsageError for a case that isn't there."""
    with _seldom_collected():
        return _examined(Metered(subject), policy, seed, request, reviewed, mutation, licence, note)


def _examined(
    metered: Metered,
    policy: Policy,
    seed: int,
    request: Request,
    reviewed: Sequence[Reviewed],
    mutation: Callable[[Audit], Sequence[Any]],
    licence: str,
    note: Callable[[str], None],
) -> Dossier:
    known = list(metered.cases())
    for case in request.cases or ():
        if case not in known:
            raise UsageError(f"{metered.name} has no case '{case}' (it has: {', '.join(known[:12]) or 'none'})")
    audit = run_audit(metered, policy, seed=seed, cases=request.cases, only=request.only, whole=request.whole, note=note)
    audit = apply_review(audit, reviewed)
    return drawn_up(metered, audit, request, mutation(audit), licence)


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Inside, Python looks for circular garbage seldom: an audit makes little, and keeps start states that take long to look through."""
    with _collecting:
        before = gc.get_threshold()
        _underway.append(before)
        gc.set_threshold(_COLLECTED, *before[1:])
    try:
        yield
    finally:
        with _collecting:
            found = _underway.pop()
            if not _underway:
                gc.set_threshold(*found)


def drawn_up(metered: Metered, audit: Audit, request: Request, scores: Sequence[Any] = (), licence: str = "") -> Dossier:
    """All that follows from an audit that is done; `scores` are those of verifiers' mutants."""
    facts = _facts(metered, audit)
    certificate = certificate_of(audit, {case: one for (case, _), one in facts.items()}, request, scores, licence)
    found, leads = grouped(audit.findings()), grouped(audit.leads())
    exhibits, scripts = _with_scripts(metered.inner, certificate.lock.subject.name, found, exhibits_of(metered, found, facts, "F"))
    shown = exhibits_of(metered, leads[:_MOST_LEADS], facts, "L")
    findings = Findings(certificate.lock.subject.name, audit.digest, exhibits, tuple(shown), len(leads) - len(shown))
    return Dossier(audit, certificate, findings, scripts, metered.runs, metered.calls)


def write_files(dossier: Dossier, out: Path) -> list[Path]:
    """Write certificate, lock, findings and repro scripts below `out`, and remove scripts of an earlier audit there."""
    (out / "repro").mkdir(parents=True, exist_ok=True)
    for old in (out / "repro").glob("[0-9]*.py"):
        old.unlink()
    texts: dict[str, bytes] = {
        "certificate.json": encode(dossier.certificate),
        "audit.lock.json": encode(dossier.certificate.lock),
        "findings.json": encode(dossier.findings),
        **{path: text.encode() for path, text in dossier.scripts.items()},
    }
    for name, text in texts.items():
        (out / name).write_bytes(text)
    if not dossier.scripts:
        (out / "repro").rmdir()
    return [out / name for name in texts]


def read_findings(path: Path) -> Findings:
    """The findings of an audit's folder. Raises UsageError."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Findings)
    except OSError as fault:
        raise UsageError(f"{path}: {fault.strerror or fault} (expected an audit's findings.json)") from fault
    except msgspec.MsgspecError as fault:
        raise UsageError(f"{path}: not an audit's findings: {fault}") from fault


def _facts(subject: Subject, audit: Audit) -> Mapping[tuple[str, int], Facts]:
    """The facts of each case's first instance."""
    first: dict[str, int] = {}
    for one in audit.instances:
        first.setdefault(one.case, one.seed)
    return {(case, seed): subject.facts(case, seed) for case, seed in first.items()}


def _with_scripts(
    subject: Subject, name: str, groups: Sequence[Group], exhibits: Sequence[Exhibit]
) -> tuple[tuple[Exhibit, ...], dict[str, str]]:
    """The exhibits with the paths of their scripts, and the scripts."""
    load = load_of(subject)
    if load is None:
        return tuple(exhibits), {}
    paths = [f"repro/{file_name(group, n)}" for n, group in enumerate(groups, 1)]
    said = [one.steps[-1].result if one.steps else "" for one in exhibits]
    scripts = {path: script_for(load, name, group, last) for path, group, last in zip(paths, groups, said, strict=True)}
    return tuple(msgspec.structs.replace(one, repro=path) for one, path in zip(exhibits, paths, strict=True)), scripts
