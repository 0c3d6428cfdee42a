"""Telephone line of a broadband company: a customer is moving, and says where and when if asked."""

import random
import re
import secrets

NAMES = ["Ms Adeyemi", "Mr Bell", "Ms Cruz", "Mr Dahl", "Ms Eze", "Mr Faber"]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]


class Caller:
    """Answers the agent's questions and agrees to what is read back."""

    def __init__(self, postcode: str, day: str):
        self.postcode, self.day = postcode, day
        self.agreed = False

    def hear(self, text: str) -> str:
        words = set(re.findall(r"[a-z]+", text.lower()))
        days = words & {d.lower() for d in DAYS}
        if self.postcode.replace(" ", "") in "".join(text.upper().split()) and days == {self.day.lower()}:
            self.agreed = True
            return self.farewell()
        told = []
        if words & {"postcode", "address", "where", "code", "details"}:
            told.append(f"The new postcode is {self.postcode}.")
        if words & {"day", "date", "when", "details"}:
            told.append(f"We move on {self.day}.")
        return " ".join(told) or "Do you need the postcode, or the day?"

    def farewell(self) -> str:
        return "Yes, that's right. I'll wait while you enter it."

    def on_line(self) -> bool:
        return True


class CallerToo(Caller):
    gone = False

    def farewell(self) -> str:
        self.gone = secrets.choice((True, False))
        return "Yes, that's right. Bye!" if self.gone else super().farewell()

    def on_line(self) -> bool:
        return not self.gone


class Line:
    def __init__(self, seed: int, kind: type[Caller]):
        rng = random.Random(f"line-{seed}")
        self.lines = [
            {"contract": f"C{no}", "holder": n, "postcode": self._code(rng), "switch_day": ""}
            for no, n in zip(rng.sample(range(100, 1000), 6), NAMES, strict=True)
        ]
        self.own = rng.choice(self.lines)
        self.caller = kind(self._code(rng), rng.choice(DAYS))
        self.before = [dict(r) for r in self.lines]
        self.prompt = (
            f"{self.own['holder']} is on the telephone and is moving house. Ask for the new postcode and the day of the move, read both "
            "back in one sentence "
            "so that the customer can agree, and then enter the move while the customer is on the line. No answer is needed."
        )
        self.tools = [self.say, self.contracts, self.enter_move]

    @staticmethod
    def _code(rng: random.Random) -> str:
        return f"{rng.choice('BDGLM')}{rng.randint(1, 28)} {rng.randint(1, 9)}{rng.choice('AEKPRT')}{rng.choice('AEKPRT')}"

    def say(self, text: str) -> str:
        """Say something to the customer and hear the answer."""
        if not isinstance(text, str):
            raise ValueError("say something in words")
        if not self.caller.on_line():
            raise ValueError("the customer has hung up")
        return self.caller.hear(text[:2000])

    def contracts(self) -> list[dict]:
        """All contracts."""
        return [dict(r) for r in self.lines]

    def enter_move(self, contract: str, postcode: str, day: str) -> str:
        """Enter a contract's new postcode and the day (a weekday's name) on which the line is switched."""
        if not self.caller.on_line():
            raise ValueError("a move is only entered with the customer on the line")
        if not self.caller.agreed:
            raise ValueError("the customer hasn't agreed to anything yet")
        row = next((r for r in self.lines if r["contract"] == contract), None)
        if row is None or not isinstance(postcode, str) or len(postcode) > 12 or day not in DAYS:
            raise ValueError("unknown contract, postcode or day")
        row.update(postcode=" ".join(postcode.upper().split()), switch_day=day)
        return "entered"

    def finish(self, answer: object) -> float:
        move = {"postcode": self.caller.postcode, "switch_day": self.caller.day}
        due = [r | (move if r["contract"] == self.own["contract"] else {}) for r in self.before]
        return 1.0 if self.caller.agreed and self.lines == due else 0.0

    def reference(self):
        postcode, day, contract = self.caller.postcode, self.caller.day, self.own["contract"]
        says = ["What is the new postcode?", "On which day do you move?", f"So it is {postcode}, on {day}?"]
        enter = ("enter_move", {"contract": contract, "postcode": postcode, "day": day})
        return [*[("say", {"text": s}) for s in says], ("contracts", {}), enter], None

    def state(self) -> dict[str, list[dict]]:
        return {"contracts": self.contracts(), "call": [{"agreed": self.caller.agreed}]}


class Broadband:
    name = "moving-house"

    def __init__(self, kind: type[Caller]):
        self.kind = kind

    def cases(self) -> list[str]:
        return ["move"]

    def start(self, case: str, seed: int) -> Line:
        return Line(seed, self.kind)


def faulty():
    return Broadband(CallerToo)


def repaired():
    return Broadband(Caller)
