import re


def solve(translator, first, last):
    keep = int(re.search(r"If (\d+) % or more", read_handbook(page="absences")["text"]).group(1))
    who = [t for t in find_translators(text=translator) if t["name"] == translator][0]["id"]
    enter_absence(translator_id=who, first=first, last=last)
    released = []
    for j in list_translator_jobs(translator_id=who):
        if j["status"] != "assigned" or j["deadline"] < first or j["deadline"] > last:
            continue
        if get_progress(job=j["code"])["words_done"] * 100 < keep * j["words"]:
            release_job(job=j["code"])
            released.append(j["code"])
    return {"released": released}
