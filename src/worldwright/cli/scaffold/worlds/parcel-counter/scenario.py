"""All rows of all tables, from the seed alone. Runs in a sandbox with a subset of Python: see docs/monty.md."""
import datetime
import random

TODAY = datetime.date(2026, 3, 30)
NAMES = ["Abiola", "Bergström", "Castellano", "Dhillon", "Eriksen", "Fontaine", "Grabowski", "Hosseini", "Ivanova", "Jansen"]


def days_ago(n):
    return (TODAY - datetime.timedelta(days=n)).isoformat()


def scenario(seed):
    random.seed(seed)
    policy = {"free_days": random.randint(3, 6), "small_cents": random.choice([40, 50, 65]), "large_cents": random.choice([90, 120, 150]),
              "most_days": random.randint(14, 21)}
    # Plant what tasks need: every seed has parcels of each kind, so that each right decision can be set.
    stored = [random.randint(1, policy["free_days"]) for _ in range(6)]
    stored += [random.randint(policy["free_days"] + 1, policy["most_days"]) for _ in range(8)] + [policy["free_days"] + 1, policy["most_days"]]
    stored += [policy["most_days"] + random.randint(1, 12) for _ in range(6)]
    random.shuffle(stored)
    parcels, scans = [], []
    for number, days in enumerate(stored, start=1):
        parcels.append({"id": 7000 + number, "recipient": random.choice(NAMES), "size": random.choice(["small", "large"]),
                        "announced_on": days_ago(days + random.choice([1, 2, 3])), "status": random.choices(["stored", "handed-out"], [5, 1])[0]})
        scans.append({"parcel_id": 7000 + number, "arrived_on": days_ago(days)})
    return {"parcels": parcels, "scans": scans, "fees": [], "policy": [{"name": name, "value": value} for name, value in policy.items()]}
