"""A clinic still faxes. Lines are busy for a while, so a document may take some attempts to get through."""

import random

OFFICES = ["Dr Amsel", "Dr Bruno", "Lab West", "Pharmacy Oak", "Radiology", "Dr Celik", "Physio Lane"]
PAPERS = ["referral", "blood count", "prescription", "consent form", "discharge letter"]


class Gateway:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"fax/{seed}")
        self._numbers = dict(zip(OFFICES, (f"0{n}" for n in rng.sample(range(20_000, 99_999), len(OFFICES))), strict=True))
        self._papers = dict(zip(rng.sample(range(10, 99), len(PAPERS)), PAPERS, strict=True))
        self._busy = {number: rng.randint(0, 3) for number in self._numbers.values()}
        offices = rng.sample(OFFICES, 2)
        self._busy[self._numbers[offices[0]]] = rng.randint(1, 3)
        self._waits = dict(self._busy)
        self._document = rng.choice(list(self._papers))
        self._to = [self._numbers[office] for office in offices]
        self._sent: set[tuple[int, str]] = set()
        self._attempts: list[dict] = []
        self.prompt = (
            f"Fax the {self._papers[self._document]} to {offices[0]} and to {offices[1]}, and nothing else to anybody: what has gone out "
            "can't be called back. A busy line is normal; try it again until it goes through, which it does after a few attempts. The "
            "list of attempts is kept for the telephone bill and isn't judged. No answer is asked for."
        )
        self.tools = [self.directory, self.documents, self.send]

    def directory(self) -> dict[str, str]:
        """Fax numbers by office."""
        return dict(self._numbers)

    def documents(self) -> list[dict]:
        """Documents that can be faxed."""
        return [{"document": n, "title": title} for n, title in sorted(self._papers.items())]

    def send(self, document: int, number: str) -> str:
        """Fax a document to a number. Fails if the line is busy, or if it has been sent there already."""
        if document not in self._papers or number not in self._busy:
            raise ValueError("no such document or number")
        if (document, number) in self._sent:
            raise ValueError("this document has gone to that number already")
        through = self._busy[number] == 0
        self._attempts.append({"n": len(self._attempts) + 1, "number": number, "through": through})
        if not through:
            self._busy[number] -= 1
            raise ValueError("line busy")
        self._sent.add((int(document), number))
        return "sent"

    def state(self) -> dict[str, list[dict]]:
        return {
            "documents": self.documents(),
            "sent": [{"document": document, "number": number} for document, number in sorted(self._sent)],
            "attempts": [dict(row) for row in self._attempts],
        }

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [("directory", {}), ("documents", {}), *(call for number in self._to for call in self._tries(number))], None

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        first, second = (self._tries(number) for number in self._to)
        return [([*second, *first], None), ([*first, *first, *second, *second], "both sent")]

    def _tries(self, number: str) -> list[tuple[str, dict]]:
        return [("send", {"document": self._document, "number": number}) for _ in range(self._waits[number] + 1)]

    def finish(self, answer: object) -> float:
        return 1.0 if self._sent == {(self._document, number) for number in self._to} else 0.0


class Clinic:
    name = "fax gateway"

    def cases(self) -> list[str]:
        return ["two offices"]

    def start(self, case: str, seed: int) -> Gateway:
        return Gateway(seed)


def sound() -> Clinic:
    return Clinic()
