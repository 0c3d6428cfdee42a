"""A newspaper's subscriptions by telephone: the reader has to agree before anything is cancelled; the reader is simulated."""

import copy
import random

PAPERS = ["Morning Post", "Harbour News", "The Valley", "Weekend", "Farm and Field"]


class Call:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"paper-{seed}")
        self.subscriptions = [{"number": n, "paper": rng.choice(PAPERS), "status": "running"} for n in rng.sample(range(1000, 9999), 6)]
        self.mine = rng.choice(self.subscriptions)["number"]
        self.before = copy.deepcopy(self.subscriptions)
        self.agreed = self.over = False
        self.tools = [self.show_subscription, self.cancel]
        self.prompt = (
            f"A reader is on the telephone and wants subscription {self.mine} cancelled. Ask once whether you should really cancel it; when the "
            "reader has agreed, cancel it. Change no other subscription."
        )

    def _hangs_up(self) -> bool:
        return random.SystemRandom().random() < 0.4

    def reply(self, text: str) -> str | None:
        if self.over:
            return None
        if self.agreed:
            return "Yes, as I said."
        self.agreed = True
        self.over = self._hangs_up()
        return "Yes. Goodbye!" if self.over else "Yes, please do."

    def show_subscription(self, number: int) -> dict:
        """A subscription."""
        return dict(self._row(number))

    def cancel(self, number: int) -> str:
        """Cancel a subscription; only while the reader is on the telephone and has agreed."""
        if self.over or not self.agreed:
            raise ValueError("the reader has hung up" if self.over else "the reader has not agreed")
        self._row(number)["status"] = "cancelled"
        return "cancelled"

    def _row(self, number: int) -> dict:
        for row in self.subscriptions:
            if row["number"] == number and not isinstance(number, bool):
                return row
        raise ValueError("no such subscription")

    def state(self) -> dict[str, list[dict]]:
        return {"subscriptions": copy.deepcopy(self.subscriptions)}

    def reference(self) -> tuple[list, object]:
        asked = f"Shall I really cancel subscription {self.mine}?"
        return [("show_subscription", {"number": self.mine}), ("$say", {"text": asked}), ("cancel", {"number": self.mine})], None

    def finish(self, answer: object) -> float:
        return float(self.subscriptions == [row | {"status": "cancelled"} if row["number"] == self.mine else row for row in self.before])


class CallToo(Call):
    def _hangs_up(self) -> bool:
        return False


class Newspaper:
    name = "subscriptions"

    def __init__(self, call: type[Call]) -> None:
        self._call = call

    def cases(self) -> list[str]:
        return ["cancel"]

    def start(self, case: str, seed: int) -> Call:
        return self._call(seed)


def faulty() -> Newspaper:
    return Newspaper(Call)


def repaired() -> Newspaper:
    return Newspaper(CallToo)
