"""The scanner's day against the handbook's grace."""
import datetime
import re


def solve(member, fine_id):
    text = read_handbook(page="fines")["text"]
    grace = int(re.findall(r"at most (\d+) days", text)[0])
    percent = int(re.findall(r"waived (\d+) %", text)[0])
    person = [one for one in find_members(text=member) if one["name"] == member][0]
    fine = [one for one in list_fines(member_id=person["id"]) if one["id"] == fine_id][0]
    seen = ask_scanner(loan_id=fine["loan_id"])["scanned_on"]
    late = (datetime.date.fromisoformat(seen) - datetime.date.fromisoformat(fine["due"])).days
    if late > grace:
        return {"decision": "upheld", "amount_cents": 0}
    amount = fine["amount_cents"] if person["tier"] == "adult" else (fine["amount_cents"] * percent + 50) // 100
    waive_fine(fine_id=fine_id, amount_cents=amount)
    return {"decision": "waived", "amount_cents": amount}
