"""An autumn morning: four sites, some sixty plots, a waiting list that was typed in without order."""
import datetime
import random

TODAY = datetime.date(2026, 9, 14)
FIRST = ["Ada", "Bruno", "Carla", "Dimitri", "Edda", "Farid", "Gesa", "Hugo", "Ines", "Jonas", "Kirsten", "Levent", "Mirja", "Nuno", "Olga", "Pavel"]
LAST = ["Ahlers", "Brandt", "Cordes", "Demir", "Engel", "Fuchs", "Gerdes", "Holm", "Ihde", "Jessen", "Kruse", "Lorenz"]
SITES = [("B", "Brook Lane"), ("K", "Kiln Field"), ("M", "Mill Slope"), ("S", "Station Yard")]


def ago(n):
    return (TODAY - datetime.timedelta(days=n)).isoformat()


def scenario(seed):
    random.seed(seed)
    policy = {"arrears_cents": random.choice([1000, 1500, 2000, 2500]), "offer_days": random.choice([7, 10, 14, 21]),
              "least_percent": random.choice([35, 40, 45, 50]), "grace_days": random.choice([60, 90, 120]),
              "memory_days": random.choice([180, 270, 365]), "warning_days": random.choice([14, 21, 28]),
              "termination_days": random.choice([30, 35, 42]), "rent_cents": random.randint(31, 68), "reduced_percent": random.choice([55, 60, 70, 75])}
    names = random.sample([f + " " + g for f in FIRST for g in LAST], 66)
    members = []
    for i, name in enumerate(names):
        much = policy["arrears_cents"] + random.randint(1, 4000)
        owes = random.choice([0, 0, random.randint(100, policy["arrears_cents"]), much, much if i >= 36 else 0, much if i >= 36 else 0])
        members.append({"id": 201 + i, "name": name, "rate": random.choice(["full", "full", "reduced"]), "arrears_cents": owes})
    tenants = [m["id"] for m in members[:36]]
    several = tenants[:8]
    plots, inspections, notices, bills = [], [], [], []
    for site, _ in SITES:
        for n in range(1, random.randint(13, 16)):
            code = site + "-" + str(n).zfill(2)
            status = random.choices(["let", "vacant", "resting"], [8, 2, 1])[0]
            if n == 3:
                status = "vacant"
            plot = {"code": code, "site": site, "size_m2": random.randint(16, 60) * 5 + random.choice([0, 1, 3]), "status": status, "member_id": None, "let_from": None}
            plots.append(plot)
            if status != "let":
                continue
            plot["member_id"] = random.choice(several) if random.random() < 0.5 else random.choice(tenants)
            since = random.choice([random.randint(5, policy["grace_days"] - 1), random.randint(policy["grace_days"], 300), random.randint(301, 2500), random.randint(301, 2500)])
            plot["let_from"] = ago(since)
            days = sorted(random.sample(range(1, max(since, 8)), random.choice([1, 2, 2, 3]) if since > 10 else 1), reverse=True)
            days = [d for d in days if d < since] or [1]
            for d in random.sample(days, len(days)):
                low = random.random() < 0.5
                found = random.randint(5, policy["least_percent"] - 1) if low else random.randint(policy["least_percent"], 95)
                inspections.append({"plot": code, "day": ago(d), "cultivated_percent": found})
            for _ in range(random.choice([0, 0, 1, 1, 2])):
                d = random.choice([random.randint(10, policy["memory_days"]), policy["memory_days"] + random.randint(1, 200)])
                if d < since - 1:
                    notices.append({"plot": code, "kind": "warning", "sent_on": ago(d), "respond_by": ago(d - 14)})
            if since > 260 and random.random() < 0.8:
                bills.append({"plot": code, "year": 2025, "amount_cents": plot["size_m2"] * policy["rent_cents"]})
            if random.random() < 0.3:
                bills.append({"plot": code, "year": 2026, "amount_cents": plot["size_m2"] * policy["rent_cents"]})
    random.shuffle(inspections)
    for rows, start in ((inspections, 4001), (notices, 901), (bills, 3001)):
        for i, row in enumerate(rows):
            row["id"] = start + i
    waiting = []
    days = random.sample(range(20, 900), 30)
    for i, m in enumerate(random.sample(members[36:], 26)):
        waiting.append({"id": 501 + i, "member_id": m["id"], "site": random.choice(["B", "K", "M", "S", None]), "smallest_m2": random.randint(10, 44) * 5,
                        "applied_on": ago(days[i]), "status": random.choices(["waiting", "withdrawn", "served"], [7, 1, 1])[0]})
    return {"sites": [{"code": c, "name": n} for c, n in SITES], "members": members, "plots": plots, "waiting_list": waiting, "inspections": inspections,
            "notices": notices, "offers": [], "bills": bills, "policy": [{"name": k, "value": v} for k, v in policy.items()]}
