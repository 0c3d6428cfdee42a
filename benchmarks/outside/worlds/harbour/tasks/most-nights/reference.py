import datetime


def solve(owner):
    best, most = None, -1
    for boat in [b for b in find_boats(text=owner) if b["owner"] == owner]:
        nights, page = 0, 1
        while True:
            stays = list_boat_stays(boat_id=boat["id"], page=page)
            for s in stays:
                if s["status"] == "left":
                    nights += (datetime.date.fromisoformat(s["depart"]) - datetime.date.fromisoformat(s["arrive"])).days
            if len(stays) < 6:
                break
            page += 1
        if nights > most:
            best, most = boat["name"], nights
    return {"boat": best, "nights": most}
