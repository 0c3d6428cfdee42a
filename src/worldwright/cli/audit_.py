"""`worldwright audit TARGET`: how far a reward can be trusted: verdict, findings, certificate."""

from __future__ import annotations

import concurrent.futures
import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from worldwright.audit.adapters.pack import PackSubject
from worldwright.audit.adapters.targets import FORMS, subjects_of
from worldwright.audit.certificate import Certificate, read_lock
from worldwright.audit.dossier import Dossier, examine, write_files
from worldwright.audit.lock import Lock, Request, encode
from worldwright.audit.policy import Policy, read_policy
from worldwright.audit.probes import battery
from worldwright.audit.review import Reviewed, read_reviews
from worldwright.audit.run import Audit
from worldwright.audit.subject import Subject
from worldwright.cli.audit_text import dossier_lines, print_kinds, summary_line
from worldwright.cli.output import BAD, GOOD, emit, note, say
from worldwright.errors import UsageError
from worldwright.ledger import Cost, Ledger, charged
from worldwright.report.audit import write_audit_page

__all__ = ["audit", "audited", "licence_of"]

_FAST = 2
_PARTS = ", ".join(FORMS)


def audit(
    target: Annotated[str, typer.Argument(help=f"One of: {_PARTS}.")],
    policy: Annotated[str, typer.Option(help="default, strict, quick, exploratory, or a policy file.")] = "",
    seed: Annotated[int, typer.Option(help="Where the seeds start; certification seeds start a million later.", min=0)] = 0,
    fast: Annotated[bool, typer.Option("--fast", help="The policy exploratory on 2 seeds: a look, never a certificate.")] = False,
    whole: Annotated[bool, typer.Option("--whole", help="Don't stop early at a finding.")] = False,
    only: Annotated[str, typer.Option(help="Kinds of probes, separated by commas.")] = "",
    case: Annotated[list[str], typer.Option("--case", help="This task alone; may stand several times.")] = [],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The folder for certificate, findings, page and repro scripts.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
    path: Annotated[Path | None, typer.Option(help="Where the module of python:MODULE:FUNCTION is.")] = None,
    python: Annotated[str | None, typer.Option(help="The interpreter for foreign code (default: this one).")] = None,
    dataset: Annotated[Path | None, typer.Option(help="The rows (JSONL) for reward:FILE.")] = None,
    lock: Annotated[Path | None, typer.Option(help="Audit again exactly as this lock (or certificate) says.")] = None,
    reviewed: Annotated[Path | None, typer.Option(help="Verdicts that a person reviewed (review.jsonl).")] = None,
    search: Annotated[int | None, typer.Option(help="Graded runs an instance for the shortcut search.", min=0)] = None,
    workers: Annotated[int, typer.Option(help="Processes for foreign code (0: one a core).", min=0, max=64)] = 0,
) -> int:
    """Probe a reward with runs whose right verdict is known. Exit code 0 accepted, 1 not accepted.

    The policy is `default`, and `exploratory` for a target that is many (reasoning-gym:all).
    """
    wanted = read_lock(lock) if lock is not None else None
    policy = policy or ("exploratory" if target.endswith(":all") else "default")
    workers = workers or os.cpu_count() or 1
    chosen, request, seed = _asked(wanted, policy, seed, fast, whole, only, tuple(case), search, reviewed)
    entries = read_reviews(reviewed) if reviewed is not None else []
    subjects = subjects_of(target, path=path, python=python, dataset=dataset)
    by_name: dict[str, Dossier] = {}
    speaking = threading.Lock()

    def one_lane(some: Sequence[Subject]) -> None:
        for one in some:
            _check(wanted, one)
            folder = None if out is None else out if len(subjects) == 1 else out / _plain(one.name)
            dossier = audited(one, chosen, seed, request, entries, folder, workers, _command(target, path, dataset))[0]
            with speaking:
                by_name[one.name] = dossier
                if not as_json:
                    _print(dossier, folder)

    try:
        _side_by_side(subjects, one_lane)
    finally:
        for one in subjects:
            one.close()
    done = [by_name[one.name] for one in subjects]
    if as_json:
        emit(_json(done))
    elif len(done) > 1:
        for dossier in done:
            say(summary_line(dossier.certificate))
    _compared(lock, done[0].certificate)
    return GOOD if all(one.certificate.verdict == "accepted" for one in done) else BAD


def _side_by_side(subjects: Sequence[Subject], work: Callable[[Sequence[Subject]], None]) -> None:
    """Subjects of different lanes at the same time; their code runs in processes of its own."""
    lanes: dict[int, list[Subject]] = {}
    for one in subjects:
        lanes.setdefault(getattr(one, "lane", 0), []).append(one)
    if len(lanes) == 1:
        work(subjects)
        return
    with concurrent.futures.ThreadPoolExecutor(len(lanes)) as pool:
        for waiting in concurrent.futures.as_completed([pool.submit(work, some) for some in lanes.values()]):
            waiting.result()


def audited(
    subject: Subject,
    policy: Policy,
    seed: int,
    request: Request,
    reviewed: Sequence[Reviewed] = (),
    out: Path | None = None,
    workers: int = 1,
    command: str = "",
) -> tuple[Dossier, Cost]:
    """Audit one subject; its line in the ledger and its files are written if there is a folder for them. Gives the cost too."""
    if hasattr(subject, "workers"):
        subject.workers = workers
    with charged() as meter:
        dossier = examine(
            subject,
            policy,
            seed=seed,
            request=request,
            reviewed=reviewed,
            mutation=lambda done: _mutation(subject, done),
            licence=licence_of(subject),
            note=_progress(),
        )
        subject.close()  # what its processes used counts only when they have ended
        meter.runs, meter.calls = dossier.runs, dossier.calls
    note(f"audited {subject.name}: {dossier.runs} runs, {meter.cost.cpu:.1f} s of CPU, {meter.cost.wall:.1f} s")
    if out is not None:
        write_files(dossier, out)
        Ledger(out / "ledger.jsonl").add("audit", subject.digest, f"audit under {policy.name} v{policy.version}", meter.cost)
        write_audit_page(dossier, out, command)
    return dossier, meter.cost


def _progress() -> Callable[[str], None]:
    """Says each case once, not each probe."""
    last = [""]

    def tell(text: str) -> None:
        at = text.rpartition(" ")[0]
        if at != last[0]:
            note(f"audit {at}")
            last[0] = at

    return tell


def _asked(
    wanted: Lock | None,
    policy: str,
    seed: int,
    fast: bool,
    whole: bool,
    only: str,
    cases: tuple[str, ...],
    search: int | None,
    reviewed: Path | None,
) -> tuple[Policy, Request, int]:
    """Policy, request and seed: from the options, or from the lock."""
    digest = hashlib.sha256(reviewed.read_bytes()).hexdigest() if reviewed is not None else ""
    if wanted is not None:
        return _locked(wanted, policy, digest)
    kinds = tuple(dict.fromkeys(filter(None, (one.strip() for one in only.split(",")))))
    for kind in kinds:
        if kind not in battery():
            raise UsageError(f"--only: there is no kind of probe '{kind}' (there are: {', '.join(battery())})")
    request = Request(cases or None, kinds, whole, fast, digest)
    return _in_force(read_policy("exploratory" if fast else policy), fast, search), request, seed


def _in_force(policy: Policy, fast: bool, search: int | None) -> Policy:
    if fast:
        policy = msgspec.structs.replace(policy, admission=_FAST, first_wave=_FAST, certification=0)
    return policy if search is None else msgspec.structs.replace(policy, search=search)


def _locked(wanted: Lock, policy: str, reviewed: str) -> tuple[Policy, Request, int]:
    """What the lock says. Raises UsageError where this machine can't do the same."""
    named = wanted.policy
    found = read_policy(policy if policy != "default" else named.name)
    if found.digest != named.sha256:
        raise UsageError(
            f"--lock: the policy {named.name} v{named.version} has the SHA-256 {named.sha256[:12]}..., the one here {found.digest[:12]}... "
            "(give the file that was used as --policy FILE)"
        )
    if wanted.request.reviewed != reviewed:
        raise UsageError(
            f"--lock: the audit used {'a' if wanted.request.reviewed else 'no'} file of reviews; give the same one as --reviewed"
        )
    mine = {name: module.PROBE.version for name, module in battery().items()}
    if wanted.probes != mine:
        changed = sorted(name for name in wanted.probes.keys() | mine.keys() if wanted.probes.get(name) != mine.get(name))
        raise UsageError(f"--lock: made by worldwright {wanted.tool} with other probes ({', '.join(changed)}): install that version")
    return _in_force(found, wanted.request.fast, named.search), wanted.request, wanted.seed


def _check(wanted: Lock | None, subject: Subject) -> None:
    if wanted is not None and wanted.subject.digest != subject.digest:
        raise UsageError(
            f"--lock: it is of {wanted.subject.name} with the digest {wanted.subject.digest[:16]}, this is {subject.name} with "
            f"{subject.digest[:16]}: not the same subject (audit it without --lock, or take the version that was locked)"
        )


def _compared(lock: Path | None, certificate: Certificate) -> None:
    """Say whether a certificate that was given as lock comes out again."""
    if lock is not None and b'"not_checked"' in (old := lock.read_bytes()):
        same = old == encode(certificate)
        note(
            f"{lock}: {'the same bytes again' if same else 'NOT the same bytes: something decides the result that the lock does not name'}"
        )


def _mutation(subject: Subject, done: Audit) -> Sequence[Any]:
    """Mutation scores, where verifiers can be mutated: those of packs."""
    if not isinstance(subject, PackSubject):
        return ()
    from worldwright.audit.mutate import scores

    return scores(subject, done)


def licence_of(subject: Subject) -> str:
    """The licence that a subject states; "" if it states none."""
    pack = getattr(subject, "pack", None)
    return str(pack.meta.licence) if pack is not None else ""


def _plain(name: str) -> str:
    return "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in name).strip(".") or "subject"


def _command(target: str, path: Path | None, dataset: Path | None) -> str:
    more = [f" --path {path}" if path else "", f" --dataset {dataset}" if dataset else ""]
    return f"worldwright audit '{target}'{''.join(more)}"


def _print(dossier: Dossier, out: Path | None) -> None:
    for line in dossier_lines(dossier, out):
        say(line)
    print_kinds(dossier.certificate)
    if out is not None:
        say(
            f"written: {out}/index.html, certificate.json, audit.lock.json, findings.json, ledger.jsonl"
            + (", repro/" if dossier.scripts else "")
        )


def _json(done: Sequence[Dossier]) -> dict[str, Any]:
    each = [
        {
            "subject": one.certificate.lock.subject.name,
            "verdict": one.certificate.verdict,
            "reasons": one.certificate.reasons,
            "findings": one.findings.findings,
            "leads": one.findings.leads,
            "more_leads": one.findings.more_leads,
            "not_checked": one.certificate.not_checked,
            "certificate": one.certificate,
        }
        for one in done
    ]
    if len(each) == 1:
        return each[0]
    verdicts = [one.certificate.verdict for one in done]
    worst = "rejected" if "rejected" in verdicts else "accepted" if all(one == "accepted" for one in verdicts) else "undetermined"
    return {"verdict": worst, "subjects": each}
