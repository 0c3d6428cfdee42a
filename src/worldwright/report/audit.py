"""The page of an audit: verdict, controls, the matrix of probes and tasks, every finding with its run, and the datasheet.

Takes a Dossier; writes one file, `index.html`, that fetches nothing. Its figures are the certificate's; what runs gave is
from the exhibits. Colours never stand alone: each cell of the matrix says in text what it means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from worldwright import __version__
from worldwright.audit.certificate import CaseCertificate, Certificate
from worldwright.audit.counts import INSTANCE, RATES, Line
from worldwright.audit.dossier import Dossier
from worldwright.audit.exhibits import Exhibit
from worldwright.audit.probes import battery
from worldwright.audit.taxonomy import taxonomy
from worldwright.report.write import environment

__all__ = ["write_audit_page"]

_SIDES = {"accept": "must fail", "refuse": "must pass", "hold": "must hold"}
_FEW = 3
"""Tasks beside which there is room for reasons in the matrix."""

_MARKS = {"not applicable": "n/a", "unknown": "?", "left out": "left out", "": ""}


def write_audit_page(dossier: Dossier, out: Path, command: str = "") -> Path:
    """Write `index.html` below `out`; gives its path. `command` is what made the audit."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / "index.html"
    path.write_text(environment().get_template("audit.html").render(**_page(dossier, command)), encoding="utf-8")
    return path


def _page(dossier: Dossier, command: str) -> dict[str, Any]:
    certificate, findings = dossier.certificate, dossier.findings
    return {
        "version": __version__,
        "unit": f"one unit is one of the {INSTANCE}, or a task of distinct structure, as each says; exact one-sided bounds, 95 %",
        "certificate": certificate,
        "lock": certificate.lock,
        "findings": findings.findings,
        "leads": findings.leads,
        "more_leads": findings.more_leads,
        "instances": {stage: sum(case.instances[stage] for case in certificate.cases) for stage in ("admission", "certification")},
        "rates": [(RATES[side], measure) for side, measure in certificate.tasks.items()],
        "matrix": list(_matrix(certificate, findings.findings)),
        "few": len(certificate.cases) <= _FEW,
        "sides": _SIDES,
        "codes": {one.code: f"{one.name}: {one.means}" for one in taxonomy()},
        "command": command,
        "limits": dossier.certificate.says,
    }


def _matrix(certificate: Certificate, findings: Sequence[Exhibit]) -> Iterator[dict[str, Any]]:
    """A row for each kind of probe, a cell for each task."""
    first: dict[tuple[str, str], str] = {}
    for one in findings:
        first.setdefault((one.case, one.probe), one.id)
    names = [*battery(), *sorted({line.probe for case in certificate.cases for line in case.lines} - battery().keys())]
    for name in names:
        probe = battery()[name].PROBE if name in battery() else None
        yield {
            "probe": name,
            "side": _SIDES[probe.side] if probe else "must hold",
            "held_out": bool(probe and probe.held_out),
            "means": probe.means if probe else "The instance can be started.",
            "cells": [_cell(case, name, first, len(certificate.cases) <= _FEW) for case in certificate.cases],
        }


def _cell(case: CaseCertificate, probe: str, first: Mapping[tuple[str, str], str], reasons: bool) -> dict[str, Any]:
    lines = [line for line in case.lines if line.probe == probe]
    kind = next((one for one in case.kinds if one.probe == probe), None)
    status = kind.status if kind is not None else "ran" if lines else ""
    if status != "ran":
        reason = kind.reason if kind else ""
        text = f"{_MARKS[status]}: {reason}" if reasons and reason else _MARKS[status]
        return {"text": [text], "wrong": False, "dull": True, "title": reason, "to": ""}
    wrong = any(line.measure.wrong for line in lines)
    told = "; ".join(map(_told, lines))
    return {"text": _shares(lines), "wrong": wrong, "dull": False, "title": told, "to": first.get((case.case, probe), "")}


def _shares(lines: Sequence[Line]) -> list[str]:
    """Wrong of n by stage; several sides of one stage are shown apart."""
    short = {"admission": "a", "certification": "c", "held-out": "h"}
    return [f"{short[line.stage]} {line.measure.wrong}/{line.measure.n}" for line in lines if line.measure.n]


def _told(line: Line) -> str:
    measure = line.measure
    bound = "no bound" if measure.most is None else f"at most {100 * measure.most:.1f} %"
    return f"{line.stage}, {RATES[line.side]}: {measure.wrong} of {measure.n} instances ({bound}), {line.disputed} disputed trials"
