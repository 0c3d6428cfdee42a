"""Everything the desk knows first, the client last; charge with the number asked for after the yes, then cancel."""
from datetime import date
from decimal import Decimal, ROUND_HALF_UP
import re


def solve(client, event):
    text = " ".join(" ".join(read_handbook(page=p["page"])["text"].split()) for p in list_handbook())
    who = None
    for c in find_clients(text=client):
        if c["name"] == client:
            who = c
    bookings = {b["id"]: b for b in list_bookings(client_id=who["id"])}
    request = [r for r in list_requests() if r["kind"] == "cancel" and r["booking_id"] in bookings
               and bookings[r["booking_id"]]["event"] == event][0]
    number = request["booking_id"]
    booking = get_booking(booking_id=number)
    extras = booking_extras(booking_id=number)
    closed = any(d["room_id"] == booking["room_id"] for d in house_diary(from_day=booking["day"], to_day=booking["day"]))
    notice = (date.fromisoformat(booking["day"]) - date.fromisoformat(request["received_on"])).days

    m = re.search(r"room: (\d+) % of the hire with fewer than (\d+) days of notice, (\d+) % with (\d+) days or more, and (\d+) %", text)
    k = re.search(r"kitchen: with fewer than (\d+) days of notice", text)
    rate = m.group(5)
    if notice < int(m.group(2)):
        rate = m.group(1)
    if notice >= int(m.group(4)):
        rate = m.group(3)
    why = say(to="client", act="ask", fields={"topic": "reason"}, text="May I ask why you want to cancel?")["fields"]["reason"]
    total = Decimal(0)
    if why != "illness of the host" and why != "death in the family":
        total += Decimal(booking["hire_cents"]) * Decimal(rate) / Decimal(100)
    if notice < int(k.group(1)):
        total += sum([Decimal(e["total_cents"]) for e in extras if e["kind"] == "catering" and e["state"] == "ordered"], Decimal(0))
    if who["programme"] == "partner":
        total = total / Decimal(2)
    if closed:
        total = Decimal(0)
    fee = int(total.quantize(Decimal("1"), rounding=ROUND_HALF_UP))

    say(to="client", act="propose", fields={"fee_cents": fee}, text="Cancelling costs " + str(fee) + " cents in all.")
    last = read_messages()[-1]
    if last["act"] != "confirm":
        return {"outcome": "kept", "fee_cents": fee}
    if fee > 0:
        po = say(to="client", act="ask", fields={"topic": "billing"})["fields"]["po_number"]
        charge_fee(booking_id=number, kind="cancellation", amount_cents=fee, po_number=po, note="Cancellation")
    cancel_booking(booking_id=number)
    say(to="client", act="close", text="Done. Thank you.")
    return {"outcome": "cancelled", "fee_cents": fee}
