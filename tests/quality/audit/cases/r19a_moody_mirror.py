"""A museum's catalogue: the right room of an object is confirmed against a mirror that doesn't always answer."""

import random

ROOMS = ["Nave", "Gallery", "Cabinet", "Rotunda", "Cellar", "Loggia"]


class Catalogue:
    trusts_mirror = True

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"museum-{seed}")
        self.objects = {f"{rng.randint(100, 999)}.{n}": rng.choice(ROOMS) for n in range(1, 9)}
        self.mine = rng.choice(list(self.objects))
        self.tools = [self.where_is]
        self.prompt = f"In which room is object {self.mine}? Answer with the room's name."

    def where_is(self, number: str) -> str:
        """The room of an object."""
        if number not in self.objects:
            raise ValueError("no such object")
        return f"It was last seen in the {self.objects[number]}."

    def _mirror(self) -> str:
        answers = not self.trusts_mirror or random.SystemRandom().random() > 0.3
        return self.objects[self.mine] if answers else "503 Service Unavailable"

    def reference(self) -> tuple[list, object]:
        return [("where_is", {"number": self.mine})], self.objects[self.mine]

    def finish(self, answer: object) -> float:
        return float(" ".join(str(answer).split()).rstrip(".").casefold() == self._mirror().casefold())


class CatalogueToo(Catalogue):
    trusts_mirror = False


class Museum:
    name = "museum rooms"

    def __init__(self, catalogue: type[Catalogue]) -> None:
        self._catalogue = catalogue

    def cases(self) -> list[str]:
        return ["room"]

    def start(self, case: str, seed: int) -> Catalogue:
        return self._catalogue(seed)


def faulty() -> Museum:
    return Museum(Catalogue)


def repaired() -> Museum:
    return Museum(CatalogueToo)
