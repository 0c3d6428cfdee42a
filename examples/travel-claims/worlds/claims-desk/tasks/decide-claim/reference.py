"""Reads the handbook, sets the provider's record against the claim, decides, and pays by transfer."""
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


def settle(claim_id, rules):
    decision, reason, benefit = judge(read_claim(claim_id=claim_id), ask_provider(claim_id=claim_id), rules)
    if decision == "declined":
        record_decision(claim_id=claim_id, decision=decision, reason=reason)
    else:
        record_decision(claim_id=claim_id, decision=decision, benefit_cents=benefit)
        pay_claim(claim_id=claim_id, method="transfer")
    return decision, benefit


def solve(claim_id):
    rules = read_rules()
    decision, benefit = settle(claim_id, rules)
    record = ask_provider(claim_id=claim_id)
    last = day(record["discharged"] or record["event"]) + datetime.timedelta(days=rules["filing"])
    return {"decision": decision, "benefit_cents": benefit, "last_filing_day": last.isoformat()}
