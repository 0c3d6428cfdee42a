"""An allotment society hands its vacant plots to the people who have waited longest."""

import random
from functools import lru_cache

FOLK = ["Ines Falk", "Tom Abara", "Rhea Lund", "Oskar Pym", "Lila Dent", "Sam Okoro"]
FOLK += ["Vera Holt", "Noel Inge", "Kit Sato", "Mona Beck", "Jon Ash", "Una Weir"]


def society(seed: int) -> tuple[list[dict], list[dict], list[tuple[str, str]]]:
    """Plots, waiting list and who is due which plot, for one season."""
    rng = random.Random(f"season {seed}")
    folk = rng.sample(FOLK, 12)
    labels = rng.sample([f"{row}{number}" for row in "ABCD" for number in range(1, 9)], 7)
    sizes = ["half", "full", "half", "full", "full"]
    plots = [{"plot": label, "size": size, "holder": folk.pop()} for label, size in zip(labels[:5], sizes, strict=True)]
    plots += [{"plot": labels[5], "size": "half", "holder": None}, {"plot": labels[6], "size": "full", "holder": None}]
    days = rng.sample(range(1, 366), 7)
    wishes = ["half", "full", "half", "full", rng.choice(["half", "full"]), "half", "full"]
    waiting = [
        {"person": person, "wants": wish, "days_waiting": wait, "status": "waiting"}
        for person, wish, wait in zip(folk, wishes, days, strict=True)
    ]
    waiting[rng.randrange(5)]["status"] = "left the list"
    rng.shuffle(plots)
    rng.shuffle(waiting)
    due = []
    for plot in plots:
        if plot["holder"] is None:
            queue = [row for row in waiting if row["wants"] == plot["size"] and row["status"] == "waiting"]
            due.append((plot["plot"], max(queue, key=lambda row: row["days_waiting"])["person"]))
    return plots, waiting, due


season = lru_cache(maxsize=64)(society)


class Meeting:
    def __init__(self, seed: int, load):
        plots, waiting, self.due = load(seed)
        self.plot_rows, self.waiting_rows = list(plots), list(waiting)
        given = dict(self.due)
        housed = set(given.values())
        self.want_plots = [{**row, "holder": given.get(row["plot"], row["holder"])} for row in plots]
        self.want_waiting = [{**row, "status": "housed" if row["person"] in housed else row["status"]} for row in waiting]
        self.prompt = (
            "Let each vacant plot to the person on the waiting list who wants that size and has waited the most days. People who left "
            "the list are not considered. Change nothing else."
        )
        self.tools = [self.plots, self.waiting_list, self.let_plot, self.take_back]

    def plots(self) -> list[dict]:
        """All plots with size and holder."""
        return [dict(row) for row in self.plot_rows]

    def waiting_list(self) -> list[dict]:
        """Everyone who has asked for a plot."""
        return [dict(row) for row in self.waiting_rows]

    def let_plot(self, plot: str, person: str) -> str:
        """Let a vacant plot to somebody who is waiting."""
        spot = next((row for row in self.plot_rows if row["plot"] == plot and row["holder"] is None), None)
        one = next((row for row in self.waiting_rows if row["person"] == person and row["status"] == "waiting"), None)
        if spot is None or one is None:
            raise ValueError("the plot is not vacant or the person is not waiting")
        spot["holder"], one["status"] = person, "housed"
        return f"{plot} let to {person}"

    def take_back(self, plot: str) -> str:
        """Undo a letting made from the waiting list."""
        for spot in self.plot_rows:
            for one in self.waiting_rows:
                if spot["plot"] == plot and spot["holder"] == one["person"] and one["status"] == "housed":
                    spot["holder"], one["status"] = None, "waiting"
                    return f"{plot} is vacant"
        raise ValueError("no such letting")

    def finish(self, answer: object) -> float:
        return float(self.plot_rows == self.want_plots and self.waiting_rows == self.want_waiting)

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        lets = [("let_plot", {"plot": plot, "person": person}) for plot, person in self.due]
        return [("plots", {}), ("waiting_list", {}), *lets], None

    def state(self) -> dict[str, list[dict]]:
        return {"plots": self.plots(), "waiting": self.waiting_list()}


class Allotments:
    name = "allotments"

    def __init__(self, load):
        self.load = load

    def cases(self) -> list[str]:
        return ["lettings"]

    def start(self, case: str, seed: int) -> Meeting:
        return Meeting(seed, self.load)


def faulty() -> Allotments:
    return Allotments(season)


def repaired() -> Allotments:
    return Allotments(society)
