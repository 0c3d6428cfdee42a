"""Insurance back office: the cover of a household policy is raised."""

import random

STREETS = ["Ash Row", "Birch Hill", "Cedar Close", "Dock Street", "Elm Court", "Fir Bank", "Gorse Lane"]


class Office:
    most = 120_000

    def __init__(self, seed: int):
        rng = random.Random(f"cover-{seed}")
        self.policies = [
            {"policy": f"HH-{n}", "holder": h, "address": f"{rng.randint(1, 80)} {s}", "cover": rng.randrange(10_000, 40_000, 500)}
            for n, h, s in zip(
                rng.sample(range(3000, 4000), 7), rng.sample(["Abe", "Bo", "Cy", "Di", "Ed", "Flo", "Gus"], 7), STREETS, strict=True
            )
        ]
        self.own = rng.choice(self.policies)["policy"]
        self.cover = rng.randrange(62_000, 115_000, 500)
        mine = next(p for p in self.policies if p["policy"] == self.own)
        self.goal = [p | ({"cover": self.cover} if p is mine else {}) for p in self.policies]
        self.prompt = f"The holder of the policy for {mine['address']} wants a cover of {self.cover} pounds. Set it. Nothing to answer."
        self.tools = [self.find, self.set_cover]

    def find(self, address: str) -> list[dict]:
        """Policies for an address, or for all addresses that contain the words given."""
        if not isinstance(address, str):
            raise ValueError("give an address")
        return [dict(p) for p in self.policies if address.lower() in p["address"].lower()]

    def set_cover(self, policy: str, pounds: int) -> str:
        """Set the cover of a policy, in pounds."""
        if type(pounds) is not int or not 1000 <= pounds <= self.most:
            raise ValueError(f"cover is 1000 to {self.most} pounds")
        for p in self.policies:
            if p["policy"] == policy:
                p["cover"] = pounds
                return "set"
        raise ValueError("no such policy")

    def finish(self, answer: object) -> float:
        return 1.0 if self.policies == self.goal else 0.0

    def reference(self):
        address = next(p["address"] for p in self.policies if p["policy"] == self.own)
        return [("find", {"address": address}), ("set_cover", {"policy": self.own, "pounds": self.cover})], None

    def state(self) -> dict[str, list[dict]]:
        return {"policies": [dict(p) for p in self.policies]}


class OfficeToo(Office):
    most = 60_000


class Insurer:
    name = "cover-raise"

    def __init__(self, office: type[Office]):
        self.office = office

    def cases(self) -> list[str]:
        return ["raise"]

    def start(self, case: str, seed: int) -> Office:
        return self.office(seed)


def faulty():
    return Insurer(OfficeToo)


def repaired():
    return Insurer(Office)
