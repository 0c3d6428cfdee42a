"""Another right way, which must pass too: looks clauses up one by one, counts day by day, and charges after handing out."""
import datetime


def numbers(query, words):
    clause = [one["text"] for one in search_handbook(query=query) if words in one["text"]][0]
    return [int(word) for word in clause.split() if word.isdigit()]


def solve(recipient, parcel_id):
    free, most = numbers("free first days", "free for the first")[0], numbers("back to its sender", "back to its sender")[0]
    daily = numbers("cents for a small parcel", "cents for a small")
    days, fee, day, today = 0, 0, check_scan(parcel_id=parcel_id)["arrived_on"], clock()["now"][:10]
    sizes = {one["id"]: one["size"] for one in find_parcels(recipient="")}
    while day < today:
        day = (datetime.date.fromisoformat(day) + datetime.timedelta(days=1)).isoformat()
        days += 1
        fee += 0 if days <= free else daily[0] if sizes[parcel_id] == "small" else daily[1]
    if days > most:
        return_parcel(parcel_id=parcel_id)
        return {"days": days, "fee_cents": 0, "outcome": "returned"}
    hand_out(parcel_id=parcel_id)
    if fee > 0:
        charge_fee(parcel_id=parcel_id, amount_cents=fee, note=f"{days} days")
    return {"days": days, "fee_cents": fee, "outcome": "handed-out"}
