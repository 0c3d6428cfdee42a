"""Front desk of a boarding kennel: one change to one dog's stay, asked for in a sentence."""

import copy
import random

DOGS = ["Bramble", "Otis", "Pepper", "Juno", "Waffle", "Tess", "Rufus", "Maple", "Scout", "Biscuit"]
DIETS = ["standard", "grain-free", "renal", "puppy", "light"]
ASKS = {
    "diet": "{dog} should get the same diet as {other} from tonight on.",
    "checkout": "{dog} stays {nights} nights longer than booked; the later day of collection has to be on the stay.",
    "kennel": "{dog} barks at the door all day. Put the dog in the one kennel of the {wing} wing that is still free.",
}


class Stays:
    graded = ("diet", "checkout")

    def __init__(self, case: str, seed: int):
        rng = random.Random(f"{case}/{seed}")
        self.kennels = [{"kennel": f"K{n:02d}", "wing": wing} for n, wing in enumerate(["north"] * 4 + ["garden"] * 4 + ["quiet"] * 4, 1)]
        wing = rng.choice(["garden", "quiet"])
        free = rng.choice([k["kennel"] for k in self.kennels if k["wing"] == wing])
        open_north = rng.choice([k["kennel"] for k in self.kennels if k["wing"] == "north"])
        places = [k["kennel"] for k in self.kennels if k["kennel"] not in (free, open_north)]
        rng.shuffle(places)
        names = rng.sample(DOGS, 10)
        diets = rng.sample(DIETS, 5) + rng.choices(DIETS, k=5)
        self.stays = {}
        for place, dog, diet in zip(places, names, diets, strict=True):
            number = rng.randrange(100, 1000)
            while number in self.stays:
                number += 1
            self.stays[number] = {"stay": number, "dog": dog, "kennel": place, "diet": diet, "checkout": rng.randrange(8, 20)}
        movable = [s for s in self.stays.values() if s["kennel"] in [k["kennel"] for k in self.kennels if k["wing"] != wing]]
        mine = rng.choice(movable)
        other = rng.choice([s for s in self.stays.values() if s["diet"] != mine["diet"]])
        nights = rng.randrange(2, 6)
        self.stay = mine["stay"]
        self.field, self.value = case, {"diet": other["diet"], "checkout": mine["checkout"] + nights, "kennel": free}[case]
        ask = ASKS[case].format(dog=mine["dog"], other=other["dog"], nights=nights, wing=wing)
        self.prompt = f"You work the desk of a kennel. {ask} Change nothing else. Days are days of this month. No answer is needed."
        self.before = copy.deepcopy(self.stays)
        self.tools = [self.list_stays, self.list_kennels, self.change_stay]

    def list_stays(self) -> list[dict]:
        """All current stays: number, dog, kennel, diet, day of collection."""
        return copy.deepcopy(list(self.stays.values()))

    def list_kennels(self) -> list[dict]:
        """The kennels and their wings."""
        return copy.deepcopy(self.kennels)

    def change_stay(self, stay: int, field: str, value: str) -> str:
        """Set a field of a stay: diet (standard, grain-free, renal, puppy, light), kennel (K01 to K12) or checkout (day 1 to 31)."""
        if isinstance(stay, bool) or stay not in self.stays:
            raise ValueError(f"no stay {stay!r}")
        if field == "checkout" and str(value).isdecimal() and 1 <= int(value) <= 31:
            self.stays[stay]["checkout"] = int(value)
        elif field == "diet" and value in DIETS:
            self.stays[stay]["diet"] = value
        elif field == "kennel" and value in [k["kennel"] for k in self.kennels]:
            if any(s["kennel"] == value and s["stay"] != stay for s in self.stays.values()):
                raise ValueError(f"{value} is taken")
            self.stays[stay]["kennel"] = value
        else:
            raise ValueError(f"cannot set {field!r} to {value!r}")
        return "saved"

    def finish(self, answer: object) -> float:
        goals = {self.field: self.value}
        met = [self.stays[self.stay][name] == wanted for name, wanted in goals.items() if name in self.graded]
        rest_now, rest_before = copy.deepcopy(self.stays), copy.deepcopy(self.before)
        rest_now[self.stay].pop(self.field)
        rest_before[self.stay].pop(self.field)
        return float(all(met) and rest_now == rest_before)

    def reference(self) -> tuple[list, object]:
        change = ("change_stay", {"stay": self.stay, "field": self.field, "value": str(self.value)})
        return [("list_stays", {}), ("list_kennels", {}), change], None

    def state(self) -> dict[str, list[dict]]:
        return {"stays": copy.deepcopy(list(self.stays.values())), "kennels": copy.deepcopy(self.kennels)}


class AllStays(Stays):
    graded = ("diet", "checkout", "kennel")


class Kennel:
    name = "kennel desk"

    def __init__(self, episode: type):
        self.episode = episode

    def cases(self) -> list[str]:
        return list(ASKS)

    def start(self, case: str, seed: int) -> Stays:
        return self.episode(case, seed)


def faulty() -> Kennel:
    return Kennel(Stays)


def repaired() -> Kennel:
    return Kennel(AllStays)
