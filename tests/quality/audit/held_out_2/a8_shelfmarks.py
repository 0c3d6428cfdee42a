"""A library's sorting machine: the agent writes prefix rules that send each shelfmark to its room."""

import random
import re

ROOMS = ("Annex", "Gallery", "Hall", "Tower", "Vault")
PREFIX = re.compile(r"[A-Z]{1,2}|[A-Z]{2}-[0-9]{0,3}")


class Sorter:
    def __init__(self, seed):
        rng = random.Random(1009 * seed + 11)
        letters = "BDFGKLMPRT"
        codes = rng.sample([a + b for a in letters for b in letters if a != b], 4)
        self.law = {}
        for code in codes:
            self.law[code] = rng.choice(ROOMS)
        self.odd = {}
        for code in rng.sample(codes, 2):
            digit = rng.randrange(10)
            self.odd[f"{code}-{digit}"] = rng.choice([r for r in ROOMS if r != self.law[code]])
        self.samples = []
        for code in codes:
            usual = [d for d in range(10) if f"{code}-{d}" not in self.odd]
            self.samples.append(f"{code}-{rng.choice(usual)}{rng.randrange(100):02d}")
        for stem in self.odd:
            self.samples.append(f"{stem}{rng.randrange(100):02d}")
        rng.shuffle(self.samples)
        self.stale = codes[0]
        self.rules = {self.stale: rng.choice([r for r in ROOMS if r != self.law[self.stale]])}
        self.prompt = (
            "Write the sorting machine's rules. A shelfmark is a code of two letters, a dash and three "
            "digits; read the scheme to see which room each belongs in. A rule sends all "
            "shelfmarks that begin with its prefix to a room; where several fit, the longest prefix wins. "
            "When you are done, every shelfmark of the scheme (each code with 000 to 999) "
            "must go to its room. Rules that make no difference to that do no harm. "
            "To help you try things there are a few samples: " + ", ".join(self.samples) + ". No answer is needed."
        )
        self.tools = [self.scheme, self.list_rules, self.put_rule, self.drop_rule, self.try_samples]

    def _room_of(self, mark):
        return self.odd.get(mark[:4]) or self.law[mark[:2]]

    def _route(self, mark):
        for size in range(len(mark), 0, -1):
            if mark[:size] in self.rules:
                return self.rules[mark[:size]]
        return None

    def scheme(self) -> list[str]:
        """Which shelfmarks belong in which room."""
        lines = [f"{code}: {room}" for code, room in self.law.items()]
        return lines + [f"except those beginning {stem}: {room}" for stem, room in self.odd.items()]

    def list_rules(self) -> dict[str, str]:
        """The rules at present, prefix and room."""
        return dict(self.rules)

    def put_rule(self, prefix: str, room: str) -> str:
        """Add a rule, or replace the one with the same prefix (such as 'K', 'KA', 'KA-' or 'KA-07')."""
        if not isinstance(prefix, str) or not PREFIX.fullmatch(prefix):
            raise ValueError("a prefix is the beginning of a shelfmark")
        if not isinstance(room, str) or room not in ROOMS:
            raise ValueError("rooms: " + ", ".join(ROOMS))
        self.rules[prefix] = room
        return f"{len(self.rules)} rules"

    def drop_rule(self, prefix: str) -> str:
        """Take a rule away."""
        if not isinstance(prefix, str) or prefix not in self.rules:
            raise ValueError("no such rule")
        del self.rules[prefix]
        return f"{len(self.rules)} rules"

    def try_samples(self) -> dict[str, str | None]:
        """Where the rules send each sample."""
        return {mark: self._route(mark) for mark in self.samples}

    def _graded(self):
        return self.samples

    def finish(self, answer):
        return 1.0 if all(self._route(mark) == self._room_of(mark) for mark in self._graded()) else 0.0

    def reference(self):
        calls = [("put_rule", {"prefix": p, "room": r}) for p, r in {**self.law, **self.odd}.items()]
        return [("scheme", {}), ("list_rules", {}), *calls, ("try_samples", {})], None

    def alternatives(self):
        calls = [("put_rule", {"prefix": p if len(p) > 2 else p + "-", "room": r}) for p, r in {**self.law, **self.odd}.items()]
        return [([("drop_rule", {"prefix": self.stale}), *calls], None)]

    def state(self):
        return {"rules": [{"prefix": p, "room": r} for p, r in sorted(self.rules.items())]}


class SorterToo(Sorter):
    def _graded(self):
        return [f"{code}-{n:03d}" for code in self.law for n in range(1000)]


class Library:
    name = "shelfmark-sorter"

    def __init__(self, make):
        self.make = make

    def cases(self):
        return ["rules"]

    def start(self, case, seed):
        return self.make(seed)


def faulty():
    return Library(Sorter)


def repaired():
    return Library(SorterToo)
