"""The bureau in October: six languages, two dozen translators, jobs of the last months."""
import datetime
import random

TODAY = datetime.date(2026, 10, 6)
FIRST = ["Agnes", "Basil", "Celia", "Dorte", "Emil", "Flora", "Gustav", "Hedy", "Igor", "Judith", "Klaus", "Lidia", "Marek", "Nora"]
LAST = ["Andersen", "Bakker", "Conti", "Dufour", "Estrada", "Falk", "Grabski", "Hjort", "Iversen", "Joly"]
CLIENTS = ["Aster Pumps", "Bellman & Co", "Cobalt Pharma", "Delta Ferries", "Ember Insurance", "Fjord Optics", "Gantry Cranes", "Hollis Chambers", "Ionic Labs"]
FIELDS = ["law", "medicine", "engineering"]


def on(n):
    return (TODAY + datetime.timedelta(days=n)).isoformat()


def scenario(seed):
    random.seed(seed)
    policy = {"most_jobs": random.choice([3, 4]), "similar_percent": random.choice([55, 60, 65, 70]), "repeated_percent": random.choice([15, 20, 25, 30]),
              "rush_days": random.choice([3, 4, 5]), "rush_percent": random.choice([20, 25, 30, 35]), "least_cents": random.choice([4500, 5000, 6000, 7500]),
              "keep_percent": random.choice([50, 60, 70, 75])}
    languages = ["da", "de", "en", "es", "fr", "pl"]
    pairs = random.sample([(a, b) for a in languages for b in languages if a != b], 7)
    clients = [{"id": 61 + i, "name": n, "rate_tenths": random.randint(95, 215)} for i, n in enumerate(random.sample(CLIENTS, 7))]
    translators, skills, absences = [], [], []
    for i, name in enumerate(random.sample([a + " " + b for a in FIRST for b in LAST], 26)):
        translators.append({"id": 401 + i, "name": name, "words_a_day": random.choice([1200, 1500, 1800, 2000, 2400])})
        for pair in random.sample(pairs, random.choice([2, 3])):
            for field in random.sample(FIELDS, random.choice([1, 2])):
                skills.append({"id": len(skills) + 1, "translator_id": 401 + i, "source": pair[0], "target": pair[1], "field": field, "cost_tenths": random.randint(55, 110)})
        for _ in range(random.choice([0, 0, 1, 2])):
            first = random.choice([random.randint(-60, -20), random.randint(-3, 12), random.randint(15, 50)])
            absences.append({"id": len(absences) + 1, "translator_id": 401 + i, "first": on(first), "last": on(first + random.randint(1, 9))})
    jobs, counts, progress = [], [], []
    numbers = random.sample(range(2000, 9999), 140)

    def job(ordered, deadline, status, skill):
        words = random.choice([random.randint(120, 600), random.randint(800, 5000), random.randint(5000, 14000)]) if status != "open" else random.choice([random.randint(90, 420), random.randint(1500, 9000), random.randint(1500, 9000)])
        code = "T-" + str(numbers[len(jobs)])
        mine = skill["translator_id"] if status in ("assigned", "delivered") else None
        jobs.append({"code": code, "client_id": random.choice(clients)["id"], "source": skill["source"], "target": skill["target"], "field": skill["field"], "words": words,
                     "ordered_on": on(ordered), "deadline": on(deadline), "status": status, "translator_id": mine,
                     "fee_cents": (words * skill["cost_tenths"] + 5) // 10 if mine else None, "price_cents": None})
        similar, repeated = words * random.randint(5, 40) // 100, words * random.randint(3, 30) // 100
        counts.append({"job": code, "new_words": words - similar - repeated, "similar_words": similar, "repeated_words": repeated})
        if status == "assigned":
            done = random.choice([0, words * random.randint(10, policy["keep_percent"] - 1) // 100, (words * policy["keep_percent"] + 99) // 100, words * random.randint(80, 99) // 100])
            progress.append({"job": code, "words_done": done})
        if status == "delivered":
            progress.append({"job": code, "words_done": words})

    for month, first in (("july", -97), ("august", -66), ("september", -35)):
        for _ in range(random.randint(24, 33)):
            day = first + random.randint(0, 29)
            job(day, day + random.randint(4, 20), random.choices(["delivered", "cancelled"], [7, 1])[0], random.choice(skills))
    busy = random.sample(translators, 8)
    for t in busy:
        for _ in range(random.choice([2, 3, 4])):
            job(random.randint(-12, -1), random.randint(2, 16), "assigned", random.choice([s for s in skills if s["translator_id"] == t["id"]]))
    for _ in range(14):
        ordered = random.randint(-2, 0)
        job(ordered, random.choice([ordered + random.randint(3, 5), random.randint(6, 12)]), "open", random.choice(skills))
    random.shuffle(jobs)
    return {"clients": clients, "translators": translators, "skills": skills, "absences": absences, "jobs": jobs, "word_counts": counts, "progress": progress,
            "policy": [{"name": k, "value": v} for k, v in policy.items()]}
