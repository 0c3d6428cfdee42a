"""Checks the early run first, analyses again only if it must, one aliquot and one instrument at a time."""
import re


def wait_for(moment):
    if clock()["now"] < moment:
        wait(until=moment)


def number(pattern, text):
    return int(re.findall(pattern, text)[0])


def limit_of(sample):
    text = read_handbook(page="limits")["text"]
    limit = number(r"([0-9]+) for " + sample["parameter"], text)
    if sample["site_kind"] == "dialysis":
        return limit * number(r"dialysis site the limit of every parameter is ([0-9]+) %", text) // 100
    if sample["site_kind"] == "infant-care" and sample["parameter"] in ["nitrate", "nitrite", "lead"]:
        return limit * number(r"lead is ([0-9]+) %", text) // 100
    return limit


def analyse(sample, avoid, low, high):
    """The sample's next valid result, on any instrument but `avoid`."""
    failed = []
    while True:
        ready = prepare_aliquot(sample_id=sample["id"])
        wait_for(ready["ready_at"])
        while True:
            now = clock()["now"]
            usable = [i for i in list_instruments() if i["technique"] == sample["technique"] and i["state"] == "up" and i["id"] not in avoid]
            idle = [i for i in usable if i["busy_until"] is None]
            fit = [i for i in idle if i["id"] not in failed and i["calibrated_until"] > now[:14] + "59:59"]
            if not fit:
                stale = [i for i in idle if i["id"] in failed or i["calibrated_until"] <= now[:14] + "59:59"]
                if stale:
                    busy = calibrate_instrument(instrument_id=stale[0]["id"])["ends_at"]
                    failed = [name for name in failed if name != stale[0]["id"]]
                else:
                    busy = min([i["busy_until"] for i in usable])
                wait_for(busy)
                continue
            run = start_run(instrument_id=fit[0]["id"], aliquot_ids=[ready["aliquot_id"]])
            wait_for(run["ends_at"])
            row = read_run(run_id=run["run_id"])[0]
            if row["state"] == "finished":
                break
        if low <= row["recovery_pm"] <= high:
            return row
        failed.append(row["instrument_id"])


def solve(sample_id, client, closes):
    sample = get_sample(sample_id=sample_id)
    limit = limit_of(sample)
    bench = read_handbook(page="bench")["text"]
    low, high = [int(n) for n in re.findall(r"lies from ([0-9]+) to ([0-9]+) per mille", bench)[0]]
    early = list_runs(sample_id=sample_id)[0]
    first = [row for row in read_run(run_id=early["run_id"]) if row["sample_id"] == sample_id][0]
    if not low <= first["recovery_pm"] <= high:
        first = analyse(sample, [first["instrument_id"]], low, high)
    if first["value_ug"] <= limit:
        report_result(sample_id=sample_id, result_id=first["result_id"], verdict="complies")
        return {"outcome": "no-exceedance", "limit_ug": limit}
    repeat = analyse(sample, [first["instrument_id"]], low, high)
    if repeat["value_ug"] <= limit:
        withdraw_result(result_id=first["result_id"], reason="Not confirmed by the repeat")
        report_result(sample_id=sample_id, result_id=repeat["result_id"], verdict="complies")
        return {"outcome": "not-confirmed", "limit_ug": limit}
    urgent = sample["parameter"] in ["nitrate", "nitrite"] or sample["site_kind"] != "network"
    notify(sample_id=sample_id, result_id=repeat["result_id"], recipient="health-office" if urgent else "client-duty")
    report_result(sample_id=sample_id, result_id=repeat["result_id"], verdict="exceeds")
    return {"outcome": "confirmed", "limit_ug": limit}
