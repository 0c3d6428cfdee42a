"""Tests the claim first and looks at the time of the appeal last; pays back to the card where that is allowed."""
import datetime
import re


def find(pattern, text):
    return re.findall(pattern, text)[0]


def whole_handbook():
    return " ".join([" ".join(read_handbook(page=p["page"])["text"].split()) for p in list_handbook()])


def failures(claim, record, book):
    """The codes of all failing tests, in the handbook's order; the benefit if there is none."""
    left = [claim["bought"], claim["starts"]] if claim["cover"] == "cancellation" else [claim["starts"], claim["ends"]]
    age = datetime.date.fromisoformat(record["event"]) - datetime.date.fromisoformat(claim["bought"])
    since = datetime.date.fromisoformat(claim["filed"]) - datetime.date.fromisoformat(record["discharged"] or record["event"])
    premier = claim["tier"] == "Premier"
    own = int(find(r"deductible of EUR ([0-9]+)", book)) * (50 if premier else 100)
    share = 100 if premier or claim["cover"] != "baggage" else int(find(r"take ([0-9]+) %", book))
    raised = int(find(r"each sub-limit is ([0-9]+) %", book)) if premier else 100
    cap = int(find(claim["cover"] + r" EUR ([0-9]+)", book)) * raised
    rest = (min(claim["claimed_cents"], record["amount_cents"]) * share + 50) // 100 - own
    excluded = record["cause"] in find(claim["cover"].capitalize() + r": ([^.]+)\.", book).split(", ")
    lifted = premier and record["cause"] in find(r"excludes them: ([^.]+)\.", book).split(", ")
    failed = []
    if record["event"] < left[0] or record["event"] > left[1]:
        failed.append("outside-period")
    if record["cause"] != "accident" and age.days < int(find(r"fewer than ([0-9]+) days", book)):
        failed.append("waiting-period")
    if since.days > int(find(r"filed more than ([0-9]+) days", book)):
        failed.append("late-filing")
    if excluded and not lifted:
        failed.append("excluded-cause")
    if rest <= 0 or (record["hours"] is not None and record["hours"] < int(find(r"at least ([0-9]+) hours", book))):
        failed.append("below-minimum")
    benefit = 0 if failed else min(rest, cap)
    kind = "declined" if failed else ("approved-in-full" if benefit == claim["claimed_cents"] - own else "approved-in-part")
    return {"failed": failed, "benefit": benefit, "kind": kind}


def way_to_pay(claim, benefit, book):
    small = benefit <= 100 * int(find(r"benefit is at most EUR ([0-9]+)", book))
    return "card" if claim["bought_by"] == "card" and small else "transfer"


def solve(appeal_id):
    book = whole_handbook()
    appeal = read_appeal(appeal_id=appeal_id)
    record, claim = ask_provider(claim_id=appeal["claim_id"]), read_claim(claim_id=appeal["claim_id"])
    found = failures(claim, record, book)
    decline = [d for d in list_decisions(claim_id=claim["id"]) if d["decision"] == "declined"][0]["decided_on"]
    end = datetime.date.fromisoformat(decline) + datetime.timedelta(days=int(find(r"at most ([0-9]+) days after the day of the decline", book)))
    heard = appeal["received"] <= end.isoformat() or (record["amended_on"] or "") > decline
    if heard and not found["failed"]:
        rule_on_appeal(appeal_id=appeal_id, ruling="reopened", note="The record bears the holder out.")
        record_decision(claim_id=claim["id"], decision=found["kind"], benefit_cents=found["benefit"], note="After appeal.")
        pay_claim(claim_id=claim["id"], method=way_to_pay(claim, found["benefit"], book))
        return {"ruling": "reopened", "reason": "none", "benefit_cents": found["benefit"], "last_appeal_day": end.isoformat()}
    if heard:
        rule_on_appeal(appeal_id=appeal_id, ruling="upheld", reason=found["failed"][0], note="The decline stands.")
        return {"ruling": "upheld", "reason": found["failed"][0], "benefit_cents": 0, "last_appeal_day": end.isoformat()}
    rule_on_appeal(appeal_id=appeal_id, ruling="out-of-time")
    return {"ruling": "out-of-time", "reason": "none", "benefit_cents": 0, "last_appeal_day": end.isoformat()}
