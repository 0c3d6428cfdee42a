"""A foundation's clerk screens a round of applications by an ordered list of rules."""

import random
import sqlite3


class Screening:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"grants {seed}")
        self._cap = rng.randrange(8, 20) * 1000
        self._region = rng.choice(["Fenland", "Moor", "Coast"])
        kinds = ["too dear", "elsewhere", "late"]
        rng.shuffle(kinds)
        codes = rng.sample([f"Q{n}" for n in range(10, 100)], 3)
        self._rules = list(zip(codes, kinds, strict=True))
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.executescript(
            "create table applications (id integer primary key, round text, region text, amount integer, days_late integer);"
            "create table outcomes (id integer primary key, outcome text, code text);"
        )
        spring = [
            (),
            (rng.choice(kinds),),
            tuple(rng.sample(kinds, 2)),
            rng.choice([(), tuple(rng.sample(kinds, 2))]),
            (rng.choice(kinds),),
        ]
        self._goal = {}
        ids = rng.sample(range(10_000, 99_999), 8)
        for i, number in enumerate(ids):
            faults = spring[i] if i < 5 else rng.choice([(), (rng.choice(kinds),)])
            amount = (
                self._cap + rng.randrange(100, 5000, 100)
                if "too dear" in faults
                else rng.choice([self._cap, self._cap - rng.randrange(100, 5000, 100)])
            )
            region = rng.choice([r for r in ("Fenland", "Moor", "Coast") if r != self._region]) if "elsewhere" in faults else self._region
            days = rng.randint(1, 9) if "late" in faults else 0
            self._db.execute(
                "insert into applications values (?, ?, ?, ?, ?)", (number, "spring" if i < 5 else "autumn", region, amount, days)
            )
            if i < 5:
                self._goal[number] = next((("decline", code) for code, kind in self._rules if kind in faults), ("approve", None))
        self.prompt = (
            "Screen all applications of the spring round. Go by the rules in their order: the first rule that applies gives the code to "
            "decline with; where none applies, approve. Leave the autumn round open. Only the outcomes at the end count. Answer with how "
            "many you approved."
        )
        self.tools = [self.rules, self.applications, self.approve, self.decline, self.withdraw_outcome]

    def rules(self) -> list[dict]:
        """The rules for declining, in order."""
        text = {
            "too dear": f"asks for more than {self._cap}",
            "elsewhere": f"is from another region than {self._region}",
            "late": "came in late, by a day or more",
        }
        return [{"code": code, "rule": text[kind]} for code, kind in self._rules]

    def applications(self, round: str) -> list[dict]:
        """The applications of a round: spring or autumn."""
        if round not in ("spring", "autumn"):
            raise ValueError("round is spring or autumn")
        columns = ("id", "region", "amount", "days_late")
        rows = self._db.execute("select id, region, amount, days_late from applications where round = ? order by id", (round,))
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def _known(self, id: int) -> int:
        if type(id) is not int or not 0 < id < 10**6:
            raise ValueError("ids are whole numbers of five digits")
        if self._db.execute("select 1 from applications where id = ?", (id,)).fetchone() is None:
            raise ValueError("no such application")
        return id

    def approve(self, id: int) -> str:
        """Approve an application; an earlier outcome is replaced."""
        self._db.execute("insert or replace into outcomes values (?, 'approve', null)", (self._known(id),))
        return "approved"

    def decline(self, id: int, code: str) -> str:
        """Decline an application with the code of a rule; an earlier outcome is replaced."""
        if code not in [known for known, _ in self._rules]:
            raise ValueError("no rule has that code")
        self._db.execute("insert or replace into outcomes values (?, 'decline', ?)", (self._known(id), code))
        return "declined"

    def withdraw_outcome(self, id: int) -> str:
        """Open an application again."""
        self._db.execute("delete from outcomes where id = ?", (self._known(id),))
        return "open"

    def state(self) -> dict[str, list[dict]]:
        tables = {}
        for table in ("applications", "outcomes"):
            found = self._db.execute(f"select * from {table} order by id")
            names = [column[0] for column in found.description]
            tables[table] = [dict(zip(names, row, strict=True)) for row in found]
        tables["rules"] = self.rules()
        return tables

    def _approved(self) -> int:
        return sum(outcome == "approve" for outcome, _ in self._goal.values())

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        calls: list[tuple[str, dict]] = [("rules", {}), ("applications", {"round": "spring"})]
        for number, (outcome, code) in self._goal.items():
            calls.append((outcome, {"id": number, "code": code} if code else {"id": number}))
        return calls, self._approved()

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        return [(self.reference()[0][:1:-1], f"{self._approved()}")]

    def finish(self, answer: object) -> float:
        if isinstance(answer, str) and answer.strip() in ("0", "1", "2", "3", "4", "5"):
            answer = int(answer)
        if isinstance(answer, bool) or not isinstance(answer, (int, float)) or answer != self._approved():
            return 0.0
        outcomes = {number: (outcome, code) for number, outcome, code in self._db.execute("select id, outcome, code from outcomes")}
        return 1.0 if outcomes == self._goal else 0.0

    def close(self) -> None:
        self._db.close()


class Foundation:
    name = "grant screening"

    def cases(self) -> list[str]:
        return ["spring"]

    def start(self, case: str, seed: int) -> Screening:
        return Screening(seed)


def sound() -> Foundation:
    return Foundation()
