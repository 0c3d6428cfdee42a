"""Reads the rules, gathers the facts of each open request, then pays and decides one request after the other."""
import datetime
import re


def number(pattern, text):
    return int(re.findall(pattern, text)[0])


def solve(customer):
    page = " ".join(read_handbook(page="refunds")["text"].split())
    window, wide = number(r"at most ([0-9]+) days after the invoice date", page), number(r"it is ([0-9]+) days instead", page)
    percent = number(r"handling fee of ([0-9]+) %", page)
    found = [c for c in search_customers(name=customer) if c["name"] == customer][0]
    if get_customer(customer_id=found["id"])["company"] is not None:
        window = wide
    granted, total, lines, refunded = 0, 0, {}, []
    for request in list_refund_requests(customer_id=found["id"], status="open"):
        if request["invoice_id"] not in lines:
            lines[request["invoice_id"]] = {line["id"]: line for line in list_invoice_lines(invoice_id=request["invoice_id"])}
            refunded = refunded + [r["line_id"] for r in list_refunds(invoice_id=request["invoice_id"])]
        line = lines[request["invoice_id"]][request["line_id"]]
        price = line["unit_price_cents"] * line["quantity"]
        days = (datetime.date.fromisoformat(request["received"]) - datetime.date.fromisoformat(request["invoiced"])).days
        faulty = False
        if request["reason"] == "faulty_file":
            try:
                faulty = check_file(track_id=request["track_id"])["finding"] == "faulty"
            except ValueError:
                faulty = False
        record = check_delivery(line_id=request["line_id"])
        if get_tracks(track_ids=[request["track_id"]])[0]["media_type"].startswith("Protected"):
            used = record["licence_activated"] is not None
        else:
            used = record["completed"] > 0
        if request["line_id"] not in refunded and days <= window and (faulty or not used):
            amount = price if faulty else price - (price * percent + 50) // 100
            pay_refund(line_id=request["line_id"], amount_cents=amount)
            decide_request(request_id=request["id"], decision="granted")
            granted, total = granted + 1, total + amount
        else:
            decide_request(request_id=request["id"], decision="declined")
    return {"granted": granted, "total_cents": total}
