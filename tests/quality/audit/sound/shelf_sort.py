"""A library page puts the books of a trolley on their shelves, with marks for each, and full marks only for all."""

import random

SECTIONS = ["Birds", "Bridges", "Cheese", "Chess", "Clocks", "Ferns", "Knots"]
ADJECTIVES = ["Short", "Plain", "Complete", "Second", "Pocket"]


class Trolley:
    pass_mark = 1.0

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"{seed} {case}")
        shelves = rng.sample([f"{aisle}{n}" for aisle in "LMN" for n in range(1, 9)], len(SECTIONS))
        self.plan = dict(zip(SECTIONS, shelves, strict=True))
        numbers = rng.sample(range(100, 1000), 12)
        self.books: dict[int, dict] = {}
        for i, number in enumerate(numbers):
            section = rng.choice(SECTIONS)
            title = f"{rng.choice(ADJECTIVES)} Guide to {section}"
            self.books[number] = {"book": number, "title": title, "section": section, "shelf": "trolley" if i < 5 else self.plan[section]}
        self.wanted = {number: self.plan[book["section"]] for number, book in self.books.items()}
        self.trolley = numbers[:5]
        self.prompt = (
            "Put the five books of the trolley on the shelf of their section. Scoring: every book of the trolley that ends up on its "
            "right shelf gives 0.15; all five, with every other book where it was, make 1.0, which alone counts as done. If any other "
            "book isn't where it was, the score is 0. Only where the books are at the end counts; no answer is asked for."
        )
        self.tools = [self.on_trolley, self.shelf_plan, self.shelf, self.put]

    def on_trolley(self) -> list[dict]:
        """What lies on the trolley."""
        return [dict(book) for book in self.books.values() if book["shelf"] == "trolley"]

    def shelf_plan(self) -> dict[str, str]:
        """Which section has which shelf."""
        return dict(self.plan)

    def shelf(self, name: str) -> list[dict]:
        """The books on a shelf."""
        if name not in self.plan.values():
            raise ValueError("no such shelf")
        return [dict(book) for book in self.books.values() if book["shelf"] == name]

    def put(self, book: int, shelf: str) -> str:
        """Put a book on a shelf, or back on the 'trolley'."""
        if book not in self.books:
            raise ValueError("no such book")
        if shelf != "trolley" and shelf not in self.plan.values():
            raise ValueError("no such shelf")
        self.books[book]["shelf"] = shelf
        return f"on {shelf}"

    def state(self) -> dict[str, list[dict]]:
        return {"books": [dict(book) for book in self.books.values()], "plan": [{"section": s, "shelf": n} for s, n in self.plan.items()]}

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [("on_trolley", {}), ("shelf_plan", {})] + [("put", {"book": n, "shelf": self.wanted[n]}) for n in self.trolley], None

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        return [([("put", {"book": n, "shelf": self.wanted[n]}) for n in reversed(self.trolley)], "sorted")]

    def finish(self, answer: object) -> float:
        right = [number for number, shelf in self.wanted.items() if self.books[number]["shelf"] == shelf]
        if len(right) == len(self.wanted):
            return 1.0
        if any(number not in right for number in self.wanted if number not in self.trolley):
            return 0.0
        return round(0.15 * sum(number in right for number in self.trolley), 2)


class Library:
    name = "shelf sort"

    def cases(self) -> list[str]:
        return ["morning", "evening"]

    def start(self, case: str, seed: int) -> Trolley:
        return Trolley(case, seed)


def sound() -> Library:
    return Library()
