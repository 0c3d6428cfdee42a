"""What kind of thing a column holds: the type that its data shows, and its form, unit, values and range.

Takes a column with its profile and limits; gives a Typed. The data decides; the declaration decides where there is no data; names
decide only what neither can (whether a number is money, a moment or a flag), and each decision says why.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from worldwright.domain.mine.sqlite.checks import Limits
from worldwright.domain.mine.sqlite.dates import Dated, read_dates
from worldwright.domain.mine.sqlite.layout import Column
from worldwright.domain.mine.sqlite.profile import Profile
from worldwright.domain.mine.sqlite.vocabulary import lexicon, stems
from worldwright.domain.model import Evidence, FieldType, Scalar

__all__ = ["Typed", "family", "typed"]

_FLAGS = (
    {"true", "false"},
    {"t", "f"},
    {"yes", "no"},
    {"y", "n"},
    {"on", "off"},
)
_AMOUNT = re.compile(r"\s*([$€£¥]|[A-Z]{3}\s)?\s*-?\d{1,3}(,?\d{3})*([.]\d{1,2})?\s*([€£]|[A-Z]{3})?\s*\Z")
_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
_MOST_VALUES = 24
_LEAST_SEEN = 10
"""Rows below which few values are no list."""
_SHARE = 0.9


class Typed(msgspec.Struct, frozen=True):
    """The kind of a column; `measured` are values to take quantiles and ranges of, with their counts."""

    type: FieldType
    form: str = ""
    unit: str = ""
    values: tuple[Scalar, ...] = ()
    least: Scalar | None = None
    most: Scalar | None = None
    measured: dict[Any, int] = {}
    dated: Dated | None = None
    evidence: tuple[Evidence, ...] = ()


def family(declared: str) -> str:
    """What a declared type means: date, datetime, time, boolean, money, integer, text, blob, number, or "" if nothing."""
    kind = declared.upper()
    for words, name in (
        (("DATETIME", "TIMESTAMP"), "datetime"),
        (("DATE",), "date"),
        (("TIME",), "time"),
        (("BOOL",), "boolean"),
        (("MONEY", "CURRENCY"), "money"),
        (("INT",), "integer"),
        (("CHAR", "CLOB", "TEXT", "STRING", "UUID", "JSON"), "text"),
        (("BLOB", "BINARY", "IMAGE"), "blob"),
        (("REAL", "FLOA", "DOUB", "DEC", "NUM"), "number"),
    ):
        if any(word in kind for word in words):
            return name
    return ""


def typed(table: str, column: Column, profile: Profile, limits: Limits) -> Typed:
    """The kind of a column. A reference is made of it later, where a relation says so."""
    where = f"{table}.{column.name}"
    said = family(column.declared)
    found = _by_data(column.name, said, profile) if profile.filled else _by_declaration(column.name, said)
    notes = [*found.evidence, *_strays(where, said, profile)]
    if limits.values and set(limits.values) == {0, 1}:
        found = Typed("boolean", form="0 and 1")
    values, source = _values(found, profile, limits)
    if source:
        notes.append(Evidence(where, source, profile.n))
    least, most = _range(found, limits)
    return msgspec.structs.replace(found, values=values, least=least, most=most, evidence=tuple(_placed(one, where) for one in notes))


def _placed(one: Evidence, where: str) -> Evidence:
    return one if one.where else Evidence(where, one.what, one.n)


def _by_declaration(name: str, said: str) -> Typed:
    """No value is there to tell."""
    words = stems(name)
    if said in ("integer", "number", "money") and _is_money(words, said != "money"):
        return Typed("money", unit=_unit(name), evidence=(Evidence("", "no values; the name speaks of money"),))
    types: Mapping[str, FieldType] = {"date": "date", "datetime": "datetime", "time": "time", "boolean": "boolean", "money": "money"}
    more: Mapping[str, FieldType] = {"integer": "integer", "number": "number", "blob": "blob"}
    kind = types.get(said) or more.get(said) or "text"
    form = "unknown" if kind in ("date", "datetime", "time") else ""
    return Typed(kind, form=form, evidence=(Evidence("", "no values; the declared type decides"),))


def _by_data(name: str, said: str, profile: Profile) -> Typed:
    words = stems(name)
    dates = _dates(words, said, profile)
    if dates is not None:
        return dates
    flag = _flag(words, said, profile)
    if flag is not None:
        return flag
    if profile.share("blob") > 0.5:
        return Typed("blob")
    numbers = {value: n for value, n in profile.counts.items() if isinstance(value, int | float)}
    if profile.share("integer") + profile.share("real") >= _SHARE:
        return _number(name, said, profile, numbers)
    return _amount_text(words, profile) or _text(profile)


def _dates(words: tuple[str, ...], said: str, profile: Profile) -> Typed | None:
    speaks = said in ("date", "datetime", "time") or lexicon().speaks("time", words)
    dated = read_dates(profile.counts, speaks)
    if dated is None:
        return None
    measured: dict[Any, int] = {}
    for value, text in dated.iso.items():
        measured[text] = measured.get(text, 0) + profile.counts[value]
    notes = [Evidence("", f"written as {form}", n) for form, n in sorted(dated.forms.items(), key=lambda one: -one[1])]
    if dated.others:
        notes.append(Evidence("", "values that read as no date", dated.others))
    kind: FieldType = "datetime" if dated.type == "datetime" else "time" if dated.type == "time" else "date"
    return Typed(kind, form=dated.form, measured=measured, dated=dated, evidence=tuple(notes))


def _flag(words: tuple[str, ...], said: str, profile: Profile) -> Typed | None:
    values = set(profile.counts)
    if values <= {0, 1} and (said == "boolean" or (lexicon().speaks("flag", words) and len(values) == 2)):
        return Typed("boolean", form="0 and 1")
    if all(isinstance(one, str) for one in values):
        low = {one.strip().lower() for one in values}
        if low == {"0", "1"} and (said == "boolean" or lexicon().speaks("flag", words)):
            return Typed("boolean", form="0 and 1 as text")
        if any(low == pair or (low <= pair and said == "boolean") for pair in _FLAGS):
            return Typed("boolean", form=" and ".join(sorted(map(str, values))))
    return None


def _number(name: str, said: str, profile: Profile, numbers: dict[Any, int]) -> Typed:
    words = stems(name)
    is_whole = all(isinstance(one, int) or one.is_integer() for one in numbers)
    cents = is_whole or _share_of_cents(numbers) >= 0.99
    by_name = _is_money(words, is_whole or all(0 <= one <= 1 for one in numbers))
    if (by_name or said == "money") and cents:
        form = "whole numbers" if is_whole else "decimals with at most two places"
        why = "the name speaks of money" if by_name else f"declared as {said}"
        return Typed(
            "money", form=form, unit=_unit(name), measured=numbers, evidence=(Evidence("", f"{why}, written as {form}", profile.filled),)
        )
    integer = all(isinstance(one, int) for one in numbers) or (is_whole and said == "integer")
    return Typed("integer" if integer else "number", measured=numbers)


def _share_of_cents(numbers: Mapping[Any, int]) -> float:
    fitting = sum(n for value, n in numbers.items() if abs(value) < 1e15 and abs(round(value, 2) - value) < 1e-9 * max(1.0, abs(value)))
    return fitting / sum(numbers.values())


def _is_money(words: tuple[str, ...], is_plain: bool = False) -> bool:
    """Whether a name speaks of money: its last word, or one before, as long as the last doesn't speak of something else.

    Plain values (whole numbers, shares from 0 to 1, or none at all) need more than a word such as `total` or `discount`, which may count
    anything, unless the name says that they are cents or of a currency.
    """
    known = lexicon()
    if not words or words[-1] in known.not_money or words[0] in ("num", "no", "number", "count", "is", "has"):
        return False
    found = set(words) & set(known.money)
    if is_plain and not known.speaks("minor", words) and not known.speaks("currency", words):
        found -= set(known.weak_money)
    return bool(found) or (known.speaks("currency", words) and known.speaks("minor", words))


def _unit(name: str) -> str:
    """The currency or part of one that a name states; "" if it states none."""
    words = stems(name)
    currency = next((word.upper() for word in words if word in lexicon().currency), "")
    return f"{currency} cents".strip() if lexicon().speaks("minor", words) else currency


def _amount_text(words: tuple[str, ...], profile: Profile) -> Typed | None:
    """Amounts with a currency's sign, written as text."""
    texts = [one for one in profile.counts if isinstance(one, str) and one.strip()]
    signs = {sign for one in texts for sign in _SIGNS if sign in one}
    if not texts or not signs or not all(_AMOUNT.match(one) for one in texts):
        return None
    unit = _SIGNS[signs.pop()] if len(signs) == 1 else ""
    measured = {float(re.sub(r"[^\d.-]", "", one)): profile.counts[one] for one in texts}
    return Typed("money", form="text with a currency sign", unit=unit, measured=measured)


def _text(profile: Profile) -> Typed:
    lengths: dict[Any, int] = {}
    for value, n in profile.counts.items():
        length = len(value) if isinstance(value, str) else len(str(value))
        lengths[length] = lengths.get(length, 0) + n
    return Typed("text", measured=lengths)


_FITS = {"integer": ("integer",), "number": ("integer", "real"), "money": ("integer", "real"), "text": ("text",), "blob": ("blob",)}


def _strays(where: str, said: str, profile: Profile) -> list[Evidence]:
    """Values of another class than the declared type would hold."""
    if said not in _FITS or not profile.filled:
        return []
    strays = {kind: n for kind, n in profile.classes.items() if kind not in _FITS[said]}
    return [Evidence(where, f"declared as {said}, stored as {kind}", n) for kind, n in sorted(strays.items())]


def _values(found: Typed, profile: Profile, limits: Limits) -> tuple[tuple[Scalar, ...], str]:
    """The listed values of a column, and where the list comes from."""
    if limits.values:
        return limits.values, "the values that a CHECK lists"
    if found.type != "text" or profile.filled < _LEAST_SEEN:
        return (), ""
    values = [one for one in profile.counts if isinstance(one, str)]
    few = 1 < len(values) <= min(_MOST_VALUES, profile.filled // 5) and len(values) == len(profile.counts)
    if not few or not profile.whole or any(len(one) > 60 for one in values):
        return (), ""
    return tuple(sorted(values)), f"only {len(values)} different values in {profile.filled}"


def _range(found: Typed, limits: Limits) -> tuple[Scalar | None, Scalar | None]:
    """The bounds that a CHECK sets, or else the least and the most that was seen."""
    seen = found.measured if found.type in ("integer", "number", "money", "date", "datetime", "time") else {}
    low, high = (min(seen), max(seen)) if seen else (None, None)
    step = 1 if found.type == "integer" else 0
    return _bound(low, limits.least, step * limits.above), _bound(high, limits.most, -step * limits.below)


def _bound(seen: Scalar | None, limit: Scalar | None, step: int) -> Scalar | None:
    """The limit if it is of the kind of what was seen (a limit that is out itself gives way by a step), else what was seen."""
    if limit is None or (seen is not None and isinstance(seen, str) != isinstance(limit, str)):
        return seen
    return limit + step if isinstance(limit, int) else limit
