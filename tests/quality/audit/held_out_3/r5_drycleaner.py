"""The counter of a dry cleaner: follow garments through the shop by their tags."""

import random
import re

CUSTOMERS = ["Mrs Halloran", "Mr Petrov", "Ms Nakamura", "Mr Dubois", "Ms Achebe"]
KINDS = ["coat", "suit", "dress", "blazer", "curtain", "scarf", "skirt"]
STEPS = {
    "received": ("cleaning",),
    "cleaning": ("pressing",),
    "pressing": ("cleaning", "ready"),
    "ready": ("pressing", "collected"),
    "collected": (),
}
FLOOR_STEPS = {**STEPS, "ready": ("pressing",)}


class Counter:
    def __init__(self, case, seed, steps):
        rng = random.Random(f"{seed}:{case}:garments")
        self.steps = steps
        self.customer = rng.choice(CUSTOMERS)
        moved = "pressing" if case == "rack" else "ready"
        tags = iter(rng.sample(range(300, 400), 40))
        self.rows = []
        for customer in CUSTOMERS:
            statuses = [rng.choice(list(STEPS)) for _ in range(rng.randint(1, 3))]
            if customer == self.customer:
                statuses += [moved] * rng.randint(1, 2) + ["received", "cleaning"][: rng.randint(1, 2)]
            rng.shuffle(statuses)
            for status in statuses:
                self.rows.append({"tag": f"G{next(tags)}", "customer": customer, "kind": rng.choice(KINDS), "status": status})
        rng.shuffle(self.rows)
        self.end = "ready" if case == "rack" else "collected"
        self.todo = [row["tag"] for row in self.rows if row["customer"] == self.customer and row["status"] == moved]
        self.goal = [dict(row, status=self.end) if row["tag"] in self.todo else dict(row) for row in self.rows]
        mine = [row["status"] for row in self.goal if row["customer"] == self.customer]
        if case == "rack":
            self.count = mine.count("ready")
            job = (
                "Pressing is done: set every garment of {0} that is in pressing to ready. "
                "Answer with the number of garments of {0} that are ready then."
            )
        else:
            self.count = len(mine) - mine.count("collected")
            job = (
                "{0} is at the counter and takes everything that is ready: set each ready garment of {0} to collected. "
                "Answer with the number of garments of {0} that are not collected then."
            )
        self.prompt = job.format(self.customer) + " Leave all other garments as they are."
        self.tools = [self.find, self.garment, self.set_status]

    def row(self, tag):
        for row in self.rows:
            if isinstance(tag, str) and row["tag"] == tag.strip().upper():
                return row
        raise ValueError("no garment has that tag")

    def find(self, customer: str) -> list[str]:
        """Tags of all garments of a customer."""
        tags = [row["tag"] for row in self.rows if isinstance(customer, str) and row["customer"].lower() == customer.strip().lower()]
        if not tags:
            raise ValueError("no customer of that name")
        return tags

    def garment(self, tag: str) -> dict:
        """Kind, owner and status of the garment with this tag."""
        return dict(self.row(tag))

    def set_status(self, tag: str, status: str) -> dict:
        """Move a garment to its next status (received, cleaning, pressing, ready, collected) or, where the shop allows it, one back."""
        row = self.row(tag)
        if not isinstance(status, str) or status not in STEPS:
            raise ValueError("unknown status")
        if status not in self.steps[row["status"]]:
            raise ValueError(f"a garment that is {row['status']} can't be set to {status[:12]}")
        row["status"] = status
        return dict(row)

    def finish(self, answer: object) -> float:
        if isinstance(answer, str) and len(answer) < 40:
            match = re.fullmatch(r"([0-9]{1,3})(?:\.0+)?(?: garments?)?\.?", answer.strip())
            answer = int(match[1]) if match else None
        right = isinstance(answer, int | float) and not isinstance(answer, bool) and answer == self.count
        return 1.0 if right and self.rows == self.goal else 0.0

    def reference(self):
        reads = [("find", {"customer": self.customer})]
        reads += [("garment", {"tag": row["tag"]}) for row in self.rows if row["customer"] == self.customer]
        return reads + [("set_status", {"tag": tag, "status": self.end}) for tag in self.todo], self.count

    def state(self):
        return {"garments": [dict(row) for row in self.rows]}


class Cleaner:
    name = "dry cleaner"

    def __init__(self, steps):
        self.steps = steps

    def cases(self):
        return ["rack", "counter"]

    def start(self, case, seed):
        return Counter(case, seed, self.steps)


def faulty():
    return Cleaner(FLOOR_STEPS)


def repaired():
    return Cleaner(STEPS)
