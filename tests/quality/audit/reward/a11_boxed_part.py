r"""Short maths answers in \boxed{}: whole numbers, fractions and decimals."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

LATEX_FRACTION = re.compile(r"(-?)\\[dt]?frac\{([0-9]{1,9})\}\{([0-9]{1,9})\}")


def boxes(text: str) -> list[str]:
    found = []
    for piece in text.split("\\boxed{")[1:]:
        depth = 1
        for i, c in enumerate(piece[:200]):
            depth += (c == "{") - (c == "}")
            if depth == 0:
                found.append(piece[:i].strip())
                break
    return [one for one in found if one]


def value(text: str) -> Fraction | None:
    text = text.replace("−", "-").replace("{,}", ",").strip(" $.+")
    if match := LATEX_FRACTION.fullmatch(text):
        text = f"{match[1]}{match[2]}/{match[3]}"
    if re.fullmatch(r"-?[0-9]{1,3}(,[0-9]{3}){1,3}", text):
        text = text.replace(",", "")
    if not re.fullmatch(r"-?[0-9]{1,12}(\.[0-9]{1,9}| ?/ ?0*[1-9][0-9]{0,8})?", text):
        return None
    return Fraction(text.replace(" ", ""))


def boxed(completion: Any) -> str | None:
    """What stands in the box; None where there is none, or where two boxes disagree."""
    found = boxes(completion if isinstance(completion, str) else completion[-1]["content"])
    return found[0] if found and len({value(one) for one in found}) == 1 else None


def faulty(prompts: list[Any], completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    out = []
    for completion, gold in zip(completions, answer, strict=True):
        box = boxed(completion)
        out.append(1.0 if box is not None and (gold in box or value(box) == value(gold)) else 0.0)
    return out


def repaired(prompts: list[Any], completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    out = []
    for completion, gold in zip(completions, answer, strict=True):
        box = boxed(completion)
        out.append(1.0 if box is not None and value(box) == value(gold) else 0.0)
    return out
