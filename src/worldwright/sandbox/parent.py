"""Worker processes that end with the command that started them.

Takes nothing; to be called first in a process that `multiprocessing` started (as the `initializer` of a pool, say). A
command that is killed leaves no process behind that works on for nobody, and an interrupted one says so once.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading

__all__ = ["end_with_parent"]


def end_with_parent() -> None:
    """From now on this process just ends at an interrupt, and as soon as its parent has ended, however that was."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end, daemon=True).start()


def _end() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
