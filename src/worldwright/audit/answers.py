"""Answers: which are the same, which surely differ, and how a right one is said in other forms or made wrong.

Takes an answer that is known to be right; gives variants with how sure their label is. `sure` False means that a fair
grader might see it otherwise, so that the trial is a lead at most. Nothing here knows the grader.
"""

from __future__ import annotations

import functools
import json
import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import msgspec

from worldwright.audit.subject import Opaque
from worldwright.audit.text.grants import grants

__all__ = [
    "JUNK",
    "Variant",
    "canonical",
    "is_code",
    "is_formula",
    "is_free_text",
    "is_structured",
    "is_trivial",
    "lines_changed",
    "number_in",
    "right_forms",
    "same",
    "wrong_forms",
]

JUNK = "qzx wvk"
"""A text that is right nowhere."""

_DONE = re.compile(
    r"(?:i(?:'ve| have)? )?(?:all )?"
    r"(?:done|ok(?:ay)?|finished|complete(?:d)?|success(?:ful)?|yes,? done|none|null|nothing|ready|true|n/?a)[.!]?\Z"
)
_DIGIT = re.compile(r"\d")
_WORDS = re.compile(r"[^\W\d_]+(?:[ '’-][^\W\d_]+){0,3}")
_NUMBER = re.compile(r"[-+]?(?:[$€£¥]\s?)?\d[\d,]*(?:\.\d+)?%?")


class Variant(msgspec.Struct, frozen=True):
    """An answer made from a right one."""

    name: str
    answer: Any
    sure: bool = True


def is_trivial(answer: Any) -> bool:
    """Whether an answer says nothing: absent, empty, or a mere 'done'."""
    if answer is None or answer is True:
        return True
    if isinstance(answer, str):
        return not answer.strip() or bool(_DONE.match(answer.strip().casefold()))
    return isinstance(answer, (list, dict, tuple, set)) and not answer


def is_free_text(answer: Any) -> bool:
    """Whether an answer is prose, which a grader can only look for something in."""
    return isinstance(answer, str) and len(re.findall(r"[^\W\d_]{2,}", answer)) >= 4


def is_structured(answer: Any) -> bool:
    """Whether an answer is a text with a form of its own (code, a query, a table): not to be varied as prose or words are."""
    return isinstance(answer, str) and bool(
        re.search(r"\n|\bdef \w+\(|^\s*(?:select|with|insert|update|delete|import|from)\b|[{};\[\]]|=>|==|\w\(.*\)", answer, re.IGNORECASE)
    )


def is_code(answer: Any) -> bool:
    """Whether an answer is a program or a query."""
    return isinstance(answer, str) and bool(
        re.search(r"\bdef \w+\(|\blambda\b|^\s*(?:select|with|import|from|class|function|#!)\b", answer, re.IGNORECASE)
    )


def is_formula(answer: Any) -> bool:
    """Whether an answer is a sum with letters, in which a word more is one more unknown."""
    return isinstance(answer, str) and bool(re.search(r"[A-Za-z]", answer) and re.search(r"\*|\^|\w\(", answer))


def number_in(text: Any) -> float | None:
    """The one number that a value is, written in any common form; None if it is none."""
    if isinstance(text, bool):
        return None
    if isinstance(text, (int, float, Decimal)):
        size: Any = abs(text)
        return float(text) if size < 1e300 else None
    if not isinstance(text, str):
        return None
    plain = unicodedata.normalize("NFKC", text).strip().strip("$€£¥ ").removesuffix("%").replace(",", "")
    return float(plain) if re.fullmatch(r"[-+]?\d+(?:\.\d+)?", plain) and len(plain) < 40 else None


def canonical(value: Any) -> Any:
    """A value as it compares: numbers by value, texts without case, spacing and final stop, sequences in their order."""
    kind = type(value)
    if kind is int and -_EXACT < value < _EXACT:
        return float(value)
    if kind is bool or value is None:
        return value
    if isinstance(value, str):
        return _kept_text(value) if len(value) < _SHORT else _canonical_text(value)
    number = number_in(value)
    if number is not None:
        return round(number, 9)
    if isinstance(value, (list, tuple)):
        return tuple(canonical(item) for item in value)
    if isinstance(value, (set, frozenset)):
        return tuple(sorted((canonical(item) for item in value), key=repr))
    if isinstance(value, dict):
        return tuple(sorted(((str(key), canonical(item)) for key, item in value.items()), key=repr))
    return value if isinstance(value, Opaque) else repr(value)


_EXACT = 2**53
_SHORT = 200


def _canonical_text(value: str) -> Any:
    number = number_in(value)
    if number is not None:
        return round(number, 9)
    text = unicodedata.normalize("NFKC", value).casefold().translate({0x2019: "'", 0x2018: "'", 0x201C: '"', 0x201D: '"'})
    return " ".join(text.split()).rstrip(".")


_kept_text = functools.lru_cache(maxsize=65_536)(_canonical_text)


def same(one: Any, other: Any) -> bool:
    """Whether two answers say the same."""
    return bool(canonical(one) == canonical(other))


# ---- right answers in other forms


def right_forms(answer: Any) -> Iterator[Variant]:
    """The same answer said otherwise."""
    if isinstance(answer, bool):
        yield Variant("as a word", str(answer).lower(), False)
    elif isinstance(answer, (int, float)):
        yield from _right_values(answer)
    elif isinstance(answer, str) and answer:
        yield from _right_texts(answer)
    elif isinstance(answer, dict):
        yield Variant("fields in another order", dict(reversed(list(answer.items()))))
        for key, item in answer.items():
            for form in right_forms(item):
                yield Variant(f"{key} {form.name}", answer | {key: form.answer}, form.sure)
    elif isinstance(answer, list):
        yield Variant("as a tuple", tuple(answer), False)
        if len(answer) > 1 and canonical(answer) != canonical(answer[::-1]):
            yield Variant("in another order", answer[::-1], False)


def _right_values(answer: int | float) -> Iterator[Variant]:
    if isinstance(answer, int):
        yield Variant("as a float", float(answer))
        yield Variant("as text", str(answer), False)
    elif math.isfinite(answer):
        yield Variant("as text", repr(answer), False)
        if answer == int(answer):
            yield Variant("as an integer", int(answer))
        else:
            yield Variant("in the last bit", math.nextafter(answer, math.inf))


def _right_texts(answer: str) -> Iterator[Variant]:
    number = number_in(answer)
    if is_structured(answer):
        yield Variant("with a line break after it", f"{answer}\n", False)
        return
    yield Variant(
        "with space around it", f" {answer}\n", number is not None or bool(re.fullmatch(r"[^\W\d_]+(?:[ '’-][^\W\d_]+)*", answer.strip()))
    )
    if number is not None:
        yield from _right_numbers(answer, number)
        return
    decomposed = unicodedata.normalize("NFD", answer)
    if decomposed != answer:
        yield Variant("decomposed Unicode", decomposed)
    elif unicodedata.normalize("NFC", answer) != answer:
        yield Variant("composed Unicode", unicodedata.normalize("NFC", answer))
    for straight, curly in (("'", "’"), ("’", "'"), ('"', "”"), ("”", '"'), ("–", "-"), ("\u00a0", " ")):
        if straight in answer:
            yield Variant("other quotes or dashes", answer.replace(straight, curly))
    if " " in answer.strip() and "\n" not in answer:
        yield Variant("no-break spaces", answer.replace(" ", "\u00a0"), not answer.isascii())
    if answer.swapcase() != answer and re.fullmatch(r"[^\W\d_]+(?:[ '-][^\W\d_]+)*", answer):
        other = answer.lower() if answer != answer.lower() else answer.capitalize()
        yield Variant("in other case", other)
    if not is_free_text(answer) and "\n" not in answer and len(answer) < 60:
        yield Variant("with a full stop", f"{answer.rstrip('.')}.", False)
        yield Variant("in a sentence", f"The answer is {answer}.", False)


def _right_numbers(answer: str, number: float) -> Iterator[Variant]:
    bare = answer.strip().strip("$€£¥ ").replace(",", "").removesuffix("%")
    sign = next((mark for mark in "$€£¥" if mark in answer), "")
    if "." in bare:
        shorter = bare.rstrip("0").rstrip(".")
        if shorter != bare:
            yield Variant("without trailing zeros", answer.replace(bare, shorter) if bare in answer else sign + shorter)
        else:
            yield Variant("with a trailing zero", sign + bare + "0", len(bare.partition(".")[2]) < 2)  # nobody writes 12.500 euros
    elif number == int(number):
        yield Variant("with decimals", f"{bare}.0", False)
    if sign or "," in answer:
        yield Variant("without currency and separators", bare)
    elif abs(number) >= 1000:
        yield Variant("with separators", f"{number:,.{len(bare.partition('.')[2])}f}")
    plain: int | float = int(number) if number == int(number) and "." not in bare else number
    if not answer.strip().endswith("%"):
        yield Variant("as a number", plain)


# ---- wrong answers


def wrong_forms(answer: Any, others: Sequence[Any] = (), prompt: str = "") -> Iterator[Variant]:
    """Answers that are wrong if `answer` is the right one; `others` are right answers of other instances."""
    yield from (Variant(name, value) for name, value in (("none", None), ("empty", ""), ("junk", JUNK)) if not same(value, answer))
    said = grants(prompt)
    for one in _general(answer, others, prompt):
        yield Variant(one.name, one.answer, False) if "some" in said and re.match("another|all", one.name) else one
    for one in _near(answer):
        free = "some" in said or ("near" in said and _is_near(answer, one.answer))
        yield Variant(one.name, one.answer, False) if free or _may_round(answer, one.answer) else one


def _is_near(answer: Any, other: Any) -> bool:
    """Whether a number lies where a tolerance that nobody has measured may reach: a quarter, or one."""
    right, near = number_in(answer), number_in(other)
    return right is not None and near is not None and abs(near - right) <= max(1.0, 0.25 * abs(right))


def _may_round(answer: Any, other: Any) -> bool:
    """Whether two numbers are so close that rounding may explain the difference: never where the right one is whole."""
    right, near = number_in(answer), number_in(other)
    whole = isinstance(answer, int) or (isinstance(answer, str) and bool(re.fullmatch(r"[-+]?\d+", answer.strip())))
    return right is not None and near is not None and not whole and abs(near - right) <= 0.01 * abs(right)


def _general(answer: Any, others: Sequence[Any], prompt: str) -> Iterator[Variant]:
    yield Variant("blank", "  \n")
    if prompt and not same(prompt, answer):
        yield Variant("the prompt itself", prompt)
    for name, value in (("nan", math.nan), ("empty list", []), ("empty object", {}), ("false", False), ("zero", 0), ("everything", "*")):
        if not same(value, answer):
            yield Variant(name, value)
    different = [one for one in others if not same(one, answer) and not isinstance(one, Opaque)]
    for n, other in enumerate(different[:2]):
        yield Variant(f"another instance's answer {n + 1}", other)
    if different and isinstance(answer, (str, int, float)) and not isinstance(answer, bool) and not is_free_text(answer):
        texts = list(dict.fromkeys(str(one) for one in [*different[:6], answer] if isinstance(one, (str, int, float))))
        if len(texts) > 2:
            yield Variant("all candidates listed", ", ".join(sorted(texts)))
            yield Variant("all candidates in a list", sorted(texts), False)


def _near(answer: Any) -> Iterator[Variant]:
    if isinstance(answer, bool):
        yield Variant("the opposite", not answer)
        yield Variant("both", "true or false")
    elif isinstance(answer, (int, float)):
        yield from _wrong_numbers(answer)
    elif isinstance(answer, str):
        yield from _wrong_texts(answer)
    elif isinstance(answer, (list, tuple)) and answer:
        yield from _wrong_lists(list(answer))
    elif isinstance(answer, dict):
        yield from _wrong_objects(answer)


def _wrong_numbers(answer: int | float) -> Iterator[Variant]:
    yield Variant("one more", answer + 1)
    yield Variant("one less", answer - 1)
    if answer:
        yield Variant("other sign", -answer)
        yield Variant("ten times", answer * 10)
        yield Variant("half more", answer * 1.5)
        yield Variant("ten percent more", answer * 1.1)
    if isinstance(answer, int):
        yield Variant("with a fraction", answer + 0.9)
    elif answer != int(answer):
        yield Variant("fraction dropped", int(answer))


def _wrong_texts(answer: str) -> Iterator[Variant]:
    number = number_in(answer)
    if number is not None:
        whole = number == int(number) and "." not in answer
        for one in _wrong_numbers(int(number) if whole else number):
            value = one.answer
            yield Variant(one.name, str(value) if isinstance(value, int) else f"{value:.10g}", one.sure)
        yield Variant("a digit before it", f"1{answer.strip()}")
        yield Variant("a digit after it", f"{answer.strip()}7", whole)
        return
    if is_code(answer):
        return
    if "\n" in answer.strip():
        yield from (Variant(name, text) for name, text in lines_changed(answer))
        return
    if is_free_text(answer):
        yield Variant("denied", f"It is not true that {answer}", False)
        for name, text in _digits_changed(answer):
            yield Variant(name, text, False)
        return
    body = answer.strip()
    if body:
        yield Variant("something after it", f"{body}asdf", not is_formula(body))
        yield Variant("something before it", f"asdf{body}", not is_formula(body))
        yield Variant("denied", f"not {body}", bool(_WORDS.fullmatch(body)))  # "not approved" is an answer; "not K-117" is none
        yield Variant("its first character", body[0])
        yield Variant("its first half", body[: max(1, len(body) // 2)])
    yield Variant("contradicted", f"{JUNK}; certainly not {body}", False)
    for name, text in _digits_changed(answer):
        yield Variant(name, text)


TWICE = "the last line twice"


def lines_changed(text: str) -> Iterator[tuple[str, str]]:
    """A text of several lines with one of them wrong: (what is wrong, the text). Numbers are changed in first, middle and last."""
    lines = text.split("\n")
    full = [n for n, line in enumerate(lines) if line.strip()]
    places = list(dict.fromkeys((full[0], full[len(full) // 2], full[-1])))
    for n in places:
        yield f"line {n + 1} missing", "\n".join(lines[:n] + lines[n + 1 :])
        for _, changed in list(_digits_changed(lines[n]))[-2:]:
            yield f"a number in line {n + 1} changed", "\n".join([*lines[:n], changed, *lines[n + 1 :]])
    yield TWICE, "\n".join([*lines[: full[-1] + 1], *lines[full[-1] :]])
    yield "only the first line", lines[full[0]]
    yield "a line too many", "\n".join([*lines[: full[-1] + 1], _DIGIT.sub("7", lines[full[-1]]) + "7", *lines[full[-1] + 1 :]])


def _digits_changed(text: str) -> Iterator[tuple[str, str]]:
    hits = list(_NUMBER.finditer(text))
    for hit in hits[:3]:
        digits = re.search(r"\d+", hit.group(0))
        if digits:
            start = hit.start() + digits.start()
            other = str(int(digits.group(0)) + 1).zfill(len(digits.group(0)))
            yield f"'{hit.group(0)}' changed", text[:start] + other + text[start + len(digits.group(0)) :]


def _wrong_lists(answer: list[Any]) -> Iterator[Variant]:
    if all(isinstance(item, (int, float)) and not isinstance(item, bool) for item in answer):
        yield Variant("every number not a number", [math.nan] * len(answer))
    yield Variant("one missing", answer[:-1])
    plain = not any(isinstance(item, (list, dict)) for item in answer)
    if len(answer) > 1:
        yield Variant("one in place of another", [answer[0], *answer[:-1]], plain and answer[0] != answer[-1])
    yield Variant("the first missing", answer[1:])
    yield Variant("one twice", [*answer, answer[-1]], plain)
    yield Variant("one too many", [*answer, _alien(answer[0])], plain)
    yield Variant("one exchanged", [*answer[:-1], _alien(answer[-1])])
    if len(set(map(repr, answer))) < len(answer):
        yield Variant("repeats dropped", list({repr(item): item for item in answer}.values()))


def _wrong_objects(answer: dict[Any, Any]) -> Iterator[Variant]:
    yield Variant("no fields", {})
    numbers = {
        key: math.nan for key, item in answer.items() if isinstance(item, float) or (isinstance(item, int) and not isinstance(item, bool))
    }
    if numbers:
        yield Variant("every number not a number", answer | numbers)
        yield Variant("every number infinite", answer | dict.fromkeys(numbers, math.inf))
    for key, item in answer.items():
        yield Variant(f"without {key}", {name: value for name, value in answer.items() if name != key}, not is_trivial(item))
        for one in [*_near(item)][:6]:
            yield Variant(f"{key}: {one.name}", answer | {key: one.answer}, one.sure and not is_free_text(item))
        if not is_trivial(item):
            yield Variant(f"{key}: none", answer | {key: None})
            yield Variant(f"{key}: junk", answer | {key: JUNK}, not is_free_text(item))


def _alien(like: Any) -> Any:
    if isinstance(like, bool):
        return not like
    if isinstance(like, (int, float)):
        return like + 1_000_003
    if isinstance(like, (dict, list)):
        return type(like)()
    return "qzx"


def shown(answer: Any, most: int = 200) -> str:
    """An answer as evidence shows it."""
    try:
        text = json.dumps(answer, ensure_ascii=False)
    except (TypeError, ValueError):
        text = repr(answer)
    return text if len(text) <= most else f"{text[:most]}... ({len(text):,} characters)"
