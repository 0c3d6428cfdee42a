"""The wall clock as foreign code sees it: moved, and with somebody told of each reading.

Takes how far to move it, in seconds; afterwards everything in this process that asks `time` or `datetime` for the present
gets the moved one, whether it was imported before or not. Promises that monotonic clocks and timers stay as they are, and
that types stay what they are. Doesn't move what C code asks of the system by itself (SQLite's CURRENT_TIMESTAMP, a
data frame's now), nor the times of files, nor other processes; and isn't told of those readings.

Standard library only, from Python 3.9: it is also loaded by path into interpreters that have nothing of ours.
"""

from __future__ import annotations

import datetime
import gc
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, Optional

__all__ = ["Clock"]

_Told = Optional[Callable[[str, FrameType], None]]  # noqa: UP045 - evaluated by Python 3.9 too
_REAL_TIME = getattr(time, "CLOCK_REALTIME", -1)


class _Moved:
    """A function of `time` in its place; like a built-in one it doesn't become a method where a class holds it."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.__name__ = self.__qualname__ = name
        self.__module__ = "time"
        self.__doc__ = getattr(time, name).__doc__
        self._function = function

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self._function(*args, **named)

    def __repr__(self) -> str:
        return f"<built-in function {self.__name__}>"


class Clock:
    """A moved wall clock; `told` is called with the name of the function and the frame that read it."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.told: _Told = None
        self._time, self._time_ns = time.time, time.time_ns

    def install(self) -> str:
        """Move the clock of this process, for good. Gives "" or why part of it stays as it is."""
        now = self._time
        for name, function in self._functions().items():
            setattr(time, name, _Moved(name, function))
        if sys.implementation.name != "cpython":
            return "datetime's clock can only be moved in CPython"
        try:
            self._move_datetime()
        except (ImportError, AttributeError, TypeError) as fault:
            return f"datetime's clock can't be moved: {fault}"
        moved = datetime.datetime.now(datetime.timezone.utc).timestamp() - now()  # noqa: UP017 - as above
        return "" if abs(moved - self.seconds) < 60 else "datetime's clock can't be moved here"

    def _note(self, name: str) -> None:
        if self.told is not None:
            self.told(name, sys._getframe(3))  # past this, the function below, and _Moved

    def _functions(self) -> dict[str, Callable[..., Any]]:
        real, nanoseconds = self._time, self._time_ns
        ahead = int(self.seconds * 10**9)

        def read() -> float:
            self._note("time.time")
            return real() + self.seconds

        def read_ns() -> int:
            self._note("time.time_ns")
            return nanoseconds() + ahead

        found: dict[str, Callable[..., Any]] = {"time": read, "time_ns": read_ns}
        found.update({name: self._by_default(name, getattr(time, name)) for name in ("localtime", "gmtime", "ctime")})
        found.update({name: self._structured(name, getattr(time, name), time.localtime) for name in ("strftime", "asctime")})
        for name, unit in (("clock_gettime", 1), ("clock_gettime_ns", 10**9)):
            if hasattr(time, name):
                found[name] = self._of_a_clock(name, getattr(time, name), unit)
        return found

    def _by_default(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def moved(seconds: Any = None) -> Any:
            if seconds is None:
                self._note(f"time.{name}")
                seconds = self._time() + self.seconds
            return function(seconds)

        return moved

    def _structured(self, name: str, function: Callable[..., Any], local: Callable[..., Any]) -> Callable[..., Any]:
        def moved(*args: Any) -> Any:
            if len(args) < (2 if name == "strftime" else 1):
                self._note(f"time.{name}")
                args = (*args, local(self._time() + self.seconds))
            return function(*args)

        return moved

    def _of_a_clock(self, name: str, function: Callable[..., Any], unit: int) -> Callable[..., Any]:
        def moved(clock: int) -> Any:
            if clock != _REAL_TIME:
                return function(clock)
            self._note(f"time.{name}")
            return function(clock) + (self.seconds if unit == 1 else int(self.seconds * unit))

        return moved

    def _move_datetime(self) -> None:
        """`now` and `utcnow`; `today` asks `time.time` as it is.

        The class itself is changed, not replaced, so that types, instances and earlier imports stay what they are; the
        dict of a built-in class is reached as the only referent of its read-only view.
        """
        import ctypes

        names: dict[str, Any] = gc.get_referents(datetime.datetime.__dict__)[0]
        first = datetime.datetime.utcnow

        def now(cls: Any, tz: Any = None) -> Any:
            if self.told is not None:
                self.told("datetime.now", sys._getframe(1))
            return cls.fromtimestamp(self._time() + self.seconds, tz)

        def utcnow(cls: Any) -> Any:
            if self.told is not None:
                self.told("datetime.utcnow", sys._getframe(1))
            moment = datetime.datetime.fromtimestamp(self._time() + self.seconds, datetime.timezone.utc)  # noqa: UP017 - as above
            return cls(*moment.timetuple()[:6], moment.microsecond)

        now.__doc__, utcnow.__doc__ = datetime.datetime.now.__doc__, first.__doc__
        names["now"], names["utcnow"] = classmethod(now), classmethod(utcnow)
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(datetime.datetime))
