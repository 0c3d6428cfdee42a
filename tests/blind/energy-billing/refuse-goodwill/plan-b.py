"""Same end by another way: everything read first, the answer (with all optional facts, dates in words) sent before the claim is paid or refused."""
from datetime import date, timedelta
from decimal import Decimal, ROUND_HALF_UP
import re

MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]


def long(d):
    return str(d.day) + " " + MONTHS[d.month - 1] + " " + str(d.year)


def solve(customer, claim_id):
    text = {p["page"]: " ".join(read_handbook(page=p["page"])["text"].split()) for p in list_handbook()}
    visits = text["visits"]

    def number(pattern):
        return re.search(pattern, visits).group(1)

    today = date.fromisoformat(clock()["now"][:10])
    found = [(c["id"], k) for c in find_customers(text=customer) for k in list_claims(customer_id=c["id"]) if k["claim_id"] == claim_id]
    cid, claim = found[0]
    who = get_customer(customer_id=cid)
    list_notes(customer_id=cid)
    list_mail(customer_id=cid)
    report = ask_visit(visit_id=claim["visit_id"])

    day = date.fromisoformat(claim["planned_on"])
    received = date.fromisoformat(claim["received_on"])
    off = date.fromisoformat(report["called_off_on"]) if report["called_off_on"] else None
    allowed = int(number(r"reaches us no later than (\d+) calendar days"))
    if who["priority_since"] and date.fromisoformat(who["priority_since"]) <= day:
        allowed += allowed
    ahead = int(number(r"called the visit off at least (\d+) calendar days"))
    due = Decimal(number(r"called off earns EUR (\d+\.\d\d)"))
    if off:
        due = due * Decimal(number(r"allows, earns (\d+) %")) / Decimal(100)
    due = due.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)

    if (received - day).days > allowed:
        reason = "too-late"
    elif report["outcome"] == "kept":
        reason = "kept"
    elif off and (day - off).days >= ahead:
        reason = "called-off"
    else:
        reason = ""

    lines = ["Letter of " + long(today), "Customer " + cid + ", meter " + claim["meter_id"] + ", visit " + claim["visit_id"] + ", claim " + claim_id, "",
             "Dear " + customer + ",", "",
             "your claim about the visit that was agreed for " + long(day) + " reached us on " + long(received) + ".",
             "What happened is settled by the meter operator's report " + report["report_no"] + "."]
    if off:
        lines.append("The operator called the visit off on " + long(off) + ".")
    if reason == "too-late":
        lines.append("A claim about this visit could reach us until " + long(day + timedelta(days=allowed)) + ". Yours came later, so we cannot grant it.")
    if reason == "kept":
        lines.append("It says that the technician came, so nothing is due and we cannot grant the claim.")
    if reason == "called-off":
        lines.append("The last day for calling off was " + long(day - timedelta(days=ahead)) + ". The operator kept to it, so we cannot grant the claim.")
    if reason:
        lines.append("If you do not agree you may object. The last day for that is " + long(today + timedelta(days=int(number(r"last day for it is (\d+) calendar days")))) + ".")
    else:
        lines.append("We grant the claim. You get €" + str(due) + ".")
    lines += ["", "Kind regards", "Billing desk"]
    send_mail(customer_id=cid, about=claim_id, channel=who["contact_by"], body="\n".join(lines))
    if reason:
        refuse_claim(claim_id=claim_id, reason=reason)
        return {"decision": "refused"}
    pay_claim(claim_id=claim_id, amount_cents=int(due * 100))
    return {"decision": "granted"}
