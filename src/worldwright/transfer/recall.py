"""Recall: a task was found bad, so which runs hold attempts at it, and which checkpoints trained on it?

Takes the task (a name, a digest, or both) and folders or files to search; gives what names the task, what was searched, and what
couldn't be read: nothing is passed over silently. Stored rollouts are searched by their index where they have one, then the first
attempt at the task is read for the task's digest; checkpoints by the account they carry; registered transfer runs by the tasks of
their arms. A task with the same name and another digest is told apart from the task itself. Promises nothing of copies whose files
were renamed *and* changed, nor, in runs with an index, of a copy under another name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from worldwright.errors import UsageError
from worldwright.rollout.codec import SUFFIXES, index_of
from worldwright.rollout.run import find, frames, head_of
from worldwright.rollout.trajectory import each_trajectory
from worldwright.transfer.run import REGISTERED, RUNS, read_runs, registered_in

__all__ = ["CHECKPOINT", "Found", "Recalled", "Wanted", "recalled"]

CHECKPOINT = ".npz"
SAME, OTHER, NAME = "the task itself", "the same name, other files", "the same name, digest not known"


class Wanted(msgspec.Struct, frozen=True):
    """The task: its name (`world/task`), its digest, the digest of its pack; empty where it isn't known."""

    name: str = ""
    digest: str = ""
    pack: str = ""


class Found(msgspec.Struct, frozen=True):
    """Something that names the task. `kind` is rollout, checkpoint or transfer; `n` attempts, where they can be counted; `what` says which
    arm and seeds, or which instances."""

    kind: str
    path: str
    match: str
    task: str
    digest: str
    n: int | None = None
    what: str = ""


class Recalled(msgspec.Struct, frozen=True):
    """All that was found; how many files of each kind were searched; what couldn't be read, with the reason; and other remarks."""

    wanted: Wanted
    found: list[Found]
    searched: dict[str, int]
    unread: dict[str, str]
    said: list[str]


def recalled(wanted: Wanted, runs: Sequence[Path], checkpoints: Sequence[Path]) -> Recalled:
    """Search these places for the task. Raises UsageError for a place that isn't there."""
    if not (wanted.name or wanted.digest):
        raise UsageError("which task? (expected its name or its digest)")
    for place in (*runs, *checkpoints):
        if not place.exists():
            raise UsageError(f"{place}: not found (expected a folder or a file to search)")
    made = Recalled(wanted, [], {"rollout": 0, "checkpoint": 0, "transfer": 0, "other": 0}, {}, [])
    registered = set[Path]()
    for places, search in ((runs, _runs), (checkpoints, _checkpoints)):
        for path in _files(places, made):
            if path.name == REGISTERED:
                if path.resolve() not in registered:
                    _look(made, "transfer", path, _in_transfer)
                registered.add(path.resolve())
            elif not search(made, path) and path in places:
                _unread(made, str(path), f"neither a stored run ({', '.join(SUFFIXES)}) nor a checkpoint ({CHECKPOINT})")
    return msgspec.structs.replace(made, found=_once(made.found))


def _runs(made: Recalled, path: Path) -> bool:
    """Search a file if it is a stored run by its name; whether it is."""
    if not path.name.endswith(SUFFIXES) or (path.name == RUNS and path.with_name(REGISTERED).exists()):
        return False
    if _is_other(path):
        made.searched["other"] += 1
    else:
        _look(made, "rollout", path, _in_rollout)
    return True


def _checkpoints(made: Recalled, path: Path) -> bool:
    """Search a file if it is a checkpoint by its name; whether it is."""
    if not path.name.endswith(CHECKPOINT):
        return False
    _look(made, "checkpoint", path, _in_checkpoint)
    return True


def _is_other(path: Path) -> bool:
    """Whether a plain file without an index holds lines of another kind: a ledger, reviews, an export."""
    if not path.name.endswith(SUFFIXES[0]) or index_of(path).exists():
        return False
    try:
        with path.open("rb") as file:
            line = file.readline()
        first = msgspec.json.decode(line) if line.strip() else {}
    except (OSError, msgspec.MsgspecError):
        return False
    return isinstance(first, dict) and "trace" not in first


def _files(places: Sequence[Path], made: Recalled) -> Iterator[Path]:
    """Every file in these places, in order; folders that can't be listed are told."""
    for place in dict.fromkeys(places):
        if not place.is_dir():
            yield place
            continue
        for folder, folders, names in os.walk(
            place, onerror=lambda fault: _unread(made, str(fault.filename), fault.strerror or str(fault))
        ):
            folders.sort()
            yield from (Path(folder, name) for name in sorted(names))


def _look(made: Recalled, kind: str, path: Path, search: Any) -> None:
    try:
        made.found.extend(search(made, path))
        made.searched[kind] += 1
    except (UsageError, OSError, msgspec.MsgspecError, ValueError, KeyError) as fault:
        _unread(made, str(path), str(fault))


def _unread(made: Recalled, path: str, why: str) -> None:
    made.unread[path] = why


def _once(found: Sequence[Found]) -> list[Found]:
    """Each once, the task itself first."""
    order = {SAME: 0, NAME: 1, OTHER: 2}
    return sorted(
        {(one.kind, one.path, one.task, one.what): one for one in found}.values(), key=lambda one: (order[one.match], one.kind, one.path)
    )


def _match(wanted: Wanted, name: str, digest: str) -> str | None:
    """How this task is the one that is wanted; None if it isn't."""
    if wanted.digest and digest and (digest.startswith(wanted.digest)):
        return SAME
    if not wanted.name or name != wanted.name:
        return None
    return OTHER if wanted.digest and digest else NAME


# ---- stored rollouts


def _in_rollout(made: Recalled, path: Path) -> Iterator[Found]:
    """Attempts at the task in one stored run."""
    wanted = made.wanted
    if index_of(path).exists() and wanted.name:
        counts: dict[str, int] = {}
        first, known = "", 0
        for frame in frames(path):
            known = frame.at + frame.size
            for end in frame.ends:
                if end.instance.partition("@")[0] == wanted.name:
                    counts[end.instance] = counts.get(end.instance, 0) + 1
                    first = first or end.id
        head, size = head_of(path), path.stat().st_size
        if size != known:
            _unread(made, str(path), f"its index ends at byte {known:,} of {size:,}; what is behind that isn't searched")
        if not counts:
            if head is not None and any(batch.task == wanted.name for batch in head.schedule.batches):
                made.said.append(f"{path}: planned to attempt {wanted.name}, and holds no attempt at it")
            return
        digest = _digest(made, path, first)
        match = _match(wanted, wanted.name, digest)
        if match is not None:
            yield Found("rollout", str(path), match, wanted.name, digest, sum(counts.values()), _instances(counts))
        return
    yield from _read_through(made, path)


def _digest(made: Recalled, path: Path, first: str) -> str:
    """The task's digest as an attempt has it; empty if the attempt can't be read, which is told."""
    try:
        one = find(path, first)
    except (UsageError, OSError, ValueError) as fault:
        _unread(made, str(path), f"{fault} (what its index says is told all the same)")
        return ""
    return one.task if one is not None else ""


def _read_through(made: Recalled, path: Path) -> Iterator[Found]:
    """The same for a run without an index, or where only a digest is known: every attempt is read."""
    counts: dict[tuple[str, str], dict[str, int]] = {}
    cut: list[str] = []
    for one in each_trajectory(path, cut.append):
        name = one.trace.instance.partition("@")[0]
        if _match(made.wanted, name, one.task) is not None:
            of = counts.setdefault((name, one.task), {})
            of[one.trace.instance] = of.get(one.trace.instance, 0) + 1
    for text in cut:
        _unread(made, str(path), text.removeprefix(f"{path}: "))
    for (name, digest), of in counts.items():
        match = _match(made.wanted, name, digest)
        assert match is not None
        yield Found("rollout", str(path), match, name, digest, sum(of.values()), _instances(of))


def _instances(counts: dict[str, int]) -> str:
    shown = sorted(counts)[:3]
    more = f" and {len(counts) - len(shown)} more" if len(counts) > len(shown) else ""
    return f"instances {', '.join(shown)}{more}"


# ---- checkpoints and registered experiments


class _Account(msgspec.Struct):
    """What any version of a checkpoint says of what it trained on."""

    seen: dict[str, str]
    seed: int = 0
    name: str = ""


def _in_checkpoint(made: Recalled, path: Path) -> Iterator[Found]:
    account = _account(path)
    for name, digest in account.seen.items():
        match = _match(made.wanted, name, digest)
        if match is not None:
            yield Found("checkpoint", str(path), match, name, digest, None, " ".join([account.name, f"seed {account.seed}"]).strip())


def _account(path: Path) -> _Account:
    """A checkpoint's account, also of a version whose weights can't be used any more. Raises UsageError."""
    from worldwright.training.policy import read_checkpoint  # with numpy; only where there is a checkpoint

    try:
        about = read_checkpoint(path)[1]
        return _Account(dict(about.seen), about.seed, about.name)
    except UsageError as fault:
        import numpy as np

        try:
            with np.load(path, allow_pickle=False) as stored:
                return msgspec.json.decode(stored["about"].tobytes(), type=_Account)
        except (OSError, ValueError, KeyError, EOFError, msgspec.MsgspecError):
            raise fault from None


def _in_transfer(made: Recalled, path: Path) -> Iterator[Found]:
    """Arms of a registered experiment that train on the task, with the checkpoints of their runs."""
    registration = registered_in(path.parent)
    assert registration is not None
    runs = read_runs(path.parent, registration.plan, lambda text: _unread(made, str(path.parent / RUNS), text))
    for arm, tasks in registration.trained.items():
        for name, digest in tasks.items():
            match = _match(made.wanted, name, digest)
            if match is None:
                continue
            ended = [run for run in runs if run.arm == arm]
            if not ended:
                made.said.append(f"{path.parent}: arm {arm} is to train on {name}; none of its runs has ended")
                continue
            marks = [run.checkpoint[:12] for run in ended if run.checkpoint]
            drawn = ", each with tasks that it drew" if any(one.most for one in registration.plan.arm(arm).sources) else ""
            what = f"arm {arm}, {len(ended)} runs ended{drawn}; checkpoints {', '.join(marks) or 'not kept'}"
            yield Found("transfer", str(path.parent), match, name, digest, None, what)
