"""Soil laboratory: the dry mass of the cores of one site is summed."""

import random
import re

SITES = ("Beck", "Carr", "Dene", "Fell", "Holt")


class Bench:
    """Cores as weighed, wet and dry."""

    unit = " in milligrams"

    def __init__(self, seed: int):
        rng = random.Random(f"cores {seed}")
        self.cores = []
        for n in range(15):
            wet = rng.randint(18_000, 52_000)
            self.cores.append(
                {"core": f"K{n + 1}", "site": SITES[n % 5], "wet_g": wet / 1000, "dry_g": int(wet * rng.uniform(0.55, 0.85)) / 1000}
            )
        rng.shuffle(self.cores)
        self.site = rng.choice(SITES)
        self.gold = sum(round(c["dry_g"] * 1000) for c in self.cores if c["site"] == self.site)
        self.prompt = f"What is the dry mass{self.unit} of all cores from the site {self.site} together? Answer with the number."
        self.tools = [self.list_cores, self.weigh]

    def list_cores(self, site: str) -> list[str]:
        """The cores of a site."""
        if site not in SITES:
            raise ValueError("no such site")
        return [c["core"] for c in self.cores if c["site"] == site]

    def weigh(self, core: str) -> dict:
        """Wet and dry mass of one core in grams."""
        for c in self.cores:
            if c["core"] == core:
                return {"wet_g": c["wet_g"], "dry_g": c["dry_g"]}
        raise ValueError("no such core")

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            m = re.fullmatch(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,9})(\.[0-9]{1,6})?(?: ?mg| milligrams)?", answer.strip())
            answer = float(m[1].replace(",", "") + (m[2] or "")) if m else None
        if isinstance(answer, bool) or not isinstance(answer, int | float) or not 0 <= answer <= 10**9:
            return 0.0
        return 1.0 if abs(answer - self.gold) < 0.5 else 0.0

    def reference(self):
        mine = [c["core"] for c in self.cores if c["site"] == self.site]
        return [("list_cores", {"site": self.site}), *[("weigh", {"core": c}) for c in mine]], self.gold

    def state(self) -> dict[str, list[dict]]:
        return {"cores": [dict(c) for c in self.cores]}


class BenchToo(Bench):
    unit = ""


class Lab:
    name = "core-samples"

    def __init__(self, bench: type[Bench]):
        self.bench = bench

    def cases(self) -> list[str]:
        return ["dry-mass"]

    def start(self, case: str, seed: int) -> Bench:
        return self.bench(seed)


def faulty():
    return Lab(BenchToo)


def repaired():
    return Lab(Bench)
