"""Treasurer of a club: fees are booked through an outbox that a worker empties in the background."""

import queue
import random
import threading
import time
from types import SimpleNamespace

MEMBERS = ["Anouk", "Bas", "Cora", "Dirk", "Els", "Femke", "Gijs"]


class Worker:
    """Applies the entries of the outbox one after another, as the bank's link allows."""

    def __init__(self, balances: dict[str, int]):
        self.balances = balances
        self.outbox: queue.Queue = queue.Queue()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while (entry := self.outbox.get()) is not None:
            time.sleep(random.uniform(0.0, 0.004))
            self.balances[entry[0]] += entry[1]
            self.outbox.task_done()
        self.outbox.task_done()

    def settle(self) -> None:
        self.outbox.join()


def club(settled: bool) -> SimpleNamespace:
    def start(case: str, seed: int) -> SimpleNamespace:
        rng = random.Random(f"club {seed}")
        balances = {m: rng.randrange(0, 60, 5) for m in MEMBERS}
        fees = {m: rng.choice((20, 35, 50)) for m in MEMBERS}
        paying = sorted(rng.sample(MEMBERS, 3))
        goal = {m: b - (fees[m] if m in paying else 0) for m, b in balances.items()}
        worker = Worker(balances)

        def members() -> list[dict]:
            """The members, with balance and yearly fee in euros."""
            if settled:
                worker.settle()
            return [{"member": m, "balance": balances[m], "fee": fees[m]} for m in MEMBERS]

        def book(member: str, euros: int) -> str:
            """Book an amount on a member's balance; a charge is negative. Bookings pass through the outbox."""
            if member not in MEMBERS or type(euros) is not int or not -500 <= euros <= 500:
                raise ValueError("unknown member, or not a whole amount up to 500 euros")
            worker.outbox.put((member, euros))
            time.sleep(0.002)
            return "in the outbox"

        def finish(answer: object) -> float:
            if settled:
                worker.settle()
            return 1.0 if balances == goal else 0.0

        def reference() -> tuple[list[tuple[str, dict]], object]:
            return [("members", {}), *[("book", {"member": m, "euros": -fees[m]}) for m in paying]], None

        return SimpleNamespace(
            prompt=(
                f"Charge {', '.join(paying)} this year's fee. A booking needs no follow-up: it goes through by itself. No answer is needed."
            ),
            tools=[members, book],
            finish=finish,
            reference=reference,
            state=lambda: {"members": members()},
            close=lambda: worker.outbox.put(None),
        )

    return SimpleNamespace(name="club-outbox", cases=lambda: ["fees"], start=start)


def faulty() -> SimpleNamespace:
    return club(settled=False)


def repaired() -> SimpleNamespace:
    return club(settled=True)
