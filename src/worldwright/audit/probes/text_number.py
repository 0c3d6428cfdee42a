"""Numbers near the right one, and numbers that are none."""

from __future__ import annotations

import re
from collections.abc import Iterator

from worldwright.audit.answers import number_in
from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe, Trial
from worldwright.audit.text.completion import NOT_TEXT, Reading, leeway, reading, unfit

PROBE = Probe(
    id="text-number",
    side="accept",
    codes=("A11", "A3"),
    needs=frozenset({"reference"}),
    means="Another number than the right one is rewarded: a few percent away, a longer one, with another sign, or none at all.",
    repair="Read both sides as numbers, refuse what is none or not finite, and compare by value within the stated tolerance.",
    rule=f"{NOT_TEXT}, or no number is asked for",
)


def rule(at: At) -> str:
    """One number is asked for."""
    found = reading(at)
    return unfit(at) or ("" if found is not None and found.is_number else PROBE.rule)


def trials(at: At) -> Steps:
    """Five percent off, digits around it, the sign changed, a hundredth of it, NaN, infinity, an expression that never ends."""
    found = reading(at)
    assert found is not None
    yield at.take(_made(at, found), 5)


def _made(at: At, found: Reading) -> Iterator[Trial]:
    near = leeway(at, found, "tolerance", "choice") or found.lead("near") or _rounding(found)
    for name, text, close in _wrong(found):
        yield at.must_fail(name, (), found.sent(found.put(text)), Claim.ANSWER, lead=near if close else "")


def _rounding(found: Reading) -> str:
    """Why few units of the last place prove nothing: a small decimal, whose last place may come of rounding."""
    digits = re.sub(r"^[-0.]+|\D", "", found.text.strip())
    return "so few digits may come of rounding" if "." in found.text and len(digits) < 3 else ""


def _wrong(found: Reading) -> Iterator[tuple[str, str, bool]]:
    """Name, text, and whether freedoms of the prompt, or rounding, may make it right."""
    plain = found.text.strip()
    number = number_in(plain) or 0.0
    hit = re.search(r"\d[\d,]*(?:\.\d+)?", plain)
    digits = hit.group(0) if hit else "0"
    places = len(digits.partition(".")[2])
    step = max(abs(number) * 0.05, 2 * 10.0**-places if places else 1.0)
    yield "five percent more", f"{number + step:.{places}f}", True
    yield "five percent less", f"{number - step:.{places}f}", True
    yield "inside a longer number", f"3{digits.replace(',', '')}4", True
    if number:
        yield "the other sign", plain.removeprefix("-") if plain.startswith("-") else f"-{plain}", True
        yield "a hundred times", f"{number * 100:.{places}f}", True
    for text in ("NaN", "Infinity", "-Infinity", "1e999", "inf", "nan"):
        yield f"'{text}'", text, False
    if number != 0:
        yield "'-0'", "-0", True
