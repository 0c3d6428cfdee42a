"""Help desk of a web shop: a ticket is annotated with the customer's latest order and closed."""

import random
import re
from collections.abc import Callable

PEOPLE = ["ada", "bruno", "chidi", "dilys", "emre", "freya", "goran"]


class Desk:
    """One afternoon at the desk."""

    def __init__(self, seed: int, note_fits: Callable[[str, str], bool]):
        rng = random.Random(f"desk {seed}")
        self.note_fits = note_fits
        self.orders: list[dict] = []
        for number in rng.sample(range(1000, 10000), 18):
            day = f"2026-{rng.randint(1, 6):02d}-{rng.randint(1, 28):02d}"
            self.orders.append({"order": f"O-{number}", "email": f"{rng.choice(PEOPLE)}@post.example", "day": day})
        self.tickets = [
            {"ticket": f"T{n}", "email": f"{p}@post.example", "status": "open", "notes": []}
            for n, p in enumerate(rng.sample(PEOPLE, 6), 31)
        ]
        owners = [t for t in self.tickets if len({o["day"] for o in self.orders if o["email"] == t["email"]}) >= 2]
        self.target = rng.choice(owners)
        mine = sorted((o for o in self.orders if o["email"] == self.target["email"]), key=lambda o: o["day"])
        mine = [o for o in mine if o is mine[-1] or o["day"] != mine[-1]["day"]]  # one latest order, never two on a day
        self.orders = [o for o in self.orders if o["email"] != self.target["email"]] + mine
        rng.shuffle(self.orders)
        self.latest = mine[-1]["order"]
        self.before = self.state()
        self.prompt = (
            f"{self.target['email']} has written in. Leave exactly one note on their ticket that names their latest order, by its number "
            "as listed, "
            "and no other order (the wording is yours), then close the ticket. Leave the other tickets alone. There is nothing to answer."
        )
        self.tools = [self.list_tickets, self.list_orders, self.add_note, self.close_ticket]

    def _ticket(self, ticket: str) -> dict:
        found = [t for t in self.tickets if t["ticket"] == ticket]
        if not found:
            raise ValueError("there is no such ticket")
        return found[0]

    def list_tickets(self) -> list[dict]:
        """All tickets with e-mail and status."""
        return [{k: t[k] for k in ("ticket", "email", "status")} for t in self.tickets]

    def list_orders(self, email: str) -> list[dict]:
        """The orders of one customer, in no particular order."""
        found = [dict(o) for o in self.orders if o["email"] == email]
        if not found:
            raise ValueError("no orders under that e-mail")
        return found

    def add_note(self, ticket: str, text: str) -> str:
        """Put a note on an open ticket."""
        row = self._ticket(ticket)
        if not isinstance(text, str) or not 0 < len(text) <= 500 or row["status"] == "closed":
            raise ValueError("a note is 1 to 500 characters on an open ticket")
        row["notes"].append(text)
        return "noted"

    def close_ticket(self, ticket: str) -> str:
        """Close a ticket."""
        self._ticket(ticket)["status"] = "closed"
        return "closed"

    def finish(self, answer):
        notes = self.target["notes"]
        if len(notes) != 1 or not self.note_fits(notes[0], self.latest):
            return 0.0
        due = [
            t | ({"status": "closed", "notes": notes[0]} if t["ticket"] == self.target["ticket"] else {}) for t in self.before["tickets"]
        ]
        return 1.0 if self.state() == {"tickets": due, "orders": self.before["orders"]} else 0.0

    def _way(self, wording: str):
        ticket = self.target["ticket"]
        calls = [("list_tickets", {}), ("list_orders", {"email": self.target["email"]})]
        calls += [("add_note", {"ticket": ticket, "text": wording.format(self.latest)}), ("close_ticket", {"ticket": ticket})]
        return calls, None

    def reference(self):
        return self._way("Latest order: {}")

    def alternatives(self):
        return [self._way("The customer means {}, their most recent purchase."), self._way("{}")]

    def state(self) -> dict[str, list[dict]]:
        return {"tickets": [t | {"notes": "\n".join(t["notes"])} for t in self.tickets], "orders": [dict(o) for o in self.orders]}


def names_it(note: str, order: str) -> bool:
    return set(re.findall(r"\bO-\d+\b", note.upper())) == {order}


def reads_so(note: str, order: str) -> bool:
    return note == f"Latest order: {order}"


class Shop:
    name = "helpdesk-note"

    def __init__(self, note_fits: Callable[[str, str], bool]):
        self.note_fits = note_fits

    def cases(self) -> list[str]:
        return ["latest-order"]

    def start(self, case: str, seed: int) -> Desk:
        return Desk(seed, self.note_fits)


def faulty() -> Shop:
    return Shop(reads_so)


def repaired() -> Shop:
    return Shop(names_it)
