"""Looks the claim up, asks the operator, applies the clauses in their order, closes the claim and answers it."""
import datetime
import re


def shift(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def solve(customer, claim_id):
    page = " ".join(read_handbook(page="visits")["text"].split())
    claim_days = int(re.search(r"no later than ([0-9]+) calendar days", page).group(1))
    notice = int(re.search(r"at least ([0-9]+) calendar days before its day", page).group(1))
    full = int(re.search(r"earns EUR ([0-9.]+)\.", page).group(1).replace(".", ""))
    percent = int(re.search(r"earns ([0-9]+) % of that", page).group(1))
    objection = int(re.search(r"last day for it is ([0-9]+) calendar days", page).group(1))
    for found in find_customers(text=customer):
        if found["name"] == customer:
            household = get_customer(customer_id=found["id"])
    claim = [c for c in list_claims(customer_id=household["id"]) if c["claim_id"] == claim_id][0]
    report = ask_visit(visit_id=claim["visit_id"])
    visit_day, since = claim["planned_on"], household["priority_since"]
    if since is not None and since <= visit_day:
        claim_days = claim_days * 2
    last_claim, last_call_off = shift(visit_day, claim_days), shift(visit_day, -notice)
    start = f"Dear {customer},\n\nwe have decided your claim {claim_id} about the visit of {visit_day} (operator's report {report['report_no']}).\n"
    reason = None
    if claim["received_on"] > last_claim:
        reason, why = "too-late", f"It could have reached us until {last_claim}; it came on {claim['received_on']}."
    elif report["outcome"] == "kept":
        reason, why = "kept", "The operator reports that its technician came."
    elif report["outcome"] == "called off" and report["called_off_on"] <= last_call_off:
        reason, why = "called-off", f"The operator could call the visit off until {last_call_off} without owing anything, and did so on {report['called_off_on']}."
    if reason is None:
        cents = full if report["outcome"] == "missed" else (full * percent + 50) // 100
        pay_claim(claim_id=claim_id, amount_cents=cents)
        text = f"We grant it and pay you EUR {cents // 100}.{cents % 100:02d}."
    else:
        refuse_claim(claim_id=claim_id, reason=reason)
        text = f"We have to refuse it. {why} You may object until {shift(clock()['now'][:10], objection)}."
    send_mail(customer_id=household["id"], about=claim_id, channel=household["contact_by"], body=start + text + "\n\nThe billing desk")
    return {"decision": "granted" if reason is None else "refused"}
