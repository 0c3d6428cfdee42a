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
        "sites",
        4,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "SI"},
            {"name": "name", "kind": "text", "text": "place"},
            {"name": "patients_travel_minutes", "kind": "number", "quantiles": [10, 20, 35, 50, 90], "least": 5, "most": 120},
        ],
    ),
    (
        "patients",
        20,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "PA"},
            {"name": "name", "kind": "text", "text": "party"},
            {"name": "born_on", "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {"name": "age_group", "kind": "choice", "values": ["under 18", "18 to 64", "65 and over"], "shares": [0.14, 0.5, 0.36]},
            {"name": "vulnerable", "kind": "choice", "values": [0, 1], "shares": [0.86, 0.14]},
            {
                "name": "needs",
                "kind": "choice",
                "values": ["none", "interpreter", "transport", "wheelchair"],
                "shares": [0.72, 0.1, 0.11, 0.07],
            },
            {"name": "home_site_id", "kind": "reference", "table": "sites", "key": "id"},
        ],
    ),
    (
        "clinicians",
        12,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "CL"},
            {"name": "name", "kind": "text", "text": "person"},
            {
                "name": "grade",
                "kind": "choice",
                "values": ["consultant", "specialty doctor", "nurse specialist"],
                "shares": [0.5, 0.2, 0.3],
            },
            {
                "name": "specialty",
                "kind": "choice",
                "values": ["orthopaedics", "ophthalmology", "general surgery", "urology", "gynaecology"],
                "shares": [0.28, 0.24, 0.22, 0.14, 0.12],
            },
            {"name": "operates", "kind": "choice", "values": [0, 1], "shares": [0.4, 0.6]},
            {"name": "leave_from", "nulls": 0.8, "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {"name": "leave_to", "nulls": 0.8, "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
        ],
    ),
    (
        "referrals",
        72,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "RE"},
            {"name": "patient_id", "kind": "reference", "table": "patients", "key": "id"},
            {
                "name": "specialty",
                "kind": "choice",
                "values": ["orthopaedics", "ophthalmology", "general surgery", "urology", "gynaecology"],
                "shares": [0.3, 0.25, 0.22, 0.13, 0.1],
            },
            {"name": "received_on", "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {"name": "priority", "kind": "choice", "values": ["suspected cancer", "urgent", "routine"], "shares": [0.14, 0.24, 0.62]},
            {"name": "clinician_id", "nulls": 0.35, "kind": "reference", "table": "clinicians", "key": "id"},
            {"name": "advice_only", "kind": "choice", "values": [0, 1], "shares": [0.8, 0.2]},
            {"name": "information_complete", "kind": "choice", "values": [0, 1], "shares": [0.18, 0.82]},
            {"name": "letter_score", "kind": "number", "quantiles": [12, 34, 52, 70, 91], "least": 0, "most": 100},
            {
                "name": "status",
                "kind": "choice",
                "values": ["received", "triaged", "waiting", "booked", "seen", "discharged", "returned"],
                "shares": [0.12, 0.12, 0.3, 0.22, 0.12, 0.08, 0.04],
            },
            {"name": "clock_start_on", "kind": "date", "quantiles": [0, 0, 0, 0, 9], "of": ["received_on"]},
        ],
    ),
    (
        "waiting_entries",
        30,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "WE"},
            {"name": "referral_id", "kind": "reference", "table": "referrals", "key": "id"},
            {"name": "list", "kind": "choice", "values": ["outpatient", "surgery"], "shares": [0.6, 0.4]},
            {"name": "waited_weeks", "kind": "number", "quantiles": [1, 5, 13, 24, 48], "least": 0, "most": 78},
            {"name": "clinical_class", "kind": "choice", "values": ["P2", "P3", "P4"], "shares": [0.16, 0.34, 0.5]},
            {"name": "cancelled_by_hospital", "kind": "choice", "values": [0, 1, 2, 3], "shares": [0.7, 0.2, 0.08, 0.02]},
            {"name": "unavailable_until", "nulls": 0.85, "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {"name": "reviewed_on", "nulls": 0.4, "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {
                "name": "clock_start_on",
                "kind": "date",
                "quantiles": [0, 0, 0, 0, 14],
                "of": ["referral_id", "referrals", "id", "clock_start_on"],
            },
        ],
    ),
    (
        "theatres",
        8,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "TH"},
            {"name": "site_id", "kind": "reference", "table": "sites", "key": "id"},
            {"name": "kind", "kind": "choice", "values": ["general", "laminar flow", "eye"], "shares": [0.5, 0.3, 0.2]},
            {"name": "turnaround_minutes", "kind": "number", "quantiles": [10, 14, 18, 22, 30], "least": 8, "most": 35},
            {"name": "out_of_use_until", "nulls": 0.9, "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
        ],
    ),
    (
        "theatre_lists",
        24,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "TL"},
            {"name": "theatre_id", "kind": "reference", "table": "theatres", "key": "id"},
            {"name": "surgeon_id", "kind": "reference", "table": "clinicians", "key": "id"},
            {"name": "held_on", "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {"name": "minutes", "kind": "choice", "values": [240, 480], "shares": [0.6, 0.4]},
            {"name": "staffed_until", "kind": "time"},
            {"name": "late_team", "kind": "choice", "values": [0, 1], "shares": [0.45, 0.55]},
            {"name": "intensive_beds", "kind": "choice", "values": [0, 1, 2, 3], "shares": [0.3, 0.45, 0.2, 0.05]},
            {
                "name": "status",
                "kind": "choice",
                "values": ["open", "agreed", "locked", "held", "cancelled"],
                "shares": [0.4, 0.3, 0.15, 0.12, 0.03],
            },
        ],
    ),
    (
        "operations",
        72,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "OP"},
            {"name": "entry_id", "kind": "reference", "table": "waiting_entries", "key": "id"},
            {"name": "list_id", "nulls": 0.25, "kind": "reference", "table": "theatre_lists", "key": "id"},
            {"name": "consultant_id", "kind": "reference", "table": "clinicians", "key": "id"},
            {"name": "procedure", "kind": "text", "text": "thing"},
            {"name": "planned_minutes", "kind": "number", "quantiles": [25, 40, 70, 110, 200], "least": 15, "most": 300},
            {"name": "list_filled_percent", "kind": "number", "quantiles": [45, 70, 92, 108, 126], "least": 20, "most": 140},
            {"name": "anaesthetic_grade", "kind": "choice", "values": [1, 2, 3, 4], "shares": [0.26, 0.44, 0.25, 0.05]},
            {"name": "day_case", "kind": "choice", "values": [0, 1], "shares": [0.42, 0.58]},
            {"name": "assessed_on", "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {"name": "infection", "kind": "choice", "values": ["clear", "carrier"], "shares": [0.82, 0.18]},
            {
                "name": "cancel_reason",
                "kind": "choice",
                "values": ["none", "no bed", "list overran", "staff missing", "patient unfit", "patient declined"],
                "shares": [0.22, 0.23, 0.18, 0.12, 0.14, 0.11],
            },
            {"name": "days_to_new_date", "kind": "number", "quantiles": [8, 20, 33, 50, 80], "least": 1, "most": 90},
            {"name": "other_hospital_offered", "kind": "choice", "values": [0, 1], "shares": [0.55, 0.45]},
            {
                "name": "tariff_cents",
                "kind": "number",
                "quantiles": [62000, 118000, 210000, 390000, 820000],
                "least": 20000,
                "most": 1500000,
            },
            {"name": "status", "kind": "choice", "values": ["waiting", "listed", "done", "cancelled"], "shares": [0.3, 0.3, 0.22, 0.18]},
            {"name": "operates_on", "kind": "date", "quantiles": [23, 61, 92, 124, 163], "of": ["assessed_on"]},
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
    tables["before_an_operation_records"] = []
    for row in tables["operations"]:
        row["before_an_operation_state"] = random.choice(["open", "open", "open", "decided"])
        if row["before_an_operation_state"] == "decided":
            tables["before_an_operation_records"].append(
                {
                    "operation_id": row["id"],
                    "outcome": random.choice(["infection team", "theatre list", "phone check", "assessment clinic"]),
                }
            )
    tables["before_an_operation_sources"] = []
    for row in tables["operations"]:
        true = row["anaesthetic_grade"] if random.random() < 0.7 else random.choice(tables["operations"])["anaesthetic_grade"]
        tables["before_an_operation_sources"].append({"operation_id": row["id"], "anaesthetic_grade": true})
    tables["first_clinic_records"] = []
    for row in tables["referrals"]:
        row["first_clinic_state"] = random.choice(["open", "open", "open", "decided"])
        if row["first_clinic_state"] == "decided":
            tables["first_clinic_records"].append(
                {
                    "referral_id": row["id"],
                    "outcome": random.choice(["fast-track clinic", "sender", "advice desk", "consultant clinic", "nurse-led clinic"]),
                }
            )
    desks, names = (
        ["infection team", "theatre list", "phone check", "assessment clinic"],
        [
            "Maja Cole",
            "Wanda Pike",
            "Amara Holt",
            "Carla Lund",
            "Simon Keller",
            "Hamid Vale",
            "Rana Frost",
            "Yusuf Hale",
            "Edda Roy",
            "Bruno Sahin",
            "Uwe Lang",
            "Greta Pohl",
            "Vera Nash",
            "Ilse Grant",
            "Quinn Adler",
            "Tara Munro",
            "Farid Stone",
            "Oskar Bell",
            "Karin Booth",
            "Luis Brandt",
            "Jamal Reed",
            "Noor Fisk",
            "Deniz Marsh",
            "Petra Shaw",
        ],
    )
    numbers = list(range(101, 1000))
    random.shuffle(numbers)
    full = random.choice(desks) if random.random() < 0.7 else None
    tables["before_an_operation_people"] = []
    for desk in desks:
        usual = random.randint(1, 4)
        for n in range(random.randint(3, 4)):
            is_away = random.random() < 0.25
            busy = usual + random.choice([0, 0, 1, 2])
            room = 0 if desk == full else random.choice([0, 1, 2, 3, 4]) + 0
            who = len(tables["before_an_operation_people"])
            tables["before_an_operation_people"].append(
                {
                    "id": "BAO-" + str(numbers[who]),
                    "name": names[who % len(names)],
                    "desk": desk,
                    "open_items": busy,
                    "most_items": busy + room,
                    "away": int(is_away),
                }
            )
    tables["before_an_operation_assignments"] = []
    for made in tables["before_an_operation_records"]:
        theirs = [one for one in tables["before_an_operation_people"] if one["desk"] == made["outcome"]]
        person = random.choice(theirs) if random.random() < 0.9 else None
        if person is not None:
            person["open_items"] = person["open_items"] + 1
            person["most_items"] = person["most_items"] + 1
        tables["before_an_operation_assignments"].append(
            {"operation_id": made["operation_id"], "person_id": person["id"] if person is not None else None}
        )
    desks, names = (
        ["fast-track clinic", "sender", "advice desk", "consultant clinic", "nurse-led clinic"],
        [
            "Carla Lund",
            "Yusuf Hale",
            "Rana Frost",
            "Simon Keller",
            "Edda Roy",
            "Tara Munro",
            "Ilse Grant",
            "Karin Booth",
            "Deniz Marsh",
            "Oskar Bell",
            "Maja Cole",
            "Wanda Pike",
            "Amara Holt",
            "Uwe Lang",
            "Vera Nash",
            "Jamal Reed",
            "Farid Stone",
            "Hamid Vale",
            "Bruno Sahin",
            "Luis Brandt",
            "Quinn Adler",
            "Noor Fisk",
            "Greta Pohl",
            "Petra Shaw",
        ],
    )
    numbers = list(range(101, 1000))
    random.shuffle(numbers)
    full = random.choice(desks) if random.random() < 0.7 else None
    tables["first_clinic_people"] = []
    for desk in desks:
        usual = random.randint(1, 4)
        for n in range(random.randint(3, 4)):
            is_away = random.random() < 0.25
            busy = usual + random.choice([0, 0, 1, 2])
            room = 0 if desk == full else random.choice([0, 1, 2, 3, 4]) + 0
            who = len(tables["first_clinic_people"])
            tables["first_clinic_people"].append(
                {
                    "id": "FC-" + str(numbers[who]),
                    "name": names[who % len(names)],
                    "desk": desk,
                    "open_items": busy,
                    "most_items": busy + room,
                    "away": int(is_away),
                }
            )
    tables["first_clinic_assignments"] = []
    for made in tables["first_clinic_records"]:
        theirs = [one for one in tables["first_clinic_people"] if one["desk"] == made["outcome"]]
        person = random.choice(theirs) if random.random() < 0.9 else None
        if person is not None:
            person["open_items"] = person["open_items"] + 1
            person["most_items"] = person["most_items"] + 1
        tables["first_clinic_assignments"].append(
            {"referral_id": made["referral_id"], "person_id": person["id"] if person is not None else None}
        )
    tables["policy"] = [
        {"name": "before_an_operation_valid_days", "value": random.randrange(56, 99, 7)},
        {"name": "first_clinic_consultant_score", "value": random.randrange(40, 66, 5)},
    ]
    return tables
