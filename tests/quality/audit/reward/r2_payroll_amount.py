"""Payroll sums: an amount in euros between answer tags."""

import re
from decimal import Decimal

PAIR = re.compile(r"<answer>((?:(?!</?answer>).)*)</answer>", re.DOTALL | re.IGNORECASE)


def inner(completion):
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    found = PAIR.findall(text)
    return found[0].strip() if len(found) == 1 else ""


def amount(text):
    text = re.sub(r"(?i)eur(os?)?\b|€|\s", "", text)
    if not re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d{1,2})?|\d{1,9}(\.\d{1,2})?", text, re.ASCII):
        return None
    return Decimal(text.replace(",", ""))


def faulty(prompts, completions, answer, **columns):
    return [1.0 if inner(c) == gold else 0.0 for c, gold in zip(completions, answer, strict=True)]


def repaired(prompts, completions, answer, **columns):
    return [1.0 if amount(inner(c)) == amount(gold) else 0.0 for c, gold in zip(completions, answer, strict=True)]
