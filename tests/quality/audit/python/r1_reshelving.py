"""A branch library: an author's stray copies go back to the shelf their class mark says."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass, field, replace
from types import SimpleNamespace

AUTHORS = ("Achterberg", "Banda", "Castellanos", "Dragomir")
SHELVES = ("H1", "H2", "H3", "K1", "K2", "K3")
SIGNS = {"H1": "600-629", "H2": "630-659", "H3": "660-699", "K1": "700-739", "K2": "740-769", "K3": "770-799"}


@dataclass
class Copy:
    copy: str
    author: str
    mark: int
    shelf: str

    def home(self) -> str:
        return next(s for s, span in SIGNS.items() if int(span[:3]) <= self.mark <= int(span[4:]))


@dataclass
class Branch:
    copies: list[Copy]
    handled: set[str] = field(default_factory=set)


def stock(rng: random.Random) -> list[Copy]:
    copies = []
    for n in range(16):
        book = Copy(f"c{n + 1:02d}", AUTHORS[n % 4], rng.randint(600, 799), "")
        book.shelf = book.home() if n >= 8 and rng.random() < 0.5 else rng.choice([s for s in SHELVES if s != book.home()])
        copies.append(book)
    return copies


def episode(seed: int, by_hand: bool) -> SimpleNamespace:  # noqa: C901
    rng = random.Random(f"branch/{seed}")
    branch = Branch(stock(rng))
    author = rng.choice(AUTHORS)
    goal = [replace(c, shelf=c.home()) if c.author == author else replace(c) for c in branch.copies]
    astray = [c for c in branch.copies if c.author == author and c.shelf != c.home()]
    due = {c.copy: c.home() for c in astray}

    def signs() -> dict[str, str]:
        """Which class marks each shelf takes."""
        return dict(SIGNS)

    def copies_by(author: str) -> list[dict]:
        """Every copy of an author's books, with class mark and present shelf."""
        if author not in AUTHORS:
            raise ValueError("we hold nothing by that author")
        return [asdict(c) for c in branch.copies if c.author == author]

    def put(copy: str, shelf: str) -> str:
        """Put a copy on a shelf."""
        if shelf not in SHELVES:
            raise ValueError("no such shelf")
        for c in branch.copies:
            if c.copy == copy:
                c.shelf = shelf
                branch.handled.add(f"{copy}>{shelf}")
                return f"{copy} stands on {shelf}"
        raise ValueError("no such copy")

    def finish(answer: object) -> float:
        if by_hand and branch.handled != {f"{c}>{s}" for c, s in due.items()}:
            return 0.0
        return float(branch.copies == goal)

    def reference() -> tuple[list[tuple[str, dict]], object]:
        puts = [("put", {"copy": c, "shelf": s}) for c, s in due.items()]
        return [("signs", {}), ("copies_by", {"author": author}), *puts], None

    prompt = (
        f"Copies of {author}'s books have strayed. See that each stands on the shelf whose sign takes its class mark. Books of other "
        "authors are "
        "not your business, wherever they stand. What counts is how the shelves stand when you are done. No answer is needed."
    )
    return SimpleNamespace(
        prompt=prompt,
        tools=[signs, copies_by, put],
        finish=finish,
        reference=reference,
        state=lambda: {"copies": [asdict(c) for c in branch.copies]},
    )


def library(by_hand: bool) -> SimpleNamespace:
    return SimpleNamespace(name="reshelving", cases=lambda: ["strays"], start=lambda case, seed: episode(seed, by_hand))


def faulty() -> SimpleNamespace:
    return library(by_hand=True)


def repaired() -> SimpleNamespace:
    return library(by_hand=False)
