import datetime
import re


def solve(order_id):
    left = int(re.search(r"at least (\d+) days after the pickup", read_handbook(page="picking")["text"]).group(1))
    order = get_order(order_id=order_id)
    from_day = (datetime.date.fromisoformat(order["pickup"]) + datetime.timedelta(days=left)).isoformat()
    picked, short = 0, 0
    for line in list_order_lines(order_id=order_id):
        missing = line["units"]
        stock = [b for b in list_stock(sku=line["sku"]) if b["status"] == "good" and b["units"] > 0 and b["best_before"] >= from_day]
        for b in sorted(stock, key=lambda b: b["best_before"]):
            if missing == 0:
                break
            n = min(missing, b["units"])
            pick(line_id=line["id"], batch_id=b["id"], units=n)
            missing -= n
            picked += n
        short += missing
    mark_ready(order_id=order_id)
    return {"picked": picked, "short": short}
