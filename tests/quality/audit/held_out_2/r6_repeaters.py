"""A question on mountain radio: the chance that a call gets through a small net of repeaters."""

import math
import random
import re
from fractions import Fraction
from types import SimpleNamespace


def net_of(seed):
    rng = random.Random(f"radio:{seed}")

    def up(low, high):
        return rng.randint(low, high) / 100

    north = [up(70, 92) for _ in range(rng.randint(2, 3))]
    south = [up(55, 85) for _ in range(rng.randint(2, 4))]
    return SimpleNamespace(summit=up(75, 95), north=north, south=south)


def exact(net):
    north, south = math.prod(net.north), math.prod(net.south)
    return net.summit * (1 - (1 - north) * (1 - south))


def sampled(net, runs=2000):
    through = 0
    for _ in range(runs):
        north = all(random.random() < p for p in net.north)
        south = all(random.random() < p for p in net.south)
        through += random.random() < net.summit and (north or south)
    return through / runs


def number(answer):
    if isinstance(answer, bool) or not isinstance(answer, (int, float, str)):
        return None
    if isinstance(answer, str):
        text = answer.strip()
        if len(text) > 60:
            return None
        try:
            share = text.endswith("%")
            text = text.rstrip("%").strip()
            value = float(Fraction(text.replace(" ", ""))) if re.fullmatch(r"\d+ ?/ ?\d+", text) else float(text)
            value = value / 100 if share else value
        except (ValueError, ZeroDivisionError, OverflowError):
            return None
    else:
        value = answer
    return float(value) if 0 <= value <= 1 else None


def percent(values):
    return ", ".join(f"{p:.2f}" for p in values)


class Question:
    tools = []

    def __init__(self, seed, truth):
        self.net, self.truth = net_of(seed), truth
        self.prompt = (
            "A call from the valley has to pass the summit repeater, and then either all "
            "repeaters of the north route or all repeaters of the south route. "
            "Each repeater is up or down independently of the others. Chance of being up: "
            f"summit {self.net.summit:.2f}; north route {percent(self.net.north)}; "
            f"south route {percent(self.net.south)}. What is the chance that the call gets "
            "through? Answer with one number between 0 and 1, right to within 0.01."
        )

    def finish(self, answer):
        value = number(answer)
        return float(value is not None and abs(value - self.truth(self.net)) <= 0.01)

    def reference(self):
        return [], round(exact(self.net), 4)

    def alternatives(self):
        return [([], f"{exact(self.net):.3f}")]


class Radio:
    name = "repeater-chance"

    def __init__(self, truth):
        self._truth = truth

    def cases(self):
        return ["call-gets-through"]

    def start(self, case, seed):
        return Question(seed, self._truth)


def faulty():
    return Radio(sampled)


def repaired():
    return Radio(exact)
