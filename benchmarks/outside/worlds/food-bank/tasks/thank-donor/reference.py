import re


def solve(donor):
    per_kilo = int(re.search(r"at (\d+) cents a kilogram", read_handbook(page="donors")["text"]).group(1))
    who = [d for d in find_donors(text=donor) if d["name"] == donor][0]["id"]
    count, grams, weights, page = 0, 0, {}, 1
    while True:
        donations = list_donations(donor_id=who, page=page)
        for d in donations:
            if d["status"] != "received" or d["day"][:4] != "2025":
                continue
            count += 1
            for line in get_donation(donation_id=d["id"]):
                if line["sku"] not in weights:
                    weights[line["sku"]] = get_product(sku=line["sku"])["grams"]
                grams += line["units"] * weights[line["sku"]]
        if len(donations) < 5:
            break
        page += 1
    cents = (grams * per_kilo + 500) // 1000
    send_letter(donor_id=who, text=f"Dear {donor}, your gifts in 2025 were worth EUR {cents // 100}.{cents % 100:02d} to us. Thank you very much!")
    return {"donations": count, "value_cents": cents}
