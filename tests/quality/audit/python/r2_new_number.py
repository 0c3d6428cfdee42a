"""Reception of a dental practice: a patient's new telephone number is taken down."""

import random

NAMES = ["Amara Finch", "Bela Kovac", "Cleo Marsh", "Dafydd Rees", "Esi Boateng", "Farid Aziz", "Gwen Stone", "Hana Sato"]


class Reception:
    def __init__(self, seed: int, tidy: bool):
        rng = random.Random(f"reception-{seed}")
        self.tidy = tidy
        self.patients = {}
        for name, no in zip(NAMES, rng.sample(range(100, 999), len(NAMES)), strict=True):
            self.patients[f"P{no}"] = {"name": name, "born": rng.randint(1940, 2015), "phone": self._number(rng)}
        self.who = rng.choice(sorted(self.patients))
        self.number = self._number(rng)
        self.was = {p: dict(row) for p, row in self.patients.items()}
        area, first, last = self.number[:3], self.number[3:7], self.number[7:]
        self.prompt = (
            f"{self.patients[self.who]['name']} has rung: the new telephone number is {area} {first} {last}. Put it on the card. "
            "No other card changes. There's nothing to report."
        )
        self.tools = [self.search, self.card, self.set_phone]

    @staticmethod
    def _number(rng: random.Random) -> str:
        return f"0{rng.choice((20, 24, 29))}{rng.randint(2000, 9999)}{rng.randint(0, 9999):04d}"

    def search(self, name: str) -> list[str]:
        """The card numbers of patients with this name."""
        return [p for p, row in self.patients.items() if row["name"] == name]

    def card(self, patient: str) -> dict:
        """One patient's card."""
        if patient not in self.patients:
            raise ValueError("no such card")
        return dict(self.patients[patient])

    def set_phone(self, patient: str, phone: str) -> str:
        """Write a telephone number on a card: digits, with spaces, hyphens, brackets or a leading + if you like."""
        if patient not in self.patients or not isinstance(phone, str) or not 6 <= len(phone) <= 25:
            raise ValueError("no such card, or not a telephone number")
        if not all(c in "0123456789 -()" for c in phone.removeprefix("+")):
            raise ValueError("not a telephone number")
        self.patients[patient]["phone"] = phone
        return "written"

    def _plain(self, phone: str) -> str:
        if not self.tidy:
            return phone
        digits = "".join(c for c in phone if c in "0123456789")
        return "0" + digits[2:].removeprefix("0") if phone.startswith("+44") else digits

    def finish(self, answer: object) -> float:
        due = {p: row | ({"phone": self.number} if p == self.who else {}) for p, row in self.was.items()}
        mine = self.patients[self.who]
        got = self.patients | {self.who: mine | {"phone": self._plain(mine["phone"])}}
        return 1.0 if got == due else 0.0

    def reference(self):
        name = self.patients[self.who]["name"]
        return [("search", {"name": name}), ("set_phone", {"patient": self.who, "phone": self.number})], None

    def state(self) -> dict[str, list[dict]]:
        return {"patients": [{"patient": p} | row for p, row in self.patients.items()]}


class Practice:
    name = "new-number"

    def __init__(self, tidy: bool):
        self.tidy = tidy

    def cases(self) -> list[str]:
        return ["phone"]

    def start(self, case: str, seed: int) -> Reception:
        return Reception(seed, self.tidy)


def faulty():
    return Practice(False)


def repaired():
    return Practice(True)
