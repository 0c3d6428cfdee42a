"""A value that the verifier demands and that stands nowhere."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import msgspec

from worldwright.audit.answers import is_structured, number_in
from worldwright.audit.bench import At, Steps, is_read_named, names
from worldwright.audit.calls import is_prose, legal_calls
from worldwright.audit.code import Place, places, with_source
from worldwright.audit.records import Claim, Probe, Trial

PROBE = Probe(
    id="unseen",
    side="refuse",
    codes=("R4", "R3"),
    needs=frozenset({"reference"}),
    means="The verifier insists on a value that neither the brief nor any tool, page or file gives the agent.",
    repair="Give the value (or the rule that leads to it) where the agent can read it, or don't demand it.",
    version=4,
    rule="everything in the reference can be read or counted by the agent",
)


def rule(at: At) -> str:
    """Only values that stand nowhere."""
    return "" if _places(at) or _renamed(at) or _in_unit_shown(at) else PROBE.rule


def trials(at: At) -> Steps:
    """Another value of the same kind instead; a right verifier can't insist on the one that nobody can know."""
    acts = at.reference.acts
    made = [
        at.must_pass(f"{name} under another name", *with_source(at, place, source), Claim.CONSTRUCTION, f"Nothing names {name}.")
        for name, place, source in _renamed(at)[:1]
    ]
    made += [at.must_pass("in the unit shown", acts, one, Claim.CONSTRUCTION, why) for one, why in _in_unit_shown(at)]
    reads = [tool for tool in at.facts.tools if (is_read_named(tool.name) if tool.writes is None else not tool.writes)]
    tried = legal_calls(at, reads, 4)
    shown = ""
    if tried:
        attempt = (yield [at.must_fail("what reading shows (control)", tried, None, Claim.CONSTRUCTION, lead="only a control")])[0]
        shown = repr([result.value for result in attempt.results]).lower()
    for n, name in _places(at):
        if acts[n].args[name].lower() in shown:
            continue
        changed = msgspec.structs.replace(acts[n], args=acts[n].args | {name: _other(acts[n].args[name])})
        why = f"'{acts[n].args[name]}' stands nowhere that the agent can read."
        made.append(
            _unless_refused(
                at,
                f"{acts[n].tool}: another {name}",
                (*acts[:n], changed, *acts[n + 1 :]),
                at.reference.answer,
                Claim.CONSTRUCTION,
                why,
                at.lead_about(("choice",), acts[n].tool, name),
            )
        )
    if made:
        yield at.take(made)


def _unless_refused(at: At, *args: Any) -> Trial:
    """A tool that refuses the other value may say which ones it takes."""
    return msgspec.structs.replace(at.must_pass(*args), unless_refused=True)


def _places(at: At) -> list[tuple[int, str]]:
    return [
        (n, name)
        for n, act in enumerate(at.reference.acts)
        if not act.tool.startswith("$")
        for name, value in act.args.items()
        if isinstance(value, str) and len(value) <= 60 and not is_structured(value) and re.search(r"[A-Za-z]{2}", value)
        if not is_prose(name, value) and not _known(at, n, value)
    ]


def _renamed(at: At) -> list[tuple[str, Place, str]]:
    """Programs with one function, named nowhere the agent can read, under another name."""
    return [
        (name, place, re.sub(rf"(?<!\w){name}(?!\w)", f"{name}_zq", place.source))
        for place in places(at)
        for name in re.findall(r"^def (\w+)", place.source, re.MULTILINE)
        if name != "main" and not names(at.seen, name)
    ]


_UNIT = re.compile(
    r"(?:_|\b)(?:[kmc]?g|[kmc]?m|ml|l|m?s|min|h|(?:milli|kilo|centi)?(?:grams?|met(?:re|er)s?|lit(?:re|er)s?)|minutes?|seconds?|hours?|cents?|"
    r"euros?|dollars?|pounds?|pence)\b",
    re.IGNORECASE,
)
_FACTORS = (1000, 100, 60, 3600)
_SUMS: dict[str, Callable[[list[float]], float]] = {"sum": math.fsum, "greatest": max, "least": min}


def _in_unit_shown(at: At) -> list[tuple[str | float, str]]:
    """The right number in the unit in which the tools give it, where it is wanted in another that nothing names."""
    answer = at.reference.answer
    said = _UNIT.search(at.facts.prompt) or re.search(r"%|\bper\b|percent|how many|unit|\d{3}", at.facts.prompt)
    if number_in(answer) is None or said or re.search(r"\b(?:report|convert|give|state|express)[^.]{0,60}\bin\b", at.seen):
        return []
    same_way = [one for one in at.case.instances if one.paid]
    ways = set.intersection(*(_scaled(one) for one in same_way)) if len(same_way) > 1 else set()
    found = []
    for column, how, up, factor in sorted(ways):
        right = number_in(answer) or 0.0
        plain = round(right / factor if up else right * factor, 9)
        why = f"It is the {how} of '{column}' as the tools give it; nothing asks for {factor} times {'that' if up else 'less'}."
        found.append((str(plain) if isinstance(answer, str) else plain, why))
    return found[:1]


def _scaled(at: At) -> set[tuple[str, str, bool, int]]:
    """(column, how, whether multiplied, factor) by which the right number follows from a column with a unit; none without a factor."""
    right = number_in(at.reference.answer) or 0.0
    columns: dict[str, list[float]] = {}
    for rows in at.known[0][1].results:
        for row in rows.value if isinstance(rows.value, list) else [rows.value]:
            for column, value in row.items() if isinstance(row, dict) else ():
                if isinstance(value, (int, float)) and not isinstance(value, bool) and value:
                    columns.setdefault(str(column), []).append(float(value))
    sums = {(column, how): add(values) for column, values in columns.items() for how, add in _SUMS.items()}
    if not right or any(math.isclose(right, one, rel_tol=1e-9) for one in sums.values()):
        return set()
    return {
        (column, how, up, factor)
        for (column, how), one in sums.items()
        for factor in _FACTORS
        for up in (True, False)
        if _UNIT.search(column) and math.isclose(right, one * factor if up else one / factor, rel_tol=1e-9)
    }


_COMMON = re.compile(
    r"(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\Z|yes\Z|no\Z|true\Z|false\Z|"
    r"north|south|east|west|left|right|up\Z|down\Z|on\Z|off\Z",
    re.IGNORECASE,
)


def _known(at: At, n: int, value: str) -> bool:
    seen = at.seen_before(n).lower()
    if _COMMON.match(value) or any(value == other for act in at.reference.acts[:n] for other in act.args.values()):
        return True
    if re.fullmatch(r"[A-Z]{2}\d?|[A-Z]\d", value):  # a code, too short for its letters to be met by chance
        return names(at.seen_before(n), value)
    if hit := _CODE.fullmatch(value):
        return _may_be_made(at, n, value, *hit.groups())
    return all(part in seen for part in re.findall(r"[a-z]{3,}|\d+", value.lower())) or not re.findall(r"[a-z]{3,}", value.lower())


_CODE = re.compile(r"([A-Z]{2})[-_/. ]?(\d{1,4})")
_MADE = re.compile(
    r"\b(?:letters?|initials?|digits?|abbreviat\w*|prefix\w*|suffix\w*|padded|made (?:up )?(?:of|from)|composed|consists?|built from|"
    r"(?:begin|start)s? with|followed by|numbered|(?:two|three)-letter)\b",
    re.IGNORECASE,
)


def _may_be_made(at: At, n: int, value: str, letters: str, digits: str) -> bool:
    """Whether a code of two letters and a number may be had: it is shown or in the state, a rule for it is told, or both parts are met."""
    seen = at.seen_before(n)
    if re.search(rf"(?<![^\W_]){letters}\W?0*{int(digits)}(?!\d)", seen, re.IGNORECASE) or _MADE.search(seen):
        return True
    if any(value == one for rows in (at.facts.state or {}).values() for row in rows for one in row.values()):
        return True
    met = re.search(rf"(?<![^\W_]){letters}|(?<![^\W_]){letters[0]}\w*\W+{letters[1]}", seen, re.IGNORECASE)
    return bool(met and re.search(rf"(?<!\d)0*{int(digits)}(?!\d)", seen))


def _other(value: str) -> str:
    return f"{value[:1]}zq{value[2:]}" if len(value) > 2 else f"{value}zq"
