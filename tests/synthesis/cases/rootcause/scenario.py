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
        "parties",
        20,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "PA"},
            {"name": "name", "kind": "text", "text": "party"},
            {"name": "country", "kind": "choice", "values": ["DE", "NL", "FR", "PL", "IT"], "shares": [0.34, 0.18, 0.2, 0.16, 0.12]},
            {"name": "role", "kind": "choice", "values": ["shipper", "consignee", "haulier"], "shares": [0.4, 0.4, 0.2]},
            {"name": "terms_days", "kind": "choice", "values": [14, 30, 60], "shares": [0.2, 0.55, 0.25]},
        ],
    ),
    (
        "sites",
        4,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "SI"},
            {"name": "party_id", "kind": "reference", "table": "parties", "key": "id"},
            {"name": "town", "kind": "text", "text": "thing"},
            {"name": "opens_at", "kind": "time"},
            {"name": "closes_at", "kind": "time"},
            {"name": "docks", "kind": "number", "quantiles": [1, 2, 3, 5, 9], "least": 1, "most": 12},
            {"name": "tail_lift_needed", "kind": "choice", "values": [0, 1], "shares": [0.82, 0.18]},
        ],
    ),
    (
        "vehicles",
        30,
        [
            {"name": "plate", "kind": "key", "number": False, "prefix": "VE"},
            {"name": "kind", "kind": "choice", "values": ["rigid 12 t", "artic 40 t", "reefer 40 t"], "shares": [0.3, 0.5, 0.2]},
            {"name": "payload_kg", "kind": "number", "quantiles": [5200, 6400, 23500, 24500, 25200], "least": 4000, "most": 25500},
            {
                "name": "loading_metres",
                "kind": "number",
                "quantiles": [6.2, 7.2, 13.6, 13.6, 13.6],
                "least": 5.5,
                "most": 13.6,
                "real": True,
            },
            {"name": "tail_lift", "kind": "choice", "values": [0, 1], "shares": [0.6, 0.4]},
            {"name": "danger_equipped", "kind": "choice", "values": [0, 1], "shares": [0.66, 0.34]},
            {"name": "inspected_until", "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {"name": "home_site_id", "kind": "reference", "table": "sites", "key": "id"},
        ],
    ),
    (
        "drivers",
        12,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "DR"},
            {"name": "name", "kind": "text", "text": "person"},
            {"name": "danger_permit_until", "nulls": 0.55, "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {"name": "driven_today_minutes", "kind": "number", "quantiles": [0, 90, 260, 430, 560], "least": 0, "most": 600},
            {"name": "long_days_this_week", "kind": "choice", "values": [0, 1, 2], "shares": [0.46, 0.3, 0.24]},
            {"name": "driven_two_weeks_minutes", "kind": "number", "quantiles": [1200, 2600, 3500, 4300, 5150], "least": 0, "most": 5400},
            {"name": "home_site_id", "kind": "reference", "table": "sites", "key": "id"},
        ],
    ),
    (
        "trips",
        24,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "TR"},
            {"name": "plate", "kind": "reference", "table": "vehicles", "key": "plate"},
            {"name": "driver_id", "nulls": 0.1, "kind": "reference", "table": "drivers", "key": "id"},
            {"name": "haulier_id", "nulls": 0.7, "kind": "reference", "table": "parties", "key": "id"},
            {"name": "starts_at", "kind": "date", "quantiles": [-120, -75, -40, -18, -3], "time": True},
            {"name": "planned_drive_minutes", "kind": "number", "quantiles": [150, 330, 480, 555, 640], "least": 40, "most": 680},
            {"name": "load_percent", "kind": "number", "quantiles": [35, 62, 84, 96, 106], "least": 10, "most": 125},
            {"name": "unforeseen_delay", "kind": "choice", "values": [0, 1], "shares": [0.68, 0.32]},
            {
                "name": "status",
                "kind": "choice",
                "values": ["draft", "released", "under way", "done", "cancelled"],
                "shares": [0.2, 0.25, 0.25, 0.26, 0.04],
            },
        ],
    ),
    (
        "shipments",
        30,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "SH"},
            {"name": "shipper_id", "kind": "reference", "table": "parties", "key": "id"},
            {"name": "from_site_id", "kind": "reference", "table": "sites", "key": "id"},
            {"name": "to_site_id", "kind": "reference", "table": "sites", "key": "id"},
            {"name": "trip_id", "nulls": 0.25, "kind": "reference", "table": "trips", "key": "id"},
            {"name": "kind", "kind": "choice", "values": ["general", "chilled", "dangerous"], "shares": [0.42, 0.3, 0.28]},
            {"name": "gross_kg", "kind": "number", "quantiles": [120, 600, 2100, 7800, 19500], "least": 20, "most": 24000},
            {"name": "tolls_shared", "kind": "choice", "values": [0, 1], "shares": [0.6, 0.4]},
            {
                "name": "goods_value_cents",
                "kind": "number",
                "quantiles": [60000, 350000, 1400000, 5500000, 24000000],
                "least": 5000,
                "most": 60000000,
            },
            {"name": "value_declared", "kind": "choice", "values": [0, 1], "shares": [0.58, 0.42]},
            {"name": "danger_points", "kind": "number", "quantiles": [60, 240, 620, 1300, 2900], "least": 0, "most": 4000},
            {"name": "collect_on", "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {"name": "deliver_by", "kind": "date", "quantiles": [-120, -75, -40, -18, -3], "time": True},
            {"name": "hours_late", "kind": "number", "quantiles": [-6, -1, 0, 4, 38], "least": -24, "most": 200},
            {"name": "service", "kind": "choice", "values": ["standard", "timed", "next day"], "shares": [0.55, 0.3, 0.15]},
            {
                "name": "status",
                "kind": "choice",
                "values": ["ordered", "planned", "loaded", "in transit", "delivered", "refused", "closed"],
                "shares": [0.14, 0.2, 0.12, 0.16, 0.26, 0.04, 0.08],
            },
            {"name": "weighed_kg", "nulls": 0.25, "kind": "percent", "of": ["gross_kg"], "quantiles": [96, 99, 100, 103, 114]},
        ],
    ),
    (
        "handlers",
        12,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "HA"},
            {"name": "name", "kind": "text", "text": "person"},
            {
                "name": "skill",
                "kind": "choice",
                "values": ["chilled", "dangerous goods", "customs and papers", "dispatch"],
                "shares": [0.2, 0.2, 0.2, 0.4],
            },
            {"name": "home_site_id", "kind": "reference", "table": "sites", "key": "id"},
        ],
    ),
    (
        "incidents",
        72,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "IN"},
            {"name": "shipment_id", "kind": "reference", "table": "shipments", "key": "id"},
            {
                "name": "kind",
                "kind": "choice",
                "values": ["late collection", "breakdown", "road closed", "cold chain alarm", "dock full", "papers missing"],
                "shares": [0.2, 0.14, 0.16, 0.12, 0.16, 0.22],
            },
            {"name": "caused_by_id", "nulls": 0.5, "kind": "reference", "table": "incidents", "key": "id"},
            {"name": "reported_at", "kind": "date", "quantiles": [-120, -75, -40, -18, -3], "time": True},
            {"name": "severity", "kind": "choice", "values": ["critical", "major", "minor"], "shares": [0.2, 0.4, 0.4]},
            {"name": "handler_id", "nulls": 0.35, "kind": "reference", "table": "handlers", "key": "id"},
            {"name": "status", "kind": "choice", "values": ["open", "traced", "solved"], "shares": [0.35, 0.25, 0.4]},
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

    today = datetime.date.fromisoformat("2026-03-30")
    hangs = {row["id"]: row["caused_by_id"] for row in tables["incidents"]}
    chains = {}
    for key in hangs:
        chains[key] = [key]
        while hangs[chains[key][-1]] is not None and len(chains[key]) < 60:
            chains[key].append(hangs[chains[key][-1]])
    health = {}
    broken = random.sample(list(hangs), min(len(hangs), max(4, len(hangs) * random.randint(18, 28) // 100)))
    for key in hangs:
        state = "faulty" if key in broken else "affected" if random.random() < 0.1 else "sound"
        changed = random.randint(1, 24) if random.random() < 0.55 else random.randint(25, 200)
        health[key] = {
            "incident_id": key,
            "state": state,
            "since": (today - datetime.timedelta(days=random.randint(1, 30))).isoformat(),
            "changed_on": (today - datetime.timedelta(days=changed)).isoformat(),
            "covered": int(key not in broken[:1] and random.random() < 0.3),
        }
    for key in hangs:
        roots = [one for one in chains[key][1:] if health[one]["state"] == "faulty" and health[one]["covered"] == 0]
        if roots and health[key]["state"] != "faulty":
            health[key]["state"] = "affected"
            health[key]["since"] = health[roots[0]]["since"]
    tables["incident_health"] = list(health.values())
    ended = [key for key in chains if len(chains[key]) < 60]
    unwell = [key for key in ended if health[key]["state"] != "sound"] or ended
    days = [(today - datetime.timedelta(days=one)).isoformat() for one in random.sample(range(2, 17), 7)]
    tables["incident_objections"] = []
    tables["incident_causes"] = []
    tables["incident_notices"] = []
    tables["incident_withdrawals"] = []
    for n in range(60 if ended else 0):
        state = random.choice(["open", "open", "open", "closed"])
        key = random.choice(unwell if random.random() < 0.75 else ended)
        tables["incident_objections"].append({"objection_id": 2001 + n, "incident_id": key, "reported_on": days[n % 7], "state": state})
        if state == "closed":
            tables["incident_causes"].append(
                {"objection_id": 2001 + n, "cause_incident_id": key, "fix": random.choice(["withdraw", "escalate", "revert", "correct"])}
            )
    tables["policy"] = [
        {"name": "incident_change_days", "value": random.randrange(4, 13, 1)},
        {"name": "incident_failed_days", "value": random.randrange(8, 19, 1)},
        {"name": "incident_named_by", "value": random.randrange(1, 3, 1)},
        {"name": "incident_reach_most", "value": random.randrange(2, 6, 1)},
        {"name": "incident_window_days", "value": random.randrange(3, 11, 1)},
    ]
    return tables
