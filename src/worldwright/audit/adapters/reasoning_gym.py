"""Datasets of reasoning-gym as subjects, in the interpreter that has it.

Takes a dataset's name, or `all`; gives a subject for each, with one case whose seed is `create_dataset`'s. Subjects that were
asked for together share their processes, which import reasoning-gym once for each kind of surroundings; the last that is
closed ends them. reasoning-gym is never imported here.

A dataset that can't be started as it is (it needs a configuration, or its item takes longer than SECONDS) has no usable
instance, and `not_audited` says why. Where many runs are asked for at once, two processes work, and SHARED runs share a fork
and the items made in it (a fork of what holds reasoning-gym costs more than most of its verdicts); a run that is asked for by
itself, as a finding's second look is, has one of its own. Where an answer of LONG characters or more finds no end in time,
longer ones that are asked for with many others are not run: their attempts are `unknown`. Items that take long to make are
made ahead, once a batch of instances, for plain runs; facts and runs in other surroundings always make theirs anew. Reads the
monotonic clock to tell which items take long: that decides where they are made, never what they are.

An answer is stripped before it is scored, as the package's own `extract_answer` does: what stands around it proves nothing.
"""

from __future__ import annotations

import concurrent.futures
import difflib
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from worldwright.audit.adapters.hosted import HostedSubject
from worldwright.audit.adapters.python import interpreter
from worldwright.audit.adapters.sources import digest_of
from worldwright.audit.host import Limits
from worldwright.audit.subject import WHOLE, Attempt, Facts, Play, Session, Setting
from worldwright.errors import UsageError

__all__ = ["LONG", "SECONDS", "SHARED", "GymSubject", "reasoning_gym_subjects"]

SECONDS = 10.0
"""What an item may take to be made, with all that is asked of it."""
LONG = 2_000
"""From how many characters on an answer is tried after shorter ones, and not at all where those find no end."""
SHARED = 12
"""How many runs share a process, where many are asked for at once."""
_WORTH_SHARING = 4
_WORTH_DIVIDING = 4
_ENDLESS = "no end in time"
_NOT_RUN = "not run: a shorter answer found no end in time"
_SLOW = 0.25
_SURROUNDINGS = 6
_LIMITS = Limits(seconds=SECONDS, import_seconds=180.0)
_SHIM = Path(__file__).parent / "shims" / "reasoning_gym_shim.py"
_FIND = "import importlib.util as u; s = u.find_spec('reasoning_gym'); print(s.origin if s else '')"
_PLAIN = Setting()
AGAIN = "+"
"""Stands before a dataset's name where an item that this process has made may serve again."""
_NEEDS = ("must specify", "must be provided", "required", "missing")


def reasoning_gym_subjects(name: str, python: str | None = None, workers: int = 2) -> list[GymSubject]:
    """A subject for the dataset of that name, or one for each of `all`, in two lanes that may be audited side by side.

    Raises UsageError where there is no such dataset, or no reasoning-gym.
    """
    gym = _Gym(python, workers)
    try:
        known = gym.names()
        if name != "all" and name not in known:
            close = difflib.get_close_matches(name, known, 3)
            hint = f"did you mean {', '.join(close)}?" if close else f"there are {len(known)}: {', '.join(known[:6])}, ..."
            raise UsageError(f"reasoning-gym:{name}: no such dataset ({hint})")
    except UsageError:
        gym.close()
        raise
    if name != "all":
        return [GymSubject(gym, name)]
    lanes = [gym] if workers < 2 else [gym, _Gym(python, workers - 1)]
    lanes[0].workers = 1 if workers > 1 else workers
    subjects = [GymSubject(lanes[n % len(lanes)], one, n % len(lanes)) for n, one in enumerate(known)]
    for n, lane in enumerate(lanes):
        lane.users = sum(one.lane == n for one in subjects)
    return subjects


class _Gym:
    """The processes that datasets share."""

    def __init__(self, python: str | None, workers: int) -> None:
        self.python, self.workers, self.users = interpreter(python), workers, 1
        self.package = _package(self.python or sys.executable)
        self._hosts: OrderedDict[bytes, _Lanes] = OrderedDict()
        self._hash = ""

    def names(self) -> list[str]:
        """All datasets."""
        return self.host(_PLAIN).first.cases()

    def digest(self, name: str) -> str:
        """A hash of reasoning-gym's source, the shim's, and the dataset's name."""
        self._hash = self._hash or digest_of({"function": "environment"}, [self.package, str(_SHIM)])
        return hashlib.sha256(f"{self._hash}:{name}".encode()).hexdigest()

    def host(self, setting: Setting) -> _Lanes:
        """The processes for these surroundings."""
        kind = msgspec.json.encode(
            (setting.zone, setting.locale, setting.hash_seed, setting.days, sorted(setting.environ.items()), setting.where)
        )
        if kind not in self._hosts:
            self._hosts[kind] = self.made(str(_SHIM), self.workers)
        self._hosts.move_to_end(kind)
        while len(self._hosts) > _SURROUNDINGS:
            self._hosts.popitem(last=False)[1].close()
        return self._hosts[kind]

    def made(self, file: str, most: int) -> _Lanes:
        """Processes that load this file."""
        load = {"file": file, "function": "environment", "args": {}, "paths": []}
        return _Lanes(lambda: HostedSubject(load, "reasoning-gym", "reasoning-gym", python=self.python, limits=_LIMITS), most)

    def leave(self) -> None:
        """One subject less; the last one ends the processes."""
        self.users -= 1
        if self.users <= 0:
            self.close()

    def close(self) -> None:
        """End all processes."""
        while self._hosts:
            self._hosts.popitem()[1].close()


class GymSubject:
    """One dataset. `not_audited`: why it has no usable instance ("" as far as is known). Subjects of one `lane` share processes."""

    kind = "reasoning-gym"

    def __init__(self, gym: _Gym, dataset: str, lane: int = 0) -> None:
        self.lane = lane
        self.name, self.dataset, self.not_audited = f"reasoning-gym:{dataset}", dataset, ""
        self._gym = gym
        self._seeds: list[int] = []
        self._fastest = float("inf")
        self._is_closed = False
        self._ahead: list[tuple[frozenset[int], _Lanes, str]] = []
        self._endless = float("inf")

    @property
    def digest(self) -> str:
        """A hash of reasoning-gym's source and the dataset's name."""
        return self._gym.digest(self.dataset)

    @property
    def load(self) -> Mapping[str, Any]:
        """How a script of its own gets at the dataset."""
        return {"file": str(_SHIM), "function": "environment", "args": {"name": self.dataset}, "paths": []}

    def cases(self) -> list[str]:
        """The dataset's name."""
        return [self.dataset]

    def facts(self, case: str, seed: int) -> Facts:
        """One instance before anything is tried; made anew each time."""
        if self.not_audited:
            return Facts(case, seed, usable=False, notes=(self.not_audited,))
        begun = time.monotonic()
        found = self._gym.host(_PLAIN).first.facts(case, seed)
        if _ENDLESS in found.fault:  # a busy machine, perhaps: once more
            found = self._gym.host(_PLAIN).first.facts(case, seed)
        if found.fault:
            return self._unusable(found)
        self._fastest = min(self._fastest, time.monotonic() - begun)
        self._seeds = [*self._seeds, seed] if seed not in self._seeds else self._seeds
        reference = () if found.reference else ("reference: the dataset gives no answer of its own for this item",)
        return msgspec.structs.replace(
            found, frame=("", ""), notes=(*found.notes, "pass mark 1.0: what score_answer gives a right answer", *reference)
        )

    def _unusable(self, found: Facts) -> Facts:
        if _ENDLESS in found.fault:
            self.not_audited = f"not audited: start took over {SECONDS:g} s"
        elif "AssertionError" in found.fault and any(word in found.fault.lower() for word in _NEEDS):
            self.not_audited = f"not audited: it needs a configuration ({found.fault[:120]})"
        else:
            return found
        return msgspec.structs.replace(found, fault="", usable=False, notes=(*found.notes, self.not_audited))

    def run(self, session: Session, watch: bool = False) -> list[Attempt]:
        """Carry out a session."""
        return self.run_many([session], watch)[0]

    def run_many(self, sessions: Sequence[Session], watch: bool = False) -> list[list[Attempt]]:
        """Carry out many; those in other surroundings apart."""
        out: dict[int, list[Attempt]] = {}
        groups: dict[tuple[int, bytes], tuple[_Lanes, list[int]]] = {}
        for n, session in enumerate(sessions):
            lanes = self._lanes(session)
            groups.setdefault((id(lanes), msgspec.json.encode(session.setting)), (lanes, []))[1].append(n)
        for lanes, places in groups.values():
            some = [sessions[n] for n in places]
            alone = watch or (len(some) < _WORTH_SHARING and all(len(one.plays) < _WORTH_SHARING for one in some))
            done = lanes.run_many(some, watch) if alone else self._by_length(lanes, some)
            out.update(zip(places, done, strict=True))
        return [out[n] for n in range(len(sessions))]

    def _by_length(self, lanes: _Lanes, sessions: Sequence[Session]) -> list[list[Attempt]]:
        """Those with short answers together, then long ones in ever larger parts, until one finds no end."""
        order = sorted(range(len(sessions)), key=lambda n: _length(sessions[n]))
        short = [n for n in order if _length(sessions[n]) < LONG]
        done = dict(zip(short, _shared(lanes, [sessions[n] for n in short]), strict=True))
        rest = order[len(short) :]
        size = 1
        while rest:
            tried = [n for n in rest if _length(sessions[n]) < self._endless]
            skipped = rest[len(tried) :]
            done |= {n: [Attempt("unknown", fault=_NOT_RUN, where="finish") for _ in sessions[n].plays] for n in skipped}
            part, rest = tried[:size], tried[size:]
            found = _shared(lanes, [sessions[n] for n in part])
            done |= dict(zip(part, found, strict=True))
            slow = [_length(sessions[n]) for n, attempts in zip(part, found, strict=True) if any(_ENDLESS in one.fault for one in attempts)]
            self._endless = min([self._endless, *slow])
            size *= 2
        return [done[n] for n in range(len(sessions))]

    def _lanes(self, session: Session) -> _Lanes:
        setting = session.setting
        seeds = {play.seed for play in session.plays}
        plain = msgspec.structs.replace(setting, failing=(), load=False) == _PLAIN
        if not (self._fastest > _SLOW and plain and seeds <= set(self._seeds)):
            return self._gym.host(setting)
        made = frozenset().union(*(some for some, _, _ in self._ahead))
        if not seeds & made:
            self._make_ahead([seed for seed in self._seeds if seed not in made])
        return next((lanes for some, lanes, _ in self._ahead if seeds <= some), None) or self._gym.host(setting)

    def _make_ahead(self, seeds: Sequence[int]) -> None:
        number, path = tempfile.mkstemp(suffix=".py", prefix="worldwright-items-")
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(f"{_SHIM.read_text(encoding='utf-8')}\n\nahead({self.dataset!r}, {list(seeds)!r})\n")
        self._ahead.append((frozenset(seeds), self._gym.made(path, 1), path))

    def _drop_ahead(self) -> None:
        while self._ahead:
            _, lanes, path = self._ahead.pop()
            lanes.close()
            os.unlink(path)

    def close(self) -> None:
        """End its processes, and the shared ones with the last subject."""
        if not self._is_closed:
            self._is_closed = True
            self._drop_ahead()
            self._gym.leave()


class _Lanes:
    """Processes that load one file: two groups of them, which work at the same time."""

    def __init__(self, make: Callable[[], HostedSubject], most: int) -> None:
        self._make, self._most = make, most
        self._hosts = [make()]

    @property
    def first(self) -> HostedSubject:
        """The group that does what is not worth dividing."""
        return self._hosts[0]

    def run_many(self, sessions: Sequence[Session], watch: bool = False) -> list[list[Attempt]]:
        """Carry sessions out, every second one in the other group where there are many."""
        if self._most < 2 or len(sessions) < _WORTH_DIVIDING:
            return self.first.run_many(sessions, watch)
        if len(self._hosts) < 2:
            self._hosts.append(self._make())
        halves = zip(self._hosts, (sessions[::2], sessions[1::2]), strict=True)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            one, other = pool.map(lambda pair: pair[0].run_many(pair[1], watch), halves)
        return [(other if n % 2 else one)[n // 2] for n in range(len(sessions))]

    def close(self) -> None:
        """End all processes."""
        for host in self._hosts:
            host.close()


def _length(session: Session) -> int:
    """The length of the answer; 0 for sessions of many plays, which are always carried out."""
    answer = session.plays[0].answer if len(session.plays) == 1 else ""
    inside = answer[WHOLE] if isinstance(answer, dict) and set(answer) == {WHOLE} else answer
    return len(inside if isinstance(inside, str) else repr(inside))


def _shared(lanes: _Lanes, sessions: Sequence[Session]) -> list[list[Attempt]]:
    """Sessions of one play in processes of SHARED each; others, and whatever ended as an error there, in processes of their own."""
    done: dict[int, list[Attempt]] = {}
    sessions = [_joined(one) for one in sessions]
    single = sorted((n for n, session in enumerate(sessions) if len(session.plays) == 1), key=lambda n: sessions[n].plays[0].seed)
    parts = [single[n : n + SHARED] for n in range(0, len(single), SHARED)]
    joined = [Session(tuple(_again(sessions[n].plays[0]) for n in part), (), sessions[part[0]].setting) for part in parts]
    for part, attempts in zip(parts, lanes.run_many(joined), strict=True):
        done.update({n: [one] for n, one in zip(part, attempts, strict=True) if one.status != "error" or one.fault == _ENDLESS})
    alone = [n for n in range(len(sessions)) if n not in done]
    done.update(zip(alone, lanes.run_many([sessions[n] for n in alone]), strict=True))
    return [done[n] for n in range(len(sessions))]


def _joined(session: Session) -> Session:
    """A session of many plays makes each item once; one of two may ask whether a second episode finds what the first left."""
    return session if len(session.plays) < 3 else msgspec.structs.replace(session, plays=tuple(map(_again, session.plays)))


def _again(play: Play) -> Play:
    """The same, on the item that its process has made before, if it has."""
    return msgspec.structs.replace(play, case=f"{AGAIN}{play.case}")


def _package(python: str) -> str:
    """Where reasoning-gym lies, without importing it. Raises UsageError if that interpreter hasn't got it."""
    try:
        done = subprocess.run([python, "-c", _FIND], capture_output=True, text=True, timeout=60, check=False, cwd="/")
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise UsageError(f"--python {python}: can't be run: {fault}") from fault
    if done.returncode or not done.stdout.strip():
        raise UsageError(
            f"reasoning-gym isn't installed in {python} "
            f"(expected it there: `{python} -m pip install reasoning-gym`; --python names another interpreter)"
        )
    return done.stdout.strip()
