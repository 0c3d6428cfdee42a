"""Whether a comparison holds for a row.

Takes a Part, a row, the clock and what the page is about; gives true, false, or None where the field can't be found or the
sentence can't be read. A missing value makes a comparison false, also a denied one. Raises nothing.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from typing import Any

from worldwright.training.reading.fields import NOTHING, find, link, named
from worldwright.training.reading.parts import AnyOf, Not, Part, Tree
from worldwright.training.reading.words import MARKERS, Token, stem

__all__ = ["holds", "parts_of", "value_of"]

_UNITS = {"day": 86400, "hour": 3600, "minute": 60, "week": 604800}
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def holds(tree: Tree, row: Mapping[str, Any], now: str, about: str) -> bool | None:
    """The truth of a condition: an `and` with a false part is false, an `or` with a true part true, whatever the others."""
    if isinstance(tree, Part):
        return _part(tree, row, now, about)
    if isinstance(tree, Not):
        inner = holds(tree.part, row, now, about)
        return None if inner is None else not inner
    stops = isinstance(tree, AnyOf)
    found = [holds(part, row, now, about) for part in tree.parts]
    if stops in found:
        return stops
    return None if None in found else not stops


def parts_of(tree: Tree) -> tuple[Part, ...]:
    """The comparisons of a condition, in order."""
    if isinstance(tree, Part):
        return (tree,)
    inner = (tree.part,) if isinstance(tree, Not) else tree.parts
    return tuple(part for one in inner for part in parts_of(one))


def value_of(part: Part, row: Mapping[str, Any], now: str, about: str) -> tuple[bool, Any]:
    """Whether the fields of the comparison are there, and what they come to (a value, or a span in the part's unit)."""
    if part.op == "unread":
        return False, None
    unit, relation, operand = _unit(part.after)
    if part.names and part.op in ("in", "out", "none", "some"):
        return _look(row, named(row, part.names[0]))
    if len(part.names) >= 2:
        first, second = (_look(row, named(row, name)) for name in part.names[:2])
        turned = part.crossed or relation == "before"
        return _span((second, first) if turned else (first, second), unit)
    if part.names:
        there, value = _look(row, named(row, part.names[0]))
        if there and _is_date(value):
            return _span(((True, value), (True, now)) if relation == "before" else ((True, now), (True, value)), unit or "day")
        return there, value
    return _prose(part, row, now, about, unit, relation, operand)


def _prose(
    part: Part, row: Mapping[str, Any], now: str, about: str, unit: str, relation: str, operand: Sequence[Token]
) -> tuple[bool, Any]:
    """The value that the words around the comparison name, without a bracket."""
    if part.op in ("in", "out"):
        return _look(row, _find(part, row, about, _is_text))
    if part.op in ("none", "some"):
        return _presence(part, row, about)
    if unit and relation in ("after", "before", "ago"):
        found = _find(part, row, about, _is_date)
        first = _look(row, found) if found is not None else (False, None)
        if relation == "ago" or any(token.text in ("today", "now") for token in operand):
            second: tuple[bool, Any] = (True, now)
            return _span((second, first) if relation != "after" else (first, second), unit)
        dates = [token.text for token in operand if token.kind == "date"]
        if dates:
            return _span(((True, dates[0]), first) if relation == "before" else (first, (True, dates[0])), unit)
        other = find(row, (), [stem(token.text) for token in operand if token.kind == "word"], about, _is_date)
        second = _look(row, other)
        if first[0] and second[0]:
            return _span((second, first) if relation == "before" else (first, second), unit)
    return _look(row, _find(part, row, about, _is_number))


def _find(part: Part, row: Mapping[str, Any], about: str, fits: Any) -> str | None:
    """The field by the words since the last opening of a condition, or else by all the words that lead to the comparison."""
    before = list(part.before)
    opens = [n for n, token in enumerate(before) if token.text in MARKERS or token.text == "with"]
    after = ["percent"] if part.percent else []
    for token in part.after[:4] if part.op not in ("in", "out") else ():
        if token.kind != "word" or token.text in MARKERS or token.text in ("and", "or", "is", "are", "after", "before"):
            break
        after.append(stem(token.text))
        if token.text in ("cents", "cent", "percent"):
            break
    past = _past_subject(part, about)
    for at in dict.fromkeys((opens[-1] if opens else past, past)):
        window = [stem(token.text) for token in before[at:] if token.kind == "word"] + after
        found = find(row, before, window, about, fits, len(before) == len(part.lead))
        if found is not None:
            return found
    if part.op in ("in", "out") and part.after and part.after[0].kind == "word":
        return find(row, (), [stem(part.after[0].text)], about, fits)
    return None


def _past_subject(part: Part, about: str) -> int:
    """Where the words begin that can name a field: past the noun that a sentence opens with, if it is what the page is on."""
    noun = about.split()[-1:]
    found = [n for n, token in enumerate(part.before[:4]) if [stem(token.text)] == noun]
    return found[0] + 1 if found and len(part.before) == len(part.lead) else 0


def _presence(part: Part, row: Mapping[str, Any], about: str) -> tuple[bool, Any]:
    words = [stem(str(word)) for word in part.values] or [stem(token.text) for token in part.before if token.kind == "word"]
    return _look(row, link(row, words) or find(row, () if part.values else part.before, words, about, lambda value: True))


def _look(row: Mapping[str, Any], key: str | None) -> tuple[bool, Any]:
    if key is None:
        return False, None
    return True, None if key == NOTHING else row[key]


def _unit(after: Sequence[Token]) -> tuple[str, str, Sequence[Token]]:
    """The unit of time after a figure, the word that relates it to another time, and the words for that."""
    unit = stem(after[0].text) if after and stem(after[0].text) in _UNITS else ""
    for n, token in enumerate(after[:4]):
        if token.text in ("after", "before", "ago", "since", "from"):
            return unit, {"since": "after", "from": "after"}.get(token.text, token.text), after[n + 1 :]
    return unit, "", ()


def _span(ends: Sequence[tuple[bool, Any]], unit: str) -> tuple[bool, Any]:
    """The time from the second to the first, in the unit; days are from date to date."""
    (there, later), (also, earlier) = ends
    if not (there and also):
        return False, None
    if later is None or earlier is None:
        return True, None
    if isinstance(later, (int, float)) and isinstance(earlier, (int, float)):
        return True, later - earlier
    if not (_is_date(later) and _is_date(earlier)):
        return False, None
    try:
        if unit in ("", "day", "week"):
            days = (datetime.date.fromisoformat(later[:10]) - datetime.date.fromisoformat(earlier[:10])).days
            return True, days / 7 if unit == "week" else days
        span = datetime.datetime.fromisoformat(later) - datetime.datetime.fromisoformat(earlier)
        return True, span.total_seconds() / _UNITS[unit]
    except (ValueError, TypeError):
        return False, None


def _part(part: Part, row: Mapping[str, Any], now: str, about: str) -> bool | None:
    there, value = value_of(part, row, now, about)
    if not there:
        return None
    if part.op in ("none", "some"):
        return (value is None or value == "") is (part.op == "none")
    if value is None:
        return False
    if part.op in ("in", "out"):
        return (str(value).casefold() in {str(one).casefold() for one in part.values}) is (part.op == "in")
    scale = 1.0
    if part.percent and not part.names and part.after and part.after[0].text == "of":
        words = [stem(token.text) for token in part.after if token.kind == "word"]
        there, base = _look(row, find(row, part.after, words, about, _is_number))
        if not there or base is None:
            return False if there else None
        scale = float(base) / 100
    return _figures(part, value, scale)


def _figures(part: Part, value: Any, scale: float) -> bool | None:
    try:
        have = float(value)
    except (TypeError, ValueError):
        return None
    low, high = float(part.values[0]) * scale, float(part.values[-1]) * scale
    if part.op == "eq":
        return have in [float(one) * scale for one in part.values]
    match part.op:
        case "lt":
            return have < low
        case "le":
            return have <= low
        case "gt":
            return have > low
        case "ge":
            return have >= low
        case "ne":
            return have != low
    return (low <= have <= high) is (part.op == "between")


def _is_text(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not _is_date(value))


def _is_date(value: Any) -> bool:
    return isinstance(value, str) and bool(_DATE.match(value))


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        return bool(re.fullmatch(r"-?\d+(\.\d+)?", value))
    return value is None or isinstance(value, (int, float))
