"""References of triage: read the two pages, decide which desk a row goes to, look who is free there and next, record.

Gives plans by file name: `reference.py`, which looks at the people anew for each row, and an alternative that takes another way: it
looks at everybody once and counts along, goes through the rows from the other end where their order doesn't matter, or records and
reads back what it answers.
"""

from __future__ import annotations

from worldwright.synthesis.author_reference.rulings import HEAD, decide_code, found_group, limits_code, of_group
from worldwright.synthesis.draft import CLOCK, Draft, TaskDraft
from worldwright.synthesis.patterns.triage import Staffing, TriageTask
from worldwright.synthesis.reads import reads_of
from worldwright.synthesis.ruling import Ruling

__all__ = ["write"]


def write(draft: Draft, task: TaskDraft) -> dict[str, str]:
    """The plans of a task of this pattern by file name."""
    given: TriageTask = task.given
    ruling, staffing = given.ruling, given.staffing
    head = HEAD + limits_code(ruling) + decide_code(draft, ruling)
    hands_on = task.template == "reroute" and staffing.handover
    asks_people = task.template in ("assign", "work-off") or given.reports == "free" or hands_on
    people = _people(staffing, ruling) if asks_people else ""
    functions, start = _start(draft, given)
    anew, along = head + people + functions + start, head + people + _along(staffing) + functions + start
    if task.template == "route":
        return {"reference.py": anew + _route(draft, given), "alternative-read-back.py": anew + _route_read_back(draft, given)}
    if task.template == "assign":
        return {"reference.py": anew + _assign(draft, given), "alternative-people-first.py": along + _assign_people_first(draft, given)}
    if task.template == "work-off":
        worked = {"reference.py": anew + _work_off(draft, given, False)}
        return {**worked, "alternative-counting-along.py": along + _work_off(draft, given, True)}
    if hands_on:
        return {"reference.py": anew + _hand_on(draft, given, False), "alternative-counting-along.py": along + _hand_on(draft, given, True)}
    return {"reference.py": anew + _correct(draft, given, False), "alternative-last-first.py": anew + _correct(draft, given, True)}


# ---- people


def _is_free(staffing: Staffing) -> str:
    """Whether `one` is free, as Python; `kept` is the number that the page names."""
    there = 'one["away"] == 0' if staffing.absence == "flag" else f'(one["away_until"] is None or one["away_until"] < {CLOCK[:10]!r})'
    if staffing.limit == "spare":
        return f'{there} and one["open_items"] + kept < one["most_items"]'
    trainee = ' and (one["trainee"] == 0 or one["open_items"] < kept)' if staffing.limit == "trainee" else ""
    return f'{there} and one["open_items"] < one["most_items"]{trainee}'


def _people(staffing: Staffing, ruling: Ruling) -> str:
    """Functions: `places()` off the page, `people(desk)`, `free(those, desk, kept)`, `taker(those, kept, desk)`."""
    pattern = {"spare": r"Everybody keeps ([0-9]+) places", "trainee": r"must also have fewer than ([0-9]+) open items"}.get(
        staffing.limit, ""
    )
    text = f'read_handbook(page={staffing.page!r})["text"]'
    places = f"int(re.findall({pattern!r}, {text})[0])" if pattern else "0"
    rows = {
        "desk": f"{staffing.listing}(desk=desk)",
        "all": f'[one for one in {staffing.listing}() if one["desk"] == desk]',
        "detail": f'[{staffing.detail}(person_id=one["id"]) for one in {staffing.listing}(desk=desk)]',
    }[staffing.roster]
    room = 'one["open_items"] - one["most_items"], ' if staffing.tie == "room" else ""
    asked = f"[desk, {staffing.fallback!r}]" if staffing.fallback else "[desk]"
    return (
        f"DESKS = {list(ruling.outcomes)!r}\n\n\n"
        f"def places():\n    return {places}\n\n\n"
        f"def people(desk):\n    return {rows}\n\n\n"
        f"def free(those, kept):\n    return [one for one in those if {_is_free(staffing)}]\n\n\n"
        f"def taker(seen, desk, kept):\n"
        f"    for asked in {asked}:\n"
        f"        able = free(seen(asked), kept)\n"
        f"        if able:\n"
        f'            return sorted(able, key=lambda one: (one["open_items"], {room}one["id"]))[0]["id"]\n'
        f"    return None\n\n\n"
    )


def _along(staffing: Staffing) -> str:
    """Functions for who looks once: `everybody()` and, in what it gave, `add(known, who, n)`."""
    known = f"{staffing.listing}()" if staffing.roster == "all" else "[one for desk in DESKS for one in people(desk)]"
    return (
        f"def everybody():\n    return {known}\n\n\n"
        f"def add(known, who, n):\n"
        f"    for one in known:\n"
        f'        if one["id"] == who:\n'
        f'            one["open_items"] = one["open_items"] + n\n\n\n'
    )


_OF_KNOWN = 'lambda desk: [one for one in known if one["desk"] == desk]'


# ---- rows


def _start(draft: Draft, given: TriageTask) -> tuple[str, str]:
    """Functions that find rows, and the beginning of `solve`: `limit`, then `row`, or `waiting` where there are several."""
    ruling = given.ruling
    table = draft.table(ruling.entity)
    reads = reads_of(table)
    start = f"def solve({given.shows}):\n    limit = limits()\n"
    if given.shows == table.key_argument:
        return "", f"{start}    row = {reads.get}({reads.key}={given.shows})\n"
    assert ruling.group is not None
    functions, gathered = of_group(draft, ruling.entity, ruling.group)
    start += found_group(draft, ruling.group, given.shows)
    if given.finds != "key":
        pick = "min" if given.finds == "first" else "max"
        start += f"    key = {pick}([one[{table.key!r}] for one in {gathered} if one[{ruling.state!r}] == 'open'])\n"
        start += f"    row = {reads.get}({reads.key}=key)\n"
        return functions, start
    return functions, start + f"    found = {gathered}\n"


def _waiting(draft: Draft, given: TriageTask, state: str, is_reversed: bool = False) -> str:
    """The line that puts the rows of a state in order."""
    table = draft.table(given.ruling.entity)
    turn = ", reverse=True" if (given.order == "highest") != is_reversed else ""
    return f"    waiting = sorted([one[{table.key!r}] for one in found if one[{given.ruling.state!r}] == {state!r}]{turn})\n"


# ---- the templates


def _route(draft: Draft, given: TriageTask) -> str:
    table = draft.table(given.ruling.entity)
    answer = '{"outcome": outcome}'
    counted = ""
    if given.reports == "free":
        counted = "    able = free(people(outcome), places())\n"
        answer = '{"outcome": outcome, "free": len(able)}'
    return (
        f"    outcome = decide(row, limit)\n{counted}"
        f"    {given.ruling.tool}({table.key_argument}=row[{table.key!r}], outcome=outcome)\n"
        f"    return {answer}\n"
    )


def _route_read_back(draft: Draft, given: TriageTask) -> str:
    table = draft.table(given.ruling.entity)
    key = f"{table.key_argument}=row[{table.key!r}]"
    answer = 'made["outcome"]'
    free = f', "free": len(free(people({answer}), places()))' if given.reports == "free" else ""
    return (
        f"    {given.ruling.tool}({key}, outcome=decide(row, limit))\n"
        f"    made = get_{given.ruling.slug}_record({key})\n"
        f'    return {{"outcome": {answer}{free}}}\n'
    )


def _assign(draft: Draft, given: TriageTask) -> str:
    table = draft.table(given.ruling.entity)
    return (
        f"    outcome = decide(row, limit)\n"
        f"    who = taker(people, outcome, places())\n"
        f"    {given.staffing.assign}({table.key_argument}=row[{table.key!r}], outcome=outcome, person_id=who)\n"
        f'    return {{"outcome": outcome, "person": who or "nobody"}}\n'
    )


def _assign_people_first(draft: Draft, given: TriageTask) -> str:
    table = draft.table(given.ruling.entity)
    key = f"{table.key_argument}=row[{table.key!r}]"
    return (
        f"    known, kept = everybody(), places()\n"
        f"    takers = {{desk: taker({_OF_KNOWN}, desk, kept) for desk in DESKS}}\n"
        f"    outcome = decide(row, limit)\n"
        f"    if takers[outcome] is None:\n"
        f"        {given.staffing.assign}({key}, outcome=outcome)\n"
        f'        return {{"outcome": outcome, "person": "nobody"}}\n'
        f"    {given.staffing.assign}({key}, outcome=outcome, person_id=takers[outcome])\n"
        f'    return {{"outcome": outcome, "person": {given.staffing.shown}({key})["person_id"]}}\n'
    )


def _work_off(draft: Draft, given: TriageTask, is_along: bool) -> str:
    table = draft.table(given.ruling.entity)
    reads = reads_of(table)
    answer = {
        "counted": f'{{"count": len([one for one in outcomes if one == {given.counted!r}])}}',
        "unassigned": '{"unassigned": len([one for one in takers if one is None])}',
        "people": '{"people": sorted(set([one for one in takers if one is not None]))}',
    }[given.reports]
    seen = "known, kept = everybody(), places()" if is_along else "kept = places()"
    return (
        f"    {seen}\n"
        f"{_waiting(draft, given, 'open')}"
        f"    outcomes, takers = [], []\n"
        f"    for key in waiting:\n"
        f"        outcome = decide({reads.get}({reads.key}=key), limit)\n"
        f"        who = taker({_OF_KNOWN if is_along else 'people'}, outcome, kept)\n"
        f"        {given.staffing.assign}({reads.key}=key, outcome=outcome, person_id=who)\n"
        + ("        add(known, who, 1)\n" if is_along else "")
        + f"        outcomes.append(outcome)\n        takers.append(who)\n    return {answer}\n"
    )


def _hand_on(draft: Draft, given: TriageTask, is_along: bool) -> str:
    """Correct outcome and person, in the order that counts."""
    reads = reads_of(draft.table(given.ruling.entity))
    seen = "known, kept = everybody(), places()" if is_along else "kept = places()"
    former = f'            add(known, {given.staffing.shown}({reads.key}=key)["person_id"], -1)\n            add(known, who, 1)\n'
    return (
        f"    {seen}\n"
        f"{_waiting(draft, given, 'decided')}"
        f"    corrected = []\n"
        f"    for key in waiting:\n"
        f"        outcome = decide({reads.get}({reads.key}=key), limit)\n"
        f'        if get_{given.ruling.slug}_record({reads.key}=key)["outcome"] != outcome:\n'
        f"            who = taker({_OF_KNOWN if is_along else 'people'}, outcome, kept)\n"
        + (former if is_along else "")
        + f"            {given.staffing.reroute}({reads.key}=key, outcome=outcome, person_id=who)\n"
        f"            corrected.append(key)\n"
        f"    return {_corrected(given)}\n"
    )


def _correct(draft: Draft, given: TriageTask, is_reversed: bool) -> str:
    """Correct outcomes alone, in any order."""
    reads = reads_of(draft.table(given.ruling.entity))
    return (
        f"{_waiting(draft, given, 'decided', is_reversed)}"
        f"    corrected = []\n"
        f"    for key in waiting:\n"
        f"        outcome = decide({reads.get}({reads.key}=key), limit)\n"
        f'        if get_{given.ruling.slug}_record({reads.key}=key)["outcome"] != outcome:\n'
        f"            {given.staffing.reroute}({reads.key}=key, outcome=outcome)\n"
        f"            corrected.append(key)\n"
        f"    return {_corrected(given)}\n"
    )


def _corrected(given: TriageTask) -> str:
    return '{"corrected": len(corrected)}' if given.reports == "count" else '{"corrected": corrected}'
