"""A vet's assistant enters a visit, with a note in their own words."""

import itertools
import random

VACCINES = ["rabies", "distemper", "leptospirosis", "parvo"]


class Practice:
    """The card index of the practice for one episode."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"vet {seed}")
        owners = rng.sample(["Abel", "Brook", "Castro", "Dietz", "Engel", "Fenn"], 5)
        pets = rng.sample(["Bruno", "Luna", "Moss", "Pip"], 2)
        ids = rng.sample(range(200, 999), 8)
        pairs = [(pets[0], owner) for owner in owners[:3]] + [(pets[1], owner) for owner in owners]
        self.animals = {n: {"animal": n, "name": name, "owner": owner} for n, (name, owner) in zip(ids, pairs, strict=True)}
        self.ids = itertools.count(rng.randint(5000, 6000))
        self.visits: dict[int, dict] = {}
        for n in rng.sample(ids, 4):
            self._enter(n, rng.randrange(20, 400) / 10, rng.choice(VACCINES), "routine")
        self.before = {n: dict(row) for n, row in self.visits.items()}
        self.animal, (name, owner) = ids[0], pairs[0]
        self.kilos, self.vaccine = rng.randrange(20, 400) / 10, rng.choice(VACCINES)
        self.prompt = (
            f"Enter today's visit of {name}, who belongs to {owner}: {self.kilos} kg, vaccinated against {self.vaccine}. "
            "The form wants a note; what you write there is up to you and isn't judged. There must be one new visit in the end, "
            "and the visits that were there before must be unchanged. No answer is asked for."
        )
        self.tools = [self.find_animals, self.list_visits, self.enter_visit, self.reword_note, self.delete_visit]

    def _enter(self, animal: int, kilos: float, vaccine: str, note: str) -> int:
        number = next(self.ids)
        self.visits[number] = {"visit": number, "animal": animal, "kilos": kilos, "vaccine": vaccine, "note": note}
        return number

    def find_animals(self, owner: str) -> list[dict]:
        """The animals of an owner."""
        return [dict(row) for row in self.animals.values() if row["owner"] == owner]

    def list_visits(self, animal: int) -> list[dict]:
        """The visits of an animal."""
        return [dict(row) for row in self.visits.values() if row["animal"] == animal]

    def enter_visit(self, animal: int, kilos: float, vaccine: str, note: str) -> int:
        """Enter a visit (vaccine: rabies, distemper, leptospirosis or parvo; the note may not be empty). Gives its number."""
        if animal not in self.animals:
            raise ValueError("no such animal")
        if isinstance(kilos, bool) or not isinstance(kilos, (int, float)) or not 0 < kilos < 1000:
            raise ValueError("kilos is a number above 0 and below 1000")
        if vaccine not in VACCINES:
            raise ValueError("no such vaccine")
        self._check_note(note)
        if len(self.visits) > 200:
            raise ValueError("the index is full")
        return self._enter(self.animals[animal]["animal"], float(kilos), vaccine, note)

    @staticmethod
    def _check_note(note: str) -> None:
        if not isinstance(note, str) or not note.strip() or len(note) > 500:
            raise ValueError("the note is a text of 1 to 500 characters")

    def reword_note(self, visit: int, note: str) -> str:
        """Replace the note of a visit."""
        if visit not in self.visits:
            raise ValueError("no such visit")
        self._check_note(note)
        self.visits[visit]["note"] = note
        return "reworded"

    def delete_visit(self, visit: int) -> str:
        """Delete a visit that was entered by mistake."""
        if visit not in self.visits:
            raise ValueError("no such visit")
        del self.visits[visit]
        return "deleted"

    def state(self) -> dict[str, list[dict]]:
        return {"animals": [dict(row) for row in self.animals.values()], "visits": [dict(row) for row in self.visits.values()]}

    def _visit(self, note: str) -> tuple[str, dict]:
        return "enter_visit", {"animal": self.animal, "kilos": self.kilos, "vaccine": self.vaccine, "note": note}

    def reference(self) -> tuple[list, object]:
        return [("find_animals", {"owner": self.animals[self.animal]["owner"]}), self._visit("Calm, ate a biscuit.")], None

    def alternatives(self) -> list[tuple[list, object]]:
        return [([self._visit("vaccinated; weight fine")], None), ([self._visit("-")], "entered")]

    def finish(self, answer: object) -> float:
        if any(self.visits.get(n) != row for n, row in self.before.items()):
            return 0.0
        new = [row for n, row in self.visits.items() if n not in self.before]
        if len(new) != 1 or new[0]["animal"] != self.animal or new[0]["vaccine"] != self.vaccine:
            return 0.0
        return 1.0 if abs(new[0]["kilos"] - self.kilos) < 1e-6 else 0.0


class Vet:
    name = "vet visit"

    def cases(self) -> list[str]:
        return ["visit"]

    def start(self, case: str, seed: int) -> Practice:
        return Practice(seed)


def sound() -> Vet:
    return Vet()
