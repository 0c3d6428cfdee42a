"""How many mutants of a verifier the audit's labelled runs notice.

Takes runs whose right verdict is certain; plays each once and grades its evidence with the verifier and every mutant that
it can tell from it. A mutant is *killed* if one run gets another verdict from it than from the verifier; it *survived* if
none does though a check that it changes came out differently on a run labelled in its direction (wrong runs for weaker
ones, right runs for stricter ones, both for shifted ones); else it is *undecided*: nothing that was run touches what it
changes, or it is the same verifier in other words. Apart from these, *refused* mutants are broken or vacuous by the
verifier's own pre-flight, and *dropped* ones don't compile. The score is killed / (killed + survived), its unit a mutant.
A mutant that is killed is not looked at any more, so `Kill` names the first run that did it. Seeds are taken one after
the other, until several in a row have told nothing new or a fixed number of gradings is spent.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from worldwright.audit.adapters.pack import PackSubject
from worldwright.audit.adapters.pack.play import Ready, by_the_verifier
from worldwright.audit.adapters.pack.sharing import play_all
from worldwright.audit.mutate.mutants import Mutant, mutants
from worldwright.audit.mutate.proposal import Checks
from worldwright.audit.run import Audit
from worldwright.audit.subject import Act, Attempt, Play
from worldwright.pack import PackTask
from worldwright.task import Instance
from worldwright.verifier import Status, Verdict
from worldwright.world.records import RecordsEvidence

__all__ = ["Kill", "LabelledRun", "MutationScore", "score", "scores"]


_QUIET = 2
"""So many seeds in a row that tell nothing new end it."""
_ALIKE = 3
"""On so many runs of the same source that break the same things is a mutant tried."""


_FAILURES = 2
"""A mutant that fails so often is tried no more."""


_MOST = 1_500
"""So many gradings by mutants end it."""


class LabelledRun(msgspec.Struct, frozen=True):
    """A run with its right verdict, certain by something other than the verifier; `source` says where it comes from."""

    seed: int
    acts: tuple[Act, ...]
    answer: Any
    right: Literal["pass", "fail"]
    source: str


class Kill(msgspec.Struct, frozen=True):
    """A mutant and the first run that told it from the verifier."""

    mutant: str
    kind: str
    source: str
    seed: int


class MutationScore(msgspec.Struct, frozen=True):
    """One task's mutants; names are the mutants'. `runs` were graded, of those that were given."""

    case: str
    killed: tuple[Kill, ...]
    survived: tuple[str, ...]
    undecided: tuple[str, ...]
    refused: tuple[str, ...]
    dropped: tuple[tuple[str, str], ...]
    runs: int

    @property
    def score(self) -> float | None:
        """Killed of those that were decided; None if none was."""
        decided = len(self.killed) + len(self.survived)
        return len(self.killed) / decided if decided else None


def score(subject: PackSubject, entry: PackTask, runs: Sequence[LabelledRun], made: Sequence[Mutant] | None = None) -> MutationScore:
    """The mutation score of runs of one task; `made` are its mutants, if they are there already."""
    case = f"{entry.world.name}/{entry.name}"
    every = list(mutants(entry) if made is None else made)
    tally = _Tally([one for one in every if one.verifier is not None])
    graded = quiet = 0
    try:
        for group in _by_seed(runs):
            known = tally.known()
            graded += _seed(subject, case, group, tally)
            quiet = quiet + 1 if tally.known() == known else 0
            if quiet == _QUIET or tally.gradings >= _MOST:
                break
    finally:
        for mutant in tally.all:
            assert mutant.verifier is not None
            mutant.verifier.forget()
    living = [*tally.left, *tally.given_up]
    survived = [one.name for one in living if one.name in tally.shown]
    refused = [one.name for one in living if one.name in tally.refused and one.name not in tally.shown]
    decided = {*survived, *refused}
    return MutationScore(
        case,
        tuple(tally.killed),
        tuple(survived),
        tuple(one.name for one in living if one.name not in decided),
        tuple(refused),
        tuple((one.name, one.fault) for one in every if one.verifier is None),
        graded,
    )


def scores(subject: PackSubject, done: Audit) -> list[MutationScore]:
    """The mutation scores of a pack's tasks by an audit's own labelled runs; none under a policy that doesn't certify."""
    if not done.policy.certifies:
        return []
    runs: dict[str, list[LabelledRun]] = {}
    for one in done.outcomes:
        if one.session is not None and one.ok is not None and one.label in ("wrong", "right") and len(one.session.plays) == 1:
            play = one.session.plays[0]
            run = LabelledRun(one.seed, play.acts, play.answer, "pass" if one.label == "right" else "fail", one.probe)
            runs.setdefault(one.case, []).append(run)
    return [score(subject, subject.entry(case), ones) for case, ones in runs.items()]


class _Tally:
    """What is known of the mutants so far: those `left` alive, those that have `shown` a difference, those `refused`."""

    def __init__(self, made: Sequence[Mutant]) -> None:
        self.all, self.left = list(made), list(made)
        self.killed: list[Kill] = []
        self.shown: set[str] = set()
        self.refused: set[str] = set()
        self.given_up: list[Mutant] = []
        self.gradings = 0
        self._failures: Counter[str] = Counter()
        self._tried: Counter[tuple[str, str, str]] = Counter()

    def known(self) -> tuple[int, int, int]:
        """How much is known, to see whether it has become more."""
        return len(self.killed), len(self.shown), len(self.refused)

    def is_news(self, mutant: Mutant, run: LabelledRun, shape: str) -> bool:
        """Whether the mutant has seen few runs of that source which broke the same things in the same way."""
        key = (mutant.name, run.source, shape)
        self._tried[key] += 1
        return self._tried[key] <= _ALIKE

    def saw(self, mutant: Mutant, run: LabelledRun, truth: Verdict, got: Verdict) -> bool:
        """Note a mutant's verdict; whether the mutant lives on."""
        self.gradings += 1
        if got.status == Status.ERROR or "verifier-overrun" in got.findings:
            self.refused.add(mutant.name)
            self._failures[mutant.name] += 1
            if self._failures[mutant.name] == _FAILURES:  # a query that never ends is paid for with each grading
                self.given_up.append(mutant)
                return False
        elif got.status != truth.status:
            self.killed.append(Kill(mutant.name, mutant.kind, run.source, run.seed))
            return False
        elif _shape(got) != _shape(truth):
            self.shown.add(mutant.name)
        return True


def _shape(verdict: Verdict) -> Any:
    """What failed, without the values: the checks with how many rows broke them, and which columns of these differ."""
    return verdict.met, [(one.kind, one.name, one.total, [_differing(row) for row in one.rows]) for one in verdict.failed()]


def _differing(row: Mapping[str, Any]) -> list[str]:
    found = row.get("differences")
    return [f"{one.get('column')} {one.get('why', '')}" for one in found.values()] if isinstance(found, Mapping) else []


def _by_seed(runs: Sequence[LabelledRun]) -> list[list[LabelledRun]]:
    """Different runs by their seeds: those with the most runs first, then in an order that mixes admission and certification."""
    out: dict[int, dict[str, LabelledRun]] = {}
    for run in runs:
        out.setdefault(run.seed, {}).setdefault(repr((run.acts, run.answer, run.right)), run)
    return [
        list(out[seed].values()) for seed in sorted(out, key=lambda seed: (-len(out[seed]), hashlib.sha256(str(seed).encode()).digest()))
    ]


def _seed(subject: PackSubject, case: str, runs: Sequence[LabelledRun], tally: _Tally) -> int:
    """Play the runs of one seed and grade each with all that is left; how many could be graded."""
    plays = [Play(case, run.seed, run.acts, run.answer) for run in runs]
    labelled = {id(play): run for play, run in zip(plays, runs, strict=True)}

    def judge(ready: Ready, play: Play, evidence: RecordsEvidence) -> Verdict:
        truth = by_the_verifier(ready, play, evidence)
        if truth.status in (Status.PASS, Status.FAIL):
            tally.left = list(_living(tally, labelled[id(play)], truth, ready.instance, evidence))
        return truth

    out: dict[int, Attempt] = {}
    play_all(list(enumerate(plays)), lambda: subject.begin(case, runs[0].seed, judge), out)
    return sum(attempt.status in ("pass", "fail") for attempt in out.values())


def _living(tally: _Tally, run: LabelledRun, truth: Verdict, instance: Instance, evidence: RecordsEvidence) -> Iterable[Mutant]:
    failed: Checks = frozenset((one.kind, one.name) for one in truth.failed())
    shape = repr(_shape(truth))
    for mutant in tally.left:
        assert mutant.verifier is not None
        told = _may_tell(mutant, run, truth, failed, mutant.name in tally.shown) and tally.is_news(mutant, run, shape)
        if not told or tally.saw(mutant, run, truth, mutant.verifier.grade(instance, evidence)):
            yield mutant


def _may_tell(mutant: Mutant, run: LabelledRun, truth: Verdict, failed: Checks, shown: bool) -> bool:
    """Whether the mutant can come out differently on this run, as far as is worth knowing."""
    if mutant.direction == "stricter":
        return run.right == "pass" and truth.status == Status.PASS
    if mutant.direction == "shifted":
        return True
    if run.right != "fail" or truth.status != Status.FAIL:
        return False
    if mutant.affects is None:
        return True
    # It can only turn into a pass if nothing fails that the mutant leaves as it is.
    return failed <= mutant.affects or (not shown and bool(failed & mutant.affects))
