"""The harbour in June: three piers, visitors coming and going, a season behind them."""
import datetime
import random

TODAY = datetime.date(2026, 6, 8)
A = ["Sea", "Grey", "Northern", "Little", "Salt", "Silver", "Merry", "Wandering", "Old", "Blue"]
B = ["Heron", "Lantern", "Thistle", "Petrel", "Anna", "Gale", "Otter", "Compass", "Maid", "Plover"]
OWNERS = ["Aalto", "Beck", "Cardoso", "Duval", "Ekman", "Ferrante", "Griffin", "Hartog", "Ibsen", "Juric", "Kemp", "Lund"]


def on(n):
    return (TODAY + datetime.timedelta(days=n)).isoformat()


def scenario(seed):
    random.seed(seed)
    policy = {"side_cm": random.choice([30, 40, 50, 60]), "keel_cm": random.choice([20, 25, 30, 40]), "metre_cents": random.randint(115, 290),
              "long_nights": random.choice([5, 6, 7]), "long_percent": random.choice([10, 12, 15, 20]), "kwh_cents": random.randint(32, 79),
              "margin_days": random.choice([7, 10, 14])}
    berths = []
    for pier, letter, count in (("east", "E", 8), ("middle", "M", 9), ("west", "W", 7)):
        for n in range(1, count + 1):
            berths.append({"code": letter + str(n), "pier": pier, "length_cm": random.choice([800, 900, 1000, 1200, 1400]), "width_cm": random.choice([300, 340, 380, 420, 460]),
                           "depth_cm": random.choice([160, 190, 220, 250, 280]), "usable": int(random.random() < 0.88)})
    boats = []
    for i, name in enumerate(random.sample([a + " " + b for a in A for b in B], 44)):
        boats.append({"id": 31 + i, "name": name, "owner": random.choice(OWNERS) if i >= 12 else OWNERS[i], "length_cm": random.randint(640, 1330), "beam_cm": random.randint(230, 390),
                      "draught_cm": random.randint(90, 210), "insured_until": on(random.randint(200, 400))})
    for i in range(24):
        boats[i + 12]["owner"] = OWNERS[i % 12]
    stays, busy = [], {b["code"]: [] for b in berths}
    usable = [b["code"] for b in berths if b["usable"]]

    def add(boat, berth, first, nights, status):
        if status in ("booked", "held", "moored") or first < 0:
            if any(first < e and s < first + nights for s, e in busy[berth]):
                return None
            busy[berth].append((first, first + nights))
        stay = {"boat_id": boat["id"], "berth": berth, "arrive": on(first), "depart": on(first + nights), "status": status}
        stays.append(stay)
        return stay

    for boat in boats:                                       # the season behind us
        for _ in range(random.choice([0, 2, 4, 6, 8])):
            add(boat, random.choice(usable), -random.randint(20, 400), random.randint(1, 9), random.choices(["left", "cancelled"], [5, 1])[0])
    leaving = []
    for boat in random.sample(boats, 8):                     # moored; some leave today
        nights = random.randint(2, 11)
        go = random.choice([0, 0, 0, 1, 3])
        stay = add(boat, random.choice(usable), go - nights, nights, "moored")
        if stay:
            leaving.append(stay)
    for boat in boats:                                       # booked; now and then the papers run out
        for _ in range(random.choice([1, 1, 2])):
            first, nights = random.randint(1, 14), random.randint(1, 8)
            stay = add(boat, random.choice(usable), first, nights, random.choices(["booked", "cancelled", "held"], [8, 1, 1])[0])
            if stay and random.random() < 0.6:
                boat["insured_until"] = on(first + nights + random.choice([-3, 0, 2, policy["margin_days"] - 1, policy["margin_days"], policy["margin_days"] + 1, 40]))
    random.shuffle(stays)
    for i, stay in enumerate(stays):
        stay["id"] = 7001 + i
    readings = []
    for b in berths:
        days = sorted(set([s["arrive"] for s in stays if s["berth"] == b["code"] and s["arrive"] <= on(0) and s["arrive"] > on(-40)]
                          + [s["depart"] for s in stays if s["berth"] == b["code"] and s["depart"] <= on(0) and s["depart"] > on(-40)] + [on(-60), on(-41)]))
        kwh = random.randint(1000, 9000)
        for day in days:
            readings.append({"berth": b["code"], "day": day, "kwh": kwh})
            kwh += random.choice([0, random.randint(3, 70), random.randint(3, 70)])
    random.shuffle(readings)
    for i, row in enumerate(readings):
        row["id"] = i + 1
    return {"berths": berths, "boats": boats, "stays": stays, "meter_readings": readings, "charges": [], "policy": [{"name": k, "value": v} for k, v in policy.items()]}
