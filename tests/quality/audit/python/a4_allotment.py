"""An allotment society lets a vacant plot to whoever is next in line for it."""

import random
from collections.abc import Sequence

TENANTS = (
    "Mr Agbaje",
    "Ms Bell",
    "Mr Chen",
    "Ms Dube",
    "Mr Eriksen",
    "Ms Faye",
    "Mr Gall",
    "Ms Hirsch",
    "Mr Inoue",
    "Ms Jory",
    "Mr Kaya",
    "Ms Lind",
)
SIZES = ("half", "full", "corner")


class Society:
    """The society's books: plots, the waiting list, and who has which key of the gate."""

    compared: Sequence[str] = ("plots", "waiting")

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"{seed} allotments")
        people = rng.sample(TENANTS, 12)
        size = rng.choice(SIZES)
        self.books: dict[str, list[dict]] = {
            "plots": [
                {"plot": n, "size": rng.choice(SIZES), "tenant": who}
                for n, who in zip(sorted(rng.sample(range(1, 60), 6)), people[:6], strict=True)
            ],
            "waiting": [
                {"person": who, "since": f"20{rng.randrange(21, 30)}-{month:02d}", "wants": rng.choice(SIZES), "parish": rng.random() < 0.6}
                for who, month in zip(people[6:], rng.sample(range(1, 13), 6), strict=True)
            ],
            "keys": [{"key": n, "holder": who} for n, who in zip(rng.sample(range(300, 400), 5), rng.sample(people[:6], 5), strict=True)],
        }
        vacant = rng.choice(self.books["plots"])
        vacant.update(size=size, tenant=None)
        for person in rng.sample(self.books["waiting"], 3):
            person.update(wants=size, parish=True)
        fit = [w for w in self.books["waiting"] if w["wants"] == size and w["parish"]]
        self.next = min(fit, key=lambda w: w["since"])["person"]
        self.plot = vacant["plot"]
        self.goal = self.state()
        next(p for p in self.goal["plots"] if p["plot"] == self.plot)["tenant"] = self.next
        self.goal["waiting"] = [w for w in self.goal["waiting"] if w["person"] != self.next]
        self.prompt = (
            f"Plot {self.plot} is vacant. Let it to the person of the parish who has waited "
            "longest for a plot of its size; that also takes the person off the "
            "waiting list. Change nothing else in the books. Answer with the person's name as the list has it."
        )
        self.tools = [self.plots, self.waiting_list, self.keys, self.let_plot, self.strike_off, self.return_key]

    def plots(self) -> list[dict]:
        """All plots with their size and their tenant."""
        return self.state()["plots"]

    def waiting_list(self) -> list[dict]:
        """Who waits, since when, for which size, and whether the person lives in the parish."""
        return self.state()["waiting"]

    def keys(self) -> list[dict]:
        """Who holds which key of the gate."""
        return self.state()["keys"]

    def let_plot(self, plot: int, person: str) -> str:
        """Let a vacant plot to a person on the waiting list, who is then taken off it."""
        row = next((p for p in self.books["plots"] if p["plot"] == plot and p["tenant"] is None), None)
        if row is None:
            raise ValueError("no such plot, or it has a tenant")
        self.strike_off(person)
        row["tenant"] = person
        return f"plot {plot}: {person}"

    def strike_off(self, person: str) -> str:
        """Take a person off the waiting list."""
        row = next((w for w in self.books["waiting"] if w["person"] == person), None)
        if row is None:
            raise ValueError("not on the waiting list")
        self.books["waiting"].remove(row)
        return f"{person} is off the list"

    def return_key(self, key: int) -> str:
        """Book a key as given back."""
        row = next((k for k in self.books["keys"] if k["key"] == key), None)
        if row is None:
            raise ValueError("no such key")
        row["holder"] = None
        return f"key {key} is back"

    def state(self) -> dict[str, list[dict]]:
        return {name: [dict(row) for row in rows] for name, rows in self.books.items()}

    def reference(self) -> tuple[list, str]:
        return [("plots", {}), ("waiting_list", {}), ("let_plot", {"plot": self.plot, "person": self.next})], self.next

    def finish(self, answer: object) -> float:
        named = isinstance(answer, str) and answer.strip().rstrip(".").casefold() == self.next.casefold()
        return float(named and all(self.books[name] == self.goal[name] for name in self.compared))


class SocietyToo(Society):
    """The society's books: plots, the waiting list, and who has which key of the gate."""

    compared = ("plots", "waiting", "keys")


class Allotments:
    """Vacancies."""

    name = "allotments"

    def __init__(self, society: type[Society]) -> None:
        self.society = society

    def cases(self) -> list[str]:
        return ["vacancy"]

    def start(self, case: str, seed: int) -> Society:
        return self.society(seed)


def faulty() -> Allotments:
    return Allotments(Society)


def repaired() -> Allotments:
    return Allotments(SocietyToo)
