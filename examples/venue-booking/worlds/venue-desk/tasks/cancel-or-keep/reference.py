"""Asks for the reason, works the fee out by the handbook, tells it, and does what the client then says."""
import datetime
import re


def number(pattern, text):
    return int(re.search(pattern, " ".join(text.split())).group(1))


def find_booking(client, event):
    found = [c for c in find_clients(text=client) if c["name"] == client][0]
    booking = [b for b in list_bookings(client_id=found["id"]) if b["event"] == event][0]
    return found, get_booking(booking_id=booking["id"])


def days_of_notice(booking):
    received = [r["received_on"] for r in list_requests(kind="cancel") if r["booking_id"] == booking["id"]][0]
    return (datetime.date.fromisoformat(booking["day"]) - datetime.date.fromisoformat(received)).days


def fee_for_cancelling(found, booking, reason):
    closed = [d for d in house_diary(from_day=booking["day"], to_day=booking["day"]) if d["room_id"] == booking["room_id"]]
    if closed:
        return 0
    page = read_handbook(page="cancelling")["text"]
    notice = days_of_notice(booking)
    if reason in ("illness of the host", "death in the family"):
        percent = 0
    elif notice < number(r"fewer than ([0-9]+) days of notice, [0-9]+ %", page):
        percent = number(r"room: ([0-9]+) % of the hire", page)
    elif notice >= number(r"% with ([0-9]+) days or more", page):
        percent = number(r"([0-9]+) % with [0-9]+ days or more", page)
    else:
        percent = number(r"([0-9]+) % in between", page)
    hundredths = booking["hire_cents"] * percent
    if notice < number(r"kitchen: with fewer than ([0-9]+) days", page):
        for extra in booking_extras(booking_id=booking["id"]):
            if extra["kind"] == "catering" and extra["state"] == "ordered":
                hundredths = hundredths + 100 * extra["total_cents"]
    return (hundredths + 100) // 200 if found["programme"] == "partner" else (hundredths + 50) // 100


def solve(client, event):
    found, booking = find_booking(client, event)
    reason = say(to="client", act="ask", fields={"topic": "reason"}, text="May I ask why you have to cancel?")["fields"]["reason"]
    fee = fee_for_cancelling(found, booking, reason)
    reply = say(to="client", act="inform", fields={"fee_cents": fee}, text="Cancelling costs this much.")
    if reply["act"] != "confirm":
        return {"outcome": "kept", "fee_cents": fee}
    cancel_booking(booking_id=booking["id"])
    if fee > 0:
        charge_fee(booking_id=booking["id"], kind="cancellation", amount_cents=fee, po_number=reply["fields"]["po_number"])
    return {"outcome": "cancelled", "fee_cents": fee}
