import re


def number_of(text):
    """Days since a fixed day, by the civil calendar."""
    y, m, d = [int(x) for x in text.split("-")]
    if m <= 2:
        y -= 1
        m += 12
    return 365 * y + y // 4 - y // 100 + y // 400 + (153 * (m - 3) + 2) // 5 + d


def plus(text, days):
    y, m, d = [int(x) for x in text.split("-")]
    for _ in range(days):
        d += 1
        length = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][m - 1]
        if m == 2 and (y % 4 == 0 and y % 100 != 0 or y % 400 == 0):
            length = 29
        if d > length:
            d = 1
            m += 1
        if m > 12:
            m = 1
            y += 1
    return f"{y:04d}-{m:02d}-{d:02d}"


def clause(page, wanted, words):
    """One clause: by search first, else from the page itself."""
    for hit in search_handbook(query=words):
        if hit["page"] == page and str(hit["clause"]) == str(wanted):
            return hit["text"]
    text = read_handbook(page=page)["text"]
    return re.search(r"\n" + str(wanted) + r"\. ([^\n]*)", text).group(1)


def cents(euros):
    return int(euros) * 100


def rules():
    waiting = clause("deciding", 5, "waiting-period days after the purchase of the contract")
    filing = clause("deciding", 6, "late-filing claim filed more than days after the event")
    causes = clause("deciding", 7, "excluded-cause these causes aren't covered")
    minimum = clause("deciding", 8, "below-minimum delay hours something must be left")
    wear = clause("benefits", 2, "baggage loses value with age")
    off = clause("benefits", 3, "deductible once for each claim")
    limits = clause("benefits", 4, "sub-limit of the cover")
    card = clause("benefits", 6, "approved claim is paid at once by transfer card")
    premier = clause("exceptions", 3, "Premier contract causes are covered although the list excludes them")
    r = {"wait": int(re.findall(r"\d+", waiting)[0]), "file": int(re.findall(r"\d+", filing)[0]),
         "hours": int(re.findall(r"\d+", minimum)[0]), "wear": int(re.findall(r"\d+", wear)[0]),
         "off": cents(re.findall(r"EUR (\d+)", off)[0]), "card": cents(re.findall(r"EUR (\d+)", card)[0]),
         "more": int(re.findall(r"(\d+) %", limits)[0]), "limit": {}, "bad": {}}
    for name, euros in re.findall(r"(delay|baggage|medical|cancellation) EUR (\d+)", limits):
        r["limit"][name] = cents(euros)
    for name, listed in re.findall(r"(Delay|Baggage|Medical|Cancellation): ([^.]*)\.", causes):
        r["bad"][name.lower()] = [x.strip() for x in listed.split(",")]
    r["kept"] = [x.strip() for x in premier.split(":")[1].strip().rstrip(".").split(",")]
    return r


def half_up(amount, percent):
    return (2 * amount * percent + 100) // 200


def work_out(r, c, rec):
    premier = c["tier"] == "Premier"
    off = half_up(r["off"], 50) if premier else r["off"]
    cap = half_up(r["limit"][c["cover"]], r["more"]) if premier else r["limit"][c["cover"]]
    amount = c["claimed_cents"]
    if rec["amount_cents"] < amount:
        amount = rec["amount_cents"]
    if c["cover"] == "baggage" and not premier:
        amount = half_up(amount, r["wear"])
    left = amount - off
    first = c["bought"] if c["cover"] == "cancellation" else c["starts"]
    final = c["starts"] if c["cover"] == "cancellation" else c["ends"]
    counted = rec["discharged"] or rec["event"]
    banned = [x for x in r["bad"][c["cover"]] if not (premier and x in r["kept"])]
    tests = [
        ("outside-period", number_of(rec["event"]) < number_of(first) or number_of(rec["event"]) > number_of(final)),
        ("waiting-period", rec["cause"] != "accident" and number_of(rec["event"]) - number_of(c["bought"]) < r["wait"]),
        ("late-filing", number_of(c["filed"]) - number_of(counted) > r["file"]),
        ("excluded-cause", rec["cause"] in banned),
        ("below-minimum", (c["cover"] == "delay" and (rec["hours"] or 0) < r["hours"]) or left <= 0),
    ]
    failed = [code for code, fails in tests if fails]
    result = {"failed": failed, "last": plus(counted, r["file"]), "benefit": 0, "decision": "declined", "card": False}
    if not failed:
        result["benefit"] = left if left < cap else cap
        result["decision"] = "approved-in-full" if result["benefit"] == c["claimed_cents"] - off else "approved-in-part"
        result["card"] = c["bought_by"] == "card" and result["benefit"] <= r["card"]
    return result


def solve(appeal_id):
    a = read_appeal(appeal_id=appeal_id)
    hearings = list_decisions(claim_id=a["claim_id"])
    decline = hearings[-1]
    days = int(re.findall(r"(\d+) days", clause("appeals", 1, "appeal against a decline is in time days after the day of the decline"))[0])
    rec = ask_provider(claim_id=a["claim_id"])
    late = number_of(a["received"]) - number_of(decline["decided_on"]) > days
    amended = rec["amended_on"] is not None and number_of(rec["amended_on"]) > number_of(decline["decided_on"])
    last = plus(decline["decided_on"], days)
    if late and not amended:
        rule_on_appeal(appeal_id=appeal_id, ruling="out-of-time", note="Received " + a["received"] + ", last day was " + last + ".")
        return {"ruling": "out-of-time", "reason": "none", "benefit_cents": 0, "last_appeal_day": last}
    c = read_claim(claim_id=a["claim_id"])
    w = work_out(rules(), c, rec)
    if w["failed"]:
        code = w["failed"][0]
        rule_on_appeal(appeal_id=appeal_id, ruling="upheld", reason=code, note="The decline stands, for " + code + ".")
        return {"ruling": "upheld", "reason": code, "benefit_cents": 0, "last_appeal_day": last}
    rule_on_appeal(appeal_id=appeal_id, ruling="reopened", note="The claim passes on the record as it stands.")
    record_decision(claim_id=c["id"], decision=w["decision"], benefit_cents=w["benefit"], note="Second hearing.")
    pay_claim(claim_id=c["id"], method="card" if w["card"] else "transfer")
    return {"ruling": "reopened", "reason": "none", "benefit_cents": w["benefit"], "last_appeal_day": last}
