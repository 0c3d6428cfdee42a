"""A helpdesk agent gives the unowned tickets about one product to the team that looks after it."""

import random
from copy import deepcopy

PRODUCTS = ["Scanner", "Badge door", "Payslips", "Wiki", "Printer", "Calendar"]
TEAMS = ["north", "harbour", "atlas", "quill", "basalt", "ember"]


class Queue:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"helpdesk:{seed}")
        teams = TEAMS[:]
        rng.shuffle(teams)
        self._routing = dict(zip(PRODUCTS, teams, strict=True))
        self._product = rng.choice(PRODUCTS)
        self._tickets: dict[str, dict] = {}
        for i, number in enumerate(rng.sample(range(1000, 9999), 14)):
            product = self._product if i < 5 else rng.choice([p for p in PRODUCTS if p != self._product])
            owner = rng.choice(TEAMS) if i in (0, 1) or (i >= 5 and rng.random() < 0.4) else "nobody"
            self._tickets[f"T{number}"] = {
                "ticket": f"T{number}", "product": product, "owner": owner, "priority": rng.randint(1, 4), "starred": False, "label": "",
            }  # fmt: skip
        items = list(self._tickets.items())
        rng.shuffle(items)
        self._tickets = dict(items)
        self._goal = deepcopy(self._tickets)
        self._due = [t for t, row in self._goal.items() if row["product"] == self._product and row["owner"] == "nobody"]
        for ticket in self._due:
            self._goal[ticket]["owner"] = self._routing[self._product]
        self.prompt = (
            f"Assign every ticket about '{self._product}' that nobody owns to the team that looks after this product. "
            "Stars and labels are there for your own orientation: use them on any ticket as you please, or not at all, they aren't judged. "
            "All other owners and all priorities must be as they were. No answer is asked for."
        )
        self.tools = [self.tickets, self.routing, self.assign, self.set_priority, self.star, self.label]

    def _row(self, ticket: str) -> dict:
        if ticket not in self._tickets:
            raise ValueError(f"no ticket {ticket!r}")
        return self._tickets[ticket]

    def tickets(self, product: str = "") -> list[dict]:
        """The tickets about a product, or all of them."""
        return [dict(row) for row in self._tickets.values() if product in ("", row["product"])]

    def routing(self) -> dict[str, str]:
        """Which team looks after which product."""
        return dict(self._routing)

    def assign(self, ticket: str, team: str) -> str:
        """Give a ticket to a team, or back to 'nobody'."""
        row = self._row(ticket)
        if team not in [*TEAMS, "nobody"]:
            raise ValueError(f"no team {team!r}")
        row["owner"] = team
        return f"owner: {team}"

    def set_priority(self, ticket: str, priority: int) -> str:
        """Set a ticket's priority, 1 to 4."""
        row = self._row(ticket)
        if type(priority) is not int or priority not in (1, 2, 3, 4):
            raise ValueError("priority is 1, 2, 3 or 4")
        row["priority"] = priority
        return f"priority: {priority}"

    def star(self, ticket: str, on: bool = True) -> str:
        """Star a ticket, or take the star off."""
        self._row(ticket)["starred"] = bool(on)
        return "ok"

    def label(self, ticket: str, text: str) -> str:
        """Put a short label on a ticket."""
        row = self._row(ticket)
        if not isinstance(text, str) or len(text) > 40:
            raise ValueError("a label is a text of at most 40 characters")
        row["label"] = text
        return "ok"

    def state(self) -> dict[str, list[dict]]:
        return {"tickets": self.tickets(), "routing": [{"product": p, "team": t} for p, t in self._routing.items()]}

    def reference(self) -> tuple[list, None]:
        stars = [("star", {"ticket": ticket}) for ticket in self._due]
        return [("routing", {}), ("tickets", {"product": self._product}), *stars, *self._assignments()], None

    def _assignments(self) -> list:
        return [("assign", {"ticket": ticket, "team": self._routing[self._product]}) for ticket in self._due]

    def alternatives(self) -> list[tuple[list, None]]:
        return [(self._assignments()[::-1], None)]

    def finish(self, answer: object) -> float:
        kept = ("product", "owner", "priority")
        same = all(self._tickets[t][k] == self._goal[t][k] for t in self._goal for k in kept)
        return 1.0 if same else 0.0


class Helpdesk:
    name = "helpdesk triage"

    def cases(self) -> list[str]:
        return ["monday"]

    def start(self, case: str, seed: int) -> Queue:
        return Queue(seed)


def sound() -> Helpdesk:
    return Helpdesk()
