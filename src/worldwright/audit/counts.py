"""What is counted, and of what: instances of one task, or tasks of distinct structure, never both in one number.

Takes an Audit; gives counts with their unit, the sources of their labels and how the units were selected. An instance is
a (case, seed) of distinct content; it counts once a kind of probe, in n if at least one of its trials has a certain label,
and as wrong if any of these got a wrong verdict. Admission, certification and held-out kinds stay apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from worldwright.audit.findings import side_of
from worldwright.audit.probes import battery
from worldwright.audit.records import Outcome, Side
from worldwright.audit.run import CERTIFICATION, Audit
from worldwright.audit.statistics import rate
from worldwright.audit.subject import Facts

__all__ = [
    "INSTANCE", "RATES", "TASK", "Line", "Measure", "Measured", "Stage", "Structure", "Totals", "lines_of", "measures_of", "said",
    "sides", "structure_of", "structures_of", "tasks_of", "totals_of",
]  # fmt: skip

Stage = Literal["admission", "certification", "held-out"]

INSTANCE = "instances (case, seed) of this task"
TASK = "tasks of distinct structure"
RATES: Mapping[Side, str] = {
    "accept": "probe false-accept rate",
    "refuse": "probe false-refusal rate",
    "hold": "infrastructure that doesn't hold",
}
"""What a side's rate is called."""

_SELECTION: Mapping[Stage, str] = {
    "admission": "n fixed by the policy before the first probe; admission seeds",
    "certification": "n fixed by the policy before the first probe; certification seeds",
    "held-out": "n fixed by the policy before the first probe; certification seeds; kinds that no author or repair saw",
}
_STOPPED = "stopped early to reject: the same instances chose the stop, so no bound is given"


class Measure(msgspec.Struct, frozen=True):
    """`wrong` of `n` units. `most` and `least` are one-sided 95 % bounds; None where none may be given.

    `labelled_by` counts the trials behind it by who labelled them.
    """

    wrong: int
    n: int
    most: float | None
    least: float | None
    unit: str
    labelled_by: dict[str, int]
    selection: str


class Totals(msgspec.Struct, frozen=True):
    """All kinds of one side together: an instance is wrong if any kind found it wrong."""

    side: Side
    stage: Stage
    measure: Measure


class Line(msgspec.Struct, frozen=True):
    """One kind of probe on one task, one side, one stage. The last five count trials; those beside `certain` are in no rate.

    `errors` are runs that ended without a verdict because something raised; they are certain where they were expected to pass.
    """

    probe: str
    side: Side
    stage: Stage
    measure: Measure
    trials: int
    certain: int
    disputed: int
    equivalent: int
    errors: int


class Structure(msgspec.Struct, frozen=True):
    """Tasks that are alike but for names and numbers: one unit on the level of tasks."""

    cases: tuple[str, ...]


class Measured(msgspec.Struct, frozen=True):
    """The outcomes of one task by probe, side and stage."""

    outcomes: dict[tuple[str, Side, Stage], list[Outcome]]
    stopped: bool


def sides() -> dict[str, Side]:
    """The side of every probe."""
    return {name: module.PROBE.side for name, module in battery().items()}


def measures_of(audit: Audit, case: str) -> Measured:
    """The outcomes of a case, sorted into probe, side and stage."""
    stages: dict[tuple[str, int], Stage] = {(one.case, one.seed): one.stage for one in audit.instances}
    held = {name for name, module in battery().items() if module.PROBE.held_out}
    known = sides()
    out: dict[tuple[str, Side, Stage], list[Outcome]] = {}
    for one in audit.outcomes:
        if one.case != case:
            continue
        stage: Stage = "held-out" if one.probe in held else stages.get((case, one.seed)) or _stage(audit, one.seed)
        out.setdefault((one.probe, side_of(one, known), stage), []).append(one)
    return Measured(out, case in audit.stopped)


def _stage(audit: Audit, seed: int) -> Stage:
    """Of an instance that couldn't be started."""
    return "certification" if seed >= audit.seed + CERTIFICATION else "admission"


def lines_of(measured: Measured) -> tuple[Line, ...]:
    """A line for each probe, side and stage, in the battery's order."""
    order = {name: n for n, name in enumerate(battery())}
    keys = sorted(measured.outcomes, key=lambda key: (order.get(key[0], -1), key[1], key[2]))
    return tuple(
        Line(
            *key,
            _measure(ones, key[2], measured.stopped),
            trials=len(ones),
            certain=sum(one.ok is not None for one in ones),
            disputed=sum(one.label == "disputed" for one in ones),
            equivalent=sum(one.label == "equivalent" for one in ones),
            errors=sum(one.got == "error" for one in ones),
        )
        for key in keys
        for ones in [measured.outcomes[key]]
    )


def totals_of(measured: Measured) -> tuple[Totals, ...]:
    """All kinds of a side together, by stage."""
    by: dict[tuple[Side, Stage], list[Outcome]] = {}
    for (_, side, stage), ones in measured.outcomes.items():
        by.setdefault((side, stage), []).extend(ones)
    return tuple(Totals(*key, _measure(by[key], key[1], measured.stopped)) for key in sorted(by))


def tasks_of(audit: Audit, structures: Sequence[Structure], chosen: str) -> dict[Side, Measure]:
    """By side: structures with a confirmed wrong verdict on any of their tasks, of those that were looked at to the end.

    A task that was stopped early counts where it was found wrong, and not as clean on the other sides.
    """
    known = sides()
    at = {case: n for n, one in enumerate(structures) for case in one.cases}
    out: dict[Side, Measure] = {}
    for side in RATES:
        ones = [one for one in audit.outcomes if one.ok is not None and side_of(one, known) == side and one.case in at]
        wrong = {at[one.case] for one in ones if one.ok is False}
        clean = {at[one.case] for one in ones if one.case not in audit.stopped} - wrong
        counted = [one for one in ones if at[one.case] in wrong | clean]
        out[side] = said(len(wrong), len(wrong) + len(clean), TASK, _sources(counted), chosen)
    return out


def said(wrong: int, n: int, unit: str, labelled_by: dict[str, int], selection: str, bounded: bool = True) -> Measure:
    """A measure, with its bounds where units didn't choose what is reported. Bounds are rounded to six digits."""
    full = rate(wrong, n, unit=unit, labelled_by=", ".join(labelled_by), selection=selection)
    most, least = (round(full.most, 6), round(full.least, 6)) if bounded and n else (None, None)
    return Measure(wrong, n, most, least, unit, labelled_by, selection)


def _measure(outcomes: Iterable[Outcome], stage: Stage, stopped: bool) -> Measure:
    certain = [one for one in outcomes if one.ok is not None]
    n = {one.seed for one in certain}
    wrong = {one.seed for one in certain if one.ok is False}
    return said(len(wrong), len(n), INSTANCE, _sources(certain), _STOPPED if stopped else _SELECTION[stage], bounded=not stopped)


def _sources(outcomes: Iterable[Outcome]) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in outcomes:
        found[one.by] = found.get(one.by, 0) + 1
    return dict(sorted(found.items()))


def structures_of(cases: Sequence[str], facts: Mapping[str, Facts]) -> tuple[Structure, ...]:
    """Cases of one structure together; a case without facts stands alone."""
    by: dict[str, list[str]] = {}
    for case in sorted(cases):
        by.setdefault(structure_of(facts[case]) if case in facts else f"?{case}", []).append(case)
    return tuple(Structure(tuple(ones)) for ones in by.values())


def structure_of(facts: Facts) -> str:
    """What makes a task another one: its prompt without names and numbers, its tools, and the calls of its reference."""
    told = set(re.findall(r"\w{3,}", repr(_values(facts)).casefold()))
    text = re.sub(r"(?s)\"[^\"\n]*\"|'[^'\n]*'|\S*[\d@/\\]\S*", " ", facts.prompt)
    words = [word for word in re.findall(r"[^\W\d_]{2,}", text) if word.islower() and word.casefold() not in told]
    acts = [act.tool for act in facts.reference.acts] if facts.reference is not None else []
    calls = [tool for n, tool in enumerate(acts) if n == 0 or acts[n - 1] != tool]
    return repr((words, sorted(tool.name for tool in facts.tools), calls))


def _values(facts: Facts) -> object:
    known = facts.reference
    return None if known is None else ([list(act.args.values()) for act in known.acts], known.answer)
