"""Decide, act, then a short answer with only what must be stated."""
from datetime import date, timedelta
import re


def page(name):
    return " ".join(read_handbook(page=name)["text"].split())


def solve(customer, claim_id):
    rules = page("visits")
    page("letters")
    claim_days = int(re.search(r"no later than (\d+) calendar days after the day of the visit", rules).group(1))
    notice = int(re.search(r"called the visit off at least (\d+) calendar days", rules).group(1))
    m = re.search(r"earns EUR (\d+)\.(\d\d)\.", rules)
    full = int(m.group(1)) * 100 + int(m.group(2))
    percent = int(re.search(r"allows, earns (\d+) % of that", rules).group(1))
    objection = int(re.search(r"The last day for it is (\d+) calendar days", rules).group(1))

    who = claim = None
    for c in find_customers(text=customer):
        for k in list_claims(customer_id=c["id"]):
            if k["claim_id"] == claim_id:
                who, claim = get_customer(customer_id=c["id"]), k
    report = ask_visit(visit_id=claim["visit_id"])
    visit = date.fromisoformat(claim["planned_on"])
    if who["priority_since"] is not None and who["priority_since"] <= claim["planned_on"]:
        claim_days = 2 * claim_days
    last_claim = visit + timedelta(days=claim_days)
    last_off = visit - timedelta(days=notice)
    off = report["called_off_on"]

    reason, amount = None, full
    if date.fromisoformat(claim["received_on"]) > last_claim:
        reason = "too-late"
    elif report["outcome"] == "kept":
        reason = "kept"
    elif off is not None:
        if date.fromisoformat(off) <= last_off:
            reason = "called-off"
        else:
            amount = (full * percent + 50) // 100

    today = date.fromisoformat(clock()["now"][:10])
    start = ("Dear " + customer + ",\n\nwe have decided your claim " + claim_id + " about the visit of " + claim["planned_on"]
             + ". The meter operator's report on it has the number " + report["report_no"] + ".\n\n")
    if reason is None:
        pay_claim(claim_id=claim_id, amount_cents=amount)
        middle = "Your claim is granted. We pay you EUR " + str(amount // 100) + "." + f"{amount % 100:02d}" + "."
    else:
        refuse_claim(claim_id=claim_id, reason=reason)
        middle = {"too-late": "We have to refuse it, because it reached us too late. The last day on which it could have reached us was " + last_claim.isoformat() + ".",
                  "kept": "We have to refuse it, because by that report the technician came.",
                  "called-off": "We have to refuse it, because the visit was called off in time. The last day for calling off was " + last_off.isoformat() + "."}[reason]
        middle += " You may object until " + (today + timedelta(days=objection)).isoformat() + "."
    send_mail(customer_id=who["id"], about=claim_id, channel=who["contact_by"], body=start + middle + "\n\nYour billing desk")
    return {"decision": "granted" if reason is None else "refused"}
