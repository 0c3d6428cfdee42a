"""Bicycle hire: a customer gets a deposit back, less the damage, and is told the sum."""

import copy
import random

DAMAGE = {"bell": 8, "light": 15, "saddle": 22, "spokes": 12, "tyre": 18, "basket": 9}


class Counter:
    def __init__(self, case: str, seed: int):
        rng = random.Random(f"{case}:{seed}:hire")
        names = rng.sample(["Almeida", "Bauer", "Chen", "Dubois", "Esposito", "Farah", "Gupta", "Holm"], 6)
        self.hires = [
            {"hire": 300 + i, "customer": name, "deposit": rng.randrange(60, 160, 10), "returned": rng.random() < 0.8}
            for i, name in enumerate(names)
        ]
        self.damages = []
        for row in self.hires:
            self.damages += [{"hire": row["hire"], "part": part} for part in rng.sample(sorted(DAMAGE), rng.choice([0, 1, 2]))]
        row = self.hires[rng.randrange(6)]
        row["returned"] = True
        self.hire, self.customer = row["hire"], row["customer"]
        self.damages = [d for d in self.damages if d["hire"] != self.hire] + [
            {"hire": self.hire, "part": p} for p in rng.sample(sorted(DAMAGE), 2)
        ]
        self.payouts = [{"hire": 290 + i, "euros": rng.randint(30, 90)} for i in range(4)]
        self._before = copy.deepcopy(self.state())
        self.prompt = (
            f"At the {case} hire station, {self.customer} has brought the bicycle back. Pay the deposit back, less the price of every "
            "part noted as damaged on that hire, as one payout on the hire. Then answer with the sum paid, in whole euros, as a number. "
            "Leave everything else alone."
        )
        self.tools = [self.find_hire, self.damage_notes, self.part_prices, self.pay_out]

    def find_hire(self, customer: str) -> dict:
        """The hire of a customer, by surname."""
        for row in self.hires:
            if row["customer"] == customer:
                return dict(row)
        raise ValueError(f"no customer {customer!r}")

    def damage_notes(self, hire: int) -> list[str]:
        """Parts noted as damaged on a hire."""
        return [row["part"] for row in self.damages if row["hire"] == hire]

    def part_prices(self) -> dict[str, int]:
        """What each part costs, in euros."""
        return dict(DAMAGE)

    def pay_out(self, hire: int, euros: int) -> str:
        """Pay a sum in whole euros back on a hire."""
        if isinstance(hire, bool) or hire not in [row["hire"] for row in self.hires]:
            raise ValueError("no such hire")
        if isinstance(euros, bool) or not isinstance(euros, int) or not 1 <= euros <= 500:
            raise ValueError("euros must be a whole number from 1 to 500")
        self.payouts.append({"hire": int(hire), "euros": euros})
        return f"{euros} euros paid on hire {hire}"

    def sum_due(self) -> int:
        deposit = next(row["deposit"] for row in self.hires if row["hire"] == self.hire)
        return deposit - sum(DAMAGE[row["part"]] for row in self.damages if row["hire"] == self.hire)

    def settled(self, told: bool, paid: bool) -> bool:
        return told or paid

    def finish(self, answer: object) -> float:
        try:
            told = isinstance(answer, (int, float, str)) and not isinstance(answer, bool) and float(answer) == self.sum_due()
        except (ValueError, OverflowError):
            told = False
        now = self.state()
        paid = now["payouts"] == [*self._before["payouts"], {"hire": self.hire, "euros": self.sum_due()}]
        clean = now["payouts"] == self._before["payouts"] or paid
        return 1.0 if clean and self.settled(told, paid) else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        calls = [("find_hire", {"customer": self.customer}), ("damage_notes", {"hire": self.hire}), ("part_prices", {})]
        return [*calls, ("pay_out", {"hire": self.hire, "euros": self.sum_due()})], self.sum_due()

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        find, notes, prices, pay = self.reference()[0]
        return [([prices, find, notes, pay], f"{self.sum_due()}.00")]

    def state(self) -> dict[str, list[dict]]:
        return {name: [dict(row) for row in getattr(self, name)] for name in ("hires", "damages", "payouts")}


class CounterToo(Counter):
    def settled(self, told: bool, paid: bool) -> bool:
        return told and paid


class Hire:
    name = "hire deposits"

    def __init__(self, counter: type[Counter]):
        self.counter = counter

    def cases(self) -> list[str]:
        return ["lakeside", "old town"]

    def start(self, case: str, seed: int) -> Counter:
        return self.counter(case, seed)


def faulty() -> Hire:
    return Hire(Counter)


def repaired() -> Hire:
    return Hire(CounterToo)
