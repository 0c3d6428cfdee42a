"""A few dozen loans that came back, some recorded a few days after the scanner saw them."""
import datetime
import random

NAMES = ["Okafor", "Lindqvist", "Moreau", "Tanaka", "Novak", "Silva", "Haas", "Iyer", "Kowalski", "Duarte", "Petit", "Quist"]
TITLES = ["Tide Tables", "Bread at Home", "The Long Wall", "Botany for Boats", "Atlas of Rain", "Quiet Machines"]


def day(n):
    return (datetime.date(2026, 4, 1) + datetime.timedelta(days=n)).isoformat()


def scenario(seed):
    random.seed(seed)
    members = [{"id": i, "name": name, "tier": random.choice(["adult", "student"])} for i, name in enumerate(NAMES, start=1)]
    loans, scans, fines = [], [], []
    for member in members:
        for _ in range(random.randint(2, 4)):
            number = len(loans) + 1
            due = random.randint(0, 20)
            scanned = due + random.choice([-1, 0, 1, 2, 3, 4, 5, 6])
            recorded = max(scanned, due + 1) + random.choice([0, 1, 2])
            loans.append({"id": number, "member_id": member["id"], "title": random.choice(TITLES), "due": day(due), "returned": day(recorded)})
            scans.append({"loan_id": number, "scanned_on": day(scanned)})
            fines.append({"id": 500 + number, "loan_id": number, "amount_cents": random.randint(40, 900),
                          "status": random.choices(["due", "paid"], [4, 1])[0]})
    policy = [{"name": "grace_days", "value": random.choice([1, 2, 3])}, {"name": "student_percent", "value": random.choice([50, 60, 75])}]
    return {"members": members, "loans": loans, "scans": scans, "fines": fines, "waivers": [], "notices": [], "policy": policy}
