"""Budgets and pace: what requests may cost together, and how fast they may follow one another.

Takes limits in tokens and cents, and limits per minute; gives a Budget that refuses a request whose worst case doesn't fit any
more, and a Pace that waits. Promises that what was charged never exceeds a budget as long as a provider keeps to `max_tokens`
and counts no more input tokens than half the bytes sent. Safe for threads. Time is a monotonic clock, handed in.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

import msgspec

from worldwright.errors import ModelError

__all__ = ["Budget", "Pace", "Price", "Use"]

_MINUTE = 60.0


class Price(msgspec.Struct, frozen=True):
    """Cents per million tokens, of input and of output."""

    input: float
    output: float

    def cents(self, tokens_in: int, tokens_out: int) -> float:
        """What so many tokens cost."""
        return (tokens_in * self.input + tokens_out * self.output) / 1_000_000


class Use(msgspec.Struct, frozen=True):
    """Tokens of input and output together, and cents."""

    tokens: int = 0
    cents: float = 0.0


class Budget:
    """What may be used in all; None is without limit."""

    def __init__(self, tokens: int | None = None, cents: float | None = None) -> None:
        self.tokens, self.cents = tokens, cents
        self.used = Use()
        self._held = Use()
        self._spent = False
        self._lock = threading.Lock()

    @property
    def is_spent(self) -> bool:
        """Whether a request was refused because it didn't fit."""
        return self._spent

    def hold(self, worst: Use) -> None:
        """Set aside the worst case of a request. Raises ModelError of kind budget if it doesn't fit."""
        with self._lock:
            tokens = self.used.tokens + self._held.tokens + worst.tokens
            cents = self.used.cents + self._held.cents + worst.cents
            if self.tokens is not None and tokens > self.tokens:
                self._spent = True
                left = max(0, self.tokens - self.used.tokens)
                raise ModelError(
                    f"the budget of {self.tokens:,} tokens has {left:,} left; a request may take {worst.tokens:,}", kind="budget"
                )
            if self.cents is not None and cents > self.cents + 1e-9:
                self._spent = True
                left_cents = max(0.0, self.cents - self.used.cents)
                text = f"the budget of {self.cents:g} cents has {left_cents:.2f} left; a request may cost {worst.cents:.2f}"
                raise ModelError(text, kind="budget")
            self._held = Use(self._held.tokens + worst.tokens, self._held.cents + worst.cents)

    def settle(self, worst: Use, used: Use) -> None:
        """Give back what was set aside, and charge what was used."""
        with self._lock:
            self._held = Use(self._held.tokens - worst.tokens, self._held.cents - worst.cents)
            self.used = Use(self.used.tokens + used.tokens, self.used.cents + used.cents)


class Pace:
    """At most so many requests and tokens in any minute; 0 is without limit."""

    def __init__(
        self,
        requests: int = 0,
        tokens: int = 0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.requests, self.tokens, self._clock, self._sleep = requests, tokens, clock, sleep
        self._made: deque[tuple[float, int]] = deque()
        self._lock = threading.Lock()

    def wait(self, tokens: int) -> None:
        """Return once a request of so many tokens may be made; it is then counted as made."""
        if not (self.requests or self.tokens):
            return
        while True:
            with self._lock:
                now = self._clock()
                pause = self._pause(now, tokens)
                if pause <= 0:
                    self._made.append((now, tokens))
                    return
            self._sleep(pause)

    def _pause(self, now: float, tokens: int) -> float:
        """Seconds until it fits; a request larger than the limit goes alone."""
        while self._made and now - self._made[0][0] >= _MINUTE:
            self._made.popleft()
        fits_number = not self.requests or len(self._made) < self.requests
        fits_tokens = not self.tokens or not self._made or sum(many for _, many in self._made) + tokens <= self.tokens
        return 0.0 if fits_number and fits_tokens else max(0.001, _MINUTE - (now - self._made[0][0]))
