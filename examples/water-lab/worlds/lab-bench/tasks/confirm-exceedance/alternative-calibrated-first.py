"""Calibrates whatever it means to use before it uses it, holds two aliquots ready, takes the instruments from the last to the first, waits in small steps, and reports before it notifies."""
import datetime
import re


def later(moment, minutes):
    return (datetime.datetime.fromisoformat(moment) + datetime.timedelta(minutes=minutes)).isoformat()


def doze(moment, minutes):
    """Wait for the moment, but no longer than so many minutes at once."""
    now = clock()["now"]
    if now < moment:
        wait(until=max(later(now, 1), min(moment, later(now, minutes))))


def until_idle(name):
    while True:
        found = [i for i in list_instruments() if i["id"] == name][0]
        if found["state"] == "down" or found["busy_until"] is None:
            return found["state"]
        doze(found["busy_until"], 12)


def solve(sample_id, client, closes):
    page = "".join([read_handbook(page=p["page"])["text"] for p in list_handbook()])
    figure = {k: int(re.findall(pattern, page)[0]) for k, pattern in [
        ("low", r"from ([0-9]+) to [0-9]+ per mille"), ("high", r"from [0-9]+ to ([0-9]+) per mille"),
        ("dialysis", r"every parameter is ([0-9]+) %"), ("infant-care", r"nitrite and lead is ([0-9]+) %")]}
    sample = get_sample(sample_id=sample_id)
    limit = int(re.findall(r"([0-9]+) for " + sample["parameter"], page.replace(str(figure["low"]) + " to", ""))[0])
    kind = sample["site_kind"]
    if kind == "dialysis" or (kind == "infant-care" and sample["parameter"] in ["nitrate", "nitrite", "lead"]):
        limit = limit * figure[kind] // 100
    taken = [row for run in list_runs(sample_id=sample_id) for row in read_run(run_id=run["run_id"]) if row["sample_id"] == sample_id]
    valid = [row for row in taken if figure["low"] <= row["recovery_pm"] <= figure["high"]]
    shelf = []
    names = sorted([i["id"] for i in list_instruments() if i["technique"] == sample["technique"]], reverse=True)
    while not valid or (valid[0]["value_ug"] > limit and len(valid) == 1):
        if not shelf:
            shelf = [prepare_aliquot(sample_id=sample_id) for _ in range(2)]
        for name in names:
            if valid and name == valid[0]["instrument_id"]:
                continue
            if until_idle(name) == "down":
                continue
            ends = calibrate_instrument(instrument_id=name)["ends_at"]
            doze(ends, 15)
            if until_idle(name) == "down":
                continue
            run = start_run(instrument_id=name, aliquot_ids=[shelf[-1]["aliquot_id"]])
            until_idle(name)
            row = read_run(run_id=run["run_id"])[0]
            if row["state"] == "aborted":
                continue
            shelf = shelf[:-1]
            if figure["low"] <= row["recovery_pm"] <= figure["high"]:
                valid.append(row)
            break
    last = valid[-1]
    exceeds = last["value_ug"] > limit
    if len(valid) == 2 and not exceeds:
        withdraw_result(result_id=valid[0]["result_id"], reason="repeat below the limit")
    report_result(sample_id=sample_id, result_id=last["result_id"], verdict="exceeds" if exceeds else "complies")
    if exceeds:
        wide = kind == "network" and sample["parameter"] not in ["nitrate", "nitrite"]
        notify(sample_id=sample_id, result_id=last["result_id"], recipient="client-duty" if wide else "health-office")
        return {"outcome": "confirmed", "limit_ug": limit}
    return {"outcome": "not-confirmed" if len(valid) == 2 else "no-exceedance", "limit_ug": limit}
