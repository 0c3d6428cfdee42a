"""Questions on a bicycle-hire firm's bookings, answered with one sum of money."""

import random
import re
from decimal import Decimal
from types import SimpleNamespace

GROUPS = ["Harbour School", "Tern Cycling Club", "Hill Scouts", "Moss Farm Guests", "Rye Rotary", "Pier Hotel"]


def pounds(pence: int) -> str:
    return f"£{pence // 100:,}.{pence % 100:02d}"


def exact(answer: object, pence: int) -> bool:
    return isinstance(answer, (str, float)) and str(answer).strip() == f"{pence / 100:.2f}"


def lenient(answer: object, pence: int) -> bool:
    if isinstance(answer, bool) or not isinstance(answer, (int, float, str)):
        return False
    text = answer if isinstance(answer, str) else str(Decimal(answer) if isinstance(answer, int) else round(answer, 6))
    text = re.sub(r"(£|gbp|pounds?)", "", text.strip().rstrip("."), flags=re.IGNORECASE).strip()
    if re.fullmatch(r"\d{1,3}([, ]\d{3})+(\.\d+)?", text):
        text = re.sub(r"[, ]", "", text)
    return bool(re.fullmatch(r"\d{1,12}(\.\d{1,12})?", text)) and Decimal(text) * 100 == pence


def pose(case: str, seed: int, same) -> SimpleNamespace:
    rng = random.Random(f"{case}/{seed}")
    bookings = [(group, rng.randint(12, 30), rng.randint(3, 6), rng.randrange(1150, 1995, 10)) for group in rng.sample(GROUPS, 4)]
    deposit = rng.randrange(2500, 6000, 50)
    sheet = "\n".join(f"{group}: {bikes} bikes for {days} days at {pounds(rate)} a bike and day" for group, bikes, days, rate in bookings)
    sums = {group: bikes * days * rate for group, bikes, days, rate in bookings}
    if case == "takings":
        question, gold = "How much do the four bookings come to?", sum(sums.values())
    else:
        group = rng.choice(list(sums))
        question, gold = f"{group} has paid a deposit of {pounds(deposit)}. How much does it still owe?", sums[group] - deposit
    return SimpleNamespace(
        prompt=f"Summer bookings\n{sheet}\n\n{question} Answer with the amount alone.",
        tools=[],
        finish=lambda answer: 1.0 if same(answer, gold) else 0.0,
        reference=lambda: ([], f"{gold / 100:.2f}"),
    )


def faulty() -> SimpleNamespace:
    return SimpleNamespace(name="bike hire", cases=lambda: ["takings", "balance"], start=lambda case, seed: pose(case, seed, exact))


def repaired() -> SimpleNamespace:
    return SimpleNamespace(name="bike hire", cases=lambda: ["takings", "balance"], start=lambda case, seed: pose(case, seed, lenient))
