"""What measuring the audit gives: a row for each subject, the tables over rows, and the floor that they must keep.

Takes rows; gives text. A faulty subject counts as found only by a confirmed finding: undetermined and failed ones count as
missed. A twin or sound subject counts as alarmed by any confirmed finding; failed ones are in no rate of alarms. No rate is
printed without its unit, who labelled it, and whether the same units chose what is reported.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from worldwright.audit.statistics import lower, upper
from worldwright.audit.taxonomy import taxonomy
from worldwright.files import decode_yaml

Outcome = Literal["found", "not found", "undetermined", "failed"]

FIRST_RUN = Path(__file__).resolve().parent / "held-out-4-first-run.jsonl"
"""The rows of the held-out subjects' first run, before anything was mended for them."""

SELECTION = {
    "development": "development set: the probes were mended on these same subjects, so the rates flatter the audit",
    "held-out": "held-out set: written after the probes were frozen; the first run, before anything was mended for it",
    "again": "held-out set, run again: no longer unseen",
}
UNIT = (
    "one unit is one subject: a faulty environment, its repaired twin, or a sound one that looks suspicious, written for this "
    "measurement by language models that were shown the taxonomy and the protocol and not the audit's code; tasks of the example packs "
    "count as sound subjects, and their authors knew the audit"
)
LABELS = "labelled by the subject's author, who also wrote down a run that gets the wrong verdict (the witness), and drove it"


class Row(msgspec.Struct, frozen=True):
    """What became of one version of a subject. `probes` and `codes` count confirmed findings; `by_kind`: one of these probes
    looks for the subject's kind; `note` is what failed or stayed in doubt."""

    id: str
    part: Literal["faulty", "repaired", "sound"]
    kind: str
    form: str
    group: str
    outcome: Outcome
    probes: dict[str, int] = {}
    codes: dict[str, int] = {}
    by_kind: bool = False
    leads: list[str] = []
    shown: list[str] = []
    instances: int = 0
    note: str = ""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    policy: str = ""
    digest: str = ""
    seed: int = 0
    code: str = ""

    @property
    def key(self) -> str:
        """Its id and part."""
        return f"{self.id}/{self.part}"

    @property
    def is_mistaken(self) -> bool:
        """A faulty one that wasn't found, or another one that was alarmed at or couldn't be audited."""
        return (self.outcome == "found") != (self.part == "faulty") or self.outcome == "failed"

    def __str__(self) -> str:
        mark = "**" if self.is_mistaken else "  "
        found = ", ".join(f"{probe} {n}" for probe, n in self.probes.items())
        return f"{mark} {self.key} ({self.kind}): {self.outcome}{found and f' by {found}'}{self.note and f'; {self.note}'} [{self.seconds:.1f} s]"


class Floor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a measurement under `policy` must keep. Rates are of all development subjects; `kinds`: least found of each kind."""

    policy: str
    sensitivity: float
    alarms: float
    kinds: float = 0.0


def read_rows(file: Path) -> list[Row]:
    """The rows of a file."""
    return [msgspec.json.decode(line, type=Row) for line in file.read_bytes().splitlines() if line.strip()]


def read_floor(file: Path) -> list[Floor]:
    """The floors of a file, one for each policy."""
    return decode_yaml(file.read_text(encoding="utf-8"), list[Floor], str(file))


def floor_faults(rows: Sequence[Row], floors: Sequence[Floor]) -> list[str]:
    """What the rows miss of the floor for their policy; rows of a policy without a floor are a fault too."""
    ours = [row for row in rows if row.group == "development"]
    policies = sorted({row.policy.split()[0] for row in ours})
    floor = next((one for one in floors if [one.policy] == policies), None)
    if floor is None:
        return [f"no floor for the policy {', '.join(policies) or '(no rows)'}"]
    faulty, others = _faulty(ours), [row for row in ours if row.part != "faulty"]
    out = []
    if (found := _share(faulty, _is_found)) < floor.sensitivity:
        out.append(f"{found:.1%} of the faulty subjects were found (expected at least {floor.sensitivity:.1%})")
    if (alarmed := _share(others, _is_found)) > floor.alarms:
        out.append(f"{alarmed:.1%} of twins and sound subjects were alarmed (expected at most {floor.alarms:.1%})")
    for kind in sorted({row.kind for row in faulty}):
        share = _share([row for row in faulty if row.kind == kind], _is_found)
        if share < floor.kinds:
            out.append(f"{share:.0%} of kind {kind} were found (expected at least {floor.kinds:.0%})")
    broken = sorted(row.key for row in ours if row.outcome == "failed")
    return [*out, *(f"{key} could not be audited" for key in broken)]


def tables(rows: Sequence[Row], first: Sequence[Row] | None = None) -> str:
    """Every group's table, in Markdown, then the mistakes by name. `first`: the stored first run of the held-out subjects."""
    if first is None:
        first = read_rows(FIRST_RUN) if FIRST_RUN.is_file() else []
    out = []
    for group, ones in (
        ("development", [row for row in rows if row.group == "development"]),
        ("held-out", list(first)),
        ("again", [row for row in rows if row.group == "held-out"]),
    ):
        if ones:
            out.append(_group(group, ones))
    return "\n\n".join([*out, f"Unit: {UNIT}. {LABELS[0].upper()}{LABELS[1:]}. Bounds: exact (Clopper-Pearson), one-sided, 95 %."])


def _group(group: str, rows: Sequence[Row]) -> str:
    policies = ", ".join(sorted({row.policy for row in rows}))
    codes = ", ".join(sorted({row.code for row in rows}))
    head = f"### {SELECTION[group][0].upper()}{SELECTION[group][1:]}\npolicy {policies}; code {codes}"
    return "\n\n".join(part for part in (head, _by_kind(rows), _totals(rows), _mistakes(rows)) if part)


def _by_kind(rows: Sequence[Row]) -> str:
    lines = [
        "| kind | fault | found | by a probe of its kind | twins alarmed | undetermined | failed | median seconds |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for kind in taxonomy():
        ones = [row for row in rows if row.kind == kind.code]
        if ones:
            lines.append(f"| {kind.code} | {kind.name} | {_cells(ones)} |")
    return "\n".join(lines)


def _cells(rows: Sequence[Row]) -> str:
    faulty, twins = _faulty(rows), [row for row in rows if row.part == "repaired"]
    return " | ".join(
        [
            least(faulty, _is_found),
            f"{sum(row.by_kind for row in faulty)} of {len(faulty)}",
            most(twins, _is_found),
            str(sum(row.outcome == "undetermined" for row in rows)),
            str(sum(row.outcome == "failed" for row in rows)),
            f"{statistics.median(row.seconds for row in rows):.1f}",
        ]
    )


def _totals(rows: Sequence[Row]) -> str:
    lines = [
        "| subjects | faulty found | twins alarmed | sound alarmed | undetermined | failed | CPU seconds, mean |",
        "|---|---|---|---|---|---|---|",
    ]
    for form in ["python", "reward", "pack", ""]:
        ones = [row for row in rows if row.form == form or not form]
        if ones:
            cells = [
                least(_faulty(ones), _is_found),
                *(most([row for row in ones if row.part == part], _is_found) for part in ("repaired", "sound")),
            ]
            counts = [str(sum(row.outcome == outcome for row in ones)) for outcome in ("undetermined", "failed")]
            lines.append(" | ".join([f"| {form or 'all'}", *cells, *counts, f"{statistics.fmean(row.cpu_seconds for row in ones):.1f} |"]))
    return "\n".join(lines)


def _mistakes(rows: Sequence[Row]) -> str:
    parts: list[tuple[str, Callable[[Row], bool]]] = [
        ("Missed", lambda row: row.part == "faulty" and row.outcome != "found"),
        ("Alarmed", lambda row: row.part != "faulty" and row.outcome == "found"),
        ("Not audited", lambda row: row.part != "faulty" and row.outcome == "failed"),
        ("Undetermined though sound", lambda row: row.part != "faulty" and row.outcome == "undetermined"),
    ]
    out = []
    for title, belongs in parts:
        ones = sorted(str(row).strip(" *") for row in rows if belongs(row))
        if ones:
            out.append("\n".join([f"{title}:", "", *(f"- {one}" for one in ones)]))
    return "\n\n".join(out)


def least(rows: Sequence[Any], holds: Callable[[Any], bool]) -> str:
    """`k of n` with its lower bound; n are all rows."""
    k, n = sum(map(holds, rows)), len(rows)
    return f"{k} of {n} (at least {lower(k, n):.0%})" if n else "-"


def most(rows: Sequence[Any], holds: Callable[[Any], bool]) -> str:
    """`k of n` with its upper bound; n are the rows that could be audited."""
    ran = [row for row in rows if row.outcome != "failed"]
    k, n = sum(map(holds, ran)), len(ran)
    return f"{k} of {n} (at most {upper(k, n):.0%})" if n else "-"


def _faulty(rows: Iterable[Row]) -> list[Row]:
    return [row for row in rows if row.part == "faulty"]


def _is_found(row: Row) -> bool:
    return row.outcome == "found"


def _share(rows: Sequence[Row], holds: Callable[[Row], bool]) -> float:
    return sum(map(holds, rows)) / len(rows) if rows else 0.0
