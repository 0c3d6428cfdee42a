"""References of schedules: read the page, the crew and the bookings, weigh each half-day by the rules, then write.

Written from brief, page and tools. Each plan states only the rules that its world has; sets are planned by search, so that no booking
is made before all of them fit.
"""

from __future__ import annotations

from worldwright.synthesis.author_reference.rulings import found_group
from worldwright.synthesis.draft import PAGE, Draft, TaskDraft
from worldwright.synthesis.patterns.schedule import HALVES, Schedule, ScheduleTask
from worldwright.synthesis.reads import reads_of

__all__ = ["write"]


def write(draft: Draft, task: TaskDraft) -> dict[str, str]:
    """The plans of a task of this pattern by file name: `reference.py`, and an alternative that reads and chooses another way."""
    given: ScheduleTask = task.given
    solve = {"plan": _plan, "earliest": _earliest, "relieve": _relieve}[task.template]
    names = {
        "plan": "alternative-from-the-end.py",
        "earliest": "alternative-member-by-member.py",
        "relieve": "alternative-other-members.py",
    }
    return {
        "reference.py": _shared(draft, given, by_day=True) + solve(draft, given, False),
        names[task.template]: _shared(draft, given, by_day=False) + solve(draft, given, True),
    }


# ---- what all plans share


def _shared(draft: Draft, given: ScheduleTask, by_day: bool) -> str:
    """Functions that read the page, the crew, the bookings and the rows, and the test of a half-day."""
    rules = given.rules
    person = rules.person
    if by_day:
        bookings = f"def bookings(team):\n    return [one for day in DAYS for one in {rules.bookings_on}(day=day)]\n\n\n"
    else:
        bookings = f"def bookings(team):\n    return [one for member in team for one in {rules.bookings_of}({person}=member)]\n\n\n"
    return (
        f"import re\n\nDAYS = {list(rules.days)!r}\nSPOTS = [(day, half) for day in DAYS for half in {list(HALVES)!r}]\n\n\n"
        f'def most_bookings():\n    page = read_handbook(page={rules.page!r})["text"]\n'
        f'    return int(re.findall("Nobody has more than ([0-9]+) bookings", page)[0])\n\n\n'
        f"def crew():\n    found = {{}}\n    for one in {rules.list_crew}():\n"
        f"        found[one[{person!r}]] = {rules.inspect}({person}=one[{person!r}])\n    return found\n\n\n"
        + bookings
        + _is_right(draft, rules)
        + (_gathering(draft, rules) if rules.apart or given.scope == "group" else "")
    )


def _is_right(draft: Draft, rules: Schedule) -> str:
    """The function `is_right(row, member, team, spot, made, most)`, with the rules of this world."""
    key = draft.table(rules.entity).key
    category, person = f"row[{rules.category!r}]", f"one[{rules.person!r}]"
    lines = [
        "def is_right(row, member, team, spot, made, most):",
        "    day, half = spot",
        "    card = team[member]",
        f'    if {category} not in [line["skill"] for line in card]:',
        "        return False",
    ]
    if rules.away == "day":
        lines += ['    if card[0]["away_on"] == day:', "        return False"]
    else:
        lines += [
            '    if card[0]["away_from"] is not None and card[0]["away_from"] <= day <= card[0]["away_until"]:',
            "        return False",
        ]
    if rules.senior:
        lines += [f'    if {category} == {rules.senior!r} and card[0]["senior"] != 1:', "        return False"]
    if rules.morning:
        lines += [f'    if {category} == {rules.morning!r} and half != "morning":', "        return False"]
    if rules.ready:
        lines += [f"    if row[{rules.ready!r}] is not None and day < row[{rules.ready!r}]:", "        return False"]
    lines += [
        '    then = [one for one in made if one["day"] == day and one["half"] == half]',
        f"    if [one for one in then if {person} == member]:",
        "        return False",
    ]
    if rules.apart:
        mate = f'one[{rules.key!r}] in row["mates"] and one[{rules.key!r}] != row[{key!r}]'
        lines += [f"    if [one for one in then if {mate}]:", "        return False"]
    counted = f'{person} == member and one["day"] == day' if rules.cap == "day" else f"{person} == member"
    return "\n".join([*lines, f"    return len([one for one in made if {counted}]) < most", "", "", ""])


def _turned(name: str, tool: str, argument: str) -> str:
    """A function that turns the pages of a list."""
    return (
        f"def {name}({argument}):\n    found, page = [], 1\n    while True:\n"
        f"        got = {tool}({f'{argument}={argument}, ' if argument else ''}page=page)\n"
        f"        found = found + got\n        if len(got) < {PAGE}:\n            return found\n        page = page + 1\n\n\n"
    )


def _gathering(draft: Draft, rules: Schedule) -> str:
    """The functions `members(group)`, all rows of a group, and `row_of(key)`, a row with what its group's rows are (`mates`)."""
    assert rules.group is not None
    table = draft.table(rules.entity)
    reads = reads_of(table)
    first = rules.group.hops[0]
    filtered = first.column in reads.filters
    out = _turned("listed", reads.list, first.column if filtered else "")
    if len(rules.group.hops) == 1:
        rows = "listed(group)" if filtered else f"[one for one in listed() if one[{first.column!r}] == group]"
        out += f"def members(group):\n    return {rows}\n\n\n"
        group = f"row[{first.column!r}]"
    else:
        middle, second = draft.table(first.entity), rules.group.hops[1]
        inner = reads_of(middle)
        between = second.column in inner.filters
        out += _turned("between", inner.list, second.column if between else "")
        keys = f"[one[{middle.key!r}] for one in between({'group' if between else ''}) if one[{second.column!r}] == group]"
        each = "[one for key in keys for one in listed(key)]" if filtered else f"[one for one in listed() if one[{first.column!r}] in keys]"
        out += f"def members(group):\n    keys = {keys}\n    return {each}\n\n\n"
        group = f"{inner.get}({inner.key}=row[{first.column!r}])[{second.column!r}]"
    if not rules.apart:
        return out
    return (
        f"{out}def row_of(key):\n    row = {reads.get}({reads.key}=key)\n"
        f'    row["mates"] = [one[{table.key!r}] for one in members({group})]\n    return row\n\n\n'
    )


def _got(draft: Draft, rules: Schedule, key: str) -> str:
    """The expression for a row with all that the rules look at."""
    reads = reads_of(draft.table(rules.entity))
    return f"row_of({key})" if rules.apart else f"{reads.get}({reads.key}={key})"


# ---- the three templates


def _plan(draft: Draft, given: ScheduleTask, other: bool) -> str:
    rules = given.rules
    table = draft.table(rules.entity)
    reads = reads_of(table)
    shown, key = given.shows[0], repr(table.key)
    spots, members = ("reversed(SPOTS)", "reversed(list(team))") if other else ("SPOTS", "team")
    beside = {
        "": "",
        "people": f" and member not in [one[{rules.person!r}] for one in chosen]",
        "days": ' and spot[0] not in [one["day"] for one in chosen]',
        "two": ' and len([one for one in chosen if one["day"] == spot[0]]) < 2',
    }[given.extra]
    search = (
        f"def placed(left, chosen, team, made, most):\n    if not left:\n        return chosen\n    row = left[0]\n"
        f"    for spot in {spots}:\n        for member in {members}:\n"
        f"            if is_right(row, member, team, spot, made + chosen, most){beside}:\n"
        f'                one = {{{rules.key!r}: row[{key}], {rules.person!r}: member, "day": spot[0], "half": spot[1]}}\n'
        f"                found = placed(left[1:], chosen + [one], team, made, most)\n"
        f"                if found is not None:\n                    return found\n    return None\n\n\n"
    )
    start = f"def solve({shown}):\n    most, team = most_bookings(), crew()\n    made = bookings(team)\n"
    waits = f'[one[{key}] for one in everything if one[{rules.state!r}] == "waiting"]'
    if given.scope == "group" and rules.group is not None:
        start += found_group(draft, rules.group, shown) + "    everything = members(group)\n"
        start += f"    rows = [{reads.get}({reads.key}=key) for key in {waits}]\n"
        if rules.apart:
            start += f'    for row in rows:\n        row["mates"] = [one[{key}] for one in everything]\n'
        before = ""
    else:
        before = _turned("every_row", reads.list, "")
        start += f"    everything = every_row()\n    rows = [{reads.get}({reads.key}=key) for key in {waits}]\n"
        start += f"    rows = [row for row in rows if row[{rules.category!r}] == {shown}]\n"
        start += f"    rows = [row_of(row[{key}]) for row in rows]\n" if rules.apart else ""
    last = "reversed(plan)" if other else "plan"
    return before + search + start + (
        f"    ways = {{row[{key}]: len([0 for spot in SPOTS for member in team if is_right(row, member, team, spot, made, most)]) for row in rows}}\n"
        f"    plan = placed(sorted([row for row in rows if ways[row[{key}]] > 0], key=lambda row: ways[row[{key}]]), [], team, made, most)\n"
        f"    for one in {last}:\n"
        f"        {rules.book}({rules.key}=one[{rules.key!r}], {rules.person}=one[{rules.person!r}], day=one[\"day\"], half=one[\"half\"])\n"
        f"    never = [row for row in rows if ways[row[{key}]] == 0]\n"
        f"    for row in never:\n        {rules.hold}({rules.key}=row[{key}])\n"
        f'    return {{"booked": len(plan), "held": len(never)}}\n'
    )  # fmt: skip


def _earliest(draft: Draft, given: ScheduleTask, other: bool) -> str:
    rules = given.rules
    shown = given.shows[0]
    suits = f' and spot[1] == "{given.wish}"' if given.wish else ""
    count = f"len([one for one in made if one[{rules.person!r}] == member])"
    head = (
        f"def solve({shown}):\n    most, team = most_bookings(), crew()\n    made = bookings(team)\n    row = {_got(draft, rules, shown)}\n"
    )
    book = f"{rules.book}({rules.key}={shown}, {rules.person}=member, day=spot[0], half=spot[1])\n"
    answer = 'return {"day": spot[0], "half": spot[1], "member": str(member)}\n'
    never = f'    {rules.hold}({rules.key}={shown})\n    return {{"day": "none", "half": "none", "member": "none"}}\n'
    if not other:
        first = f"sorted(able, key=lambda member: {count})[0]" if rules.tie == "fewest" else "able[0]"
        return (
            f"{head}    for spot in SPOTS:\n"
            f"        able = [member for member in team if is_right(row, member, team, spot, made, most){suits}]\n"
            f"        if able:\n            member = {first}\n            {book}            {answer}{never}"
        )
    order = f"(n, {count}, m)" if rules.tie == "fewest" else "(n, m)"
    return (
        f"{head}    found = []\n    for m, member in enumerate(team):\n        for n, spot in enumerate(SPOTS):\n"
        f"            if is_right(row, member, team, spot, made, most){suits}:\n"
        f"                found.append(({order}, member, spot))\n                break\n"
        f"    if found:\n        _, member, spot = sorted(found, key=lambda one: one[0])[0]\n        {book}        {answer}{never}"
    )


def _relieve(draft: Draft, given: ScheduleTask, other: bool) -> str:
    rules = given.rules
    person, key = rules.person, repr(draft.table(rules.entity).key)
    sign = "==" if given.span == "day" else ">="
    spots = "SPOTS[own:]" if rules.relief == "later" else "[SPOTS[own]]"
    start = (
        f"def solve({person}, day):\n    most, team = most_bookings(), crew()\n    made = bookings(team)\n"
        f'    mine = [one for one in made if one[{person!r}] == {person} and one["day"] {sign} day]\n'
        f"    jobs, kept, later, held = [], 0, 0, 0\n"
        f'    for booking in sorted(mine, key=lambda one: SPOTS.index((one["day"], one["half"]))):\n'
        f"        row = {_got(draft, rules, f'booking[{rules.key!r}]')}\n"
        f'        own = SPOTS.index((booking["day"], booking["half"]))\n        able = []\n'
        f"        for spot in {spots}:\n"
        f"            able = [member for member in team if member != {person} and is_right(row, member, team, spot, made, most)]\n"
        f"            if able:\n                break\n"
    )
    hold = f"        if not able:\n            {rules.hold}({rules.key}=row[{key}])\n            held = held + 1\n            continue\n"
    count = "kept, later = kept + int(spot == SPOTS[own]), later + int(spot != SPOTS[own])\n"
    answer = '    return {"kept": kept, "later": later, "held": held}\n'
    given_to = f'{{{rules.key!r}: row[{key}], {person!r}: member, "day": spot[0], "half": spot[1]}}'
    if rules.reliever == "key":
        return (
            f"{start}        made = [one for one in made if one[{rules.key!r}] != row[{key}]]\n{hold}        member = able[0]\n"
            f"        {rules.move}({rules.key}=row[{key}], {person}=member, day=spot[0], half=spot[1])\n"
            f"        made = made + [{given_to}]\n        {count}{answer}"
        )
    search = (
        f"def shared_out(jobs, made, team, most):\n    if not jobs:\n        return []\n    row, own, spot, able = jobs[0]\n"
        f"    for member in {'reversed(able)' if other else 'able'}:\n        if is_right(row, member, team, spot, made, most):\n"
        f"            rest = shared_out(jobs[1:], made + [{given_to}], team, most)\n"
        f"            if rest is not None:\n                return [(row, own, spot, member)] + rest\n    return None\n\n\n"
    )
    return (
        f"{search}{start}{hold}        jobs.append((row, own, spot, able))\n"
        f"    left = [one for one in made if one not in mine]\n    for row, own, spot, member in shared_out(jobs, left, team, most):\n"
        f"        {rules.move}({rules.key}=row[{key}], {person}=member, day=spot[0], half=spot[1])\n        {count}{answer}"
    )
