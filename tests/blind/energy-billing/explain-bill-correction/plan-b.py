"""By name and bill list, Decimal arithmetic, credit note first, a long letter with every optional fact, dates in words, the reading put right last."""
from datetime import date
from decimal import Decimal, ROUND_HALF_UP
import re

MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]


def long(iso):
    d = date.fromisoformat(iso)
    return str(d.day) + " " + MONTHS[d.month - 1] + " " + str(d.year)


def euro(cents):
    return "€" + f"{cents // 100:,}" + "." + f"{cents % 100:02d}"


def solve(customer, bill_id):
    text = {p["page"]: " ".join(read_handbook(page=p["page"])["text"].split()) for p in list_handbook()}
    who = None
    for c in find_customers(text=customer):
        for b in list_bills(customer_id=c["id"]):
            if b["bill_id"] == bill_id:
                who = get_customer(customer_id=c["id"])
    list_notes(customer_id=who["id"])
    list_mail(customer_id=who["id"])
    bill = get_bill(bill_id=bill_id)
    billed = [r for r in list_readings(meter_id=bill["meter_id"]) if r["reading_id"] in (bill["opening_reading"], bill["closing_reading"])]
    records = {r["reading_id"]: ask_reading(operator_ref=r["operator_ref"]) for r in billed}
    bad = [r for r in billed if records[r["reading_id"]]["kwh"] != r["kwh"]][0]
    good = records[bad["reading_id"]]
    used = records[bill["closing_reading"]]["kwh"] - records[bill["opening_reading"]]["kwh"]

    vat = Decimal(re.search(r"added tax of (\d+) %", text["bills"]).group(1))
    off = re.search(r"gets (\d+) % off the energy", text["bills"]).group(1)
    allowance = int(Decimal(re.search(r"allowance of EUR (\d+\.\d\d)", text["bills"]).group(1)) * 100)
    energy = Decimal(used) * Decimal(bill["per_100_kwh_cents"]) / Decimal(100)
    standing = Decimal(bill["standing_cents"])
    social = bool(who["social_from"]) and who["social_from"] <= bill["period_to"] and bill["period_to"] <= who["social_until"]
    if social:
        energy = energy * (Decimal(100) - Decimal(off)) / Decimal(100)
        standing = Decimal(0)
    total = int(((energy + standing) * (Decimal(100) + vat) / Decimal(100)).quantize(Decimal("1"), rounding=ROUND_HALF_UP))
    difference = bill["total_cents"] - total
    credit = difference + allowance

    issue_credit_note(bill_id=bill_id, amount_cents=credit, settle={"paid": "refund", "open": "offset"}[bill["status"]])
    lines = [
        "Customer " + who["id"] + ", meter " + bill["meter_id"],
        "Your bill " + bill_id + " of " + long(bill["issued_on"]) + " for the period from " + long(bill["period_from"]) + " to " + long(bill["period_to"]),
        "",
        "Dear " + customer + ",",
        "",
        "thank you for telling us that this bill looked too high. It was. We had keyed " + str(bad['kwh']) + " kWh where the meter operator, in its record "
        + bad["operator_ref"] + " taken on " + long(good["read_on"]) + ", has " + str(good['kwh']) + " kWh. The operator's record counts, so you used " + str(used) + " kWh.",
    ]
    if social:
        lines.append("Your social certificate, valid from " + long(who["social_from"]) + " to " + long(who["social_until"])
                     + ", was applied: " + off + " % off the energy and no standing charge.")
    lines += [
        "First billed: " + euro(bill["total_cents"]),
        "Corrected total: " + euro(total),
        "Difference: " + euro(difference),
        "Allowance for our mistake: " + euro(allowance),
        "Credit in all: " + euro(credit),
        "The credit is paid back to you." if bill["status"] == "paid" else "The credit is set off against what you owe.",
        "",
        "With our apologies",
        "The billing desk",
    ]
    send_mail(customer_id=who["id"], about=bill_id, channel=who["contact_by"], body="\n".join(lines))
    correct_reading(reading_id=bad["reading_id"], kwh=good["kwh"])
    return {}
