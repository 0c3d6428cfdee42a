"""A Thursday in March: five shelves, orders to be picked, a year of gifts to be thanked for."""
import datetime
import random

TODAY = datetime.date(2026, 3, 12)
PRODUCTS = [("chickpeas", "tinned"), ("tomatoes", "tinned"), ("sardines", "tinned"), ("peaches", "tinned"), ("lentil soup", "tinned"), ("rice", "dry"), ("oats", "dry"),
            ("pasta", "dry"), ("flour", "dry"), ("crispbread", "dry"), ("yoghurt", "chilled"), ("butter", "chilled"), ("cheese", "chilled"), ("tofu", "chilled")]
PARTNERS = ["Abbey Kitchen", "Bridge Pantry", "Corner Table", "Dockside Meals", "Evergreen House", "Family Larder", "Green Door", "Harvest Hall", "Island Soup", "Junction Shelter", "Kettle Club"]
DONORS = ["Arkwright Bakery", "Bellis Supermarket", "Corn Exchange", "Drover Wholesale", "Elm Street Market", "Fairweather Foods", "Gable Stores", "Hedgerow Farms"]


def on(n):
    return (TODAY + datetime.timedelta(days=n)).isoformat()


def scenario(seed):
    random.seed(seed)
    policy = {"days_left": random.choice([2, 3, 4, 5]), "tinned_days": random.choice([90, 120, 180, 240]), "dry_days": random.choice([30, 45, 60]),
              "kilo_cents": random.randint(185, 365), "recall_days": random.choice([14, 21, 28, 35])}
    products = []
    for i, (name, kind) in enumerate(PRODUCTS):
        products.append({"sku": kind[0].upper() + str(random.randint(10, 99)) + str(i + 10), "name": name, "kind": kind, "grams": random.choice([200, 250, 400, 425, 500, 750, 850, 1000])})
    batches = []
    numbers = random.sample(range(100, 999), 120)
    lots = ["L" + str(random.randint(100, 999)) + random.choice(["-A", "-B", "-C"]) + str(k) for k in range(12)]
    for p in products:
        grace = {"tinned": policy["tinned_days"], "dry": policy["dry_days"], "chilled": 0}[p["kind"]]
        soon = sorted(set([random.randint(-grace - 25, -grace - 1), -grace - 1, -grace, random.randint(-grace, 0) if grace else 1] + random.sample(range(2, 60), 6)))
        for day in random.sample(soon, random.randint(6, len(soon) - 1)):
            batches.append({"id": numbers[len(batches)], "sku": p["sku"], "lot": random.choice(lots), "shelf": random.choice(["A", "B", "C", "D", "E"]), "best_before": on(day),
                            "units": random.choice([0, random.randint(3, 20), random.randint(3, 20), random.randint(10, 60)]),
                            "status": random.choices(["good", "blocked", "discarded"], [8, 1, 1])[0]})
    partners = [{"id": 21 + i, "name": n} for i, n in enumerate(random.sample(PARTNERS, 9))]
    handouts = []
    for b in batches:
        for _ in range(random.choice([0, 0, 1, 1, 2])):
            back = random.choice([random.randint(1, policy["recall_days"]), policy["recall_days"], policy["recall_days"] + random.randint(1, 40)])
            handouts.append({"batch_id": b["id"], "partner_id": random.choice(partners)["id"], "day": on(-back), "units": random.randint(1, 15)})
    random.shuffle(handouts)
    orders, lines = [], []
    for i in range(9):
        status = "open" if i < 6 else "ready"
        orders.append({"id": 5001 + i, "partner_id": random.choice(partners)["id"], "pickup": on(random.randint(1, 4) if status == "open" else -random.randint(0, 5)), "status": status})
        for p in random.sample(products, random.choice([2, 3, 3, 4])):
            lines.append({"id": 9001 + len(lines), "order_id": 5001 + i, "sku": p["sku"], "units": random.choice([random.randint(5, 25), random.randint(20, 70)])})
    donors = [{"id": 71 + i, "name": n} for i, n in enumerate(random.sample(DONORS, 7))]
    donations, gifts = [], []
    for d in donors:
        for _ in range(random.randint(4, 9)):
            day = random.choice([random.randint(-430, -72), random.randint(-430, -72), random.randint(-430, -72), random.randint(-600, -440), random.randint(-70, -1)])
            donations.append({"donor_id": d["id"], "day": on(day), "status": random.choices(["received", "refused"], [5, 1])[0]})
    random.shuffle(donations)
    for i, g in enumerate(donations):
        g["id"] = 301 + i
        for p in random.sample(products, random.choice([1, 2, 2])):
            gifts.append({"id": len(gifts) + 1, "donation_id": 301 + i, "sku": p["sku"], "units": random.randint(4, 90)})
    for i, h in enumerate(handouts):
        h["id"] = i + 1
    return {"products": products, "batches": batches, "partners": partners, "orders": orders, "order_lines": lines, "picks": [], "handouts": handouts, "warnings": [],
            "donors": donors, "donations": donations, "donation_lines": gifts, "letters": [], "policy": [{"name": k, "value": v} for k, v in policy.items()]}
