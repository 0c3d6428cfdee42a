"""A week in May: samples on the shelf, instruments that were checked, values that agree or don't."""
import datetime
import random

NOW = datetime.datetime(2026, 5, 20, 13, 0)
CLIENTS = ["Alder Springs", "Borough of Hest", "Clearwell Dairy", "Dunmore Camping", "Eastfield Schools", "Fenwick Brewery", "Garrow Hospital"]
POINTS = ["kitchen tap", "deep well", "high tank", "wash house", "old well", "garden tap", "inlet", "line 2"]
TYPICAL = {"lead": "lead_ug", "iron": "iron_ug", "manganese": "manganese_ug", "copper": "copper_ug", "nitrate": "nitrate_ug"}


def scenario(seed):
    random.seed(seed)
    policy = {"most_hours": random.choice([24, 30, 36]), "most_degrees": random.choice([8, 9, 10, 12]), "fresh_hours": random.choice([2, 3, 4]),
              "lead_ug": random.choice([5, 8, 10]), "iron_ug": random.choice([150, 200, 250]), "manganese_ug": random.choice([40, 50, 60]),
              "copper_ug": random.choice([1500, 1800, 2000]), "nitrate_ug": random.choice([40000, 45000, 50000]), "repeat_ml": random.choice([100, 120, 150, 200]),
              "repeat_days": random.choice([3, 5, 7, 10]), "spread_percent": random.choice([8, 10, 12, 15])}
    clients = [{"id": 11 + i, "name": n} for i, n in enumerate(random.sample(CLIENTS, 5))]
    points = []
    for c in clients:
        for name in random.sample(POINTS, random.choice([2, 3])):
            points.append({"id": 301 + len(points), "client_id": c["id"], "name": name})
    checks, runs = [], []
    for instrument in ["ICP-1", "ICP-2", "IC-1"]:
        back = 49
        while back > 0:
            checks.append({"id": len(checks) + 1, "instrument": instrument, "day": (NOW - datetime.timedelta(days=back)).date().isoformat(),
                           "passed": int(back > 40 or random.random() < 0.7)})
            back -= random.choice([4, 5, 6, 7])
        for back in sorted(random.sample(range(0, 48), 26), reverse=True):
            runs.append({"instrument": instrument, "day": (NOW - datetime.timedelta(days=back)).date().isoformat(), "back": back})
    random.shuffle(runs)
    for i, run in enumerate(runs):
        run["id"] = 801 + i
    samples, arrivals, analyses, results = [], [], [], []

    def new_sample(point, taken, status):
        code = "W26-" + str(random.randint(10, 99)) + str(len(samples) + 100)
        samples.append({"code": code, "point_id": point["id"], "taken_at": taken.isoformat()[:19], "left_ml": random.choice([20, 60, policy["repeat_ml"] - 1, policy["repeat_ml"], 250, 400]),
                        "status": status, "reason": None})
        return samples[-1]

    for k in range(16):                                      # on the shelf, not taken in yet
        cold = random.randint(20, policy["most_degrees"] * 10)
        warm = policy["most_degrees"] * 10 + random.randint(1, 70)
        slow = random.randint(policy["fresh_hours"] * 60 + 1, policy["most_hours"] * 60)
        kind = k % 4
        minutes = [slow, slow, policy["most_hours"] * 60 + random.randint(1, 700), random.randint(40, policy["fresh_hours"] * 60)][kind]
        arrived = NOW - datetime.timedelta(minutes=random.randint(5, 240))
        s = new_sample(random.choice(points), arrived - datetime.timedelta(minutes=minutes), "arrived")
        arrivals.append({"sample": s["code"], "arrived_at": arrived.isoformat()[:19], "tenths_of_degree": [cold, warm, random.choice([cold, warm]), warm][kind]})

    def value(parameter):
        limit = policy[TYPICAL[parameter]]
        return random.choices([random.randint(limit // 5, limit - 1), limit, limit + random.randint(1, limit)], [6, 1, 2])[0]

    for point in points:
        for _ in range(random.randint(3, 6)):
            back = random.randint(3, 46)
            taken = NOW - datetime.timedelta(days=back, minutes=random.randint(0, 290))
            s = new_sample(point, taken, random.choices(["accepted", "reported", "rejected"], [5, 3, 1])[0])
            if s["status"] == "rejected":
                s["reason"] = random.choice(["late", "warm"])
            arrivals.append({"sample": s["code"], "arrived_at": (taken + datetime.timedelta(minutes=random.randint(30, 1200))).isoformat()[:19],
                             "tenths_of_degree": random.randint(25, 110)})
            for parameter in random.sample(sorted(TYPICAL), random.choice([2, 3, 4])):
                able = [r for r in runs if r["back"] < back and (r["instrument"] == "IC-1") == (parameter == "nitrate")]
                if not able:
                    continue
                first = value(parameter)
                values = [first]
                if random.random() < 0.55:
                    spread = random.choice([0, policy["spread_percent"] // 2, policy["spread_percent"], policy["spread_percent"] + 2, 30])
                    values.append(max(0, first + random.choice([-1, 1]) * (first * spread // 100)))
                chosen = random.sample(able, min(len(able), len(values)))
                for v, run in zip(values, chosen):
                    analyses.append({"sample": s["code"], "parameter": parameter, "run_id": run["id"], "value_ug": v, "status": "valid"})
                if random.random() < 0.2:
                    analyses.append({"sample": s["code"], "parameter": parameter, "run_id": random.choice(able)["id"], "value_ug": value(parameter) + 7, "status": "withdrawn"})
                if s["status"] == "reported" or (s["status"] == "accepted" and random.random() < 0.25):
                    results.append({"id": len(results) + 1, "sample": s["code"], "parameter": parameter, "value_ug": (sum(values) + 1) // 2 if len(values) > 1 else first})
    random.shuffle(analyses)
    for i, row in enumerate(analyses):
        row["id"] = 20001 + i
    return {"clients": clients, "points": points, "samples": samples, "arrivals": arrivals, "checks": checks, "repeats": [],
            "runs": [{"id": r["id"], "instrument": r["instrument"], "day": r["day"]} for r in runs], "analyses": analyses, "results": results,
            "policy": [{"name": k, "value": v} for k, v in policy.items()]}
