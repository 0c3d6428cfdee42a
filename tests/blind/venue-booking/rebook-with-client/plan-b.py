"""Re-ask the needs before each offer, offer the last day first and the dearest room within budget; charge (or order) first, move last."""
from datetime import date, timedelta
from decimal import Decimal, ROUND_HALF_UP
import re


def solve(client, event):
    for c in find_clients(text=client.split()[0]):
        if c["name"] == client:
            who = c
    request = booking = None
    ids = {b["id"] for b in list_bookings(client_id=who["id"]) if b["event"] == event}
    for r in list_requests():
        if r["kind"] == "move" and r["booking_id"] in ids:
            request = r
    booking = get_booking(booking_id=request["booking_id"])
    booking_extras(booking_id=booking["id"])

    text = {p["page"]: " ".join(read_handbook(page=p["page"])["text"].split()) for p in list_handbook()}
    rules = text["rooms"]
    share = 100
    if booking["layout"] != "theatre":
        share = int(re.search(booking["layout"] + r"(?: layout seats)? (\d+) %", rules).group(1))
    fill = int(re.search(r"fill at least (\d+) %", rules).group(1))

    def ask(topic):
        return say(to="organiser", act="ask", fields={"topic": topic}, text="May I ask about the " + topic + "?")["fields"]

    refused = []
    while True:
        people = int(ask("people")["people"])
        when = ask("days")
        slot_wanted = ask("slot")["slot"]
        stepfree = ask("access")["access"] == "step-free"
        budget = int(ask("budget")["budget_cents"])
        offer = None
        day = date.fromisoformat(when["last_day"])
        while offer is None and day >= date.fromisoformat(when["first_day"]):
            iso = day.isoformat()
            lifts_out = [d["lift"] for d in house_diary(from_day=iso, to_day=iso) if d["lift"]]
            slots = ["evening", "afternoon", "morning"] if slot_wanted == "any" else [slot_wanted]
            for slot in slots:
                for f in sorted(free_rooms(day=iso, slot=slot), key=lambda r: -r["rate_cents"]):
                    if f["rate_cents"] > budget or (f["room_id"], iso, slot) in refused or offer:
                        continue
                    room = get_room(room_id=f["room_id"])
                    places = room["capacity"] * share // 100
                    ok = people <= places and 100 * people >= fill * places
                    if stepfree and room["floor"] > 0 and (not room["lift"] or room["lift"] in lifts_out):
                        ok = False
                    if ok:
                        offer = (room["id"], iso, slot)
            day -= timedelta(days=1)
        assert offer, "nothing to offer"
        reply = say(to="organiser", act="propose", fields={"room_id": offer[0], "day": offer[1], "slot": offer[2]},
                    text="We can offer you this room. Does it suit you?")
        if reply["act"] == "confirm":
            f = reply["fields"]
            if (int(f["room_id"]), f["day"], f["slot"]) == offer:
                break
        else:
            if len(reply["fields"]) == 1:
                refused.append(offer)

    po = ask("billing")["po_number"]
    m = re.search(r"at least (\d+) days of notice it is (\d+) cents; with less it is (\d+) %", text["moving"])
    days = (date.fromisoformat(booking["day"]) - date.fromisoformat(request["received_on"])).days
    fee = Decimal(m.group(2)) if days >= int(m.group(1)) else Decimal(booking["hire_cents"]) * Decimal(m.group(3)) / Decimal(100)
    if who["programme"] == "partner":
        fee = fee / Decimal(2)
    for d in house_diary(from_day=booking["day"], to_day=booking["day"]):
        if d["room_id"] == booking["room_id"]:
            fee = Decimal(0)
            order_catering(booking_id=booking["id"], menu="coffee and pastries", covers=people)
    cents = int(fee.quantize(Decimal("1"), rounding=ROUND_HALF_UP))
    if cents > 0:
        charge_fee(booking_id=booking["id"], kind="move", amount_cents=cents, po_number=po, note="Move of " + event)
    rebook(booking_id=booking["id"], room_id=offer[0], day=offer[1], slot=offer[2], people=people)
    return {"fee_cents": cents}
