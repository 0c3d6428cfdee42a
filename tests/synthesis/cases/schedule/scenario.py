"""The start state: rows drawn from the trade's distributions, then what the tasks need."""

import datetime
import random

TODAY = datetime.date(2026, 3, 30)
SURNAMES = [
    "Abara",
    "Bianchi",
    "Castro",
    "Dvorak",
    "Eriksen",
    "Farah",
    "Gupta",
    "Haddad",
    "Ito",
    "Jansen",
    "Kovacs",
    "Lindt",
    "Moreau",
    "Novak",
    "Okafor",
    "Petrov",
    "Quist",
    "Rossi",
    "Sato",
    "Tanaka",
    "Umar",
    "Vega",
    "Weber",
    "Xu",
    "Yilmaz",
    "Zola",
]
FORENAMES = ["Ada", "Ben", "Chloe", "Dara", "Elif", "Femi", "Gita", "Hugo", "Ines", "Jonas", "Kira", "Liam", "Mona", "Nils"]
FIRMS = ["Partners", "Works", "Group", "Supplies", "Services", "Holdings", "Union", "Trading"]
PLACES = ["Aster", "Birch", "Cedar", "Dale", "Elm", "Fern", "Grove", "Hazel", "Ivy", "Juniper", "Kestrel", "Larch"]
WORDS = ["first", "second", "north", "south", "spare", "main", "old", "new", "blue", "green", "upper", "lower"]
TABLES = [
    (
        "depots",
        4,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "DE"},
            {"name": "town", "kind": "text", "text": "thing"},
            {"name": "lorries", "kind": "number", "quantiles": [1, 2, 3, 4, 6], "least": 1, "most": 8},
            {"name": "workshop_bays", "kind": "number", "quantiles": [1, 2, 2, 3, 5], "least": 1, "most": 6},
        ],
    ),
    (
        "customers",
        20,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "CU"},
            {"name": "name", "kind": "text", "text": "party"},
            {"name": "kind", "kind": "choice", "values": ["builder", "public body", "household"], "shares": [0.48, 0.3, 0.22]},
            {
                "name": "credit_limit_cents",
                "kind": "number",
                "quantiles": [0, 100000, 500000, 1500000, 5000000],
                "least": 0,
                "most": 10000000,
            },
            {"name": "owes_cents", "kind": "number", "quantiles": [0, 15000, 120000, 500000, 2400000], "least": 0, "most": 9000000},
            {"name": "oldest_debt_days", "kind": "number", "quantiles": [0, 5, 22, 48, 95], "least": 0, "most": 180},
            {"name": "deposit_paid_cents", "kind": "number", "quantiles": [0, 0, 0, 30000, 120000], "least": 0, "most": 2000000},
            {"name": "insured_by_own_policy", "kind": "choice", "values": [0, 1], "shares": [0.55, 0.45]},
        ],
    ),
    (
        "plant_classes",
        30,
        [
            {"name": "code", "kind": "key", "number": False, "prefix": "PC"},
            {
                "name": "family",
                "kind": "choice",
                "values": ["excavator", "access platform", "telehandler", "generator", "compactor", "lighting tower"],
                "shares": [0.24, 0.17, 0.12, 0.2, 0.13, 0.14],
            },
            {"name": "rank", "kind": "number", "quantiles": [1, 2, 3, 4, 6], "least": 1, "most": 6},
            {"name": "day_rate_cents", "kind": "number", "quantiles": [2500, 6000, 11000, 21000, 48000], "least": 1500, "most": 90000},
            {"name": "minimum_days", "kind": "choice", "values": [1, 2, 3, 7], "shares": [0.55, 0.2, 0.15, 0.1]},
            {"name": "lifts_people", "kind": "choice", "values": [0, 1], "shares": [0.78, 0.22]},
            {"name": "lifts_loads", "kind": "choice", "values": [0, 1], "shares": [0.66, 0.34]},
        ],
    ),
    (
        "machines",
        30,
        [
            {"name": "plate", "kind": "key", "number": False, "prefix": "MA"},
            {"name": "class_code", "kind": "reference", "table": "plant_classes", "key": "code"},
            {"name": "depot_id", "kind": "reference", "table": "depots", "key": "id"},
            {"name": "hours", "kind": "number", "quantiles": [120, 900, 2600, 5200, 9800], "least": 0, "most": 14000},
            {"name": "examined_on", "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {"name": "scheme_months", "nulls": 0.5, "kind": "choice", "values": [3, 9, 12], "shares": [0.4, 0.35, 0.25]},
            {"name": "serviced_at_hours", "kind": "number", "quantiles": [60, 800, 2400, 5000, 9500], "least": 0, "most": 14000},
            {"name": "tracker_seen_at", "nulls": 0.12, "kind": "date", "quantiles": [-120, -75, -40, -18, -3], "time": True},
            {
                "name": "status",
                "kind": "choice",
                "values": ["ready", "reserved", "on hire", "in workshop", "written off"],
                "shares": [0.4, 0.12, 0.32, 0.12, 0.04],
            },
            {"name": "needed_from", "kind": "date", "quantiles": [20, 75, 150, 245, 380], "of": ["examined_on"]},
        ],
    ),
    (
        "hires",
        72,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "HI"},
            {"name": "customer_id", "kind": "reference", "table": "customers", "key": "id"},
            {"name": "class_code", "kind": "reference", "table": "plant_classes", "key": "code"},
            {"name": "plate", "nulls": 0.2, "kind": "reference", "table": "machines", "key": "plate"},
            {"name": "site_postcode", "kind": "text", "text": "thing"},
            {"name": "ground", "kind": "choice", "values": ["firm", "soft", "slope"], "shares": [0.6, 0.28, 0.12]},
            {"name": "starts_on", "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {"name": "collection_blocked", "kind": "choice", "values": [0, 1], "shares": [0.72, 0.28]},
            {"name": "cross_hired", "kind": "choice", "values": [0, 1], "shares": [0.82, 0.18]},
            {"name": "waiver", "kind": "choice", "values": [0, 1], "shares": [0.46, 0.54]},
            {"name": "substitute_rank", "kind": "choice", "values": [0, 1, 2, -1], "shares": [0.6, 0.24, 0.06, 0.1]},
            {"name": "customer_agreed_rate", "kind": "choice", "values": [0, 1], "shares": [0.42, 0.58]},
            {"name": "idle_days", "kind": "number", "quantiles": [0, 1, 4, 9, 20], "least": 0, "most": 30},
            {
                "name": "idle_reason",
                "kind": "choice",
                "values": ["none", "weather", "site closed", "customer's choice"],
                "shares": [0.3, 0.3, 0.22, 0.18],
            },
            {"name": "idle_value_cents", "kind": "number", "quantiles": [1500, 8000, 26000, 90000, 360000], "least": 0, "most": 900000},
            {
                "name": "order_value_cents",
                "kind": "number",
                "quantiles": [6000, 22000, 70000, 240000, 1300000],
                "least": 1500,
                "most": 4000000,
            },
            {"name": "limit_used", "kind": "number", "quantiles": [30, 90, 160, 260, 600], "least": 0, "most": 1200},
            {"name": "deposit_cover", "kind": "number", "quantiles": [0, 0, 15, 60, 100], "least": 0, "most": 120},
            {
                "name": "status",
                "kind": "choice",
                "values": ["enquiry", "reserved", "on hire", "off hire", "returned", "settled", "cancelled"],
                "shares": [0.1, 0.18, 0.32, 0.15, 0.12, 0.1, 0.03],
            },
            {"name": "ends_on", "kind": "date", "quantiles": [1, 3, 7, 18, 64], "of": ["starts_on"]},
            {"name": "off_hire_called_on", "nulls": 0.3, "kind": "date", "quantiles": [-6, -1, 0, 1, 5], "of": ["ends_on"]},
            {"name": "collected_on", "nulls": 0.35, "kind": "date", "quantiles": [0, 1, 2, 4, 9], "of": ["off_hire_called_on"]},
        ],
    ),
    (
        "damage_cases",
        72,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "DC"},
            {"name": "hire_id", "kind": "reference", "table": "hires", "key": "id"},
            {
                "name": "kind",
                "kind": "choice",
                "values": ["bodywork", "tyre or track", "hydraulics", "glass", "theft", "missing part"],
                "shares": [0.28, 0.2, 0.16, 0.1, 0.12, 0.14],
            },
            {"name": "cause", "kind": "choice", "values": ["wear", "accident", "misuse", "unknown"], "shares": [0.26, 0.36, 0.2, 0.18]},
            {"name": "on_out_inspection", "kind": "choice", "values": [0, 1], "shares": [0.8, 0.2]},
            {"name": "police_report", "kind": "choice", "values": [0, 1], "shares": [0.5, 0.5]},
            {
                "name": "repair_cost_cents",
                "kind": "number",
                "quantiles": [4000, 15000, 42000, 120000, 900000],
                "least": 1000,
                "most": 6000000,
            },
            {
                "name": "status",
                "kind": "choice",
                "values": ["found", "priced", "charged", "waived", "disputed"],
                "shares": [0.3, 0.25, 0.28, 0.12, 0.05],
            },
        ],
    ),
    (
        "technicians",
        12,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "TE"},
            {"name": "name", "kind": "text", "text": "person"},
            {"name": "depot_id", "kind": "reference", "table": "depots", "key": "id"},
            {"name": "skill", "kind": "choice", "values": ["engines", "hydraulics", "electrics"], "shares": [0.34, 0.36, 0.3]},
            {"name": "may_examine", "kind": "choice", "values": [0, 1], "shares": [0.7, 0.3]},
            {"name": "open_jobs", "kind": "number", "quantiles": [0, 1, 2, 4, 7], "least": 0, "most": 9},
            {"name": "most_jobs", "kind": "number", "quantiles": [3, 4, 5, 6, 8], "least": 2, "most": 9},
        ],
    ),
]


def between(quantiles, least, most):
    """A number by its quantiles at 5, 25, 50, 75 and 95 percent."""
    points = [
        (0.0, least),
        (0.05, quantiles[0]),
        (0.25, quantiles[1]),
        (0.5, quantiles[2]),
        (0.75, quantiles[3]),
        (0.95, quantiles[4]),
        (1.0, most),
    ]
    at = random.random()
    for n in range(1, len(points)):
        if at <= points[n][0]:
            low, high = points[n - 1], points[n]
            share = (at - low[0]) / (high[0] - low[0])
            return low[1] + (high[1] - low[1]) * share
    return most


def text(kind, n):
    if kind == "party":
        return SURNAMES[n % 26] + " " + FIRMS[(n // 26 + n) % 8]
    if kind == "person":
        return FORENAMES[(n * 5) % 14] + " " + SURNAMES[n % 26]
    if kind == "place":
        return PLACES[n % 12] + (" " + str(n // 12 + 1) if n >= 12 else "")
    return random.choice(WORDS) + " " + random.choice(PLACES).lower() + " " + str(n + 1)


def lookup(tables, row, path):
    """A value of the row, or of the row that one of its columns names."""
    if len(path) == 1:
        return row.get(path[0])
    column, table, key, name = path
    for other in tables[table]:
        if other[key] == row.get(column):
            return other[name]
    return None


def value(tables, table, row, column, n):
    kind = column["kind"]
    if column.get("nulls") and random.random() < column["nulls"]:
        return None
    if kind == "key":
        return n + 1 if column["number"] else column["prefix"] + "-" + str(n + 101)
    if kind == "reference":
        if column["table"] == table:
            targets = tables[table][max(0, n - 3) : n]
        else:
            targets = tables[column["table"]]
        return random.choice(targets)[column["key"]] if targets else None
    if kind == "choice":
        return random.choices(column["values"], column["shares"])[0]
    if kind == "number":
        got = between(column["quantiles"], column["least"], column["most"])
        return round(got, 1) if column.get("real") else int(got + 0.5)
    if kind == "percent":
        base = lookup(tables, row, column["of"])
        return (
            None if base is None else int(base * between(column["quantiles"], column["quantiles"][0], column["quantiles"][4]) / 100 + 0.5)
        )
    if kind == "date":
        start = lookup(tables, row, column["of"]) if column.get("of") else TODAY.isoformat()
        if start is None:
            return None
        days = int(between(column["quantiles"], column["quantiles"][0] - 2, column["quantiles"][4] + 2) + 0.5)
        day = (datetime.date.fromisoformat(start[:10]) + datetime.timedelta(days=days)).isoformat()
        return (
            day + "T" + str(random.randint(7, 18)).zfill(2) + ":" + random.choice(["00", "15", "30", "45"]) + ":00"
            if column.get("time")
            else day
        )
    if kind == "time":
        return str(random.randint(7, 18)).zfill(2) + ":" + random.choice(["00", "15", "30", "45"])
    return text(column["text"], n)


def rows():
    tables = {}
    for name, count, columns in TABLES:
        tables[name] = []
        for n in range(count):
            row = {}
            for column in columns:
                row[column["name"]] = value(tables, name, row, column, n)
            tables[name].append(row)
    return tables


def scenario(seed):
    random.seed(seed)
    tables = rows()

    def plant_hire_bookings(s):
        """Crew, bookings that keep the rules, and waiting work: each set of it can be planned under the strictest parameter."""
        spots = [(day, half) for day in s["days"] for half in ("morning", "afternoon")]
        work = list(tables[s["table"]])
        random.shuffle(work)
        seen = sorted([(len([row for row in work if row[s["category"]] == one]), random.random(), one) for one in s["values"]])
        missing = random.choice([one for count, _, one in seen if count > 0][: len(seen) // 2])
        kinds = [one for one in s["values"] if one != missing]
        groups, targets = {}, [{one[own]: one for one in tables[table]} for column, table, own in s["hops"]]
        for row in work:
            at = row
            for n in range(len(s["hops"])):
                at = targets[n][at[s["hops"][n][0]]]
            groups[row[s["key"]]] = at[s["hops"][-1][2]] if s["hops"] else None
        sizes = {}
        for one in groups.values():
            sizes[one] = sizes.get(one, 0) + 1
        if s["scope"] == "group":  # those of large groups last, so that several of them wait
            late = {row[s["key"]]: sizes[groups[row[s["key"]]]] > 2 and random.random() < 0.7 for row in work}
            work = [row for row in work if not late[row[s["key"]]]] + [row for row in work if late[row[s["key"]]]]
        keys = [one[s["person_key"]] for one in tables[s["people"]]] if s["people"] else ["M-" + str(n) for n in range(101, 108)]
        keys = sorted(random.sample(keys, min(7, len(keys))))
        gone = random.choice(keys) if len(keys) > 5 and s["away"] == "span" else None
        active = [one for one in keys if one != gone]
        able = {one: [] for one in keys}
        seniors = random.sample(active, (len(active) + 1) // 2)
        for kind in kinds:
            holders = random.sample(active, min(len(active), random.choice(s["holders"])))
            if kind == s["senior"]:
                lacking = [one for one in seniors if one not in holders]
                holders = holders + lacking[: max(0, 2 - len([one for one in holders if one in seniors]))]
            for one in holders:
                able[one].append(kind)
        for one in keys:
            if one == gone:
                able[one] = [missing, random.choice(kinds)]
            elif not able[one]:
                able[one].append(random.choice(kinds))
        out = {}
        for one in keys:
            first = random.choice([0, 0, 0, 1, 1, 2, 3, 4])
            last = min(4, first + random.randrange(2)) if s["away"] == "span" else first
            out[one] = list(s["days"][first : last + 1]) if random.random() < 0.5 else []
            if one == gone:
                out[one] = list(s["days"])

        def right(row, one, spot, made):
            kind, day, half = row[s["category"]], spot[0], spot[1]
            if kind not in able[one] or day in out[one] or (kind == s["senior"] and one not in seniors):
                return False
            if kind == s["morning"] and half != "morning":
                return False
            if s["ready"] and row[s["ready"]] is not None and day < row[s["ready"]]:
                return False
            count = 0
            for key, other, on, at in made:
                if on == day and at == half and (other == one or (s["apart"] and groups[key] == groups[row[s["key"]]])):
                    return False
                if other == one and (s["cap"] == "week" or on == day):
                    count = count + 1
            return count < s["most"]

        def ways(row, made):
            return [(one, spot) for spot in spots for one in keys if right(row, one, spot, made)]

        def beside(one, day, chosen):
            if s["extra"] == "people":
                return one not in [each[1] for each in chosen]
            same = len([each for each in chosen if each[2] == day])
            return same < 1 if s["extra"] == "days" else same < 2 if s["extra"] == "two" else True

        def placed(left, chosen, tries):
            if not left:
                return True
            for one, spot in ways(left[0], booked + chosen):
                tries[0] = tries[0] - 1
                if tries[0] < 0:
                    return False
                if beside(one, spot[0], chosen) and placed(left[1:], chosen + [(left[0][s["key"]], one, spot[0], spot[1])], tries):
                    return True
            return False

        def roomy(one):  # all but one member keep some room, so that what waits can be placed
            return one == busy or len([each for each in booked if each[1] == one]) < (2 if s["cap"] == "week" else 3)

        booked, waiting, sets, busy = [], [], {}, random.choice(active)
        wanted = min(len(work) * 2 // 5, len(active) * 3 - 2)
        for row in work:
            if s["ready"]:
                row[s["ready"]] = random.choice([None, None, s["days"][0], s["days"][1], s["days"][2]])
            free = [way for way in ways(row, booked) if roomy(way[0])] if len(booked) < wanted else []
            row[s["state"]] = "booked" if free else "closed"
            if free:
                one, spot = free[int(random.random() ** 3 * len(free))]
                booked.append((row[s["key"]], one, spot[0], spot[1]))
            else:
                if s["ready"]:
                    row[s["ready"]] = random.choice([None, None, s["days"][1], s["days"][2], s["days"][3], s["after"]])
                sets.setdefault(groups[row[s["key"]]] if s["scope"] == "group" else row[s["category"]], []).append(row)
        for some in sets.values():
            never = [row for row in some if row[s["category"]] == missing or (s["ready"] and row[s["ready"]] == s["after"])]
            good = sorted([row for row in some if row not in never][: 5 - min(1, len(never))], key=lambda row: len(ways(row, booked)))
            while good and not placed(good, [], [400]):
                good.pop(0)
            waiting = waiting + good + never[:1]
        for row in waiting:
            row[s["state"]] = "waiting"
        crew, skills = [], []
        for one in keys:
            member = {s["person"]: one}
            if s["senior"]:
                member["senior"] = int(one in seniors)
            if s["away"] == "day":
                member["away_on"] = out[one][0] if out[one] else None
            else:
                member["away_from"], member["away_until"] = (out[one][0], out[one][-1]) if out[one] else (None, None)
            crew.append(member)
            skills = skills + [{s["person"]: one, "value": kind} for kind in sorted(set(able[one]))]
        tables[s["crew"]], tables[s["skills"]] = crew, skills
        tables[s["bookings"]] = [{s["row_key"]: key, s["person"]: one, "day": day, "half": half} for key, one, day, half in sorted(booked)]

    plant_hire_bookings(
        {
            "table": "hires",
            "key": "id",
            "row_key": "hire_id",
            "category": "ground",
            "values": ["firm", "soft", "slope"],
            "hops": [("customer_id", "customers", "id")],
            "person": "technician_id",
            "people": "technicians",
            "person_key": "id",
            "crew": "hire_crew",
            "skills": "hire_skills",
            "bookings": "hire_bookings",
            "state": "hire_booking_state",
            "days": ["2026-03-31", "2026-04-01", "2026-04-02", "2026-04-03", "2026-04-06"],
            "after": "2026-04-08",
            "cap": "week",
            "most": 4,
            "away": "day",
            "senior": "soft",
            "morning": "slope",
            "ready": "hire_not_before",
            "apart": True,
            "holders": [4, 4, 3],
            "scope": "group",
            "extra": "days",
        }
    )

    def plant_damage_case_bookings(s):
        """Crew, bookings that keep the rules, and waiting work: each set of it can be planned under the strictest parameter."""
        spots = [(day, half) for day in s["days"] for half in ("morning", "afternoon")]
        work = list(tables[s["table"]])
        random.shuffle(work)
        seen = sorted([(len([row for row in work if row[s["category"]] == one]), random.random(), one) for one in s["values"]])
        missing = random.choice([one for count, _, one in seen if count > 0][: len(seen) // 2])
        kinds = [one for one in s["values"] if one != missing]
        groups, targets = {}, [{one[own]: one for one in tables[table]} for column, table, own in s["hops"]]
        for row in work:
            at = row
            for n in range(len(s["hops"])):
                at = targets[n][at[s["hops"][n][0]]]
            groups[row[s["key"]]] = at[s["hops"][-1][2]] if s["hops"] else None
        sizes = {}
        for one in groups.values():
            sizes[one] = sizes.get(one, 0) + 1
        if s["scope"] == "group":  # those of large groups last, so that several of them wait
            late = {row[s["key"]]: sizes[groups[row[s["key"]]]] > 2 and random.random() < 0.7 for row in work}
            work = [row for row in work if not late[row[s["key"]]]] + [row for row in work if late[row[s["key"]]]]
        keys = [one[s["person_key"]] for one in tables[s["people"]]] if s["people"] else ["M-" + str(n) for n in range(101, 108)]
        keys = sorted(random.sample(keys, min(7, len(keys))))
        gone = random.choice(keys) if len(keys) > 5 and s["away"] == "span" else None
        active = [one for one in keys if one != gone]
        able = {one: [] for one in keys}
        seniors = random.sample(active, (len(active) + 1) // 2)
        for kind in kinds:
            holders = random.sample(active, min(len(active), random.choice(s["holders"])))
            if kind == s["senior"]:
                lacking = [one for one in seniors if one not in holders]
                holders = holders + lacking[: max(0, 2 - len([one for one in holders if one in seniors]))]
            for one in holders:
                able[one].append(kind)
        for one in keys:
            if one == gone:
                able[one] = [missing, random.choice(kinds)]
            elif not able[one]:
                able[one].append(random.choice(kinds))
        out = {}
        for one in keys:
            first = random.choice([0, 0, 0, 1, 1, 2, 3, 4])
            last = min(4, first + random.randrange(2)) if s["away"] == "span" else first
            out[one] = list(s["days"][first : last + 1]) if random.random() < 0.5 else []
            if one == gone:
                out[one] = list(s["days"])

        def right(row, one, spot, made):
            kind, day, half = row[s["category"]], spot[0], spot[1]
            if kind not in able[one] or day in out[one] or (kind == s["senior"] and one not in seniors):
                return False
            if kind == s["morning"] and half != "morning":
                return False
            if s["ready"] and row[s["ready"]] is not None and day < row[s["ready"]]:
                return False
            count = 0
            for key, other, on, at in made:
                if on == day and at == half and (other == one or (s["apart"] and groups[key] == groups[row[s["key"]]])):
                    return False
                if other == one and (s["cap"] == "week" or on == day):
                    count = count + 1
            return count < s["most"]

        def ways(row, made):
            return [(one, spot) for spot in spots for one in keys if right(row, one, spot, made)]

        def beside(one, day, chosen):
            if s["extra"] == "people":
                return one not in [each[1] for each in chosen]
            same = len([each for each in chosen if each[2] == day])
            return same < 1 if s["extra"] == "days" else same < 2 if s["extra"] == "two" else True

        def placed(left, chosen, tries):
            if not left:
                return True
            for one, spot in ways(left[0], booked + chosen):
                tries[0] = tries[0] - 1
                if tries[0] < 0:
                    return False
                if beside(one, spot[0], chosen) and placed(left[1:], chosen + [(left[0][s["key"]], one, spot[0], spot[1])], tries):
                    return True
            return False

        def roomy(one):  # all but one member keep some room, so that what waits can be placed
            return one == busy or len([each for each in booked if each[1] == one]) < (2 if s["cap"] == "week" else 3)

        booked, waiting, sets, busy = [], [], {}, random.choice(active)
        wanted = min(len(work) * 2 // 5, len(active) * 3 - 2)
        for row in work:
            if s["ready"]:
                row[s["ready"]] = random.choice([None, None, s["days"][0], s["days"][1], s["days"][2]])
            free = [way for way in ways(row, booked) if roomy(way[0])] if len(booked) < wanted else []
            row[s["state"]] = "booked" if free else "closed"
            if free:
                one, spot = free[int(random.random() ** 3 * len(free))]
                booked.append((row[s["key"]], one, spot[0], spot[1]))
            else:
                if s["ready"]:
                    row[s["ready"]] = random.choice([None, None, s["days"][1], s["days"][2], s["days"][3], s["after"]])
                sets.setdefault(groups[row[s["key"]]] if s["scope"] == "group" else row[s["category"]], []).append(row)
        for some in sets.values():
            never = [row for row in some if row[s["category"]] == missing or (s["ready"] and row[s["ready"]] == s["after"])]
            good = sorted([row for row in some if row not in never][: 5 - min(1, len(never))], key=lambda row: len(ways(row, booked)))
            while good and not placed(good, [], [400]):
                good.pop(0)
            waiting = waiting + good + never[:1]
        for row in waiting:
            row[s["state"]] = "waiting"
        crew, skills = [], []
        for one in keys:
            member = {s["person"]: one}
            if s["senior"]:
                member["senior"] = int(one in seniors)
            if s["away"] == "day":
                member["away_on"] = out[one][0] if out[one] else None
            else:
                member["away_from"], member["away_until"] = (out[one][0], out[one][-1]) if out[one] else (None, None)
            crew.append(member)
            skills = skills + [{s["person"]: one, "value": kind} for kind in sorted(set(able[one]))]
        tables[s["crew"]], tables[s["skills"]] = crew, skills
        tables[s["bookings"]] = [{s["row_key"]: key, s["person"]: one, "day": day, "half": half} for key, one, day, half in sorted(booked)]

    plant_damage_case_bookings(
        {
            "table": "damage_cases",
            "key": "id",
            "row_key": "damage_case_id",
            "category": "cause",
            "values": ["wear", "accident", "misuse", "unknown"],
            "hops": [("hire_id", "hires", "id"), ("customer_id", "customers", "id")],
            "person": "technician_id",
            "people": "technicians",
            "person_key": "id",
            "crew": "damage_case_crew",
            "skills": "damage_case_skills",
            "bookings": "damage_case_bookings",
            "state": "damage_case_booking_state",
            "days": ["2026-03-31", "2026-04-01", "2026-04-02", "2026-04-03", "2026-04-06"],
            "after": "2026-04-08",
            "cap": "day",
            "most": 1,
            "away": "day",
            "senior": "accident",
            "morning": "",
            "ready": "damage_case_not_before",
            "apart": True,
            "holders": [3, 3, 4],
            "scope": "group",
            "extra": "two",
        }
    )
    tables["policy"] = [
        {"name": "damage_case_most_bookings", "value": random.randrange(1, 3, 1)},
        {"name": "hire_most_bookings", "value": random.randrange(4, 7, 1)},
    ]
    return tables
