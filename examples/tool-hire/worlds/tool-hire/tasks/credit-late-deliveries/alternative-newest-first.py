"""Collects all rentals first, asks the carrier from the last one backwards, credits with a note, and adds up afterwards."""
import datetime
import re


def solve(customer):
    hits = search_handbook(query="late delivery credit of the rental's price grace days carrier")
    text = " ".join(hit["text"] for hit in hits if hit["page"] == "service-credits")
    grace, percent = int(re.search(r"more than ([0-9]+) days", text).group(1)), int(re.search(r"credit of ([0-9]+) %", text).group(1))
    matches = [c for c in find_customers(text=customer) if c["name"] == customer]
    rentals, page = [], 1
    while len(rentals) == 10 * (page - 1):
        rentals = rentals + list_rentals(customer_id=matches[0]["id"], page=page)
        page += 1
    amounts = []
    for rental in sorted(rentals, key=lambda r: r["id"], reverse=True):
        if rental["status"] == "delivered":
            day = ask_carrier(rental_id=rental["id"])["handed_over"]
            if datetime.date.fromisoformat(day) > datetime.date.fromisoformat(rental["due"]) + datetime.timedelta(days=grace):
                thousandths = percent * (15 if matches[0]["tier"] == "trade" else 10)
                whole, rest = divmod(rental["price_cents"] * thousandths, 1000)
                amounts.append(whole + (1 if rest >= 500 else 0))
                issue_credit(rental_id=rental["id"], amount_cents=amounts[-1], note="Handed over on " + day)
    return {"total_cents": str(sum(amounts)), "credited": len(amounts)}
