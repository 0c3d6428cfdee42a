import datetime
import re


def solve(boat):
    text = read_handbook(page="dues")["text"]

    def figure(pattern):
        return int(re.search(pattern, text).group(1))

    today = clock()["now"][:10]
    papers = get_boat(boat_id=[b for b in find_boats(text=boat) if b["name"] == boat][0]["id"])
    stay, page = None, 1
    while stay is None:
        for s in list_boat_stays(boat_id=papers["id"], page=page):
            if s["status"] == "moored" and s["depart"] == today:
                stay = s
        page += 1
    meter = {r["day"]: r["kwh"] for r in list_readings(berth=stay["berth"])}
    used = meter[stay["depart"]] - meter[stay["arrive"]]
    nights = (datetime.date.fromisoformat(stay["depart"]) - datetime.date.fromisoformat(stay["arrive"])).days
    metres = (papers["length_cm"] + 99) // 100
    percent = 100 - figure(r"gets (\d+) % off") if nights >= figure(r"stays (\d+) nights") else 100
    mooring = (figure(r"Mooring costs (\d+) cents") * metres * nights * percent + 50) // 100
    power = used * figure(r"Power costs (\d+) cents")
    add_charge(stay_id=stay["id"], kind="mooring", amount_cents=mooring)
    if power > 0:
        add_charge(stay_id=stay["id"], kind="power", amount_cents=power)
    set_status(stay_id=stay["id"], status="left")
    return {"total_cents": mooring + power, "kwh": used}
