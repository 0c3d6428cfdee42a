import re


def solve(boat, arrive, depart):
    text = read_handbook(page="berths")["text"]
    side = int(re.search(r"at least (\d+) cm wider", text).group(1))
    keel = int(re.search(r"at least (\d+) cm deeper", text).group(1))
    found = [b for b in find_boats(text=boat) if b["name"] == boat][0]
    size = get_boat(boat_id=found["id"])
    for pier in ["east", "middle", "west"]:
        for q in list_berths(pier=pier):
            if not q["usable"] or q["length_cm"] < size["length_cm"]:
                continue
            if q["width_cm"] - size["beam_cm"] < side or q["depth_cm"] - size["draught_cm"] < keel:
                continue
            others = [s for s in list_berth_stays(berth=q["code"], first=arrive, last=depart) if s["status"] in ("booked", "held", "moored")]
            if all([s["depart"] <= arrive or s["arrive"] >= depart for s in others]):
                book_stay(boat_id=found["id"], berth=q["code"], arrive=arrive, depart=depart)
                return {}
