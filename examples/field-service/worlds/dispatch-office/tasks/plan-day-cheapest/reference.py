"""For each technician every roster that keeps the rules, then the cheapest way to share the open jobs out."""
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

    def joins(self, number, index, roster, quota):
        """Whether one more job keeps the quota and the distances of a technician's roster, slot index -> job, that keeps them."""
        if index in roster or self.jobs[number]["alarm"]:
            return index not in roster
        plain = {i: self.jobs[n]["district"] for i, n in roster.items() if not self.jobs[n]["alarm"]}
        beside = plain.get(index ^ 1)  # slots 0 and 1 are the morning, 2 and 3 the afternoon
        return len(plain) < quota and (beside is None or self.distance(beside, self.jobs[number]["district"]) < 2)

    def roster_of(self, who):
        begins = [pair[0] for pair in self.book["hours"]]
        return {begins.index(v["slot"]): v["job_id"] for v in self.booked if v["technician_id"] == who}

    def enter(self, rosters):
        for who, roster in rosters:
            for i, number in roster.items():
                if number in self.waiting:
                    plan_visit(job_id=number, technician_id=who, day=self.date, slot=self.book["hours"][i][0])


def rosters_for(office, who):
    """Jobs taken, a bit for each open one -> (cents, roster): every roster of one technician, of those with the same jobs the cheapest."""
    grade, now = office.staff[who]["grade"], office.roster_of(who)
    fee, quota = office.book["fee"][grade], office.book["quota"][grade]
    grown = [(0, (fee if now else 0) + sum([office.journey(n, who, i) for i, n in now.items()]), now)]
    for k, number in enumerate(office.waiting):
        places = [(i, office.journey(number, who, i)) for i in office.suitable(number, who)]
        for taken, cents, roster in list(grown) if places else []:
            for i, more in places:
                if office.joins(number, i, roster, quota):
                    grown.append((taken | 1 << k, cents + more + (0 if roster else fee), {**roster, i: number}))
    best = {}
    for taken, cents, roster in grown:
        if taken not in best or cents < best[taken][0]:
            best[taken] = (cents, roster)
    return best


def solve(day):
    office = Day(day)
    shared = {0: (0, [])}
    for who in office.staff:
        own, after = rosters_for(office, who), {}
        for taken, (cents, chosen) in shared.items():
            for more, (extra, roster) in own.items():
                if not taken & more and (taken | more not in after or cents + extra < after[taken | more][0]):
                    after[taken | more] = (cents + extra, [chosen, who, roster])
        shared = after
    total, chosen = shared[(1 << len(office.waiting)) - 1]
    rosters = []
    while chosen:
        chosen, who, roster = chosen
        rosters.insert(0, (who, roster))
    office.enter(rosters)
    return {"total_cents": total}
