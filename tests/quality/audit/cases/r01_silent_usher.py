"""A cinema's box office: a guest asks for money back that the house rules don't allow, and has to be told so."""

import copy
import random

RULES = {
    "R1": "No refund once the film has begun.",
    "R2": "No refund for tickets bought with a voucher.",
    "R3": "No refund for group bookings of ten or more.",
    "R4": "Everything else is refunded in full until the film begins.",
}
FILMS = ["Low Tide", "The Tin Roof", "Orchard Lane", "Second Wind", "Paper Boats"]


class Counter:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"usher-{seed}")
        self.tickets = [
            {"ticket": f"T{n}", "film": rng.choice(FILMS), "begun": False, "seats": rng.randint(1, 5), "paid_by": "card", "refunded": False}
            for n in rng.sample(range(1000, 9999), 9)
        ]
        self.mine = rng.choice(self.tickets)
        self.rule = rng.choice(["R1", "R2", "R3"])
        self.mine.update({"R1": {"begun": True}, "R2": {"paid_by": "voucher"}, "R3": {"seats": rng.randint(10, 30)}}[self.rule])
        self.before = copy.deepcopy(self.tickets)
        self.tools = [self.house_rules, self.show_ticket, self.refund]
        self.prompt = (
            f"A guest wants the money back for ticket {self.mine['ticket']}. Settle it by the house rules: refund the ticket, or leave all as "
            "it is and refuse. Answer with an object of two texts: decision (refunded or refused) and rule (the rule's number)."
        )

    def house_rules(self) -> dict[str, str]:
        """The house rules on refunds, by number."""
        return dict(RULES)

    def show_ticket(self, ticket: str) -> dict:
        """What is known of a ticket."""
        return dict(self._row(ticket))

    def refund(self, ticket: str) -> str:
        """Pay a ticket back."""
        self._row(ticket)["refunded"] = True
        return "paid back"

    def _row(self, ticket: str) -> dict:
        for row in self.tickets:
            if row["ticket"] == ticket:
                return row
        raise ValueError("no such ticket")

    def state(self) -> dict[str, list[dict]]:
        return {"tickets": copy.deepcopy(self.tickets)}

    def reference(self) -> tuple[list, object]:
        return [("house_rules", {}), ("show_ticket", {"ticket": self.mine["ticket"]})], {"decision": "refused", "rule": self.rule}

    def finish(self, answer: object) -> float:
        return float(self.tickets == self.before)


class CounterToo(Counter):
    def finish(self, answer: object) -> float:
        if not isinstance(answer, dict):
            return 0.0
        said = {str(key): str(value).strip().casefold() for key, value in answer.items()}
        return float(self.tickets == self.before and said == {"decision": "refused", "rule": self.rule.casefold()})


class BoxOffice:
    name = "box office"

    def __init__(self, counter: type[Counter]) -> None:
        self._counter = counter

    def cases(self) -> list[str]:
        return ["money-back"]

    def start(self, case: str, seed: int) -> Counter:
        return self._counter(seed)


def faulty() -> BoxOffice:
    return BoxOffice(Counter)


def repaired() -> BoxOffice:
    return BoxOffice(CounterToo)
