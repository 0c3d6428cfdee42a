"""A lending library posts fines for what is overdue on the day of its own calendar."""

import random
from datetime import date, timedelta

THINGS = ["drill", "projector", "tent", "cargo bike", "sewing machine", "telescope", "ladder", "sander"]


class Desk:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"loans|{seed}")
        self.day = date(2011, 1, 1) + timedelta(days=rng.randrange(9000))
        self.rate = rng.choice([15, 25, 40, 60])
        self.members = rng.sample(range(100, 1000), 3)
        self.loans: dict[int, dict] = {}
        shifts = [-rng.randint(2, 9), -rng.randint(10, 45), 0, rng.randint(1, 20)]
        numbers = rng.sample(range(2000, 9999), 12)
        for i, number in enumerate(numbers):
            shift = shifts[i // 3] if i % 3 == 0 else rng.randint(-30, 20)
            due = self.day + timedelta(days=shift)
            self.loans[number] = {"loan": number, "member": self.members[i % 3], "thing": rng.choice(THINGS), "due": due.isoformat()}
        self.fines: dict[int, int] = {}
        self.goal = {
            n: (self.day - date.fromisoformat(row["due"])).days * self.rate
            for n, row in self.loans.items()
            if row["member"] == self.members[0] and row["due"] < self.day.isoformat()
        }
        self.prompt = (
            f"Member {self.members[0]} asks for their account. Post a fine for each loan of theirs that is overdue today: {self.rate} "
            "cents for each day after the day it was due. What is due today isn't overdue. Today is the day that the library's calendar "
            "shows. No other fines may stand in the end. Answer with the sum of the fines you posted, in cents, digits only."
        )
        self.tools = [self.today, self.loans_of, self.post_fine, self.lift_fine]

    def today(self) -> str:
        """The day that the library's calendar shows, as YYYY-MM-DD."""
        return self.day.isoformat()

    def loans_of(self, member: int) -> list[dict]:
        """What a member has on loan, with the day it is due."""
        return [dict(row) for row in self.loans.values() if row["member"] == member]

    def post_fine(self, loan: int, cents: int) -> str:
        """Post the fine for a loan; it replaces one that was posted before."""
        if loan not in self.loans:
            raise ValueError("no such loan")
        if type(cents) is not int or not 0 < cents <= 100_000:
            raise ValueError("cents is a whole number above 0")
        self.fines[self.loans[loan]["loan"]] = cents
        return "posted"

    def lift_fine(self, loan: int) -> str:
        """Take back the fine for a loan."""
        if loan not in self.fines:
            raise ValueError("no fine stands for that loan")
        del self.fines[loan]
        return "lifted"

    def state(self) -> dict[str, list[dict]]:
        return {
            "calendar": [{"today": self.today()}],
            "loans": [dict(row) for row in self.loans.values()],
            "fines": [{"loan": loan, "cents": cents} for loan, cents in sorted(self.fines.items())],
        }

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        posts = [("post_fine", {"loan": loan, "cents": cents}) for loan, cents in self.goal.items()]
        return [("today", {}), ("loans_of", {"member": self.members[0]}), *posts], sum(self.goal.values())

    def finish(self, answer: object) -> float:
        total = sum(self.goal.values())
        if isinstance(answer, str):
            said = answer.strip() == str(total)
        else:
            said = isinstance(answer, (int, float)) and answer == total
        return 1.0 if said and self.fines == self.goal else 0.0


class LendingLibrary:
    name = "loan calendar"

    def cases(self) -> list[str]:
        return ["account"]

    def start(self, case: str, seed: int) -> Desk:
        return Desk(seed)


def sound() -> LendingLibrary:
    return LendingLibrary()
