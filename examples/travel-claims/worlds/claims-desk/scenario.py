"""The desk on one Monday: some forty claims waiting, as many decided, a score of appeals. A claim is made from the outcome it is meant to have:
first the record of the provider, then a contract that fits round it, then what the holder states, which mostly disagrees where it matters."""
import datetime
import random

TODAY = datetime.date(2026, 5, 18)
FIRST = ["Mara", "Tamara", "Ann", "Joann", "Piet", "Olga", "Ravi", "Lena", "Helena", "Kofi", "Ines", "Sven"]
LAST = ["Costa", "Lee", "Novak", "Okafor", "Brandt", "Silva", "Moreau", "Rossi", "Ahmed", "Fischer"]
TOWNS = ["Leeds", "Cork", "Ghent", "Porto", "Lyon", "Graz", "Aarhus", "Gdansk"]
PLACES = ["Lisbon", "Crete", "Oslo", "Marrakesh", "Tenerife", "Bangkok", "Reykjavik", "Naples", "Cape Town", "Malta"]
PROVIDERS = {"delay": ["Northwind Air", "Corsair Blue", "TransAlpine Rail"], "baggage": ["Northwind Air", "Corsair Blue", "Harbour Police"],
             "medical": ["Clinica Sol", "St Anne's Hospital", "Bay Medical Centre"], "cancellation": ["Meridian Tours", "Atlas Holidays"]}
ALLOWED = {"delay": ["technical fault", "weather", "crew shortage"], "baggage": ["lost by carrier", "theft", "damaged by carrier"],
           "medical": ["illness", "accident", "food poisoning"], "cancellation": ["illness", "accident", "jury service", "bereavement"]}
EXCLUDED = {"delay": ["strike", "missed check-in", "schedule change"], "baggage": ["left unattended", "confiscated"],
            "medical": ["pre-existing condition", "routine treatment"],
            "cancellation": ["change of mind", "work commitment", "pre-existing condition"]}
COVERS = ["delay", "baggage", "medical", "cancellation"]
APPROVED = ["full/plain", "full/misstated", "full/accident", "full/premier-cause", "full/discharge",
            "part/record", "part/percent", "part/limit-standard", "part/limit-premier", "part/exception"]
DECLINED = ["declined/outside-period", "declined/waiting-period", "declined/late-filing", "declined/excluded-cause", "declined/below-minimum"]
SHAREABLE = ["full/plain", "part/record", "part/percent", "declined/excluded-cause", "declined/below-minimum"]


def iso(n):
    return (TODAY + datetime.timedelta(days=n)).isoformat()


def draw_policy():
    causes = random.sample(["strike", "pre-existing condition", "work commitment"], 2)
    return {"deductible_cents": random.choice([4000, 6000, 7500, 9000, 12000, 15000]), "waiting_days": random.choice([5, 7, 10, 14, 18, 21]),
            "filing_days": random.choice([20, 24, 28, 31, 35, 42]), "min_delay_hours": random.choice([3, 4, 5, 6, 8]),
            "limit_delay_cents": random.choice([25000, 30000, 40000, 50000]), "limit_baggage_cents": random.choice([60000, 80000, 100000, 120000]),
            "limit_medical_cents": random.choice([200000, 300000, 400000]), "limit_cancellation_cents": random.choice([150000, 200000, 250000]),
            "premier_limit_percent": random.choice([125, 140, 150, 175]), "baggage_percent": random.choice([60, 65, 70, 75, 80]),
            "appeal_days": random.choice([25, 30, 40, 50, 60]), "card_limit_cents": random.choice([20000, 30000, 45000, 60000]),
            "premier_cause_a": causes[0], "premier_cause_b": causes[1]}


def choose_cover(kind, exception, premier, given):
    """Only the kinds that need a certain cover name one."""
    if exception == "accident":
        return random.choice(["medical", "cancellation"])
    if exception == "discharge":
        return "medical"
    if exception == "premier-cause":
        return random.choice([c for c in COVERS if [x for x in EXCLUDED[c] if x in given]])
    if kind == "part/percent":
        return "baggage"
    if kind in ("full/plain", "full/misstated", "part/record", "part/limit-standard") and not premier:
        return random.choice(["delay", "medical", "cancellation"])
    return random.choice(COVERS)


def choose_amounts(kind, cover, premier, p):
    """What the provider's record says the event cost, and what is claimed."""
    deductible = p["deductible_cents"] // 2 if premier else p["deductible_cents"]
    limit = p["limit_" + cover + "_cents"] * (p["premier_limit_percent"] if premier else 100) // 100
    percent = p["baggage_percent"] if cover == "baggage" and not premier else 100
    top, low = (deductible + limit) * 100 // percent, (deductible + 1500) * 100 // percent
    if kind == "declined/below-minimum" and cover != "delay":
        recorded = random.choice([deductible * 100 // percent, random.randint(deductible // 2, deductible)])
        return recorded, random.randint(low, top)
    if kind.startswith("part/limit"):
        recorded = top + random.randint(1, limit)
        return recorded, recorded + random.choice([0, random.randint(1, 9000)])
    if kind.startswith("full"):
        claimed = random.choice([top, random.randint(low, top), random.randint(low, top), random.randint(low, top)])
        return claimed + random.choice([0, 0, random.randint(1, 5000)]), claimed
    recorded = random.randint(low, top - 500)
    return recorded, recorded * random.randint(105, 180) // 100


def make_claim(kind, filed, p, held=None):
    """One claim of the kind, filed on day `filed`; on the trip `held` = (contract, event), or with a contract of its own."""
    given = [p["premier_cause_a"], p["premier_cause_b"]]
    exception = kind.split("/")[1] if kind != "part/exception" else random.choice(["accident", "premier-cause", "discharge"])
    premier = random.random() < 0.45
    if exception == "premier-cause" or kind == "part/limit-premier":
        premier = True
    if kind in ("part/percent", "part/limit-standard"):
        premier = False
    if held:
        premier = held[0]["tier"] == "Premier"
    cover = choose_cover(kind, exception, premier, given)
    if held and cover == "cancellation":
        return None
    recorded, claimed = choose_amounts(kind, cover, premier, p)
    lag = random.choice([p["filing_days"], random.randint(8, p["filing_days"]), random.randint(8, p["filing_days"]), random.randint(8, p["filing_days"])])
    gap = p["waiting_days"] + random.choice([0, random.randint(0, 60), random.randint(0, 60)])
    cause = random.choice(ALLOWED[cover])
    hours = p["min_delay_hours"] + random.choice([0, random.randint(0, 9)]) if cover == "delay" else None
    discharged = None
    if exception == "accident":
        gap, cause = random.randint(max(1, p["waiting_days"] - 6), p["waiting_days"] - 1), "accident"
    if exception == "premier-cause":
        cause = random.choice([x for x in EXCLUDED[cover] if x in given])
    if exception == "discharge" or (kind == "declined/late-filing" and cover == "medical"):
        lag = p["filing_days"] + random.randint(2, 14)
    if kind == "declined/late-filing" and cover != "medical":
        lag = p["filing_days"] + random.choice([1, 1, 2, 5, 9])
    if kind == "declined/waiting-period":
        gap = random.randint(max(1, p["waiting_days"] - 4), p["waiting_days"] - 1)
        cause = random.choice([x for x in ALLOWED[cover] if x != "accident"])
    if kind == "declined/excluded-cause":
        cause = random.choice([x for x in EXCLUDED[cover] if not premier or x not in given])
    if kind == "declined/below-minimum" and cover == "delay":
        hours = random.randint(max(1, p["min_delay_hours"] - 2), p["min_delay_hours"] - 1)
    if held:
        lag = filed - held[1]
        if lag < 0 or lag > p["filing_days"]:
            return None
    event = filed - lag
    if exception == "discharge":
        discharged = filed - random.choice([p["filing_days"], random.randint(1, p["filing_days"])])
    if kind == "declined/late-filing" and cover == "medical" and random.random() < 0.6:
        discharged = event + 1

    bought, early = event - gap, random.randint(0, min(6, gap))
    if cover == "cancellation":
        starts = event + random.choice([14, random.randint(14, 50)])
        ends = starts + random.randint(4, 16)
    else:
        starts, ends = event - early, event + random.choice([14, random.randint(14, 20)])
    if kind == "declined/outside-period":
        miss = random.choice([1, 1, 2, 4])
        if cover == "cancellation":
            starts = event - miss
            ends, bought = starts + random.randint(4, 16), starts - random.randint(p["waiting_days"] + 3, 60)
        elif random.random() < 0.5:
            starts = event + miss
            ends, bought = starts + random.randint(4, 16), event - gap
        else:
            ends = event - miss
            starts = ends - random.randint(4, 12)
            bought = starts - random.randint(p["waiting_days"], 60)
    contract = held[0] if held else {"tier": "Premier" if premier else "Standard", "bought": iso(bought), "starts": iso(starts), "ends": iso(ends)}

    said_event, said_cause, said_hours = event, cause, hours
    if kind == "declined/outside-period":
        said_event = starts + random.randint(0, 2) if event < starts and cover != "cancellation" else (starts if cover == "cancellation" else ends) - random.randint(0, 2)
    elif kind == "declined/waiting-period":
        if cover in ("medical", "cancellation") and random.random() < 0.5:
            said_cause = "accident"
        else:
            said_event = bought + p["waiting_days"] + random.randint(0, 3)
    elif kind == "declined/late-filing":
        said_event = filed - p["filing_days"] + random.randint(0, 3)
    elif kind == "declined/excluded-cause":
        said_cause = random.choice(ALLOWED[cover])
    elif kind == "declined/below-minimum":
        said_hours = p["min_delay_hours"] + random.randint(0, 4) if cover == "delay" else None
    elif exception == "accident":
        said_cause = "illness"
    elif kind in ("full/misstated", "full/premier-cause", "part/limit-standard", "part/limit-premier"):
        way = random.choice(["event", "cause", "hours"] if cover == "delay" else ["event", "cause"])
        if way == "hours":
            said_hours = random.randint(max(1, p["min_delay_hours"] - 2), p["min_delay_hours"] - 1)
        elif way == "cause":
            said_cause = random.choice([x for x in EXCLUDED[cover] if not premier or x not in given])
        else:
            said_event = filed - p["filing_days"] - random.randint(1, 5)
    claim = {"cover": cover, "provider": random.choice(PROVIDERS[cover]), "filed": iso(filed), "stated_event": iso(said_event),
             "stated_cause": said_cause, "stated_hours": said_hours, "claimed_cents": claimed, "withdrawn_on": None}
    record = {"event": iso(event), "cause": cause, "hours": hours, "amount_cents": recorded,
              "discharged": iso(discharged) if discharged is not None else None, "amended_on": None}
    return {"contract": contract, "claim": claim, "record": record, "event": event, "kind": kind}


def deal_waiting():
    """Every kind at least twice, dealt to holders who have three to six claims waiting, and to some who have one."""
    deck = APPROVED * 2 + DECLINED * 2 + random.choices(APPROVED, k=3) + random.choices(DECLINED, k=5)
    random.shuffle(deck)
    hands = []
    while len(deck) > 6:
        size = random.choice([1, 3, 4, 5, 6])
        hands.append(deck[:size])
        deck = deck[size:]
    return hands + [deck]


def scenario(seed):
    random.seed(seed)
    p = draw_policy()
    t = {"holders": [], "contracts": [], "claims": [], "provider_records": [], "decisions": [], "payments": [], "reserves": [],
         "letters": [], "appeals": [], "appeal_rulings": [], "policy": [{"name": k, "value": p[k]} for k in p]}
    for i, (first, last) in enumerate(random.sample([(f, n) for f in FIRST for n in LAST], 26), start=1):
        t["holders"].append({"id": 100 + i, "name": first + " " + last, "town": random.choice(TOWNS)})
    made = []

    def add(holder, kind, filed, held=None):
        one = make_claim(kind, filed, p, held)
        if one:
            made.append({"holder": holder, "one": one, "decision": None, "appeal": None})
        return one

    hands = deal_waiting()
    holders = [h["id"] for h in t["holders"]]
    random.shuffle(holders)
    for holder, hand in zip(holders, hands):
        held = None
        for kind in hand:
            filed = -random.randint(0, 9)
            one = None
            if held and kind in SHAREABLE and random.random() < 0.6:
                one = add(holder, kind, filed, held)
            if not one:
                one = add(holder, kind, filed)
            shares = one["kind"] in SHAREABLE and one["claim"]["cover"] != "cancellation" and 9 - one["event"] <= p["filing_days"]
            held = (one["contract"], one["event"]) if shares else None
    for holder in random.sample(holders, 7):      # filed and taken back
        filed = -random.randint(3, 30)
        add(holder, random.choice(APPROVED + DECLINED), filed)["claim"]["withdrawn_on"] = iso(filed + random.randint(1, 3))
    for holder in random.sample(holders, 15):     # decided before, mostly rightly
        kind = random.choice(APPROVED + DECLINED)
        filed = -random.randint(20, 90)
        add(holder, kind, filed)
        made[-1]["decision"] = (kind.split("/")[0], kind.split("/")[1], filed + random.randint(1, 12))
    appeals = [("full", 1, 0), ("full", 1, 0), ("part", 1, 0), ("part", 1, 0), ("full", 0, 1), ("part", 0, 1), ("full", 0, 1),
               ("declined", 1, 0), ("declined", 1, 0), ("other", 1, 0), ("other", 1, 0), ("other", 0, 1), ("other", 0, 1),
               ("full", 0, 0), ("part", 0, 0), ("declined", 0, 0), ("full", 0, 2), ("declined", 0, 2)]
    for what, in_time, amended in appeals:
        kind = random.choice([k for k in APPROVED if k.startswith(what)] if what in ("full", "part") else DECLINED)
        day = -p["appeal_days"] - random.randint(12, 30)
        filed = day - random.randint(3, 12)
        add(random.choice(holders), kind, filed)
        recorded = kind.split("/")[1] if what == "declined" else random.choice([d.split("/")[1] for d in DECLINED if d != kind])
        made[-1]["decision"] = ("declined", recorded, day)
        wait = random.choice([p["appeal_days"], random.randint(3, p["appeal_days"])]) if in_time else p["appeal_days"] + random.choice([1, 1, random.randint(1, 10)])
        made[-1]["appeal"] = day + wait
        if amended == 1:                          # changed after the decline: heard all the same
            made[-1]["one"]["record"]["amended_on"] = iso(day + random.choice([1, random.randint(1, wait)]))
        if amended == 2:                          # changed, but not after the decline
            made[-1]["one"]["record"]["amended_on"] = iso(day - random.choice([0, random.randint(1, 3)]))

    random.shuffle(made)
    made.sort(key=lambda m: m["one"]["claim"]["filed"])
    number = 4100
    for m in made:
        one, claim = m["one"], m["one"]["claim"]
        number = number + random.randint(1, 4)
        claim_id, contract = "C-" + str(number), one["contract"]
        if "id" not in contract:
            contract["id"] = "T-" + str(20100 + 3 * len(t["contracts"]) + random.randint(0, 2))
            contract["holder_id"], contract["destination"] = m["holder"], random.choice(PLACES)
            contract["bought_by"] = random.choice(["card", "card", "invoice"])
            t["contracts"].append(contract)
        claim["id"], claim["contract_id"], one["record"]["claim_id"] = claim_id, contract["id"], claim_id
        t["claims"].append(claim)
        t["provider_records"].append(one["record"])
        t["reserves"].append({"id": len(t["reserves"]) + 1, "claim_id": claim_id, "amount_cents": claim["claimed_cents"], "booked_on": claim["filed"]})
        if m["decision"]:
            outcome, reason, day = m["decision"]
            approved = outcome != "declined"
            benefit = max(1000, min(claim["claimed_cents"], one["record"]["amount_cents"]) - p["deductible_cents"]) if approved else 0
            t["decisions"].append({"id": len(t["decisions"]) + 1, "claim_id": claim_id, "hearing": 1, "decision": "approved-in-" + outcome if approved else "declined",
                                   "reason": None if approved else reason, "benefit_cents": benefit, "decided_on": iso(day), "note": None})
            if approved:
                t["payments"].append({"id": len(t["payments"]) + 1, "claim_id": claim_id, "amount_cents": benefit, "method": "transfer", "booked_on": iso(day)})
            t["letters"].append({"id": len(t["letters"]) + 1, "holder_id": contract["holder_id"], "subject": "Your claim " + claim_id,
                                 "body": "We have decided your claim. You can appeal against a decline.", "sent_on": iso(day + 1)})
        if m["appeal"] is not None:
            t["appeals"].append({"id": "A-" + str(300 + len(t["appeals"])), "claim_id": claim_id, "received": iso(m["appeal"]),
                                 "grounds": random.choice(["The decision overlooks what the provider wrote down.", "I don't accept the reason given.",
                                                           "Please look at this again.", "The facts were different."])})
    return t
