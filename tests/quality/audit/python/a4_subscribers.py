"""A newsletter's subscribers: all the addresses of one firm go over to another list."""

import random
from collections.abc import Callable
from types import SimpleNamespace

FIRMS = ("acorn.example", "brightly.example", "corvid.example", "dunes.example")
LISTS = ("weekly", "monthly", "product", "press")
NAMES = ("ada", "bob", "cyd", "dot", "eva", "fil", "gus", "hoa", "ivo", "jul", "kai", "lea", "max", "noa")


def agree(want: dict[str, dict], rows: list[dict]) -> bool:
    """Whether the rows are those wanted."""
    return all(want.get(row["email"]) == row for row in rows)


def agree_too(want: dict[str, dict], rows: list[dict]) -> bool:
    """Whether the rows are those wanted."""
    return all(want.get(row["email"]) == row for row in rows) and len(rows) == len(want)


class Letters:
    """The subscribers, and the tools to look after them."""

    def __init__(self, case: str, seed: int, agreed: Callable) -> None:
        rng = random.Random(f"letters:{case}:{seed}")
        self.agreed = agreed
        self.firm, self.new = rng.choice(FIRMS), rng.choice(LISTS)
        homes = [self.firm] * rng.randrange(3, 5) + [rng.choice([f for f in FIRMS if f != self.firm]) for _ in range(8)]
        self.rows = [
            {"email": f"{name}@{home}", "list": rng.choice(LISTS), "html": rng.random() < 0.5}
            for name, home in zip(rng.sample(NAMES, len(homes)), homes, strict=True)
        ]
        for row in self.rows[:3]:
            row["list"] = rng.choice([name for name in LISTS if name != self.new])
        rng.shuffle(self.rows)
        mine = [row for row in self.rows if row["email"].endswith(f"@{self.firm}")]
        self.mine = {row["email"] for row in mine}
        self.moving = [dict(row) for row in mine if row["list"] != self.new]
        self.want = {row["email"]: dict(row) for row in self.rows}
        for email in self.mine:
            self.want[email]["list"] = self.new
        self.prompt = (
            f"All subscribers with an address at {self.firm} are to get the list {self.new} in place of the one they are on. "
            "Nobody else's subscription changes."
        )
        self.tools = [self.search, self.put_on_list, self.put_all_on_list, self.set_html, self.unsubscribe]

    def search(self, text: str) -> list[dict]:
        """Subscribers whose address contains a text."""
        if not isinstance(text, str):
            raise ValueError("a text")
        return [dict(row) for row in self.rows if text in row["email"]]

    def put_on_list(self, email: str, name: str) -> str:
        """Put one subscriber onto another list."""
        row, name = self._one(email), self._list(name)
        row["list"] = name
        return "done"

    def put_all_on_list(self, source: str, firm: str, name: str) -> int:
        """Put all subscribers of a firm (what follows the @) who are on the list `source` onto another; says how many."""
        source, name = self._list(source), self._list(name)
        found = [row for row in self.rows if row["email"].split("@")[1] == firm and row["list"] == source]
        for row in found:
            row["list"] = name
        return len(found)

    def set_html(self, email: str, on: bool) -> str:
        """Choose between letters in HTML and in plain text."""
        if not isinstance(on, bool):
            raise ValueError("true or false")
        self._one(email)["html"] = on
        return "done"

    def unsubscribe(self, email: str) -> str:
        """Take a subscriber out for good."""
        self.rows.remove(self._one(email))
        return "gone"

    def _one(self, email: str) -> dict:
        for row in self.rows:
            if row["email"] == email:
                return row
        raise ValueError("no such subscriber")

    @staticmethod
    def _list(name: str) -> str:
        if name not in LISTS:
            raise ValueError(f"lists are {', '.join(LISTS)}")
        return name

    def state(self) -> dict[str, list[dict]]:
        return {"subscribers": [dict(row) for row in self.rows]}

    def reference(self) -> tuple[list, None]:
        return [
            ("search", {"text": f"@{self.firm}"}),
            *(("put_on_list", {"email": r["email"], "name": self.new}) for r in self.moving),
        ], None

    def alternatives(self) -> list[tuple[list, None]]:
        sources = sorted({row["list"] for row in self.moving})
        return [([("put_all_on_list", {"source": source, "firm": self.firm, "name": self.new}) for source in sources], None)]

    def finish(self, answer: object) -> float:
        return float(self.mine <= {row["email"] for row in self.rows} and self.agreed(self.want, self.rows))


def newsletter(agreed: Callable) -> SimpleNamespace:
    return SimpleNamespace(name="newsletter", cases=lambda: ["move-firm"], start=lambda case, seed: Letters(case, seed, agreed))


def faulty() -> SimpleNamespace:
    return newsletter(agree)


def repaired() -> SimpleNamespace:
    return newsletter(agree_too)
