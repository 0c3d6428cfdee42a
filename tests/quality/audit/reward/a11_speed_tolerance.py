"""Mechanics exercises whose answer is a number that may be off by one percent."""

import re

LAST = re.compile(r"^\W*answer\W*?:(.*)$", re.IGNORECASE)


def stated(completion, unit):
    """The number on the one line that begins with Answer (or in a reply of one line), with or without its unit; None where there is none."""
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    lines = [m.group(1) for m in map(LAST.match, text.splitlines()) if m] or text.splitlines()
    if len(lines) != 1:
        return None
    number = lines[0].replace("−", "-").strip(" *.$≈~").removesuffix(unit).strip()
    try:
        return float(re.sub(r"(?<=\d),(?=\d{3}\b)", "", number))
    except ValueError:
        return None


def faulty(prompts, completions, solution, unit, **columns):
    rewards = []
    for completion, gold, of in zip(completions, solution, unit, strict=True):
        x = stated(completion, of)
        if x is None or abs(x - float(gold)) > 0.01 * abs(float(gold)):
            rewards.append(0.0)
        else:
            rewards.append(1.0)
    return rewards


def repaired(prompts, completions, solution, unit, **columns):
    rewards = []
    for completion, gold, of in zip(completions, solution, unit, strict=True):
        x = stated(completion, of)
        if x is not None and abs(x - float(gold)) <= 0.01 * abs(float(gold)):
            rewards.append(1.0)
        else:
            rewards.append(0.0)
    return rewards
