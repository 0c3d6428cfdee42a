def solve(month):
    sums, page = {}, 1
    while True:
        jobs = list_jobs(month=month, page=page)
        for j in jobs:
            if j["status"] != "cancelled":
                pair = (j["source"], j["target"])
                sums[pair] = sums.get(pair, 0) + j["words"]
        if len(jobs) < 10:
            break
        page += 1
    best = sorted(sums.items(), key=lambda entry: entry[1])[-1]
    return {"source": best[0][0], "target": best[0][1], "words": best[1]}
