import re


def solve(client, first, last):
    clause = read_handbook(page="limits")["text"]
    limits = {name: int(re.search(name + r" (\d+)", clause).group(1)) for name in ["lead", "iron", "manganese", "copper", "nitrate"]}
    codes, values = [], 0
    who = [c for c in find_clients(text=client) if c["name"] == client][0]
    for point in list_points(client_id=who["id"]):
        page = 1
        while True:
            samples = list_samples(point_id=point["id"], page=page)
            for s in samples:
                if s["status"] == "rejected" or not first <= s["taken_at"][:10] <= last:
                    continue
                high = [a for a in list_analyses(sample=s["code"]) if a["status"] == "valid" and a["value_ug"] > limits[a["parameter"]]]
                values += len(high)
                if high:
                    codes.append(s["code"])
            if len(samples) < 6:
                break
            page += 1
    return {"samples": codes, "values_above": values}
