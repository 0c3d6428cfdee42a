"""An allotment society gives a free plot to somebody on its waiting list."""

import copy
import functools
import random

PEOPLE = ["Abel", "Britta", "Carmen", "Dieter", "Esra", "Fergus", "Greta", "Hamid", "Iris", "Joao", "Kim", "Leila", "Marek", "Nora"]


def draw(seed):
    rng = random.Random(seed * 31 + 5)
    people = rng.sample(PEOPLE, len(PEOPLE))
    numbers = sorted(rng.sample(range(1, 60), 10))
    areas = rng.sample(range(60, 320, 10), 10)
    free = set(rng.sample(numbers, 4))
    plots = [
        {"plot": number, "area": area, "water": rng.random() < 0.5, "tenant": None if number in free else people.pop()}
        for number, area in zip(numbers, areas, strict=True)
    ]
    waiting = [{"name": name, "since": 2015 + rng.randrange(10), "housed": False} for name in people[:5]]
    sizes = sorted(row["area"] for row in plots if row["tenant"] is None)
    least = rng.randint(sizes[0] + 1, sizes[2])
    plot = min((row for row in plots if row["tenant"] is None and row["area"] >= least), key=lambda row: row["area"])
    return plots, waiting, {"least": least, "plot": plot["plot"], "name": rng.choice(waiting)["name"]}


register = functools.lru_cache(maxsize=256)(draw)


class Office:
    def __init__(self, tables):
        self.plot_rows, self.waiting_rows, task = tables
        self.number, self.name = task["plot"], task["name"]
        self.goal = copy.deepcopy((self.plot_rows, self.waiting_rows))
        next(row for row in self.goal[0] if row["plot"] == self.number)["tenant"] = self.name
        next(row for row in self.goal[1] if row["name"] == self.name)["housed"] = True
        self.prompt = (
            f"{self.name} on the waiting list asks for a plot of at least {task['least']} square metres. "
            "Give them the smallest free plot that is large enough, and change nothing else. There is nothing to answer."
        )
        self.tools = [self.plots, self.waiting_list, self.give_plot, self.take_back]

    def plots(self) -> list:
        """All plots: number, area in square metres, whether there is water, tenant (null when free)."""
        return [dict(row) for row in self.plot_rows]

    def waiting_list(self) -> list:
        """Everybody on the waiting list, and whether they have been housed."""
        return [dict(row) for row in self.waiting_rows]

    def one(self, plot):
        if isinstance(plot, int) and not isinstance(plot, bool):
            for row in self.plot_rows:
                if row["plot"] == plot:
                    return row
        raise ValueError("there is no plot of that number")

    def give_plot(self, plot: int, name: str) -> dict:
        """Give a free plot to a person on the waiting list who is not housed yet."""
        row = self.one(plot)
        person = next((p for p in self.waiting_rows if isinstance(name, str) and p["name"] == name.strip() and not p["housed"]), None)
        if person is None:
            raise ValueError("nobody of that name is waiting")
        if row["tenant"] is not None:
            raise ValueError("that plot has a tenant")
        row["tenant"], person["housed"] = person["name"], True
        return dict(row)

    def take_back(self, plot: int) -> dict:
        """Take a plot back from its tenant; if they were on the waiting list, they wait again."""
        row = self.one(plot)
        if row["tenant"] is None:
            raise ValueError("that plot is free")
        for person in self.waiting_rows:
            if person["name"] == row["tenant"]:
                person["housed"] = False
        row["tenant"] = None
        return dict(row)

    def finish(self, answer: object) -> float:
        return 1.0 if (self.plot_rows, self.waiting_rows) == self.goal else 0.0

    def reference(self):
        return [("plots", {}), ("waiting_list", {}), ("give_plot", {"plot": self.number, "name": self.name})], None

    def state(self):
        return {"plots": self.plots(), "waiting": self.waiting_list()}


class Society:
    name = "allotment society"

    def __init__(self, source):
        self.source = source

    def cases(self):
        return ["next plot"]

    def start(self, case, seed):
        return Office(self.source(seed))


def faulty():
    return Society(register)


def repaired():
    return Society(draw)
