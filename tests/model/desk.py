"""A rule-following stand-in for a model: it does the complaint task of the tool-hire desk in either provider's form.

It decides by what stands in the request alone, as a model would, so it works through any client and any door.
"""

from __future__ import annotations

import datetime
import re
from typing import Any

from .loopback import Reply, results_in, told_in

FIRST = ("read_handbook", "find_customers", "ask_carrier")


def clerk(request: dict[str, Any], n: int) -> Reply:
    """The next message of an agent that does the task right: three calls at once, then the rentals page by page, then the answer."""
    told, got = told_in(request), results_in(request)
    customer, number = re.search(r"(.+) asks for a credit on rental (\d+)", told).groups()
    rental = int(number)
    told_by = {"page": lambda one: "text" in one, "carrier": lambda one: "handed_over" in one}
    things = {name: next((one for one in got if isinstance(one, dict) and is_it(one)), None) for name, is_it in told_by.items()}
    lists = [one for one in got if isinstance(one, list) and one]
    found = next((one[0] for one in lists if "tier" in one[0]), None)
    if not (found and things["page"] and things["carrier"]):
        return Reply("First the rules.", zip(FIRST, ({"page": "service-credits"}, {"text": customer}, {"rental_id": rental}), strict=True))
    page, carrier = things["page"]["text"], things["carrier"]
    pages = [one for one in lists if "due" in one[0]]
    hit = next((row for rows in pages for row in rows if row["id"] == rental), None)
    if hit is None:
        return Reply(calls=[("list_rentals", {"customer_id": found["id"], "page": len(pages) + 1})])
    grace, percent = (int(re.findall(form, page)[0]) for form in (r"more than (\d+) days", r"credit of (\d+) %"))
    late = (datetime.date.fromisoformat(carrier["handed_over"]) - datetime.date.fromisoformat(hit["due"])).days
    if late <= grace:
        return Reply(calls=[("answer", {"decision": "declined", "days_late": max(0, late)})])
    share = percent * (15 if found["tier"] == "trade" else 10)
    amount = (hit["price_cents"] * share + 500) // 1000
    answer = {"decision": "granted", "days_late": late}
    return Reply(calls=[("issue_credit", {"rental_id": rental, "amount_cents": amount}), ("answer", answer)])
