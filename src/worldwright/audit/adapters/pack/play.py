"""One play of a pack's task, step by step, in this process.

Takes an instance made ready and a play; makes its acts as a solver's loop would, with the brief's limits, and gives an
Attempt. What the agent does wrong is a result; whatever the world raises becomes an Attempt with status `error`, never
an exception. A play can be looked at as if it ended here, and be taken back to an earlier point. Not safe for use by two
threads at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import msgspec

from worldwright.audit.adapters.pack.changes import Free, agent_changes
from worldwright.audit.subject import DELETE, KEEP, SAY, WRITE, Act, Attempt, Change, Play, Result, Status
from worldwright.errors import UnusableSeed
from worldwright.pack.read import PackTask
from worldwright.solver.trace import json_text, plain
from worldwright.task import Instance
from worldwright.verifier import Verdict
from worldwright.world.protocol import CallResult, RowChange
from worldwright.world.records import RecordsEpisode, RecordsEvidence
from worldwright.world.records.episode import EpisodeMark

__all__ = ["Begun", "Judge", "Playing", "Point", "Ready", "by_the_verifier"]

_NOT_HERE = {
    WRITE: "no folder",
    DELETE: "no folder",
    KEEP: "no folder",
    SAY: "no conversation beside the tools: people are spoken to with the tool say",
}
_LONG = 300


class Ready(msgspec.Struct, frozen=True):
    """An instance that plays can start from; `prompt` is all that the agent is told."""

    entry: PackTask
    instance: Instance
    prompt: str
    free: Free


Judge = Callable[[Ready, Play, RecordsEvidence], Verdict]
"""What says the verdict on a play by what it left."""


def by_the_verifier(ready: Ready, _: Play, evidence: RecordsEvidence) -> Verdict:
    """The verdict of the task's own verifier."""
    return ready.entry.verifier.grade(ready.instance, evidence)


class Point(msgspec.Struct, frozen=True):
    """Where a play stood: in which episode, after so many results, having said so many characters."""

    episode: RecordsEpisode
    mark: EpisodeMark
    results: int
    said: int


class Begun(msgspec.Struct, frozen=True):
    """An episode that somebody else has led so far, not stopped by anything: its acts, and what each gave."""

    ready: Ready
    episode: RecordsEpisode
    acts: tuple[Act, ...]
    results: tuple[CallResult, ...]


class Playing:
    """A play under way: `act` for each act, then `end` (or `left`), then `close`. It begins where `begun` stands, if that is given."""

    def __init__(
        self,
        make_ready: Callable[[], Ready],
        around: Callable[[], AbstractContextManager[None]] = nullcontext,
        judge: Judge = by_the_verifier,
        begun: Begun | None = None,
    ) -> None:
        self._make_ready, self._around, self._judge = make_ready, around, judge
        self.ready: Ready | None = None
        self.episode: RecordsEpisode | None = None
        if begun is None:
            self._begin()
        else:
            self._clear()
            self.ready, self.episode = begun.ready, begun.episode
            self.results += map(_result, begun.results)
            self._said = sum(map(_said, begun.acts))
            if self._said > begun.ready.entry.task.brief.limits.output:  # a play would have been stopped before
                self._anew(begun.acts)

    def _clear(self) -> None:
        self.results: list[Result] = []
        self.stopped = ""
        """Why no more acts are made, though the play can be graded."""
        self.fault = self.where = ""
        self._said = 0
        self._told_of: tuple[Sequence[RowChange] | None, tuple[Change, ...]] = None, ()
        """Row changes, and what the audit is told of them: several answers to one end share both."""
        self._unusable = self._ended = False

    def _begin(self) -> None:
        self._clear()
        try:
            self.ready = self._make_ready()
            self.episode = self.ready.entry.task.start(self.ready.instance)
        except UnusableSeed as fault:
            self._unusable = True
            self._fail("start", fault)
        except Exception as fault:  # noqa: BLE001 - a world that doesn't start is what the audit reports
            self._fail("start", fault)

    def is_over(self) -> bool:
        """Whether further acts make no difference."""
        return bool(self.stopped or self.fault)

    def act(self, act: Act) -> None:
        """Make an act; nothing once the play is over."""
        if self.is_over() or self.episode is None or self.ready is None:
            return
        if act.tool in _NOT_HERE:
            self.results.append(Result(False, error=_NOT_HERE[act.tool]))
            return
        self._said += _said(act)
        if self._said > self.ready.entry.task.brief.limits.output:
            self.results.append(Result(False, error="The limit of characters is reached; the episode has ended."))
            self.stopped = "output-limit"
            return
        try:
            got = self.episode.call(act.tool, act.args)
        except Exception as fault:  # noqa: BLE001 - a world that fails is what the audit reports
            self._fail("act", fault)
            self.results.append(Result(False, crash=self.fault))
            return
        self.results.append(_result(got))
        if got.ended is not None:
            self.stopped = got.ended.value

    def point(self) -> Point:
        """A point to come back to; only while the play isn't over."""
        assert self.episode is not None
        return Point(self.episode, self.episode.mark(), len(self.results), self._said)

    def back(self, point: Point, acts: Sequence[Act]) -> None:
        """Undo what came after the point, which `acts` lead to: where that can't be undone they are made anew."""
        alive = self.episode is not None and self.episode is point.episode and self.episode.lost is None
        if self.fault or self._ended or self.episode is None or not alive:
            self._anew(acts)
            return
        self.stopped = ""
        self.episode.back(point.mark)
        self.episode.forget(point.mark)
        del self.results[point.results :]
        self._said = point.said

    def finish(self, answer: Any) -> RecordsEvidence | None:
        """End the episode with this answer (none where the play was stopped before); None if that fails."""
        return self._end(answer, None, final=True)

    def end(self, plays: Sequence[Play], final: bool = True) -> list[Attempt]:
        """What each of these leaves, whose acts have all been made, each graded unless it is abandoned (`unknown`).

        The play is over then; unless this is not `final`, when it can be taken `back` without being made anew, and must be.
        """
        return self._each(plays, stay=False, final=final)

    def look(self, plays: Sequence[Play]) -> list[Attempt]:
        """The same as `end`, but the play can go on: where the world goes on alone to its end, it comes back."""
        return self._each(plays, stay=True, final=False)

    def left(self) -> Attempt:
        """What an abandoned play has done so far; the play can go on."""
        changes = self._changes()
        return self._faulty() if self.fault else self._attempt("unknown", changes, notes=self._notes())

    def close(self) -> None:
        """Give the episode back; safe to call twice."""
        if self.episode is not None:
            self.episode.close()

    # ---- inside

    def _anew(self, acts: Sequence[Act]) -> None:
        """Start again, and make these acts."""
        self.close()
        self._begin()
        for act in acts:
            self.act(act)

    def _each(self, plays: Sequence[Play], stay: bool, final: bool) -> list[Attempt]:
        """The plays' attempts in their order. What fails in one is not the next one's: that starts anew."""
        out: dict[int, Attempt] = {n: self.left() for n, play in enumerate(plays) if not play.finish}
        rest = [n for n in range(len(plays)) if n not in out]
        while rest:
            can_stay = stay and not self.is_over() and self.episode is not None
            point = self.point() if can_stay else None
            done = self._graded_each([plays[n] for n in rest], final)
            out.update(zip(rest, done, strict=False))
            rest = rest[len(done) :]
            if point is not None:
                self.back(point, plays[0].acts)
            elif rest:
                self._anew(plays[0].acts)
        return [out[n] for n in range(len(plays))]

    def _graded_each(self, plays: Sequence[Play], final: bool) -> list[Attempt]:
        """The attempts of the first of these, up to one that fails: one end of the world, graded with one answer after the other."""
        out: list[Attempt] = []
        stopped = self.stopped
        end: RecordsEvidence | None = None
        for play in plays:
            self.stopped = stopped
            end = self._end(play.answer, end, final)
            out.append(self._judged(play, end))
            if end is None or self.fault:
                break
        return out

    def _end(self, answer: Any, known: RecordsEvidence | None, final: bool) -> RecordsEvidence | None:
        """The end with this answer (none where the play was stopped before): a `known` one with another answer. None if that fails."""
        if self.fault or self.episode is None or self.ready is None:
            return None
        self._ended = final
        try:
            if known is not None:
                return known.answered(self._answer(answer))
            end = self.episode.finish if final else self.episode.foreseen
            return end(self._answer(answer), self.ready.instance.until)
        except Exception as fault:  # noqa: BLE001 - a world that fails is what the audit reports
            self._fail("finish", fault)
            return None

    def _judged(self, play: Play, evidence: RecordsEvidence | None) -> Attempt:
        if evidence is None or self.ready is None:
            return self._faulty()
        try:
            with self._around():
                verdict = self._judge(self.ready, play, evidence)
        except Exception as fault:  # noqa: BLE001 - a verifier that can't be compiled, or fails
            self._fail("finish", fault)
            return self._faulty()
        changes = self._changes(evidence)
        return self._faulty() if self.fault else self._graded(verdict, changes)

    def _fail(self, where: str, fault: BaseException) -> None:
        self.where, self.fault = where, f"{type(fault).__name__}: {fault}"[:2_000]

    def _answer(self, answer: Any) -> dict[str, Any] | None:
        """The answer as the loop takes it: what JSON can carry of an object within the limit; anything else is none."""
        assert self.ready is not None
        value = None if self.stopped else plain(answer)
        if not isinstance(value, dict):
            return None
        if self._said + len(json_text(value)) > self.ready.entry.task.brief.limits.output:
            self.stopped = "output-limit"
            return None
        return value

    def _changes(self, evidence: RecordsEvidence | None = None) -> tuple[Change, ...] | None:
        if self.fault or self.episode is None or self.ready is None:
            return None
        try:
            if evidence is None and self.episode.lost is None:
                self.episode.changes.segments()  # closes the segment that is under way, so that its rows are seen
            rows = self.episode.changes.rows() if evidence is None else evidence.changes
            if rows is not self._told_of[0]:
                self._told_of = rows, agent_changes(rows, self.episode.world.schema, self.ready.free)
            return self._told_of[1]
        except Exception as fault:  # noqa: BLE001 - a state that can't be read is what the audit reports
            self._fail("state", fault)
            return None

    def _graded(self, verdict: Verdict, changes: tuple[Change, ...] | None) -> Attempt:
        status: Status = verdict.status.value
        notes = self._notes() + verdict.findings
        if status == "error":
            self.where, self.fault = "finish", verdict.reason
            return self._faulty()
        checks = tuple(_worded(one.kind, one.name, one.rows, one.total) for one in verdict.failed())
        if status == "fail" and not checks:
            checks = (verdict.reason,)
        reward = None if verdict.reward is None else float(verdict.reward)
        return self._attempt(status, changes, reward=reward, checks=checks, notes=notes)

    def _faulty(self) -> Attempt:
        return self._attempt("unknown" if self._unusable else "error", None, fault=self.fault, where=self.where, notes=self._notes())

    def _attempt(self, status: Status, changes: tuple[Change, ...] | None, **more: Any) -> Attempt:
        prompt = "" if self.ready is None else self.ready.prompt
        return Attempt(status, prompt=prompt, results=tuple(self.results), changes=changes, **more)

    def _notes(self) -> tuple[str, ...]:
        return (f"ended at act {len(self.results)}: {self.stopped}",) if self.stopped else ()


def _result(got: CallResult) -> Result:
    return Result(got.ok, got.value, got.error or "")


def _said(act: Act) -> int:
    """Characters that the act says to a person, which the brief limits."""
    text = act.args.get("text") if act.tool == "say" and isinstance(act.args, dict) else None
    return len(text) if isinstance(text, str) else 0


def _worded(kind: str, name: str, rows: tuple[dict[str, Any], ...], total: int) -> str:
    """A failed check with the first row that broke it."""
    first = ", ".join(f"{key}: {value}" for key, value in rows[0].items())[:_LONG] if rows else ""
    more = f" (and {total - 1} more)" if total > 1 else ""
    return f"{kind} '{name}': {first}{more}"
