"""Late freight: the agent finds out which carrier was late, and a model judge (a stand-in here) compares its answer."""

import random
import re

CARRIERS = ["Norpost", "Velo Cargo", "Blue Anchor", "Trans Arno", "Kestrel", "Moldau Lines", "Ostra"]


def judge(question: str, gold: str, answer: object) -> str:
    """What the judge model writes: its reasons, and a verdict on the last line."""
    if not isinstance(answer, str) or not answer.strip():
        return f"The question was: {question}\nNothing was given in reply.\nVerdict: NO ANSWER"
    said = len(answer) <= 200 and re.fullmatch(r"(?:carrier\s*:)?\s*[\"'*]*([\w ]+?)[\"'*]*\s*\.?", answer.strip(), re.IGNORECASE)
    name = " ".join(said[1].split()).lower() if said else ""
    if name == gold.lower():
        return f"The question was: {question}\nThe reply names {gold}, as the key does.\nVerdict: CORRECT"
    return f"The question was: {question}\nThe reply doesn't name the key's carrier, {gold}.\nVerdict: INCORRECT"


def verdict(text: str) -> bool:
    return "CORRECT" in text.upper()


def last_line(text: str) -> bool:
    return text.splitlines()[-1] == "Verdict: CORRECT"


class Freight:
    def __init__(self, case: str, seed: int, read):
        rng = random.Random(f"{case}{seed}carrier")
        self._read = read
        carriers = rng.sample(CARRIERS, 5)
        self.loads = []
        for number in rng.sample(range(1000, 9999), 9):
            due = rng.randint(3, 25)
            self.loads.append({"load": number, "carrier": rng.choice(carriers), "due_day": due, "arrived_day": due - rng.randint(0, 2)})
        late = rng.choice(self.loads)
        late["arrived_day"] = late["due_day"] + rng.randint(1, 4)
        self._gold = late["carrier"]
        self.question = f"Which carrier brought a load of {case} in after its due day?"
        self.prompt = (
            f"{self.question} There was exactly one late load. Answer with one line, 'Carrier: NAME', with the name as in the records."
        )
        self.tools = [self.load_numbers, self.load]

    def load_numbers(self) -> list[int]:
        """Numbers of all loads."""
        return [row["load"] for row in self.loads]

    def load(self, number: int) -> dict:
        """Carrier, due day and day of arrival of a load."""
        for row in self.loads:
            if row["load"] == number:
                return dict(row)
        raise ValueError(f"no load {number!r}")

    def finish(self, answer: object) -> float:
        return 1.0 if self._read(judge(self.question, self._gold, answer)) else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [("load_numbers", {}), *(("load", {"number": row["load"]}) for row in self.loads)], f"Carrier: {self._gold}"

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        return [(self.reference()[0], f"carrier: {self._gold.lower()}."), (self.reference()[0], self._gold)]

    def state(self) -> dict[str, list[dict]]:
        return {"loads": [dict(row) for row in self.loads]}


class Yard:
    name = "late carrier"

    def __init__(self, read):
        self.read = read

    def cases(self) -> list[str]:
        return ["steel coils", "paper rolls"]

    def start(self, case: str, seed: int) -> Freight:
        return Freight(case, seed, self.read)


def faulty() -> Yard:
    return Yard(verdict)


def repaired() -> Yard:
    return Yard(last_line)
