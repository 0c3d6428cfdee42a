"""Ask everything first, offer the cheapest suitable room on the earliest day, move, then charge."""
from datetime import date, timedelta
import re


def page(name):
    return " ".join(read_handbook(page=name)["text"].split())


def nums(text, pattern):
    return [int(x) for x in re.search(pattern, text).groups()]


def solve(client, event):
    rooms_page, fees_page, moving_page = page("rooms"), page("fees"), page("moving")
    cls, cab, board = nums(rooms_page, r"classroom layout seats (\d+) % of it, cabaret (\d+) %, boardroom (\d+) %")
    fill = nums(rooms_page, r"at least (\d+) % of the places")[0]
    share = {"theatre": 100, "classroom": cls, "cabaret": cab, "boardroom": board}

    who = [c for c in find_clients(text=client) if c["name"] == client][0]
    moves = {r["booking_id"]: r["received_on"] for r in list_requests(kind="move")}
    mine = [b for b in list_bookings(client_id=who["id"]) if b["event"] == event and b["id"] in moves]
    assert len(mine) == 1
    booking = get_booking(booking_id=mine[0]["id"])

    need = {}
    for topic in ("people", "days", "slot", "access", "budget", "billing"):
        need.update(say(to="organiser", act="ask", fields={"topic": topic})["fields"])

    files = {r["id"]: get_room(room_id=r["id"]) for r in list_rooms()}

    def candidates():
        people, budget = int(need["people"]), int(need["budget_cents"])
        first, last = date.fromisoformat(need["first_day"]), date.fromisoformat(need["last_day"])
        diary = house_diary(from_day=need["first_day"], to_day=need["last_day"])
        found = []
        for n in range((last - first).days + 1):
            day = (first + timedelta(days=n)).isoformat()
            closed = [d["room_id"] for d in diary if d["day"] == day and d["kind"] == "room closed"]
            out = [d["lift"] for d in diary if d["day"] == day and d["kind"] == "lift out"]
            for f in free_rooms(day=day):
                room = files[f["room_id"]]
                places = room["capacity"] * share[booking["layout"]] // 100
                if f["slot"] != need["slot"] and need["slot"] != "any":
                    continue
                if room["id"] in closed or room["rate_cents"] > budget:
                    continue
                if people > places or people * 100 < fill * places:
                    continue
                if need["access"] == "step-free" and room["floor"] != 0 and (room["lift"] is None or room["lift"] in out):
                    continue
                found.append((day, room["rate_cents"], room["id"], f["slot"]))
        return sorted(found)

    tried, agreed = [], None
    while agreed is None:
        options = [c for c in candidates() if c not in tried]
        assert options, "nothing to offer"
        day, rate, room, slot = options[0]
        tried.append(options[0])
        reply = say(to="organiser", act="propose", fields={"room_id": room, "day": day, "slot": slot})
        said = reply["fields"]
        if reply["act"] == "confirm":
            if int(said.get("room_id", 0)) == room and said.get("day") == day and said.get("slot") == slot:
                agreed = (room, day, slot)
        else:
            old = dict(need)
            need.update(said)
            if need != old:
                tried = []
            else:
                for topic in ("people", "days", "slot", "access", "budget"):
                    need.update(say(to="organiser", act="ask", fields={"topic": topic})["fields"])

    room, day, slot = agreed
    rebook(booking_id=booking["id"], room_id=room, day=day, slot=slot, people=int(need["people"]))

    notice = (date.fromisoformat(booking["day"]) - date.fromisoformat(moves[booking["id"]])).days
    shut = [d for d in house_diary(from_day=booking["day"], to_day=booking["day"])
            if d["kind"] == "room closed" and d["room_id"] == booking["room_id"]]
    least, flat, percent = nums(moving_page, r"at least (\d+) days of notice it is (\d+) cents; with less it is (\d+) % of")
    half = 2 if who["programme"] == "partner" else 1
    if shut:
        fee = 0
    elif notice >= least:
        fee = (flat * 2 + half) // (2 * half)
    else:
        fee = (booking["hire_cents"] * percent * 2 + 100 * half) // (200 * half)
    if fee:
        charge_fee(booking_id=booking["id"], kind="move", amount_cents=fee, po_number=need["po_number"])
    if shut:
        order_catering(booking_id=booking["id"], menu="coffee and pastries", covers=int(need["people"]))
    return {"fee_cents": fee}
