"""One list of jobs: loads whatever is ready on whatever is idle, sleeps until the next thing ends, and acts on each result at once."""
import datetime
import re


def number(pattern, text):
    return int(re.findall(pattern, text)[0])


def read_rules():
    limits, reception, bench = [read_handbook(page=page)["text"] for page in ["limits", "reception", "bench"]]
    return {
        "limits": {name: int(value) for value, name in re.findall(r"([0-9]+) for ([a-z]+)", limits)},
        "dialysis": number(r"dialysis site the limit of every parameter is ([0-9]+) %", limits),
        "infant-care": number(r"nitrite and lead is ([0-9]+) %", limits),
        "cutoff": "2026-03-30T" + re.findall(r"at or before ([0-9][0-9]:[0-9][0-9])", reception)[0] + ":00",
        "hold": {"nitrate": number(r"([0-9]+) hours for nitrate", reception), "nitrite": number(r"([0-9]+) hours for nitrite", reception)},
        "low": number(r"lies from ([0-9]+) to", bench), "high": number(r"lies from [0-9]+ to ([0-9]+) per mille", bench),
    }


def after(moment, minutes):
    return (datetime.datetime.fromisoformat(moment) + datetime.timedelta(minutes=minutes)).isoformat()


def sleep_until(moment):
    """Wait, unless the moment has passed; gives a time that has come for certain."""
    try:
        return wait(until=moment)["now"]
    except ValueError:
        return moment


def limit_of(sample, rules):
    limit = rules["limits"][sample["parameter"]]
    if sample["site_kind"] == "dialysis":
        return limit * rules["dialysis"] // 100
    if sample["site_kind"] == "infant-care" and sample["parameter"] in ["nitrate", "nitrite", "lead"]:
        return limit * rules["infant-care"] // 100
    return limit


def keeps_until(sample, rules):
    if sample["parameter"] not in rules["hold"]:
        return "9999"
    return after(sample["taken_at"], 60 * rules["hold"][sample["parameter"]])


def solve(client, closes):
    rules = read_rules()
    client_id = [c["id"] for c in find_clients(text=client) if c["name"] == client][0]
    jobs, running, failed, reported, exceeding, rejected = [], [], [], [], [], []

    def take_in(row):
        """Reject the sample, or make a job of it."""
        if keeps_until(row, rules) < row["received_at"]:
            reject_sample(sample_id=row["id"], reason="holding-time")
            rejected.append(row["id"])
            return
        sample = get_sample(sample_id=row["id"])
        jobs.append({"sample": sample, "limit": limit_of(sample, rules), "keeps": keeps_until(sample, rules), "first": None, "aliquot": None, "loaded": False})

    def conclude(job, row):
        """A valid result has come in."""
        sample, first, exceeds = job["sample"], job["first"], row["value_ug"] > job["limit"]
        if exceeds and first is None:
            job["first"], job["aliquot"] = row, None
            return
        if exceeds:
            near = sample["parameter"] in ["nitrate", "nitrite"] or sample["site_kind"] != "network"
            notify(sample_id=sample["id"], result_id=row["result_id"], recipient="health-office" if near else "client-duty")
            exceeding.append(sample["id"])
        elif first is not None:
            withdraw_result(result_id=first["result_id"], reason="Not confirmed by the repeat")
        report_result(sample_id=sample["id"], result_id=row["result_id"], verdict="exceeds" if exceeds else "complies")
        reported.append(sample["id"])
        jobs.remove(job)

    def read_ended(now):
        for run in [r for r in running if r["ends_at"] <= now]:
            running.remove(run)
            rows = read_run(run_id=run["run_id"])
            valid = rows[0]["state"] == "finished" and rules["low"] <= rows[0]["recovery_pm"] <= rules["high"]
            if rows[0]["state"] == "finished" and not valid:
                failed.append(run["instrument_id"])
            by_id = {row["sample_id"]: row for row in rows}
            waiting = [job for job in jobs if job["sample"]["id"] in by_id and job["loaded"]]
            for job in sorted(waiting, key=lambda j: j["first"] is None):
                job["loaded"] = False
                if valid:
                    conclude(job, by_id[job["sample"]["id"]])
                elif rows[0]["state"] == "finished":
                    job["aliquot"] = None

    def load(now):
        """Fill what is idle; gives the moments at which something else will become idle."""
        moments = []
        for instrument in list_instruments():
            mine = [j for j in jobs if not j["loaded"] and j["aliquot"]["ready_at"] <= now and j["sample"]["technique"] == instrument["technique"]
                    and (j["first"] is None or j["first"]["instrument_id"] != instrument["id"])]
            if instrument["busy_until"] is not None:
                moments.append(instrument["busy_until"])
            elif mine and instrument["state"] == "up":
                batch = sorted(mine, key=lambda j: j["keeps"])[:instrument["capacity"]]
                try:
                    if instrument["id"] in failed or instrument["calibrated_until"] < after(now, 30):
                        moments.append(calibrate_instrument(instrument_id=instrument["id"])["ends_at"])
                        failed[:] = [name for name in failed if name != instrument["id"]]
                        continue
                    running.append(start_run(instrument_id=instrument["id"], aliquot_ids=[j["aliquot"]["aliquot_id"] for j in batch]))
                except ValueError:                    # it broke down this minute
                    continue
                for job in batch:
                    job["loaded"] = True
        return moments + [run["ends_at"] for run in running]

    expected, now = [], clock()["now"]
    for row in list_samples(client_id=client_id):
        if row["state"] == "announced":
            expected.append(row["id"])
        elif row["outcome"] == "open":
            take_in(row)
    while jobs or expected:
        for job in sorted(jobs, key=lambda j: j["keeps"]):
            if job["aliquot"] is None:
                job["aliquot"] = prepare_aliquot(sample_id=job["sample"]["id"])
        moments = load(now)
        for technique in ["IC", "ICP-MS"]:
            moments.append(max(["", *[j["aliquot"]["ready_at"] for j in jobs if not j["loaded"] and j["sample"]["technique"] == technique]]))
        if expected:
            moments.append(after(rules["cutoff"], 1))
        now = sleep_until(min([m for m in moments if m > now] or [after(now, 5)]))
        read_ended(now)
        if expected and now > rules["cutoff"]:
            for row in list_samples(client_id=client_id):
                if row["id"] in expected and row["state"] == "received" and row["received_at"] <= rules["cutoff"]:
                    take_in(row)
            expected = []
    return {"reported": len(reported), "exceeding": exceeding, "rejected": rejected}
