"""Freight forwarder: the day on which a shipment cleared customs is looked up."""

import datetime as dt
import random
import re
from types import SimpleNamespace

MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]
STEPS = ["booked", "picked up", "at port", "presented to customs", "cleared by customs", "out for delivery"]


def month_of(word: str) -> int | None:
    word = word.lower().rstrip(".")
    hits = [n for n, m in enumerate(MONTHS, 1) if word in (m, m[:3]) or (word, m) == ("sept", "september")]
    return hits[0] if hits else None


def any_writing(answer: object) -> dt.date | None:
    """Reads a day in the usual unambiguous ways."""
    text = " ".join(answer.strip().strip(".").split()) if isinstance(answer, str) and len(answer) < 80 else ""
    text = re.sub(r"^(on |(mon|tues|wednes|thurs|fri|satur|sun)day,? )+", "", text, flags=re.I)
    if m := re.fullmatch(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})([T ][0-9]{2}:[0-9]{2}(:[0-9]{2})?Z?)?", text):
        year, month, day = int(m[1]), int(m[2]), int(m[3])
    elif m := re.fullmatch(r"([0-9]{1,2})(?:st|nd|rd|th)?[ -](?:of )?([A-Za-z]+\.?),?[ -]([0-9]{4})", text):
        year, month, day = int(m[3]), month_of(m[2]) or 0, int(m[1])
    elif m := re.fullmatch(r"([A-Za-z]+\.?) ([0-9]{1,2})(?:st|nd|rd|th)?,? ([0-9]{4})", text):
        year, month, day = int(m[3]), month_of(m[1]) or 0, int(m[2])
    else:
        return None
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def short_writing(answer: object) -> dt.date | None:
    m = re.fullmatch(r"([0-9]{2}) ([A-Z][a-z]{2}) ([0-9]{4})", answer) if isinstance(answer, str) else None
    return any_writing(answer) if m else None


def forwarder(read) -> SimpleNamespace:
    def start(case: str, seed: int) -> SimpleNamespace:
        rng = random.Random(f"freight {seed}")
        logs: dict[str, list[dict]] = {}
        for number in rng.sample(range(10_000, 99_999), 5):
            at = dt.datetime(2026, rng.randint(1, 11), rng.randint(1, 28), rng.randint(0, 23), rng.randint(0, 59))
            rows = []
            for step in STEPS:
                rows.append({"step": step, "at": at.isoformat(sep=" ", timespec="minutes")})
                at += dt.timedelta(hours=rng.randint(20, 90), minutes=rng.randint(0, 59))
            rng.shuffle(rows)
            logs[f"SH{number}"] = rows
        wanted = rng.choice(sorted(logs))
        gold = dt.date.fromisoformat(next(r["at"] for r in logs[wanted] if r["step"] == "cleared by customs")[:10])

        def shipments() -> list[str]:
            """The numbers of all shipments."""
            return sorted(logs)

        def events(shipment: str) -> list[dict]:
            """What happened to a shipment, and when; not sorted."""
            if shipment not in logs:
                raise ValueError("unknown shipment")
            return [dict(r) for r in logs[shipment]]

        return SimpleNamespace(
            prompt=f"On which day was shipment {wanted} cleared by customs? Write the day in any way that can't be misread.",
            tools=[shipments, events],
            finish=lambda answer: 1.0 if read(answer) == gold else 0.0,
            reference=lambda: ([("events", {"shipment": wanted})], f"{gold.day:02d} {MONTHS[gold.month - 1].title()[:3]} {gold.year}"),
            state=lambda: {"events": [{"shipment": s} | r for s, rows in logs.items() for r in rows]},
        )

    return SimpleNamespace(name="customs-date", cases=lambda: ["cleared"], start=start)


def faulty() -> SimpleNamespace:
    return forwarder(short_writing)


def repaired() -> SimpleNamespace:
    return forwarder(any_writing)
