"""A conference venue on a Monday morning: five weeks of bookings, some clients who want to move theirs and some who want to cancel."""
import datetime
import random

TODAY = datetime.date(2026, 4, 13)
LAST = 36                                            # the calendar goes so many days ahead
SLOTS = ["morning", "afternoon", "evening"]
LAYOUTS = ["classroom", "cabaret", "boardroom"]
ROOM_NAMES = ["Alder", "Birch", "Cedar", "Hawthorn", "Hazel", "Juniper", "Larch", "Linden", "Maple", "Rowan", "Spindle", "Willow"]
SIZES = [18, 24, 30, 38, 48, 60, 72, 90, 110, 140, 180, 240]
PLACES = ["Aldgate", "Brookfield", "Carrow", "Dunmore", "Eastmere", "Fenwick", "Glenholm", "Harbour", "Kingsway", "Lowther"]
FIRMS = ["Housing Trust", "Dental Supplies", "Choir", "Engineering", "Pensions", "Housing", "Nursing College", "Wine Importers"]
FIRST = ["Amina", "Bram", "Chiara", "Dilan", "Edith", "Farid", "Greta", "Hugo", "Ines", "Jonas"]
FAMILY = ["Achebe", "Brandt", "Costa", "Drummond", "Ekholm", "Farrow", "Grau", "Hosking"]
EVENTS = ["induction day", "product briefing", "union meeting", "exam sitting", "sales review", "safety training", "panel interviews", "press hour"]
MOVED = ["spring forum", "trustees' away day", "partner summit", "members' evening", "strategy workshop", "alumni reception", "research colloquium", "quiz final"]
DROPPED = ["awards dinner", "annual lecture", "leadership course", "careers fair", "film premiere", "charity auction", "supplier conference", "book launch", "retirement party"]
REASONS = ["change of plans", "too few guests", "budget cut", "event moved elsewhere"]
RELIEF = ["illness of the host", "death in the family"]
TOPICS = ["people", "days", "slot", "access"]
MENUS = [["coffee and pastries", 690], ["sandwich lunch", 1450], ["hot buffet", 2375], ["canapes", 1820]]


def day(n):
    return (TODAY + datetime.timedelta(days=n)).isoformat()


def make_rooms():
    rooms = []
    for i, (name, size) in enumerate(zip(random.sample(ROOM_NAMES, 12), random.sample(SIZES, 12)), start=1):
        floor = random.choice([0, 0, 1, 1, 2, 3])
        capacity = size + random.randint(-2, 2)
        rooms.append({"id": i, "name": name, "floor": floor, "capacity": capacity,
                      "lift": random.choice(["north", "south", None]) if floor > 0 else None,
                      "rate_cents": 8000 + capacity * random.randint(260, 420) // 50 * 50})
    return rooms


def make_policy():
    short, long = random.randint(5, 8), random.randint(13, 17)
    return {"classroom_percent": random.choice([45, 55, 65, 75]), "cabaret_percent": random.choice([30, 38, 46, 56]),
            "boardroom_percent": random.choice([20, 27, 34, 42]), "fill_percent": random.choice([40, 50, 60, 70]),
            "move_notice_days": random.randint(8, 14), "move_percent": random.choice([15, 18, 20, 25, 30]),
            "move_flat_cents": random.choice([2500, 3500, 3995, 4500, 6025]),
            "cancel_short_days": short, "cancel_short_percent": random.choice([80, 85, 90]),
            "cancel_middle_percent": random.choice([45, 50, 55, 60]), "cancel_long_days": long,
            "cancel_long_percent": random.choice([10, 15, 20]), "kitchen_days": short + random.choice([0, 1, 2, 3])}


class Desk:
    """The calendar while it is being filled."""

    def __init__(self, rooms, policy):
        self.rooms = rooms
        self.policy = policy
        self.bookings = []
        self.taken = {}                              # (room, day number, slot) -> True
        self.closed = {}                             # (room, day number) -> True
        self.out = {}                                # (lift, day number) -> True
        self.catering = []
        self.requests = []

    def places(self, room, layout):
        return room["capacity"] if layout == "theatre" else room["capacity"] * self.policy[layout + "_percent"] // 100

    def is_free(self, room_id, n, slot):
        return (room_id, n, slot) not in self.taken and (room_id, n) not in self.closed

    def is_empty(self, room_id, n):
        return all((room_id, n, slot) not in self.taken for slot in SLOTS)

    def book(self, client_id, event, room, n, slot, layout, status, hire_cents):
        most = max(3, self.places(room, layout))
        booking = {"id": 4001 + len(self.bookings), "client_id": client_id, "event": event, "room_id": room["id"], "day": day(n), "slot": slot,
                   "layout": layout, "people": random.randint(most // 2, most), "status": status, "hire_cents": hire_cents}
        self.bookings.append(booking)
        if status != "cancelled":
            self.taken[(room["id"], n, slot)] = True
        return booking

    def suits(self, room, booking, people):
        places = self.places(room, booking["layout"])
        return people <= places and people * 100 >= places * self.policy["fill_percent"]

    def options(self, booking, wish):
        """Every (room, day number, slot) that the house may let and the organiser would confirm."""
        found = []
        for room in self.rooms:
            if not self.suits(room, booking, wish["people"]) or room["rate_cents"] > wish["budget_cents"]:
                continue
            for n in range(wish["first"], wish["last"] + 1):
                if wish["access"] == "step-free" and room["floor"] > 0 and (room["lift"] is None or (room["lift"], n) in self.out):
                    continue
                for slot in SLOTS:
                    if wish["slot"] in ("any", slot) and self.is_free(room["id"], n, slot):
                        found.append((room["id"], n, slot))
        return found

    def extras(self, booking, ordered):
        """Orders catering for a booking: at least one menu that stands if `ordered`, and now and then one that was withdrawn."""
        chosen = random.sample(MENUS, 2)
        for i, state in enumerate(["ordered", "withdrawn"]):
            if (ordered if i == 0 else random.random() < 0.4):
                covers = max(2, booking["people"] // 3 + random.randint(0, 5))
                self.catering.append({"id": len(self.catering) + 1, "booking_id": booking["id"], "menu": chosen[i][0], "covers": covers,
                                      "total_cents": covers * chosen[i][1], "state": state})

    def request(self, booking, kind, received):
        self.requests.append({"id": len(self.requests) + 1, "booking_id": booking["id"], "kind": kind, "received_on": day(received)})


def change(topic, wish, booked):
    """What the organiser will have changed about one topic by the time of the first proposal."""
    new = dict(wish)
    if topic == "people":
        new["people"] = max(4, wish["people"] * random.choice([35, 45, 55, 160, 180, 200, 220]) // 100)
    elif topic == "access":
        new["access"] = "step-free"
    elif topic == "slot":
        new["slot"] = random.choice([s for s in SLOTS if s != wish["slot"]])
    else:
        new["first"], new["last"] = window(booked)
    return new


def window(booked):
    """A few days that don't include the booked one."""
    while True:
        first = random.randint(2, LAST - 5)
        last = first + random.randint(2, 4)
        if booked < first or booked > last:
            return first, last


def make_wish(desk, booking, booked, topic):
    """An organiser's needs before and after they think again, so that both can be met, the second time in more than one room, and the change matters."""
    while True:
        first, last = window(booked)
        room = random.choice(desk.rooms)
        places = desk.places(room, booking["layout"])
        wish = {"people": random.randint(max(4, places * 7 // 10), max(4, places)), "first": first, "last": last,
                "slot": random.choice(SLOTS + ["any"]) if topic != "slot" else random.choice(SLOTS),
                "access": random.choice(["step-free", "stairs are fine"]) if topic != "access" else "stairs are fine",
                "budget_cents": random.choice(desk.rooms)["rate_cents"] + random.choice([0, 0, 700, 2500])}
        new = change(topic, wish, booked)
        if booking["people"] in (wish["people"], new["people"]):
            continue
        before = desk.options(booking, wish)
        after = desk.options(booking, new)
        if len(before) < 2 or len(after) < 3 or len({o[0] for o in after}) < 2:
            continue
        kept = [o for o in before if o in after]
        if kept and (topic != "access" or len(kept) == len(before)):
            continue
        return wish, new


def fill_calendar(desk, clients):
    for _ in range(190):
        room, n, slot = random.choice(desk.rooms), random.randint(1, LAST), random.choice(SLOTS)
        if not desk.is_free(room["id"], n, slot):
            continue
        booking = desk.book(random.choice(clients)["id"], random.choice(EVENTS), room, n, slot, random.choice(["theatre"] + LAYOUTS),
                            random.choices(["firm", "provisional", "cancelled"], [8, 2, 1])[0], room["rate_cents"])
        if random.random() < 0.25:
            desk.extras(booking, True)
        if random.random() < 0.06:
            desk.request(booking, random.choice(["invoice copy", "parking"]), random.randint(-9, 0))


def close_some_rooms(desk):
    for _ in range(16):
        room_id, n = random.choice(desk.rooms)["id"], random.randint(1, LAST)
        if desk.is_empty(room_id, n):
            desk.closed[(room_id, n)] = True
    for lift in ["north", "south"]:
        for n in random.sample(range(1, LAST + 1), 9):
            desk.out[(lift, n)] = True


def plant(desk, client, event, notice, received, closed):
    """A firm booking with so many days of notice, in a room that the house has closed on that day if `closed`."""
    n = received + notice
    while True:
        room, slot = random.choice(desk.rooms), random.choice(SLOTS)
        if desk.is_free(room["id"], n, slot) and (not closed or desk.is_empty(room["id"], n)):
            break
    hire = room["rate_cents"] * random.randint(88, 100) // 100 - random.randint(0, 40)
    booking = desk.book(client["id"], event, room, n, slot, random.choice(LAYOUTS), "firm", hire)
    if closed:
        desk.closed[(room["id"], n)] = True
    return booking


def around(limit, lower, least, most):
    """Days of notice below or not below a limit, often just at the edge."""
    low, high = (least, limit - 1) if lower else (limit, most)
    return random.choice([high if lower else low, random.randint(low, high)])


def plant_moves(desk, partners, standards, events):
    planted = []
    topics = random.sample(TOPICS, 4) + random.sample(TOPICS, 3)
    late = desk.policy["move_notice_days"]
    kinds = [["late", False], ["late", False], ["late", True], ["early", False], ["early", True], ["closed", False], ["closed", True]]
    for i, (kind, is_partner) in enumerate(kinds):
        received = random.randint(-3, 0)
        lower = kind == "late" or (kind == "closed" and random.random() < 0.5)
        notice = around(late, lower, 5, late + 9)
        booking = plant(desk, (partners if is_partner else standards).pop(), events[i], notice, received, kind == "closed")
        desk.extras(booking, random.random() < 0.5)
        desk.request(booking, "move", received)
        planted.append([booking, received + notice, topics[i]])
    return planted


def settle_moves(desk, planted):
    """Once the calendar is full: what each organiser needs."""
    wishes, thoughts = [], []
    for booking, n, topic in planted:
        wish, new = make_wish(desk, booking, n, topic)
        wishes.append({"booking_id": booking["id"], "people": wish["people"], "first_day": day(wish["first"]), "last_day": day(wish["last"]), "slot": wish["slot"],
                       "access": wish["access"], "budget_cents": wish["budget_cents"], "po_number": "PO-" + str(random.randint(10000, 99999))})
        thoughts.append({"booking_id": booking["id"], "topic": topic, "people": new["people"] if topic == "people" else None,
                         "first_day": day(new["first"]) if topic == "days" else None, "last_day": day(new["last"]) if topic == "days" else None,
                         "slot": new["slot"] if topic == "slot" else None, "access": new["access"] if topic == "access" else None})
    return wishes, thoughts


def room_percent(policy, notice):
    if notice < policy["cancel_short_days"]:
        return policy["cancel_short_percent"]
    return policy["cancel_long_percent"] if notice >= policy["cancel_long_days"] else policy["cancel_middle_percent"]


def plant_cancellations(desk, partners, standards, events):
    intentions = []
    policy = desk.policy
    kinds = [["cancel", ""], ["cancel", ""], ["keep", ""], ["keep", ""], ["cancel", "relief"], ["cancel", "relief"], ["keep", "relief"], ["keep", "relief"], ["cancel", "closed"]]
    for i, (decision, kind) in enumerate(kinds):
        received = random.randint(-3, 0)
        if kind == "relief":
            notice = around(policy["kitchen_days"], True, 4, 0)
        else:
            edge = random.choice(["cancel_short_days", "cancel_long_days", "kitchen_days"])
            notice = around(policy[edge], random.random() < 0.5, 4, policy[edge] + 6)
        pool = random.choice([partners, standards])
        client = pool.pop()
        booking = plant(desk, client, events[i], notice, received, kind == "closed")
        desk.extras(booking, kind == "relief" or random.random() < 0.7)
        desk.request(booking, "cancel", received)
        kitchen = sum([c["total_cents"] for c in desk.catering if c["booking_id"] == booking["id"] and c["state"] == "ordered"])
        due = booking["hire_cents"] * room_percent(policy, notice) if kind == "" else 0
        due = due + (kitchen * 100 if notice < policy["kitchen_days"] and kind != "closed" else 0)
        fee = (due * (5 if client["programme"] == "partner" else 10) + 500) // 1000
        above = random.choice([0, 1, fee // 10, fee // 4, fee // 2])
        below = max(1, random.choice([1, fee // 20, fee // 8, fee // 4]))
        intentions.append({"booking_id": booking["id"], "reason": random.choice(RELIEF if kind == "relief" else REASONS),
                           "limit_cents": fee + above if decision == "cancel" else max(0, fee - below), "po_number": "PO-" + str(random.randint(10000, 99999))})
    return intentions


def scenario(seed):
    random.seed(seed)
    rooms, policy = make_rooms(), make_policy()
    contacts = random.sample([f + " " + n for f in FIRST for n in FAMILY], 34)
    names = random.sample([p + " " + f for p in PLACES for f in FIRMS], 34)
    programmes = ["partner"] * 14 + ["standard"] * 20
    random.shuffle(programmes)
    clients = [{"id": i + 1, "name": names[i], "contact": contacts[i], "programme": programmes[i]} for i in range(34)]
    desk = Desk(rooms, policy)
    partners = random.sample([c for c in clients if c["programme"] == "partner"], 14)
    standards = random.sample([c for c in clients if c["programme"] == "standard"], 20)
    cancellations = plant_cancellations(desk, partners, standards, random.sample(DROPPED, 9))
    moves = plant_moves(desk, partners, standards, random.sample(MOVED, 7))
    fill_calendar(desk, clients)
    close_some_rooms(desk)
    wishes, thoughts = settle_moves(desk, moves)
    diary = [{"day": day(n), "kind": "room closed", "room_id": r, "lift": None} for r, n in desk.closed]
    diary = diary + [{"day": day(n), "kind": "lift out", "room_id": None, "lift": lift} for lift, n in desk.out]
    diary = [dict(d, id=i) for i, d in enumerate(sorted(diary, key=lambda d: (d["day"], d["kind"], d["room_id"] or 0, d["lift"] or "")), start=1)]
    return {"clients": clients, "rooms": rooms, "bookings": desk.bookings, "requests": desk.requests, "diary": diary,
            "menus": [{"name": name, "price_cents": price} for name, price in MENUS], "catering": desk.catering,
            "equipment": [{"id": i, "name": name, "stock": random.randint(6, 30)} for i, name in enumerate(["projector", "flipchart", "hearing loop", "stage panel"], start=1)],
            "equipment_orders": [{"id": i, "booking_id": b["id"], "equipment_id": random.randint(1, 4), "quantity": random.randint(1, 4)}
                                 for i, b in enumerate(random.sample(desk.bookings, 40), start=1)],
            "fees": [{"id": i, "booking_id": b["id"], "kind": "cancellation", "amount_cents": random.randint(40, 400) * 25, "po_number": "PO-" + str(random.randint(10000, 99999)),
                      "note": "", "charged_on": day(-random.randint(1, 20))} for i, b in enumerate([b for b in desk.bookings if b["status"] == "cancelled"], start=1)],
            "wishes": wishes, "second_thoughts": thoughts, "intentions": cancellations,
            "policy": [{"name": name, "value": value} for name, value in policy.items()]}
