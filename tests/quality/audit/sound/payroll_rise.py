"""A payroll clerk gives a department its yearly rise."""

import random
import sqlite3

NAMES = [
    "Adebayo",
    "Bianchi",
    "Chen",
    "Dahl",
    "Evans",
    "Farah",
    "Grant",
    "Haas",
    "Ivanov",
    "Jansen",
    "Kaya",
    "Lopez",
    "Mbeki",
    "Novak",
    "Olsen",
]


class Payroll:
    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"pay/{case}/{seed}")
        departments = rng.sample(["Dispatch", "Kitchen", "Laundry", "Grounds"], 3)
        self.department = departments[0]
        self.percent = rng.choice([2, 3, 4, 5])
        self.year = rng.randint(2012, 2020)
        self.con = sqlite3.connect(":memory:", check_same_thread=False)
        self.con.execute("create table staff (id integer primary key, name text, department text, since integer, pay integer)")
        for i, (number, name) in enumerate(zip(rng.sample(range(100, 1000), 12), rng.sample(NAMES, 12), strict=True)):
            since = self.year - rng.randint(1, 9) if i // 3 % 2 == 0 else self.year + rng.randint(0, 4)
            self.con.execute(
                "insert into staff values (?, ?, ?, ?, ?)", (number, name, departments[i % 3], since, rng.randrange(1800, 5200, 100))
            )
        self.goal = []
        self.raises = {}
        for number, name, department, since, pay in self.rows():
            if department == self.department and since < self.year:
                self.raises[number] = pay + pay * self.percent // 100
            self.goal.append((number, name, department, since, self.raises.get(number, pay)))
        self.total = sum(after[4] - before[4] for after, before in zip(self.goal, self.rows(), strict=True))
        self.prompt = (
            f"Raise the monthly pay of everyone in {self.department} who has been there since before {self.year} by {self.percent} %. "
            "Nobody else's pay changes. Only the pay at the end counts. Answer with the sum of the rises a month, in whole euros, digits "
            "only."
        )
        self.tools = [self.departments, self.staff, self.set_pay]

    def rows(self) -> list[tuple]:
        return self.con.execute("select id, name, department, since, pay from staff order by id").fetchall()

    def departments(self) -> list[str]:
        """Names of the departments."""
        return [name for (name,) in self.con.execute("select distinct department from staff order by 1")]

    def staff(self, department: str) -> list[dict]:
        """People of a department: id, name, the year since when they are there, monthly pay in euros."""
        return [{"id": n, "name": name, "since": since, "pay": pay} for n, name, where, since, pay in self.rows() if where == department]

    def set_pay(self, id: int, pay: int) -> str:
        """Set somebody's monthly pay, in whole euros."""
        if type(id) is not int or id not in [row[0] for row in self.rows()]:
            raise ValueError("nobody has that id")
        if type(pay) is not int or not 0 < pay < 100_000:
            raise ValueError("pay is in whole euros")
        self.con.execute("update staff set pay = ? where id = ?", (pay, id))
        return f"pay is {pay} now"

    def state(self) -> dict[str, list[dict]]:
        return {"staff": [dict(zip(("id", "name", "department", "since", "pay"), row, strict=True)) for row in self.rows()]}

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [("staff", {"department": self.department})] + [
            ("set_pay", {"id": n, "pay": pay}) for n, pay in self.raises.items()
        ], self.total

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        return [([("set_pay", {"id": n, "pay": pay}) for n, pay in reversed(self.raises.items())], f"{self.total}")]

    def finish(self, answer: object) -> float:
        if self.rows() != self.goal or isinstance(answer, bool):
            return 0.0
        if isinstance(answer, str):
            return 1.0 if answer.strip() == str(self.total) else 0.0
        return 1.0 if isinstance(answer, (int, float)) and answer == self.total else 0.0

    def close(self) -> None:
        self.con.close()


class Company:
    name = "payroll rise"

    def cases(self) -> list[str]:
        return ["spring", "autumn"]

    def start(self, case: str, seed: int) -> Payroll:
        return Payroll(case, seed)


def sound() -> Company:
    return Company()
