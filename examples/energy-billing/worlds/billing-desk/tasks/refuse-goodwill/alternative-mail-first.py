"""Asks the operator before opening the handbook, works in day numbers, writes before it books; dates in words, another order in the letter."""
import datetime
import re

MONTHS = "January February March April May June July August September October November December".split()
ZERO = datetime.date(2025, 1, 1)


def number(day):
    return (datetime.date.fromisoformat(day) - ZERO).days


def spoken(n):
    when = ZERO + datetime.timedelta(days=n)
    return f"{when.day} {MONTHS[when.month - 1]} {when.year}"


def solve(customer, claim_id):
    person = find_customers(text=customer)[0]["id"]
    mine = {}
    for claim in list_claims(customer_id=person):
        mine[claim["claim_id"]] = claim
    claim = mine[claim_id]
    log = ask_visit(visit_id=claim["visit_id"])
    file = get_customer(customer_id=person)
    rules = " ".join([" ".join(read_handbook(page=p["page"])["text"].split()) for p in list_handbook()])
    days, notice, objection = [int(n) for n in [re.findall(r"reaches us no later than ([0-9]+)", rules)[0], re.findall(r"called the visit off at least ([0-9]+)", rules)[0],
                                                re.findall(r"The last day for it is ([0-9]+)", rules)[0]]]
    whole, cents = re.findall(r"called off earns EUR ([0-9]+)\.([0-9][0-9])", rules)[0]
    share = int(re.findall(r"allows, earns ([0-9]+) %", rules)[0])
    planned, came, today = number(claim["planned_on"]), number(claim["received_on"]), number(clock()["now"][:10])
    if file["priority_since"] and number(file["priority_since"]) <= planned:
        days = days + days
    decision, reason = "refused", None
    lines = [f"{spoken(today)}, to customer {person}", "", f"Hello {customer},"]
    if came - planned > days:
        reason = "too-late"
        lines.append(f"unfortunately your letter reached us on {spoken(came)}. For a visit planned for {spoken(planned)} the last day was {spoken(planned + days)}, so nothing can be paid.")
    elif log["outcome"] == "kept":
        reason = "kept"
        lines.append(f"the technician did call at your home on {spoken(planned)}, as the operator's report shows, so nothing can be paid.")
    elif log["outcome"] == "called off" and planned - number(log["called_off_on"]) >= notice:
        reason = "called-off"
        lines.append(f"the visit of {spoken(planned)} was called off in good time: the operator had until {spoken(planned - notice)}. Nothing can be paid.")
    else:
        decision = "granted"
        amount = int(whole) * 100 + int(cents)
        if log["outcome"] != "missed":
            amount = (amount * share * 2 + 100) // 200
        lines.append(f"you waited in vain on {spoken(planned)}, and we are sorry. €{amount // 100}.{amount % 100:02d} is on its way to you.")
    if reason:
        lines.append(f"Should you disagree, please tell us by {spoken(today + objection)}.")
    lines.append(f"Our references: claim {claim_id}, visit {claim['visit_id']}, meter {claim['meter_id']}, report {log['report_no']}.")
    lines.append("Kind regards from the billing desk")
    send_mail(customer_id=person, about=claim_id, channel=file["contact_by"], body="\n\n".join(lines))
    if reason:
        refuse_claim(claim_id=claim_id, reason=reason)
    else:
        pay_claim(claim_id=claim_id, amount_cents=amount)
    return {"decision": decision}
