"""Is the appeal heard? Then the claim is tested afresh, and reopened only if it should have been approved."""
import datetime
import re


def day(text):
    return datetime.date.fromisoformat(text)


def number(pattern, text):
    return int(re.findall(pattern, text)[0])


def read_rules():
    deciding = read_handbook(page="deciding")["text"]
    benefits = read_handbook(page="benefits")["text"]
    exceptions = read_handbook(page="exceptions")["text"]
    listed = re.findall(r"aren't covered\. (.+)", deciding)[0]
    rules = {"waiting": number(r"fewer than ([0-9]+) days", deciding), "filing": number(r"filed more than ([0-9]+) days", deciding),
             "hours": number(r"at least ([0-9]+) hours", deciding), "baggage": number(r"take ([0-9]+) %", benefits),
             "deductible": 100 * number(r"deductible of EUR ([0-9]+)", benefits), "lift": number(r"each sub-limit is ([0-9]+) %", benefits),
             "premier": [c.strip() for c in re.findall(r"excludes them: (.+)\.", exceptions)[0].split(",")], "excluded": {}, "limit": {}}
    for part in listed.strip().strip(".").split(". "):
        cover, causes = part.split(": ")
        rules["excluded"][cover.lower()] = [c.strip() for c in causes.split(",")]
    for cover in ["delay", "baggage", "medical", "cancellation"]:
        rules["limit"][cover] = 100 * number(cover + r" EUR ([0-9]+)", benefits)
    return rules


def judge(claim, record, rules):
    """(decision, reason, benefit) by the handbook's order of tests."""
    premier = claim["tier"] == "Premier"
    event, filed_from = day(record["event"]), day(record["discharged"] or record["event"])
    first, last = (claim["bought"], claim["starts"]) if claim["cover"] == "cancellation" else (claim["starts"], claim["ends"])
    worth = min(claim["claimed_cents"], record["amount_cents"])
    if claim["cover"] == "baggage" and not premier:
        worth = (worth * rules["baggage"] + 50) // 100
    deductible = (rules["deductible"] + 1) // 2 if premier else rules["deductible"]
    limit = (rules["limit"][claim["cover"]] * (rules["lift"] if premier else 100) + 50) // 100
    covered = premier and record["cause"] in rules["premier"]
    if not day(first) <= event <= day(last):
        return ("declined", "outside-period", 0)
    if (event - day(claim["bought"])).days < rules["waiting"] and record["cause"] != "accident":
        return ("declined", "waiting-period", 0)
    if (day(claim["filed"]) - filed_from).days > rules["filing"]:
        return ("declined", "late-filing", 0)
    if record["cause"] in rules["excluded"][claim["cover"]] and not covered:
        return ("declined", "excluded-cause", 0)
    if (claim["cover"] == "delay" and record["hours"] < rules["hours"]) or worth <= deductible:
        return ("declined", "below-minimum", 0)
    benefit = min(worth - deductible, limit)
    return ("approved-in-full" if benefit == claim["claimed_cents"] - deductible else "approved-in-part", None, benefit)


def solve(appeal_id):
    rules = read_rules()
    days = number(r"at most ([0-9]+) days", read_handbook(page="appeals")["text"])
    appeal = read_appeal(appeal_id=appeal_id)
    claim_id = appeal["claim_id"]
    declined_on = list_decisions(claim_id=claim_id)[0]["decided_on"]
    last = (day(declined_on) + datetime.timedelta(days=days)).isoformat()
    record = ask_provider(claim_id=claim_id)
    in_time = appeal["received"] <= last
    if not in_time and not (record["amended_on"] and record["amended_on"] > declined_on):
        rule_on_appeal(appeal_id=appeal_id, ruling="out-of-time")
        return {"ruling": "out-of-time", "reason": "none", "benefit_cents": 0, "last_appeal_day": last}
    decision, reason, benefit = judge(read_claim(claim_id=claim_id), record, rules)
    if decision == "declined":
        rule_on_appeal(appeal_id=appeal_id, ruling="upheld", reason=reason)
        return {"ruling": "upheld", "reason": reason, "benefit_cents": 0, "last_appeal_day": last}
    rule_on_appeal(appeal_id=appeal_id, ruling="reopened")
    record_decision(claim_id=claim_id, decision=decision, benefit_cents=benefit)
    pay_claim(claim_id=claim_id, method="transfer")
    return {"ruling": "reopened", "reason": "none", "benefit_cents": benefit, "last_appeal_day": last}
