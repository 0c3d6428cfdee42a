"""A shop's tax table is brought up to date; a unittest suite holds the table, and its verbose log is read for the verdict."""

import io
import random
import re
import unittest

GOODS = ["books", "bread", "clothes", "laptops", "medicine", "newspapers", "shoes", "wine"]

ONE_LINE = r"^(\w+) \([^\n]*\) \.\.\. (ok|FAIL|ERROR)$"
TITLED = r"^(\w+) \([^\n]*\)(?:\n[^\n]*)? \.\.\. (ok|FAIL|ERROR)$"


def suite_for(table: dict[str, float], decree: dict[str, float], titles: dict[str, str]) -> unittest.TestSuite:
    def check(good: str):
        def method(self: unittest.TestCase) -> None:
            self.assertEqual(table[good], decree[good])  # noqa: PT009

        method.__doc__ = titles.get(good)
        return method

    case = type("TaxTable", (unittest.TestCase,), {f"test_{good}": check(good) for good in GOODS})
    return unittest.TestSuite([case(f"test_{good}") for good in GOODS])


class Till:
    line = TITLED

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"till/{seed}")
        self._decree = {g: rng.choice((0.0, 5.0, 7.0, 10.0, 19.0)) for g in GOODS}
        self._table = dict(self._decree)
        self._titles = {g: f"The rate for {g} follows the decree." for g in rng.sample(GOODS, 4)}
        titled = rng.sample(sorted(self._titles), 2)
        self._stale = titled + rng.sample([g for g in GOODS if g not in self._titles], rng.randint(1, 2))
        for good in self._stale:
            self._table[good] = self._decree[good] + rng.choice((1.0, 2.5, 3.0))
        self.prompt = (
            "The tax decree has changed, and some of the rates in our table are out of date. Bring the table in line with the decree. No "
            "answer is needed. "
            f"We sell {', '.join(GOODS)}."
        )
        self.tools = [self.table, self.decree, self.set_rate]

    def table(self) -> dict[str, float]:
        """Our table: the rate of each kind of goods, in per cent."""
        return dict(self._table)

    def decree(self, good: str) -> str:
        """What the decree says about a kind of goods."""
        if good not in GOODS:
            raise ValueError(f"goods are {', '.join(GOODS)}")
        return f"{good.capitalize()} are taxed at {self._decree[good]:g} per cent."

    def set_rate(self, good: str, rate: float) -> str:
        """Set a rate in our table, in per cent."""
        if good not in GOODS or isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate <= 100:
            raise ValueError("no such goods, or not a rate in per cent")
        self._table[good] = float(rate)
        return "set"

    def finish(self, answer: object) -> float:
        log = io.StringIO()
        unittest.TextTestRunner(stream=log, verbosity=2).run(suite_for(self._table, self._decree, self._titles))
        results = dict(re.findall(self.line, log.getvalue(), re.M))
        return 1.0 if results and all(status == "ok" for status in results.values()) else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        reads = [("decree", {"good": g}) for g in GOODS]
        return [("table", {}), *reads, *[("set_rate", {"good": g, "rate": self._decree[g]}) for g in self._stale]], None

    def state(self) -> dict[str, list[dict]]:
        return {"table": [{"good": g, "rate": r} for g, r in self._table.items()]}


class TillToo(Till):
    line = ONE_LINE


class Shop:
    name = "tax-table"

    def __init__(self, till: type[Till]) -> None:
        self.till = till

    def cases(self) -> list[str]:
        return ["decree"]

    def start(self, case: str, seed: int) -> Till:
        return self.till(seed)


def faulty() -> Shop:
    return Shop(TillToo)


def repaired() -> Shop:
    return Shop(Till)
