"""Another wall clock, for a process of its own.

Takes how far to move it; afterwards `time` and `datetime` tell that other time to everything in this process, whether
it had been imported before or not. Doesn't move monotonic clocks, nor what C code asks of the system by itself.
"""

from __future__ import annotations

import ctypes
import datetime
import gc
import sys
import time
from collections.abc import Callable
from typing import Any

__all__ = ["shift_clock"]


def shift_clock(seconds: int) -> None:
    """Move the wall clock by so many seconds, in this process and for good."""
    real, real_ns, local, strftime, asctime = time.time, time.time_ns, time.localtime, time.strftime, time.asctime
    moved: dict[str, Callable[..., Any]] = {
        "time": lambda: real() + seconds,
        "time_ns": lambda: real_ns() + seconds * 10**9,
        "strftime": lambda form, moment=None: strftime(form, moment or local(time.time())),
        "asctime": lambda moment=None: asctime(moment or local(time.time())),
    }
    moved |= {name: _now_by_default(getattr(time, name)) for name in ("localtime", "gmtime", "ctime")}
    for name, function in moved.items():
        setattr(time, name, function)
    _shift_datetime()


def _now_by_default(function: Callable[[float], Any]) -> Callable[..., Any]:
    return lambda moment=None: function(time.time() if moment is None else moment)


def _shift_datetime() -> None:
    """Let `datetime.now` and `utcnow` ask `time.time`, as `today` does already.

    The class itself is changed, not replaced, so that types, instances and earlier imports stay what they are; the dict
    of a built-in class is reached as the only referent of its read-only view.
    """
    if sys.implementation.name != "cpython":
        raise NotImplementedError("the clock can only be moved in CPython")
    names: dict[str, Any] = gc.get_referents(datetime.datetime.__dict__)[0]
    names["now"] = classmethod(lambda cls, tz=None: cls.fromtimestamp(time.time(), tz))
    names["utcnow"] = classmethod(lambda cls: cls.fromtimestamp(time.time(), datetime.UTC).replace(tzinfo=None))
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(datetime.datetime))
