"""Takes the processor's statement in bulk, to the present day because refunds and chargebacks come late, and joins it by reference. Flags at the end, newest first."""
import re


def pages(read, size):
    rows, page = [], 1
    while True:
        more = read(page)
        rows = rows + more
        if len(more) < size:
            return rows
        page = page + 1


def solve(from_day, to_day):
    tolerance = int(re.findall(r"more than ([0-9]+) cents", " ".join(read_handbook(page="reconciliation")["text"].split()))[0])
    today = clock()["now"][:10]
    ledger = {}
    for entry in pages(lambda n: processor_statement(from_day=from_day, to_day=today, page=n), 40):
        if entry["status"] != "voided":
            ledger.setdefault(entry["reference"], []).append(entry)
    findings = []
    for invoice in pages(lambda n: list_invoices(from_day=from_day, to_day=to_day, page=n), 20):
        entries = ledger.get(get_invoice(invoice_id=invoice["id"])["payment_reference"], [])
        by_kind = {"capture": 0, "refund": 0, "chargeback": 0}
        for entry in entries:
            by_kind[entry["kind"]] = by_kind[entry["kind"]] + entry["amount_cents"]
        if [e for e in entries if e["kind"] == "chargeback"]:
            continue
        shop = invoice["total_cents"]
        for refund in list_refunds(invoice_id=invoice["id"]):
            shop = shop - refund["amount_cents"]
        difference = by_kind["capture"] - by_kind["refund"] - shop
        if difference > tolerance or difference < -tolerance:
            findings.append((invoice["id"], difference, len(entries)))
    for invoice_id, difference, counted in findings[::-1]:
        kind = "over" if difference > 0 else "under"
        if counted == 0:
            kind = "missing"
        try:
            flag_invoice(invoice_id=invoice_id, kind=kind, difference_cents=difference, note="Quarterly reconciliation")
        except ValueError as error:
            assert "carries a flag already" in str(error)
    return {"invoices": [f[0] for f in findings][::-1], "total_cents": sum([max(f[1], -f[1]) for f in findings])}
