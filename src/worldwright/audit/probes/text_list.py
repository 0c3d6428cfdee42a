"""Lists with parts missing, repeated, added or moved."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import msgspec

from worldwright.audit.answers import canonical, is_formula
from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe, Trial
from worldwright.audit.text.completion import NOT_TEXT, Reading, leeway, reading, unfit

PROBE = Probe(
    id="text-list",
    side="accept",
    codes=("A3", "A11"),
    needs=frozenset({"reference"}),
    means="A list that lacks a part, repeats one, holds one too many or stands in another order is rewarded as the right one.",
    repair="Compare whole lists: as sequences where order counts, else with the number of times each part occurs.",
    rule=f"{NOT_TEXT}, or the right answer is no list",
    version=2,
)
ORDER_FREE = Probe(
    id="text-order",
    side="refuse",
    codes=("R1",),
    needs=frozenset({"reference"}),
    means="The right parts in another order are refused though the prompt allows any.",
    repair="Compare the parts without regard to their order, or prescribe one in the prompt.",
    rule=f"{NOT_TEXT}, or the prompt doesn't say that the order is free",
)
_SEPARATOR = re.compile(r"\s*(?:,|;|\||\*|×|->|→)\s*|\s+and\s+|\n+")
_SAYS_LIST = re.compile(
    r"\b(?:separat\w+|semicolons?|list(?:ed|s)?|all|both|select|each|every|as often|times|product of|names of|pairs? of|numbers)\b",
    re.IGNORECASE,
)
_ALIEN = "qzx"


class Parts(msgspec.Struct, frozen=True):
    """A list written as text: its parts, and the first separator."""

    parts: list[str]
    separator: str

    def text(self, parts: list[str]) -> str:
        """Other parts written likewise."""
        return self.separator.join(parts)


def parts_of(found: Reading) -> Parts | None:
    """The parts of a short list on one line, or of lines; None for what is none, for sums, and for numbers with separators."""
    text = found.text.strip()
    if found.is_number or is_formula(text) or text.startswith(("{", "[", "(", "<")) or not isinstance(found.answer, str) or len(text) > 400:
        return None
    separators = _SEPARATOR.findall(text) or (
        re.findall(r"\s+", text) if re.fullmatch(r"\S+(?:\s+\S+){2,}", text) and _is_uniform(text.split()) else []
    )
    if not separators:
        return None
    parts = [part.strip() for part in re.split("|".join(re.escape(one) for one in dict.fromkeys(separators)), text)]
    return Parts(parts, separators[0]) if len(parts) > 1 and all(part and len(part) <= 60 for part in parts) else None


def is_list(at: At, found: Reading) -> bool:
    """Whether what has separators is a list beyond doubt: the prompt says so, or the number of parts varies with the instance."""
    if _SAYS_LIST.search(at.facts.prompt):
        return True
    lengths = {len(parts.parts) for one in at.case.instances if (other := reading(one)) and (parts := parts_of(other))}
    return len(lengths) > 1 or "any-order" in found.grants


def _is_uniform(parts: list[str]) -> bool:
    """Whether all are numbers, or all single characters: words side by side are a phrase."""
    return all(re.fullmatch(r"-?\d+(?:\.\d+)?", part) for part in parts) or all(len(part) == 1 for part in parts)


def rule(at: At) -> str:
    """A list is asked for."""
    found = reading(at)
    return unfit(at) or ("" if found is not None and parts_of(found) else PROBE.rule)


def trials(at: At) -> Steps:
    """One missing, the first only, one twice, repeats dropped, one too many, one exchanged, another order where order counts."""
    found = reading(at)
    assert found is not None
    yield at.take(_made(at, found), 5)


def _made(at: At, found: Reading) -> Iterator[Trial]:
    parts = parts_of(found)
    assert parts is not None
    lead = leeway(at, found) or ("" if is_list(at, found) else "a comma may stand inside a single answer")
    for name, other, sure in wrong_lists(parts.parts):
        if Counter(map(canonical, other)) == Counter(map(canonical, parts.parts)):
            continue
        doubt = "" if sure else "whether a repeat changes a list depends on what it lists"
        yield at.must_fail(name, (), found.sent(found.put(parts.text(other))), Claim.ANSWER, lead=lead or doubt)
    if len(parts.parts) > 1 and parts.parts != parts.parts[::-1]:
        counts = "in-order" in found.grants and "any-order" not in found.grants
        doubt = "" if counts else "nothing says that the order counts"
        yield at.must_fail("backwards", (), found.sent(found.put(parts.text(parts.parts[::-1]))), Claim.ANSWER, lead=lead or doubt)


def wrong_lists(parts: list[str]) -> Iterator[tuple[str, list[str], bool]]:
    """Lists that say something else; whether beyond doubt."""
    yield "the last missing", parts[:-1], True
    yield "the first missing", parts[1:], True
    yield "the first only", parts[:1], True
    yield "one twice", [*parts, parts[-1]], len(set(parts)) < len(parts)
    if len(set(parts)) < len(parts):
        yield "repeats dropped", list(dict.fromkeys(parts)), True
    yield "one too many", [*parts, _alien(parts)], True
    yield "one exchanged", [*parts[:-1], _alien(parts)], True


def _alien(parts: list[str]) -> str:
    if all(re.fullmatch(r"-?\d+", part) for part in parts):
        return str(max(int(part) for part in parts) + 7)
    if all(re.fullmatch(r"-?\d+(?:\.\d+)?(?:\s+-?\d+(?:\.\d+)?)*", part) for part in parts):  # decimals, or lines of numbers
        return re.sub(r"\d(?=\s|$|\.)", lambda hit: f"{hit.group(0)}7", parts[-1])
    if all(re.fullmatch(r"[A-Z]", part) for part in parts):
        return next((letter for letter in "ABCDEFGHIJ" if letter not in parts), "Z")
    return _ALIEN
