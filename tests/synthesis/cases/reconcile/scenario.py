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
        "employees",
        12,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "EM"},
            {"name": "name", "kind": "text", "text": "person"},
            {
                "name": "role",
                "kind": "choice",
                "values": ["requester", "buyer", "clerk", "budget-holder", "controller", "finance-director"],
                "shares": [0.46, 0.16, 0.2, 0.12, 0.04, 0.02],
            },
            {
                "name": "skill",
                "nulls": 0.8,
                "kind": "choice",
                "values": ["goods", "services", "freight", "utility"],
                "shares": [0.45, 0.3, 0.15, 0.1],
            },
            {
                "name": "approval_limit_cents",
                "kind": "choice",
                "values": [0, 500000, 2500000, 10000000, 50000000],
                "shares": [0.66, 0.16, 0.12, 0.04, 0.02],
            },
            {"name": "deputy_id", "nulls": 0.35, "kind": "reference", "table": "employees", "key": "id"},
            {"name": "absent_until", "nulls": 0.88, "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {"name": "open_items_limit", "nulls": 0.8, "kind": "choice", "values": [15, 25, 40], "shares": [0.3, 0.5, 0.2]},
        ],
    ),
    (
        "suppliers",
        20,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "SU"},
            {"name": "name", "kind": "text", "text": "party"},
            {"name": "tax_number", "nulls": 0.04, "kind": "text", "text": "thing"},
            {
                "name": "country",
                "kind": "choice",
                "values": ["DE", "NL", "AT", "PL", "FR", "GB"],
                "shares": [0.48, 0.16, 0.12, 0.1, 0.08, 0.06],
            },
            {"name": "size", "kind": "choice", "values": ["micro", "small", "medium", "large"], "shares": [0.22, 0.38, 0.26, 0.14]},
            {"name": "terms_days", "kind": "choice", "values": [14, 30, 45, 60, 90], "shares": [0.18, 0.5, 0.14, 0.12, 0.06]},
            {"name": "long_terms_agreed", "kind": "choice", "values": [1, 0], "shares": [0.5, 0.5]},
            {"name": "bank_changed_days_ago", "nulls": 0.55, "kind": "number", "quantiles": [2, 9, 40, 160, 600], "least": 0, "most": 900},
            {
                "name": "bank_change_channel",
                "nulls": 0.55,
                "kind": "choice",
                "values": ["e-mail", "letter", "portal"],
                "shares": [0.42, 0.2, 0.38],
            },
            {"name": "bank_change_confirmed", "kind": "choice", "values": [1, 0], "shares": [0.55, 0.45]},
            {
                "name": "status",
                "kind": "choice",
                "values": ["prospective", "active", "on-hold", "blocked"],
                "shares": [0.05, 0.84, 0.07, 0.04],
            },
        ],
    ),
    (
        "cost_centres",
        30,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "CC"},
            {"name": "name", "kind": "text", "text": "thing"},
            {"name": "holder_id", "kind": "reference", "table": "employees", "key": "id"},
            {
                "name": "budget_cents",
                "kind": "number",
                "quantiles": [2000000, 8000000, 20000000, 60000000, 250000000],
                "least": 0,
                "most": 250000000,
            },
            {
                "name": "committed_cents",
                "kind": "number",
                "quantiles": [500000, 3000000, 11000000, 35000000, 160000000],
                "least": 0,
                "most": 160000000,
            },
        ],
    ),
    (
        "purchase_orders",
        30,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "PO"},
            {"name": "supplier_id", "kind": "reference", "table": "suppliers", "key": "id"},
            {"name": "cost_centre_id", "kind": "reference", "table": "cost_centres", "key": "id"},
            {"name": "requester_id", "kind": "reference", "table": "employees", "key": "id"},
            {"name": "approver_id", "nulls": 0.06, "kind": "reference", "table": "employees", "key": "id"},
            {"name": "raised_on", "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {"name": "kind", "kind": "choice", "values": ["fixed-price", "index-priced"], "shares": [0.44, 0.56]},
            {
                "name": "total_cents",
                "kind": "number",
                "quantiles": [12000, 65000, 240000, 900000, 6500000],
                "least": 2000,
                "most": 40000000,
            },
            {
                "name": "status",
                "kind": "choice",
                "values": ["draft", "approved", "part-received", "received", "closed", "cancelled"],
                "shares": [0.04, 0.26, 0.2, 0.3, 0.17, 0.03],
            },
        ],
    ),
    (
        "order_lines",
        30,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "OL"},
            {"name": "purchase_order_id", "kind": "reference", "table": "purchase_orders", "key": "id"},
            {"name": "line_no", "kind": "number", "quantiles": [10, 10, 20, 30, 60], "least": 10, "most": 60},
            {"name": "description", "kind": "text", "text": "thing"},
            {"name": "quantity", "kind": "number", "quantiles": [1, 4, 12, 50, 400], "least": 1, "most": 2000},
            {"name": "unit_price_cents", "kind": "number", "quantiles": [180, 950, 4200, 18000, 160000], "least": 50, "most": 160000},
            {"name": "match_mode", "kind": "choice", "values": ["three-way", "two-way"], "shares": [0.78, 0.22]},
        ],
    ),
    (
        "invoices",
        72,
        [
            {"name": "id", "kind": "key", "number": False, "prefix": "IN"},
            {"name": "supplier_id", "kind": "reference", "table": "suppliers", "key": "id"},
            {"name": "supplier_reference", "kind": "text", "text": "thing"},
            {"name": "purchase_order_id", "nulls": 0.34, "kind": "reference", "table": "purchase_orders", "key": "id"},
            {"name": "cost_centre_id", "kind": "reference", "table": "cost_centres", "key": "id"},
            {
                "name": "category",
                "kind": "choice",
                "values": ["goods", "services", "freight", "utility", "rent"],
                "shares": [0.44, 0.26, 0.1, 0.12, 0.08],
            },
            {"name": "received_on", "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {"name": "service_period", "nulls": 0.54, "kind": "text", "text": "thing"},
            {"name": "due_on", "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {"name": "gross_cents", "kind": "number", "quantiles": [4800, 26000, 110000, 480000, 4200000], "least": 900, "most": 45000000},
            {"name": "tax_cents", "kind": "number", "quantiles": [700, 4100, 17500, 76000, 670000], "least": 0, "most": 670000},
            {"name": "price_gap_percent", "kind": "number", "quantiles": [-1.0, 0.0, 2.0, 5.0, 10.0], "least": -5.0, "most": 18.0},
            {"name": "repeats_id", "nulls": 0.7, "kind": "reference", "table": "invoices", "key": "id"},
            {"name": "same_reference", "kind": "choice", "values": [1, 0], "shares": [0.3, 0.7]},
            {"name": "same_period", "kind": "choice", "values": [1, 0], "shares": [0.5, 0.5]},
            {"name": "discount_percent", "nulls": 0.6, "kind": "choice", "values": [1.0, 2.0, 3.0], "shares": [0.2, 0.55, 0.25]},
            {"name": "discount_until", "nulls": 0.6, "kind": "date", "quantiles": [-120, -75, -40, -18, -3]},
            {"name": "days_gained", "nulls": 0.6, "kind": "choice", "values": [7, 20, 35, 50], "shares": [0.2, 0.45, 0.2, 0.15]},
            {
                "name": "priority",
                "kind": "choice",
                "values": ["legal-reminder", "overdue", "discount", "normal"],
                "shares": [0.05, 0.15, 0.2, 0.6],
            },
            {"name": "clerk_id", "nulls": 0.3, "kind": "reference", "table": "employees", "key": "id"},
            {
                "name": "status",
                "kind": "choice",
                "values": ["received", "matching", "disputed", "awaiting-approval", "approved", "paid", "rejected"],
                "shares": [0.2, 0.16, 0.12, 0.18, 0.14, 0.16, 0.04],
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
    today = datetime.date.fromisoformat("2026-03-30")
    numbers = random.sample(range(10000, 100000), 2 * len(tables["invoices"]) + 4 * len(tables["suppliers"]))
    accounts = {row["id"]: "A" + str(numbers.pop()) for row in tables["suppliers"]}
    lines, tables["invoice_refs"], tables["invoice_differences"] = [], [], []
    for row in tables["invoices"]:
        ref, ours = "X" + str(numbers.pop()), row["gross_cents"]
        tables["invoice_refs"].append({"invoice_id": row["id"], "ref": ref})
        off = random.choice([random.randint(1, 12) * 50, random.randint(1, 600), random.randint(500, 9000), random.randint(20, 180) * 50])
        off = -off if ours > off and random.random() < 0.5 else off
        fate = random.choices(["agrees", "amount", "missing", "several", "sign"], [30, 40, 17, 15, 9])[0]
        amounts = {"agrees": [ours], "amount": [ours + off], "missing": [], "sign": [-ours]}.get(fate)
        if amounts is None:
            amounts = [ours, ours + random.choice([0, 0, off])]
        first = min(
            datetime.date.fromisoformat(row["due_on"][:10]) + datetime.timedelta(days=random.randint(0, 20)),
            today - datetime.timedelta(days=12),
        )
        for amount in amounts:
            account = accounts[row["supplier_id"]]
            day = first.isoformat()
            lines.append({"account": account, "ref": ref, "booked_on": day, "amount_cents": amount})
            first = first + datetime.timedelta(days=random.randint(1, 9))
    for row in tables["suppliers"]:
        for _ in range(random.choice([0, 0, 1, 1, 2])):
            ref, account = "X" + str(numbers.pop()), accounts[row["id"]]
            day = (today - datetime.timedelta(days=random.randint(4, 100))).isoformat()
            lines.append({"account": account, "ref": ref, "booked_on": day, "amount_cents": random.randint(500, 90000)})
    random.shuffle(lines)
    tables["invoice_statement_lines"] = []
    for n in range(len(lines)):
        tables["invoice_statement_lines"].append(
            {"line": n + 1, **lines[n], "text": random.choice(["posting", "collective posting", "booked by hand", "carried over"])}
        )
    tables["invoice_lines_aside"] = []
    tables["invoice_statement_accounts"] = [{"supplier_id": each, "account": accounts[each]} for each in accounts]
    today = datetime.date.fromisoformat("2026-03-30")
    numbers = random.sample(range(10000, 100000), 2 * len(tables["order_lines"]) + 4 * len(tables["suppliers"]))
    accounts = {row["id"]: "A" + str(numbers.pop()) for row in tables["suppliers"]}
    through = {row["id"]: row["supplier_id"] for row in tables["purchase_orders"]}
    lines, tables["order_line_refs"], tables["order_line_differences"] = [], [], []
    for row in tables["order_lines"]:
        ref, ours = "X" + str(numbers.pop()), row["unit_price_cents"]
        tables["order_line_refs"].append({"order_line_id": row["id"], "ref": ref})
        off = random.choice(
            [ours * random.randint(1, 5) // 100 + 1, ours * random.randint(4, 14) // 100 + 1, ours * random.randint(6, 40) // 100 + 1]
        )
        off = -off if ours > off and random.random() < 0.5 else off
        fate = random.choices(["agrees", "amount", "missing", "several"], [15, 40, 17, 15])[0]
        amounts = {"agrees": [ours], "amount": [ours + off], "missing": [], "sign": [-ours]}.get(fate)
        if amounts is None:
            amounts = [ours, ours + random.choice([0, 0, off])]
        first = min(
            today - datetime.timedelta(days=random.randint(30, 110)) + datetime.timedelta(days=random.randint(0, 20)),
            today - datetime.timedelta(days=12),
        )
        for amount in amounts:
            account = accounts[through[row["purchase_order_id"]]]
            day = first.isoformat()
            lines.append({"account": account, "ref": ref, "booked_on": day, "amount_cents": amount})
            first = first + datetime.timedelta(days=random.randint(1, 9))
    random.shuffle(lines)
    tables["order_line_statement_lines"] = []
    for n in range(len(lines)):
        tables["order_line_statement_lines"].append(
            {"line": n + 1, **lines[n], "text": random.choice(["posting", "collective posting", "booked by hand", "carried over"])}
        )
    tables["order_line_statement_accounts"] = [{"supplier_id": each, "account": accounts[each]} for each in accounts]
    tables["policy"] = [
        {"name": "invoice_reconciliation_tolerance", "value": random.randrange(100, 501, 50)},
        {"name": "invoice_reconciliation_transit_days", "value": random.randrange(10, 41, 5)},
        {"name": "order_line_reconciliation_right_percent", "value": random.randrange(8, 17, 1)},
        {"name": "order_line_reconciliation_tolerance", "value": random.randrange(1, 6, 1)},
    ]
    return tables
