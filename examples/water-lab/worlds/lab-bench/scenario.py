"""The bench at half past eight: three clients with a day's work, some held results of the early runs, six instruments with their faults."""
import datetime
import random

PLACES = ["Alderbrook", "Brackwater", "Coldwell", "Dunmere", "Eastlake", "Fenholt", "Greywell", "Harrowby", "Inverley", "Kelby"]
TRADES = ["Water Supply", "Health Trust", "Town Council", "Homes", "School Estates"]
SITES = {"network": ["Pumping Station", "Reservoir Outlet", "Market Square Tap", "High Street Hydrant", "Mill Lane Main", "Service Tank"],
         "dialysis": ["Renal Unit", "Home Dialysis Room"], "infant-care": ["Day Nursery", "Maternity Ward"]}
IC = ["nitrate", "nitrite", "fluoride"]
MS = ["lead", "copper", "nickel", "arsenic"]


def clock(minute):
    return (datetime.datetime(2026, 3, 30) + datetime.timedelta(minutes=minute)).isoformat()


def draw_policy():
    policy = {"cutoff": random.choice(["12:00", "12:30", "13:00", "13:30"]),
              "hold_nitrate": random.choice([24, 30, 36, 48]), "hold_nitrite": random.choice([20, 24, 28, 32]),
              "check_low": 1000 - random.choice([40, 50, 60, 80]), "check_high": 1000 + random.choice([40, 50, 60, 80]),
              "limit_nitrate": random.randrange(36250, 52000, 500), "limit_nitrite": random.randrange(310, 600, 20),
              "limit_fluoride": random.randrange(1025, 1600, 50), "limit_lead": random.choice([6, 7, 8, 9, 11, 12, 13, 14, 15, 16]),
              "limit_copper": random.randrange(1225, 2200, 50), "limit_nickel": random.choice([16, 17, 18, 19, 21, 22, 23, 24, 25, 26, 27, 28]),
              "limit_arsenic": random.choice([6, 7, 8, 9, 11, 12, 13, 14, 15, 16]),                 # never the figure that everybody knows
              "dialysis_percent": random.choice([40, 45, 50, 55]), "infant_percent": random.choice([60, 65, 70, 75]),
              "notice_minutes": random.choice([20, 25, 30, 40])}
    return policy


def limit_for(policy, parameter, kind):
    full = policy["limit_" + parameter]
    if kind == "dialysis":
        return full * policy["dialysis_percent"] // 100
    if kind == "infant-care" and parameter in ["nitrate", "nitrite", "lead"]:
        return full * policy["infant_percent"] // 100
    return full


def draw_water(policy, parameter, kind, story):
    """What is in the water, and what the dirty vial adds to the first aliquot."""
    limit, full = limit_for(policy, parameter, kind), policy["limit_" + parameter]
    if story == "confirmed":
        return limit + 1 + random.randint(0, limit // 4), random.choice([0, 0, random.randint(0, limit // 8)])
    if story == "not-confirmed":
        value = limit - random.choice([0, random.randint(0, limit // 6)])
        return value, limit + 1 + random.randint(0, limit // 4) - value
    if story == "reduced-limit":
        return random.randint(limit + 1, max(limit + 1, full)), 0
    if story == "close":
        return limit - random.choice([0, random.randint(0, limit // 6)]), 0
    return limit * random.randint(15, 88) // 100, 0


def draw_instruments(policy):
    found = []
    drifting = random.choice(["IC-1", "IC-2", "IC-3", "MS-1", "MS-2", "MS-3"])
    for technique, prefix in [("IC", "IC-"), ("ICP-MS", "MS-")]:
        names = [prefix + str(n) for n in [1, 2, 3]]
        lapsed = random.choice([n for n in names if n != drifting]) if random.random() < 0.7 else None
        for name in names:
            low, high = policy["check_low"] - 1000, policy["check_high"] - 1000
            drift, wobble = 0, random.choice([low, high, random.randint(low, high), random.randint(low, high), random.randint(low, high)])
            if name == drifting:
                wobble = random.randint(-3, 3)
                drift = high + random.randint(6, 45) if random.random() < 0.6 else low - random.randint(6, 45)
            until = random.randint(300, 470) if name == lapsed else random.randint(720, 1200) if name == drifting else random.randint(600, 1200)
            found.append({"id": name, "technique": technique, "capacity": random.choice([4, 5, 6]) if technique == "IC" else random.choice([5, 6, 8]),
                          "state": "up", "calibrated_until": clock(until), "drift_pm": drift, "wobble_pm": wobble})
    return found, drifting


def scenario(seed):
    random.seed(seed)
    policy = draw_policy()
    instruments, drifting = draw_instruments(policy)
    clients, sites, samples, truth, couriers = [], [], [], [], []
    ids = random.sample(range(4101, 4301), 120)
    early = []                                   # (sample, story of its early run)

    def new_sample(client, kind, parameters, story, hold="ample", arrival="morning"):
        parameter = random.choice(parameters)
        place = random.choice([w for w in sites if w["client_id"] == client and w["kind"] == kind])
        received = random.randint(420, 495)
        if parameter in ["nitrate", "nitrite"]:
            keep = 60 * policy["hold_" + parameter]
            if hold == "over":
                taken = random.randint(180, 390) - keep
            elif hold == "urgent":
                taken = random.randint(735, 780) - keep
            else:
                taken = random.randint(960, 1320) - keep
        else:
            taken = random.randint(-1500, 300)
        number = ids.pop()
        value, spike = draw_water(policy, parameter, kind, story)
        row = {"id": number, "client_id": client, "site_id": place["id"], "parameter": parameter, "state": "received",
               "taken_at": clock(taken), "received_at": clock(received)}
        if arrival != "morning":
            cutoff = int(policy["cutoff"][:2]) * 60 + int(policy["cutoff"][3:])
            row["state"], row["received_at"] = "announced", None
            couriers.append({"sample_id": number, "arrives_at": clock(cutoff + (random.randint(15, 75) if arrival == "late" else -random.randint(5, 75)))})
        samples.append(row)
        truth.append({"sample_id": number, "value_ug": value, "spike_ug": spike})
        return row

    names = [p + " " + t for p, t in zip(random.sample(PLACES, 6), [random.choice(TRADES) for _ in range(6)])]
    for number, name in enumerate(names, start=1):
        clients.append({"id": number, "name": name})
        for kind, places in SITES.items():
            for place in random.sample(places, 3 if kind == "network" else 1):
                sites.append({"id": len(sites) + 1, "client_id": number, "name": place, "kind": kind})

    kinds = ["network", "network", "dialysis", "infant-care"]
    arrivals = ["in-time", "in-time", "late"]
    for client, arrival in zip(random.sample([1, 2, 3], 3), arrivals):
        size = random.randint(8, 12)
        late_story = "confirmed" if not couriers else "plain"
        new_sample(client, random.choice(kinds), IC + MS, late_story, arrival=arrival)
        size = size - (1 if arrival == "in-time" else 0)
        new_sample(client, random.choice(kinds), IC + MS, "confirmed")
        new_sample(client, random.choice(kinds), IC + MS, "not-confirmed")
        new_sample(client, random.choice(kinds), ["nitrate", "nitrite"], "plain", hold="urgent")
        size = size - 3
        if random.random() < 0.8:
            new_sample(client, "dialysis", IC + MS, "reduced-limit")
            size = size - 1
        if random.random() < 0.6:
            new_sample(client, random.choice(kinds), IC + MS, "close")
            size = size - 1
        for _ in range(size):
            new_sample(client, random.choice(kinds), IC + MS, "plain")
        if random.random() < 0.7:
            new_sample(client, random.choice(kinds), ["nitrate", "nitrite"], "plain", hold="over")
        for _ in range(random.randint(1, 2)):
            early.append((new_sample(client, random.choice(kinds), ["fluoride"] + MS, "plain"), "done"))
    for story in ["confirmed", "not-confirmed", "no-exceedance", "void"]:
        for reduced in [False, True]:
            parameters = (IC if drifting[:2] == "IC" else MS) if story == "void" else IC + MS
            kind = random.choice(["dialysis", "infant-care"] if reduced else ["network", "network", "infant-care"])
            if kind == "infant-care":
                parameters = [p for p in parameters if (p in ["nitrate", "nitrite", "lead"]) == reduced]
            water = {"confirmed": "reduced-limit" if reduced else "confirmed", "not-confirmed": "not-confirmed", "no-exceedance": "close",
                     "void": random.choice(["close", "confirmed"])}[story]
            row = new_sample(random.choice([4, 5, 6]), kind, parameters, water)
            if story == "void":
                truth[-1]["spike_ug"] = 0
            early.append((row, story))
        early.append((new_sample(random.choice([4, 5, 6]), "network", IC + MS, "plain"), "done"))
    colleague = new_sample(random.choice([4, 5, 6]), "network", IC + MS, "plain")
    colleague["received_at"] = clock(440)

    aliquots, runs, run_items, results, reports = [], [], [], [], []
    techniques = {i["id"]: i for i in instruments}
    free = {i["id"]: random.randint(240, 265) for i in instruments}         # each instrument's early runs, one after the other
    for row, story in early:
        prefix = "IC-" if row["parameter"] in IC else "MS-"
        sound = [i["id"] for i in instruments if i["id"][:3] == prefix and i["id"] != drifting]
        on = drifting if story == "void" else min(sound, key=lambda name: free[name])
        start = free[on]
        minutes = 15 if prefix == "IC-" else 18
        run = {"id": 900 + len(runs), "instrument_id": on, "started_at": clock(start), "ends_at": clock(start + minutes), "state": "finished",
               "recovery_pm": 1000 + techniques[on]["drift_pm"] + techniques[on]["wobble_pm"]}
        water = [t for t in truth if t["sample_id"] == row["id"]][0]
        row["received_at"] = clock(start - 45)
        row["taken_at"] = min(row["taken_at"], clock(start - 100))
        aliquots.append({"id": 7000 + len(aliquots), "sample_id": row["id"], "prepared_at": clock(start - 30), "ready_at": clock(start - 2)})
        runs.append(run)
        run_items.append({"run_id": run["id"], "aliquot_id": aliquots[-1]["id"]})
        results.append({"id": 8000 + len(results), "run_id": run["id"], "sample_id": row["id"], "aliquot_id": aliquots[-1]["id"],
                        "value_ug": ((water["value_ug"] + water["spike_ug"]) * (1000 + techniques[on]["drift_pm"]) + 500) // 1000})
        if story == "done":
            reports.append({"id": len(reports) + 1, "sample_id": row["id"], "result_id": results[-1]["id"], "verdict": "complies", "sent_at": clock(start + 25)})
        free[on] = start + minutes + random.randint(3, 9)
    prefix = "IC-" if colleague["parameter"] in IC else "MS-"
    on = random.choice([i["id"] for i in instruments if i["id"][:3] == prefix and i["id"] != drifting])
    techniques[on]["calibrated_until"] = max(techniques[on]["calibrated_until"], clock(600))
    aliquots.append({"id": 7000 + len(aliquots), "sample_id": colleague["id"], "prepared_at": clock(475), "ready_at": clock(500)})
    runs.append({"id": 900 + len(runs), "instrument_id": on, "started_at": clock(501), "ends_at": clock(random.randint(530, 565)),
                 "state": "running", "recovery_pm": None})
    run_items.append({"run_id": runs[-1]["id"], "aliquot_id": aliquots[-1]["id"]})

    incidents = []
    if random.random() < 0.8:
        incidents.append({"instrument_id": random.choice(instruments)["id"], "at": clock(random.randint(570, 750))})
    return {
        "shift": [{"id": 1, "opens_at": clock(510), "closes_at": clock(1080)}],
        "clients": clients, "sites": sites,
        "techniques": [{"code": "IC", "preparation": "filter", "prep_minutes": 10, "base_minutes": 10, "minutes_each": 5, "calibration_minutes": 20},
                       {"code": "ICP-MS", "preparation": "acidify and digest", "prep_minutes": 25, "base_minutes": 15, "minutes_each": 3, "calibration_minutes": 30}],
        "parameters": [{"code": p, "technique": "IC"} for p in IC] + [{"code": p, "technique": "ICP-MS"} for p in MS],
        "instruments": instruments, "samples": samples, "truth": truth, "couriers": couriers, "incidents": incidents,
        "aliquots": aliquots, "runs": runs, "run_items": run_items, "results": results, "calibrations": [], "withdrawals": [], "notices": [],
        "reports": reports, "rejections": [], "subcontracts": [], "policy": [{"name": k, "value": v} for k, v in policy.items()],
    }
