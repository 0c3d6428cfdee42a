import datetime
import re


def solve(site_name):
    text = read_handbook(page="upkeep")["text"]
    least = int(re.search(r"less than (\d+) %", text).group(1))
    grace = int(re.search(r"less than (\d+) days ago", text).group(1))
    today = datetime.date.fromisoformat(clock()["now"][:10])
    site = [s["code"] for s in list_sites() if s["name"] == site_name][0]
    plots, page = [], 1
    while True:
        got = list_plots(site=site, page=page)
        plots += got
        if len(got) < 8:
            break
        page += 1
    let = [p for p in plots if p["status"] == "let"]
    bad = []
    for p in let:
        seen = sorted(list_inspections(plot=p["code"]), key=lambda i: i["day"])
        if seen and seen[-1]["cultivated_percent"] < least and (today - datetime.date.fromisoformat(p["let_from"])).days >= grace:
            bad.append(p["code"])
    return {"neglected": bad, "let_plots": len(let)}
