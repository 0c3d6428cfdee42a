"""Datasets of reasoning-gym as subjects, in the interpreter that has it.

Takes a dataset's name, or `all`; gives a subject for each, with one case whose seed is `create_dataset`'s. Subjects that were
asked for together share their processes, which import reasoning-gym once for each kind of surroundings; the last that is
closed ends them. reasoning-gym is never imported here.

A dataset that can't be started as it is (it needs a configuration, or its item takes longer than SECONDS) has no usable
instance, and `not_audited` says why. Where many runs are asked for at once, SHARED of them share a process (a fork of one that
holds reasoning-gym costs more than most of its verdicts); a run that is asked for by itself, as a finding's second look is, has
one of its own. Items that take long to make are made ahead, once a dataset, for plain runs; facts and
runs in other surroundings always make theirs anew. Reads the monotonic clock to tell which items take long: that decides
where they are made, never what they are.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from worldwright.audit.adapters.hosted import HostedSubject
from worldwright.audit.adapters.python import interpreter
from worldwright.audit.adapters.sources import digest_of
from worldwright.audit.host import Limits
from worldwright.audit.subject import Attempt, Facts, Session, Setting
from worldwright.errors import UsageError

__all__ = ["SECONDS", "SHARED", "GymSubject", "reasoning_gym_subjects"]

SECONDS = 20.0
"""What an item may take to be made, with all that is asked of it."""
SHARED = 12
"""How many runs share a process, where many are asked for at once."""
_WORTH_SHARING = 4
_ENDLESS = "no end in time"
_SLOW = 0.3
_SURROUNDINGS = 6
_LIMITS = Limits(seconds=SECONDS, import_seconds=180.0)
_SHIM = Path(__file__).parent / "shims" / "reasoning_gym_shim.py"
_FIND = "import importlib.util as u; s = u.find_spec('reasoning_gym'); print(s.origin if s else '')"
_PLAIN = Setting()
_NEEDS = ("must specify", "must be provided", "required", "missing")


def reasoning_gym_subjects(name: str, python: str | None = None, workers: int = 2) -> list[GymSubject]:
    """A subject for the dataset of that name, or one for each of `all`.

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
    subjects = [GymSubject(gym, one) for one in (known if name == "all" else [name])]
    gym.users = len(subjects)
    return subjects


class _Gym:
    """The processes that datasets share."""

    def __init__(self, python: str | None, workers: int) -> None:
        self.python, self.workers, self.users = interpreter(python), workers, 1
        self.package = _package(self.python or sys.executable)
        self._hosts: OrderedDict[bytes, HostedSubject] = OrderedDict()
        self._hash = ""

    def names(self) -> list[str]:
        """All datasets."""
        return self.host(_PLAIN).cases()

    def digest(self, name: str) -> str:
        """A hash of reasoning-gym's source, the shim's, and the dataset's name."""
        self._hash = self._hash or digest_of({"function": "environment"}, [self.package, str(_SHIM)])
        return hashlib.sha256(f"{self._hash}:{name}".encode()).hexdigest()

    def host(self, setting: Setting) -> HostedSubject:
        """The processes for these surroundings."""
        kind = msgspec.json.encode(
            (setting.zone, setting.locale, setting.hash_seed, setting.days, sorted(setting.environ.items()), setting.where)
        )
        if kind not in self._hosts:
            self._hosts[kind] = self.made(str(_SHIM))
        self._hosts.move_to_end(kind)
        while len(self._hosts) > _SURROUNDINGS:
            self._hosts.popitem(last=False)[1].close()
        return self._hosts[kind]

    def made(self, file: str) -> HostedSubject:
        """Processes that load this file."""
        load = {"file": file, "function": "environment", "args": {}, "paths": []}
        return HostedSubject(load, "reasoning-gym", "reasoning-gym", python=self.python, limits=_LIMITS, workers=self.workers)

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
    """One dataset. `not_audited`: why it has no usable instance ("" as far as is known)."""

    kind = "reasoning-gym"

    def __init__(self, gym: _Gym, dataset: str) -> None:
        self.name, self.dataset, self.not_audited = f"reasoning-gym:{dataset}", dataset, ""
        self._gym = gym
        self._seeds: list[int] = []
        self._is_slow = self._is_closed = False
        self._ahead: tuple[frozenset[int], HostedSubject, str] | None = None

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
        found = self._gym.host(_PLAIN).facts(case, seed)
        if _ENDLESS in found.fault:  # a busy machine, perhaps: once more
            found = self._gym.host(_PLAIN).facts(case, seed)
        if found.fault:
            return self._unusable(found)
        self._is_slow = self._is_slow or time.monotonic() - begun > _SLOW
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
        groups: dict[tuple[int, bytes], tuple[HostedSubject, list[int]]] = {}
        for n, session in enumerate(sessions):
            host = self._host(session)
            groups.setdefault((id(host), msgspec.json.encode(session.setting)), (host, []))[1].append(n)
        for host, places in groups.values():
            some = [sessions[n] for n in places]
            done = host.run_many(some, watch) if watch or len(some) < _WORTH_SHARING else _shared(host, some)
            out.update(zip(places, done, strict=True))
        return [out[n] for n in range(len(sessions))]

    def _host(self, session: Session) -> HostedSubject:
        setting = session.setting
        seeds = {play.seed for play in session.plays}
        plain = msgspec.structs.replace(setting, failing=(), load=False) == _PLAIN
        if not (self._is_slow and plain and seeds <= set(self._seeds)):
            return self._gym.host(setting)
        if self._ahead is None or not seeds <= self._ahead[0]:
            self._make_ahead()
        assert self._ahead is not None
        return self._ahead[1]

    def _make_ahead(self) -> None:
        self._drop_ahead()
        number, path = tempfile.mkstemp(suffix=".py", prefix="worldwright-items-")
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(f"{_SHIM.read_text(encoding='utf-8')}\n\nahead({self.dataset!r}, {self._seeds!r})\n")
        self._ahead = (frozenset(self._seeds), self._gym.made(path), path)

    def _drop_ahead(self) -> None:
        if self._ahead is not None:
            self._ahead[1].close()
            os.unlink(self._ahead[2])
            self._ahead = None

    def close(self) -> None:
        """End its processes, and the shared ones with the last subject."""
        if not self._is_closed:
            self._is_closed = True
            self._drop_ahead()
            self._gym.leave()


def _shared(host: HostedSubject, sessions: Sequence[Session]) -> list[list[Attempt]]:
    """Sessions of one play in processes of SHARED each; others, and whatever ended as an error there, in processes of their own."""
    done: dict[int, list[Attempt]] = {}
    single = [n for n, session in enumerate(sessions) if len(session.plays) == 1]
    parts = [single[n : n + SHARED] for n in range(0, len(single), SHARED)]
    joined = [Session(tuple(sessions[n].plays[0] for n in part), (), sessions[part[0]].setting) for part in parts]
    for part, attempts in zip(parts, host.run_many(joined), strict=True):
        done.update({n: [one] for n, one in zip(part, attempts, strict=True) if one.status != "error" or one.fault == _ENDLESS})
    alone = [n for n in range(len(sessions)) if n not in done]
    done.update(zip(alone, host.run_many([sessions[n] for n in alone]), strict=True))
    return [done[n] for n in range(len(sessions))]


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
