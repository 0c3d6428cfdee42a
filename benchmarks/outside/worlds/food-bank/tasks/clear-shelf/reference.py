import datetime
import re


def solve(shelf):
    text = read_handbook(page="shelves")["text"]
    keeps = {"tinned": int(re.search(r"tinned food may be given out up to (\d+) days", text).group(1)),
             "dry": int(re.search(r"dry food up to (\d+) days", text).group(1)), "chilled": 0}
    today = datetime.date.fromisoformat(clock()["now"][:10])
    batches, page = [], 1
    while True:
        got = list_shelf(shelf=shelf, page=page)
        batches += got
        if len(got) < 8:
            break
        page += 1
    cards, count, grams = {}, 0, 0
    for b in batches:
        age = (today - datetime.date.fromisoformat(b["best_before"])).days
        if b["status"] != "good" or b["units"] == 0 or age <= 0:
            continue
        if b["sku"] not in cards:
            cards[b["sku"]] = get_product(sku=b["sku"])
        card = cards[b["sku"]]
        if age > keeps[card["kind"]]:
            discard_batch(batch_id=b["id"])
            count += 1
            grams += b["units"] * card["grams"]
    return {"batches": count, "grams": grams}
