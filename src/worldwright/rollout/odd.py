"""What in a run a person should look at: rewards that may be wrong, groups without signal, tasks that nobody solves.

Takes how attempts ended, twice over; gives leads, at most one a kind, task and solver, each with the numbers of a few
attempts to look at. A lead is a question, not a finding: what is odd may be right. Decides nothing and changes nothing.

- `odd-reward`: an attempt is paid though it made no call that was carried out, stopped without answering, had most of its
  calls refused, made fewer than half the calls of the median paid attempt (of at least EIGHT), or made the verifier stumble;
- `paid-by-chance`: a solver that can't know what is asked (`noop`, `random`, `shotgun`) is paid;
- `flat-groups`: in at least three of four groups (of at least four) all attempts have the same reward, so nothing can be learned;
- `never-passed`: no attempt of any solver that can know passed, of at least EIGHT.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

import msgspec

from worldwright.rollout.ending import End
from worldwright.verifier import Status
from worldwright.world.protocol import StopReason

__all__ = ["BLIND", "KINDS", "Lead", "is_fixed", "odd"]

KINDS = {
    "odd-reward": "An attempt is paid, and the way it went is odd.",
    "paid-by-chance": "A solver that can't know what is asked is paid.",
    "flat-groups": "In most groups all attempts have the same reward, so that nothing can be learned from them.",
    "never-passed": "No attempt passed.",
}
"""Kinds of leads, and what they mean."""

BLIND = frozenset({"noop", "random", "shotgun"})
"""Solvers that can't know what is asked."""

_EIGHT = 8
_FLAT = 0.75
_SHOWN = 3
_DECIDED = (Status.PASS, Status.FAIL)


class Lead(msgspec.Struct, frozen=True):
    """One thing to look at: `count` attempts (or groups) of `of`, and up to three attempts by their ids."""

    kind: str
    task: str
    solver: str
    count: int
    of: int
    why: str
    ids: tuple[str, ...]


class _Seen:
    """One solver on one task, over the first pass."""

    def __init__(self) -> None:
        self.judged = self.passed = self.groups = self.flat = 0
        self.calls = Counter[int]()
        """How many calls paid attempts made."""
        self._group: tuple[str, list[Status]] = ("", [])

    def add(self, one: End) -> None:
        if one.instance != self._group[0]:
            self.close()
            self._group = (one.instance, [])
        if one.status in _DECIDED:
            self._group[1].append(one.status)
            self.judged += 1
        if one.status == Status.PASS:
            self.passed += 1
            self.calls[one.calls] += 1

    def close(self) -> None:
        """The group has had all its attempts."""
        statuses = self._group[1]
        if len(statuses) > 1:
            self.groups += 1
            self.flat += len(set(statuses)) == 1
        self._group = ("", [])

    @cached_property
    def median(self) -> int:
        """The median number of calls of paid attempts; 0 where there are too few to say."""
        if self.passed < _EIGHT:
            return 0
        return sorted(self.calls.elements())[self.passed // 2]


def odd(ends: Callable[[], Iterable[End]], is_fixed: Callable[[str], bool] = lambda _: False) -> list[Lead]:
    """The leads of a run; `ends` gives its attempts from the start each time, `is_fixed` says whether a solver always does the same."""
    seen: dict[tuple[str, str], _Seen] = {}
    for one in ends():
        seen.setdefault(_of(one), _Seen()).add(one)
    for group in seen.values():
        group.close()
    found: dict[tuple[str, str, str], tuple[int, str, list[str]]] = {}
    never = {task: sum(group.judged for group in groups) for task, groups in _knowing(seen) if not any(group.passed for group in groups)}
    for one in ends():
        for kind, why in _kinds(one, seen[_of(one)], never, is_fixed):
            count, first, ids = found.get((kind, *_of(one)), (0, why, []))
            found[kind, *_of(one)] = (count + 1, first, ids if len(ids) == _SHOWN else [*ids, one.id])
    return [_lead(kind, task, solver, *what, seen[task, solver]) for (kind, task, solver), what in sorted(found.items())]


def is_fixed(solver: str) -> bool:
    """Whether a solver of this name follows a plan of the task's, so that all its attempts at an instance are alike."""
    return solver == "reference" or solver.startswith("alternative-")


def _of(one: End) -> tuple[str, str]:
    return one.instance.partition("@")[0], one.solver


def _knowing(seen: dict[tuple[str, str], _Seen]) -> Iterator[tuple[str, list[_Seen]]]:
    """The tasks that solvers which can know have tried often enough, with how they fared."""
    for task in dict.fromkeys(task for task, _ in seen):
        groups = [group for (name, solver), group in seen.items() if name == task and solver not in BLIND]
        if sum(group.judged for group in groups) >= _EIGHT:
            yield task, groups


def _kinds(one: End, group: _Seen, never: dict[str, int], is_fixed: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """What is odd about an attempt, or about its solver on its task."""
    task, solver = _of(one)
    if one.status == Status.PASS:
        why = _strange(one, 0 if is_fixed(solver) else group.median)
        if solver in BLIND:
            yield "paid-by-chance", f"{solver} can't know what is asked"
        elif why:
            yield "odd-reward", why
    if one.status not in _DECIDED or solver in BLIND:
        return
    if task in never:
        yield "never-passed", f"none of {never[task]} attempts with a verdict passed, by any solver that can know"
    elif not is_fixed(solver) and group.groups >= _EIGHT // 2 and group.flat >= _FLAT * group.groups:
        yield (
            "flat-groups",
            f"{group.flat} of {group.groups} groups have one reward only ({group.passed} of {group.judged} attempts passed)",
        )


def _strange(one: End, median: int) -> str:
    """Why a paid attempt is odd; "" if it isn't."""
    if one.findings:
        return "the verifier stumbled over it"
    if one.calls == one.refused:
        return "it is paid without a call that was carried out"
    if one.stop != StopReason.ANSWERED:
        return f"it is paid though it stopped without answering ({one.stop})"
    if one.calls >= 4 and 2 * one.refused > one.calls:
        return f"{one.refused} of its {one.calls} calls were refused"
    return f"it made {one.calls} calls, and the median paid attempt {median}" if 2 * one.calls < median else ""


def _lead(kind: str, task: str, solver: str, count: int, why: str, ids: list[str], group: _Seen) -> Lead:
    if kind == "flat-groups":
        return Lead(kind, task, solver, group.flat, group.groups, why, tuple(ids))
    return Lead(kind, task, solver, count, group.judged, why, tuple(ids))
