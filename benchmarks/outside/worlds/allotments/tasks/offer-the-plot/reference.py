import datetime
import re


def all_pages(tool):
    rows, n = [], 1
    while True:
        got = tool(page=n)
        rows += got
        if len(got) < 8:
            return rows
        n += 1


def solve(plot):
    text = read_handbook(page="letting")["text"]
    limit = int(re.search(r"more than (\d+) cents", text).group(1))
    stands = int(re.search(r"stands for (\d+) days", text).group(1))
    site = [s["code"] for s in list_sites() if plot.startswith(s["code"] + "-")][0]
    size = [p for p in all_pages(lambda page: list_plots(site=site, page=page)) if p["code"] == plot][0]["size_m2"]
    queue = [w for w in all_pages(list_waiting) if w["status"] == "waiting" and w["site"] in (None, site) and w["smallest_m2"] <= size]
    for entry in sorted(queue, key=lambda w: w["applied_on"]):
        card = get_member(member_id=entry["member_id"])
        if card["arrears_cents"] <= limit:
            last = (datetime.date.fromisoformat(clock()["now"][:10]) + datetime.timedelta(days=stands)).isoformat()
            offer_plot(plot=plot, member_id=card["id"], answer_by=last)
            return {"member": card["name"], "answer_by": last}
