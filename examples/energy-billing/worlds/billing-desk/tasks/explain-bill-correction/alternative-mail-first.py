"""Comes from the customer's list of bills, reads the whole handbook, writes first and books afterwards; other words, other notation."""
import datetime
import re
from decimal import Decimal, ROUND_HALF_UP

MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]


def spoken(day):
    when = datetime.date.fromisoformat(day)
    return f"{when.day} {MONTHS[when.month - 1]} {when.year}"


def figure(cents):
    return f"{cents // 100}.{cents % 100:02d}"


def solve(customer, bill_id):
    rules = " ".join([" ".join(read_handbook(page=p["page"])["text"].split()) for p in list_handbook()])
    tax = Decimal(re.findall(r"added tax of ([0-9]+) %", rules)[0])
    reduction = Decimal(re.findall(r"period gets ([0-9]+) %", rules)[0])
    for_our_mistake = int(re.findall(r"allowance of EUR ([0-9]+\.[0-9][0-9])", rules)[0].replace(".", ""))
    person = [c for c in find_customers(text=customer) if c["name"] == customer][0]
    listed = [b for b in list_bills(customer_id=person["id"]) if b["bill_id"] == bill_id][0]
    list_notes(customer_id=person["id"])
    list_mail(customer_id=person["id"])
    printed = get_bill(bill_id=bill_id)
    record = get_customer(customer_id=person["id"])
    keyed = {r["reading_id"]: r for r in list_readings(meter_id=listed["meter_id"])}
    first, last = keyed[printed["opening_reading"]], keyed[printed["closing_reading"]]
    their_first, their_last = ask_reading(operator_ref=first["operator_ref"]), ask_reading(operator_ref=last["operator_ref"])
    ours, theirs = (first, their_first) if first["kwh"] != their_first["kwh"] else (last, their_last)
    energy = Decimal(their_last["kwh"] - their_first["kwh"]) * Decimal(printed["per_100_kwh_cents"]) / Decimal(100)
    standing = Decimal(printed["standing_cents"])
    certified = bool(record["social_from"]) and not (printed["period_to"] < record["social_from"] or printed["period_to"] > record["social_until"])
    if certified:
        energy, standing = energy * (Decimal(100) - reduction) / Decimal(100), Decimal(0)
    due = int(((energy + standing) * (Decimal(100) + tax) / Decimal(100)).quantize(Decimal("1"), rounding=ROUND_HALF_UP))
    back = printed["total_cents"] + for_our_mistake - due
    how = "pay it back to you" if listed["status"] == "paid" else "set it off against what you owe"
    letter = [f"{spoken('2026-03-16')}", f"Customer number {person['id']}, meter {listed['meter_id']}", "",
              f"Good morning {customer},",
              f"thank you for your patience. We billed you {figure(printed['total_cents'])} euros on {spoken(printed['issued_on'])} (our number {bill_id}, "
              f"for {spoken(printed['period_from'])} to {spoken(printed['period_to'])}).",
              f"- Reading that now counts: {theirs['kwh']:,} kWh, taken by the operator on {spoken(theirs['read_on'])} under {theirs['operator_ref']}.",
              f"- New total: {figure(due)} euros.",
              f"- Credit note: {figure(back)} euros. We {how}."]
    if certified:
        letter.append(f"The new total already takes your social certificate into account, valid until {spoken(record['social_until'])}.")
    letter.append("We are sorry for the trouble. Your billing desk")
    send_mail(customer_id=person["id"], about=bill_id, channel=record["contact_by"], body="\n".join(letter))
    issue_credit_note(bill_id=bill_id, amount_cents=back, settle={"paid": "refund", "open": "offset"}[listed["status"]])
    correct_reading(reading_id=ours["reading_id"], kwh=theirs["kwh"])
    return {}
