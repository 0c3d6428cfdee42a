import datetime
import re


def solve(lot):
    back = int(re.search(r"in the last (\d+) days", read_handbook(page="recalls")["text"]).group(1))
    since = (datetime.date.fromisoformat(clock()["now"][:10]) - datetime.timedelta(days=back)).isoformat()
    units, partners = 0, []
    for b in find_lot(lot=lot):
        if b["status"] == "good":
            block_batch(batch_id=b["id"])
            units += b["units"]
        for h in list_handouts(batch_id=b["id"]):
            if h["day"] >= since and h["partner_id"] not in partners:
                partners.append(h["partner_id"])
    for one in partners:
        warn_partner(partner_id=one, lot=lot)
    return {"units": units, "partners": len(partners)}
