"""How many mutants of a verifier the audit's labelled runs notice.

Takes runs whose right verdict is certain; plays once each that may tell a mutant from the verifier, and grades its evidence with
the verifier and these mutants. A mutant is *killed* if one run gets another verdict from it than from the verifier; it *survived* if
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
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from worldwright.audit.adapters.pack import PackSubject
from worldwright.audit.adapters.pack.play import Ready, by_the_verifier
from worldwright.audit.adapters.pack.sharing import play_all
from worldwright.audit.mutate.alike import Alike
from worldwright.audit.mutate.mutants import Mutant, mutants
from worldwright.audit.run import Audit
from worldwright.audit.subject import Act, Attempt, Play
from worldwright.pack import PackTask
from worldwright.task import Instance
from worldwright.verifier import Status, Verdict
from worldwright.verifier.verdict import Outline
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
_VERDICTS = (Status.PASS, Status.FAIL)


class LabelledRun(msgspec.Struct, frozen=True):
    """A run with its right verdict, certain by something other than the verifier; `source` says where it comes from."""

    seed: int
    acts: tuple[Act, ...]
    answer: Any
    right: Literal["pass", "fail"]
    source: str
    truth: Outline | None = None
    """What the verifier said of it, if that is known: a run that tells nothing then needn't be played."""


class Kill(msgspec.Struct, frozen=True):
    """A mutant and the first run that told it from the verifier."""

    mutant: str
    kind: str
    source: str
    seed: int


class MutationScore(msgspec.Struct, frozen=True):
    """One task's mutants; names are the mutants'. `runs` were looked at, of those that were given."""

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
    tally = _Tally(every, Alike(entry))
    graded = quiet = 0
    try:
        for group in _by_seed(runs):
            known = tally.known()
            graded += _seed(subject, case, group, tally)
            quiet = quiet + 1 if tally.known() == known else 0
            if quiet == _QUIET or tally.gradings >= _MOST:
                break
        dropped = tuple((one.name, one.fault) for one in every if not tally.compiles(one))
    finally:
        for mutant in every:
            mutant.forget()
    living = [*tally.left, *tally.given_up]
    survived = [one.name for one in living if one.name in tally.shown]
    refused = [one.name for one in living if one.name in tally.refused and one.name not in tally.shown]
    decided = {*survived, *refused, *(name for name, _ in dropped)}
    return MutationScore(
        case,
        tuple(tally.killed),
        tuple(survived),
        tuple(one.name for one in living if one.name not in decided),
        tuple(refused),
        dropped,
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
            right: Literal["pass", "fail"] = "pass" if one.label == "right" else "fail"
            run = LabelledRun(one.seed, play.acts, play.answer, right, one.probe, subject.outline(play))
            runs.setdefault(one.case, []).append(run)
    return [score(subject, subject.entry(case), ones) for case, ones in runs.items()]


class _Tally:
    """What is known of the mutants so far: those `left` alive, those that have `shown` a difference, those `refused`."""

    def __init__(self, made: Sequence[Mutant], alike: Alike) -> None:
        self.left = list(made)
        self._alike = alike
        self._same: set[int] = set()
        self._compile: set[int] = set()
        self.killed: list[Kill] = []
        self.shown: set[str] = set()
        self.refused: set[str] = set()
        self.given_up: list[Mutant] = []
        self.gradings = 0
        self._failures: Counter[str] = Counter()
        self._tried: Counter[tuple[str, str, str]] = Counter()

    def turn_to(self, instance: Instance) -> None:
        """Find out which mutants are the verifier itself on this instance; of the others, those that don't compile go."""
        self._same = {id(one) for one in self.left if self._alike.on(instance, one)}
        self._compile |= self._same
        self.left = [one for one in self.left if self.compiles(one)]

    def compiles(self, mutant: Mutant) -> bool:
        """Whether it does; what was found to be the verifier itself somewhere does."""
        return id(mutant) in self._compile or mutant.verifier is not None

    def known(self) -> tuple[int, int, int]:
        """How much is known, to see whether it has become more."""
        return len(self.killed), len(self.shown), len(self.refused)

    def is_news(self, mutant: Mutant, run: LabelledRun, shape: str) -> bool:
        """Whether the mutant has seen few runs of that source which broke the same things in the same way."""
        key = (mutant.name, run.source, shape)
        self._tried[key] += 1
        return self._tried[key] <= _ALIKE

    def grade(self, mutant: Mutant, run: LabelledRun, truth: Outline, instance: Instance, evidence: RecordsEvidence) -> None:
        """Grade a run with a mutant, and note its verdict."""
        assert mutant.verifier is not None
        self.gradings += 1
        got = mutant.verifier.grade(instance, evidence)
        if got.status == Status.ERROR or "verifier-overrun" in got.findings:
            self.refused.add(mutant.name)
            self._failures[mutant.name] += 1
            if self._failures[mutant.name] == _FAILURES:  # a query that never ends is paid for with each grading
                self.given_up.append(mutant)
                self._drop(mutant)
        elif got.status != truth.status:
            self.killed.append(Kill(mutant.name, mutant.kind, run.source, run.seed))
            self._drop(mutant)
        elif mutant.name not in self.shown and got.outline().shape != truth.shape:
            self.shown.add(mutant.name)

    def _drop(self, mutant: Mutant) -> None:
        self.left = [one for one in self.left if one is not mutant]

    def may_tell(self, mutant: Mutant, run: LabelledRun, truth: Outline) -> bool:
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
        return truth.failed <= mutant.affects or (mutant.name not in self.shown and bool(truth.failed & mutant.affects))

    def tellers(self, run: LabelledRun, truth: Outline) -> list[Mutant]:
        """The mutants that this run is to be graded with."""
        if truth.status not in _VERDICTS:
            return []
        found = [one for one in self.left if self.may_tell(one, run, truth) and self.is_news(one, run, truth.shape)]
        out = [one for one in found if id(one) not in self._same]
        self.gradings += len(found) - len(out)
        return out


def _by_seed(runs: Sequence[LabelledRun]) -> list[list[LabelledRun]]:
    """Different runs by their seeds: those with the most runs first, then in an order that mixes admission and certification."""
    out: dict[int, dict[str, LabelledRun]] = {}
    for run in runs:
        out.setdefault(run.seed, {}).setdefault(repr((run.acts, run.answer, run.right)), run)
    return [
        list(out[seed].values()) for seed in sorted(out, key=lambda seed: (-len(out[seed]), hashlib.sha256(str(seed).encode()).digest()))
    ]


def _seed(subject: PackSubject, case: str, runs: Sequence[LabelledRun], tally: _Tally) -> int:
    """Grade runs of one seed with all mutants that they may tell; how many runs the verifier has a verdict on."""
    tally.turn_to(subject.instance(case, runs[0].seed))
    told: dict[int, tuple[LabelledRun, list[Mutant] | None]] = {}
    plays, known = [], 0
    for run in runs:
        mutants = None if run.truth is None else tally.tellers(run, run.truth)
        known += run.truth is not None and run.truth.status in _VERDICTS
        if mutants or mutants is None:
            plays.append(Play(case, run.seed, run.acts, run.answer))
            told[id(plays[-1])] = run, mutants

    def judge(ready: Ready, play: Play, evidence: RecordsEvidence) -> Verdict:
        verdict = by_the_verifier(ready, play, evidence)
        run, mutants = told[id(play)]
        truth = verdict.outline()
        if truth.status in _VERDICTS:
            alive = set(map(id, tally.left))
            for mutant in tally.tellers(run, truth) if mutants is None else mutants:
                if id(mutant) in alive and tally.may_tell(mutant, run, truth):
                    tally.grade(mutant, run, truth, ready.instance, evidence)
        return verdict

    out: dict[int, Attempt] = {}
    if plays:
        play_all(list(enumerate(plays)), lambda: subject.begin(case, runs[0].seed, judge), out)
    return known + sum(attempt.status in _VERDICTS and told[id(plays[n])][1] is None for n, attempt in out.items())
