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
            {
                "name": "time_zone",
                "kind": "choice",
                "values": ["Europe/Berlin", "Europe/Lisbon", "America/Chicago"],
                "shares": [0.6, 0.2, 0.2],
            },
            {"name": "opens", "kind": "choice", "values": ["07:00", "08:00"], "shares": [0.5, 0.5]},
            {"name": "closes", "kind": "choice", "values": ["17:00", "18:00"], "shares": [0.6, 0.4]},
            {"name": "has_technician", "kind": "choice", "values": [1, 0], "shares": [0.6, 0.4]},
        ],
    ),
    (
        "persons",
        20,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "PE"},
            {"name": "name", "kind": "text", "text": "party"},
            {
                "name": "department",
                "kind": "choice",
                "values": ["sales", "production", "finance", "research", "administration"],
                "shares": [0.24, 0.26, 0.14, 0.18, 0.18],
            },
            {"name": "site_id", "kind": "reference", "table": "sites", "key": "id"},
            {"name": "manager_id", "nulls": 0.05, "kind": "reference", "table": "persons", "key": "id"},
            {"name": "is_vip", "kind": "choice", "values": [0, 1], "shares": [0.86, 0.14]},
            {"name": "employment", "kind": "choice", "values": ["permanent", "temporary", "contractor"], "shares": [0.66, 0.18, 0.16]},
        ],
    ),
    (
        "teams",
        8,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "TE"},
            {"name": "name", "kind": "text", "text": "thing"},
            {"name": "level", "kind": "choice", "values": [1, 2, 3], "shares": [0.3, 0.45, 0.25]},
            {
                "name": "category",
                "kind": "choice",
                "values": ["hardware", "software", "network", "e-mail", "access", "printing"],
                "shares": [0.18, 0.26, 0.14, 0.14, 0.2, 0.08],
            },
        ],
    ),
    (
        "agents",
        12,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "AG"},
            {"name": "name", "kind": "text", "text": "person"},
            {"name": "team_id", "kind": "reference", "table": "teams", "key": "id"},
            {
                "name": "skill",
                "kind": "choice",
                "values": ["hardware", "software", "network", "e-mail", "access", "printing"],
                "shares": [0.18, 0.26, 0.14, 0.14, 0.2, 0.08],
            },
            {"name": "skill_level", "kind": "choice", "values": [1, 2, 3], "shares": [0.35, 0.4, 0.25]},
            {"name": "most_tickets", "kind": "choice", "values": [6, 10, 15], "shares": [0.3, 0.5, 0.2]},
            {"name": "shift_starts", "kind": "choice", "values": ["06:00", "08:00", "14:00"], "shares": [0.3, 0.4, 0.3]},
            {"name": "away_until", "nulls": 0.86, "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {"name": "on_call", "kind": "choice", "values": [0, 1], "shares": [0.85, 0.15]},
        ],
    ),
    (
        "services",
        30,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "SE"},
            {"name": "name", "kind": "text", "text": "thing"},
            {"name": "tier", "kind": "choice", "values": ["critical", "important", "standard"], "shares": [0.2, 0.35, 0.45]},
            {"name": "team_id", "kind": "reference", "table": "teams", "key": "id"},
            {"name": "owner_id", "kind": "reference", "table": "persons", "key": "id"},
            {"name": "users", "kind": "number", "quantiles": [15, 60, 220, 900, 4200], "least": 1, "most": 4200},
            {"name": "hours", "kind": "choice", "values": ["office-hours", "around-the-clock"], "shares": [0.65, 0.35]},
            {"name": "has_workaround", "kind": "choice", "values": [0, 1], "shares": [0.6, 0.4]},
            {"name": "status", "kind": "choice", "values": ["up", "degraded", "down"], "shares": [0.82, 0.1, 0.08]},
        ],
    ),
    (
        "components",
        30,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "CO"},
            {"name": "name", "kind": "text", "text": "thing"},
            {
                "name": "kind",
                "kind": "choice",
                "values": ["server", "database", "network-device", "storage", "application"],
                "shares": [0.3, 0.18, 0.2, 0.1, 0.22],
            },
            {"name": "site_id", "kind": "reference", "table": "sites", "key": "id"},
            {"name": "version", "kind": "text", "text": "thing"},
            {"name": "found_version", "kind": "text", "text": "thing"},
            {"name": "last_scan_on", "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {"name": "health", "kind": "choice", "values": ["healthy", "warning", "failed"], "shares": [0.84, 0.1, 0.06]},
            {"name": "changed_hours_ago", "kind": "number", "quantiles": [3, 20, 90, 500, 3000], "least": 0, "most": 8000},
        ],
    ),
    (
        "change_rows",
        72,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "CH"},
            {"name": "component_id", "kind": "reference", "table": "components", "key": "id"},
            {"name": "kind", "kind": "choice", "values": ["standard", "normal", "emergency"], "shares": [0.35, 0.45, 0.2]},
            {"name": "risk", "kind": "choice", "values": ["low", "medium", "high"], "shares": [0.5, 0.35, 0.15]},
            {"name": "starts_at", "kind": "date", "quantiles": [-120, -75, -40, -18, -3], "time": True},
            {"name": "minutes", "kind": "number", "quantiles": [20, 45, 80, 150, 300], "least": 15, "most": 300},
            {"name": "engineer_id", "kind": "reference", "table": "agents", "key": "id"},
            {"name": "in_freeze", "kind": "choice", "values": [0, 1], "shares": [0.58, 0.42]},
            {"name": "fixes_open_p1", "kind": "choice", "values": [0, 1], "shares": [0.5, 0.5]},
            {"name": "has_back_out", "kind": "choice", "values": [1, 0], "shares": [0.75, 0.25]},
            {"name": "approver_id", "nulls": 0.45, "kind": "reference", "table": "persons", "key": "id"},
            {
                "name": "status",
                "kind": "choice",
                "values": ["draft", "approved", "scheduled", "done", "backed-out", "refused"],
                "shares": [0.2, 0.25, 0.2, 0.25, 0.06, 0.04],
            },
        ],
    ),
    (
        "problems",
        30,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "PR"},
            {"name": "component_id", "nulls": 0.4, "kind": "reference", "table": "components", "key": "id"},
            {
                "name": "cause",
                "nulls": 0.4,
                "kind": "choice",
                "values": ["failed-change", "hardware-failure", "capacity", "expired-certificate", "software-fault"],
                "shares": [0.35, 0.2, 0.2, 0.1, 0.15],
            },
            {"name": "workaround", "nulls": 0.5, "kind": "text", "text": "thing"},
            {"name": "fix_change_id", "nulls": 0.6, "kind": "reference", "table": "change_rows", "key": "id"},
            {"name": "incidents", "kind": "choice", "values": [1, 3, 8, 25], "shares": [0.3, 0.35, 0.25, 0.1]},
            {"name": "status", "kind": "choice", "values": ["open", "known-error", "fixed"], "shares": [0.4, 0.35, 0.25]},
        ],
    ),
    (
        "tickets",
        72,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "TI"},
            {"name": "person_id", "kind": "reference", "table": "persons", "key": "id"},
            {"name": "service_id", "nulls": 0.12, "kind": "reference", "table": "services", "key": "id"},
            {"name": "kind", "kind": "choice", "values": ["incident", "request"], "shares": [0.62, 0.38]},
            {
                "name": "category",
                "kind": "choice",
                "values": ["hardware", "software", "network", "e-mail", "access", "printing"],
                "shares": [0.18, 0.26, 0.14, 0.14, 0.2, 0.08],
            },
            {"name": "channel", "kind": "choice", "values": ["portal", "phone", "e-mail", "walk-in"], "shares": [0.46, 0.3, 0.16, 0.08]},
            {"name": "opened_at", "kind": "date", "quantiles": [-120, -75, -40, -18, -3], "time": True},
            {"name": "impact", "kind": "choice", "values": ["one", "team", "site"], "shares": [0.62, 0.26, 0.12]},
            {"name": "urgency", "kind": "choice", "values": ["low", "medium", "high"], "shares": [0.4, 0.38, 0.22]},
            {"name": "priority", "kind": "choice", "values": [1, 2, 3, 4], "shares": [0.06, 0.19, 0.4, 0.35]},
            {"name": "team_id", "nulls": 0.15, "kind": "reference", "table": "teams", "key": "id"},
            {"name": "agent_id", "nulls": 0.35, "kind": "reference", "table": "agents", "key": "id"},
            {"name": "problem_id", "nulls": 0.72, "kind": "reference", "table": "problems", "key": "id"},
            {"name": "waited_minutes", "kind": "number", "quantiles": [0, 0, 35, 260, 900], "least": 0, "most": 900},
            {"name": "worked_minutes", "kind": "number", "quantiles": [12, 55, 210, 760, 2900], "least": 1, "most": 6000},
            {"name": "calendar_minutes", "kind": "number", "quantiles": [14, 80, 520, 2600, 11000], "least": 1, "most": 20000},
            {"name": "charge_cents", "kind": "number", "quantiles": [1200, 2800, 5400, 11500, 32000], "least": 500, "most": 60000},
            {"name": "resolved_days_ago", "nulls": 0.55, "kind": "number", "quantiles": [0, 1, 3, 8, 20], "least": 0, "most": 60},
            {"name": "same_fault_again", "kind": "choice", "values": [1, 0], "shares": [0.6, 0.4]},
            {"name": "solution", "nulls": 0.55, "kind": "text", "text": "thing"},
            {
                "name": "status",
                "kind": "choice",
                "values": ["new", "assigned", "in-progress", "waiting", "resolved", "closed", "cancelled"],
                "shares": [0.14, 0.16, 0.16, 0.09, 0.2, 0.22, 0.03],
            },
        ],
    ),
    (
        "request_items",
        72,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "RI"},
            {"name": "ticket_id", "kind": "reference", "table": "tickets", "key": "id"},
            {"name": "person_id", "kind": "reference", "table": "persons", "key": "id"},
            {
                "name": "catalogue_item",
                "kind": "choice",
                "values": ["laptop", "monitor", "phone", "licence", "shared-mailbox", "installation"],
                "shares": [0.18, 0.14, 0.1, 0.34, 0.08, 0.16],
            },
            {"name": "price_cents", "kind": "number", "quantiles": [0, 4500, 18000, 95000, 240000], "least": 0, "most": 400000},
            {"name": "is_standard", "kind": "choice", "values": [1, 0], "shares": [0.7, 0.3]},
            {"name": "replaces_broken", "kind": "choice", "values": [0, 1], "shares": [0.76, 0.24]},
            {"name": "approved_by_id", "nulls": 0.5, "kind": "reference", "table": "persons", "key": "id"},
            {
                "name": "decision",
                "nulls": 0.4,
                "kind": "choice",
                "values": ["approved", "declined", "standard-instead"],
                "shares": [0.7, 0.2, 0.1],
            },
            {
                "name": "status",
                "kind": "choice",
                "values": ["asked", "approved", "ordered", "delivered", "declined"],
                "shares": [0.25, 0.2, 0.15, 0.3, 0.1],
            },
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
    tables["purchase_approval_records"] = []
    for row in tables["request_items"]:
        row["purchase_approval_state"] = random.choice(["open", "open", "open", "decided"])
        if row["purchase_approval_state"] == "decided":
            tables["purchase_approval_records"].append(
                {"request_item_id": row["id"], "outcome": random.choice(["desk", "service owner", "manager"])}
            )
    tables["purchase_approval_sources"] = []
    for row in tables["request_items"]:
        true = row["price_cents"] if random.random() < 0.7 else random.choice(tables["request_items"])["price_cents"]
        tables["purchase_approval_sources"].append({"request_item_id": row["id"], "price_cents": true})
    tables["change_approval_records"] = []
    for row in tables["change_rows"]:
        row["change_approval_state"] = random.choice(["open", "open", "open", "decided"])
        if row["change_approval_state"] == "decided":
            tables["change_approval_records"].append(
                {"change_id": row["id"], "outcome": random.choice(["nobody", "head of IT", "change board", "team lead"])}
            )
    names = random.sample(
        [
            "Adeyemi",
            "Brandt",
            "Cardoso",
            "Duarte",
            "Engel",
            "Fontana",
            "Grabowski",
            "Hansen",
            "Ivanova",
            "Jimenez",
            "Kessler",
            "Laurent",
            "Marino",
            "Nyberg",
            "Oduya",
            "Pavlova",
            "Quinn",
            "Romero",
            "Schuster",
            "Tamm",
            "Ueda",
            "Vasquez",
            "Wolff",
            "Ximenes",
            "Yamada",
            "Zeman",
        ],
        11,
    )
    numbers = random.sample(range(11, 100), 11)
    people = []
    for n in range(11):
        days = random.choice([-21, -6, -1, 0, 0, 3, 8, 15, None, None, None, None])
        away = None if days is None else (datetime.date(2026, 3, 30) + datetime.timedelta(days=days)).isoformat()
        name = (
            random.choice(["Alma", "Boris", "Carla", "Dmitri", "Esther", "Fabio", "Greta", "Hamid", "Irene", "Jorge", "Karin", "Leon"])
            + " "
            + names[n]
        )
        people.append({"id": "PA-" + str(numbers[n]), "name": name, "level": None, "away_until": away, "deputy_id": None})
    for n in range(6):
        deputy = 3 + n if n < 3 else 6 + n % 2
        if n < 3:
            people[n]["level"] = ["desk", "manager", "service owner"][n]
            if random.random() < 0.2:
                deputy = 3 + (n + 1) % 3
        if random.random() < 0.88:
            people[n]["deputy_id"] = people[deputy]["id"]
    for n in range(6, 8):
        people[n]["deputy_id"] = people[8]["id"]
    if people[0]["away_until"] is not None:
        people[1]["away_until"] = None
    tables["purchase_approval_signatories"] = people
    tables["purchase_approval_conflicts"] = [
        {"signatory_id": one["id"], "person_id": other["id"]} for one in people for other in tables["persons"] if random.random() < 0.2
    ]
    tables["purchase_approval_signatures"] = []
    for row in tables["request_items"]:
        signed = []
        if row["purchase_approval_state"] == "open" and random.random() < 0.2:
            row["purchase_approval_state"] = "decided"
            tables["purchase_approval_records"].append(
                {"request_item_id": row["id"], "outcome": random.choice(["desk", "service owner", "manager"])}
            )
        if row["purchase_approval_state"] == "decided":
            for n in range(random.randint(0, 3)):
                one = people[n + random.choice([0, 0, 0, 3])] if random.random() < 0.9 else people[-1 - n % 2]
                if one not in signed and random.random() < 0.92:
                    signed.append(one)
        for n in range(len(signed)):
            tables["purchase_approval_signatures"].append({"request_item_id": row["id"], "signatory_id": signed[n]["id"], "step": n + 1})
    names = random.sample(
        [
            "Adeyemi",
            "Brandt",
            "Cardoso",
            "Duarte",
            "Engel",
            "Fontana",
            "Grabowski",
            "Hansen",
            "Ivanova",
            "Jimenez",
            "Kessler",
            "Laurent",
            "Marino",
            "Nyberg",
            "Oduya",
            "Pavlova",
            "Quinn",
            "Romero",
            "Schuster",
            "Tamm",
            "Ueda",
            "Vasquez",
            "Wolff",
            "Ximenes",
            "Yamada",
            "Zeman",
        ],
        11,
    )
    numbers = random.sample(range(11, 100), 11)
    people = []
    for n in range(11):
        days = random.choice([-21, -6, -1, 0, 0, 3, 8, 15, None, None, None, None])
        away = None if days is None else (datetime.date(2026, 3, 30) + datetime.timedelta(days=days)).isoformat()
        name = (
            random.choice(["Alma", "Boris", "Carla", "Dmitri", "Esther", "Fabio", "Greta", "Hamid", "Irene", "Jorge", "Karin", "Leon"])
            + " "
            + names[n]
        )
        people.append({"id": "CA-" + str(numbers[n]), "name": name, "level": None, "away_until": away, "deputy_id": None})
    for n in range(6):
        deputy = 3 + n if n < 3 else 6 + n % 2
        if n < 3:
            people[n]["level"] = ["team lead", "change board", "head of IT"][n]
            if random.random() < 0.2:
                deputy = 3 + (n + 1) % 3
        if random.random() < 0.88:
            people[n]["deputy_id"] = people[deputy]["id"]
    for n in range(6, 8):
        people[n]["deputy_id"] = people[8]["id"]
    if people[0]["away_until"] is not None:
        people[1]["away_until"] = None
    tables["change_approval_signatories"] = people
    tables["change_approval_conflicts"] = [
        {"signatory_id": one["id"], "agent_id": other["id"]} for one in people for other in tables["agents"] if random.random() < 0.2
    ]
    tables["change_approval_signatures"] = []
    for row in tables["change_rows"]:
        signed = []
        if row["change_approval_state"] == "open" and random.random() < 0.2:
            row["change_approval_state"] = "decided"
            tables["change_approval_records"].append(
                {"change_id": row["id"], "outcome": random.choice(["nobody", "head of IT", "change board", "team lead"])}
            )
        if row["change_approval_state"] == "decided":
            for n in range(random.randint(0, 3)):
                one = people[n + random.choice([0, 0, 0, 3])] if random.random() < 0.9 else people[-1 - n % 2]
                if one not in signed and random.random() < 0.92:
                    signed.append(one)
        elif row["change_approval_state"] == "open" and random.random() < 0.45:
            signed.append(people[random.randrange(6)])
        for n in range(len(signed)):
            tables["change_approval_signatures"].append({"change_id": row["id"], "signatory_id": signed[n]["id"], "step": n + 1})
    tables["policy"] = [
        {"name": "change_approval_deputies", "value": random.randrange(1, 4, 1)},
        {"name": "change_approval_long_minutes", "value": random.randrange(40, 91, 10)},
        {"name": "purchase_approval_deputies", "value": random.randrange(1, 4, 1)},
        {"name": "purchase_approval_head_from", "value": random.randrange(80000, 150001, 10000)},
        {"name": "purchase_approval_manager_from", "value": random.randrange(10000, 25001, 2500)},
    ]
    return tables
