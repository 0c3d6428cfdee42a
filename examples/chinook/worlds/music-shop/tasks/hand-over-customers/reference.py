"""Works out who may take whom, finds a place for everybody (moving earlier choices where it must), then moves and tells them."""
import datetime
import re

LANGUAGE_OF = {"Brazil": "Portuguese", "Portugal": "Portuguese", "Argentina": "Spanish", "Chile": "Spanish", "Spain": "Spanish",
               "France": "French", "Belgium": "French", "Germany": "German", "Austria": "German"}


def needed(customer):
    if customer["company"] is not None:
        return "key accounts"
    if customer["country"] == "Canada" and customer["state"] == "QC":
        return "French"
    return LANGUAGE_OF.get(customer["country"], "English")


def solve(agent):
    text = " ".join(read_handbook(page="accounts")["text"].split())
    notice = int(re.findall(r"within the next ([0-9]+) days", text)[0])
    most = int(re.findall(r"has more than ([0-9]+) customers in all", text)[0])
    probation_from = re.findall(r"hired on ([0-9]{4}-[0-9][0-9]-[0-9][0-9]) or later", text)[0]
    probation_most = int(re.findall(r"may have at most ([0-9]+)", text)[0])
    today = clock()["now"][:10]
    horizon = (datetime.date.fromisoformat(today) + datetime.timedelta(days=notice)).isoformat()
    staff = [e for e in list_staff() if e["title"] == "Sales Support Agent"]
    leaving = [e["id"] for e in staff if e["name"] == agent][0]
    room, skills = {}, {}
    for e in staff:
        if e["id"] == leaving or any([a["first_day"] <= horizon and a["last_day"] >= today for a in check_roster(employee_id=e["id"])]):
            continue
        room[e["id"]] = (probation_most if e["hired"] >= probation_from else most) - e["customers"]
        skills[e["id"]] = [s["skill"] for s in list_skills(employee_id=e["id"])]
    customers = [get_customer(customer_id=c["id"]) for c in search_customers(support_rep_id=leaving)]
    fits = {c["id"]: [e for e in room if needed(c) in skills[e]] for c in customers}
    holds = {e: [] for e in room}

    def place(customer, seen):
        for e in fits[customer]:
            if e in seen:
                continue
            seen.append(e)
            if len(holds[e]) < room[e]:
                holds[e].append(customer)
                return True
            for other in list(holds[e]):
                if place(other, seen):
                    holds[e].remove(other)
                    holds[e].append(customer)
                    return True
        return False

    for c in customers:
        place(c["id"], [])
    for e in holds:
        for customer in holds[e]:
            assign_agent(customer_id=customer, employee_id=e)
            send_mail(customer_id=customer, template="new_agent")
    return {}
