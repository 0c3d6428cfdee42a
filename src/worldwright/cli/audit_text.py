"""A dossier in words, for the terminal: verdict first, then the worst, and at the end what wasn't checked."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from worldwright.audit.certificate import CaseCertificate, Certificate
from worldwright.audit.counts import INSTANCE, RATES, Line, Measure
from worldwright.audit.dossier import Dossier
from worldwright.audit.exhibits import Exhibit
from worldwright.cli.output import say, show_table

__all__ = ["bound", "dossier_lines", "exhibit_lines", "measure_text", "print_kinds", "summary_line"]

_MARKS = {"reasoning-gym": "pass mark 1.0, what score_answer gives a right answer; whatever it gives below that counts as refused"}
"""What is enough, for kinds of subjects that grade in steps and state no mark themselves."""
_WIDE = 150
_MOST = 8
_FEW = 3


def summary_line(certificate: Certificate) -> str:
    """A certificate in a line."""
    found = sum(len(case.findings) for case in certificate.cases)
    mark = _MARKS.get(certificate.lock.subject.kind, "").partition(",")[0]
    return f"{certificate.verdict:<13} {certificate.lock.subject.name} ({found} findings{f'; {mark}' if mark else ''})"


def dossier_lines(dossier: Dossier, out: Path | None) -> Iterator[str]:
    """Verdict, reasons, findings, leads, rates of tasks and controls."""
    certificate = dossier.certificate
    lock = certificate.lock
    yield f"{certificate.verdict.upper()}: {lock.subject.name} ({lock.subject.kind}, {lock.subject.digest[:12]})"
    for reason in certificate.reasons:
        yield f"  {reason}"
    yield f"  policy {lock.policy.name} v{lock.policy.version}, seed {lock.seed}; {_instances(certificate.cases)}"
    if lock.subject.kind in _MARKS:
        yield f"  {_MARKS[lock.subject.kind]}"
    found, leads = dossier.findings.findings, dossier.findings.leads
    if found:
        yield ""
        yield f"findings: {len(found)}, each confirmed and repeatable, the worst first"
    for one in found[:_MOST]:
        yield from exhibit_lines(one, out)
    if len(found) > _MOST:
        yield f"  and {len(found) - _MOST} findings more: {f'{out}/index.html' if out else '--out DIR writes them all, --json prints them'}"
    yield from _leads(leads, dossier.findings.more_leads)
    yield ""
    yield "controls"
    for case in certificate.cases[:_MOST]:
        yield f"  {case.case}: {_controls(case)}"
    if len(certificate.cases) > _MOST:
        yield f"  and {len(certificate.cases) - _MOST} tasks more"
    yield ""
    yield "by task"
    for side, measure in certificate.tasks.items():
        yield f"  {RATES[side]}: {measure_text(measure)}"
    yield from _mutants(certificate.cases)
    yield ""
    yield "not checked"
    for text in certificate.not_checked:
        yield f"  {text}"


def _leads(leads: Sequence[Exhibit], more: int) -> Iterator[str]:
    if not leads:
        return
    yield ""
    yield f"leads: {len(leads) + more}, shown and never counted"
    for one in leads[:_FEW]:
        yield f"  {one.id} {one.probe}: {one.case}, seed {one.seed}: {one.variant}: got {one.got}"
        yield from _wrapped(one.why)
    if len(leads) + more > _FEW:
        yield f"  and {len(leads) + more - _FEW} more"


def exhibit_lines(one: Exhibit, out: Path | None) -> Iterator[str]:
    """A finding: what, where, how, expected and got, why, and the edit."""
    times = f"{one.count} times on {len(one.seeds)} instances" if one.count > 1 else "once"
    yield f"  {one.id} {one.severity.upper()} {one.probe} ({one.code}): {one.means}"
    yield f"     where    {one.case}, seed {one.seed}: {one.variant} ({times})"
    for n, step in enumerate(one.steps[:_MOST]):
        yield f"     {'calls   ' if n == 0 else '        '} {_cut(f'{step.tool}({step.args})')} -> {_cut(step.result, 60)}"
    if len(one.steps) > _MOST:
        yield f"              and {len(one.steps) - _MOST} calls more"
    if one.answer:
        yield f"     answer   {_cut(one.answer)}"
    if one.changes:
        yield f"     changed  {_cut('; '.join(one.changes[:3]), 200)}"
    if one.fault:
        yield f"     fault    {_cut(one.fault, 300)}"
    if one.setting:
        yield f"     with     {one.setting}"
    reward = "" if one.reward is None else f" (reward {one.reward:g})"
    yield f"     expected {one.expected}, got {one.got}{reward}; labelled by {one.by}"
    yield from _wrapped(one.why, "     why      ")
    yield from _wrapped(one.edit, "     edit     ")
    if one.repro and out is not None:
        yield f"     again    python {out / one.repro}"


def _wrapped(text: str, first: str = "     ") -> list[str]:
    return textwrap.wrap(text, _WIDE, initial_indent=first, subsequent_indent=" " * len(first)) if text else []


def _cut(text: str, most: int = 110) -> str:
    return text if len(text) <= most else text[:most] + "..."


def _instances(cases: Sequence[CaseCertificate]) -> str:
    first = sum(case.instances["admission"] for case in cases)
    second = sum(case.instances["certification"] for case in cases)
    return f"{len(cases)} {'task' if len(cases) == 1 else 'tasks'}, {first} admission and {second} certification instances"


def _controls(case: CaseCertificate) -> str:
    controls = case.controls
    paid = f"the reference is paid on {controls.paid} of {controls.references}"
    idle = f"the idle run is refused on {controls.refused} of {controls.idle}" if controls.idle else "the idle run is not judged"
    return f"{paid}; {idle}{f': NOT WORKING: {controls.fault}' if controls.fault else ''}"


def measure_text(measure: Measure) -> str:
    """A measure with all that must be said of it."""
    if not measure.n:
        return f"not measured (0 {measure.unit})"
    limit = "no bound" if measure.most is None else f"at most {_percent(measure.most)} at 95 %"
    labels = ", ".join(f"{by} {n}" for by, n in measure.labelled_by.items())
    return f"{measure.wrong} of {measure.n} {measure.unit} ({limit}; labelled by: {labels}; {measure.selection})"


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def bound(measure: Measure) -> str:
    """A bound as a table shows it."""
    return "-" if measure.most is None else f"<= {_percent(measure.most)}"


def _mutants(cases: Sequence[CaseCertificate]) -> Iterator[str]:
    scores = [case.mutation for case in cases if case.mutation is not None]
    for one in scores:
        score = "no score" if one.score is None else f"score {one.score:.0%}"
        yield f"  mutants of the verifier of {one.task}: {one.killed} killed, {one.survived} survived, {one.undecided} undecided ({score})"
        if one.survivors:
            yield from _wrapped(f"survived: {', '.join(one.survivors)}", "    ")


def print_kinds(certificate: Certificate) -> None:
    """The table of kinds: a line a kind, side and stage; over several tasks the worst of them, never a sum."""
    say()
    if len(certificate.cases) == 1:
        show_table("", _ONE, _rows(certificate.cases[0]), right=(3, 4, 5))
        for text in _not_applicable(certificate.cases[0]):
            say(text)
        say(f"wrong of n: {INSTANCE}; bound: one-sided, 95 %, exact, each by itself; {_selection(certificate.cases[0].lines)}")
    elif certificate.cases:
        show_table("", _MANY, _worst_rows(certificate.cases), right=(1, 2, 3, 4))
        say(f"tasks by what became of the kind on them; worst task: wrong of n {INSTANCE}, with its bound (one-sided, 95 %, exact)")
    say(certificate.says[0])


_ONE = ("probe", "counts as", "stage", "wrong", "n", "bound", "labelled by")
_MANY = ("probe", "ran", "n/a", "unknown", "tasks wrong", "worst task", "bound", "labelled by")
_SIDES = {"accept": "false accept", "refuse": "false refusal", "hold": "infrastructure"}


def _selection(lines: Sequence[Line]) -> str:
    """How the units were selected; what the stages have in common once."""
    each = sorted({line.measure.selection for line in lines if line.measure.n})
    parts = [one.split("; ") for one in each]
    shared = [part for part in parts[0] if all(part in one for one in parts)] if parts else []
    return "; ".join([*shared, *(", ".join(part for part in one if part not in shared) for one in parts)]).rstrip("; ")


def _rows(case: CaseCertificate) -> Iterator[tuple[object, ...]]:
    for line in case.lines:
        measure = line.measure
        if not measure.n:
            continue
        yield line.probe, _SIDES[line.side], line.stage, measure.wrong, measure.n, bound(measure), ", ".join(measure.labelled_by)


def _not_applicable(case: CaseCertificate) -> Iterator[str]:
    by: dict[str, list[str]] = {}
    for kind in case.kinds:
        if kind.status == "not applicable":
            by.setdefault(kind.reason, []).append(kind.probe)
    for reason, names in by.items():
        yield f"does not apply: {', '.join(names)}: {reason}"


def _worst_rows(cases: Sequence[CaseCertificate]) -> Iterator[tuple[object, ...]]:
    lines = [_by_probe(case) for case in cases]
    for n, kind in enumerate(cases[0].kinds):
        statuses = [case.kinds[n].status for case in cases]
        ours = [line for by in lines for line in by.get(kind.probe, []) if line.measure.n]
        wrong = sum(any(line.measure.wrong for line in by.get(kind.probe, [])) for by in lines)
        worst = max((line.measure for line in ours), key=lambda one: (one.wrong / one.n, -one.n), default=None)
        share = f"{worst.wrong}/{worst.n}" if worst else ""
        unknown = statuses.count("unknown") + statuses.count("left out")
        labels = ", ".join(sorted({by for line in ours for by in line.measure.labelled_by}))
        yield (
            kind.probe,
            statuses.count("ran"),
            statuses.count("not applicable"),
            unknown,
            wrong or "",
            share,
            bound(worst) if worst else "",
            labels,
        )


def _by_probe(case: CaseCertificate) -> dict[str, list[Line]]:
    by: dict[str, list[Line]] = {}
    for line in case.lines:
        by.setdefault(line.probe, []).append(line)
    return by
