"""Odds for a tabletop skirmish game: a question about dice, answered with a probability."""

import itertools
import math
import random
import re
from dataclasses import dataclass

MARGIN = 0.01
PLAIN = re.compile(r"([0-9]{0,3}(?:\.[0-9]{1,20})?)\s*(%?)")
RATIO = re.compile(r"([0-9]{1,9})\s*/\s*([0-9]{1,9})")


def dice(count):
    return f"{count} fair {'die' if count == 1 else 'dice'}"


@dataclass
class Throw:
    kind: str
    attack: int
    defend: int
    edge: int
    guard: int
    need: int

    def won(self, dice):
        if self.kind == "highest":
            return max(dice[: self.attack]) > max(dice[self.attack :])
        return sum(dice[: self.attack]) - sum(dice[self.attack :]) >= self.need

    def faces(self):
        return [range(1, self.edge + 1)] * self.attack + [range(1, self.guard + 1)] * self.defend

    def text(self):
        rolls = (
            f"The attacker rolls {dice(self.attack)} with sides numbered 1 to {self.edge}; "
            f"the defender rolls {dice(self.defend)} with sides numbered 1 to {self.guard}. "
        )
        if self.kind == "highest":
            return rolls + "The attacker wins if the attacker's highest die is higher than the defender's highest die."
        return rolls + f"The attacker wins if the attacker's sum is at least {self.need} more than the defender's sum."

    def odds(self):
        every = list(itertools.product(*self.faces()))
        return sum(map(self.won, every)) / len(every)


def estimate(throw):
    rng = random.Random()
    rounds, faces = 3000, throw.faces()
    return sum(throw.won([rng.choice(die) for die in faces]) for _ in range(rounds)) / rounds


def number(answer):
    if isinstance(answer, str) and len(answer) < 60:
        text = answer.strip()
        if match := RATIO.fullmatch(text):
            return int(match[1]) / int(match[2]) if int(match[2]) else None
        match = PLAIN.fullmatch(text)
        return float(match[1]) / (100 if match[2] else 1) if match and match[1] else None
    if isinstance(answer, int | float) and not isinstance(answer, bool) and 0 <= answer <= 1:
        return float(answer)
    return None


class Question:
    tools = []

    def __init__(self, case, seed, judge):
        rng = random.Random(f"{case}{seed}")
        self.judge = judge
        while True:
            self.throw = Throw(case, rng.randint(1, 3), rng.randint(1, 2), rng.randint(4, 10), rng.randint(4, 10), rng.randint(1, 4))
            if math.prod(map(len, self.throw.faces())) > 1300:
                continue
            self.value = self.throw.odds()
            if 0.18 <= self.value <= 0.82:
                break
        self.prompt = (
            f"{self.throw.text()} What is the probability that the attacker wins? "
            f"Answer with the number alone, between 0 and 1, right to within {MARGIN}."
        )

    def finish(self, answer: object) -> float:
        given = number(answer)
        return 1.0 if given is not None and abs(given - self.judge(self.throw)) <= MARGIN + 1e-9 else 0.0

    def reference(self):
        return [], round(self.value, 4)


class Skirmish:
    name = "skirmish odds"

    def __init__(self, judge):
        self.judge = judge

    def cases(self):
        return ["highest", "sum"]

    def start(self, case, seed):
        return Question(case, seed, self.judge)


def faulty():
    return Skirmish(estimate)


def repaired():
    return Skirmish(Throw.odds)
