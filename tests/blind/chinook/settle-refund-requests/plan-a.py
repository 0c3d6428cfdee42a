import re
from datetime import date


def solve(customer):
    text = read_handbook(page="refunds")["text"]
    window = int(re.search(r"received at most (\d+) days", text).group(1))
    business = int(re.search(r"it is (\d+) days instead", text).group(1))
    percent = int(re.search(r"handling fee of (\d+) %", text).group(1))
    person = [c for c in search_customers(name=customer) if c["name"] == customer][0]["id"]
    days = business if get_customer(customer_id=person)["company"] else window
    requests = []
    page = 1
    while True:
        rows = list_refund_requests(customer_id=person, page=page)
        requests += [r for r in rows if r["status"] == "open"]
        if len(rows) < 40:
            break
        page += 1
    lines = {}
    refunded = set()
    for invoice in sorted(set([r["invoice_id"] for r in requests])):
        for line in list_invoice_lines(invoice_id=invoice):
            lines[line["id"]] = line
        for refund in list_refunds(invoice_id=invoice):
            refunded.add(refund["line_id"])
    tracks = {}
    ids = sorted(set([r["track_id"] for r in requests]))
    for start in range(0, len(ids), 40):
        for t in get_tracks(track_ids=ids[start:start + 40]):
            tracks[t["id"]] = t
    granted = 0
    total = 0
    for r in sorted(requests, key=lambda r: (r["received"], r["id"])):
        line = lines[r["line_id"]]
        price = line["unit_price_cents"] * line["quantity"]
        in_time = (date.fromisoformat(r["received"]) - date.fromisoformat(r["invoiced"])).days <= days
        pay = None
        if in_time and r["line_id"] not in refunded:
            finding = None
            if r["reason"] == "faulty_file":
                try:
                    finding = check_file(track_id=r["track_id"])["finding"]
                except ValueError as e:
                    finding = None  # the engineer has no report
            if finding == "faulty":
                pay = price
            else:
                d = check_delivery(line_id=r["line_id"])
                if tracks[r["track_id"]]["media_type"].startswith("Protected"):
                    used = d["licence_activated"] is not None
                else:
                    used = d["completed"] > 0
                if not used:
                    pay = price - (price * percent + 50) // 100
        if pay is None:
            decide_request(request_id=r["id"], decision="declined")
        else:
            pay_refund(line_id=r["line_id"], amount_cents=pay)
            decide_request(request_id=r["id"], decision="granted")
            refunded.add(r["line_id"])
            granted += 1
            total += pay
    return {"granted": granted, "total_cents": total}
