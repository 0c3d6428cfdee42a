"""A swimming gala: give the medals of one event from its result list."""

import random

NAMES = ["Ada Brandt", "Bo Lindqvist", "Cleo Marsh", "Dan Okafor", "Eva Roth"]
NAMES += ["Finn Sato", "Gia Toledo", "Hugo Weiss", "Ines Young", "Jon Adler"]
SPANS = {"400 m": [265, 290, 310], "800 m": [550, 575, 580, 610]}
MEDALS = ("gold", "silver")


def shown(tenths):
    return f"{tenths // 600}:{tenths % 600 // 10:02d}.{tenths % 10}"


def tenths_of(time):
    minutes, rest = time.split(":")
    return int(minutes) * 600 + int(rest.replace(".", ""))


def by_text(row):
    return row["time"]


def by_clock(row):
    return tenths_of(row["time"])


class Gala:
    name = "swimming gala medals"

    def __init__(self, order):
        self.order = order

    def cases(self):
        return list(SPANS)

    def start(self, case, seed):
        return Meeting(case, random.Random(f"gala/{case}/{seed}"), self.order)


class Meeting:
    def __init__(self, case, rng, order):
        self.rows, self.given = [], []
        for event, bases in SPANS.items():
            swimmers = rng.sample(NAMES, 7)
            base = rng.choice(bases)
            times = [base * 10 + extra for extra in rng.sample(range(480), 7)]
            out = rng.choice(sorted(range(7), key=lambda i: times[i])[:3])
            for lane, (swimmer, time) in enumerate(zip(swimmers, times, strict=True), 1):
                self.rows.append(
                    {
                        "event": event,
                        "lane": lane,
                        "swimmer": swimmer,
                        "time": shown(time),
                        "remark": "disqualified" if lane - 1 == out else "",
                    }
                )
        for event in ["100 m", *SPANS]:
            if event != case:
                for medal, swimmer in zip(MEDALS, self.ranked(event, by_clock) or rng.sample(NAMES, 2), strict=False):
                    self.given.append({"event": event, "medal": medal, "swimmer": swimmer})
        self.event = case
        self.solution = self.ranked(case, by_clock)
        self.wanted = self.listed() + [(case, medal, swimmer) for medal, swimmer in zip(MEDALS, self.ranked(case, order), strict=False)]
        self.prompt = (
            f"The {case} has been swum. Award its gold medal to the fastest swimmer and its silver medal to the second fastest, "
            "leaving out anyone disqualified. Leave the medals of the other events as they are. There is nothing to answer."
        )
        self.tools = [self.results, self.medals, self.award, self.withdraw]

    def ranked(self, event, order):
        swum = [row for row in self.rows if row["event"] == event and not row["remark"]]
        return [row["swimmer"] for row in sorted(swum, key=order)][:2]

    def listed(self):
        return [(row["event"], row["medal"], row["swimmer"]) for row in self.given]

    def results(self, event: str) -> list:
        """Result list of an event by lane: swimmer, time in minutes and seconds, remark."""
        found = [dict(row) for row in self.rows if isinstance(event, str) and row["event"] == event]
        if not found:
            raise ValueError("no results for that event; there are 400 m and 800 m")
        return found

    def medals(self) -> list:
        """All medals given so far."""
        return [dict(row) for row in self.given]

    def award(self, event: str, swimmer: str, medal: str) -> str:
        """Give a medal (gold or silver) of an event to one of its swimmers."""
        if medal not in MEDALS:
            raise ValueError("the medal is gold or silver")
        if not any(row["swimmer"] == swimmer for row in self.results(event)):
            raise ValueError("nobody of that name swam in that event")
        if any(row["event"] == event and row["medal"] == medal for row in self.given):
            raise ValueError("that medal is given already; withdraw it first")
        self.given.append({"event": event, "medal": medal, "swimmer": swimmer})
        return f"{medal} to {swimmer}"

    def withdraw(self, event: str, medal: str) -> str:
        """Take a medal of an event back."""
        for row in self.given:
            if row["event"] == event and row["medal"] == medal:
                self.given.remove(row)
                return "withdrawn"
        raise ValueError("no such medal has been given")

    def finish(self, answer: object) -> float:
        return float(sorted(self.listed()) == sorted(self.wanted))

    def reference(self):
        calls = [("results", {"event": self.event})]
        for medal, swimmer in zip(MEDALS, self.solution, strict=True):
            calls.append(("award", {"event": self.event, "swimmer": swimmer, "medal": medal}))
        return calls, None

    def state(self):
        return {"results": [dict(row) for row in self.rows], "medals": self.medals()}


def faulty():
    return Gala(by_text)


def repaired():
    return Gala(by_clock)
