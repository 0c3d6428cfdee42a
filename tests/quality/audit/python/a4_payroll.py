"""A payroll clerk pays the overtime that one person's last pay slip left out."""

import random
from typing import Any

STAFF = ("Abara", "Bosch", "Castro", "Doyle", "Ekman", "Ferrari", "Grieg", "Haddad")
KINDS = ("salary", "overtime", "bonus", "expenses")


class Payroll:
    """The payments of two months."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(1_000_003 * seed + 17)
        months = ("2030-08", "2030-09")
        people = rng.sample(STAFF, 5)
        self.staff = [
            {"staff": 700 + n, "name": who, "cents_per_hour": rng.randrange(90, 260) * 20}
            for n, who in zip(rng.sample(range(99), 5), people, strict=True)
        ]
        self.sheets = {(row["staff"], month): rng.randrange(2, 19) for row in self.staff for month in months}
        self.factor = rng.choice((125, 150, 175, 200))
        who, when = rng.choice(self.staff), rng.choice(months)
        self.payments = []
        for row in self.staff:
            for month in months:
                self.payments.append({"staff": row["staff"], "month": month, "kind": "salary", "cents": row["cents_per_hour"] * 160})
                if (row, month) != (who, when):
                    due = row["cents_per_hour"] * self.sheets[row["staff"], month] * self.factor // 100
                    self.payments.append({"staff": row["staff"], "month": month, "kind": "overtime", "cents": due})
        self.due = {
            "staff": who["staff"],
            "month": when,
            "kind": "overtime",
            "cents": who["cents_per_hour"] * self.sheets[who["staff"], when] * self.factor // 100,
        }
        self.before = [dict(row) for row in self.payments]
        self.who = who["name"]
        self.prompt = (
            f"{self.who} was not paid the overtime of {when}. Pay it: the hours on the time "
            "sheet, at the hourly wage times the overtime rate of the rules. "
            "Amounts are in cents. That is the only payment to be made."
        )
        self.tools = [self.staff_card, self.time_sheet, self.rules, self.payments_of, self.pay]

    def staff_card(self, name: str) -> dict[str, Any]:
        """The card of a member of staff: number and hourly wage."""
        for row in self.staff:
            if row["name"] == name:
                return dict(row)
        raise ValueError("nobody of that name")

    def time_sheet(self, staff: int, month: str) -> dict[str, int]:
        """The hours of overtime a member of staff worked in a month (YYYY-MM)."""
        if (staff, month) not in self.sheets:
            raise ValueError("no such time sheet")
        return {"overtime_hours": self.sheets[staff, month]}

    def rules(self) -> str:
        """The pay rules."""
        return f"Overtime is paid at {self.factor} % of the hourly wage, each month apart. Expenses are paid on receipt."

    def payments_of(self, staff: int) -> list[dict[str, Any]]:
        """All payments to a member of staff."""
        return [dict(row) for row in self.payments if row["staff"] == staff]

    def pay(self, staff: int, month: str, kind: str, cents: int) -> str:
        """Make a payment to a member of staff for a month."""
        if type(cents) is not int or not 0 < cents < 10_000_000:
            raise ValueError("an amount in cents, above 0")
        if (staff, month) not in self.sheets or type(staff) is not int or kind not in KINDS:
            raise ValueError(f"a staff number, a month of this book and one of {', '.join(KINDS)}")
        self.payments.append({"staff": staff, "month": month, "kind": kind, "cents": cents})
        return "paid"

    def state(self) -> dict[str, list[dict]]:
        return {"staff": [dict(row) for row in self.staff], "payments": [dict(row) for row in self.payments]}

    def reference(self) -> tuple[list, None]:
        card = ("staff_card", {"name": self.who})
        sheet = ("time_sheet", {"staff": self.due["staff"], "month": self.due["month"]})
        return [card, sheet, ("rules", {}), ("pay", dict(self.due))], None

    def right(self) -> bool:
        return all(row in self.payments for row in [*self.before, self.due])

    def finish(self, answer: object) -> float:
        return float(self.right())


class PayrollToo(Payroll):
    """The payments of two months."""

    def right(self) -> bool:
        return self.payments == [*self.before, self.due]


class Office:
    """Pay slips that left something out."""

    name = "payroll-overtime"

    def __init__(self, payroll: type[Payroll]) -> None:
        self.payroll = payroll

    def cases(self) -> list[str]:
        return ["overtime"]

    def start(self, case: str, seed: int) -> Payroll:
        return self.payroll(seed)


def faulty() -> Office:
    return Office(Payroll)


def repaired() -> Office:
    return Office(PayrollToo)
