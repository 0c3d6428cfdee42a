"""A pack as the subject of an audit, in this process: its tasks are cases, its episodes are plays.

Takes a Pack; gives a Subject. A session of the plain setting is carried out here, on the engine itself, which starts a
fresh episode for each play and keeps nothing between them; sessions in another setting run in a process of their own
(see `elsewhere`). `run_many` carries out what plays have in common once. Promises: the same as `run`, play by play.
Doesn't promise anything about two threads. Grading touches no file and starts no process that it could be seen at, so
`watch` finds nothing.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

import msgspec

from worldwright.audit.adapters.pack.elsewhere import Elsewhere
from worldwright.audit.adapters.pack.facts import Graded, facts_of, prompt_text
from worldwright.audit.adapters.pack.play import Begun, Judge, Playing, Ready, by_the_verifier
from worldwright.audit.adapters.pack.sharing import Numbered, play_all
from worldwright.audit.subject import Attempt, Facts, Play, Session, Setting
from worldwright.errors import UnusableSeed, UsageError
from worldwright.files import digest
from worldwright.pack import Pack, PackTask
from worldwright.task import Instance
from worldwright.verifier import Verdict
from worldwright.verifier.verdict import Outline
from worldwright.world.records import RecordsEvidence

__all__ = ["PackSubject"]

_PLAIN = Setting()
_KEPT = 512


class PackSubject:
    """See the module. `only` are the tasks to audit (None: all); `around` surrounds each grading."""

    kind = "pack"

    def __init__(
        self, pack: Pack, only: Sequence[PackTask] | None = None, around: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> None:
        self.pack, self.name, self._around = pack, pack.meta.name, around
        self.only = None if only is None else tuple(only)
        self._entries = {f"{one.world.name}/{one.name}": one for one in (pack.tasks() if only is None else only)}
        self.digest = pack.digest if only is None else _digest_of(only)
        self._elsewhere = Elsewhere(pack, None if only is None else tuple(self._entries))
        self._ready: OrderedDict[tuple[str, int], Ready] = OrderedDict()
        self._outlines: dict[int, tuple[Play, Outline]] = {}

    def cases(self) -> Sequence[str]:
        """The tasks, as `world/task`."""
        return tuple(self._entries)

    def entry(self, case: str) -> PackTask:
        """The task of a case. Raises UsageError."""
        if case not in self._entries:
            raise UsageError(f"{self.name} has no case '{case}' (it has: {', '.join(self._entries) or 'none'})")
        return self._entries[case]

    def facts(self, case: str, seed: int) -> Facts:
        """One instance before anything is tried; found anew each time it is asked for (tens of milliseconds, for the plans' runs)."""
        return self._solved(case, seed, None)[0]

    def solved_many(
        self, instances: Sequence[tuple[str, int]], bare: Collection[int] = ()
    ) -> list[tuple[Facts, tuple[Attempt, ...] | None]]:
        """Facts, each with what its own solutions left when they were run for it (None where these are still to be played).

        `bare` are the numbers of those that are given without alternatives.
        """
        return [self._solved(case, seed, self._graded, n in bare) for n, (case, seed) in enumerate(instances)]

    def run(self, session: Session, watch: bool = False) -> list[Attempt]:
        """Carry out a session. Raises UsageError for a case that isn't there, or an order that doesn't fit the plays."""
        return self.run_many([session], watch)[0]

    def run_many(self, sessions: Sequence[Session], watch: bool = False) -> list[list[Attempt]]:
        """Carry out sessions, as if one by one."""
        for session in sessions:
            _check(session)
            for play in session.plays:
                self.entry(play.case)
        done: dict[int, list[Attempt]] = {}
        singles: dict[tuple[str, int], list[Numbered]] = {}
        settings: dict[bytes, list[int]] = {}
        for n, session in enumerate(sessions):
            if session.setting != _PLAIN:
                settings.setdefault(msgspec.msgpack.encode(session.setting), []).append(n)
            elif len(session.plays) == 1:
                play = session.plays[0]
                singles.setdefault((play.case, play.seed), []).append((n, play))
            else:
                done[n] = self._interleaved(session)
        made: dict[int, Attempt] = {}
        for (case, seed), plays in singles.items():
            play_all(plays, lambda case=case, seed=seed: self.begin(case, seed, self._noted), made)  # type: ignore[misc]
        done.update((n, [attempt]) for n, attempt in made.items())
        for numbers in settings.values():
            attempts = self._elsewhere.run([sessions[n] for n in numbers])
            done.update(zip(numbers, attempts, strict=True))
        return [done[n] for n in range(len(sessions))]

    def instance(self, case: str, seed: int) -> Instance:
        """The instance as its task makes it. Raises UsageError, UnusableSeed and PackError."""
        return self._made_ready(case, seed).instance

    def begin(self, case: str, seed: int, judge: Judge = by_the_verifier) -> Playing:
        """A play of this instance that has just started; to be closed by the caller. Raises UsageError."""
        self.entry(case)
        return Playing(lambda: self._made_ready(case, seed), self._around, judge)

    def outline(self, play: Play) -> Outline | None:
        """What the verifier said of this very play, as it was given to `run_many`; None if that isn't known."""
        known = self._outlines.get(id(play))
        return None if known is None else known[1]

    def close(self) -> None:
        """Drop what is kept, and end the processes of other settings."""
        self._elsewhere.close()
        self._ready.clear()
        self._outlines.clear()

    # ---- inside

    def _noted(self, ready: Ready, play: Play, evidence: RecordsEvidence) -> Verdict:
        verdict = by_the_verifier(ready, play, evidence)
        self._outlines[id(play)] = play, verdict.outline()
        return verdict

    def _solved(self, case: str, seed: int, graded: Graded | None, bare: bool = False) -> tuple[Facts, tuple[Attempt, ...] | None]:
        try:
            ready = self._made_ready(case, seed)
            return facts_of(ready, ready.entry.task.prompt(ready.instance), case, graded, bare)
        except UnusableSeed as fault:
            return Facts(case, seed, usable=False, notes=(str(fault),)), None
        except UsageError:
            raise
        except Exception as fault:  # noqa: BLE001 - an instance that can't be made ready is what the audit reports
            return Facts(case, seed, fault=f"{type(fault).__name__}: {fault}"), None

    def _graded(self, begun: Begun, answer: dict[str, Any] | None) -> Attempt:
        """What an attempt leaves that has got so far and gives this answer."""
        ready = begun.ready
        playing = Playing(lambda: ready, self._around, begun=begun)
        try:
            return playing.end([Play("", ready.instance.seed, begun.acts, answer)])[0]
        finally:
            playing.close()

    def _made_ready(self, case: str, seed: int) -> Ready:
        """The instance, ready to be played. Raises UsageError, UnusableSeed and PackError."""
        known = self._ready.get((case, seed))
        if known is None:
            entry = self.entry(case)
            instance = entry.task.instance(seed)
            free = frozenset((table, column) for table, _, column in (name.partition(".") for name in entry.world.world.spec.free))
            if self._around is nullcontext:
                # Before an episode takes the one connection that is kept for this instance: the verifier starts one too.
                with suppress(Exception):
                    entry.verifier.preflight(instance)
            known = self._ready[(case, seed)] = Ready(entry, instance, prompt_text(entry.task.prompt(instance)), free)
            while len(self._ready) > _KEPT:
                self._ready.popitem(last=False)
        return known

    def _interleaved(self, session: Session) -> list[Attempt]:
        """Step by step in the session's order; abandoned plays stay open until its end."""
        playings: dict[int, Playing] = {}
        steps: Counter[int] = Counter()
        out: dict[int, Attempt] = {}
        try:
            for n in session.order or _one_by_one(session.plays):
                play, step = session.plays[n], steps[n]
                steps[n] += 1
                if step == 0:
                    playings[n] = self.begin(play.case, play.seed)
                elif step <= len(play.acts):
                    playings[n].act(play.acts[step - 1])
                else:
                    [out[n]] = playings[n].end([play])
                    if play.finish:
                        playings[n].close()
        finally:
            for playing in playings.values():
                playing.close()
        return [out[n] for n in range(len(session.plays))]


def _one_by_one(plays: Sequence[Play]) -> list[int]:
    return [n for n, play in enumerate(plays) for _ in range(len(play.acts) + 2)]


def _check(session: Session) -> None:
    """Raises UsageError unless the order names each play once for each of its steps."""
    wanted = {n: len(play.acts) + 2 for n, play in enumerate(session.plays)}
    if session.order and Counter(session.order) != wanted:
        got = dict(Counter(session.order))
        raise UsageError(f"the session's order names plays {got} times; expected {wanted} (start, each act, and the end)")


def _digest_of(entries: Sequence[PackTask]) -> str:
    """Over the files of these tasks and of their worlds."""
    files: dict[str, bytes] = {}
    for entry in entries:
        world = f"worlds/{entry.world.name}"
        files |= {f"{world}/{path}": data for path, data in entry.world.files.items()}
        files |= {f"{world}/tasks/{entry.name}/{path}": data for path, data in entry.files.items()}
    return digest(files)
