"""Proposes blindly, is declined, asks only then and one thing at a time, takes the last place that fits, and charges before it moves."""
import datetime
import re


def ask(topic):
    return say(to="organiser", act="ask", fields={"topic": topic}, text=topic + ", please")["fields"]


def whole(text, before, after):
    return int(re.findall(before + r"\s+([0-9]+)\s+" + after, text)[0])


def solve(client, event):
    request, booking = [(r, b) for r in list_requests(kind="move") for b in [get_booking(booking_id=r["booking_id"])] if b["event"] == event][0]
    programme = [c["programme"] for c in find_clients(text=client) if c["id"] == booking["client_id"]][0]
    rooms_page, moving_page = read_handbook(page="rooms")["text"], read_handbook(page="moving")["text"]

    blind = free_rooms(day="2026-05-11", slot="evening")[0]["room_id"]
    refusal = say(to="organiser", act="propose", fields={"room_id": blind, "day": "2026-05-11", "slot": "evening"}, text="We have something in May.")
    assert refusal["act"] == "decline"

    shares = {"theatre": 100, "classroom": whole(rooms_page, "classroom layout seats", "%"), "cabaret": whole(rooms_page, "cabaret", "%"), "boardroom": whole(rooms_page, "boardroom", "%")}
    fill = whole(rooms_page, "fill at least", "%")
    people = int(ask("people")["people"])
    files = [get_room(room_id=r["id"]) for r in list_rooms()]
    seats = {f["id"]: f["capacity"] * shares[booking["layout"]] // 100 for f in files}
    files = [f for f in files if people <= seats[f["id"]] and 100 * people >= fill * seats[f["id"]]]
    days = ask("days")
    wanted = ask("slot")["slot"]
    level = ask("access")["access"] == "step-free"
    budget = int(ask("budget")["budget_cents"])
    files = {f["id"]: f for f in files if f["rate_cents"] <= budget}

    place = None
    day = datetime.date.fromisoformat(days["first_day"])
    while day.isoformat() <= days["last_day"]:
        broken = [d["lift"] for d in house_diary(from_day=day.isoformat(), to_day=day.isoformat()) if d["kind"] == "lift out"]
        for slot in ["morning", "afternoon", "evening"]:
            if wanted != "any" and wanted != slot:
                continue
            for free in free_rooms(day=day.isoformat(), slot=slot):
                if free["room_id"] in files:
                    lift = files[free["room_id"]]["lift"]
                    if not level or free["floor"] == 0 or (lift is not None and lift not in broken):
                        place = {"room_id": free["room_id"], "day": day.isoformat(), "slot": slot}
        day = day + datetime.timedelta(days=1)
    yes = say(to="organiser", act="propose", fields=place, text="How about this one?")
    assert yes["act"] == "confirm"

    notice = (datetime.date.fromisoformat(booking["day"]) - datetime.date.fromisoformat(request["received_on"])).days
    tenths = 5 if programme == "partner" else 10
    if any(d["kind"] == "room closed" and d["room_id"] == booking["room_id"] for d in house_diary(from_day=booking["day"], to_day=booking["day"])):
        fee = 0
    elif notice < whole(moving_page, "With at least", "days"):
        fee = (booking["hire_cents"] * whole(moving_page, "with less it is", "%") * tenths + 500) // 1000
    else:
        fee = (whole(moving_page, "days of notice it is", "cents") * tenths + 5) // 10
    if fee == 0:
        order_catering(booking_id=booking["id"], menu="coffee and pastries", covers=people)
    else:
        charge_fee(booking_id=booking["id"], kind="move", amount_cents=fee, po_number=yes["fields"]["po_number"], note="Move of " + event)
    rebook(booking_id=booking["id"], people=people, **place)
    say(to="organiser", act="inform", fields=dict(place, fee_cents=fee), text="All done.")
    return {"fee_cents": fee}
