"""The guarded way to a model: budget, pace, retries, price, ledger, and no secrets on the way back.

Takes a Model and its limits; gives a Model. Promises: a request is only sent if its worst case fits the budget; transient
faults are tried again with growing, seeded waits, and all are counted; each request sent is one ledger entry, under the role that
pays for it; what comes back, errors too, holds none of the secrets. Nothing that decides a result reads a clock.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable

import msgspec

from worldwright.errors import ModelError
from worldwright.ledger import Cost, Ledger
from worldwright.model.budget import Budget, Pace, Price, Use
from worldwright.model.protocol import TRANSIENT, Completion, Model, Request, ToolUse
from worldwright.model.secrets import Secrets

__all__ = ["Access", "Patience"]

_CHARS_A_TOKEN = 4  # as an estimate, where a provider counts nothing
_FEWEST_BYTES_A_TOKEN = 2  # as the worst case; bytes, since a character of some scripts is a token or more
_LONGEST = 1_000  # characters of an error that are kept


class Patience(msgspec.Struct, frozen=True):
    """How often a request is tried in all, and the waits between, in seconds: `first`, then doubling up to `longest`."""

    tries: int = 5
    first: float = 1.0
    longest: float = 60.0

    def pause(self, n: int, asked: float, chance: random.Random) -> float:
        """The wait after try `n` (from 1): at least what the provider asks for, else a random part of the doubling wait."""
        top = min(self.longest, self.first * 2.0 ** (n - 1))
        return min(self.longest, asked) + top * (0.5 + 0.5 * chance.random())


class Access:
    """One model, guarded."""

    def __init__(
        self,
        inner: Model,
        *,
        budget: Budget | None = None,
        pace: Pace | None = None,
        patience: Patience | None = None,
        price: Price | None = None,
        ledger: Ledger | None = None,
        secrets: Secrets | None = None,
        seed: int = 0,
        role: str = "",
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.inner, self.name = inner, inner.name
        self.budget, self.pace = budget or Budget(), pace or Pace(clock=clock, sleep=sleep)
        self.price, self.ledger, self.role = price, ledger, role
        self.faults: Counter[str] = Counter()
        self._patience, self._secrets, self._seed = patience or Patience(), secrets or Secrets(), seed
        self._clock, self._sleep = clock, sleep
        self._lock = threading.Lock()

    def complete(self, request: Request) -> Completion:
        """One completion, after as many tries as it takes. Raises ModelError."""
        chance = random.Random(f"{self._seed}:{request.digest}")
        faults: list[str] = []
        lost = (0, 0)  # what tries that failed have used, as far as the provider said
        while True:
            try:
                got = self._once(request)
            except ModelError as fault:
                lost = lost[0] + fault.tokens[0], lost[1] + fault.tokens[1]
                more = fault.kind in TRANSIENT and len(faults) + 1 < self._patience.tries
                with self._lock:
                    self.faults[fault.kind] += 1
                if not more:
                    raise self._told(fault, faults, lost) from None
                faults.append(fault.kind)
                self._sleep(self._patience.pause(len(faults), fault.wait, chance))
            else:
                tokens = got.tokens_in + lost[0], got.tokens_out + lost[1]
                return msgspec.structs.replace(
                    got, faults=tuple(faults), tokens_in=tokens[0], tokens_out=tokens[1], cents=self._cents(*tokens)
                )

    def close(self) -> None:
        """Close the model."""
        self.inner.close()

    # ---- inside

    def _told(self, fault: ModelError, faults: list[str], tokens: tuple[int, int]) -> ModelError:
        tries = f" (after {len(faults) + 1} tries)" if faults else ""
        text = f"{self.name}: {self._secrets.hide(str(fault))[:_LONGEST]}{tries}"  # hidden first: half a secret would stay
        return ModelError(text, kind=fault.kind, faults=tuple(faults), tokens=tokens, cents=self._cents(*tokens))

    def _once(self, request: Request) -> Completion:
        """One try, charged."""
        worst = self._worst(request)
        self.budget.hold(worst)
        used, started = Use(), self._clock()
        step, billed = "request", Use()
        try:
            self.pace.wait(worst.tokens)
            started = self._clock()
            got = self._counted(request, self.inner.complete(request))
            billed = used = Use(got.tokens_in + got.tokens_out, got.cents)
            return self._clean(got)
        except ModelError as fault:
            step = fault.kind
            billed = Use(sum(fault.tokens), self._cents(*fault.tokens))
            used = worst if fault.billed and not billed.tokens else billed  # it may have been charged: count the most it can be
            raise
        finally:
            self.budget.settle(worst, used)
            if self.ledger is not None:
                cost = Cost(wall=self._clock() - started, tokens=billed.tokens, cents=billed.cents)
                self.ledger.add("model", f"{self.role or request.role}/{self.name}", step, cost)

    def _worst(self, request: Request) -> Use:
        """The most that a request can use."""
        tokens_in = len(request.encode()) // _FEWEST_BYTES_A_TOKEN
        return Use(tokens_in + request.settings.max_tokens, self._cents(tokens_in, request.settings.max_tokens))

    def _counted(self, request: Request, got: Completion) -> Completion:
        """With tokens, estimated where the provider gives none, and price."""
        if not (got.tokens_in or got.tokens_out):
            said = len(got.text) + sum(len(str(call.args)) + len(call.tool) for call in got.calls)
            tokens_in = len(request.encode().decode()) // _CHARS_A_TOKEN
            got = msgspec.structs.replace(got, tokens_in=tokens_in, tokens_out=-(-said // _CHARS_A_TOKEN), estimated=True)
        return msgspec.structs.replace(got, cents=self._cents(got.tokens_in, got.tokens_out))

    def _clean(self, got: Completion) -> Completion:
        hide = self._secrets.hide
        calls = tuple(ToolUse(hide(call.id), hide(call.tool), self._secrets.hide_in(call.args)) for call in got.calls)
        return msgspec.structs.replace(got, text=hide(got.text), calls=calls, id=hide(got.id), kept=self._secrets.hide_in(got.kept))

    def _cents(self, tokens_in: int, tokens_out: int) -> float:
        return 0.0 if self.price is None else self.price.cents(tokens_in, tokens_out)
