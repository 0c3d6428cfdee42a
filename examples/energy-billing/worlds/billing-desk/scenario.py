"""The desk on one Monday: two dozen households, their last three bills, some of them billed on a reading that was keyed wrongly, and their claims."""
import datetime
import random

FIRST = ["Amara", "Bruno", "Carla", "Dmitri", "Elif", "Fergus", "Greta", "Hassan", "Ines", "Jonas", "Katya", "Lorenz", "Mireille", "Nadia", "Oskar",
         "Petra", "Quentin", "Rosa", "Stefan", "Tamsin"]
LAST = ["Achterberg", "Boateng", "Cavallo", "Delacroix", "Egger", "Fontaine", "Gruber", "Holloway", "Iversen", "Jankowski", "Kovacs", "Lindqvist",
        "Moreau", "Novak", "Okafor", "Pereira", "Rossetti", "Santos", "Tournier", "Verhoeven"]
CLERKS = ["Dana Whitlock", "Milo Prentice", "Sunniva Aasland", "Theo Marchetti"]
TOWNS = ["Aldermoor", "Brackwater", "Castle Linden", "Dunmere", "Elverton"]
PURPOSES = ["change the meter", "read the meter", "test the meter", "move the connection", "seal the meter"]
WORDS = ["I took the whole day off and nobody came.", "We waited from eight to five for your technician.", "My mother sat by the door all day for nothing.",
         "Nobody rang, nobody wrote, nobody came.", "I lost a day's pay over this and expect you to make it good."]
NOTES = ["Instalment plan broken twice, next step is a final demand.", "Neighbour reports a bypass of the meter, inspection pending.",
         "Threatens with the ombudsman at every call, keep answers short.", "Credit check came back poor, no new contract without a deposit.",
         "Colleague promised a call back and forgot, do not admit this.", "Suspected second household on this connection.",
         "Customer is a relative of a member of staff, second pair of eyes needed."]
PERIODS = [("2025-09-01", "2025-10-31"), ("2025-11-01", "2025-12-31"), ("2026-01-01", "2026-02-28")]
BOUNDARIES = ["2025-08-31", "2025-10-31", "2025-12-31", "2026-02-28"]


def plus(day, n):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=n)).isoformat()


def covers(first, last, day):
    return first is not None and first <= day <= last


def total(kwh, price, standing, social, vat, off):
    """Whole cents, rounded once, halves up."""
    if social:
        return (kwh * price * (100 - off) * (100 + vat) + 500000) // 1000000
    return ((kwh * price + standing * 100) * (100 + vat) + 5000) // 10000


def miskeyed(right, low, high):
    """A figure that differs in one digit, or in two neighbours swapped, by between low and high."""
    text = str(right)
    found = []
    for i in range(len(text)):
        for digit in "0123456789":
            found.append(text[:i] + digit + text[i + 1:])
        if i + 1 < len(text):
            found.append(text[:i] + text[i + 1] + text[i] + text[i + 2:])
    fits = sorted(set([int(f) for f in found if low <= int(f) - right <= high]))
    return random.choice(fits) if fits else right + (low if low > 0 else high)


def certificate(kind, day):
    """A social certificate, placed around the last day of a billing period."""
    if kind == "long":
        return "2025-01-01", "2026-12-31"
    if kind == "from that day":
        return day, plus(day, 365)
    if kind == "until that day":
        return plus(day, -365), day
    if kind == "from the next day":
        return plus(day, 1), plus(day, 366)
    if kind == "until the day before":
        return plus(day, -366), plus(day, -1)
    return None, None


def scenario(seed):
    random.seed(seed)
    vat = random.choice([6, 9, 10, 17, 19, 20, 21])
    off = random.choice([15, 20, 25, 30, 35, 40])
    claim_days = random.choice([21, 24, 28, 30, 35, 42])
    notice_days = random.choice([2, 3, 4, 5, 7])
    policy = [{"name": "vat_percent", "value": vat},
              {"name": "social_percent", "value": off},
              {"name": "allowance_cents", "value": random.randrange(500, 3600, 125)},
              {"name": "claim_days", "value": claim_days},
              {"name": "notice_days", "value": notice_days},
              {"name": "visit_cents", "value": random.randrange(2000, 6100, 250)},
              {"name": "late_notice_percent", "value": random.choice([30, 40, 45, 50, 60, 65])},
              {"name": "objection_days", "value": random.choice([14, 20, 21, 25, 28, 30, 35, 42])}]

    names = random.sample([f + " " + n for f in FIRST for n in LAST], 24)
    numbers = random.sample(range(1000, 9999), 24)
    meter_numbers = random.sample(range(10000, 99999), 40)
    references = random.sample(range(100000, 999999), 200)
    bill_numbers = random.sample(range(10000, 99999), 120)
    claim_numbers = random.sample(range(1000, 9999), 40)
    visit_numbers = random.sample(range(1000, 9999), 40)
    report_numbers = random.sample(range(10000, 99999), 40)

    # which period of whose first meter goes wrong, on which side, and what certificate stands around its last day
    sides = ["closing", "opening", "closing", "opening", "too low", "none"]
    kinds = ["long", "none", "from that day", "none", "until that day", "from the next day", "long", "until the day before"]
    tables = {"customers": [], "meters": [], "readings": [], "operator_reads": [], "bills": [], "credit_notes": [], "visits": [], "visit_log": [],
              "claims": [], "payments": [], "notes": [], "mail": [], "policy": policy}
    for i in range(24):
        wrong_period = random.choice([0, 1, 2, 2])
        first, last = certificate(kinds[(i + i // 8) % 8], PERIODS[wrong_period][1])
        known_on = random.choice(["2025-08-01", "2025-12-20", "2026-03-15", "2026-03-15", "2026-03-15", "2026-03-15"])       # when the certificate reached the desk
        customer = {"id": "C-" + str(numbers[i]), "name": names[i], "town": random.choice(TOWNS), "contact_by": random.choice(["email", "letter"]),
                    "social_from": first, "social_until": last, "priority_since": None}
        tables["customers"].append(customer)
        for m in range(2 if i % 6 == 0 else 1):
            fuel = random.choice(["electricity", "gas"]) if m == 0 else "gas"
            meter = {"id": "MT-" + str(meter_numbers[len(tables["meters"])]), "customer_id": customer["id"], "fuel": fuel}
            tables["meters"].append(meter)
            used = [random.randint(380, 980) if fuel == "electricity" else random.randint(700, 2600) for _ in PERIODS]
            right = [random.randint(12000, 80000)]
            for kwh in used:
                right.append(right[-1] + kwh)
            keyed = [r for r in right]
            side = sides[i % 6] if m == 0 else "none"
            if side == "closing":
                k = wrong_period + 1
                keyed[k] = miskeyed(right[k], 40, used[k] - 20 if k < 3 else 900)
            elif side == "opening":
                k = wrong_period
                keyed[k] = miskeyed(right[k], -(used[k - 1] - 20 if k > 0 else 900), -40)
            elif side == "too low":
                k = wrong_period + 1
                keyed[k] = miskeyed(right[k], -(used[k - 1] - 20), -40)
            ids = []
            for k in range(4):
                reference = "OR-" + str(references[len(tables["operator_reads"])])
                ids.append(len(tables["readings"]) + 1)
                tables["operator_reads"].append({"operator_ref": reference, "meter_id": meter["id"], "read_on": plus(BOUNDARIES[k], random.choice([-6, -5, -4, -3, -2, 2])),
                                                 "kwh": right[k]})
                tables["readings"].append({"id": ids[k], "meter_id": meter["id"], "entered_on": plus(BOUNDARIES[k], random.randint(3, 8)), "entered_by": random.choice(CLERKS),
                                           "source": "operator", "operator_ref": reference, "kwh": keyed[k], "state": "entered"})
                if k < 3 and random.random() < 0.25:
                    tables["readings"].append({"id": ids[k] + 1, "meter_id": meter["id"], "entered_on": plus(BOUNDARIES[k], random.randint(20, 40)),
                                               "entered_by": random.choice(CLERKS), "source": "customer", "operator_ref": None,
                                               "kwh": right[k] + used[k] // 2, "state": "entered"})
            price = random.randint(2150, 3790) if fuel == "electricity" else random.randint(840, 1390)
            standing = random.randint(1150, 2890)
            for k in range(3):
                issued = plus(PERIODS[k][1], random.randint(10, 14))
                social = covers(first, last, PERIODS[k][1]) and known_on <= issued
                if first is not None and k == wrong_period and not covers(first, last, PERIODS[k][1]) and random.random() < 0.5:
                    social = True                                                  # the bill run was a day off
                billed = keyed[k + 1] - keyed[k]
                status = random.choice(["paid", "paid", "paid", "open"]) if k < 2 else random.choice(["paid", "open"])
                bill = {"id": "B-" + str(bill_numbers[len(tables["bills"])]), "customer_id": customer["id"], "meter_id": meter["id"], "issued_on": issued,
                        "period_from": PERIODS[k][0], "period_to": PERIODS[k][1], "opening_reading": ids[k], "closing_reading": ids[k + 1],
                        "billed_kwh": billed, "per_100_kwh_cents": price, "standing_cents": standing, "tariff": "social" if social else "standard",
                        "total_cents": total(billed, price, standing, social, vat, off), "status": status}
                tables["bills"].append(bill)
                if side == "none" and m == 0 and k == 1 and i % 12 == 5:           # an older correction, long settled
                    bill["status"] = "corrected"
                    tables["credit_notes"].append({"id": len(tables["credit_notes"]) + 1, "bill_id": bill["id"], "amount_cents": random.randint(900, 6000),
                                                   "settle": "refund", "issued_on": "2026-02-10"})
                    tables["mail"].append({"id": len(tables["mail"]) + 1, "customer_id": customer["id"], "about": bill["id"], "channel": customer["contact_by"],
                                           "body": "Bill " + bill["id"] + " has been corrected. The credit note is enclosed. Your billing desk", "sent_at": "2026-02-10T11:20:00"})
        if random.random() < 0.8:
            tables["notes"].append({"id": len(tables["notes"]) + 1, "customer_id": customer["id"], "written_on": plus("2025-10-01", random.randint(0, 150)),
                                    "file_no": "FR-" + str(random.randint(1000, 9999)), "text": random.choice(NOTES)})

    # one open claim for most households, an old one for some
    outcomes = ["missed", "late", "missed", "late", "kept", "in time", "in time", "late"]
    for i in range(22):
        customer = tables["customers"][(i * 7) % 24]
        meter = [m for m in tables["meters"] if m["customer_id"] == customer["id"]][0]
        settled = i >= 18
        received = plus("2025-12-05", i) if settled else plus("2026-03-02", random.randint(0, 11))
        days = claim_days
        after = random.choice([2, 6, days - 3, days, days, days - 1])              # days between visit and claim
        joined = None
        if i % 2 == 1:                                                             # around the border that the priority register moves
            after = random.choice([days + 1, days + 4, 2 * days - 1, 2 * days, 2 * days + 1, 2 * days + 5])
        planned = plus(received, -after)
        if i % 4 in (1, 2) or i % 8 == 7:
            joined = random.choice([plus(planned, -200), plus(planned, -9), planned])
        elif i % 8 == 3:
            joined = plus(planned, random.choice([1, 5]))                          # too late to count
        customer["priority_since"] = joined
        outcome = outcomes[(i + i // 8) % 8] if i % 2 == 0 or joined is None else random.choice(["missed", "late", "in time", "late"])
        if settled:
            outcome = "missed"
        called_off = None
        if outcome == "late":
            called_off = plus(planned, -random.choice([1, notice_days - 1]))
        elif outcome == "in time":
            called_off = plus(planned, -random.choice([notice_days, notice_days, notice_days + 1, notice_days + 4]))
        visit = {"id": "V-" + str(visit_numbers[i]), "meter_id": meter["id"], "planned_on": planned, "purpose": random.choice(PURPOSES)}
        tables["visits"].append(visit)
        tables["visit_log"].append({"visit_id": visit["id"], "report_no": "VR-" + str(report_numbers[i]),
                                    "outcome": "called off" if called_off else outcome, "called_off_on": called_off})
        claim = {"id": "K-" + str(claim_numbers[i]), "customer_id": customer["id"], "visit_id": visit["id"], "received_on": received,
                 "asked_cents": random.randrange(6200, 25000, 100), "words": random.choice(WORDS), "status": "open", "reason": None}
        if settled and i % 2 == 0:
            claim["status"] = "granted"
            tables["payments"].append({"id": len(tables["payments"]) + 1, "claim_id": claim["id"], "amount_cents": policy[5]["value"], "paid_on": plus(received, 3)})
        elif settled:
            claim["status"], claim["reason"] = "refused", "too-late"
        if settled:
            tables["mail"].append({"id": len(tables["mail"]) + 1, "customer_id": customer["id"], "about": claim["id"], "channel": customer["contact_by"],
                                   "body": "We have decided your claim " + claim["id"] + " and enclose the decision. Your billing desk", "sent_at": plus(received, 3) + "T15:05:00"})
        tables["claims"].append(claim)
    return tables
