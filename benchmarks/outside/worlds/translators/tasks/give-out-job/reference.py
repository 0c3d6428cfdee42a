import datetime
import re


def solve(job):
    most = int(re.search(r"has (\d+) or more", read_handbook(page="assigning")["text"]).group(1))
    card = get_job(job=job)
    today = clock()["now"][:10]
    days = (datetime.date.fromisoformat(card["deadline"]) - datetime.date.fromisoformat(today)).days
    people = search_translators(source=card["source"], target=card["target"], field=card["field"])
    for one in sorted(people, key=lambda p: (p["cost_tenths"], p["id"])):
        if any([a["first"] <= card["deadline"] and a["last"] >= today for a in list_absences(translator_id=one["id"])]):
            continue
        if card["words"] > days * get_translator(translator_id=one["id"])["words_a_day"]:
            continue
        if len([j for j in list_translator_jobs(translator_id=one["id"]) if j["status"] == "assigned"]) >= most:
            continue
        fee = (card["words"] * one["cost_tenths"] + 5) // 10
        assign_job(job=job, translator_id=one["id"], fee_cents=fee)
        return {"translator": one["name"], "fee_cents": fee}
