"""Review: what a person says of verdicts that nobody else could judge.

Takes the leads of an audit; gives the queue of disputes, and lines of a JSONL file that is only added to. Labels by a
person feed the next audit (`apply_review`): they count where subject digest, case, seed, probe, variant and verdict are
those that the person saw, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from worldwright.audit.exhibits import Exhibit
from worldwright.audit.findings import clean
from worldwright.audit.records import Outcome
from worldwright.audit.run import Audit
from worldwright.errors import UsageError

__all__ = ["PERSON", "Reviewed", "add_review", "apply_review", "queue", "read_reviews"]

PERSON = "person"
"""The source of a label that a person gave."""

VERSION = 1


class Reviewed(msgspec.Struct, frozen=True):
    """One line: what was shown, whether its verdict is right, by whom, and how long it took (minutes)."""

    digest: str
    case: str
    seed: int
    probe: str
    variant: str
    got: str
    verdict_is: Literal["right", "wrong"]
    by: str
    note: str = ""
    minutes: float = 0.0
    version: int = VERSION

    @property
    def key(self) -> tuple[str, str, int, str, str, str]:
        """What the line is about."""
        return (self.digest, self.case, self.seed, self.probe, self.variant, self.got)


def queue(digest: str, leads: Sequence[Exhibit], done: Sequence[Reviewed]) -> list[Exhibit]:
    """The leads that a person can decide (a verdict of pass or fail) and hasn't yet, disputed ones first."""
    answered = {one.key for one in done}
    open_ones = [
        one
        for one in leads
        if one.got in ("pass", "fail") and (digest, one.case, one.seed, one.probe, one.variant, one.got) not in answered
    ]
    return sorted(open_ones, key=lambda one: one.label != "disputed")


def read_reviews(path: Path) -> list[Reviewed]:
    """All lines of a file of reviews; none if there is no file. Raises UsageError naming the line that isn't one."""
    out = []
    for n, line in enumerate(path.read_bytes().splitlines() if path.exists() else [], start=1):
        try:
            out.append(msgspec.json.decode(line, type=Reviewed))
        except msgspec.MsgspecError as fault:
            raise UsageError(f"{path}:{n}: not a review: {fault}") from fault
    return out


def add_review(path: Path, one: Reviewed) -> None:
    """Add a line. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(msgspec.json.encode(one) + b"\n")


def apply_review(audit: Audit, entries: Sequence[Reviewed]) -> Audit:
    """The audit with the labels that persons gave; of several lines on one run the last counts. Entries of other digests don't."""
    by = {one.key: one for one in entries if one.digest == audit.digest}
    if not by:
        return audit
    outcomes = tuple(
        _judged(one, by.get((audit.digest, one.case, one.seed, one.probe, clean(one.variant), one.got))) for one in audit.outcomes
    )
    return msgspec.structs.replace(audit, outcomes=outcomes)


def _judged(one: Outcome, entry: Reviewed | None) -> Outcome:
    """A lead becomes labelled; what is labelled by something else stays as it is."""
    if entry is None or one.kind != "lead" or one.got not in ("pass", "fail"):
        return one
    right = entry.verdict_is == "right"
    expected = one.got if right else {"pass": "fail", "fail": "pass"}[one.got]
    said = f"{entry.by} says that the verdict is {entry.verdict_is}{f': {entry.note}' if entry.note else ''}."
    return msgspec.structs.replace(
        one,
        label="right" if expected == "pass" else "wrong",
        by=PERSON,
        ok=right,
        expected=expected,
        kind="" if right else "finding",
        confirmed=not right,
        severity="high" if not right and expected == "fail" else one.severity,
        why=f"{one.why} {said}".strip(),
    )
