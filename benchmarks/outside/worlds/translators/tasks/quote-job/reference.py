import datetime
import re


def solve(job):
    text = read_handbook(page="quotes")["text"]

    def figure(pattern):
        return int(re.search(pattern, text).group(1))

    card, n = get_job(job=job), get_word_count(job=job)
    rate = get_client(client_id=card["client_id"])["rate_tenths"]
    weighted = n["new_words"] * 100 + n["similar_words"] * figure(r"similar words at (\d+) %") + n["repeated_words"] * figure(r"repeated words at (\d+) %")
    days = (datetime.date.fromisoformat(card["deadline"]) - datetime.date.fromisoformat(card["ordered_on"])).days
    percent = 100 + figure(r"(\d+) % are added") if days <= figure(r"deadline is (\d+) days") else 100
    price = max(figure(r"below (\d+) cents"), (weighted * rate * percent + 50000) // 100000)
    set_price(job=job, price_cents=price)
    return {"price_cents": price}
