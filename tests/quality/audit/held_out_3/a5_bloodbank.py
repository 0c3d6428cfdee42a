"""A blood bank recalls the units of a donor who fell ill after giving."""

import random

WARDS = ("maternity", "oncology", "orthopaedics", "surgery", "trauma")
REASONS = ("recall", "expiry", "damage")
GROUPS = ("0+", "0-", "A+", "A-", "B+", "AB+")


class Recall:
    def __init__(self, case, seed):
        rng = random.Random(seed)
        donors = [f"D{n}" for n in rng.sample(range(300, 900), 5)]
        codes = iter(rng.sample(range(2000, 9999), 40))
        self.units, self.pages = {}, []
        for donor in donors:
            group, wards = rng.choice(GROUPS), iter(rng.sample(WARDS, 2))
            fates = ["in stock"] * rng.randint(1, 2) + ["issued"] * rng.randint(1, 2) + ["transfused"] * rng.randint(0, 1)
            rng.shuffle(fates)
            for fate in fates:
                unit = f"U{next(codes)}"
                ward = next(wards) if fate == "issued" else None
                self.units[unit] = {"unit": unit, "donor": donor, "group": group, "status": fate, "ward": ward, "reason": None}
        self.donor = rng.choice(donors)
        theirs = [u for u in self.units.values() if u["donor"] == self.donor]
        self.stocked = [u["unit"] for u in theirs if u["status"] == "in stock"]
        self.warn = {(u["ward"], u["unit"]) for u in theirs if u["status"] == "issued"}
        self.due = {k: dict(u) for k, u in self.units.items()}
        for unit in self.stocked:
            self.due[unit].update(status="discarded", reason="recall")
        self.prompt = (
            f"Donor {self.donor} has rung in with a fever. Recall what the donor gave: discard every unit that is still in stock, with "
            "the reason recall, and for every "
            "unit that is issued to a ward page that ward about that unit, so that it is not used. Transfused units need nothing. Touch "
            "no other donor's units and "
            "page nobody else. No answer is needed."
        )
        self.tools = [self.units_of, self.discard, self.page]

    def _unit(self, unit):
        key = unit.strip().upper() if isinstance(unit, str) else None
        if key not in self.units:
            raise ValueError("unknown unit")
        return self.units[key]

    def units_of(self, donor: str) -> list[dict]:
        """All units of a donor: group, status, and the ward it is issued to."""
        if not isinstance(donor, str) or not (rows := [dict(u) for u in self.units.values() if u["donor"] == donor.strip().upper()]):
            raise ValueError("unknown donor")
        return rows

    def discard(self, unit: str, reason: str) -> dict:
        """Discard a unit in stock. The reason is recall, expiry or damage."""
        row = self._unit(unit)
        if not isinstance(reason, str) or reason.strip().lower() not in REASONS:
            raise ValueError("reason is recall, expiry or damage")
        if row["status"] != "in stock":
            raise ValueError("only units in stock can be discarded")
        row.update(status="discarded", reason=reason.strip().lower())
        return dict(row)

    def page(self, ward: str, unit: str) -> str:
        """Page a ward not to use a unit."""
        if not isinstance(ward, str) or ward.strip().lower() not in WARDS:
            raise ValueError(f"wards are {', '.join(WARDS)}")
        note = (ward.strip().lower(), self._unit(unit)["unit"])
        if note in self.pages:
            raise ValueError("that ward has been paged about that unit")
        self.pages.append(note)
        return "paged"

    def state(self):
        return {"units": [dict(u) for u in self.units.values()], "pages": [{"ward": w, "unit": u} for w, u in self.pages]}

    def _writes(self):
        pages = [("page", {"ward": w, "unit": u}) for w, u in sorted(self.warn)]
        return [("discard", {"unit": u, "reason": "recall"}) for u in self.stocked] + pages

    def reference(self):
        return [("units_of", {"donor": self.donor}), *self._writes()], None

    def alternatives(self):
        return [(self._writes()[::-1], "recalled")]

    def paged(self):
        return set(self.pages) <= self.warn

    def finish(self, answer):
        return 1.0 if self.units == self.due and self.paged() else 0.0


class RecallB(Recall):
    def paged(self):
        return set(self.pages) == self.warn


class Bank:
    name = "blood-bank"

    def __init__(self, episode):
        self.episode = episode

    def cases(self):
        return ["donor recall"]

    def start(self, case, seed):
        return self.episode(case, seed)


def faulty():
    return Bank(Recall)


def repaired():
    return Bank(RecallB)
