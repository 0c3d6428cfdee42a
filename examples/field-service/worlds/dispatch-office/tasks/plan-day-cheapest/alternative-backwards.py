"""Always settles the last open job first, by any roster that holds it; of equal costs keeps the last. Books provisionally, then moves."""
import re


def clauses(page):
    """The page as one line of text; every rule below is taken from it."""
    return " ".join(read_handbook(page=page)["text"].split())


def the_book():
    plan, special, costs = clauses("planning"), clauses("emergencies-and-care"), clauses("costs")
    book = {"hours": re.findall(r"([0-9][0-9]:[0-9][0-9]) to ([0-9][0-9]:[0-9][0-9])", plan)}
    book["papers"] = {name.lower(): codes.split(" and ") for name, codes in re.findall(r"([A-Z][A-Za-z ]+): ([A-Z0-9]+(?: and [A-Z0-9]+)?)[,.]", plan)}
    limit = re.search(r"standard technician has no more than ([0-9]+) visits a day, a junior no more than ([0-9]+)", plan)
    book["quota"] = {"senior": int(limit.group(1)), "standard": int(limit.group(1)), "junior": int(limit.group(2))}
    book["inspector"] = re.search(r"visit therefore takes the slot that begins at ([0-9:]+[0-9])", special).group(1)
    book["warm_by"] = re.search(r"hot water, the visit begins at ([0-9:]+[0-9])", special).group(1)
    book["carer"] = re.search(r"care customer takes the slot that begins at ([0-9:]+[0-9])", special).group(1)
    book["fee"] = {g: int(re.search(g + r"(?: technician)? ([0-9]+) cents", costs).group(1)) for g in ("senior", "standard", "junior")}
    book["zones"] = [int(re.search(r"([0-9]+) cents " + where, costs).group(1)) for where in ("within the same", "to a neighbouring", "to any other")]
    book["uplift"] = int(re.search(r"emergency costs ([0-9]+) %", costs).group(1))
    book["evening"] = int(re.search(r"supplement of ([0-9]+) cents", costs).group(1))
    return book


class Day:
    """All that a plan for the day depends on."""

    def __init__(self, date):
        self.date, self.book = date, the_book()
        self.borders = [{r["district"], r["neighbour"]} for r in district_map()]
        self.staff = {r["technician_id"]: r for r in list_technicians()}
        self.gone = {r["technician_id"]: r["part"] for r in list_absences(day=date)}
        self.papers = {who: {r["code"] for r in check_certificates(technician_id=who) if not r["valid_until"] < date} for who in self.staff}
        self.jobs, page, full = {}, 1, True
        while full:
            sheet = list_jobs(day=date, page=page)
            for row in sheet:
                self.jobs[row["job_id"]] = row
            page, full = page + 1, len(sheet) == 12
        self.booked = list_visits(day=date)
        known = [v["job_id"] for v in self.booked]
        self.waiting = [number for number, row in self.jobs.items() if number not in known and "open" == row["status"]]
        for number in known + self.waiting:
            row = self.jobs[number]
            entry = check_care_register(customer_id=row["customer_id"])["care_until"]
            row["care"] = bool(entry) and not entry < date
            row["alarm"] = bool(row["report"]) and row["report"].startswith("shut off after ")

    def distance(self, a, b):
        return 0 if a == b else 1 if {a, b} in self.borders else 2

    def journey(self, number, who, index):
        row = self.jobs[number]
        cents = self.book["zones"][self.distance(self.staff[who]["home_district"], row["district"])]
        if row["alarm"]:
            whole, rest = divmod(cents * self.book["uplift"], 100)
            cents = whole + (1 if rest >= 50 else 0)
        return cents + (self.book["evening"] if index == 3 and not row["care"] else 0)

    def suitable(self, number, who):
        """The slots, as 0 to 3, in which this technician could do this job on an otherwise empty day."""
        row, grade = self.jobs[number], self.staff[who]["grade"]
        if grade == "junior" and (row["alarm"] or row["care"]) or not set(self.book["papers"][row["appliance"].lower()]) <= self.papers[who]:
            return []
        here = {"day": [], "morning": [2, 3], "afternoon": [0, 1]}.get(self.gone.get(who), [0, 1, 2, 3])
        begins = [pair[0] for pair in self.book["hours"]]
        if row["alarm"]:
            return [i for i in here if begins[i] == self.book["inspector"]]
        home = [i for i in here if row["home_from"] <= self.book["hours"][i][0] and self.book["hours"][i][1] <= row["home_to"]]
        if not row["care"]:
            return home
        if row["report"] in ["no hot water", "no heating"]:
            return [i for i in home if begins[i] <= self.book["warm_by"]]
        return [i for i in home if begins[i] == self.book["carer"]]

    def works(self, who, roster):
        """Whether one technician's roster, slot index -> job, keeps the quota and the distances."""
        plain = {i: self.jobs[n]["district"] for i, n in roster.items() if not self.jobs[n]["alarm"]}
        if len(plain) > self.book["quota"][self.staff[who]["grade"]]:
            return False
        return all(self.distance(plain[a], plain[a + 1]) < 2 for a in (0, 2) if a in plain and a + 1 in plain)

    def roster_of(self, who):
        begins = [pair[0] for pair in self.book["hours"]]
        return {begins.index(v["slot"]): v["job_id"] for v in self.booked if v["technician_id"] == who}

    def bill(self, who, roster):
        return (self.book["fee"][self.staff[who]["grade"]] if roster else 0) + sum([self.journey(n, who, i) for i, n in roster.items()])


def additions(office, who, fits):
    """The rosters of one technician that hold open jobs: (jobs, cents more than now, roster), largest first; `fits` are slots by job."""
    now, found = office.roster_of(who), []
    spare = [i for i in (3, 2, 1, 0) if i not in now]
    cents_now = office.bill(who, now)

    def fill(k, roster):
        if k == len(spare):
            if len(roster) > len(now):
                found.append((frozenset([n for n in roster.values() if n in fits]), office.bill(who, roster) - cents_now, roster))
            return
        fill(k + 1, roster)
        for number in reversed(office.waiting):
            if spare[k] in fits[number] and number not in roster.values():
                longer = {**roster, spare[k]: number}
                if office.works(who, longer):  # what breaks a rule breaks it however the day is filled
                    fill(k + 1, longer)

    fill(0, now)
    return sorted(found, key=lambda f: -len(f[0]))


def solve(day):
    office = Day(day)
    kept = {}
    for who in office.staff:
        fits = {number: office.suitable(number, who) for number in office.waiting}
        for jobs, cents, roster in additions(office, who, fits) if any(fits.values()) else []:
            if (who, jobs) not in kept or cents <= kept[(who, jobs)][0]:
                kept[(who, jobs)] = (cents, roster)
    by_last = {number: [] for number in office.waiting}
    for (who, jobs), (cents, roster) in kept.items():
        by_last[max(jobs)].append((who, jobs, cents, roster))
    memo = {}

    def finish(left, crew):
        """The cheapest way to do the jobs that are left with the technicians that are left."""
        if not left:
            return (0, {})
        if (left, crew) not in memo:
            answer = (10 ** 9, {})
            for who, jobs, cents, roster in by_last[max(left)]:
                if who in crew and jobs <= left:
                    more, rosters = finish(left - jobs, crew - {who})
                    if cents + more <= answer[0]:
                        answer = (cents + more, {**rosters, who: roster})
            memo[(left, crew)] = answer
        return memo[(left, crew)]

    extra, rosters = finish(frozenset(office.waiting), frozenset(office.staff))
    total = extra + sum([office.bill(who, office.roster_of(who)) for who in office.staff])
    for number in office.waiting:
        plan_visit(job_id=number, technician_id=list(office.staff)[0], day=day, slot="15:00", note="provisional")
    for who, roster in rosters.items():
        for i, number in roster.items():
            if number in office.waiting:
                move_visit(job_id=number, technician_id=who, slot=office.book["hours"][i][0])
    return {"total_cents": total}
