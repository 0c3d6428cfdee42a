"""Ask the reason, work the fee out, tell it, then do what the client decides."""
from datetime import date
import re


def page(name):
    return " ".join(read_handbook(page=name)["text"].split())


def solve(client, event):
    who = [c for c in find_clients(text=client) if c["name"] == client][0]
    asked = {r["booking_id"]: r["received_on"] for r in list_requests(kind="cancel")}
    mine = [b for b in list_bookings(client_id=who["id"]) if b["event"] == event and b["id"] in asked]
    assert len(mine) == 1
    booking = get_booking(booking_id=mine[0]["id"])
    rules = page("cancelling")
    short, short_days, long, long_days, middle = [int(x) for x in re.search(
        r"(\d+) % of the hire with fewer than (\d+) days of notice, (\d+) % with (\d+) days or more, and (\d+) % in between", rules).groups()]
    kitchen_days = int(re.search(r"kitchen: with fewer than (\d+) days", rules).group(1))
    notice = (date.fromisoformat(booking["day"]) - date.fromisoformat(asked[booking["id"]])).days
    reason = say(to="client", act="ask", fields={"topic": "reason"})["fields"]["reason"]

    percent = short if notice < short_days else long if notice >= long_days else middle
    if reason in ("illness of the host", "death in the family"):
        percent = 0
    kitchen = 0
    if notice < kitchen_days:
        for x in booking_extras(booking_id=booking["id"]):
            if x["kind"] == "catering" and x["state"] == "ordered":
                kitchen += x["total_cents"]
    half = 2 if who["programme"] == "partner" else 1
    hundredths = booking["hire_cents"] * percent + kitchen * 100
    fee = (2 * hundredths + 100 * half) // (200 * half)
    for d in house_diary(from_day=booking["day"], to_day=booking["day"]):
        if d["kind"] == "room closed" and d["room_id"] == booking["room_id"]:
            fee = 0

    reply = say(to="client", act="inform", fields={"fee_cents": fee})
    if reply["act"] == "confirm":
        cancel_booking(booking_id=booking["id"])
        if fee:
            charge_fee(booking_id=booking["id"], kind="cancellation", amount_cents=fee, po_number=reply["fields"]["po_number"])
        return {"outcome": "cancelled", "fee_cents": fee}
    return {"outcome": "kept", "fee_cents": fee}
