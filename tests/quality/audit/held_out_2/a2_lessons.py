"""Room plan of a language school: two lessons are in each other's way and one has to be moved."""

import random
from types import SimpleNamespace

ROOMS = ("Amber", "Blue", "Green")
TONGUES = ("Basque", "Czech", "Danish", "Farsi", "Hindi", "Irish", "Korean", "Latin", "Polish", "Thai", "Welsh", "Zulu")
OPEN, SHUT = 9 * 60, 18 * 60


def clock(minutes):
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def free_starts(plan, room, length, but):
    """Starts, by the quarter of an hour, at which a lesson of that length fits into the room."""
    busy = [(p["at"], p["at"] + p["minutes"]) for key, p in plan.items() if p["room"] == room and key != but]
    return [t for t in range(OPEN, SHUT - length + 1, 15) if all(t + length <= a or t >= b for a, b in busy)]


def begin(seed, lap):
    rng = random.Random(seed ^ 0x5EED)
    tongues, keys = rng.sample(TONGUES, 10), [f"L{n:02d}" for n in rng.sample(range(1, 60), 10)]
    room, rows = rng.choice(ROOMS), []
    for each in ROOMS:
        late = rng.choice((0, 15, 30))
        for hour in (9, 11, 14):
            rows.append({"room": each, "at": hour * 60 + late, "minutes": rng.choice((60, 75, 90)), "extra": False})
    first = next(r for r in rows if r["room"] == room and r["at"] // 60 == 11)
    rows.append({"room": room, "at": first["at"] + first["minutes"] - lap, "minutes": rng.choice((45, 60)), "extra": True})
    plan = {k: {"lesson": k, "tongue": t, **r} for k, t, r in zip(keys, tongues, rows, strict=True)}
    one = next(k for k, p in plan.items() if p["room"] == room and p["at"] == first["at"])
    two = next(k for k, p in plan.items() if p["extra"])
    for p in plan.values():
        del p["extra"]
    plan = dict(sorted(plan.items()))
    before = {k: dict(p) for k, p in plan.items()}

    def list_lessons() -> list[dict]:
        """All of Thursday's lessons: room, start and length in minutes."""
        rows = [dict(p) for p in plan.values()]
        return [{"start": clock(p.pop("at")), **p} for p in rows]

    def move_lesson(lesson: str, room: str, start: str) -> str:
        """Move a lesson to a room (Amber, Blue or Green) and a start (HH:MM). Its length stays."""
        if not isinstance(lesson, str) or lesson not in plan:
            raise ValueError("no such lesson")
        if not isinstance(room, str) or room not in ROOMS:
            raise ValueError("no such room")
        starts = {clock(t): t for t in range(OPEN, SHUT - plan[lesson]["minutes"] + 1)}
        if not isinstance(start, str) or start not in starts:
            raise ValueError("start has to be HH:MM, and the lesson has to lie between 09:00 and 18:00")
        plan[lesson].update(room=room, at=starts[start])
        return f"{lesson} is in {room} at {start}"

    def finish(answer: object) -> float:
        changed = [k for k in plan if plan[k] != before[k]]
        if len(changed) > 1 or not set(changed) <= {one, two}:
            return 0.0
        for a in plan.values():
            for b in plan.values():
                if a is not b and a["room"] == b["room"] and a["at"] <= b["at"] < a["at"] + a["minutes"]:
                    return 0.0
        return 1.0

    def way(key, place, pick):
        starts = free_starts(before, place, before[key]["minutes"], key)
        starts = [t for t in starts if (place, t) != (before[key]["room"], before[key]["at"])]
        return [("list_lessons", {}), ("move_lesson", {"lesson": key, "room": place, "start": clock(starts[pick])})], None

    elsewhere = ROOMS[ROOMS.index(room) - 1]
    return SimpleNamespace(
        prompt=(
            f"On Thursday, lessons {one} and {two} in room {room} are in each other's way. Move one of the two, whichever you like, within "
            "the room or to another, so that no two lessons overlap in any room (back to back is fine). Lessons lie between 09:00 "
            "and 18:00. Leave all other lessons as they are. No answer is needed."
        ),
        tools=[list_lessons, move_lesson],
        finish=finish,
        reference=lambda: way(two, room, -1),
        alternatives=lambda: [way(one, elsewhere, 0), way(two, elsewhere, -1)],
        state=lambda: {"lessons": list_lessons()},
    )


def school(lap):
    return SimpleNamespace(name="lesson-rooms", cases=lambda: ["thursday"], start=lambda case, seed: begin(seed, lap))


def faulty():
    return school(lap=0)


def repaired():
    return school(lap=30)
