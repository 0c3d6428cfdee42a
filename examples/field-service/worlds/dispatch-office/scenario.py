"""A dispatch office on a Friday afternoon: next week's jobs, partly planned, around plans that are known to work."""
import datetime
import random

SLOTS = ["08:00", "10:00", "13:00", "15:00"]
ENDS = {"08:00": "10:00", "10:00": "12:00", "13:00": "15:00", "15:00": "17:00"}
HALF = {"08:00": "morning", "10:00": "morning", "13:00": "afternoon", "15:00": "afternoon"}
NEEDS = {"gas boiler": ["GAS"], "LPG boiler": ["GAS", "LPG"], "oil boiler": ["OIL"], "heat pump": ["FGAS"], "unvented cylinder": ["G3"]}
DISTRICTS = ["Castle Hill", "Eastmoor", "Harbour", "Millfield", "Northgate", "Old Quay", "Westbrook"]
FIRST = ["Ada", "Bram", "Carys", "Dilip", "Esme", "Femi", "Greta", "Huw", "Ines", "Jonas", "Kofi", "Lena", "Marek", "Nadia", "Owen", "Priya"]
LAST = ["Abbott", "Boyle", "Chaudhry", "Dunne", "Ekwueme", "Fletcher", "Grady", "Hussain", "Iversen", "Jarvis", "Keane", "Lomax", "Mensah", "Novak", "Orme",
        "Pryce", "Quayle", "Rashid", "Sutton", "Tran", "Unwin", "Varga", "Whitlock", "Yates"]
STREETS = ["Alma Street", "Brook Lane", "Chapel Row", "Dock Road", "Elm Grove", "Ferry Street", "Garden Terrace", "Hope Street", "Mill Lane", "Station Road"]
HOURS = [("08:00", "17:00"), ("08:00", "12:00"), ("12:00", "17:00"), ("09:00", "12:00"), ("10:00", "15:00"), ("13:00", "17:00"), ("08:00", "13:00"),
         ("12:30", "15:30"), ("08:00", "10:30"), ("14:00", "17:00"), ("09:00", "17:00"), ("07:30", "14:30")]
URGENT = {"shut off after a smell of gas": ["gas boiler", "LPG boiler"], "shut off after a carbon monoxide alarm": ["gas boiler", "LPG boiler", "oil boiler"],
          "shut off after a water leak": ["gas boiler", "oil boiler", "heat pump", "unvented cylinder"]}
COLD = ["no heating", "no hot water"]
MINOR = ["noisy when it starts", "loses pressure", "thermostat does not respond", "error code on the display", "dripping overflow outside"]
REMARKS = [None, None, None, None, "Dog in the yard.", "Parking at the back.", "Customer calls it an emergency.", "Customer says it is urgent.", "Ring twice."]


def fits(hours, slot):
    return hours[0] <= slot and ENDS[slot] <= hours[1]


def build_map():
    ring = random.sample(DISTRICTS, len(DISTRICTS))
    pairs = [(ring[i], ring[(i + 1) % 7]) for i in range(7)]
    pairs.append((ring[0], ring[random.choice([2, 3, 4])]))
    near = {d: [d] for d in DISTRICTS}
    for a, b in pairs:
        near[a].append(b)
        near[b].append(a)
    return near


def build_crew(week):
    """Eight technicians in a drawn order, and what the certificate register holds on them."""
    names = random.sample(LAST, 8)
    firsts = random.sample(FIRST, 8)
    grades = random.sample(["senior", "senior", "standard", "standard", "standard", "standard", "junior", "junior"], 8)
    crew, certificates = [], []
    for i in range(8):
        crew.append({"id": 11 + i, "name": firsts[i] + " " + names[i], "grade": grades[i], "home_district": random.choice(DISTRICTS)})
        count = {"senior": random.choice([4, 5]), "standard": random.choice([3, 4]), "junior": 3}[grades[i]]
        codes = random.sample(["GAS", "GAS", "LPG", "OIL", "FGAS", "G3"], 6)
        codes = [c for k, c in enumerate(codes) if c not in codes[:k]][:count]
        for k, code in enumerate(codes):
            chance = 0.0 if k == 0 else random.random()
            if chance < 0.55:
                until = (datetime.date.fromisoformat(week[4]) + datetime.timedelta(days=random.randint(5, 900))).isoformat()
            elif chance < 0.85:
                until = (datetime.date.fromisoformat(week[0]) - datetime.timedelta(days=random.randint(1, 300))).isoformat()
            else:
                until = random.choice(week)
            certificates.append({"technician_id": 11 + i, "code": code, "valid_until": until})
    return crew, certificates


def choose_job(technician, slot, day, district, can, policy, want, roomy):
    """A job that this technician may do in this slot: `want` is urgent, timed (a carer comes), chilly (care and no heat) or any; `roomy` widens hours."""
    report, work, listed = None, "repair", False
    if want == "urgent":
        report, appliance = random.choice([(r, a) for r in URGENT for a in URGENT[r] if a in can])
        hours = random.choice([h for h in HOURS if not fits(h, slot)] if random.random() < 0.6 else HOURS)
        listed = random.random() < 0.2
    else:
        appliance = random.choice(can)
        kinds = {"timed": ["service", "minor"], "chilly": ["cold"], "any": ["service", "cold", "minor"]}[want]
        listed = want != "any"
        if not listed and technician["grade"] != "junior" and random.random() < 0.25:
            possible = (["cold"] if slot <= policy["care_latest"] else []) + (["service", "minor"] if slot == policy["care_slot"] else [])
            listed, kinds = bool(possible), possible or kinds
        kind = random.choice(kinds)
        if kind == "service":
            work = random.choice(["annual service", "annual service", "safety check"])
        else:
            report = random.choice(COLD if kind == "cold" else MINOR)
        good = [h for h in HOURS if fits(h, slot)]
        wide = [h for h in good if h[0] <= "08:00" and h[1] >= "14:00"]
        hours = random.choice(wide) if wide and random.random() < (0.8 if listed or roomy else 0.0) else random.choice(good)
    if listed:
        care_until = day if random.random() < 0.15 else (datetime.date.fromisoformat(day) + datetime.timedelta(days=random.randint(1, 700))).isoformat()
    else:
        care_until = None if random.random() < 0.7 else (datetime.date.fromisoformat(day) - datetime.timedelta(days=random.randint(1, 200))).isoformat()
    return {"work": work, "report": report, "appliance": appliance, "hours": hours, "district": district, "care_until": care_until,
            "urgent": want == "urgent", "listed": listed}


def suits(want, technician, slot, policy):
    if want == "any":
        return True
    if technician["grade"] == "junior":
        return False
    return {"urgent": slot == policy["inspector_slot"], "timed": slot == policy["care_slot"], "chilly": slot <= policy["care_latest"]}[want]


def fill_day(day, crew, blocked, certificates, near, policy, wants, roomy):
    """One visit for each of `wants` that finds a place; together they keep every rule of the handbook."""
    held = {t["id"]: [c["code"] for c in certificates if c["technician_id"] == t["id"] and c["valid_until"] >= day] for t in crew}
    cells = [(t, s) for t in crew for s in SLOTS if s not in blocked.get(t["id"], [])]
    cells = random.sample(cells, len(cells))
    visits, load, places, taken = [], {t["id"]: 0 for t in crew}, {}, []
    for want in wants:
        for t, slot in cells:
            can = [a for a in NEEDS if all(code in held[t["id"]] for code in NEEDS[a])]
            if not can or (t["id"], slot) in taken or not suits(want, t, slot, policy):
                continue
            half = (t["id"], HALF[slot])
            if want == "urgent":
                district = random.choice(DISTRICTS)
            else:
                if load[t["id"]] >= policy["max_junior" if t["grade"] == "junior" else "max_full"]:
                    continue
                district = random.choice(near[places[half]] if half in places else DISTRICTS)
                load[t["id"]] = load[t["id"]] + 1
                places[half] = district
            taken.append((t["id"], slot))
            visits.append({"technician_id": t["id"], "slot": slot, "day": day, "job": choose_job(t, slot, day, district, can, policy, want, roomy)})
            break
    return visits


def hand_to(ill, visits, certificates, near, day):
    """Two to four visits of others that the technician could have had: what the plan looked like before they fell ill."""
    held = [c["code"] for c in certificates if c["technician_id"] == ill["id"] and c["valid_until"] >= day]
    places, chosen, slots = {}, [], []
    for n, visit in sorted(enumerate(visits), key=lambda pair: (not pair[1]["job"]["listed"], pair[0])):
        job, half = visit["job"], HALF[visit["slot"]]
        if visit["slot"] in slots or not all(code in held for code in NEEDS[job["appliance"]]):
            continue
        if not job["urgent"]:
            if half in places and job["district"] not in near[places[half]]:
                continue
            places[half] = job["district"]
        slots.append(visit["slot"])
        chosen.append(n)
    return chosen if len(chosen) <= 3 else chosen[:2] + chosen[-1:]


def stamp(minutes):
    return (datetime.datetime(2026, 1, 16, 7, 0) + datetime.timedelta(minutes=minutes)).isoformat()


def scenario(seed):
    random.seed(seed)
    week = [(datetime.date(2026, 1, 19) + datetime.timedelta(days=i)).isoformat() for i in range(5)]
    policy = {"max_full": random.choice([3, 4]), "max_junior": random.choice([2, 3]), "inspector_slot": random.choice(SLOTS),
              "care_latest": random.choice(["08:00", "10:00"]), "care_slot": random.choice(SLOTS),
              "callout_senior_cents": random.randrange(5200, 7600, 50), "callout_standard_cents": random.randrange(3600, 5200, 50),
              "callout_junior_cents": random.randrange(2200, 3600, 50), "travel_same_cents": random.randrange(405, 800, 5),
              "travel_near_cents": random.randrange(905, 1500, 5), "travel_far_cents": random.randrange(1805, 2900, 5),
              "emergency_percent": random.choice([135, 150, 165, 175]), "late_cents": random.randrange(600, 1900, 50)}
    policy["usual_channel"], policy["care_channel"] = random.sample(["text", "call", "email", "letter"], 2)
    near = build_map()
    crew, certificates = build_crew(week)
    grade = {t["id"]: t["grade"] for t in crew}
    roles = random.sample(["full", "full", "small", "small", "ill"], 5)
    planned, waiting, absences, inbox = [], [], [], []
    for day, role in zip(week, roles):
        for _ in range(60):
            order = random.sample(crew, 8)
            away = []
            if role == "small":
                on_duty = [t for t in order if t["grade"] != "junior"][:4] + [t for t in order if t["grade"] == "junior"][:1]
                away = [(t["id"], "day") for t in order if t not in on_duty]
            else:
                away = [(order[0]["id"], "day"), (order[1]["id"], "morning"), (order[2]["id"], "afternoon")]
            blocked = {}
            for who, part in away:
                blocked[who] = [s for s in SLOTS if part in ("day", HALF[s])]
            ill = None
            if role == "ill":
                ill = [t for t in order[3:] if t["grade"] != "junior"][0]
                blocked[ill["id"]] = SLOTS
            room = sum(min(4 - len(blocked.get(t["id"], [])), policy["max_junior" if t["grade"] == "junior" else "max_full"]) for t in crew)
            goal = {"full": min(room, 16), "small": 10, "ill": min(room, 13)}[role]
            wants = {"full": ["urgent"] * random.choice([1, 2]) + ["timed", "timed", "chilly"], "small": ["urgent", "timed", random.choice(["timed", "chilly"])],
                     "ill": ["urgent"] * random.choice([0, 1]) + ["timed", "chilly"]}[role]
            visits = fill_day(day, crew, blocked, certificates, near, policy, wants + ["any"] * (goal - len(wants)), role == "small")
            if len(visits) < {"full": 13, "small": 9, "ill": 10}[role]:
                continue
            if len([v for v in visits if v["job"]["urgent"]]) < wants.count("urgent") or len([v for v in visits if v["job"]["listed"]]) < len(wants) - wants.count("urgent"):
                continue
            if role == "ill":
                chosen = hand_to(ill, visits, certificates, near, day)
                if len(set(visits[n]["job"]["listed"] for n in chosen)) < 2:
                    continue
                for n in chosen:
                    visits[n]["technician_id"] = ill["id"]
            break
        if role == "ill":
            planned.extend(visits)
            others = [t for t in order[3:] if t["id"] != ill["id"] and any(v["technician_id"] == t["id"] for v in visits)]
            inbox.append((stamp(random.randint(0, 90)), ill["id"], day, "ill", "I have to go into hospital that day. I am off."))
            if random.random() < 0.6:
                inbox.append((stamp(random.randint(0, 60)), others[0]["id"], day, "ill", "Feeling rough, I will not make it that day."))
                inbox.append((stamp(random.randint(100, 300)), others[0]["id"], day, "fit", "False alarm, I can work that day after all."))
            if random.random() < 0.25:
                inbox.append((stamp(random.randint(100, 200)), ill["id"], day, "fit", "They may put it off, so count me in."))
                inbox.append((stamp(random.randint(220, 400)), ill["id"], day, "ill", "They have not put it off. I am off that day."))
        else:
            keep = {"full": 9, "small": 7}[role]
            ranked = sorted(enumerate(visits), key=lambda pair: (not pair[1]["job"]["urgent"], not pair[1]["job"]["listed"], pair[0]))
            first = [n for n, v in ranked if v["job"]["urgent"] or v["job"]["listed"]][:keep]
            rest = [n for n, v in ranked if n not in first]
            chosen = first + random.sample(rest, keep - len(first))
            waiting.extend([v for n, v in enumerate(visits) if n in chosen])
            planned.extend([v for n, v in enumerate(visits) if n not in chosen])
        for who, part in away:
            absences.append({"technician_id": who, "day": day, "part": part, "reason": random.choice(["holiday", "training"])})
        talk = random.choice(order[3:])["id"]
        inbox.append((stamp(random.randint(0, 400)), talk, day, random.choice(["parts", "question"]), "Is the van stocked for that day?"))
    return assemble(crew, certificates, near, policy, planned, waiting, absences, inbox, week)


def assemble(crew, certificates, near, policy, planned, waiting, absences, inbox, week):
    rows = [(v["job"], v["day"], "open", v) for v in planned] + [(v["job"], v["day"], "open", None) for v in waiting]
    for day in week:
        for status in ["on hold", "cancelled", random.choice(["on hold", "cancelled"])]:
            rows.append((loose_job(day), day, status, None))
    for k in range(3):
        day = (datetime.date(2026, 1, 26) + datetime.timedelta(days=k)).isoformat()
        rows.append((loose_job(day), day, "open", None))
    for k in range(12):
        day = datetime.date(2026, 1, 15) - datetime.timedelta(days=k)
        if day.weekday() < 5:
            for t in random.sample(crew, 5):
                slot = random.choice(SLOTS)
                job = loose_job(day.isoformat())
                rows.append((job, day.isoformat(), "done", {"technician_id": t["id"], "slot": slot, "day": day.isoformat()}))
    customers, jobs, visits = [], [], []
    for n, (job, day, status, visit) in enumerate(random.sample(rows, len(rows))):
        customers.append({"id": 301 + n, "name": random.choice(FIRST) + " " + random.choice(LAST), "district": job["district"],
                          "street": str(random.randint(1, 90)) + " " + random.choice(STREETS), "phone": "01632 960" + str(100 + n),
                          "care_until": job["care_until"]})
        jobs.append({"id": 4001 + n, "customer_id": 301 + n, "day": day, "work": job["work"], "appliance": job["appliance"], "report": job["report"],
                     "remark": random.choice(REMARKS), "home_from": job["hours"][0], "home_to": job["hours"][1], "status": status})
        if visit is not None:
            visits.append({"job_id": 4001 + n, "technician_id": visit["technician_id"], "day": visit["day"], "slot": visit["slot"], "note": ""})
    letters = [{"id": n, "received_at": m[0], "technician_id": m[1], "day": m[2], "topic": m[3], "text": m[4]} for n, m in enumerate(sorted(inbox), start=1)]
    return {"districts": [{"name": d} for d in DISTRICTS],
            "neighbours": [{"district": d, "neighbour": n} for d in DISTRICTS for n in near[d] if n != d],
            "technicians": crew, "certificates": certificates, "customers": customers, "jobs": jobs, "visits": visits,
            "absences": absences, "inbox": letters, "notices": [], "policy": [{"name": k, "value": policy[k]} for k in policy]}


def loose_job(day):
    """A job outside the plans: history, on hold, cancelled, or a later week."""
    report = random.choice([None, random.choice(COLD), random.choice(MINOR)])
    until = random.choice([None, None, (datetime.date.fromisoformat(day) + datetime.timedelta(days=random.randint(-90, 200))).isoformat()])
    return {"work": "repair" if report else random.choice(["annual service", "safety check"]), "report": report,
            "appliance": random.choice(["gas boiler", "LPG boiler", "oil boiler", "heat pump", "unvented cylinder"]), "hours": random.choice(HOURS),
            "district": random.choice(DISTRICTS), "care_until": until, "urgent": False, "listed": False}
