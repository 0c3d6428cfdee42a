import datetime
import re


def solve(plot):
    text = read_handbook(page="upkeep")["text"]

    def figure(pattern):
        return int(re.search(pattern, text).group(1))

    today = datetime.date.fromisoformat(clock()["now"][:10])

    def days_since(day):
        return (today - datetime.date.fromisoformat(day)).days

    last = sorted(list_inspections(plot=plot), key=lambda i: i["day"])[-1]["cultivated_percent"]
    mine, page = [], 1
    while not mine:
        mine = [p for p in list_plots(page=page) if p["code"] == plot]
        page += 1
    if last >= figure(r"less than (\d+) %") or days_since(mine[0]["let_from"]) < figure(r"less than (\d+) days ago"):
        return {"letter": "none", "cultivated_percent": last}
    memory = figure(r"in the last (\d+) days")
    warned = [n for n in list_notices(plot=plot) if n["kind"] == "warning" and days_since(n["sent_on"]) <= memory]
    letter = "termination" if warned else "warning"
    wait_days = figure(r"a termination within (\d+) days") if warned else figure(r"responded to within (\d+) days")
    send_notice(plot=plot, kind=letter, respond_by=(today + datetime.timedelta(days=wait_days)).isoformat())
    return {"letter": letter, "cultivated_percent": last}
