"""Fills the day from the evening backwards, the licensed drivers kept for what only they may take."""


def solve(day):
    planned = list_deliveries(day=day)
    busy = {(d["driver_id"], d["slot"]) for d in planned}
    known = {d["rental_id"] for d in planned}
    heavy, light = [], []
    for customer in reversed(find_customers(text="")):
        page = 1
        while True:
            rentals = list_rentals(customer_id=customer["id"], page=page)
            for rental in rentals:
                if rental["status"] == "open" and rental["due"] == day and rental["id"] not in known:
                    (heavy if rental["tool"] in ("generator", "scaffold tower", "breaker") else light).append(rental["id"])
            if len(rentals) < 10:
                break
            page += 1
    drivers = list_drivers()
    licensed = [d["id"] for d in drivers if d["heavy_licence"]]
    others = [d["id"] for d in drivers if not d["heavy_licence"]]
    places = [(driver, slot) for slot in ("evening", "noon", "morning") for driver in licensed]
    free = [place for place in places if place not in busy]
    for rental_id in heavy:
        driver, slot = free.pop(0)
        plan_delivery(rental_id=rental_id, driver_id=driver, day=day, slot=slot)
    rest = [(driver, slot) for slot in ("evening", "noon", "morning") for driver in others if (driver, slot) not in busy] + free
    for rental_id, (driver, slot) in zip(light, rest):
        plan_delivery(rental_id=rental_id, driver_id=driver, day=day, slot=slot)
    return {}
