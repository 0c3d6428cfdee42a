"""Harvest planning in a vineyard: mark ripe blocks of one grape for picking and add up the crop."""

import random
import re
from dataclasses import asdict, dataclass

GRAPES = ["riesling", "syrah", "furmint", "malbec"]
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday"]


@dataclass
class Block:
    code: str
    grape: str
    brix: float
    tonnes: float
    picking: str = ""


class Harvest:
    def __init__(self, rng: random.Random, bar: float):
        codes = [f"{letter}{n}" for letter in "ABCD" for n in range(1, 10)]
        self.blocks = []
        for n, code in enumerate(sorted(rng.sample(codes, 14))):
            brix = rng.choice([rng.uniform(bar - 4, bar - 0.3), rng.uniform(bar + 0.2, bar + 3)])
            self.blocks.append(Block(code, GRAPES[n % 4], round(brix, 1), rng.randrange(8, 60) / 10))
        self.grape = rng.choice(GRAPES)
        own = [block for block in self.blocks if block.grape == self.grape]
        own[0].brix, own[1].brix = round(bar + 1.1, 1), round(bar - 0.9, 1)
        for block in rng.sample([block for block in self.blocks if block.grape != self.grape], 3):
            block.picking = rng.choice(DAYS)
        self.day = rng.choice(DAYS)
        self.ripe = [block.code for block in own if block.brix >= bar]
        self.crop = round(sum(block.tonnes for block in own if block.brix >= bar), 1)
        self.goal = [{**asdict(block), "picking": self.day if block.code in self.ripe else block.picking} for block in self.blocks]
        self.prompt = (
            f"Plan the picking of every {self.grape} block with a sugar of {bar} degrees Brix or more for {self.day}, "
            "and leave all other blocks as they are. Answer with the tonnes expected from the blocks so planned, to one decimal."
        )
        self.tools = [self.block_codes, self.block, self.plan_picking, self.clear_picking]

    def _get(self, code) -> Block:
        for block in self.blocks:
            if isinstance(code, str) and block.code == code.strip().upper():
                return block
        raise ValueError("there is no such block")

    def block_codes(self, grape: str) -> list[str]:
        """Codes of the blocks planted with a grape."""
        if not isinstance(grape, str) or grape.strip().lower() not in GRAPES:
            raise ValueError("the grapes are " + ", ".join(GRAPES))
        return [block.code for block in self.blocks if block.grape == grape.strip().lower()]

    def block(self, code: str) -> dict:
        """One block: grape, sugar in degrees Brix, expected tonnes, day of picking."""
        return asdict(self._get(code))

    def plan_picking(self, code: str, day: str) -> dict:
        """Plan the picking of a block for a weekday, monday to friday."""
        block = self._get(code)
        if not isinstance(day, str) or day.strip().lower() not in DAYS:
            raise ValueError("the day is one of " + ", ".join(DAYS))
        block.picking = day.strip().lower()
        return asdict(block)

    def clear_picking(self, code: str) -> dict:
        """Take a block out of the picking plan."""
        block = self._get(code)
        block.picking = ""
        return asdict(block)

    def finish(self, answer: object) -> float:
        if isinstance(answer, str) and len(answer) < 40:
            match = re.fullmatch(r"([0-9]{1,4}(?:\.[0-9]{1,10})?)\s*(?:t|tonnes?)?\.?", answer.strip().lower())
            answer = float(match[1]) if match else None
        if not isinstance(answer, int | float) or isinstance(answer, bool) or not 0 <= answer <= 10_000:
            return 0.0
        return 1.0 if abs(answer - self.crop) < 0.001 and self.state()["blocks"] == self.goal else 0.0

    def reference(self):
        reads = [("block_codes", {"grape": self.grape})]
        reads += [("block", {"code": block.code}) for block in self.blocks if block.grape == self.grape]
        return reads + [("plan_picking", {"code": code, "day": self.day}) for code in self.ripe], self.crop

    def alternatives(self):
        return [([("plan_picking", {"code": code, "day": self.day}) for code in reversed(self.ripe)], str(self.crop))]

    def state(self):
        return {"blocks": [asdict(block) for block in self.blocks]}


class Estate:
    name = "vineyard harvest"
    bars = {"early": 20.5, "late": 24.0}

    def cases(self):
        return list(self.bars)

    def start(self, case, seed):
        return Harvest(random.Random(f"{case}/{seed}"), self.bars[case])


class HillEstate(Estate):
    def start(self, case, seed):
        return Harvest(random.Random(hash((case, seed))), self.bars[case])


def faulty():
    return HillEstate()


def repaired():
    return Estate()
