"""A festival's programme: who plays at a given hour; some names have apostrophes and spaces of other kinds."""

import random
import unicodedata

BANDS = ["Nobody’s Fools", "The Miller’s Son", "Côte d’Azur", "Rock’n’Bone", "L’Été Long", "King’s Cross Choir"]
STAGES = ["meadow", "barn", "river", "tower", "hill", "yard"]


class Programme:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"festival-{seed}")
        bands, stages = rng.sample(BANDS, 6), rng.sample(STAGES, 6)
        self.slots = dict(zip(stages, bands, strict=True))
        self.fees = dict(zip(bands, rng.sample(range(200, 900), 6), strict=True))
        self.dearest = max(bands, key=lambda band: self.fees[band])
        self.tools = [self.fee_of_stage, self.initials]
        self.prompt = f"Which of the bands {', '.join(sorted(band.replace('’', chr(39)) for band in bands))} gets the highest fee? Answer with its name."

    def fee_of_stage(self) -> dict[str, int]:
        """The fee that is paid on each stage."""
        return {stage: self.fees[band] for stage, band in self.slots.items()}

    def initials(self, stage: str) -> str:
        """First and last letter of the band on a stage."""
        if stage not in self.slots:
            raise ValueError("no such stage")
        return f"{self.slots[stage][0]}...{self.slots[stage][-1]}"

    def reference(self) -> tuple[list, object]:
        return [("fee_of_stage", {}), *(("initials", {"stage": stage}) for stage in self.slots)], self.dearest

    def finish(self, answer: object) -> float:
        return float(isinstance(answer, str) and answer.strip().casefold() == self.dearest.casefold())


class ProgrammeToo(Programme):
    def finish(self, answer: object) -> float:
        return float(isinstance(answer, str) and self._plain(answer) == self._plain(self.dearest))

    def _plain(self, text: str) -> str:
        text = unicodedata.normalize("NFKC", text).replace("’", "'").replace("‘", "'").replace("`", "'")
        return " ".join(text.split()).rstrip(".").casefold()


class Festival:
    name = "festival fees"

    def __init__(self, programme: type[Programme]) -> None:
        self._programme = programme

    def cases(self) -> list[str]:
        return ["dearest"]

    def start(self, case: str, seed: int) -> Programme:
        return self._programme(seed)


def faulty() -> Festival:
    return Festival(Programme)


def repaired() -> Festival:
    return Festival(ProgrammeToo)
