"""A rule wherever the task asks for one, replaced by the examples that the brief shows."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe
from worldwright.audit.subject import Act

PROBE = Probe(
    id="visible",
    side="accept",
    codes=("A8",),
    needs=frozenset({"reference"}),
    means="Settings or a table made for the examples of the brief alone are rewarded, though the task asks for all that is like them.",
    repair="Grade on inputs that the agent doesn't see, drawn for the instance.",
    rule="the known solution sets nothing by the beginning of examples that the brief shows, and answers with no table of ranges for them",
    version=2,
)

_ALL = re.compile(r"\b(?:every|all|any|each)\b", re.IGNORECASE)
_EXAMPLES = re.compile(r"\b(?:samples?|examples?|for instance|such as)\b|\be\.g\.", re.IGNORECASE)
_TOKEN = re.compile(r"[^\W_][\w./:-]{2,40}\w")


def rule(at: At) -> str:
    """Only where two or more arguments are the beginnings of longer words in the brief, or the answer's ranges go beyond its examples."""
    return "" if ("state" in at.facts.has and _narrowed(at)) or _cut(at) is not None else PROBE.rule


def trials(at: At) -> Steps:
    """The reference's calls with each example in the place of what it begins with; its table with ranges that end at the examples."""
    every = bool(_ALL.search(at.facts.prompt))
    made = []
    if "state" in at.facts.has and (acts := _narrowed(at)):
        why, lead = "Only what the brief shows is settled.", at.lead("choice", "optional")
        made.append(at.must_fail("the brief's examples alone", acts, at.reference.answer, Claim.BRIEF if every else Claim.END, why, lead))
    if (table := _cut(at)) is not None:
        lead = at.lead("optional", "extras") if every else "the brief doesn't say that it wants more than its examples"
        why = "Nothing is said of numbers beside the brief's examples."
        made.append(at.must_fail("ranges cut to the brief's examples", at.reference.acts, table, Claim.ANSWER, why, lead))
    yield made


_ENDS = (("from", "to"), ("min", "max"), ("low", "high"), ("lower", "upper"), ("start", "end"), ("first", "last"), ("lo", "hi"))
_SHOWN = re.compile(r"(?<![\w.,])(\d+)\s?(?:[^\W\d]\w*\s?){0,2}(?::|=|→|->)\s?\W?\d")


def _cut(at: At) -> list[dict[str, Any]] | str | None:
    """The answer's table with each range ending at the last example in it; None where that says as much, or is no such table.

    What is lost must be asked for: it lies between two examples, or at the end of a range that the brief names.
    """
    answer = at.reference.answer if at.asks else None
    try:
        rows = json.loads(answer) if isinstance(answer, str) else answer
    except (ValueError, RecursionError):
        return None
    shown = sorted({int(one) for one in _SHOWN.findall(at.facts.prompt)})
    if not isinstance(rows, list) or not rows or len(shown) < 3 or not all(isinstance(row, dict) for row in rows):
        return None
    fields = next((pair for pair in _ENDS if all(type(row.get(key)) is int for row in rows for key in pair)), None)
    if fields is None:
        return None
    low, high = fields
    table, kept, lost = [], set[int](), set[int]()
    for row in rows:
        last = max((one for one in shown if row[low] <= one <= row[high]), default=None)
        if row[high] - row[low] > _LONGEST:
            return None
        kept |= set(range(row[low], row[low] if last is None else last + 1))
        lost |= {one for one in range(row[low], row[high] + 1) if shown[0] < one < shown[-1] or (one == row[high] and at.named(one))}
        if last is not None:
            table.append(row | {high: last})
    return None if lost <= kept else json.dumps(table) if isinstance(answer, str) else table


_LONGEST = 100_000


def _narrowed(at: At) -> tuple[Act, ...]:
    """The calls; () where this doesn't apply."""
    if at.facts.reference is None or not _EXAMPLES.search(at.facts.prompt):
        return ()
    tokens = [one for one in dict.fromkeys(_TOKEN.findall(at.facts.prompt)) if re.search(r"\d", one)]
    places = [
        (n, name, value)
        for n, act in enumerate(at.reference.acts)
        for name, value in act.args.items()
        if at.writes[n] and isinstance(value, str) and any(token.startswith(value) and token != value for token in tokens)
    ]
    stems = {value for _, _, value in places}
    if len(stems) < 2 or len({(at.reference.acts[n].tool, name) for n, name, _ in places}) != 1:
        return ()
    owner = {token: max((one for one in stems if token.startswith(one)), key=len, default="") for token in tokens}
    out: list[Act] = []
    at_place = {n: (name, value) for n, name, value in places}
    for n, act in enumerate(at.reference.acts):
        if n not in at_place:
            out.append(act)
            continue
        name, stem = at_place[n]
        out += [msgspec.structs.replace(act, args=act.args | {name: token}) for token in tokens if owner[token] == stem]
    return tuple(out)
