"""An auction house of stamps, with a catalogue of a few thousand lots; the reserves of a handful are to be raised."""

import random

LANDS = ["Aland", "Brunei", "Ceylon", "Danzig", "Epirus", "Fiji", "Gabon", "Heligoland", "Iceland", "Jersey", "Kiautschou", "Labuan"]
GRADES = ["mint", "hinged", "used", "cover"]
PAGE = 5


class Catalogue:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"{seed} lots")
        self.land, self.year = rng.choice(LANDS), rng.randint(1860, 1938)
        cells = [(self.land, self.year)] * 8
        while len(cells) < 2600:
            cell = (rng.choice(LANDS), rng.randint(1858, 1940))
            if cell != (self.land, self.year):
                cells.append(cell)
        grades = ["mint"] * rng.randint(2, 4)
        grades += [rng.choice(GRADES[1:]) for _ in range(8 - len(grades))]
        grades += [rng.choice(GRADES) for _ in range(2600 - 8)]
        self.lots: dict[int, dict] = {}
        for lot, (land, year), grade in zip(rng.sample(range(10_000, 60_000), 2600), cells, grades, strict=True):
            value = rng.randint(6, 400)
            self.lots[lot] = {"lot": lot, "land": land, "year": year, "grade": grade, "value": value, "reserve": value // 2}
        self.lots = dict(sorted(self.lots.items()))
        self.goal = {lot: row["reserve"] for lot, row in self.lots.items()}
        self.raised = [lot for lot, row in self.lots.items() if (row["land"], row["year"], row["grade"]) == (self.land, self.year, "mint")]
        for lot in self.raised:
            self.goal[lot] = 2 * self.lots[lot]["value"]
        self.prompt = (
            f"Set the reserve of every lot from {self.land} of the year {self.year} in grade 'mint' to twice its catalogue value. "
            f"The catalogue has {len(self.lots)} lots; the search shows {PAGE} a page. All other reserves stay as they are; "
            "only the reserves at the end count. Answer with the numbers of the lots whose reserve you raised, in any order, each once."
        )
        self.tools = [self.search, self.lot, self.set_reserve]

    def search(self, land: str, year: int, page: int = 1) -> dict:
        """Lots from a land and year, in order of number; pages count from 1."""
        if type(page) is not int or page < 1:
            raise ValueError("pages count from 1")
        found = [dict(row) for row in self.lots.values() if row["land"] == land and row["year"] == year]
        pages = max(1, -(-len(found) // PAGE))
        return {"page": page, "pages": pages, "lots": found[(page - 1) * PAGE : page * PAGE]}

    def lot(self, number: int) -> dict:
        """One lot by its number."""
        if number not in self.lots:
            raise ValueError("no such lot")
        return dict(self.lots[number])

    def set_reserve(self, number: int, amount: int) -> str:
        """Set the reserve of a lot."""
        if number not in self.lots:
            raise ValueError("no such lot")
        if type(amount) is not int or not 0 <= amount <= 100_000:
            raise ValueError("the amount is a whole number up to 100000")
        self.lots[number]["reserve"] = amount
        return "set"

    def state(self) -> dict[str, list[dict]]:
        return {"lots": [dict(row) for row in self.lots.values()]}

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        reads = [("search", {"land": self.land, "year": self.year, "page": page}) for page in (1, 2)]
        return reads + [("set_reserve", {"number": lot, "amount": self.goal[lot]}) for lot in self.raised], list(self.raised)

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        calls = self.reference()[0]
        return [(calls[::-1], ", ".join(str(lot) for lot in reversed(self.raised)))]

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            answer = answer.replace("[", " ").replace("]", " ").replace(",", " ").split()
        if not isinstance(answer, (list, tuple, set, frozenset)):
            return 0.0
        names = {str(lot): lot for lot in self.raised}
        said = [names.get(part.strip()) if isinstance(part, str) else part for part in answer]
        if len(said) != len(self.raised) or not all(lot in said for lot in self.raised):
            return 0.0
        return float(all(row["reserve"] == self.goal[lot] for lot, row in self.lots.items()))


class AuctionHouse:
    name = "stamp catalogue"

    def cases(self) -> list[str]:
        return ["reserves"]

    def start(self, case: str, seed: int) -> Catalogue:
        return Catalogue(seed)


def sound() -> AuctionHouse:
    return AuctionHouse()
