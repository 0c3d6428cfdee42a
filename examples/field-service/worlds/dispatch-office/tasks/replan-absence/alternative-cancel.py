"""Cancels the visits and plans them anew, latest slots first; the absence is recorded at the end, the notices go out one by one after it."""
import re

ENDS = {"08:00": "10:00", "10:00": "12:00", "13:00": "15:00", "15:00": "17:00"}
MATE = {"08:00": "10:00", "10:00": "08:00", "13:00": "15:00", "15:00": "13:00"}
PART = {"08:00": "morning", "10:00": "morning", "13:00": "afternoon", "15:00": "afternoon"}
NEEDS = {"gas boiler": ["GAS"], "LPG boiler": ["GAS", "LPG"], "oil boiler": ["OIL"], "heat pump": ["FGAS"], "unvented cylinder": ["G3"]}
URGENT = ["shut off after a smell of gas", "shut off after a carbon monoxide alarm", "shut off after a water leak"]


def read_rules():
    planning = " ".join(read_handbook(page="planning")["text"].split())
    care = " ".join(read_handbook(page="emergencies-and-care")["text"].split())
    full, junior = re.findall(r"no more than ([0-9]+) visits a day, a junior no more than ([0-9]+)", planning)[0]
    return {"full": int(full), "junior": int(junior), "urgent": re.findall(r"emergency visit therefore takes the slot that begins at ([0-9][0-9]:[0-9][0-9])", care)[0],
            "cold": re.findall(r"no hot water, the visit begins at ([0-9][0-9]:[0-9][0-9]) at the latest", care)[0],
            "care": re.findall(r"visit to a care customer takes the slot that begins at ([0-9][0-9]:[0-9][0-9])", care)[0]}


def jobs_of(day):
    found, page = [], 1
    while True:
        rows = list_jobs(day=day, page=page)
        found = found + rows
        if len(rows) < 12:
            return found
        page = page + 1


def on_register(customer_id, day):
    until = check_care_register(customer_id=customer_id)["care_until"]
    return until is not None and until >= day


def look_around(day):
    near = set((r["district"], r["neighbour"]) for r in district_map())
    crew = {t["technician_id"]: t for t in list_technicians()}
    valid = {t: [c["code"] for c in check_certificates(technician_id=t) if c["valid_until"] >= day] for t in crew}
    away = {a["technician_id"]: a["part"] for a in list_absences(day=day)}
    return {"near": near, "crew": crew, "valid": valid, "away": away}


def allowed(job, care, t, slot, office, rules):
    """The rules that do not depend on the rest of the plan."""
    if office["away"].get(t) in ("day", PART[slot]) or not all(code in office["valid"][t] for code in NEEDS[job["appliance"]]):
        return False
    urgent = job["report"] in URGENT
    if office["crew"][t]["grade"] == "junior" and (urgent or care):
        return False
    if urgent:
        return slot == rules["urgent"]
    if slot < job["home_from"] or ENDS[slot] > job["home_to"]:
        return False
    if care and job["report"] in ("no heating", "no hot water"):
        return slot <= rules["cold"]
    return not care or slot == rules["care"]


def joins(job, t, slot, plan, jobs, office, rules):
    """Whether the visit fits beside the visits in `plan`, (technician, slot) -> job id."""
    if (t, slot) in plan:
        return False
    if job["report"] in URGENT:
        return True
    load = len([1 for (who, s), n in plan.items() if who == t and jobs[n]["report"] not in URGENT])
    if load >= rules["junior" if office["crew"][t]["grade"] == "junior" else "full"]:
        return False
    other = plan.get((t, MATE[slot]))
    if other is None or jobs[other]["report"] in URGENT or jobs[other]["district"] == job["district"]:
        return True
    return (job["district"], jobs[other]["district"]) in office["near"]


def place_all(todo, choices, plan, jobs, office, rules):
    if not todo:
        return True
    for place in choices[todo[0]]:
        if joins(jobs[todo[0]], place[0], place[1], plan, jobs, office, rules):
            plan[place] = todo[0]
            if place_all(todo[1:], choices, plan, jobs, office, rules):
                return True
            plan.pop(place)
    return False


def solve(day):
    page = " ".join(read_handbook(page="changes")["text"].split())
    usual, special = re.findall(r"goes out by (\w+); a care customer gets it by (\w+)", page)[0]
    standing = [m for m in read_inbox(day=day) if m["topic"] != "parts" and m["topic"] != "question"]
    ill = [m["technician_id"] for k, m in enumerate(standing)
           if m["topic"] == "ill" and not any(later["technician_id"] == m["technician_id"] for later in standing[k + 1:])][0]
    office, rules = look_around(day), read_rules()
    office["away"][ill] = "day"
    jobs = {j["job_id"]: j for j in jobs_of(day)}
    booked = list_visits(day=day)
    mine = sorted([v["job_id"] for v in booked if v["technician_id"] == ill], reverse=True)
    for n in mine:
        cancel_visit(job_id=n)
    plan = {(v["technician_id"], v["slot"]): v["job_id"] for v in booked if v["job_id"] not in mine}
    care = {n: on_register(jobs[n]["customer_id"], day) for n in mine}
    choices = {n: [(t, s) for s in reversed(list(ENDS)) for t in reversed(list(office["crew"])) if allowed(jobs[n], care[n], t, s, office, rules)] for n in mine}
    if not place_all(mine, choices, plan, jobs, office, rules):
        raise ValueError("no plan keeps the rules")
    for (t, s), n in plan.items():
        if n in mine:
            plan_visit(job_id=n, technician_id=t, day=day, slot=s, note="replaces an ill colleague")
            notify_customer(job_id=n, channel=special if care[n] else usual, reason="changed")
    record_absence(technician_id=ill, day=day, part="day", reason="illness")
    return {}
