import re
from datetime import date

LANGUAGE = {"Brazil": "Portuguese", "Portugal": "Portuguese", "Argentina": "Spanish", "Chile": "Spanish", "Spain": "Spanish",
            "France": "French", "Belgium": "French", "Germany": "German", "Austria": "German"}


def solve(agent):
    text = read_handbook(page="accounts")["text"]
    notice = int(re.search(r"within the next (\d+) days", text).group(1))
    most = int(re.search(r"more than (\d+) customers", text).group(1))
    since = date.fromisoformat(re.search(r"hired on (\d+-\d+-\d+) or later", text).group(1))
    trial = int(re.search(r"may have at most (\d+)", text).group(1))
    today = date.fromisoformat(clock()["now"][:10])
    staff = list_staff()
    leaving = [s for s in staff if s["name"] == agent][0]["id"]
    skills = {}
    room = {}
    for s in staff:
        if s["title"] != "Sales Support Agent" or s["id"] == leaving:
            continue
        free = True
        for away in check_roster(employee_id=s["id"]):
            first = date.fromisoformat(away["first_day"])
            last = date.fromisoformat(away["last_day"])
            if (first <= today and today <= last) or (today <= first and (first - today).days <= notice):
                free = False
        if not free:
            continue
        cap = most
        if date.fromisoformat(s["hired"]) >= since:
            cap = min(most, trial)
        room[s["id"]] = cap - s["customers"]
        skills[s["id"]] = [x["skill"] for x in list_skills(employee_id=s["id"])]
    fitting = {}
    for c in search_customers(support_rep_id=leaving):
        full = get_customer(customer_id=c["id"])
        need = LANGUAGE.get(full["country"], "English")
        if full["country"] == "Canada" and full["state"] == "QC":
            need = "French"
        if full["company"]:
            need = "key accounts"
        fitting[c["id"]] = [a for a in sorted(room) if need in skills[a] and room[a] > 0]
    placed = {}

    def place(c, seen):
        for a in fitting[c]:
            if a in seen:
                continue
            seen.append(a)
            there = [x for x in placed if placed[x] == a]
            if len(there) < room[a]:
                placed[c] = a
                return True
            for other in there:
                if place(other, seen):
                    placed[c] = a
                    return True
        return False

    for c in fitting:
        if not place(c, []):
            raise ValueError(f"nobody can take customer {c}")
    for c in sorted(placed):
        assign_agent(customer_id=c, employee_id=placed[c])
        send_mail(customer_id=c, template="new_agent")
    return {}
