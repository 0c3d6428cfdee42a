"""A shop checks its stock against a recall notice; now and then nothing on the shelves is concerned."""

import random
import re
from datetime import date, timedelta

GOODS = {
    "feed": ["Oat mash", "Layer pellets", "Lamb starter", "Bran mix"],
    "toys": ["Wooden train", "Kite", "Stacking cups", "Marble run"],
    "paint": ["Chalk white", "Sea green", "Umber wash", "Primer"],
}


class Stock:
    """Reading only: the notice and the lots in the store."""

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"recall {case} {seed}")
        goods = GOODS[case]
        recalled = rng.choice(goods)
        first = date(2023, 1, 1) + timedelta(days=rng.randrange(900))
        last = first + timedelta(days=rng.randint(5, 20))
        count = 0 if case == "toys" else rng.randint(2, 4)
        self._notice = {"goods": recalled, "made_from": first.isoformat(), "made_to": last.isoformat()}
        self._lots = []
        for i, number in enumerate(rng.sample(range(1000, 10_000), 12)):
            span = (last - first).days
            if i < count:
                name, made = recalled, first + timedelta(days=(0, span, rng.randint(1, span - 1), rng.randint(1, span - 1))[i])
            elif i < count + 3:
                name, made = recalled, rng.choice([first - timedelta(days=rng.randint(1, 9)), last + timedelta(days=rng.randint(1, 9))])
            else:
                name, made = rng.choice([other for other in goods if other != recalled]), first + timedelta(days=rng.randint(-5, 20))
            self._lots.append({"lot": f"L-{number}", "goods": name, "made": made.isoformat()})
        self._hit = sorted(row["lot"] for row in self._lots[:count])
        rng.shuffle(self._lots)
        self.prompt = (
            "A recall notice has come in. Which lots in stock does it concern: of the goods it names, made from its first to its last "
            "day, both included? Answer with the lot numbers as they are written in stock, as a list or separated by commas, in any "
            "order, each once. It may be that there are none; then answer with an empty list, [], or with the word none. An empty text, "
            "or no answer at all, doesn't count as an answer."
        )
        self.tools = [self.notice, self.stock]

    def notice(self) -> dict[str, str]:
        """The recall notice."""
        return dict(self._notice)

    def stock(self, goods: str = "") -> list[dict]:
        """Lots in stock of some goods, or all lots."""
        return [dict(row) for row in self._lots if goods in ("", row["goods"])]

    def state(self) -> dict[str, list[dict]]:
        return {"notice": [self.notice()], "stock": self.stock()}

    def reference(self) -> tuple[list, object]:
        return [("notice", {}), ("stock", {"goods": self._notice["goods"]})], list(self._hit)

    def alternatives(self) -> list[tuple[list, object]]:
        return [([("notice", {}), ("stock", {})], ", ".join(reversed(self._hit)) if self._hit else "None")]

    def finish(self, answer: object) -> float:
        if isinstance(answer, str):
            text = answer.strip()
            if not text:
                return 0.0
            answer = [] if text.casefold() == "none" else [part for part in re.split(r"[\s,;\[\]\"']+", text) if part]
            if not answer and "".join(text.split()).casefold() not in ("none", "[]"):
                return 0.0
        if not isinstance(answer, (list, tuple, set, frozenset)) or not all(isinstance(part, str) for part in answer):
            return 0.0
        return 1.0 if sorted(part.strip().upper() for part in answer) == self._hit else 0.0


class Shop:
    name = "recall scan"

    def cases(self) -> list[str]:
        return list(GOODS)

    def start(self, case: str, seed: int) -> Stock:
        return Stock(case, seed)


def sound() -> Shop:
    return Shop()
