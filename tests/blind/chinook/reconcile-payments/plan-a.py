import re


def solve(from_day, to_day):
    text = read_handbook(page="reconciliation")["text"]
    tolerance = int(re.search(r"more than (\d+) cents either way", text).group(1))
    flagged = [f["invoice_id"] for f in list_flags(from_day=from_day, to_day=to_day)]
    invoices = []
    page = 1
    while True:
        rows = list_invoices(from_day=from_day, to_day=to_day, page=page)
        invoices += rows
        if len(rows) < 20:
            break
        page += 1
    report = []
    total = 0
    for row in invoices:
        inv = get_invoice(invoice_id=row["id"])
        entries = [e for e in processor_lookup(reference=inv["payment_reference"]) if e["status"] == "settled"]
        if [e for e in entries if e["kind"] == "chargeback"]:
            continue
        shop = inv["total_cents"] - sum([r["amount_cents"] for r in list_refunds(invoice_id=inv["id"])])
        theirs = 0
        for e in entries:
            if e["kind"] == "capture":
                theirs += e["amount_cents"]
            if e["kind"] == "refund":
                theirs -= e["amount_cents"]
        difference = theirs - shop
        if abs(difference) <= tolerance:
            continue
        kind = "missing" if not entries else ("over" if difference > 0 else "under")
        if inv["id"] not in flagged:
            flag_invoice(invoice_id=inv["id"], kind=kind, difference_cents=difference)
        report.append(inv["id"])
        total += abs(difference)
    return {"invoices": report, "total_cents": total}
