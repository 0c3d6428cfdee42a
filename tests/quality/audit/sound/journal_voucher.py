"""A bookkeeper enters a supplier's invoice as a voucher of three lines; the books can tell whether a voucher balances."""

import random
from collections import Counter

COSTS = ["office supplies", "cleaning", "travel", "software", "repairs"]


class Books:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"voucher {seed}")
        names = [*COSTS, "input tax", "output tax", "creditors", "debtors", "bank"]
        numbers = sorted(rng.sample(range(1000, 9999), len(names)))
        rng.shuffle(names)
        self._chart = dict(zip(numbers, names, strict=True))
        by_name = {name: number for number, name in self._chart.items()}
        cost = rng.choice(COSTS)
        net = rng.randrange(5_000, 90_000, 100)
        rate = rng.choice([7, 19, 20, 25])
        tax = net * rate // 100
        self._goal = [(by_name[cost], net, 0), (by_name["input tax"], tax, 0), (by_name["creditors"], 0, net + tax)]
        self._lines: dict[int, tuple[int, int, int]] = {}
        self._next = 1
        self._posted = False
        self.prompt = (
            f"Enter this invoice as a voucher and post it: {cost}, {net // 100}.{net % 100:02} net, plus {rate} % tax, not yet paid. Use "
            "three lines: debit the account of the cost with the net amount and 'input tax' with the tax, credit 'creditors' with the "
            "sum. Amounts are whole cents. Once posted, a voucher can't be changed. No answer is asked for."
        )
        self.tools = [self.accounts, self.add_line, self.remove_line, self.check_balance, self.post]

    def accounts(self) -> dict[str, int]:
        """Account numbers by name."""
        return {name: number for number, name in self._chart.items()}

    def add_line(self, account: int, debit: int = 0, credit: int = 0) -> int:
        """Add a line to the voucher, in cents on one side; gives the line's number."""
        if self._posted:
            raise ValueError("the voucher is posted")
        if account not in self._chart:
            raise ValueError("no such account")
        if any(type(cents) is not int or not 0 <= cents <= 10**9 for cents in (debit, credit)) or (debit > 0) == (credit > 0):
            raise ValueError("give whole cents, on one side")
        if len(self._lines) >= 100:
            raise ValueError("the voucher is full")
        line, self._next = self._next, self._next + 1
        self._lines[line] = (int(account), debit, credit)
        return line

    def remove_line(self, line: int) -> str:
        """Take a line off the voucher."""
        if self._posted or line not in self._lines:
            raise ValueError("no such line, or the voucher is posted")
        del self._lines[line]
        return "removed"

    def _sums(self) -> tuple[int, int]:
        return sum(line[1] for line in self._lines.values()), sum(line[2] for line in self._lines.values())

    def check_balance(self) -> dict:
        """The sums of both sides of the voucher, and whether they are equal."""
        debit, credit = self._sums()
        return {"debit": debit, "credit": credit, "balanced": debit == credit}

    def post(self) -> str:
        """Post the voucher. It must have lines and balance."""
        if self._posted:
            raise ValueError("it is posted already")
        debit, credit = self._sums()
        if not self._lines or debit != credit:
            raise ValueError("an empty or unbalanced voucher can't be posted")
        self._posted = True
        return "posted"

    def state(self) -> dict[str, list[dict]]:
        lines = [{"line": n, "account": a, "debit": d, "credit": c} for n, (a, d, c) in self._lines.items()]
        chart = [{"account": number, "name": name} for number, name in self._chart.items()]
        return {"accounts": chart, "lines": lines, "voucher": [{"posted": self._posted}]}

    def reference(self) -> tuple[list, object]:
        lines = [("add_line", {"account": a, "debit": d, "credit": c}) for a, d, c in self._goal]
        return [("accounts", {}), *lines, ("check_balance", {}), ("post", {})], None

    def alternatives(self) -> list[tuple[list, object]]:
        lines = [("add_line", {"account": a, "debit": d, "credit": c}) for a, d, c in reversed(self._goal)]
        return [([*lines, ("post", {})], None)]

    def finish(self, answer: object) -> float:
        return 1.0 if self._posted and Counter(self._lines.values()) == Counter(self._goal) else 0.0


class Bookkeeping:
    name = "journal voucher"

    def cases(self) -> list[str]:
        return ["invoice"]

    def start(self, case: str, seed: int) -> Books:
        return Books(seed)


def sound() -> Bookkeeping:
    return Bookkeeping()
