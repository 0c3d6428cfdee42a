import datetime
import re


def solve(first, last):
    margin = int(re.search(r"at least (\d+) days", read_handbook(page="insurance")["text"]).group(1))
    day, stays = datetime.date.fromisoformat(first), []
    while day.isoformat() <= last:
        stays += list_arrivals(day=day.isoformat())
        day = day + datetime.timedelta(days=1)
    held = 0
    for s in stays:
        if s["status"] != "booked":
            continue
        covered = datetime.date.fromisoformat(get_boat(boat_id=s["boat_id"])["insured_until"]) - datetime.date.fromisoformat(s["depart"])
        if covered.days < margin:
            set_status(stay_id=s["id"], status="held")
            held += 1
    return {"held": held}
