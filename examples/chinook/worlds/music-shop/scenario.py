"""The shop desk on a Monday in January 2026: the sampled shop, and beside it what the desk's other systems say.

Downloads, file checks, rights, absences and payments are drawn here; no imported row is changed. Imported rows come sorted by key before
anything is drawn, so the seed alone decides.
"""
import datetime
import random

TODAY = datetime.date(2026, 1, 5)
WINDOW_GENRES = ["Rock", "Latin", "Metal", "Alternative & Punk"]
LANGUAGES = ["Portuguese", "Spanish", "French", "German"]
NEW_AGENTS = [("Priya", "Nair"), ("Owen", "Doyle"), ("Lucía", "Ortega"), ("Mehmet", "Aydın"), ("Chloé", "Baptiste"), ("Tomasz", "Zieliński"), ("Anneke", "de Wit")]
LANGUAGE_OF = {"Brazil": "Portuguese", "Portugal": "Portuguese", "Argentina": "Spanish", "Chile": "Spanish", "Spain": "Spanish",
               "France": "French", "Belgium": "French", "Germany": "German", "Austria": "German"}


def after(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def by_id(rows):
    return sorted(rows, key=lambda row: row["id"])


def fee(price, percent):
    return (price * percent + 50) // 100


# ---- refunds: requests, the download server, the engineer's checks, the journal

def refund_side(invoices, lines, tracks, media, companies, policy):
    refunds, requests, delivery_log, checks = [], [], [], {}
    invoiced = {i["id"]: i["invoiced"] for i in invoices}
    buyer = {i["id"]: i["customer_id"] for i in invoices}
    track_of = {t["id"]: t for t in tracks}
    for line in lines:
        day, price = invoiced[line["invoice_id"]], line["unit_price_cents"] * line["quantity"]
        recent = day >= "2025-01-01"
        refunded = random.random() < 0.07
        if refunded:
            paid = min(after(day, random.randint(3, 25)), "2026-01-02")
            amount = price if random.random() < 0.3 else price - fee(price, policy["fee_percent"])
            refunds.append({"id": len(refunds) + 1, "line_id": line["id"], "amount_cents": amount, "paid": paid})
        if not recent:
            continue
        protected = media[track_of[line["track_id"]]["media_type_id"]].startswith("Protected")
        completed = random.choice([0, 1, 1, 2]) if protected else random.choice([0, 0, 1, 1, 2])
        activated = None
        if protected and completed and random.random() < 0.4:
            activated = min(after(day, random.randint(0, 9)), "2026-01-03")
        delivery_log.append({"line_id": line["id"], "attempts": completed + random.choice([0, 0, 1, 3]), "completed": completed, "licence_activated": activated})
        reason = random.choice(["changed_mind", "wrong_track", "faulty_file"])
        if refunded:
            requests.append({"line_id": line["id"], "received": after(day, random.randint(0, 2)), "reason": reason, "status": "granted", "decided": paid})
            again = random.random() < 0.5
        else:
            again = random.random() < (0.9 if protected else 0.65)
        if again:
            window = policy["window_days"]
            wide = policy["business_window_days"]
            days = random.choice([random.randint(1, window), random.randint(1, window), window, window + 1, random.randint(window + 1, wide), wide, wide + 1])
            if companies[buyer[line["invoice_id"]]] is None:
                days = random.choice([random.randint(2, window), random.randint(2, window), random.randint(2, window), window, window + 1, window + random.randint(1, 20)])
            received = min(after(day, days), "2026-01-04")
            decided = None
            status = "open"
            if not refunded and random.random() < 0.08:
                status, decided = "declined", min(after(received, random.randint(1, 9)), "2026-01-04")
            requests.append({"line_id": line["id"], "received": received, "reason": reason, "status": status, "decided": decided})
            if reason == "faulty_file" and random.random() < 0.9:
                checks[line["track_id"]] = random.choice(["sound", "faulty"])
    for track in random.sample(tracks, 12):                 # complaints that came in by phone
        if track["id"] not in checks:
            checks[track["id"]] = random.choice(["sound", "faulty"])
    requests = sorted(requests, key=lambda r: (r["received"], r["line_id"]))
    for n in range(len(requests)):
        requests[n]["id"] = n + 1
    return {"refunds": refunds, "refund_requests": requests, "delivery_log": delivery_log,
            "file_checks": [{"track_id": t, "finding": checks[t]} for t in sorted(checks)]}


# ---- payments: references, and a log that agrees with the shop most of the time

def payment_side(invoices, lines, refunds, policy):
    invoice_of = {line["id"]: line["invoice_id"] for line in lines}
    paid_back = {}
    for refund in refunds:
        paid_back.setdefault(invoice_of[refund["line_id"]], []).append(refund)
    numbers = random.sample(range(100000, 999999), len(invoices))
    references, entries, flags = [], [], []
    tolerance = policy["tolerance_cents"]
    for i in range(len(invoices)):
        invoice = invoices[i]
        reference = "PX" + str(numbers[i])
        references.append({"invoice_id": invoice["id"], "reference": reference})
        total, day = invoice["total_cents"], invoice["invoiced"]
        back = paid_back.get(invoice["id"], [])
        mine = []

        def book(kind, amount, on, status="settled"):
            mine.append({"reference": reference, "kind": kind, "status": status, "amount_cents": amount, "booked": on})

        booked = after(day, random.randint(0, 6))
        fault = random.choices(["none", "small", "near", "amount", "twice", "void_twice", "missing", "voided", "lost_refund", "extra_refund", "chargeback"],
                               [38, 16, 13, 5, 5, 6, 4, 3, 5, 4, 8])[0]
        if fault == "missing":
            pass
        elif fault == "voided":
            book("capture", total, booked, "voided")
        else:
            taken = total
            if fault == "small":
                taken = total + random.choice([-1, 1]) * random.choice([1, tolerance, tolerance])
            if fault == "near":
                taken = total + random.choice([-1, 1]) * (tolerance + random.choice([1, 1, 2]))
            if fault == "amount":
                taken = max(1, total + random.choice([-1, 1]) * random.choice([random.randint(25, 90), 99]))
            book("capture", taken, booked)
            if fault == "twice":
                book("capture", taken, booked)
            if fault == "void_twice":
                book("capture", taken, booked, "voided")
            for refund in back:
                if fault != "lost_refund":
                    book("refund", refund["amount_cents"], after(refund["paid"], random.randint(0, 2)))
            if fault == "lost_refund" and not back:
                book("refund", total, after(booked, 4), "voided")
            if fault == "extra_refund":
                book("refund", 99, after(booked, random.randint(3, 12)))
            if fault == "chargeback":
                book("chargeback", total, min(after(booked, random.randint(5, 40)), "2026-01-03"))
        entries = entries + mine
        settled = [e for e in mine if e["status"] == "settled"]
        theirs = sum([e["amount_cents"] for e in settled if e["kind"] == "capture"]) - sum([e["amount_cents"] for e in settled if e["kind"] == "refund"])
        difference = theirs - (total - sum([r["amount_cents"] for r in back]))
        if abs(difference) > tolerance and fault != "chargeback" and random.random() < 0.12:
            kind = "missing" if not settled else ("over" if difference > 0 else "under")
            flags.append({"id": len(flags) + 1, "invoice_id": invoice["id"], "kind": kind, "difference_cents": difference})
    entries = sorted(entries, key=lambda e: (e["booked"], e["reference"]))
    for n in range(len(entries)):
        entries[n]["id"] = n + 1
    return {"payment_references": references, "processor_entries": entries, "invoice_flags": flags}


# ---- shop-window lists: some tracks on each break a rule, and there is always a way to repair the list

def window_lists(first_id, tracks, albums, genres, media, policy):
    artist_of = {a["id"]: a["artist_id"] for a in albums}
    genre_id = {g["name"]: g["id"] for g in genres}
    rights = {}
    for track in tracks:
        if track["composer"] is None:
            rights[track["id"]] = random.choices(["cleared", "blanket", "blocked"], [5, 4, 1])[0]
        else:
            rights[track["id"]] = random.choices(["cleared", "blanket", "blocked"], [7, 1, 2])[0]

    def breach(track, genre):
        if track["genre_id"] != genre:
            return "genre"
        if media[track["media_type_id"]].startswith("Protected"):
            return "protected"
        if track["milliseconds"] < policy["min_seconds"] * 1000 or track["milliseconds"] > policy["max_seconds"] * 1000:
            return "length"
        if rights[track["id"]] == "blocked":
            return "blocked"
        if track["composer"] is None and rights[track["id"]] != "blanket":
            return "composer"
        return ""

    lists, members, minutes = [], [], []
    for name in WINDOW_GENRES:
        genre = genre_id[name]
        kinds = {}
        for track in tracks:
            kinds.setdefault(breach(track, genre), []).append(track)
        good = kinds.get("", [])
        want = policy["slots"] - random.randint(3, 5)
        named = [t for t in good if t["composer"] is not None]
        unnamed = [t for t in good if t["composer"] is None]
        pool = random.sample(unnamed, min(len(unnamed), random.choice([0, 1, 2]))) + random.sample(named, len(named))
        kept, count = [], {}
        for track in pool:
            artist = artist_of[track["album_id"]]
            if len(kept) < want and count.get(artist, 0) < policy["per_artist"]:
                kept.append(track)
                count[artist] = count.get(artist, 0) + 1
        bad = []
        for kind in random.sample(["protected", "length", "blocked", "composer", "genre"], random.randint(3, 4)):
            near = [t for t in kinds.get(kind, []) if kind != "genre" or not media[t["media_type_id"]].startswith("Protected")]
            if near:
                bad.append(random.choice(near))
        lists.append({"id": first_id + len(lists), "name": "Window: " + name, "kind": "window", "genre_id": genre})
        members = members + [{"playlist_id": lists[-1]["id"], "track_id": t["id"]} for t in kept + bad]
        on_list = [t["id"] for t in kept]
        shortest, used = [], dict(count)                    # the quickest repair: the shortest tracks that the artists' limit lets in
        for track in sorted([t for t in good if t["id"] not in on_list], key=lambda t: t["milliseconds"]):
            artist = artist_of[track["album_id"]]
            if len(shortest) < policy["slots"] - len(kept) and used.get(artist, 0) < policy["per_artist"]:
                shortest.append(track)
                used[artist] = used.get(artist, 0) + 1
        if len(kept) + len(shortest) == policy["slots"]:
            minutes.append(-(-sum([t["milliseconds"] for t in kept + shortest]) // 60000))
    policy["total_minutes"] = max([policy["slots"] * 4 - random.choice([0, 2, 4])] + [m + 1 for m in minutes])
    return lists, members, [{"track_id": t["id"], "status": rights[t["id"]]} for t in tracks]


# ---- agents: skills, absences, and limits under which each agent's customers can be handed over

def need(customer):
    if customer["company"] is not None:
        return "key accounts"
    if customer["country"] == "Canada" and customer["state"] == "QC":
        return "French"
    return LANGUAGE_OF.get(customer["country"], "English")


def can_hand_over(leaving, customers, agents, skills, away, room):
    """Whether everybody's customers find an agent: a matching with capacities, by augmenting paths."""
    mine = [c for c in customers if c["support_rep_id"] == leaving]
    fits = {c["id"]: [a for a in agents if a != leaving and a not in away and (a, need(c)) in skills] for c in mine}
    holds = {a: [] for a in agents}

    def place(customer, seen):
        for agent in fits[customer]:
            if agent in seen:
                continue
            seen.append(agent)
            if len(holds[agent]) < room[agent]:
                holds[agent].append(customer)
                return True
            for other in list(holds[agent]):
                if place(other, seen):
                    holds[agent].remove(other)
                    holds[agent].append(customer)
                    return True
        return False

    return all([place(c["id"], []) for c in mine])


def staff_side(employees, customers, policy):
    hires = []
    for first, last in random.sample(NEW_AGENTS, 3):
        hires.append({"id": 9 + len(hires), "first_name": first, "last_name": last, "title": "Sales Support Agent", "reports_to": 2,
                      "hired": (datetime.date(2025, 2, 3) + datetime.timedelta(days=7 * random.randint(0, 42))).isoformat(),
                      "city": "Calgary", "email": "desk" + str(9 + len(hires)) + "@chinookcorp.com"})
    hires[0]["hired"] = policy["probation_from"]             # the boundary: the first day that counts as probation
    everybody = employees + hires
    agents = [e["id"] for e in everybody if e["title"] == "Sales Support Agent"]
    old = [e["id"] for e in employees if e["title"] == "Sales Support Agent"]
    skills = {(a, "English") for a in agents}
    for skill in LANGUAGES + ["key accounts"]:
        for agent in random.sample(agents, 3):
            skills.add((agent, skill))
    away = random.sample(agents, random.choice([1, 1, 2]))
    absences = []

    def absent(agent, start, days):
        first = TODAY + datetime.timedelta(days=start)
        absences.append({"employee_id": agent, "first_day": first.isoformat(), "last_day": (first + datetime.timedelta(days=days)).isoformat()})

    notice = policy["notice_days"]
    for agent in agents:
        if random.random() < 0.6:
            absent(agent, -random.randint(20, 90), random.randint(0, 10))
        if agent in away:
            start = random.choice([-3, 0, notice, notice, random.randint(1, notice)])
            absent(agent, start, random.randint(3, 15))
        elif random.random() < 0.5:
            absent(agent, random.choice([notice + 1, notice + 1, notice + random.randint(2, 40)]), random.randint(1, 12))
        if agent not in away and random.random() < 0.3:
            absent(agent, -8, 7)                              # was back yesterday... and is here today
    for n in range(len(absences)):
        absences[n]["id"] = n + 1
    for leaving in old:
        for customer in customers:
            skill = need(customer)
            if customer["support_rep_id"] == leaving and not [a for a in agents if a != leaving and a not in away and (a, skill) in skills]:
                skills.add((random.choice([a for a in agents if a != leaving and a not in away]), skill))
    load = {a: len([c for c in customers if c["support_rep_id"] == a]) for a in agents}
    probation = [h["id"] for h in hires if h["hired"] >= policy["probation_from"]]
    while True:
        room = {a: max(0, (policy["probation_customers"] if a in probation else policy["max_customers"]) - load[a]) for a in agents}
        if all([can_hand_over(leaving, customers, agents, skills, away, room) for leaving in old]):
            break
        policy["max_customers"] = policy["max_customers"] + 1
        if policy["max_customers"] % 2:
            policy["probation_customers"] = policy["probation_customers"] + 1
    return everybody, absences, [{"employee_id": a, "skill": s} for a, s in sorted(skills)]


def scenario(seed, given):
    random.seed(seed)
    invoices, lines, tracks, customers = by_id(given["invoices"]), by_id(given["invoice_lines"]), by_id(given["tracks"]), by_id(given["customers"])
    media = {m["id"]: m["name"] for m in given["media_types"]}
    policy = {"window_days": random.choice([10, 14, 18, 21, 28]), "fee_percent": random.choice([6, 7, 8, 9, 11, 12, 13, 14, 16]),
              "slots": random.choice([9, 10, 11, 12, 13, 14]), "min_seconds": random.choice([90, 120, 150]), "max_seconds": random.choice([300, 330, 360]),
              "per_artist": random.choice([2, 3]), "notice_days": random.choice([3, 5, 7, 10]), "max_customers": random.choice([9, 10, 11]),
              "probation_customers": random.choice([2, 3]), "probation_from": random.choice(["2025-04-01", "2025-06-01", "2025-09-01"]),
              "tolerance_cents": random.choice([2, 3, 5, 8, 12, 15])}
    policy["business_window_days"] = policy["window_days"] + random.choice([7, 10, 14, 20])
    companies = {c["id"]: c["company"] for c in customers}
    tables = refund_side(invoices, lines, tracks, media, companies, policy)
    tables.update(payment_side(invoices, lines, tables["refunds"], policy))
    lists, members, rights = window_lists(max([p["id"] for p in given["playlists"]]) + 1, tracks, by_id(given["albums"]), by_id(given["genres"]), media, policy)
    employees, absences, skills = staff_side(by_id(given["employees"]), customers, policy)
    tables.update({"playlists": by_id(given["playlists"]) + lists, "playlist_tracks": given["playlist_tracks"] + members, "track_rights": rights,
                   "employees": employees, "absences": absences, "skills": skills, "mail": [],
                   "policy": [{"name": name, "value": policy[name]} for name in sorted(policy)]})
    return tables
