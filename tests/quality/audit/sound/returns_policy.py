"""A shop's returns desk accepts or refuses one return under a policy, and gives the policy's reason code when it refuses."""

import random
from datetime import date, timedelta
from typing import Literal

REASONS = {
    "late": "asked for more than {days} days after the purchase",
    "opened": "hygiene goods whose seal is broken",
    "clearance": "bought in a clearance sale",
}
GOODS = [("earphones", True), ("toothbrush", True), ("kettle", False), ("lamp", False), ("razor", True), ("rucksack", False)]


class Desk:
    """Returns of a day, the policy, and the decisions taken."""

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"{seed}/returns/{case}")
        self.days = rng.choice([14, 21, 28, 30])
        codes = [f"{letter}{rng.randint(10, 99)}" for letter in rng.sample("BDGKRTW", 3)]
        self.codes = dict(zip(REASONS, codes, strict=True))
        start = date(2024, 2, 1) + timedelta(days=rng.randrange(300))
        self.returns: dict[int, dict] = {}
        self.decisions: dict[int, tuple[str, str]] = {}
        for i, number in enumerate(rng.sample(range(300, 900), 5)):
            why = rng.choice(["fine", "fine", *REASONS] if case == "mixed" else [*REASONS])
            goods, hygiene = rng.choice([g for g in GOODS if g[1]] if why == "opened" else GOODS)
            gap = self.days + rng.randint(1, 20) if why == "late" else rng.choice([self.days, rng.randint(1, self.days - 1)])
            row = {
                "return": number,
                "goods": goods,
                "hygiene": hygiene,
                "seal_broken": why == "opened" or (not hygiene and rng.random() < 0.5),
                "clearance": why == "clearance",
                "bought": (start - timedelta(days=gap)).isoformat(),
                "asked": start.isoformat(),
            }
            self.returns[number] = row
            verdict = ("accept", "") if why == "fine" else ("refuse", self.codes[why])
            if i == 0:
                self.number, self.right = number, verdict
            elif rng.random() < 0.5:
                self.decisions[number] = verdict
        self.before = dict(self.decisions)
        self.prompt = (
            f"Decide return {self.number} by the shop's policy. A return that meets none of the policy's grounds for refusal is "
            "accepted, without a code; one that meets a ground is refused with the code of this ground. The decisions on other returns "
            "stay as they are, and those still open stay open. Only the decisions at the end count. No answer is asked for."
        )
        self.tools = [self.policy, self.show, self.decide, self.reopen]

    def policy(self) -> list[dict]:
        """Grounds for refusal and their codes."""
        return [{"code": code, "ground": REASONS[why].format(days=self.days)} for why, code in self.codes.items()]

    def show(self, number: int) -> dict:
        """A return: what, when bought and when asked for, in what condition."""
        if number not in self.returns:
            raise ValueError("no such return")
        return dict(self.returns[number])

    def decide(self, number: int, verdict: Literal["accept", "refuse"], code: str = "") -> str:
        """Decide a return; a decision that stands is replaced. A refusal needs a code of the policy, an acceptance takes none."""
        if number not in self.returns:
            raise ValueError("no such return")
        if verdict not in ("accept", "refuse"):
            raise ValueError("verdict is accept or refuse")
        if (verdict == "accept" and code != "") or (verdict == "refuse" and code not in self.codes.values()):
            raise ValueError("a refusal takes a code of the policy, an acceptance none")
        self.decisions[self.returns[number]["return"]] = (verdict, code)
        return "decided"

    def reopen(self, number: int) -> str:
        """Take a decision back."""
        if number not in self.decisions:
            raise ValueError("there is no decision")
        del self.decisions[number]
        return "open again"

    def state(self) -> dict[str, list[dict]]:
        return {
            "returns": [dict(row) for row in self.returns.values()],
            "policy": self.policy(),
            "decisions": [{"return": n, "verdict": verdict, "code": code} for n, (verdict, code) in sorted(self.decisions.items())],
        }

    def reference(self) -> tuple[list, object]:
        verdict, code = self.right
        decision = {"number": self.number, "verdict": verdict} | ({"code": code} if code else {})
        return [("policy", {}), ("show", {"number": self.number}), ("decide", decision)], None

    def finish(self, answer: object) -> float:
        return 1.0 if self.decisions == {**self.before, self.number: self.right} else 0.0


class Returns:
    name = "returns policy"

    def cases(self) -> list[str]:
        return ["mixed", "refusals"]

    def start(self, case: str, seed: int) -> Desk:
        return Desk(case, seed)


def sound() -> Returns:
    return Returns()
