"""Results of a regatta are looked up leg by leg; a question asks who made up the most."""

import random
from collections.abc import Callable
from types import SimpleNamespace

CLUBS = ("Tern", "Gannet", "Curlew", "Plover", "Skua", "Puffin", "Avocet", "Dunlin")


def other_example(points: int, club: str) -> str:
    return "120, Kingfisher"


def example(points: int, club: str) -> str:
    return f"{points}, {club}"


class Regatta:
    """Legs of a regatta with the points of each club."""

    name = "regatta-results"

    def __init__(self, sample_answer: Callable[[int, str], str]) -> None:
        self.sample_answer = sample_answer

    def cases(self) -> list[str]:
        return ["gain", "total"]

    def start(self, case: str, seed: int) -> SimpleNamespace:
        rng = random.Random(f"{case}, {seed}")
        clubs = rng.sample(CLUBS, 6)
        legs = [dict(zip(clubs, rng.sample(range(11, 98), 6), strict=True)) for _ in range(rng.randrange(3, 6))]
        if case == "gain":
            score = {club: legs[-1][club] - legs[0][club] for club in clubs}
            asked = "Which club has the largest gain in points from the first leg to the last, and what is the gain?"
        else:
            score = {club: sum(leg[club] for leg in legs) for club in clubs}
            asked = "Which club has the most points over all legs, and how many?"
        best = max(score.values())
        while sum(value == best for value in score.values()) > 1:
            club = next(club for club in clubs if score[club] == best)
            legs[-1][club] += 1
            best = score[club] = score[club] + 1
        winner = max(score, key=score.__getitem__)

        def count_legs() -> int:
            """How many legs were sailed."""
            return len(legs)

        def results(leg: int) -> dict[str, int]:
            """The points of each club in a leg, from 1 on."""
            if type(leg) is not int or not 1 <= leg <= len(legs):
                raise ValueError(f"legs are 1 to {len(legs)}")
            return dict(legs[leg - 1])

        def finish(answer: object) -> float:
            if not isinstance(answer, str) or len(answer) > 200:
                return 0.0
            points, _, club = answer.partition(",")
            return float(points.strip() == str(best) and club.strip().rstrip(".").casefold() == winner.casefold())

        def reference() -> tuple[list, str]:
            return [("count_legs", {}), *(("results", {"leg": n + 1}) for n in range(len(legs)))], f"{best}, {winner}"

        prompt = f"{asked} Answer in the form `points, club`, for instance: {self.sample_answer(best, winner)}"
        return SimpleNamespace(prompt=prompt, tools=[count_legs, results], finish=finish, reference=reference)


def faulty() -> Regatta:
    return Regatta(example)


def repaired() -> Regatta:
    return Regatta(other_example)
