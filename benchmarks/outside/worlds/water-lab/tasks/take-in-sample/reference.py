import datetime
import re


def solve(sample):
    text = read_handbook(page="intake")["text"]

    def figure(pattern):
        return int(re.search(pattern, text).group(1))

    card, box = get_sample(sample=sample), read_logger(sample=sample)
    way = datetime.datetime.fromisoformat(box["arrived_at"]) - datetime.datetime.fromisoformat(card["taken_at"])
    minutes = way.days * 1440 + way.seconds // 60
    reason = None
    if minutes > 60 * figure(r"more than (\d+) hours"):
        reason = "late"
    elif box["tenths_of_degree"] > 10 * figure(r"more than (\d+)\.0 degrees") and minutes > 60 * figure(r"within (\d+) hours"):
        reason = "warm"
    if reason:
        take_in(sample=sample, decision="rejected", reason=reason)
        return {"decision": "rejected", "minutes": minutes}
    take_in(sample=sample, decision="accepted")
    return {"decision": "accepted", "minutes": minutes}
