"""Invoice by invoice: its reference, the processor's entries for it, the shop's refunds on it."""
import re


def solve(from_day, to_day):
    text = " ".join(read_handbook(page="reconciliation")["text"].split())
    tolerance = int(re.findall(r"more than ([0-9]+) cents", text)[0])
    flagged = [f["invoice_id"] for f in list_flags(from_day=from_day, to_day=to_day)]
    report, total, page = [], 0, 1
    while True:
        invoices = list_invoices(from_day=from_day, to_day=to_day, page=page)
        for invoice in invoices:
            reference = get_invoice(invoice_id=invoice["id"])["payment_reference"]
            entries = [e for e in processor_lookup(reference=reference) if e["status"] == "settled"]
            if any([e["kind"] == "chargeback" for e in entries]):
                continue
            theirs = sum([e["amount_cents"] if e["kind"] == "capture" else -e["amount_cents"] for e in entries])
            ours = invoice["total_cents"] - sum([r["amount_cents"] for r in list_refunds(invoice_id=invoice["id"])])
            difference = theirs - ours
            if abs(difference) <= tolerance:
                continue
            kind = "missing" if not entries else ("over" if difference > 0 else "under")
            if invoice["id"] not in flagged:
                flag_invoice(invoice_id=invoice["id"], kind=kind, difference_cents=difference)
            report.append(invoice["id"])
            total = total + abs(difference)
        if len(invoices) < 20:
            return {"invoices": report, "total_cents": total}
        page = page + 1
