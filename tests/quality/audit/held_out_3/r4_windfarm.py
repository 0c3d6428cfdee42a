"""A wind farm's maintenance planner opens work orders for turbines that shake too much."""

import random
from types import SimpleNamespace

LIMIT = 7.1
CODES = ["VB-07", "QX-31", "M204", "DT-9", "K-118", "ROT-5"]
OTHER = ["PIT-2", "YAW-4", "OIL-1"]


def open_farm(seed, told):
    rng = random.Random(9000 + seed)
    code = rng.choice(CODES)
    ids = [f"T{n:02d}" for n in sorted(rng.sample(range(1, 40), 8))]
    shaky = sorted(rng.sample(ids, rng.randint(2, 3)))
    logs = {}
    for turbine in ids:
        middle = rng.uniform(7.9, 9.5) if turbine in shaky else rng.uniform(3.5, 6.3)
        logs[turbine] = [round(middle + swing, 1) for swing in (rng.uniform(1.2, 2.0), -0.3, 0.2, rng.uniform(-2.0, -1.2))]
        rng.shuffle(logs[turbine])
    orders = [
        {"order": 100 + n, "turbine": turbine, "code": OTHER[n % 3], "status": "open"} for n, turbine in enumerate(rng.sample(ids, 4))
    ]
    before = [dict(row) for row in orders]
    prompt = (
        f"Open one work order for every turbine whose mean vibration, over all its readings, is above {LIMIT} mm/s, and for no other. "
        + (f"These orders carry the fault code {code}. " if told else "")
        + "Leave the orders that are there already as they are. An order opened by mistake can be cancelled. There is nothing to answer."
    )

    def turbines() -> list:
        """Names of all turbines of the farm."""
        return list(ids)

    def readings(turbine: str) -> list:
        """Vibration readings of a turbine in mm/s."""
        if not isinstance(turbine, str) or turbine not in logs:
            raise ValueError("no such turbine")
        return list(logs[turbine])

    def list_orders() -> list:
        """All work orders."""
        return [dict(row) for row in orders]

    def open_order(turbine: str, code: str) -> int:
        """Open a work order on a turbine under a fault code of up to 12 characters; gives its number."""
        if not isinstance(turbine, str) or turbine not in logs:
            raise ValueError("no such turbine")
        if not isinstance(code, str) or not 1 <= len(code.strip()) <= 12 or not code.isascii() or not code.isprintable():
            raise ValueError("the code is a text of 1 to 12 characters")
        filed = code.strip().upper()
        if any((row["turbine"], row["code"], row["status"]) == (turbine, filed, "open") for row in orders):
            raise ValueError("such an order is open already")
        orders.append({"order": 100 + len(orders), "turbine": turbine, "code": filed, "status": "open"})
        return orders[-1]["order"]

    def cancel_order(order: int) -> str:
        """Cancel an open work order."""
        if isinstance(order, int) and not isinstance(order, bool):
            for row in orders:
                if row["order"] == order and row["status"] == "open":
                    row["status"] = "cancelled"
                    return "cancelled"
        raise ValueError("no open order has that number")

    def finish(answer: object) -> float:
        fresh = sorted((row["turbine"], row["code"]) for row in orders[len(before) :] if row["status"] == "open")
        return 1.0 if orders[: len(before)] == before and fresh == [(turbine, code) for turbine in shaky] else 0.0

    def reference():
        calls = [("turbines", {})] + [("readings", {"turbine": turbine}) for turbine in ids]
        return calls + [("open_order", {"turbine": turbine, "code": code}) for turbine in shaky], None

    def alternatives():
        return [([("open_order", {"turbine": turbine, "code": code}) for turbine in reversed(shaky)], None)]

    def state():
        return {
            "readings": [{"turbine": turbine, "n": n, "mm_s": value} for turbine in ids for n, value in enumerate(logs[turbine])],
            "orders": list_orders(),
        }

    tools = [turbines, readings, list_orders, open_order, cancel_order]
    return SimpleNamespace(prompt=prompt, tools=tools, finish=finish, reference=reference, alternatives=alternatives, state=state)


def faulty():
    return SimpleNamespace(name="wind farm orders", cases=lambda: ["vibration"], start=lambda case, seed: open_farm(seed, False))


def repaired():
    return SimpleNamespace(name="wind farm orders", cases=lambda: ["vibration"], start=lambda case, seed: open_farm(seed, True))
