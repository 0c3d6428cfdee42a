"""Sort repair orders by urgency and age; the order is the answer."""

import json


def listed(completion):
    text = (completion if isinstance(completion, str) else completion[-1]["content"]).strip()
    if text.startswith("```"):
        text = text.strip("`").removeprefix("json")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return [one.strip().upper() if isinstance(one, str) else None for one in found] if isinstance(found, list) else None


def sound(prompts, completions, target, **columns):
    return [1.0 if listed(c) == json.loads(t) else 0.0 for c, t in zip(completions, target, strict=True)]
