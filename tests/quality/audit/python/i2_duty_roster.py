"""A fire station's duty roster: two people swap their days."""

import random
from types import SimpleNamespace

CREW = ["Abena", "Bjarne", "Chiara", "Dov", "Eun-ji", "Farouk", "Greta"]
WEEK = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


def station(generator) -> SimpleNamespace:
    def start(case: str, seed: int) -> SimpleNamespace:
        rng = generator(case, seed)
        roster = dict(zip(WEEK, rng.sample(CREW, 7), strict=True))
        skills = {name: rng.choice(["driver", "ladder", "medic"]) for name in CREW}
        one, other = rng.sample(WEEK, 2)
        goal = roster | {one: roster[other], other: roster[one]}
        first, second = roster[one], roster[other]

        def who(day: str) -> str:
            """Who is on duty on a day (Mon to Sun)."""
            if day not in WEEK:
                raise ValueError("days are Mon to Sun")
            return roster[day]

        def swap(day: str, other_day: str) -> str:
            """Swap the people of two days."""
            if day not in WEEK or other_day not in WEEK or day == other_day:
                raise ValueError("name two days, Mon to Sun")
            roster[day], roster[other_day] = roster[other_day], roster[day]
            return f"{day}: {roster[day]}, {other_day}: {roster[other_day]}"

        return SimpleNamespace(
            prompt=(
                f"In the {case} week {first} and {second} want to have each other's day of duty. Change the roster so. No answer is needed."
            ),
            tools=[who, swap],
            finish=lambda answer: 1.0 if roster == goal else 0.0,
            reference=lambda: ([*[("who", {"day": d}) for d in WEEK], ("swap", {"day": one, "other_day": other})], None),
            alternatives=lambda: [([("swap", {"day": other, "other_day": one})], None)],
            state=lambda: {
                "roster": [{"day": d, "name": n} for d, n in roster.items()],
                "crew": [{"name": n, "skill": s} for n, s in skills.items()],
            },
        )

    return SimpleNamespace(name="duty-roster", cases=lambda: ["current", "coming"], start=start)


def faulty() -> SimpleNamespace:
    return station(lambda case, seed: random.Random(hash((case, seed))))


def repaired() -> SimpleNamespace:
    return station(lambda case, seed: random.Random(f"{case}, {seed}"))
