import datetime
import re


def solve(instrument, failed):
    text = read_handbook(page="quality")["text"]
    least = int(re.search(r"at least (\d+) ml", text).group(1))
    wait_days = int(re.search(r"due (\d+) days after", text).group(1))
    due = (datetime.date.fromisoformat(clock()["now"][:10]) + datetime.timedelta(days=wait_days)).isoformat()
    good = max([c["day"] for c in list_checks(instrument=instrument) if c["passed"] and c["day"] < failed])
    void, page = [], 1
    while True:
        runs = list_runs(instrument=instrument, page=page)
        void += [r["id"] for r in runs if good < r["day"] <= failed]
        if len(runs) < 8:
            break
        page += 1
    withdrawn, ordered, cards = 0, [], {}
    for run_id in void:
        for a in list_run(run_id=run_id):
            if a["status"] != "valid":
                continue
            if a["sample"] not in cards:
                cards[a["sample"]] = get_sample(sample=a["sample"])
            card = cards[a["sample"]]
            if card["status"] == "reported":
                continue
            withdraw_analysis(analysis_id=a["id"])
            withdrawn += 1
            if card["left_ml"] >= least and (a["sample"], a["parameter"]) not in ordered:
                order_repeat(sample=a["sample"], parameter=a["parameter"], due=due)
                ordered.append((a["sample"], a["parameter"]))
    return {"withdrawn": withdrawn, "repeats": len(ordered)}
