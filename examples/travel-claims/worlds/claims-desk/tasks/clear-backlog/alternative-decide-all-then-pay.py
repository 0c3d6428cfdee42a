"""Collects the claims from the days on which the holder filed, decides the newest first, and pays when all are decided."""
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


def solve(holder):
    book = whole_handbook()
    holder_id = [h["id"] for h in find_holders(text="") if h["name"] == holder][0]
    days, page = [], 1
    while True:
        claims = list_claims(holder_id=holder_id, page=page)
        days = days + [c["filed"] for c in claims]
        if not claims:
            break
        page = page + 1
    waiting = []
    for filed in set(days):
        waiting = waiting + [w["id"] for w in list_waiting(filed=filed) if w["holder_id"] == holder_id]
    files = [(read_claim(claim_id=c), ask_provider(claim_id=c)) for c in sorted(waiting, reverse=True)]
    results = [(claim, failures(claim, record, book)) for claim, record in files]
    for claim, found in results:
        if found["failed"]:
            record_decision(claim_id=claim["id"], decision="declined", reason=found["failed"][0], note="No benefit.")
        else:
            record_decision(claim_id=claim["id"], decision=found["kind"], benefit_cents=found["benefit"])
    for claim, found in reversed(results):
        if not found["failed"]:
            pay_claim(claim_id=claim["id"], method=way_to_pay(claim, found["benefit"], book))
    kinds = [found["kind"] for claim, found in results]
    return {"approved_in_full": kinds.count("approved-in-full"), "approved_in_part": kinds.count("approved-in-part"),
            "declined": kinds.count("declined"), "paid_cents": sum([found["benefit"] for claim, found in results])}
