"""A theatre wardrobe sorts costumes so that each hangs on the rail of its production."""

import random
from collections.abc import Callable

PIECES = ["cloak", "bodice", "tailcoat", "doublet", "gown", "apron", "waistcoat", "uniform", "kimono", "cassock", "shawl", "frock"]
SHOWS = ["Tosca", "Volpone", "Carousel", "Medea", "Pygmalion", "Hobson", "Iolanthe", "Arcadia"]

PROMPT = """You sort the wardrobe of the {house} theatre. Costumes hang on rails, and each rail holds at most as many as its capacity.
Every production has a rail of the same name. Costumes marked "stock" hang on the rail "Stock". There is also a rail "Trolley".

Your task: move costumes, one at a time, until every costume of a production hangs on that production's rail.
When you finish, the trolley must be empty and every stock costume must hang on the rail "Stock", as now.

Your final answer is not graded, only the rails are. Answer "done" when you have finished."""


class Wardrobe:
    """One sorting job."""

    def __init__(self, case: str, seed: int, full: Callable[[int, int], bool]) -> None:
        rng = random.Random(seed)
        self.full = full
        shows = rng.sample(SHOWS, {"studio": 3, "main": 5}[case])
        numbers = rng.sample(range(100, 1000), 60)
        owners = {show: [numbers.pop() for _ in range(rng.randint(3, 5))] for show in shows}
        owners["Stock"] = [numbers.pop() for _ in range(rng.randint(1, 3))]
        self.costumes: dict[int, dict] = {}
        for show, tags in owners.items():
            for tag in tags:
                self.costumes[tag] = {"piece": rng.choice(PIECES), "production": show if show in shows else "stock", "rail": show}
        self.costumes = dict(sorted(self.costumes.items()))
        self.capacity = {show: len(owners[show]) + rng.choice([0, 0, 1]) for show in shows}
        self.capacity[shows[0]] = len(owners[shows[0]])
        self.capacity |= {"Stock": len(owners["Stock"]) + 1, "Trolley": 4}
        tags = [tag for show in shows for tag in owners[show]]
        pegs = [show for show in shows for _ in owners[show]]
        while all(self.costumes[tag]["production"] == shows[0] for tag, peg in zip(tags, pegs) if peg == shows[0]):
            rng.shuffle(pegs)
        for tag, peg in zip(tags, pegs):
            self.costumes[tag]["rail"] = peg
        self.home = {tag: row["production"] if row["production"] in shows else "Stock" for tag, row in self.costumes.items()}
        self.prompt = PROMPT.format(house=rng.choice(["Lyric", "Alhambra", "Playhouse", "Gaiety", "Corn Exchange"]))
        self.tools = [self.list_rails, self.show_rail, self.move]

    def hanging(self, rail: str) -> list[int]:
        return [tag for tag, row in self.costumes.items() if row["rail"] == rail]

    def list_rails(self) -> list[dict]:
        """List the rails with their capacity and the number of costumes that hang on them."""
        return [{"rail": rail, "capacity": most, "hanging": len(self.hanging(rail))} for rail, most in sorted(self.capacity.items())]

    def show_rail(self, rail: str) -> list[dict]:
        """Show the costumes on a rail, each with its tag, piece and production."""
        if not isinstance(rail, str):
            raise TypeError("a rail is given by its name")
        if rail not in self.capacity:
            raise ValueError(f"no rail {rail}")
        rows = [(tag, self.costumes[tag]) for tag in self.hanging(rail)]
        return [{"tag": tag, "piece": row["piece"], "production": row["production"]} for tag, row in rows]

    def move(self, tag: int, rail: str) -> str:
        """Move the costume with this tag to another rail."""
        if type(tag) is not int:
            raise TypeError("a tag is an integer")
        if tag not in self.costumes:
            raise ValueError(f"no costume {tag}")
        there = len(self.show_rail(rail))
        if self.costumes[tag]["rail"] == rail:
            raise ValueError(f"costume {tag} hangs on {rail}")
        if self.full(there, self.capacity[rail]):
            raise ValueError(f"rail {rail} is full")
        self.costumes[tag]["rail"] = rail
        return f"costume {tag} hangs on {rail} now"

    def finish(self, answer: object) -> float:
        return 1.0 if all(row["rail"] == self.home[tag] for tag, row in self.costumes.items()) else 0.0

    def plan(self, backwards: bool) -> list[tuple[str, dict]]:
        """Work out moves by way of the trolley."""
        where = {tag: row["rail"] for tag, row in self.costumes.items()}
        tags = sorted(where, reverse=backwards)
        calls: list[tuple[str, dict]] = []
        while stray := [tag for tag in tags if where[tag] != self.home[tag]]:
            stray.sort(key=lambda tag: where[tag] != "Trolley")
            held = list(where.values())
            direct = [tag for tag in stray if held.count(self.home[tag]) < self.capacity[self.home[tag]]]
            if direct:
                tag, rail = direct[0], self.home[direct[0]]
            else:
                tag, rail = next(tag for tag in stray if where[tag] == self.home[stray[0]]), "Trolley"
            where[tag] = rail
            calls.append(("move", {"tag": tag, "rail": rail}))
        return calls

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return self.plan(False), "done"

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        return [([("list_rails", {}), *self.plan(True)], "done")]

    def state(self) -> dict[str, list[dict]]:
        rails = [{"rail": rail, "capacity": most} for rail, most in sorted(self.capacity.items())]
        return {"rails": rails, "costumes": [{"tag": tag, **row} for tag, row in self.costumes.items()]}


class Theatre:
    def __init__(self, full: Callable[[int, int], bool]) -> None:
        self.name = "wardrobe_rails"
        self.full = full

    def cases(self) -> list[str]:
        return ["studio", "main"]

    def start(self, case: str, seed: int) -> Wardrobe:
        return Wardrobe(case, seed, self.full)


def faulty() -> Theatre:
    return Theatre(lambda hanging, capacity: hanging + 1 >= capacity)


def repaired() -> Theatre:
    return Theatre(lambda hanging, capacity: hanging + 1 > capacity)
