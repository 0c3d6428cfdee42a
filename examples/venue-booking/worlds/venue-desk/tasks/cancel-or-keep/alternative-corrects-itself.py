"""Forgets to ask for the reason and tells the fee without it, then asks, corrects the figure, asks for a decision anew, and charges before it cancels."""
import datetime
import re
from decimal import Decimal, ROUND_HALF_UP


def solve(client, event):
    requests = list_requests(kind="cancel")
    bookings = [get_booking(booking_id=r["booking_id"]) for r in requests]
    at = [b["event"] for b in bookings].index(event)
    booking = bookings[at]
    page = " ".join(read_handbook(page="cancelling")["text"].split())
    short_percent, short_days, long_percent, long_days, middle_percent = [int(n) for n in re.findall(r"[0-9]+", page[page.index("A part for the room"):page.index("in between")])]
    kitchen_days = int(re.findall(r"[0-9]+", page[page.index("A part for the kitchen"):])[0])
    notice = (datetime.date.fromisoformat(booking["day"]) - datetime.date.fromisoformat(requests[at]["received_on"])).days
    percent = short_percent if notice < short_days else (middle_percent if notice < long_days else long_percent)
    room = Decimal(booking["hire_cents"]) * percent / 100
    kitchen = Decimal(0)
    if notice < kitchen_days:
        kitchen = Decimal(sum([e["total_cents"] for e in booking_extras(booking_id=booking["id"]) if e["state"] == "ordered" and e["total_cents"]]))
    share = Decimal(1)
    if [c for c in find_clients(text="") if c["id"] == booking["client_id"]][0]["programme"] == "partner":
        share = Decimal("0.5")
    if {"day": booking["day"], "kind": "room closed", "room_id": booking["room_id"], "lift": None} in house_diary(from_day="2026-04-01", to_day="2026-06-30"):
        share = Decimal(0)

    first = int(((room + kitchen) * share).quantize(Decimal(1), rounding=ROUND_HALF_UP))
    reply = say(to="client", act="inform", fields={"fee_cents": first}, text="By our terms that is the fee.")
    why = say(to="client", act="ask", fields={"topic": "reason"}, text="I should have asked why.")["fields"]["reason"]
    fee = first
    if "illness" in why or "death" in why:
        fee = int((kitchen * share).quantize(Decimal(1), rounding=ROUND_HALF_UP))
        reply = say(to="client", act="propose", fields={"fee_cents": fee}, text="I am sorry to hear that. Then it is only this.")
    if reply["act"] == "decline":
        say(to="client", act="close", fields={}, text="Understood, you keep the booking.")
        return {"outcome": "kept", "fee_cents": fee}
    if fee:
        number = say(to="client", act="ask", fields={"topic": "billing"}, text="Where do I bill it?")["fields"]["po_number"]
        charge_fee(booking_id=booking["id"], kind="cancellation", amount_cents=fee, po_number=number, note=event)
    cancel_booking(booking_id=booking["id"])
    say(to="client", act="confirm", fields={"fee_cents": fee}, text="It is cancelled.")
    return {"outcome": "cancelled", "fee_cents": fee}
