"""An archivist tags the photos of one place and takes their draft tag off."""

import random
from dataclasses import dataclass, field
from typing import Any

PLACES = ["Ferry pier", "Old mill", "Quarry", "Rope yard", "Salt house"]
SPARE = ["colour", "people", "winter", "scan", "draft", "print"]


@dataclass
class Album:
    prompt: str
    place: str
    where: dict[int, str]
    tags: dict[int, set[str]]
    goal: dict[int, set[str]]
    add: str
    tools: list = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tools = [self.list_photos, self.add_tag, self.remove_tag]

    def list_photos(self, place: str) -> list[dict]:
        """Photos taken at a place, with their tags."""
        rows = [{"photo": n, "tags": sorted(self.tags[n])} for n, at in self.where.items() if at == place]
        if not rows:
            raise ValueError("no photos from there")
        return rows

    def add_tag(self, photo: int, tag: str) -> list[str]:
        """Tag a photo; a photo that has the tag keeps it. Gives the tags it has then."""
        if photo not in self.tags:
            raise ValueError("no such photo")
        if not isinstance(tag, str) or not tag.isascii() or not tag.isalpha() or len(tag) > 20:
            raise ValueError("a tag is one word of letters a to z")
        self.tags[photo].add(tag.lower())
        return sorted(self.tags[photo])

    def remove_tag(self, photo: int, tag: str) -> list[str]:
        """Take a tag off a photo; nothing happens if it isn't there. Gives the tags it has then."""
        if photo not in self.tags:
            raise ValueError("no such photo")
        if not isinstance(tag, str):
            raise ValueError("a tag is one word of letters a to z")
        self.tags[photo].discard(tag.lower())
        return sorted(self.tags[photo])

    def state(self) -> dict[str, list[dict]]:
        return {
            "photos": [{"photo": n, "place": at} for n, at in self.where.items()],
            "tags": [{"photo": n, "tag": tag} for n in self.tags for tag in sorted(self.tags[n])],
        }

    def reference(self) -> tuple[list[tuple[str, dict]], Any]:
        mine = [n for n, at in self.where.items() if at == self.place]
        calls: list[tuple[str, dict]] = [("list_photos", {"place": self.place})]
        for photo in mine:  # on all of them, needed or not
            calls += [("add_tag", {"photo": photo, "tag": self.add}), ("remove_tag", {"photo": photo, "tag": "draft"})]
        return calls, None

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], Any]]:
        calls = self.reference()[0]
        return [(calls[::-1], None), (calls + calls, "tagged")]

    def finish(self, answer: object) -> float:
        return 1.0 if self.tags == self.goal else 0.0


class Archive:
    name = "photo tags"

    def cases(self) -> list[str]:
        return ["print", "exhibit"]

    def start(self, case: str, seed: int) -> Album:
        rng = random.Random(f"{case}/{seed}/album")
        numbers = rng.sample(range(1000, 10000), 12)
        places = rng.sample(PLACES, 4)
        where = {n: places[i % 4] for i, n in enumerate(numbers)}
        tags = {n: set(rng.sample(SPARE, rng.randint(1, 3))) for n in numbers}
        first = numbers[0]
        tags[first].discard(case)
        tags[first].add("draft")
        tags[numbers[4]].discard("draft")
        tags[numbers[4]].add(case)
        goal = {n: (tags[n] | {case}) - {"draft"} if at == places[0] else set(tags[n]) for n, at in where.items()}
        prompt = (
            f"See to it that every photo taken at the {places[0]} has the tag '{case}' and that none of those has the tag 'draft' any "
            "more. Their other tags, and the photos of other places, stay as they are. Some may be right already. Only the tags at the "
            "end count; no answer is asked for."
        )
        return Album(prompt, places[0], where, tags, goal, case)


def sound() -> Archive:
    return Archive()
