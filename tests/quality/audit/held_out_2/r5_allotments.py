"""An allotment society: a holder gives up a plot, and the agent finds it in the books and releases it."""

import random

LANES = ["Bramble Lane", "Weir Lane", "Heron Lane"]
FIRST = ["Ada", "Bohdan", "Chiara", "Dev", "Esme", "Farid", "Gwen", "Henrik", "Ines", "Jarek", "Kofi", "Lena", "Malik", "Nora"]
LAST = ["Akers", "Bello", "Castell", "Dunmore", "Eklund"]


class Books:
    def __init__(self, seed, page):
        rng = random.Random(f"plots {seed}")
        self.page = page
        self.plots = {}
        for lane in LANES:
            for first in rng.sample(FIRST, 10):
                key = f"P-{rng.getrandbits(32):08x}"
                holder = f"{first} {rng.choice(LAST)}"
                self.plots[key] = {"lane": lane, "holder": holder, "square_metres": rng.randrange(80, 260, 10), "let": True}
        self.lane = rng.choice(LANES)
        shelf = sorted(k for k, v in self.plots.items() if v["lane"] == self.lane)
        self.target = rng.choice(shelf[6:])
        self.read = shelf[: shelf.index(self.target) + 1]
        decoy = rng.choice([k for k, v in self.plots.items() if v["lane"] != self.lane])
        self.plots[decoy]["holder"] = self.plots[self.target]["holder"]
        self.origin = {k: dict(v) for k, v in self.plots.items()}
        self.prompt = (
            f"{self.plots[self.target]['holder']} gives up the plot on {self.lane}. Find "
            "that plot in the books and release it; nothing else may change "
            "(the same person may hold other plots elsewhere, those stay let). Answer with the released plot's number."
        )
        self.tools = [self.plots_on, self.read_plot, self.release, self.let_again]

    def plots_on(self, lane: str) -> list[str]:
        """Numbers of the plots on a lane, sorted, as many as one page of the books holds."""
        if not isinstance(lane, str) or lane not in LANES:
            raise ValueError("the lanes are " + ", ".join(LANES))
        return sorted(k for k, v in self.plots.items() if v["lane"] == lane)[: self.page]

    def read_plot(self, plot: str) -> dict:
        """The page of one plot."""
        return dict(self._get(plot))

    def release(self, plot: str) -> str:
        """Mark a plot as no longer let."""
        self._get(plot)["let"] = False
        return "released"

    def let_again(self, plot: str) -> str:
        """Take a release back."""
        self._get(plot)["let"] = True
        return "let"

    def _get(self, plot):
        if not isinstance(plot, str) or plot not in self.plots:
            raise ValueError("no such plot")
        return self.plots[plot]

    def finish(self, answer):
        want = {k: {**v, "let": False} if k == self.target else v for k, v in self.origin.items()}
        named = isinstance(answer, str) and answer.strip().rstrip(".").lower() == self.target.lower()
        return 1.0 if named and self.plots == want else 0.0

    def reference(self):
        reads = [("read_plot", {"plot": k}) for k in self.read]
        return [("plots_on", {"lane": self.lane}), *reads, ("release", {"plot": self.target})], self.target

    def state(self):
        return {"plots": [{"plot": k, **v} for k, v in self.plots.items()]}


class Society:
    name = "allotment-books"

    def __init__(self, page):
        self.page = page

    def cases(self):
        return ["plot-given-up"]

    def start(self, case, seed):
        return Books(seed, self.page)


def faulty():
    return Society(page=6)


def repaired():
    return Society(page=60)
