"""People named in a note: part marks for a part of the names, the full mark for exactly the right ones."""

import re
import unicodedata


def people(text):
    text = re.sub(r"^\s*(answer|names|people)\s*:", "", text, flags=re.IGNORECASE)
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).casefold()
    parts = re.split(r"[,;\n]|\band\b", text)
    return {" ".join(part.strip(" .*-•\t").split()) for part in parts} - {""}


def f_score(given, right):
    hits = len(given & right)
    return 0.0 if not hits else 2 * hits / (len(given) + len(right))


def sound(prompts, completions, target, **columns):
    rewards = []
    for completion, gold in zip(completions, target, strict=True):
        given = people(completion if isinstance(completion, str) else completion[-1]["content"])
        right = people(gold)
        rewards.append(1.0 if given == right else round(0.6 * f_score(given, right), 4))
    return rewards
