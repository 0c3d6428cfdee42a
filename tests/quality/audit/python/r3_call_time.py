"""Office assistant: the start of a call is converted to a colleague's local time."""

import random
import re
from types import SimpleNamespace

OFFSETS = {
    "Lisbon": 0,
    "Accra": 0,
    "Oslo": 60,
    "Athens": 120,
    "Nairobi": 180,
    "Dubai": 240,
    "Karachi": 300,
    "Delhi": 330,
    "Dhaka": 360,
    "Seoul": 540,
}


def office(answer_city) -> SimpleNamespace:  # noqa: C901
    def start(case: str, seed: int) -> SimpleNamespace:  # noqa: C901
        rng = random.Random(f"call {case} {seed}")
        away, host, home = rng.sample([c for c in OFFSETS if c != "Accra"], 3)
        while OFFSETS[away] == OFFSETS[home]:
            home = rng.choice(sorted(OFFSETS))
        minutes = rng.randrange(5, 60, 5) + 60 * rng.randint(6, 14)
        title = rng.choice(["budget", "handover", "design review", "hiring", "incident follow-up"])
        people = [{"name": n, "city": c} for n, c in zip(rng.sample(["Pia", "Ravi", "Sefa", "Tom"], 3), (away, host, home), strict=True)]
        guest, caller, lead = people
        invite = (
            f"{title}: called by {caller['name']}, starts {minutes // 60:02d}:{minutes % 60:02d} {host} time, chaired by {lead['name']}"
        )

        def local(city: str) -> int:
            return (minutes - OFFSETS[host] + OFFSETS[city]) % 1440

        gold = local({"guest": guest, "chair": lead}[answer_city]["city"])

        def calendar() -> list[str]:
            """Today's calls."""
            return [invite]

        def whereabouts(name: str) -> str:
            """The city in which a colleague works today."""
            for p in people:
                if p["name"] == name:
                    return p["city"]
            raise ValueError("no colleague of that name")

        def offset(city: str) -> int:
            """A city's offset from UTC today, in minutes."""
            if city not in OFFSETS:
                raise ValueError("unknown city")
            return OFFSETS[city]

        def finish(answer: object) -> float:
            m = re.fullmatch(r"([0-9]{1,2}):([0-9]{2})", answer.strip()) if isinstance(answer, str) else None
            return 1.0 if m and int(m[2]) < 60 and int(m[1]) * 60 + int(m[2]) == gold else 0.0

        def reference() -> tuple[list[tuple[str, dict]], object]:
            calls = [
                ("calendar", {}),
                ("whereabouts", {"name": guest["name"]}),
                ("offset", {"city": host}),
                ("offset", {"city": guest["city"]}),
            ]
            return calls, f"{gold // 60:02d}:{gold % 60:02d}"

        return SimpleNamespace(
            prompt=(
                f"{guest['name']} is in today's {title} call. At what local time does it start for {guest['name']}? Answer as HH:MM, "
                "24-hour clock."
            ),
            tools=[calendar, whereabouts, offset],
            finish=finish,
            reference=reference,
            state=lambda: {"people": [dict(p) for p in people], "calls": [{"invite": invite}]},
        )

    return SimpleNamespace(name="call-time", cases=lambda: ["today"], start=start)


def faulty() -> SimpleNamespace:
    return office("chair")


def repaired() -> SimpleNamespace:
    return office("guest")
