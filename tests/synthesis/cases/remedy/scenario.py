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
        "policyholders",
        20,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "PO"},
            {"name": "name", "kind": "text", "text": "party"},
            {"name": "segment", "kind": "choice", "values": ["private", "business"], "shares": [0.78, 0.22]},
            {"name": "claims_in_three_years", "kind": "number", "quantiles": [0, 0, 0, 1, 3], "least": 0, "most": 9},
            {"name": "vulnerable", "kind": "choice", "values": [0, 1], "shares": [0.9, 0.1]},
        ],
    ),
    (
        "contracts",
        30,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "CO"},
            {"name": "policyholder_id", "kind": "reference", "table": "policyholders", "key": "id"},
            {"name": "address", "kind": "text", "text": "thing"},
            {"name": "postcode", "kind": "text", "text": "thing"},
            {"name": "starts_on", "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {
                "name": "agreed_sum_cents",
                "kind": "number",
                "quantiles": [3500000, 9000000, 18000000, 32000000, 60000000],
                "least": 2000000,
                "most": 90000000,
            },
            {"name": "index_linked", "kind": "choice", "values": [0, 1], "shares": [0.6, 0.4]},
            {"name": "ends_on", "kind": "date", "quantiles": [365, 365, 365, 365, 365], "of": ["starts_on"]},
            {"name": "premium_paid_to", "kind": "date", "quantiles": [60, 365, 365, 365, 365], "of": ["starts_on"]},
        ],
    ),
    (
        "covers",
        30,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "CO"},
            {"name": "contract_id", "kind": "reference", "table": "contracts", "key": "id"},
            {
                "name": "peril",
                "kind": "choice",
                "values": ["fire", "escape of water", "theft", "storm", "glass"],
                "shares": [0.22, 0.24, 0.2, 0.22, 0.12],
            },
            {
                "name": "limit_amount_cents",
                "kind": "number",
                "quantiles": [250000, 800000, 2500000, 9000000, 20000000],
                "least": 100000,
                "most": 50000000,
            },
            {"name": "deductible_cents", "kind": "number", "quantiles": [10000, 15000, 25000, 50000, 100000], "least": 0, "most": 150000},
            {"name": "basis", "kind": "choice", "values": ["new-for-old", "indemnity"], "shares": [0.55, 0.45]},
        ],
    ),
    (
        "adjusters",
        12,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "AD"},
            {"name": "name", "kind": "text", "text": "person"},
            {"name": "grade", "kind": "choice", "values": ["handler", "senior", "manager", "director"], "shares": [0.5, 0.28, 0.16, 0.06]},
            {
                "name": "authority_cents",
                "kind": "number",
                "quantiles": [250000, 500000, 1000000, 5000000, 25000000],
                "least": 200000,
                "most": 50000000,
            },
            {
                "name": "skill",
                "kind": "choice",
                "values": ["fire", "escape of water", "theft", "storm", "glass"],
                "shares": [0.2, 0.25, 0.2, 0.2, 0.15],
            },
            {"name": "open_claims", "kind": "number", "quantiles": [3, 11, 19, 28, 41], "least": 0, "most": 60},
            {"name": "most_open", "kind": "number", "quantiles": [20, 25, 30, 40, 50], "least": 15, "most": 60},
            {"name": "away_until", "nulls": 0.85, "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
        ],
    ),
    (
        "claims",
        72,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "CL"},
            {"name": "contract_id", "kind": "reference", "table": "contracts", "key": "id"},
            {"name": "cover_id", "kind": "reference", "table": "covers", "key": "id"},
            {"name": "adjuster_id", "nulls": 0.2, "kind": "reference", "table": "adjusters", "key": "id"},
            {"name": "occurred_on", "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {
                "name": "cause",
                "kind": "choice",
                "values": ["accident", "weather", "third party", "wear and tear", "unknown"],
                "shares": [0.3, 0.28, 0.27, 0.09, 0.06],
            },
            {
                "name": "late_reason",
                "kind": "choice",
                "values": ["none", "in hospital", "away from home", "told the broker in time"],
                "shares": [0.36, 0.16, 0.3, 0.18],
            },
            {"name": "days_unoccupied", "kind": "number", "quantiles": [0, 0, 3, 35, 110], "least": 0, "most": 200},
            {"name": "last_check_days", "kind": "number", "quantiles": [1, 4, 7, 16, 48], "least": 0, "most": 120},
            {"name": "catastrophe", "nulls": 0.6, "kind": "choice", "values": ["storm-north", "flood-river"], "shares": [0.6, 0.4]},
            {"name": "urgency", "kind": "choice", "values": ["uninhabitable", "getting worse", "ordinary"], "shares": [0.1, 0.24, 0.66]},
            {"name": "fraud_score", "kind": "number", "quantiles": [2, 10, 21, 38, 74], "least": 0, "most": 100},
            {
                "name": "assessed_cents",
                "kind": "number",
                "quantiles": [20000, 80000, 250000, 800000, 3600000],
                "least": 0,
                "most": 60000000,
            },
            {
                "name": "status",
                "kind": "choice",
                "values": ["notified", "triaged", "surveying", "adjusted", "awaiting-approval", "settled", "declined", "withdrawn"],
                "shares": [0.14, 0.1, 0.14, 0.12, 0.08, 0.3, 0.1, 0.02],
            },
            {"name": "notified_on", "kind": "date", "quantiles": [0, 3, 10, 27, 80], "of": ["occurred_on"]},
            {
                "name": "value_at_risk_cents",
                "kind": "percent",
                "of": ["contract_id", "contracts", "id", "agreed_sum_cents"],
                "quantiles": [80, 95, 108, 125, 165],
            },
            {"name": "proof_complete_on", "nulls": 0.3, "kind": "date", "quantiles": [1, 6, 14, 31, 66], "of": ["notified_on"]},
        ],
    ),
    (
        "recoveries",
        72,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "RE"},
            {"name": "claim_id", "kind": "reference", "table": "claims", "key": "id"},
            {"name": "against", "kind": "text", "text": "thing"},
            {"name": "admitted", "kind": "choice", "values": [0, 1], "shares": [0.45, 0.55]},
            {
                "name": "amount_cents",
                "kind": "number",
                "quantiles": [12000, 50000, 150000, 420000, 1900000],
                "least": 1000,
                "most": 30000000,
            },
            {"name": "status", "kind": "choice", "values": ["opened", "agreed", "collected", "given up"], "shares": [0.4, 0.25, 0.25, 0.1]},
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
    tables["payment_on_account_records"] = []
    for row in tables["claims"]:
        row["payment_on_account_state"] = random.choice(["open", "open", "open", "decided"])
        if row["payment_on_account_state"] == "decided":
            tables["payment_on_account_records"].append(
                {
                    "claim_id": row["id"],
                    "outcome": random.choice(["paid", "reduced", "declined"]),
                    "amount_cents": random.choice([0, random.randint(1, 900) * 50]),
                }
            )
    tables["payment_on_account_sources"] = []
    for row in tables["claims"]:
        true = row["late_reason"] if random.random() < 0.7 else random.choice(tables["claims"])["late_reason"]
        tables["payment_on_account_sources"].append({"claim_id": row["id"], "late_reason": true})
    tables["deductible_refund_records"] = []
    for row in tables["recoveries"]:
        row["deductible_refund_state"] = random.choice(["open", "open", "open", "decided"])
        if row["deductible_refund_state"] == "decided":
            tables["deductible_refund_records"].append(
                {
                    "recovery_id": row["id"],
                    "outcome": random.choice(["nothing", "refunded", "part refunded"]),
                    "amount_cents": random.choice([0, random.randint(1, 900) * 50]),
                }
            )
    tables["policy"] = [
        {"name": "deductible_refund_part_percent", "value": random.randrange(20, 51, 5)},
        {"name": "deductible_refund_refund_percent", "value": random.randrange(65, 96, 5)},
        {"name": "deductible_refund_small_recovery", "value": random.randrange(30000, 60001, 5000)},
        {"name": "payment_on_account_account_percent", "value": random.randrange(60, 91, 5)},
        {"name": "payment_on_account_away_percent", "value": random.randrange(25, 51, 5)},
        {"name": "payment_on_account_notice_days", "value": random.randrange(8, 19, 1)},
    ]
    return tables
