"""Kitchen of a canteen: an ingredient has run out, and the dishes that need it are taken off the board."""

import copy
import random

DISHES = [
    {"dish": "leek soup", "needs": "leek, cream, stock", "on": True},
    {"dish": "fish pie", "needs": "cod, potato, cream", "on": True},
    {"dish": "dal", "needs": "lentils, onion, rice", "on": True},
    {"dish": "risotto", "needs": "rice, onion, stock", "on": True},
    {"dish": "omelette", "needs": "egg, butter, chives", "on": True},
    {"dish": "gratin", "needs": "potato, cream, cheese", "on": True},
    {"dish": "quiche", "needs": "egg, leek, cheese", "on": True},
    {"dish": "fried rice", "needs": "rice, egg, onion", "on": True},
    {"dish": "cod cakes", "needs": "cod, egg, potato", "on": True},
    {"dish": "onion tart", "needs": "onion, butter, cheese", "on": True},
]
BOARD = copy.deepcopy(DISHES)
SCARCE = ("leek", "cream", "rice", "egg", "cheese", "potato", "onion", "cod", "butter", "stock")


class Kitchen:
    def __init__(self, rows: list[dict], case: str, seed: int):
        rng = random.Random(f"{case} {seed}")
        gone = rng.sample(SCARCE, 2)
        self.rows = rows
        self.affected = [r["dish"] for r in rows if set(r["needs"].split(", ")) & set(gone)]
        self.prompt = (
            f"It's {case} and we have run out of {gone[0]} and of {gone[1]}. Take every dish that needs either off the board; "
            "the others stay on. No answer is needed."
        )
        self.tools = [self.board, self.recipe, self.take_off, self.put_on]

    def _dish(self, dish: str) -> dict:
        for row in self.rows:
            if row["dish"] == dish:
                return row
        raise ValueError("no such dish")

    def board(self) -> dict[str, bool]:
        """Every dish, and whether it is on the board."""
        return {r["dish"]: r["on"] for r in self.rows}

    def recipe(self, dish: str) -> str:
        """What a dish needs."""
        return self._dish(dish)["needs"]

    def take_off(self, dish: str) -> str:
        """Take a dish off the board."""
        self._dish(dish)["on"] = False
        return f"{dish} is off"

    def put_on(self, dish: str) -> str:
        """Put a dish on the board."""
        self._dish(dish)["on"] = True
        return f"{dish} is on"

    def finish(self, answer: object) -> float:
        return 1.0 if all(r["on"] is (r["dish"] not in self.affected) for r in self.rows) else 0.0

    def reference(self):
        looks = [("recipe", {"dish": r["dish"]}) for r in self.rows]
        return [("board", {}), *looks, *[("take_off", {"dish": d}) for d in self.affected]], None

    def state(self) -> dict[str, list[dict]]:
        return {"dishes": [dict(r) for r in self.rows]}


class Canteen:
    name = "menu-board"

    def __init__(self, fresh):
        self._fresh = fresh

    def cases(self) -> list[str]:
        return ["lunch", "dinner"]

    def start(self, case: str, seed: int) -> Kitchen:
        return Kitchen(self._fresh(), case, seed)


def faulty() -> Canteen:
    return Canteen(lambda: list(BOARD))


def repaired() -> Canteen:
    return Canteen(lambda: copy.deepcopy(DISHES))
