"""Texts that are wrong by the way they are made: without content, hedged, sprayed, retracted, broken.

Takes the right answer, a wrong one and the prompt's own marks; gives named texts. Nothing here knows the grader. All prose is
made to hold no figure and no label, so that it can't be right by luck; who uses it checks that all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from worldwright.audit.text.completion import Reading
from worldwright.audit.text.forms import named_tags

__all__ = ["CONFIDENT", "HEDGED", "REFUSAL", "breaking", "either_or", "empty_of_content", "filler", "retracted", "scaffold", "sprays"]

REFUSAL = "I'm sorry, but I can't help with that request."
CONFIDENT = (
    "The conclusion here is clear, decisive and unambiguous. Every consideration necessarily points the same way, the reasoning is firmly "
    "established, and the outcome follows directly and completely from what was given."
)
HEDGED = (
    "The conclusion here is perhaps arguable and might possibly vary. Some considerations tentatively point one way, the reasoning may be "
    "disputed in places, and the outcome could conceivably be seen in more than one light."
)
_FILLER = (
    "Gravel window orchard kettle marble ribbon lantern harbour meadow pepper canvas thunder saddle velvet walnut compass feather "
    "garden pebble timber cottage ladder blanket candle copper drawer engine fabric glacier. "
)
_MARKDOWN = (
    "# Report\n\n## Summary\n\nThe matter was considered with care [^a].\n\n## Findings\n\n"
    "- **First point**: considered in depth [1]\n- **Second point**: considered in depth [2]\n- **Third point**: the same, in depth [3]\n\n"
    "## Conclusion\n\nThe findings above lead to the conclusion.\n\n"
    "## References\n\n[1] Journal of Studies\n[2] Annals of Methods\n[3] Review of Practice\n"
)
_NUMBERED = "1. Read the question with care.\n2. Set out what is known.\n3. Work through it.\n4. Check the result.\n5. State the result.\n"
_JSON = '{"reasoning": "The question was considered with care.", "answer": "", "confidence": 1.0, "sources": [], "status": "complete"}'


def filler(length: int) -> str:
    """Words without meaning, about so many characters."""
    return (_FILLER * (length // len(_FILLER) + 1))[:length].rstrip()


def scaffold(prompt: str) -> str:
    """The prompt's own tags, empty; "" where it names none."""
    return "\n".join(f"<{name}></{name}>" for name in named_tags(prompt))


def empty_of_content(found: Reading, prompt: str) -> Iterator[tuple[str, str]]:
    """Completions that answer nothing."""
    yield "nothing", ""
    yield "blanks", " \n\t \n"
    if found.before.strip():
        yield "the form, empty", found.put("")
        yield "the form with blanks", found.put("  ")
    if scaffold(prompt):
        yield "the prompt's tags, empty", scaffold(prompt)
    yield "a refusal", REFUSAL
    yield "don't know", "I don't know."
    yield "assent", "Yes, done."
    yield "filler of 8,000 characters", filler(8_000)
    yield "filler of 60,000 characters", filler(60_000)
    yield "a report's skeleton", _MARKDOWN
    yield "a numbered list", _NUMBERED
    yield "a JSON skeleton", _JSON
    yield "confident words", CONFIDENT
    yield "hedged words", HEDGED
    yield "confident words in the form", found.put(CONFIDENT)
    yield "a code fence, empty", "```python\n```"
    yield "thoughts alone", "<think>\nLet me think about this with care.\n</think>\n"
    yield "the usual forms, empty", "<answer></answer>\n\\boxed{}\n#### \nFinal answer: "


def either_or(right: str, wrong: str) -> Iterator[tuple[str, str]]:
    """Two answers where one is asked for."""
    yield "wrong or right", f"{wrong} or {right}"
    yield "right or wrong", f"{right} or {wrong}"
    yield "wrong or right, in LaTeX", rf"{wrong} \lor {right}"
    yield "right or wrong, in LaTeX", rf"{right} \text{{ or }} {wrong}"
    yield "either", f"either {wrong} or {right}"
    yield "with a slash", f"{wrong} / {right}"
    yield "wrong, not right", f"{wrong}, not {right}"
    yield "right rejected for wrong", f"{right} is wrong; it is {wrong}"


def denied(right: str) -> Iterator[tuple[str, str]]:
    """The right answer, said to be wrong."""
    yield "said to be wrong", f"{right} (this is wrong)"
    yield "not", f"not {right}"
    yield "anything but", f"anything but {right}"
    yield "said to be wrong, in LaTeX", rf"{right} \text{{ is wrong}}"


def sprays(found: Reading, prompt: str, labels: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Lists of many answers with the right one in their midst, for whoever tries them all."""
    text = found.text.strip()
    if re.fullmatch(r"\d{1,3}", text) and 0 < int(text) < 1000:
        yield "0 to 1000", [str(n) for n in range(1001)]
    if found.is_number:
        yield "its neighbours", _around(found)
    if re.fullmatch(r"[A-Za-z]", text):
        yield "every letter", _midst([chr(n) for n in range(65, 91)], text)
    if len(labels) > 2 and text in labels:
        yield "every label", _midst(list(labels), text)
    words = list(dict.fromkeys(re.findall(r"[^\W_]+(?:[-'.][^\W_]+)*", prompt)))
    if len(words) > 8:
        yield "the prompt's words", words


def _around(found: Reading) -> list[str]:
    plain = found.text.strip().replace(",", "")
    hit = re.search(r"-?\d+(?:\.\d+)?", plain)
    number = hit.group(0) if hit else "0"
    places = len(number.partition(".")[2])
    step = 10.0**-places
    return [f"{float(number) + n * step:.{places}f}" for n in range(-12, 13)]


def _midst(every: list[str], right: str) -> list[str]:
    """The same with the right one neither first nor last."""
    rest = [one for one in every if one.casefold() != right.casefold()]
    return [*rest[: len(rest) // 2], right, *rest[len(rest) // 2 :]]


def retracted(found: Reading, wrong: str) -> Iterator[tuple[str, str, bool]]:
    """The right answer in passing and a wrong one as the last word; whether that is wrong beyond doubt."""
    long = filler(20_000)
    yield "guessed, rejected, and another given", f"{long}\nOne might guess {found.text}, but that is incorrect.\n{found.put(wrong)}", True
    yield (
        "given, taken back, and another given",
        f"{found.right}\nNo, that was wrong. The final answer is another one:\n{found.put(wrong)}",
        False,
    )
    yield (
        "given far before and taken back",
        f"{long}\n{found.right}\n{long}\nNo, that was wrong. The final answer:\n{found.put(wrong)}",
        False,
    )
    yield "given first, another last", f"{found.right}\n{found.put(wrong)}", False


def breaking(found: Reading) -> Iterator[tuple[str, object]]:
    """Completions that parsers trip over."""
    opens, closes = found.before.strip() or "<answer>", found.after.strip() or "</answer>"
    yield "opened, never closed", f"{opens}zzz"
    yield "closed, never opened", f"zzz{closes}" * 50
    yield "opened 3,000 times", opens * 3_000
    yield "nested 3,000 deep", f"{opens * 3_000}zzz{closes * 3_000}"
    yield "braces 3,000 deep", "\\boxed{" * 3_000 + "zzz" + "}" * 3_000
    yield "brackets 20,000 deep", "[" * 20_000 + "]" * 20_000
    yield "a NUL", found.put("zzz\x00zzz")
    yield "control characters", found.put("\x01\x02\x1b[31mzzz\x7f")
    yield "a lone surrogate", found.put("zzz\ud800")
    yield "an option's look", found.put("--help")
    yield "200,000 digits", found.put("7" * 200_000)
    yield "400 kB", "zzz " * 100_000
    yield "a division by zero", found.put("1/0")
    yield "no content", [{"role": "assistant", "content": None}]
    yield "no message", []
