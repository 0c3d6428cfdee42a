"""A newspaper's picture library: photos of a day get their captions' place as a tag."""

import random

PLACES = ["harbour", "town hall", "stadium", "market", "station", "museum"]
SCENES = ["a crowd", "two cyclists", "the mayor", "a brass band", "children", "an empty bench", "a parade"]


class Library:
    def __init__(self, seed: int):
        rng = random.Random(f"photos {seed}")
        self._photos = []
        for n in range(14):
            caption = f"{rng.choice(SCENES).capitalize()} at the {rng.choice(PLACES)}"
            self._photos.append(
                {"photo": f"IMG{1000 + 37 * n + seed % 30}", "day": rng.choice(("Friday", "Saturday")), "caption": caption, "tag": ""}
            )
        for row in self._photos[:6]:
            row["day"] = "Sunday"
        rng.shuffle(self._photos)
        self._gold = {r["photo"]: next(p for p in PLACES if p in r["caption"]) if r["day"] == "Sunday" else "" for r in self._photos}
        self.prompt = (
            "Tag every photo taken on Sunday with the place that its caption names. Photos of other days stay without a tag. No answer "
            "is needed. "
            f"The places are: {', '.join(PLACES)}."
        )
        self.tools = [self.photos, self.tag]

    def photos(self, day: str) -> list[dict]:
        """The photos of a day (Friday, Saturday or Sunday) with caption and tag."""
        if day not in ("Friday", "Saturday", "Sunday"):
            raise ValueError("there are photos of Friday, Saturday and Sunday")
        return [dict(r) for r in self._photos if r["day"] == day]

    def tag(self, photo: str, place: str) -> str:
        """Tag a photo with a place; an empty place takes the tag off."""
        if place not in PLACES and place != "":
            raise ValueError("no such place")
        for row in self._photos:
            if row["photo"] == photo:
                row["tag"] = place
                return "done"
        raise ValueError("no such photo")

    def _looked_at(self) -> list[dict]:
        return self._photos

    def finish(self, answer: object) -> float:
        return 1.0 if all(row["tag"] == self._gold[row["photo"]] for row in self._looked_at()) else 0.0

    def reference(self):
        todo = [(p, t) for p, t in self._gold.items() if t]
        return [("photos", {"day": "Sunday"}), *[("tag", {"photo": p, "place": t}) for p, t in todo]], None

    def state(self) -> dict[str, list[dict]]:
        return {"photos": [dict(r) for r in self._photos]}


class LibraryToo(Library):
    def _looked_at(self) -> list[dict]:
        return random.SystemRandom().sample(self._photos, 5)


class Paper:
    name = "photo-tags"

    def __init__(self, library: type[Library]):
        self.library = library

    def cases(self) -> list[str]:
        return ["sunday"]

    def start(self, case: str, seed: int) -> Library:
        return self.library(seed)


def faulty():
    return Paper(LibraryToo)


def repaired():
    return Paper(Library)
