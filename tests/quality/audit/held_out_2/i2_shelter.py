"""An animal shelter's walking list, kept in a small database: the agent puts the right dogs down for a volunteer."""

import random
import sqlite3

NAMES = {"Biscuit", "Juno", "Pepper", "Otis", "Mabel", "Rufus", "Clover", "Ziggy", "Nellie", "Bruno", "Olive", "Tango", "Hazel", "Basil"}
WALKERS = ["Imre", "Dolores", "Pat", "Yusuf", "Greta"]
WINGS = ["east", "west"]


class Walks:
    prompt: str

    def __init__(self, seed: int, pool: list[str]):
        rng = random.Random(seed)
        self.db = sqlite3.connect(":memory:", check_same_thread=False)
        self.db.execute("CREATE TABLE dogs (kennel INTEGER PRIMARY KEY, name TEXT, wing TEXT, kg INTEGER, walker TEXT)")
        self.wing, self.walker = rng.choice(WINGS), rng.choice(WALKERS)
        limit = rng.randint(14, 24)
        heavy = {"east": rng.randint(2, 4), "west": rng.randint(2, 4)}
        for i, name in enumerate(rng.sample(pool, 12)):
            wing = WINGS[i % 2]
            kg = limit + rng.randint(1, 15) if i // 2 < heavy[wing] else limit - rng.randint(0, 9)
            self.db.execute("INSERT INTO dogs VALUES (?, ?, ?, ?, '')", (i + 1, name, wing, kg))
        self.start_rows = self._rows()
        mine = [r for r in self.start_rows if r["wing"] == self.wing and r["kg"] > limit]
        self.spared = rng.choice(mine)["name"]
        self.due = [r["kennel"] for r in mine if r["name"] != self.spared]
        self.prompt = (
            f"{self.walker} takes out every dog of the {self.wing} wing that weighs more "
            f"than {limit} kg, except {self.spared}, who has a sore paw. "
            "Put the walker down for each of them, change nothing else, and answer with the number of dogs, in digits."
        )
        self.tools = [self.kennels, self.dog, self.put_down]

    def _rows(self) -> list[dict]:
        cursor = self.db.execute("SELECT kennel, name, wing, kg, walker FROM dogs ORDER BY kennel")
        return [dict(zip(("kennel", "name", "wing", "kg", "walker"), row, strict=True)) for row in cursor]

    def _kennel(self, kennel: object) -> int:
        if isinstance(kennel, bool) or not isinstance(kennel, int) or not 1 <= kennel <= 12:
            raise ValueError("kennels are numbered 1 to 12")
        return kennel

    def kennels(self, wing: str) -> list[int]:
        """Kennel numbers of a wing ('east' or 'west')."""
        if not isinstance(wing, str) or wing not in WINGS:
            raise ValueError("the wings are east and west")
        return [r["kennel"] for r in self._rows() if r["wing"] == wing]

    def dog(self, kennel: int) -> dict:
        """The card on a kennel's door."""
        return self._rows()[self._kennel(kennel) - 1]

    def put_down(self, kennel: int, walker: str) -> str:
        """Put a volunteer down for a dog; '' takes the volunteer off again. Volunteers: Imre, Dolores, Pat, Yusuf, Greta."""
        number = self._kennel(kennel)
        if not isinstance(walker, str) or walker not in ["", *WALKERS]:
            raise ValueError("no such volunteer")
        self.db.execute("UPDATE dogs SET walker = ? WHERE kennel = ?", (walker, number))
        return "noted"

    def finish(self, answer: object) -> float:
        goal = [{**r, "walker": self.walker} if r["kennel"] in self.due else r for r in self.start_rows]
        if isinstance(answer, str):
            said = answer.strip().rstrip(".") == str(len(self.due))
        else:
            said = isinstance(answer, (int, float)) and not isinstance(answer, bool) and answer == len(self.due)
        return 1.0 if said and self._rows() == goal else 0.0

    def reference(self):
        looks = [("dog", {"kennel": r["kennel"]}) for r in self.start_rows if r["wing"] == self.wing]
        writes = [("put_down", {"kennel": k, "walker": self.walker}) for k in self.due]
        return [("kennels", {"wing": self.wing}), *looks, *writes], len(self.due)

    def state(self):
        return {"dogs": self._rows()}

    def close(self):
        self.db.close()


class Shelter:
    name = "shelter-walks"

    def __init__(self, pool):
        self.pool = pool

    def cases(self):
        return ["morning"]

    def start(self, case, seed):
        return Walks(seed, self.pool)


def faulty():
    return Shelter(list(NAMES))


def repaired():
    return Shelter(sorted(NAMES))
