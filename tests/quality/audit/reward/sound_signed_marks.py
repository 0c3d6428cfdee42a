"""A quiz with negative marking: plus one for the right letter, minus a quarter for a wrong one, minus one for no letter at all."""

import re

PICK = re.compile(r"(?:answer\s*(?:is|:)?\s*)?[(*\s]*([a-d])[).*\s]*", re.IGNORECASE)


def letter(completion):
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    match = PICK.fullmatch(text.strip()) if len(text) < 200 else None
    return match.group(1).upper() if match else None


def sound(prompts, completions, target, **columns):
    marks = []
    for completion, key in zip(completions, target, strict=True):
        given = letter(completion)
        marks.append(-1.0 if given is None else 1.0 if given == key else -0.25)
    return marks
