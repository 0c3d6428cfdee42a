"""The generic form of every public report is found by a probe that is named for it, and its repaired twin has no finding.

`python tests/quality/test_public_cases.py` redraws the table of docs/public-cases.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from worldwright.audit.adapters.python import PythonSubject
from worldwright.audit.adapters.reward import RewardSubject
from worldwright.audit.decide import controls_of
from worldwright.audit.policy import read_policy
from worldwright.audit.probes import battery
from worldwright.audit.run import Audit, audit
from worldwright.audit.taxonomy import taxonomy
from worldwright.files import decode_yaml

HERE = Path(__file__).parent / "audit"
DOCUMENT = Path(__file__).parents[2] / "docs" / "public-cases.md"
OPENS, CLOSES = "<!-- cases -->", "<!-- /cases -->"
ROWS = [
    *map(str, (1, 4, 5, 10, 13, 14, 15, 17, 18, 19, 20, 21, 22, 23)),
    *map(str, range(25, 42)),
    *map(str, (43, 44, 45)),
    *map(str, range(47, 54)),
    "M1",
    "M2",
    "M4",
    "M5",
]
QUICK = ("r01_silent_usher.py", "r37_no_such_sort.py", "m2d_no_known_answer.py")
"""Found within a few seconds each; the others, and all twins, are marked slow."""


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    row: str
    source: list[str]
    says: str
    code: str
    probes: list[str]
    file: str = ""
    expects: Literal["finding", "undetermined"] = "finding"
    reason: str = ""
    missed: str = ""
    alarm: str = ""


CASES = decode_yaml((HERE / "public-cases.yaml").read_text(encoding="utf-8"), list[Case], "public-cases.yaml")


def audited(case: Case, function: str, only: Sequence[str]) -> Audit:
    path = HERE / "cases" / case.file
    rows = path.with_suffix(".jsonl")
    subject: Any = (
        RewardSubject(str(path), function, str(rows)) if rows.is_file() else PythonSubject(path.stem, function, path=str(path.parent))
    )
    with closing(subject):
        return audit(subject, read_policy("exploratory"), seed=0, only=only)


def marked(known: str) -> list[Any]:
    """Every case with a file; what the audit is known to get wrong is expected to fail, and slow ones are marked."""
    made = []
    for case in CASES:
        if case.file:
            wrong = getattr(case, known)
            marks = [pytest.mark.xfail(reason=wrong, strict=True)] if wrong else []
            slow = [] if known == "missed" and case.file in QUICK else [pytest.mark.quality]
            made.append(pytest.param(case, marks=[*marks, *slow], id=Path(case.file).stem))
    return made


@pytest.mark.parametrize("case", marked("missed"))
def test_fault_is_found(case: Case) -> None:
    done = audited(case, "faulty", case.probes)
    if case.expects == "undetermined":
        assert done.findings() == []
        assert controls_of(done, done.cells[0].case, done.outcomes).fault
    else:
        assert {one.probe for one in done.findings()} & set(case.probes)


@pytest.mark.parametrize("case", marked("alarm"))
def test_twin_has_no_finding(case: Case) -> None:
    done = audited(case, "repaired", ())
    assert [(one.probe, one.variant, one.why) for one in done.findings()] == []
    assert controls_of(done, done.cells[0].case, done.outcomes).fault == ""


def test_every_row_has_a_case_or_a_reason() -> None:
    assert list(dict.fromkeys(case.row for case in CASES)) == ROWS
    assert [case.says for case in CASES if bool(case.file) == bool(case.reason)] == []
    assert {case.file for case in CASES if case.file} == {path.name for path in (HERE / "cases").glob("*.py")}


def test_cases_name_probes_and_faults_that_there_are() -> None:
    assert {probe for case in CASES for probe in case.probes} <= set(battery())
    assert {case.code for case in CASES} <= {one.code for one in taxonomy()}


def table() -> str:
    lines = ["| row | source | fault | code | looked for by | held by |", "|---|---|---|---|---|---|"]
    for case in CASES:
        links = ", ".join(f"[{_short(link)}]({link})" for link in case.source)
        probes = ", ".join(f"`{probe}`" for probe in case.probes) or "the controls"
        lines.append(f"| {case.row} | {links} | {case.says} | {case.code} | {probes} | {_held(case)} |")
    return "\n".join(lines)


def _short(link: str) -> str:
    parts = link.removeprefix("https://").split("/")
    if parts[0] != "github.com":
        return parts[0].removeprefix("www.")
    return f"{parts[2]} #{parts[4]}" if len(parts) > 4 else parts[2]


def _held(case: Case) -> str:
    if not case.file:
        return case.reason
    wrong = [f"**missed today**: {case.missed}"] if case.missed else []
    wrong += [f"**twin refused today**: {case.alarm}"] if case.alarm else []
    return " ".join([f"[{case.file}](../tests/quality/audit/cases/{case.file})", *wrong])


def redrawn(text: str) -> str:
    before, _, rest = text.partition(f"{OPENS}\n")
    return f"{before}{OPENS}\n{table()}\n{CLOSES}{rest.partition(CLOSES)[2]}"


def test_the_document_is_up_to_date() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert text == redrawn(text), "python tests/quality/test_public_cases.py redraws it"


if __name__ == "__main__":
    DOCUMENT.write_text(redrawn(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
