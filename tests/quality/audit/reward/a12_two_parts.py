"""Museum cards with two things to read off, maker and year; a marker says correct, partly correct or wrong."""

import re
import unicodedata


def fold(text):
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(re.findall(r"\w+", text.casefold()))


def mark(reply, key):
    inside = re.findall(r"<answer>((?:(?!</?answer>).)*)</answer>", reply, re.DOTALL | re.IGNORECASE)
    given = [fold(part) for part in inside[0].split(";")] if len(inside) == 1 else []
    right = [fold(part) for part in key.split(";")]
    if len(given) != len(right):
        return "wrong"
    hits = (given[0] == right[0]) + (given[1] == right[1])
    return ["wrong", "partly correct", "correct"][hits]


def marks(completions, target):
    return [mark(c if isinstance(c, str) else c[-1]["content"], t) for c, t in zip(completions, target, strict=True)]


def faulty(prompts, completions, target, **columns):
    return [1.0 if "correct" in said else 0.0 for said in marks(completions, target)]


def repaired(prompts, completions, target, **columns):
    return [1.0 if said == "correct" else 0.0 for said in marks(completions, target)]
