"""References of approval chains: read both pages, find the level, go down the line of those who may sign, ask, close.

Takes a task with what its pattern gave; gives plans. The reference looks at everybody first; the alternative at people only when
they come up, at the request before the pages, and at the last request first where there are several.
"""

from __future__ import annotations

import re

from worldwright.synthesis.author_reference.rulings import HEAD, decide_code, found_group, of_group
from worldwright.synthesis.draft import Draft, TaskDraft
from worldwright.synthesis.patterns.approval import ApprovalTask, Signatories
from worldwright.synthesis.reads import reads_of
from worldwright.synthesis.ruling import Ruling

__all__ = ["write"]


def write(draft: Draft, task: TaskDraft) -> dict[str, str]:
    """The plans of a task of this pattern by file name: `reference.py` and one alternative."""
    given: ApprovalTask = task.given
    head = HEAD + _limits_code(given.ruling) + decide_code(draft, given.ruling) + _rules_code(given.signatories)
    one = task.template == "chain" or given.scope == "one"
    if task.template == "lacking":
        head += _holders_code(given.signatories, eager=True) + _counted_code(given)
        functions, reference = _lacking_code(draft, given, "")
        alternative = _lacking_code(draft, given, "reversed")[1]
        return {"reference.py": head + functions + reference, "alternative-last-first.py": head + functions + alternative}
    out = {}
    for file, eager in (("reference.py", True), ("alternative-people-last.py" if one else "alternative-last-first.py", False)):
        signing = _holders_code(given.signatories, eager) + _line_code(given.signatories) + _signers_code(given)
        out[file] = (
            head + signing + (_one_code(draft, given, task.template, eager) if one else _many_code(draft, given, task.template, eager))
        )
    return out


# ---- functions that every plan has


def _limits_code(ruling: Ruling) -> str:
    """`limits()`: each parameter and its number, found by its whole sentence, since two sentences may differ in their last words only."""
    lines = ["def limits():", f'    page = read_handbook(page={ruling.page!r})["text"]', "    return {"]
    for name, sentence in ruling.parameters().items():
        parts = re.split(r"\{\{ policy\.(\w+) \}\}", sentence)
        pattern = "".join(
            ("([0-9]+)" if part == name else "[0-9]+") if n % 2 else re.escape(part).replace("\\ ", " ") for n, part in enumerate(parts)
        )
        lines.append(f"        {name!r}: int(re.findall({pattern!r}, page)[0]),")
    return "\n".join([*lines, "    }", "", "", ""])


def _rules_code(who: Signatories) -> str:
    """`rules()`: the levels that sign, from the lowest, and how many deputies may be tried."""
    deputies = 'int(re.findall(r"at most ([0-9]+) deputies in all", page)[0])' if who.depth else "1"
    return (
        f"def rules():\n"
        f'    page = read_handbook(page={who.page!r})["text"]\n'
        f'    levels = re.findall("\'([^\']+)\'", re.findall(r"Levels, from the lowest: ([^.]+)\\.", page)[0])\n'
        f"    return levels, {deputies}\n\n\n"
    )


def _holders_code(who: Signatories, eager: bool) -> str:
    """`look(signatory_id, seen)`, which looks at a person once, and `holders(seen)`: who holds which level."""
    look = (
        f"def look(signatory_id, seen):\n"
        f"    if signatory_id not in seen:\n"
        f"        seen[signatory_id] = {who.get_person}(signatory_id=signatory_id)\n"
        f"    return seen[signatory_id]\n\n\n"
    )
    row = "one" if who.rules.listed and not eager else 'look(one["id"], seen)'
    return look + (
        f"def holders(seen):\n"
        f"    out = {{}}\n"
        f"    for one in {who.list_people}():\n"
        f"        person = {row}\n"
        f'        if person["level"] is not None:\n'
        f'            out[person["level"]] = person["id"]\n'
        f"    return out\n\n\n"
    )


def _line_code(who: Signatories) -> str:
    """`able(...)`, and `line(...)`: who is tried for a level, in order."""
    sign = ">=" if who.rules.away == "last" else ">"
    able = (
        f"def able(signatory_id, group, seen, today):\n"
        f'    away = look(signatory_id, seen)["away_until"]\n'
        f"    if away is not None and away {sign} today:\n"
        f"        return False\n"
    )
    if who.conflicts:
        able += f'    return {who.check_conflict}(signatory_id=signatory_id, {who.group_key}=group)["conflict"] == 0\n\n\n'
    else:
        able += "    return True\n\n\n"
    if who.rules.line == "above":
        return able + (
            "def line(level, levels, deputies, held, seen):\n"
            "    at = levels.index(level)\n"
            "    out = [held[one] for one in levels[at:at + 2]]\n"
            '    deputy = look(held[level], seen)["deputy_id"]\n'
            "    return out if deputy is None else out + [deputy]\n\n\n"
        )
    return able + (
        "def line(level, levels, deputies, held, seen):\n"
        "    out = []\n"
        "    for one in levels[levels.index(level):]:\n"
        "        person = held[one]\n"
        "        out.append(person)\n"
        "        for n in range(deputies):\n"
        '            person = look(person, seen)["deputy_id"]\n'
        "            if person is None:\n"
        "                break\n"
        "            out.append(person)\n"
        "    return out\n\n\n"
    )


def _needed(who: Signatories, outcome: str, indent: str) -> str:
    """Lines that give `needed`, the levels that sign, from `outcome` and `levels`."""
    spans = {
        "all": "levels[:at + 1]",
        "two": "levels[max(0, at - 1):at + 1]",
        "ends": "[levels[0]] if at == 0 else [levels[0], levels[at]]",
    }
    at = spans[who.rules.span]
    if who.unsigned:
        return f"{indent}at = levels.index({outcome}) if {outcome} in levels else -1\n{indent}needed = [] if at < 0 else {at}\n"
    return f"{indent}at = levels.index({outcome})\n{indent}needed = {at}\n"


def _signers_code(given: ApprovalTask) -> str:
    """`signers(...)`: who signs, in order; None where the request is held."""
    who = given.signatories
    passed = who.rules.twice == "passed"
    last = "        if not found:\n            return None\n" if who.rules.nobody == "held" else ""
    return (
        f"def signers(outcome, group, levels, deputies, held, seen, today):\n"
        f"{_needed(who, 'outcome', '    ')}"
        f"    out = []\n"
        f"    for level in needed:\n"
        f"        found = []\n"
        f"        for person in line(level, levels, deputies, held, seen):\n"
        f"            if {'person not in out and ' if passed else ''}able(person, group, seen, today):\n"
        f"                found = [person]\n"
        f"                break\n"
        f"{last}"
        f"        out = out + [person for person in found if person not in out]\n"
        f"    return out\n\n\n"
    )


# ---- one request


def _group_of(draft: Draft, given: ApprovalTask) -> str:
    """The line that finds the key of the group that a request belongs to."""
    assert given.ruling.group is not None
    if not given.signatories.conflicts:
        return "    group = None\n"
    first, *further = given.ruling.group.hops
    if not further:
        return f"    group = row[{first.column!r}]\n"
    reads = reads_of(draft.table(first.entity))
    return f"    group = {reads.get}({reads.key}=row[{first.column!r}])[{further[0].column!r}]\n"


def _one_code(draft: Draft, given: ApprovalTask, template: str, eager: bool) -> str:
    who, reads = given.signatories, reads_of(draft.table(given.ruling.entity))
    pages = '    limit = limits()\n    levels, deputies = rules()\n    today = clock()["now"][:10]\n'
    people = "    seen = {}\n    held = holders(seen)\n"
    row = f"    row = {reads.get}({reads.key}={given.shows})\n{_group_of(draft, given)}"
    code = f"def solve({given.shows}):\n" + (pages + people + row if eager else row + pages + people)
    code += "    outcome = decide(row, limit)\n    asked = signers(outcome, group, levels, deputies, held, seen, today)\n"
    if template == "name":
        return code + '    return {"signers": asked}\n'
    if who.rules.nobody == "held":
        code += '    if asked is None:\n        return {"level": "held", "signatures": 0}\n'
    if who.rules.begun:
        code += (
            f'    signed = [one["signatory_id"] for one in {who.list_signatures}({who.key}={given.shows})]\n'
            f"    asked = [person for person in asked if person not in signed]\n"
        )
    return code + (
        f"    for person in asked:\n"
        f"        {who.ask}({who.key}={given.shows}, signatory_id=person)\n"
        f"    {given.close}({who.key}={given.shows}, outcome=outcome)\n"
        f'    return {{"level": outcome, "signatures": len(asked)}}\n'
    )


# ---- the requests of a group


def _each(draft: Draft, given: ApprovalTask, state: str, order: str) -> tuple[str, str]:
    """Functions, and the head of the loop over a group's requests in a state; `row` is the request."""
    assert given.ruling.group is not None
    table = draft.table(given.ruling.entity)
    reads = reads_of(table)
    functions, gathered = of_group(draft, given.ruling.entity, given.ruling.group)
    rows = f"{order}({gathered})" if order else gathered
    return functions, (
        f"    for one in {rows}:\n"
        f"        if one[{given.ruling.state!r}] != {state!r}:\n"
        f"            continue\n"
        f"        row = {reads.get}({reads.key}=one[{table.key!r}])\n"
    )


def _many_code(draft: Draft, given: ApprovalTask, template: str, eager: bool) -> str:
    ruling, who, table = given.ruling, given.signatories, draft.table(given.ruling.entity)
    assert ruling.group is not None
    functions, loop = _each(draft, given, "open", "" if eager else "reversed")
    pages = '    limit = limits()\n    levels, deputies = rules()\n    today = clock()["now"][:10]\n'
    code = f"def solve({given.shows}):\n{pages}{found_group(draft, ruling.group, given.shows)}    seen = {{}}\n    held = holders(seen)\n"
    code += ("    times = {}\n" if template == "name" else "    closed, count = 0, 0\n") + loop + "        outcome = decide(row, limit)\n"
    if given.part == "above":
        code += f"        if outcome == {given.lowest!r}:\n            continue\n"
    code += "        asked = signers(outcome, group, levels, deputies, held, seen, today)\n"
    if who.rules.nobody == "held":
        code += "        if asked is None:\n            continue\n"
    if who.rules.begun:
        code += (
            f'        signed = [each["signatory_id"] for each in {who.list_signatures}({who.key}=row[{table.key!r}])]\n'
            f"        asked = [person for person in asked if person not in signed]\n"
        )
    if template == "name":
        return (
            functions
            + code
            + (
                "        for person in asked:\n"
                "            times[person] = times.get(person, 0) + 1\n"
                "    most = max(times.values())\n"
                '    return {"person": min([person for person in times if times[person] == most]), "count": most}\n'
            )
        )
    return (
        functions
        + code
        + (
            f"        for person in asked:\n"
            f"            {who.ask}({who.key}=row[{table.key!r}], signatory_id=person)\n"
            f"        {given.close}({who.key}=row[{table.key!r}], outcome=outcome)\n"
            f"        closed, count = closed + 1, count + len(asked)\n"
            f'    return {{"closed": closed, "signatures": count}}\n'
        )
    )


# ---- what lacks a signature


def _counted_code(given: ApprovalTask) -> str:
    """`counted(...)`: the levels that the signatures of a request count for."""
    who = given.signatories
    conflict = ""
    if who.conflicts:
        conflict = f'        if {who.check_conflict}(signatory_id=person, {who.group_key}=group)["conflict"] == 1:\n            continue\n'
    return (
        f"def counted(key, group, held, seen):\n"
        f"    out = []\n"
        f"    for one in {who.list_signatures}({who.key}=key):\n"
        f'        person = one["signatory_id"]\n'
        f"{conflict}"
        f'        out = out + [level for level in held if person in (held[level], seen[held[level]]["deputy_id"])]\n'
        f"    return out\n\n\n"
    )


def _lacking_code(draft: Draft, given: ApprovalTask, order: str) -> tuple[str, str]:
    ruling, who, table = given.ruling, given.signatories, draft.table(given.ruling.entity)
    assert ruling.group is not None
    functions, loop = _each(draft, given, "decided", order)
    code = (
        f"def solve({given.shows}):\n    limit = limits()\n    levels, deputies = rules()\n{found_group(draft, ruling.group, given.shows)}"
    )
    code += f"    seen = {{}}\n    held = holders(seen)\n    found = []\n{loop}        outcome = decide(row, limit)\n"
    code += f"        there = counted(row[{table.key!r}], group, held, seen)\n"
    if given.measure == "every":
        code += _needed(who, "outcome", "        ") + "        if all([level in there for level in needed]):\n            continue\n"
    else:
        if who.unsigned:
            code += f"        if outcome == {who.unsigned!r}:\n            continue\n"
        code += "        if max([levels.index(level) for level in there] + [-1]) >= levels.index(outcome):\n            continue\n"
    answer = "len(found)" if given.report == "count" else "found"
    return functions, code + (
        f"        {given.reopen}({who.key}=row[{table.key!r}])\n"
        f"        found.append(row[{table.key!r}])\n"
        f'    return {{"reopened": {answer}}}\n'
    )
