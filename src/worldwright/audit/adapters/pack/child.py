"""The other end of `elsewhere`: run by path in a process of its own; pickled requests in, pickled replies out.

Reads a pack once, then forks for each request. The fork takes on the setting (environment, time zone, locale, folder),
moves the wall clock that Python code sees, and lets the named audit events fail while grading runs. The clock of C code is
not moved. What a pack's tasks and verifiers compile to is made before the fork, under the hash seed but not the rest of
the setting; start states, episodes and verdicts are made after it. A reply is the attempts, or a text that says how the fork ended.
"""

from __future__ import annotations

import errno
import gc
import locale
import os
import pickle
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from worldwright.pack import Pack, PackTask

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
    """Requests until the other end hangs up. What anybody prints goes to standard error."""
    asked = sys.stdin.buffer
    reply = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    import worldwright.audit.adapters.pack.subject
    import worldwright.audit.host.clock
    import worldwright.verifier.scan  # noqa: F401 - all three so that no fork has to
    from worldwright.pack import Pack

    files, where, only = pickle.load(asked)
    pack = Pack(files, where)
    tasks = {f"{task.world.name}/{task.name}": task for task in pack.tasks()}
    chosen = {name: task for name, task in tasks.items() if only is None or name in only}
    gc.freeze()
    gc.disable()  # a fork lives shorter than what a collection saves
    while True:
        try:
            request = pickle.load(asked)
        except EOFError:
            return
        _compile(chosen, request)
        reply.write(_forked(partial(_attempts, pack, chosen, request), request["seconds"]))
        reply.flush()


def _compile(tasks: Mapping[str, PackTask], request: Mapping[str, Any]) -> None:
    """What the request's tasks need, so that no fork has to; what can't be compiled fails in the fork, where it is told."""
    for case in {play.case for session in request["sessions"] for play in session.plays}:
        with suppress(Exception):
            _ = tasks[case].verifier


def take_on(request: Mapping[str, Any]) -> Callable[[], Any]:
    """Take on a request's setting for good; gives what `surround` gives."""
    os.environ.clear()
    os.environ.update(request["environ"])
    os.chdir(request["where"])
    time.tzset()
    with suppress(locale.Error):  # a locale that this machine hasn't got
        locale.setlocale(locale.LC_CTYPE, "")
    return surround(request["days"], request["failing"])


def _attempts(pack: Pack, tasks: Mapping[str, PackTask], request: Mapping[str, Any]) -> Any:
    """Take on the setting, and carry the sessions out."""
    around = take_on(request)
    from worldwright.audit.adapters.pack.subject import PackSubject

    subject = PackSubject(pack, list(tasks.values()), around)
    with _load(request["seconds"]) if request["load"] else nullcontext():
        return subject.run_many(request["sessions"])


def _forked(work: Callable[[], Any], seconds: int) -> bytes:
    """What `work` gives in a fork, pickled; or a pickled text that says how the fork ended."""
    theirs, ours = os.pipe()
    child = os.fork()
    if child == 0:
        _be_fork(work, ours, seconds)
    os.close(ours)
    with os.fdopen(theirs, "rb") as said:
        got = said.read()
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code == 0:
        return got
    return pickle.dumps(f"the process took longer than {seconds} s" if code == -signal.SIGALRM else f"the process ended with {code}")


def _be_fork(work: Callable[[], Any], say: int, seconds: int) -> None:
    code = 70
    try:
        signal.alarm(seconds)
        with os.fdopen(say, "wb") as said:
            pickle.dump(work(), said)
        code = 0
    except BaseException:  # noqa: BLE001 - the other end is told by the exit code, and reads this
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


@contextmanager
def _load(seconds: int) -> Iterator[None]:
    """Another process keeps the one processor busy that both may use from now on; it ends by itself if nobody ends it."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    child = os.fork()
    if child == 0:
        signal.alarm(seconds)
        while True:
            pass
    try:
        yield
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
