"""Goes through the whole queue backwards, looks up as little as each rule needs, closes the requests first and pays at the end."""
import datetime
import re


def open_requests(customer_id):
    found, page = [], 1
    while True:
        rows = list_refund_requests(status="open", page=page)
        found = found + [r for r in rows if r["customer_id"] == customer_id]
        if len(rows) < 40:
            return found
        page = page + 1


def is_faulty(track_id):
    try:
        return check_file(track_id=track_id)["finding"] == "faulty"
    except ValueError:
        return False


def solve(customer):
    text = "\n".join([hit["text"] for hit in search_handbook(query="refund request days fee business account")] + [read_handbook(page="refunds")["text"]])
    text = " ".join(text.split())
    customer_id = [c["id"] for c in search_customers(name=customer) if c["name"] == customer][0]
    business = get_customer(customer_id=customer_id)["company"] is not None
    limit = int(re.findall(r"it is ([0-9]+) days instead" if business else r"received at most ([0-9]+) days", text)[0])
    percent = int(re.findall(r"fee of ([0-9]+) %", text)[0])
    requests = open_requests(customer_id)
    protected = {t["id"]: t["media_type"].startswith("Protected") for t in get_tracks(track_ids=[r["track_id"] for r in requests])}
    to_pay = []
    for request in requests[::-1]:
        last_day = datetime.date.fromisoformat(request["invoiced"]) + datetime.timedelta(days=limit)
        decision = "declined"
        if request["received"] <= last_day.isoformat() and request["line_id"] not in [r["line_id"] for r in list_refunds(invoice_id=request["invoice_id"])]:
            if request["reason"] == "faulty_file" and is_faulty(request["track_id"]):
                decision = "granted"
                to_pay.append((request, 0))
            else:
                record = check_delivery(line_id=request["line_id"])
                used = record["licence_activated"] is not None if protected[request["track_id"]] else record["completed"] >= 1
                if not used:
                    decision = "granted"
                    to_pay.append((request, percent))
        decide_request(request_id=request["id"], decision=decision)
    total = 0
    for request, share in to_pay:
        line = [x for x in list_invoice_lines(invoice_id=request["invoice_id"]) if x["id"] == request["line_id"]][0]
        price = line["unit_price_cents"] * line["quantity"]
        total = total + pay_refund(line_id=request["line_id"], amount_cents=price - (price * share + 50) // 100, note="By request " + str(request["id"]))["amount_cents"]
    return {"granted": len(to_pay), "total_cents": total}
