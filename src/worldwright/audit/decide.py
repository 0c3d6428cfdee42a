"""How a verdict is drawn: controls, required kinds, numbers of instances, and what was not checked.

Takes an Audit; gives for each case why it is rejected, or why nothing can be determined; neither reason means accepted.
Absence is never a pass: a control that doesn't work, a required kind without a certain label, or too few distinct
instances leave a case undetermined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from worldwright.audit.findings import Group
from worldwright.audit.labels import OPEN
from worldwright.audit.probes import battery
from worldwright.audit.records import Outcome
from worldwright.audit.run import Audit, Cell

__all__ = ["Controls", "Kind", "controls_of", "kinds_of", "not_checked_of", "reasons_of"]

_IDLE = "untouched"
_MOST = 6


class Controls(msgspec.Struct, frozen=True):
    """Without these nothing else can be said: the reference is paid, the idle run is refused.

    `paid` of `references` instances; `refused` of `idle` instances (0 of 0 where idling is right by the known solution,
    or wasn't tried). `fault` says what doesn't work ("" if all does).
    """

    paid: int
    references: int
    refused: int
    idle: int
    fault: str = ""


class Kind(msgspec.Struct, frozen=True):
    """What became of a kind of probe on a task. `reason`: the rule, the missing capability, or why it was left out."""

    probe: str
    status: Literal["ran", "not applicable", "unknown", "left out"]
    reason: str = ""
    required: bool = False


def controls_of(audit: Audit, case: str, outcomes: Sequence[Outcome]) -> Controls:
    """The controls of a case."""
    paid = [one.paid for one in audit.instances if one.case == case and one.paid is not None]
    idle: dict[int, Outcome] = {}
    for one in outcomes:
        if one.probe == _IDLE and one.label != "equivalent":
            idle.setdefault(one.seed, one)
    refused = sum(one.got == "fail" for one in idle.values())
    tried = any(cell.case == case and cell.probe == _IDLE and cell.status in ("ran", "not applicable") for cell in audit.cells)
    fault = _control_fault(sum(paid), len(paid), refused, list(idle.values()), tried)
    return Controls(sum(paid), len(paid), refused, len(idle), fault)


def _control_fault(paid: int, references: int, refused: int, idle: Sequence[Outcome], tried: bool) -> str:
    if not references:
        return "no known solution: nothing shows that the reward can be earned"
    if paid < references:
        return f"the reference is rewarded on {paid} of {references} instances only"
    if not tried:
        return "the idle run was not tried"
    if refused < len(idle):
        got = sorted({one.got for one in idle if one.got != "fail"})
        return f"the idle run is refused on {refused} of {len(idle)} instances only (it gets {', '.join(got)})"
    return ""


def kinds_of(audit: Audit, case: str, outcomes: Sequence[Outcome], only: Sequence[str]) -> tuple[Kind, ...]:
    """Every kind of the battery, and every required one that isn't in it."""
    cells = {cell.probe: cell for cell in audit.cells if cell.case == case}
    wanted = audit.policy.required
    names = list(battery())
    required = set(names) if "*" in wanted else set(wanted)
    out = []
    for name in [*names, *sorted(required - set(names))]:
        status, reason = _kind(name, cells.get(name), [one for one in outcomes if one.probe == name], audit, only)
        out.append(Kind(name, status, reason, name in required))
    return tuple(out)


_Status = Literal["ran", "not applicable", "unknown", "left out"]


def _kind(name: str, cell: Cell | None, ones: Sequence[Outcome], audit: Audit, only: Sequence[str]) -> tuple[_Status, str]:
    if cell is None:
        return "left out", _left_out(name, audit, only)
    if cell.status != "ran" or any(one.ok is not None for one in ones):
        return cell.status, cell.reason
    disputed = sum((one.label == "disputed" and not _leads_elsewhere(one) and one.by != OPEN) or one.got == "unknown" for one in ones)
    if disputed:
        return "unknown", f"no trial has a certain label and a verdict ({disputed} of {len(ones)} disputed)"
    if all(one.label == "equivalent" for one in ones):
        return "not applicable", "every trial ends as a known solution does"
    if any(one.by == OPEN for one in ones):
        return "not applicable", "every trial ends as a known solution does or where right ends differ among themselves, or is a lead"
    return "not applicable", "every trial is a lead or ends as a known solution does"


def _leads_elsewhere(one: Outcome) -> bool:
    """Whether a variant that should have ended as the known solution did ended otherwise by the state: then it was no such variant."""
    return one.expected == "pass" and one.by == "state"


def _left_out(name: str, audit: Audit, only: Sequence[str]) -> str:
    if name not in battery():
        return "there is no such kind"
    if only and name not in only:
        return "not among the kinds that were asked for (--only)"
    return "held-out kinds run in certification, and the policy has none" if not audit.policy.certification else "not reached"


def reasons_of(
    audit: Audit,
    case: str,
    instances: Mapping[str, int],
    kinds: Sequence[Kind],
    controls: Controls,
    outcomes: Sequence[Outcome],
    groups: Sequence[Group],
) -> tuple[list[str], list[str]]:
    """Why a case is rejected, and why it would be undetermined."""
    rejected = [_because(group) for group in groups[:_MOST]]
    if len(groups) > _MOST:
        rejected.append(f"and {len(groups) - _MOST} findings more")
    errors = sum(one.got == "error" and one.label != "holds" for one in outcomes)
    if errors and audit.policy.reject_errors:
        rejected.append(f"{errors} runs of an agent's own acts end in 'error' instead of a verdict, which this policy rejects")
    doubts = [controls.fault] if controls.fault else []
    doubts += _few(audit, case, instances)
    doubts += _lacking([kind for kind in kinds if kind.required and not _is_allowed(kind, audit.policy.unknown_allowed)])
    if not audit.policy.certifies:
        doubts.append(f"the policy '{audit.policy.name}' certifies nothing")
    return rejected, doubts


def _because(group: Group) -> str:
    one = group.first
    often = f"{counted(group.count, 'time')} on {counted(len(group.seeds), 'instance')}"
    return f"{one.probe} ({one.code}): {one.variant}: expected {one.expected}, got {one.got}, {often}"


def counted(n: int, noun: str) -> str:
    """A number with its noun."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _lacking(kinds: Sequence[Kind]) -> list[str]:
    """Kinds without a result, together where the reason is the same."""
    by: dict[tuple[str, str], list[str]] = {}
    for kind in kinds:
        if kind.status in ("unknown", "left out"):
            by.setdefault((kind.status, kind.reason), []).append(kind.probe)
    return [f"required kinds {status}, {reason}: {', '.join(names)}" for (status, reason), names in by.items()]


def _few(audit: Audit, case: str, instances: Mapping[str, int]) -> list[str]:
    wanted = {"admission": audit.policy.admission, "certification": audit.policy.certification}
    return [
        f"only {counted(instances[stage], 'distinct instance')} on the {stage} seeds tried (the policy wants {n})"
        for stage, n in wanted.items()
        if instances[stage] < n and case not in audit.stopped
    ]


def _is_allowed(kind: Kind, allowed: Sequence[str]) -> bool:
    """By the probe's id, or by the capability that it lacks."""
    return kind.probe in allowed or (kind.status == "unknown" and kind.reason.removeprefix("no ") in allowed)


def not_checked_of(audit: Audit, kinds: Mapping[str, Sequence[Kind]], only: Sequence[str], chosen: bool, mutated: bool) -> tuple[str, ...]:
    """All that the audit doesn't speak of, one line each."""
    out = _kinds_not_checked(kinds)
    if audit.stopped:
        out.append(f"certification of what was rejected in the first wave ({_tasks(sorted(audit.stopped), len(kinds))})")
    elif not audit.policy.certification:
        out.append("certification seeds: the policy has none")
    if chosen:
        out.append("tasks other than those that were named (--case)")
    nobody = [one for one in audit.outcomes if one.label == "disputed"]
    if nobody:
        out.append(f"{counted(len(nobody), 'run')} whose right verdict nobody can say count in no rate; `worldwright review` asks a person")
    silent = sum(one.got == "unknown" for one in audit.outcomes)
    if silent:
        out.append(f"{counted(silent, 'run')} that got no verdict (`finish` gave None) count in no rate")
    if audit.faults:
        out.append(f"{counted(len(audit.faults), 'instance')} that could not be started")
    if not mutated:
        out.append("mutants of the verifier")
    return (*out, "the rate among runs of real solvers: probes are not solvers")


def _kinds_not_checked(kinds: Mapping[str, Sequence[Kind]]) -> list[str]:
    """Kinds without a result, together where status, reason and tasks are the same."""
    by: dict[tuple[str, str], list[str]] = {}
    for case, ones in sorted(kinds.items()):
        for kind in ones:
            if kind.status in ("unknown", "left out"):
                by.setdefault((kind.probe, f"{kind.status}: {kind.reason}"), []).append(case)
    together: dict[tuple[str, str], list[str]] = {}
    for (probe, what), names in by.items():
        together.setdefault((what, _tasks(names, len(kinds))), []).append(probe)
    return [f"{', '.join(probes)}: {what} ({where})" for (what, where), probes in together.items()]


def _tasks(names: Sequence[str], of: int) -> str:
    if len(names) == of:
        return "the task" if of == 1 else f"all {of} tasks"
    return f"{len(names)} of {of} tasks" if len(names) > 3 else ", ".join(names)
