"""A sailing club's harbour office decides on applications for berths: grants those the rules allow, declines the others."""

import json
import random

RULES = """R1: whoever owes fees gets no berth (figure: the pounds owed).
R2: only members who joined in 2023 or earlier get a berth (figure: the year they joined).
R3: whoever already has a berth gets no second one (figure: the number of the berth they have)."""
NAMES = ["Abiola", "Bertram", "Ciara", "Dunja", "Edmund", "Fatima", "Gwen", "Hamish", "Ines", "Jovan", "Kirsty", "Leopold"]


def same(given: object, right: object) -> bool:
    if isinstance(given, str):
        return given.strip().lower() == str(right).lower()
    return type(given) in (int, float) and given == right


class Application:
    must_say: dict[str, tuple[str, ...]] = {"approve": ("decision", "berth")}

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"marina/{case}/{seed}")
        names = rng.sample(NAMES, 9)
        numbers = sorted(rng.sample(range(1, 60), 12))
        self.members = {n: {"joined": rng.randint(2009, 2026), "owes": rng.choice([0, 0, 15, 30])} for n in names}
        self.sizes = {number: ("small", "large")[i % 2] for i, number in enumerate(numbers)}
        self.boat: dict[int, str | None] = dict.fromkeys(numbers)
        # of the six berths of either size two or three are taken
        for size, owners in (("small", names[1:4]), ("large", names[4 : rng.randint(6, 7)])):
            for number, name in zip(rng.sample([n for n in numbers if self.sizes[n] == size], len(owners)), owners, strict=True):
                self.boat[number] = name
        broken = None if case == "spring" else rng.choice(["R1", "R2", "R3"])
        self.who, self.size = names[0], rng.choice(["small", "large"])
        owes = rng.randrange(5, 95, 5) if broken == "R1" else 0
        joined = rng.randint(2024, 2026) if broken == "R2" else rng.randint(2012, 2023)
        self.members[self.who] = {"joined": joined, "owes": owes}
        second = rng.choice([n for n in numbers if self.sizes[n] != self.size and self.boat[n] is None])
        if broken == "R3":
            self.boat[second] = self.who
        self.target = min(n for n in numbers if self.sizes[n] == self.size and self.boat[n] is None)
        self.due = dict(self.boat)
        figure = {"R1": owes, "R2": joined, "R3": second}.get(broken)
        self.right: dict[str, object] = {"decision": "decline", "rule": broken, "figure": figure}
        if broken is None:
            self.due[self.target] = self.who
            self.right = {"decision": "approve", "berth": self.target}
        self.tools = [self.member, self.berths, self.assign, self.vacate]
        self.prompt = (
            f"{self.who} applies for a {self.size} berth. The rules:\n{RULES}\nIf no rule stands against it, assign the lowest-numbered "
            "vacant berth of that size "
            'and answer {"decision": "approve", "berth": <number>}. If one does (it is never more than one), change nothing and answer '
            '{"decision": "decline", "rule": "<R1, R2 or R3>", "figure": <the rule\'s figure>}. Leave all other berths as they are.'
        )

    def member(self, name: str) -> dict:
        """When a member joined, what they owe in pounds, and the berths they have."""
        if not isinstance(name, str) or name.strip().title() not in self.members:
            raise ValueError("no member of that name")
        name = name.strip().title()
        return {"name": name, **self.members[name], "berths": [n for n, owner in self.boat.items() if owner == name]}

    def berths(self) -> list[dict]:
        """All berths with their size and whose boat has them."""
        return [{"berth": n, "size": self.sizes[n], "owner": owner} for n, owner in self.boat.items()]

    def assign(self, berth: int, name: str) -> str:
        """Give a vacant berth to a member."""
        if type(berth) is not int or berth not in self.boat or self.boat[berth] is not None:
            raise ValueError("no such vacant berth")
        self.boat[berth] = self.member(name)["name"]
        return f"berth {berth} is {self.boat[berth]}'s"

    def vacate(self, berth: int) -> str:
        """Take a berth from whoever has it."""
        if type(berth) is not int or self.boat.get(berth) is None:
            raise ValueError("nobody has that berth")
        self.boat[berth] = None
        return f"berth {berth} is vacant"

    def state(self) -> dict[str, list[dict]]:
        return {"berths": self.berths(), "members": [{"name": n, **row} for n, row in self.members.items()]}

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        look: list[tuple[str, dict]] = [("member", {"name": self.who}), ("berths", {})]
        return look + ([("assign", {"berth": self.target, "name": self.who})] if "berth" in self.right else []), dict(self.right)

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            try:
                answer = json.loads(answer)
            except (ValueError, RecursionError):
                answer = None
        told = answer if isinstance(answer, dict) else {}
        said = all(same(told.get(key), self.right[key]) for key in self.must_say.get(str(self.right["decision"]), ()))
        return float(said and self.boat == self.due)


class FullApplication(Application):
    must_say = {"approve": ("decision", "berth"), "decline": ("decision", "rule", "figure")}


class Club:
    name = "marina"

    def __init__(self, kind: type[Application]) -> None:
        self.start = kind

    def cases(self) -> list[str]:
        return ["spring", "summer"]


def faulty() -> Club:
    return Club(Application)


def repaired() -> Club:
    return Club(FullApplication)
