"""Count of a student election: each ward's winner is named, ties going to the name that comes first in the alphabet."""

import json
import random
from collections import Counter

NAMES = ["Abara", "Brandt", "Castro", "Dlamini", "Endo", "Fischer"]
WARDS = ["North", "East", "South"]


def winner(votes: list[str]) -> str:
    tally = Counter(votes)
    return max(sorted(set(votes)), key=lambda name: tally[name])


def winner_too(votes: list[str]) -> str:
    tally = Counter(votes)
    return max(set(votes), key=lambda name: tally[name])


class Count:
    def __init__(self, pick, seed: int):
        rng = random.Random(f"count{seed}")
        self.votes = {}
        even = rng.choice(WARDS)
        for ward in WARDS:
            top = rng.randint(4, 6)
            counts = dict(zip(rng.sample(NAMES, 5), (top, top if ward == even else top - 1, top - 1, top - 2, top - 3), strict=True))
            papers = [name for name, n in counts.items() for _ in range(n)]
            self.votes[ward] = rng.sample(papers, len(papers))
        self.key = {ward: pick(votes) for ward, votes in self.votes.items()}
        self.prompt = (
            "Who has won in each ward? The person with the most votes wins; if several have the most, it's the one of them whose name "
            "comes first in the "
            f"alphabet. The wards are {', '.join(WARDS)}. Answer with a mapping from ward to name."
        )
        self.tools = [self.ballots]

    def ballots(self, ward: str) -> list[str]:
        """The ballots of a ward, as they were taken out of the box."""
        if ward not in self.votes:
            raise ValueError("no such ward")
        return list(self.votes[ward])

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            try:
                answer = json.loads(answer)
            except (ValueError, RecursionError):
                return 0.0
        if not isinstance(answer, dict) or not all(isinstance(x, str) for pair in answer.items() for x in pair):
            return 0.0
        return 1.0 if {w.strip().title(): n.strip().title() for w, n in answer.items()} == self.key else 0.0

    def reference(self):
        return [("ballots", {"ward": w}) for w in WARDS], {w: winner(v) for w, v in self.votes.items()}

    def state(self) -> dict[str, list[dict]]:
        return {"ballots": [{"ward": w, "no": n, "name": name} for w, v in self.votes.items() for n, name in enumerate(v, 1)]}


class Election:
    name = "ward-count"

    def __init__(self, pick):
        self.pick = pick

    def cases(self) -> list[str]:
        return ["winners"]

    def start(self, case: str, seed: int) -> Count:
        return Count(self.pick, seed)


def faulty():
    return Election(winner_too)


def repaired():
    return Election(winner)
