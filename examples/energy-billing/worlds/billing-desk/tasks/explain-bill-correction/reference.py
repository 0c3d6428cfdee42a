"""Compares both readings with the operator, works the bill out afresh, corrects, credits and writes."""
import re


def number(pattern, page):
    return re.search(pattern, page).group(1)


def euros(cents):
    return f"EUR {cents // 100:,}.{cents % 100:02d}"


def solve(customer, bill_id):
    page = " ".join(read_handbook(page="bills")["text"].split())
    vat = int(number(r"tax of ([0-9]+) %", page))
    off = int(number(r"gets ([0-9]+) % off", page))
    allowance = int(number(r"allowance of EUR ([0-9.]+)", page).replace(".", ""))
    bill = get_bill(bill_id=bill_id)
    household = get_customer(customer_id=bill["customer_id"])
    kwh, wrong = {}, None
    for reading in list_readings(meter_id=bill["meter_id"]):
        if reading["reading_id"] in (bill["opening_reading"], bill["closing_reading"]):
            theirs = ask_reading(operator_ref=reading["operator_ref"])
            kwh[reading["reading_id"]] = theirs["kwh"]
            if theirs["kwh"] != reading["kwh"]:
                wrong = {"reading_id": reading["reading_id"], "kwh": theirs["kwh"], "read_on": theirs["read_on"]}
    used = kwh[bill["closing_reading"]] - kwh[bill["opening_reading"]]
    since, until = household["social_from"], household["social_until"]
    if since is not None and since <= bill["period_to"] <= until:
        corrected = (used * bill["per_100_kwh_cents"] * (100 - off) * (100 + vat) + 500000) // 1000000
    else:
        corrected = ((used * bill["per_100_kwh_cents"] + bill["standing_cents"] * 100) * (100 + vat) + 5000) // 10000
    credit = bill["total_cents"] - corrected + allowance
    correct_reading(reading_id=wrong["reading_id"], kwh=wrong["kwh"])
    issue_credit_note(bill_id=bill_id, amount_cents=credit, settle="refund" if bill["status"] == "paid" else "offset")
    body = (f"Dear {customer},\n\nyou were right about bill {bill_id}. We had keyed one of its readings wrongly; the meter operator read {wrong['kwh']} kWh "
            f"on {wrong['read_on']}. By that reading the bill comes to {euros(corrected)} in total. We credit you {euros(credit)}, which includes an "
            f"allowance of {euros(allowance)} for our mistake.\n\nThe billing desk")
    send_mail(customer_id=bill["customer_id"], about=bill_id, channel=household["contact_by"], body=body)
    return {}
