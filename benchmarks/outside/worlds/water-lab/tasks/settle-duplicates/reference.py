import datetime
import re


def solve(sample):
    text = read_handbook(page="quality")["text"]
    most = int(re.search(r"at most (\d+) %", text).group(1))
    wait_days = int(re.search(r"repeat is ordered, due (\d+) days", text).group(1))
    due = (datetime.date.fromisoformat(clock()["now"][:10]) + datetime.timedelta(days=wait_days)).isoformat()
    settled = [r["parameter"] for r in list_results(sample=sample)]
    values = {}
    for a in list_analyses(sample=sample):
        if a["status"] == "valid" and a["parameter"] not in settled:
            values[a["parameter"]] = values.get(a["parameter"], []) + [a["value_ug"]]
    recorded, repeats = 0, 0
    for parameter, pair in values.items():
        if len(pair) != 2:
            continue
        if abs(pair[0] - pair[1]) * 200 <= most * (pair[0] + pair[1]):
            record_result(sample=sample, parameter=parameter, value_ug=(pair[0] + pair[1] + 1) // 2)
            recorded += 1
        else:
            order_repeat(sample=sample, parameter=parameter, due=due)
            repeats += 1
    return {"recorded": recorded, "repeats": repeats}
