"""The right answer in another form that the prompt allows."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator

from worldwright.audit.answers import number_in, right_forms
from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe, Trial
from worldwright.audit.text.completion import NOT_TEXT, Reading, reading, unfit
from worldwright.audit.text.grants import slot_format

PROBE = Probe(
    id="text-forms",
    side="refuse",
    codes=("R2", "R1"),
    needs=frozenset({"reference"}),
    means="The right answer is refused in a form that the prompt allows or leaves open: a date in words, a sign, separators.",
    repair="Read both sides by their type before comparing, or prescribe the one form that is read in the prompt.",
    version=2,
    rule=f"{NOT_TEXT}, or the right answer is prose",
)
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
_UNUSUAL = ("no-break spaces", "decomposed Unicode", "composed Unicode", "in other case")
_TO_THE_LETTER = re.compile(
    r"\b(?:exact(?:ly)?|verbatim|(?:character|letter|word) for \w+|(?:no|without) (?:white)?spaces?|whitespace|as (?:it|they) stands?)\b",
    re.IGNORECASE,
)
"""Words that speak of blanks too; "alone" and "nothing else" don't."""
_MONEY = {
    "euro": ("€", "euros"),
    "eur": ("€", "EUR"),
    "dollar": ("$", "dollars"),
    "usd": ("$", "USD"),
    "pound": ("£", "pounds"),
    "gbp": ("£", "GBP"),
}


def rule(at: At) -> str:
    """Short answers."""
    found = reading(at)
    return unfit(at) or ("" if found is not None and not found.is_prose and isinstance(found.answer, (str, int, float)) else PROBE.rule)


def trials(at: At) -> Steps:
    """Forms that the prompt's own words allow; ordinary forms where it prescribes none; unusual ones as leads."""
    found = reading(at)
    assert found is not None
    every = {
        text: (name, why, lead) for name, text, why, lead in [*_rare(found), *_plain(at, found), *_allowed(found)] if text != found.text
    }
    yield at.take([_trial(at, found, text, *one) for text, one in every.items()], 5)


def _trial(at: At, found: Reading, text: str, name: str, why: str, lead: str) -> Trial:
    return at.must_pass(name, (), found.sent(found.put(text)), Claim.FORM, why, lead)


_Form = tuple[str, str, str, str]
"""Name, text, why it is right, why it is only a lead."""


def _allowed(found: Reading) -> Iterator[_Form]:
    """What the prompt's words allow."""
    day = _day(found.text)
    if day and "date-in-words" in found.grants:
        why = f"The prompt says '{found.grants['date-in-words']}'."
        yield "a date in words", f"{day.day} {_MONTHS[day.month - 1]} {day.year}", why, ""
        yield "a date in words, month first", f"{_MONTHS[day.month - 1]} {day.day}, {day.year}", why, ""
    if "unit-free" in found.grants and re.search(r"\d", found.text):
        bare = re.sub(r"\s*[%€$£¥]\s*", "", found.text)
        yield "without its sign", bare, f"The prompt says '{found.grants['unit-free']}'.", ""
    if "case-free" in found.grants:
        yield "in other case", found.text.swapcase(), f"The prompt says '{found.grants['case-free']}'.", ""
    if "money" in found.grants and found.is_number and not {"bare-number", "nothing-else"} & set(found.grants):
        why = f"The prompt says '{found.grants['money']}'."
        for unit, (sign, word) in _MONEY.items():
            if unit in found.grants["money"].lower() and not re.search(r"[€$£A-Za-z]", found.text):
                yield "with the currency's sign", f"{sign}{found.text.strip()}", why, ""
                yield "with the currency's name", f"{found.text.strip()} {word}", why, ""


def _plain(at: At, found: Reading) -> Iterator[_Form]:
    """Ordinary forms, where the prompt doesn't prescribe the answer's own."""
    fixed = slot_format(at.facts.prompt) or found.grants.get("nothing-else", "")
    lead = f"the prompt may prescribe the form ('{fixed}')" if fixed else ""
    if not lead and at.has_seen(found.text):
        lead = "the agent can copy the answer as it stands"
    if "unit-free" in found.grants and found.is_number:
        lead = ""
    for one in right_forms(found.text):
        if isinstance(one.answer, str):
            sure = one.sure and one.name not in _UNUSUAL
            blank = one.name == "with space around it" and not _TO_THE_LETTER.search(at.facts.prompt)
            yield (
                one.name,
                one.answer,
                "",
                ("" if blank else lead) or ("" if sure else "a strict grader may want the form that the reference has"),
            )


def _rare(found: Reading) -> Iterator[_Form]:
    """Forms that a fair grader may or may not read: always leads."""
    lead = "not every grader reads this form"
    number = number_in(found.text)
    if number is None:
        day = _day(found.text)
        if day:
            yield "a date with slashes", f"{day.day:02}/{day.month:02}/{day.year}", "", lead
        if re.fullmatch(r"[A-Za-z]", found.text.strip()):
            yield "in brackets", f"({found.text.strip()})", "", lead
            yield "with a closing bracket", f"{found.text.strip()})", "", lead
        return
    plain = found.text.strip()
    if plain.startswith("-"):
        yield "with a minus sign of its own", f"−{plain[1:]}", "", lead
    if re.fullmatch(r"\d{4,}", plain):
        yield "with thin spaces", f"{int(plain):,}".replace(",", "\u2009"), "", lead
        yield "in LaTeX separators", f"{int(plain):,}".replace(",", "{,}"), "", lead
    if number and number == int(number) and int(number) % 100 == 0:
        yield "with an exponent", f"{number:.15g}".rstrip("0") + f"e{len(plain) - len(plain.rstrip('0'))}", "", lead
    if re.fullmatch(r"\d+", plain):
        yield "with a leading zero", f"0{plain}", "", lead
    if re.fullmatch(r"0\.\d+", plain):
        yield "without its zero", plain[1:], "", lead
        yield "as a fraction", _fraction(plain), "", lead
    yield "in bold", f"**{plain}**", "", lead
    yield "in dollar signs", f"${plain}$", "", lead


def _fraction(decimal: str) -> str:
    from fractions import Fraction

    return str(Fraction(decimal))


def _day(text: str) -> datetime.date | None:
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text.strip()):
        return None
    try:
        return datetime.date.fromisoformat(text.strip())
    except ValueError:
        return None
