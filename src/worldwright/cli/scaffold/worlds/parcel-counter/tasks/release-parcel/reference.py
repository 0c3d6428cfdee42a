"""A known solution. It may call the world's tools and nothing else; it gets what the agent is told."""
import datetime
import re


def figure(pattern, text):
    return int(re.findall(pattern, text)[0])


def solve(recipient, parcel_id):
    text = read_handbook(page="storage")["text"]
    parcel = [one for one in find_parcels(recipient=recipient) if one["id"] == parcel_id][0]
    arrived = datetime.date.fromisoformat(check_scan(parcel_id=parcel_id)["arrived_on"])
    days = (datetime.date.fromisoformat(clock()["now"][:10]) - arrived).days
    if days > figure(r"more than (\d+) days", text):
        return_parcel(parcel_id=parcel_id)
        return {"outcome": "returned", "fee_cents": 0, "days": days}
    beyond = days - figure(r"first (\d+) days", text)
    fee = beyond * figure(r"(\d+) cents for a " + parcel["size"], text) if beyond > 0 else 0
    if fee:
        charge_fee(parcel_id=parcel_id, amount_cents=fee)
    hand_out(parcel_id=parcel_id)
    return {"outcome": "handed-out", "fee_cents": fee, "days": days}
