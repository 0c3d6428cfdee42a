"""Looks the fine up before the rules, and asks the scanner last."""
import datetime
import re


def solve(member, fine_id):
    person = {one["name"]: one for one in find_members(text=member)}[member]
    fine = {one["id"]: one for one in list_fines(member_id=person["id"])}[fine_id]
    rules = " ".join(clause["text"] for clause in search_handbook(query="scanner loan earns waiver students adults fine"))
    days = datetime.timedelta(days=int(re.search(r"at most (\d+) days", rules).group(1)))
    part = int(re.search(r"waived (\d+) %", rules).group(1))
    if str(person.get("tier", "")).lower() == "adult":
        part = 100
    seen = datetime.date.fromisoformat(ask_scanner(loan_id=fine["loan_id"])["scanned_on"])
    if seen > datetime.date.fromisoformat(fine["due"]) + days:
        return {"decision": "upheld", "amount_cents": 0}
    cents, rest = divmod(fine["amount_cents"] * part, 100)
    cents = cents + 1 if rest >= 50 else cents
    waive_fine(fine_id=fine_id, amount_cents=cents)
    return {"decision": "Waived", "amount_cents": cents}
