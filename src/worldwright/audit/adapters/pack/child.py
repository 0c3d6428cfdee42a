"""The other end of `elsewhere`: run by path in a process of its own; a pickled request in, pickled attempts out.

Moves the wall clock that Python code sees, and lets the named audit events fail while grading runs. The clock of C code is
not moved.
"""

from __future__ import annotations

import errno
import json
import os
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

_OURS = (".py", ".pyc", ".so")


def surround(days: float, events: Sequence[str]) -> Callable[[], Any]:
    """Let the clock be that many days ahead from now on; gives a context in which these audit events fail."""
    if days:
        from worldwright.audit.host.clock import Clock

        Clock(days * 86_400).install()
    return failing(events)


def failing(events: Sequence[str]) -> Callable[[], Any]:
    """A context in which these audit events raise OSError; reading code stays possible."""
    wanted, active = frozenset(events), False

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if active and event in wanted and not (event == "open" and str(args[0]).endswith(_OURS)):
            raise OSError(errno.EIO, f"{event} fails in this setting")

    if wanted:
        sys.addaudithook(hook)

    @contextmanager
    def around() -> Iterator[None]:
        nonlocal active
        active = True
        try:
            yield
        finally:
            active = False

    return around


def main() -> None:
    """One request, one reply. What anybody prints goes to standard error."""
    days, events = json.loads(sys.argv[1])
    reply = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    around = surround(days, events)
    from worldwright.audit.adapters.pack.subject import PackSubject
    from worldwright.pack import Pack

    files, where, only, sessions = pickle.load(sys.stdin.buffer)
    pack = Pack(files, where)
    chosen = None if only is None else [task for task in pack.tasks() if f"{task.world.name}/{task.name}" in only]
    attempts = PackSubject(pack, chosen, around).run_many(sessions)
    with reply:
        pickle.dump(attempts, reply)


if __name__ == "__main__":
    main()
