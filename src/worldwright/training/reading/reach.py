"""Pages that tell whom something reaches over the records that hang on it, and what is done then.

Takes the text of a page, which records hang on which, and what checks showed of them; gives the keys that are reached, nearest
first, and the outcome to record. None where a sentence can't be read or a check isn't there. Raises nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from worldwright.training.reading.compare import holds
from worldwright.training.reading.fields import find
from worldwright.training.reading.parts import condition
from worldwright.training.reading.words import stem, tokens

__all__ = ["outcome", "reached"]

_FAR = re.compile(r"those more than (\d+) steps? away aren't reached", re.IGNORECASE)
_ANY_FAR = re.compile(r"it doesn't matter over how many steps", re.IGNORECASE)
_LEFT_OUT = re.compile(r"(?:^|(?<=[.\n] )|(?<=\d\. ))(An? [^.,]*?) (?:already )?isn't reached, (and neither is|but) [^.]*", re.MULTILINE)
_MOST = re.compile(r"If more than (\d+) are reached, notify nobody: record [^.]*? with the outcome '([^']+)'", re.IGNORECASE)
_BOOKED = re.compile(r"Then record [^.]*? with the outcome '([^']+)'", re.IGNORECASE)


def reached(
    page: str, start: Any, below: Mapping[Any, Sequence[Any]], checks: Mapping[Any, Mapping[str, Any]], now: str = ""
) -> list[Any] | None:
    """The keys that are reached from `start`; `below` has for each key those that hang on it, `checks` what a check of each showed."""
    far = _FAR.search(page)
    if far is None and not _ANY_FAR.search(page):
        return None
    most = int(far.group(1)) if far else None
    rules = [(found.group(1), found.group(2).startswith("and")) for found in _LEFT_OUT.finditer(page)]
    if len(rules) != len(re.findall(r"isn't reached", page)):
        return None
    out: list[Any] = []
    level, seen, steps = [start], {start}, 0
    while level and (most is None or steps < most):
        steps, further = steps + 1, []
        for key in [one for above in level for one in below.get(above, ()) if one not in seen]:
            seen.add(key)
            found = [(_left_out(rule, checks.get(key), now), ends) for rule, ends in rules]
            if any(said is None for said, _ in found):
                return None
            if any(said and ends for said, ends in found):
                continue
            further.append(key)
            if not any(said for said, _ in found):
                out.append(key)
        level = further
    return out


def outcome(page: str, count: int) -> tuple[str | None, bool]:
    """The outcome to record (None where nothing is recorded), and whether those reached are notified, for so many of them."""
    most, booked = _MOST.search(page), _BOOKED.search(page)
    if most is not None and count > int(most.group(1)):
        return most.group(2), False
    return (booked.group(1) if booked else None), True


def _left_out(rule: str, check: Mapping[str, Any] | None, now: str) -> bool | None:
    """Whether a rule leaves this record out: "a part whose state is 'failed'", "a part that is covered"."""
    if check is None:
        return None
    flag = re.search(r"that (is|isn't) ([a-z]+)$", rule)
    if flag is None:
        tree = condition(re.sub(r"^An? [a-z ]+?(?= (?:whose|that|with|of) )", "A record", rule) + " is one.")
        return None if tree is None else holds(tree, check, now, "records")
    words = [stem(token.text) for token in tokens(flag.group(2))]
    key = find(check, (), words, "records", lambda value: value in (0, 1, None))
    return None if key is None else bool(check[key]) is (flag.group(1) == "is")
