"""Grades the JSON object that a model reads off a supplier's invoice."""

import json
import re
from decimal import Decimal


def payload(completion):
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    text = (text or "").strip()
    if text.startswith("```") and text.endswith("```"):
        text = text.strip("`").removeprefix("json")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def plain(value):
    """A number where it reads as one, text without case and spacing otherwise."""
    if isinstance(value, (int, float, str)) and not isinstance(value, bool):
        text = " ".join(str(value).split())
        if re.fullmatch(r"-?[0-9]{1,9}(,[0-9]{3})*(\.[0-9]{1,4})?", text):
            return Decimal(text.replace(",", ""))
        return text.casefold()
    return None


def agrees(given, truth, keys):
    return given is not None and set(given) == set(truth) and all(plain(given[k]) == plain(truth[k]) is not None for k in keys)


def faulty(prompts, completions, ground_truth, **kwargs):
    return [float(agrees(payload(c), json.loads(t), ("vendor", "total"))) for c, t in zip(completions, ground_truth, strict=True)]


def repaired(prompts, completions, ground_truth, **kwargs):
    return [float(agrees(payload(c), json.loads(t), tuple(json.loads(t)))) for c, t in zip(completions, ground_truth, strict=True)]
