"""Reading put right, credit note, then a short mail with only what must be stated, ISO dates, EUR amounts."""
import re


def page(name):
    return " ".join(read_handbook(page=name)["text"].split())


def eur(cents):
    return "EUR " + f"{cents // 100:,}" + "." + f"{cents % 100:02d}"


def solve(customer, bill_id):
    rules = page("bills")
    page("letters")
    vat = int(re.search(r"added tax of (\d+) %", rules).group(1))
    social = int(re.search(r"gets (\d+) % off the energy", rules).group(1))
    m = re.search(r"allowance of EUR (\d+)\.(\d\d)", rules)
    allowance = int(m.group(1)) * 100 + int(m.group(2))

    bill = get_bill(bill_id=bill_id)
    who = get_customer(customer_id=bill["customer_id"])
    ours = {r["reading_id"]: r for r in list_readings(meter_id=bill["meter_id"])}
    right, wrong = {}, None
    for side in ("opening_reading", "closing_reading"):
        mine = ours[bill[side]]
        theirs = ask_reading(operator_ref=mine["operator_ref"])
        right[side] = theirs["kwh"]
        if theirs["kwh"] != mine["kwh"]:
            assert wrong is None
            wrong = (mine, theirs)
    mine, theirs = wrong
    kwh = right["closing_reading"] - right["opening_reading"]
    reduced = who["social_from"] is not None and who["social_from"] <= bill["period_to"] <= who["social_until"]
    net = kwh * bill["per_100_kwh_cents"]  # hundredths of a cent
    if reduced:
        net = net * (100 - social)
    else:
        net = (net + 100 * bill["standing_cents"]) * 100
    total = (net * (100 + vat) + 500000) // 1000000
    difference = bill["total_cents"] - total
    credit = difference + allowance
    settle = "refund" if bill["status"] == "paid" else "offset"

    correct_reading(reading_id=mine["reading_id"], kwh=theirs["kwh"])
    issue_credit_note(bill_id=bill_id, amount_cents=credit, settle=settle)
    how = "We pay the credit back to you." if settle == "refund" else "We set the credit off against what is open."
    body = ("Dear " + customer + ",\n\nyou were right about bill " + bill_id + ". One reading was keyed wrongly here. The reading that now counts was taken by the meter operator on "
            + theirs["read_on"] + ".\n\nThe corrected total of the bill is " + eur(total) + ". Your credit is " + eur(credit) + ". " + how
            + "\n\nWe are sorry for the mistake.\n\nYour billing desk")
    send_mail(customer_id=who["id"], about=bill_id, channel=who["contact_by"], body=body)
    return {}
