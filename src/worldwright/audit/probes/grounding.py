"""A row that the known solution acts on and that no agent can find."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from worldwright.audit.bench import At, Case, names, plain_outcome
from worldwright.audit.explore import explored
from worldwright.audit.records import Outcome, Probe

PROBE = Probe(
    id="grounding",
    side="refuse",
    codes=("R5", "R4"),
    needs=frozenset({"reference", "calls", "state"}),
    version=2,
    means="The known solution names a row whose key nothing shows: it knows what no agent can find out.",
    repair="Let a tool or the brief lead to the row, or ask for one that can be found.",
    rule="the known solution names no row by a key that would have to be found",
)

_ENOUGH = 3
_RANGES = tuple(map(re.compile, (r"(?<![\w-])(?=([\w-]*\w)(?: to | through | ?\.\.+ ?)([\w-]*\w))", r"(?<!\w)(?=(\w+) ?[-\u2013] ?(\w+))")))
_SPARSE = 8
"""A number is worth guessing where the keys fill more than one in so many of the numbers between least and greatest."""


def rule(case: Case) -> str:
    """Only solutions that name rows by keys."""
    return "" if any(_keys_named(at) for at in case.instances[:6]) else PROBE.rule


def look(case: Case, fresh: Sequence[At]) -> Iterator[Outcome]:
    """What reading can show, on a few instances; the keys that the solution uses must be in it, in the brief, or be guessable."""
    ready = [at for at in fresh if at.paid and _keys_named(at)][:6]
    if len(ready) < min(_ENOUGH, case.aim):
        return
    hidden = [(at, _hidden(at)) for at in ready]
    hits = [(at, key) for at, key in hidden if key]
    bad = len(hits) >= 0.7 * len(ready)
    at, key = hits[0] if bad else (ready[0], "")
    why = (
        f"On {len(hits)} of {len(ready)} instances neither the brief nor any reading leads to a row that the known solution names: {key}."
        if bad
        else ""
    )
    yield plain_outcome(PROBE, at, "keys of rows", not bad, why=why, evidence={"never shown": key} if bad else {})


def _keys_named(at: At) -> list[tuple[str, Any]]:
    """(argument, key) of the reference's calls that are keys of rows at the start, not named by the brief."""
    if at.facts.reference is None:
        return []
    keys = {value: table for table, rows in (at.facts.state or {}).items() for value in _keys(rows)}
    found = {}
    for act in at.reference.acts:
        for name, value in act.args.items():
            if isinstance(value, (str, int)) and not isinstance(value, bool) and value in keys and not names(at.facts.prompt, value):
                found[name, value] = True
    return list(found)


def _keys(rows: Sequence[dict[str, Any]]) -> list[Any]:
    """Values of the first column, where they are a key that isn't easily guessed."""
    values = [next(iter(row.values()), None) for row in rows]
    if len(set(map(repr, values))) < len(values) or len(values) < 2:
        return []
    numbers = [one for one in values if isinstance(one, int) and not isinstance(one, bool)]
    texts = [one for one in values if isinstance(one, str) and len(one) >= 2]
    if len(texts) == len(values):
        numbers = _numbers(texts)
        if len(numbers) < len(texts):
            return list(texts)
    sparse = len(numbers) == len(values) and max(numbers) - min(numbers) + 1 > _SPARSE * len(numbers)
    return list(values) if sparse else []


def _hidden(at: At) -> str:
    """A key that the solution uses and nothing shows; "" if there is none."""
    calls = explored(at)
    shown = "\n".join(
        [
            at.facts.prompt,
            *(f"{tool.doc} {tool.args}" for tool in at.facts.tools),
            *(repr(result.value) + result.error for _, result in calls),
        ]
    )
    writers = [
        result
        for act, result in zip(at.reference.acts, at.known[0][1].results, strict=False)
        if at.writes and not _is_reading(at, act.tool)
    ]
    shown += "\n".join(repr(one.value) + one.error for one in writers)
    files = "\n".join((at.facts.files or {}).values())
    for name, value in _keys_named(at):
        read = next((n for n, act in enumerate(at.reference.acts) if value in act.args.values()), 0)
        before = at.known[0][1].results[:read]
        led = names(shown + files, value) or _in_a_range(at, shown, value) or any(names(repr(one.value), value) for one in before)
        if not led:
            return f"{name}={value!r}"
    return ""


def _in_a_range(at: At, shown: str, value: Any) -> bool:
    """Whether two other keys of its table are shown as the ends of a range that it lies in: 'Mon to Sun', 'P-100 to P-900'.

    By their numbers where all keys end in one, else by the order of the table.
    """
    ends = [pair for form in _RANGES for pair in form.findall(shown)]
    for rows in (at.facts.state or {}).values():
        keys = list(map(str, _keys(rows)))
        numbers = _numbers(keys)
        place = dict(zip(keys, numbers if len(numbers) == len(keys) else range(len(keys)), strict=True))
        if str(value) in place and any(
            place[one] < place[str(value)] < place[other] for one, other in ends if {one, other} <= place.keys()
        ):
            return True
    return False


def _numbers(texts: Sequence[str]) -> list[int]:
    """The numbers that they end in."""
    return [int(hit.group(1)) for one in texts if (hit := re.search(r"(\d{1,9})\D*\Z", one))]


def _is_reading(at: At, name: str) -> bool:
    tool = at.facts.tool(name)
    return tool is not None and tool.writes is False
