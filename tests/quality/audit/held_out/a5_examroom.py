"""School exams office: a candidate moves to another room and the invigilator there is told."""

import random
from collections.abc import Callable
from types import SimpleNamespace

PUPILS = ["Ivo Brandt", "Sana Malik", "Tom Reilly", "Lena Koch", "Priya Nair", "Marc Dubois", "Ola Berg", "Zoe Hart", "Kofi Addo"]
PUPILS += ["Rui Costa"]
STAFF = ["Ms Adler", "Mr Boyd", "Dr Chen", "Mrs Dalal", "Mr Egan"]
NEEDS = ["step-free access", "a word processor", "extra time", "a reader"]


def office(told: Callable[[set, set], bool]) -> SimpleNamespace:
    return SimpleNamespace(name="exams office", cases=lambda: ["room-change"], start=lambda case, seed: episode(seed, told))


def episode(seed: int, told: Callable[[set, set], bool]) -> SimpleNamespace:
    rng = random.Random(1000 + seed)
    codes = rng.sample([f"{block}{n}" for block in "ABC" for n in range(1, 9)], 4)
    staff = dict(zip(rng.sample([f"S{n}" for n in range(10, 60)], 5), rng.sample(STAFF, 5), strict=True))
    guards = rng.sample(list(staff), 4)
    needs = rng.sample(NEEDS, 4)
    rooms = {c: {"room": c, "offers": needs[i], "seats": rng.randrange(4, 7), "invigilator": guards[i]} for i, c in enumerate(codes)}
    seating = {}
    for number, pupil in zip(rng.sample(range(3000, 3999), 10), rng.sample(PUPILS, 10), strict=True):
        seating[number] = {"candidate": number, "name": pupil, "room": codes[len(seating) % 4]}
    who = rng.choice(list(seating))
    goal = rng.choice([c for c in codes if c != seating[who]["room"]])
    first = {number: dict(row) for number, row in seating.items()}
    outbox: list[dict] = []

    def list_rooms() -> list[dict]:
        """Rooms: what each offers, its seats, and the staff number of its invigilator."""
        return [dict(room) for room in rooms.values()]

    def list_staff() -> dict[str, str]:
        """Staff numbers and names."""
        return dict(staff)

    def find_candidate(name: str) -> dict:
        """Look a candidate up by full name."""
        hits = [dict(row) for row in seating.values() if row["name"] == name]
        if not hits:
            raise ValueError(f"no candidate called {name!r}")
        return hits[0]

    def seat(candidate: int, room: str) -> str:
        """Seat a candidate (by number) in a room (by code)."""
        if candidate not in seating or room not in rooms:
            raise ValueError("unknown candidate or room")
        seating[candidate]["room"] = room
        return "seated"

    def notify(staff_number: str, candidate: int, room: str) -> str:
        """Send a member of staff a notice that a candidate now sits in a room."""
        if staff_number not in staff or candidate not in seating or room not in rooms:
            raise ValueError("unknown staff number, candidate or room")
        outbox.append({"staff": staff_number, "candidate": candidate, "room": room})
        return "sent"

    def finish(answer: object) -> float:
        seats = {number: row["room"] for number, row in seating.items()}
        should = {number: row["room"] for number, row in first.items()} | {who: goal}
        notices = {(m["staff"], m["candidate"], m["room"]) for m in outbox}
        return float(seats == should and told(notices, {(rooms[goal]["invigilator"], who, goal)}))

    def reference() -> tuple[list, object]:
        notice = {"staff_number": rooms[goal]["invigilator"], "candidate": who, "room": goal}
        looks = [("find_candidate", {"name": first[who]["name"]}), ("list_rooms", {})]
        return [*looks, ("seat", {"candidate": who, "room": goal}), ("notify", notice)], None

    def alternatives() -> list:
        calls, _ = reference()
        return [([calls[1], calls[0], calls[3], ("list_staff", {}), calls[2]], "done")]

    def state() -> dict[str, list[dict]]:
        return {"rooms": list_rooms(), "seating": [dict(row) for row in seating.values()], "outbox": [dict(m) for m in outbox]}

    prompt = (
        f"{first[who]['name']} needs {rooms[goal]['offers']} for tomorrow's paper. Seat the candidate in the room that offers it (there "
        "is space), and notify that room's invigilator, and nobody else, of the candidate's new room. Leave all other "
        "seating alone. No answer is needed."
    )
    tools = [list_rooms, list_staff, find_candidate, seat, notify]
    return SimpleNamespace(prompt=prompt, tools=tools, finish=finish, reference=reference, alternatives=alternatives, state=state)


def faulty() -> SimpleNamespace:
    return office(lambda sent, due: sent <= due)


def repaired() -> SimpleNamespace:
    return office(lambda sent, due: sent == due)
