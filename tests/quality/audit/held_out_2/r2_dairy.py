"""A dairy co-operative's intake book: the agent adds up what a farm delivered in a week."""

import math
import random
import re
import unicodedata

FARMS = ["Holm", "Skarv", "Lunde", "Tveit"]
DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
UNIT = re.compile(r"\s*(l|litres?|liters?)\.?$", re.I)


def amount(text):
    """A written number of litres as a float, or None."""
    text = UNIT.sub("", unicodedata.normalize("NFKC", text).strip().rstrip("."))
    text = re.sub(r"[\s'’]", "", text)
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", text):
        text = text.replace(",", "")
    elif re.fullmatch(r"\d{1,3}(\.\d{3})+,\d+", text) or re.fullmatch(r"\d+,\d{1,2}", text):
        text = text.replace(".", "").replace(",", ".")
    try:
        return float(text)
    except ValueError:
        return None


class Intake:
    def __init__(self, case, seed):
        rng = random.Random(f"{case}-{seed}")
        self.farm, self.case = rng.choice(FARMS), case
        self.book = []
        for farm in FARMS:
            for day in DAYS:
                bad = rng.random() < 0.25
                self.book.append({"farm": farm, "day": day, "litres": rng.randrange(400, 900) / 2, "rejected": bad})
        rows = [r for r in self.book if r["farm"] == self.farm]
        spoilt, sound = rng.sample(rows, 2)
        spoilt["rejected"], sound["rejected"] = True, False
        self.total = sum(r["litres"] for r in rows if not r["rejected"])
        if case == "rejected":
            self.total = sum(r["litres"] for r in rows if r["rejected"])
        what = {"accepted": "delivered in the week, the rejected deliveries left out", "rejected": "had rejected in the week"}[case]
        self.prompt = f"How many litres has the {self.farm} farm {what}? Answer with the figure."
        self.tools = [self.day_sheet]

    def day_sheet(self, day: str) -> list[dict]:
        """All deliveries of a day (Mon, Tue, Wed, Thu, Fri, Sat, Sun)."""
        if not isinstance(day, str) or day not in DAYS:
            raise ValueError("days are " + ", ".join(DAYS))
        return [dict(r) for r in self.book if r["day"] == day]

    def agrees(self, answer):
        return str(answer).strip() == f"{self.total:.2f}"

    def finish(self, answer):
        if isinstance(answer, bool) or not isinstance(answer, (str, int, float)):
            return 0.0
        if len(answer) > 80 if isinstance(answer, str) else not -1e9 < answer < 1e9:
            return 0.0
        return 1.0 if self.agrees(answer) else 0.0

    def reference(self):
        return [("day_sheet", {"day": d}) for d in DAYS], f"{self.total:.2f}"

    def state(self):
        return {"book": [dict(r) for r in self.book]}


class IntakeToo(Intake):
    def agrees(self, answer):
        value = amount(answer) if isinstance(answer, str) else float(answer)
        return value is not None and math.isclose(value, self.total, rel_tol=0, abs_tol=0.005)


class Dairy:
    name = "dairy-intake"

    def __init__(self, intake):
        self.intake = intake

    def cases(self):
        return ["accepted", "rejected"]

    def start(self, case, seed):
        return self.intake(case, seed)


def faulty():
    return Dairy(Intake)


def repaired():
    return Dairy(IntakeToo)
