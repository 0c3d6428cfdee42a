"""A stock keeper moves pieces between depots so that one of them reaches its minimum."""

import random

DEPOTS = ["Ashford", "Barrow", "Corby", "Dover"]
WARES = ["pump seal", "ball valve", "hose clamp", "gauge"]


class Stock:
    def __init__(self, seed):
        rng = random.Random(f"stock:{seed}")
        self.ware = rng.choice(WARES)
        self.short, self.giver = rng.sample(DEPOTS, 2)
        self.minimum = rng.randint(30, 60)
        self.levels = {(depot, ware): rng.randint(5, 200) for depot in DEPOTS for ware in WARES}
        self.missing = rng.randint(4, 25)
        self.levels[self.short, self.ware] = self.minimum - self.missing
        self.levels[self.giver, self.ware] = self.missing + rng.randint(40, 90)
        self.goal = dict(self.levels)
        self.goal[self.short, self.ware] += self.missing
        self.goal[self.giver, self.ware] -= self.missing
        self.prompt = (
            f"{self.short} must have {self.minimum} pieces of the ware '{self.ware}'. Move just as many as it lacks there from "
            f"{self.giver}. In the end all other stocks must be as they are now. Answer with the number of pieces of that ware that "
            f"{self.giver} has left, digits only."
        )
        self.tools = [self.stock, self.move]

    def stock(self, ware: str) -> dict[str, int]:
        """Pieces of a ware in each depot."""
        if ware not in WARES:
            raise ValueError("wares: " + ", ".join(WARES))
        return {depot: self.levels[depot, ware] for depot in DEPOTS}

    def move(self, ware: str, source: str, to: str, pieces: int) -> dict[str, int]:
        """Move pieces of a ware from one depot to another; gives what both have then."""
        if ware not in WARES or source not in DEPOTS or to not in DEPOTS or source == to:
            raise ValueError("give a ware and two depots")
        if type(pieces) is not int or not 0 < pieces <= self.levels[source, ware]:
            raise ValueError("the source doesn't have that many pieces")
        self.levels[source, ware] -= pieces
        self.levels[to, ware] += pieces
        return {source: self.levels[source, ware], to: self.levels[to, ware]}

    def state(self):
        return {"stock": [{"depot": depot, "ware": ware, "pieces": n} for (depot, ware), n in self.levels.items()]}

    def reference(self):
        move = {"ware": self.ware, "source": self.giver, "to": self.short, "pieces": self.missing}
        return [("stock", {"ware": self.ware}), ("move", move)], self.goal[self.giver, self.ware]

    def alternatives(self):
        halves = [self.missing // 2, self.missing - self.missing // 2]
        moves = [("move", {"ware": self.ware, "source": self.giver, "to": self.short, "pieces": n}) for n in halves]
        return [(moves, str(self.goal[self.giver, self.ware]))]

    def finish(self, answer):
        left = self.goal[self.giver, self.ware]
        if isinstance(answer, str):
            right = answer.strip() == str(left)
        else:
            right = type(answer) in (int, float) and answer == left
        return 1.0 if right and self.levels == self.goal else 0.0


class Warehouse:
    name = "warehouse transfer"

    def cases(self):
        return ["minimum"]

    def start(self, case, seed):
        return Stock(seed)


def sound():
    return Warehouse()
