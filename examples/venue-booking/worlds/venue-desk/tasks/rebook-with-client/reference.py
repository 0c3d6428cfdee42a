"""Asks about everything first, proposes the cheapest place that fits, listens to what has changed, and proposes again until the organiser says yes."""
import datetime
import re


def number(pattern, text):
    return int(re.search(pattern, " ".join(text.split())).group(1))


def find_booking(client, event):
    found = [c for c in find_clients(text=client) if c["name"] == client][0]
    booking = [b for b in list_bookings(client_id=found["id"]) if b["event"] == event][0]
    return found, get_booking(booking_id=booking["id"])


def ask_everything(needs):
    for topic in ["people", "days", "slot", "access", "budget", "billing"]:
        needs.update(say(to="organiser", act="ask", fields={"topic": topic}, text="Could you tell me about " + topic + "?")["fields"])


def suitable_rooms(booking, people):
    page = read_handbook(page="rooms")["text"]
    percent = 100 if booking["layout"] == "theatre" else number(booking["layout"] + r" (?:layout )?(?:seats )?([0-9]+) %", page)
    fill = number(r"fill at least ([0-9]+) %", page)
    rooms = []
    for listed in list_rooms():
        room = get_room(room_id=listed["id"])
        places = room["capacity"] * percent // 100
        if people <= places and people * 100 >= fill * places:
            rooms.append(room)
    return rooms


def days_between(first, last):
    start, end = datetime.date.fromisoformat(first), datetime.date.fromisoformat(last)
    return [(start + datetime.timedelta(days=i)).isoformat() for i in range((end - start).days + 1)]


def places_that_fit(booking, needs):
    rooms = {r["id"]: r for r in suitable_rooms(booking, int(needs["people"])) if r["rate_cents"] <= int(needs["budget_cents"])}
    out = [(d["lift"], d["day"]) for d in house_diary(from_day=needs["first_day"], to_day=needs["last_day"]) if d["kind"] == "lift out"]
    found = []
    for day in days_between(needs["first_day"], needs["last_day"]):
        for free in free_rooms(day=day):
            room = rooms.get(free["room_id"])
            if room is None or needs["slot"] not in ("any", free["slot"]):
                continue
            level = room["floor"] == 0 or (room["lift"] is not None and (room["lift"], day) not in out)
            if level or needs["access"] != "step-free":
                found.append({"room_id": room["id"], "day": day, "slot": free["slot"], "rate": room["rate_cents"]})
    return sorted(found, key=lambda f: (f["rate"], f["day"], f["room_id"], f["slot"]))


def fee_for_moving(client, booking):
    page = read_handbook(page="moving")["text"]
    closed = [d for d in house_diary(from_day=booking["day"], to_day=booking["day"]) if d["room_id"] == booking["room_id"]]
    if closed:
        return 0
    received = [r["received_on"] for r in list_requests(kind="move") if r["booking_id"] == booking["id"]][0]
    notice = (datetime.date.fromisoformat(booking["day"]) - datetime.date.fromisoformat(received)).days
    if notice >= number(r"at least ([0-9]+) days of notice", page):
        hundredths = number(r"it is ([0-9]+) cents", page) * 100
    else:
        hundredths = booking["hire_cents"] * number(r"it is ([0-9]+) % of the hire", page)
    return (hundredths + 100) // 200 if client["programme"] == "partner" else (hundredths + 50) // 100


def solve(client, event):
    found, booking = find_booking(client, event)
    fee = fee_for_moving(found, booking)
    needs = {}
    ask_everything(needs)
    for attempt in range(4):
        best = places_that_fit(booking, needs)[0]
        place = {"room_id": best["room_id"], "day": best["day"], "slot": best["slot"]}
        reply = say(to="organiser", act="propose", fields=place, text="May I offer you this room?")
        if reply["act"] == "confirm":
            break
        needs.update(reply["fields"])
    rebook(booking_id=booking["id"], people=int(needs["people"]), **place)
    if fee > 0:
        charge_fee(booking_id=booking["id"], kind="move", amount_cents=fee, po_number=needs["po_number"])
    else:
        order_catering(booking_id=booking["id"], menu="coffee and pastries", covers=int(needs["people"]))
    return {"fee_cents": fee}
