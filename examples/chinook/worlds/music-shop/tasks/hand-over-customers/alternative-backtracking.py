"""The customers with the fewest choices first, the emptiest agent first, taking steps back where it gets stuck. All mails go out at the end."""
import datetime
import re


def solve(agent):
    text = " ".join(read_handbook(page="accounts")["text"].split())
    days = int(re.findall(r"exactly ([0-9]+) days from today", text)[0])
    usual, on_probation = int(re.findall(r"more than ([0-9]+) customers", text)[0]), int(re.findall(r"may have at most ([0-9]+)", text)[0])
    probation_from = re.findall(r"[0-9]{4}-[0-9][0-9]-[0-9][0-9]", text)[0]
    today = datetime.date.fromisoformat(clock()["now"][:10])
    leaving = [e["id"] for e in list_staff() if e["name"] == agent][0]
    takers = []
    for e in list_staff():
        if e["title"] != "Sales Support Agent" or e["id"] == leaving:
            continue
        here = True
        for absence in check_roster(employee_id=e["id"]):
            first, last = datetime.date.fromisoformat(absence["first_day"]), datetime.date.fromisoformat(absence["last_day"])
            if last >= today and (first - today).days <= days:
                here = False
        if here:
            limit = on_probation if e["hired"] >= probation_from else usual
            takers.append({"id": e["id"], "left": limit - e["customers"], "skills": [s["skill"] for s in list_skills(employee_id=e["id"])]})
    waiting = []
    for row in search_customers(support_rep_id=leaving):
        customer = get_customer(customer_id=row["id"])
        country, skill = customer["country"], "English"
        if customer["company"]:
            skill = "key accounts"
        elif country in ["Brazil", "Portugal"]:
            skill = "Portuguese"
        elif country in ["Argentina", "Chile", "Spain"]:
            skill = "Spanish"
        elif country in ["France", "Belgium"] or (country == "Canada" and customer["state"] == "QC"):
            skill = "French"
        elif country in ["Germany", "Austria"]:
            skill = "German"
        waiting.append((customer["id"], skill))
    waiting = sorted(waiting, key=lambda w: (len([t for t in takers if w[1] in t["skills"]]), w[1], -w[0]))
    chosen = {}

    def settle(n):
        if n == len(waiting):
            return True
        for taker in sorted(takers, key=lambda t: (len(t["skills"]), -t["left"], -t["id"])):
            if taker["left"] > 0 and waiting[n][1] in taker["skills"]:
                taker["left"] = taker["left"] - 1
                chosen[waiting[n][0]] = taker["id"]
                if settle(n + 1):
                    return True
                taker["left"] = taker["left"] + 1
        return False

    settle(0)
    for customer_id in chosen:
        assign_agent(customer_id=customer_id, employee_id=chosen[customer_id])
    for customer_id in sorted(chosen):
        send_mail(customer_id=customer_id, template="new_agent", note="With thanks for your patience.")
    return {}
