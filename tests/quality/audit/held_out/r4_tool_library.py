"""A neighbourhood tool library writes off the loans nobody expects back any more."""

import random
from dataclasses import asdict, dataclass
from datetime import date, timedelta

ITEMS = ["hedge trimmer", "tile cutter", "belt sander", "ladder", "steam cleaner", "jigsaw", "post digger"]
ITEMS += ["heat gun", "floor polisher", "chainsaw"]
PEOPLE = ["Amara", "Bo", "Celine", "Dov", "Esi", "Farid", "Greta", "Hugo"]


@dataclass
class Loan:
    loan: int
    item: str
    member: str
    due: str
    status: str


class Count:
    def __init__(self, seed: int, told: bool):
        rng = random.Random(seed)
        self.day = date(2025, 9, 1) + timedelta(days=rng.randint(0, 60))
        self.limit = rng.choice([28, 42, 56])
        late = [rng.randint(*span) for span in [(3, 14), (20, 27), (30, 41), (44, 55), (58, 75), (80, 120), (-9, -3)]]
        back = [rng.randint(25, 110), rng.randint(60, 110), -9]
        rows = [(days, "out") for days in late] + [(days, "returned") for days in back]
        rng.shuffle(rows)
        self.loans = [
            Loan(number, item, rng.choice(PEOPLE), (self.day - timedelta(days=days)).isoformat(), status)
            for number, item, (days, status) in zip(sorted(rng.sample(range(200, 400), 10)), rng.sample(ITEMS, 10), rows, strict=True)
        ]
        self.before = [asdict(loan) for loan in self.loans]
        self.gone = [loan.loan for loan, (days, status) in zip(self.loans, rows, strict=True) if status == "out" and days > self.limit]
        rule = f" A loan is long overdue when it is still out more than {self.limit} days after its due date." if told else ""
        self.prompt = f"It is {self.day}. Write off all loans that are long overdue and leave the rest alone.{rule}"
        self.tools = [self.list_loans, self.find_loans, self.write_off, self.undo_write_off]

    def list_loans(self) -> list[dict]:
        """All loans of the season."""
        return [asdict(loan) for loan in self.loans]

    def find_loans(self, member: str) -> list[dict]:
        """The loans of one member."""
        return [asdict(loan) for loan in self.loans if loan.member == member]

    def pick(self, loan: int, status: str) -> Loan:
        for row in self.loans:
            if type(loan) is int and row.loan == loan and row.status == status:
                return row
        raise ValueError(f"no loan of that number is {status}")

    def write_off(self, loan: int) -> str:
        """Write off a loan that is out."""
        self.pick(loan, "out").status = "written off"
        return "written off"

    def undo_write_off(self, loan: int) -> str:
        """Put a written-off loan back to out."""
        self.pick(loan, "written off").status = "out"
        return "out"

    def finish(self, answer: object) -> float:
        wanted = [{**row, "status": "written off"} if row["loan"] in self.gone else row for row in self.before]
        return 1.0 if [asdict(loan) for loan in self.loans] == wanted else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [("list_loans", {}), *(("write_off", {"loan": number}) for number in self.gone)], None

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        return [([("write_off", {"loan": number}) for number in reversed(self.gone)], "done")]

    def state(self) -> dict[str, list[dict]]:
        return {"loans": self.list_loans()}


class Library:
    name = "tool library"

    def __init__(self, told: bool):
        self.told = told

    def cases(self) -> list[str]:
        return ["write-offs"]

    def start(self, case: str, seed: int) -> Count:
        return Count(seed, self.told)


def faulty() -> Library:
    return Library(told=False)


def repaired() -> Library:
    return Library(told=True)
