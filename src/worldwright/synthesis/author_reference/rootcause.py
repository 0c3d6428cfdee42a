"""References of root causes: follow the chain, check each row on it, decide by the page, record, notify, close.

Gives `reference.py`, which walks row by row, and `alternative-by-map.py`, which first reads the whole table and works backwards. Both
call tools only and take the parameters off the handbook's page.
"""

from __future__ import annotations

import re

from worldwright.synthesis.author_reference.rulings import HEAD
from worldwright.synthesis.draft import CLOCK, PAGE, Draft, Table, TaskDraft
from worldwright.synthesis.patterns.rootcause import CauseTask, ChainTask, ImpactTask, Motif, Outages, Rules
from worldwright.synthesis.reads import Reads, reads_of

__all__ = ["write"]


def write(draft: Draft, task: TaskDraft) -> dict[str, str]:
    """The plans of a task of this pattern by file name."""
    given = task.given
    assert isinstance(given, (CauseTask, ImpactTask, ChainTask))
    out = {}
    for file, mapped in (("reference.py", False), ("alternative-by-map.py", True)):
        if isinstance(given, CauseTask):
            out[file] = _settling(draft, given, mapped)
        elif isinstance(given, ImpactTask):
            out[file] = _preparing(draft, given, mapped)
        else:
            out[file] = _looking(draft, given, mapped)
    return out


# ---- parts


def _block(*lines: str) -> str:
    return "\n".join(lines) + "\n\n\n"


def _limits(page: str, sentences: dict[str, str]) -> str:
    """A function `limits()` that reads a page: parameter to number."""
    found = [f"        {name!r}: int(re.findall({_pattern(sentence, name)!r}, page)[0])," for name, sentence in sentences.items()]
    return _block("def limits():", f'    page = read_handbook(page={page!r})["text"]', "    return {", *found, "    }")


def _pattern(sentence: str, name: str) -> str:
    """What finds a parameter in its sentence: the words before and after it."""
    before, _, after = sentence.partition(f"{{{{ policy.{name} }}}}")
    before = re.split(r"\{\{ policy\.\w+ \}\}", before)[-1][-40:]
    after = re.split(r"\{\{ policy\.\w+ \}\}", after)[0][:24]
    return f"{re.escape(before)}([0-9]+){re.escape(after)}".replace("\\ ", " ")


def _pages(name: str, tool: str, arguments: str) -> str:
    """A function that turns the pages of a list; `arguments` as they are passed, each named as the function's parameter."""
    given = ", ".join(f"{one}={one}" for one in arguments.split()) + ", " if arguments else ""
    return _block(
        f"def {name}({', '.join(arguments.split())}):",
        "    found, page = [], 1",
        "    while True:",
        f"        got = {tool}({given}page=page)",
        "        found = found + got",
        f"        if len(got) < {PAGE}:",
        "            return found",
        "        page = page + 1",
    )


def _listed(draft: Draft, table: Table, column: str) -> bool:
    """Whether the table's list shows a column."""
    return column not in draft.unlisted.get(table.entity, set()) | draft.veiled.get(table.entity, set())


def _all_rows(draft: Draft, table: Table, column: str) -> str:
    """An expression for all rows with that column, from the function `every`."""
    reads = reads_of(table)
    if _listed(draft, table, column):
        return "every()"
    return f"[{reads.get}({reads.key}=one[{table.key!r}]) for one in every()]"


def _walks(draft: Draft, motif: Motif, mapped: bool) -> str:
    """Functions `hangs()` (a map, where the plan has one), `chain(key, needs)` and `below(key, needs)`."""
    table = draft.table(motif.entity)
    reads = reads_of(table)
    filtered = motif.ref in reads.filters
    whole = _pages("every", reads.list, "") + _block(
        "def hangs():", f"    return {{one[{table.key!r}]: one[{motif.ref!r}] for one in {_all_rows(draft, table, motif.ref)}}}"
    )
    step = "needs[key]" if mapped else f"{reads.get}({reads.key}=key)[{motif.ref!r}]"
    chain = _block(
        "def chain(key, needs):",
        "    keys = []",
        "    while key is not None:",
        "        keys.append(key)",
        f"        key = {step}",
        "    return keys",
    )
    if mapped:
        return whole + chain + _block("def below(key, needs):", "    return [one for one in needs if needs[one] == key]")
    if filtered:
        direct = _pages("hanging", reads.list, motif.ref)
        return direct + chain + _block("def below(key, needs):", f"    return [one[{table.key!r}] for one in hanging(key)]")
    return (
        whole
        + chain
        + _block(
            "def below(key, needs):",
            "    every_need = needs or hangs()",
            "    return [one for one in every_need if every_need[one] == key]",
        )
    )


def _check(motif: Motif, key: str) -> str:
    return f"{motif.check}({motif.key}={key})"


def _key_of(table: Table, reads: Reads, shows: str, label: str) -> str:
    """The expression for the key of the row that a brief shows."""
    if not label:
        return shows
    return f"[one for one in {reads.find}(text={shows}) if one[{label!r}] == {shows}][0][{table.key!r}]"


_DAYS = _block(
    "def days(later, earlier):", "    return (datetime.date.fromisoformat(later[:10]) - datetime.date.fromisoformat(earlier[:10])).days"
)


# ---- causes


def _judging(motif: Motif, rules: Rules) -> str:
    """A function `judge(incident, limit, needs)`: the cause's key, the fix, and the steps to the cause."""
    tests = [f'one["state"] == {motif.failed!r}']
    tests += [f"one[{motif.cover!r}] == 0"] if rules.covered else []
    tests += ['one["since"] <= report'] if rules.late else []
    lines = [
        "def judge(incident, limit, needs):",
        '    report = incident["reported_on"]',
        f"    seen = [{_check(motif, 'key')} for key in chain(incident[{motif.key!r}], needs)]",
        f"    blamed = [one for one in seen if {' and '.join(tests)}]",
    ]
    if rules.pick == "earliest":
        lines += [
            "    if blamed:",
            '        first = min([one["since"] for one in blamed])',
            '        blamed = [one for one in blamed if one["since"] == first]',
        ]
    lines.append("    cause = blamed[-1] if blamed else None")
    if rules.window:
        lines += [
            f'    changed = [one for one in seen if 0 <= days(report, one["changed_on"]) <= limit[{rules.window!r}]]',
            "    if cause is None and changed:",
            '        last = max([one["changed_on"] for one in changed])',
            f'        cause = [one for one in changed if one["changed_on"] == last][{-1 if rules.tie == "deepest" else 0}]',
        ]
    lines += [
        "    if cause is None:",
        '        return None, "none", 0',
        f"    key = cause[{motif.key!r}]",
        f"    steps = [one[{motif.key!r}] for one in seen].index(key)",
    ]
    for step in rules.steps:
        test = {
            "old": f'cause["state"] == {motif.failed!r} and days(report, cause["since"]) > limit[{step.parameter!r}]',
            "crowd": f"len(below(key, needs)) > limit[{step.parameter!r}]",
            "recent": f'0 <= days(report, cause["changed_on"]) <= limit[{step.parameter!r}]',
            "otherwise": "",
        }[step.test]
        lines += [f"    if {test}:", f"        return key, {step.fix!r}, steps"] if test else [f"    return key, {step.fix!r}, steps"]
    return _block(*lines)


def _settle(motif: Motif, rules: Rules, mapped: bool) -> str:
    """A function `settle(number, cause, fix, needs, told)`; `told` are the pairs that have been notified."""
    lines = [
        "def settle(number, cause, fix, needs, told):",
        "    if cause is None:",
        f"        {motif.record}({motif.id}=number, fix=fix)",
        "    else:",
        f"        {motif.record}({motif.id}=number, {motif.cause}=cause, fix=fix)",
    ]
    tell = [
        f"    if fix in {list(rules.warned)!r}:",
        f"        for key in {'reversed(below(cause, needs))' if mapped else 'below(cause, needs)'}:",
        "            if (key, cause) not in told:",
        f"                {motif.notify}({motif.key}=key, {motif.about}=cause)",
        "                told.append((key, cause))",
    ]
    left = [fix for fix, ending in rules.endings.items() if ending == "leave"]
    handed = [fix for fix, ending in rules.endings.items() if ending == "hand over"]
    end: list[str] = []
    if handed:
        end += [f"    if fix in {handed!r}:", f"        {motif.hand_over}({motif.id}=number)"]
    if left:
        end += [f"    {'elif' if end else 'if'} fix not in {left!r}:", f"        {motif.close}({motif.id}=number)"]
    elif end:
        end += ["    else:", f"        {motif.close}({motif.id}=number)"]
    else:
        end = [f"    {motif.close}({motif.id}=number)"]
    tell = tell if rules.warned else []
    return _block(*lines, *(end + tell if mapped else tell + end))


def _settling(draft: Draft, given: CauseTask, mapped: bool) -> str:
    motif, rules = given.motif, given.rules
    parts = (
        HEAD
        + _limits(motif.page, rules.sentences)
        + _DAYS
        + _walks(draft, motif, mapped)
        + _judging(motif, rules)
        + _settle(motif, rules, mapped)
    )
    needs = "hangs()" if mapped else "{}"
    if given.scope == "one":
        answer = (
            "{"
            + ", ".join({"cause": '"cause": cause or "none"', "fix": '"fix": fix', "steps": '"steps": steps'}[one] for one in given.asked)
            + "}"
        )
        if draft.table(motif.entity).column(draft.table(motif.entity).key).sql == "INTEGER":
            answer = answer.replace('cause or "none"', '"none" if cause is None else str(cause)')
        return parts + _block(
            f"def solve({given.shows}):",
            f"    limit, needs = limits(), {needs}",
            f"    cause, fix, steps = judge({motif.get}({motif.id}={given.shows}), limit, needs)",
            f"    settle({given.shows}, cause, fix, needs, [])",
            f"    return {answer}",
        ).rstrip("\n") + "\n"  # fmt: skip
    return parts + _gathering(draft, given) + _lot(given, needs, mapped)


def _gathering(draft: Draft, given: CauseTask) -> str:
    """A function `gathered(shown)`: the full rows of the open incidents that the brief means."""
    motif, table = given.motif, draft.table(given.motif.entity)
    by_day = given.scope == "day" and not motif.lean
    pages = _pages("incidents", motif.list, "state reported_on" if by_day else "state")
    call = 'incidents("open", shown)' if by_day else 'incidents("open")'
    full = f"{motif.get}({motif.id}=one[{motif.id!r}])" if motif.lean else "one"
    if given.scope != "group":
        sign = "==" if given.scope == "day" else ">="
        return pages + _block("def gathered(shown):", f'    return [{full} for one in {call} if one["reported_on"] {sign} shown]')
    assert given.hop is not None
    group, reads, hop = draft.table(given.hop.entity), reads_of(table), given.hop
    lines = ["def gathered(shown):", f"    group = {_key_of(group, reads_of(group), 'shown', given.label)}"]
    if hop.column in reads.filters:
        pages += _pages("members", reads.list, hop.column)
        lines.append(f"    inside = [one[{table.key!r}] for one in members(group)]")
        return pages + _block(*lines, f"    return [one for one in [{full} for one in {call}] if one[{motif.key!r}] in inside]")
    lines.append(f"    rows = [{full} for one in {call}]")
    return pages + _block(
        *lines, f"    return [one for one in rows if {reads.get}({reads.key}=one[{motif.key!r}])[{hop.column!r}] == group]"
    )


def _lot(given: CauseTask, needs: str, mapped: bool) -> str:
    """The function `solve` of a batch: judge all, then settle all."""
    motif, rules = given.motif, given.rules
    lines = [
        f"def solve({given.shows}):",
        f"    limit, needs = limits(), {needs}",
        f'    lot = sorted(gathered({given.shows}), key=lambda one: (one["reported_on"], one[{motif.id!r}]))',
        "    causes, judged, told = [], [], []",
        "    for one in lot:",
        "        cause, fix, steps = judge(one, limit, needs)",
    ]
    if rules.linked:
        lines += ["        if cause is not None and cause in causes:", f"            fix = {rules.linked!r}"]
    lines += [
        "        if cause is not None and cause not in causes:",
        "            causes.append(cause)",
        f"        judged.append((one[{motif.id!r}], cause, fix))",
        f"    for number, cause, fix in {'reversed(judged)' if mapped else 'judged'}:",
        "        settle(number, cause, fix, needs, told)",
    ]
    fields = {
        "causes": '"causes": len(causes)',
        "unexplained": '"unexplained": len([one for one in judged if one[1] is None])',
        "fixed": f'"fixed": len([one for one in judged if one[2] == {given.counted!r}])',
    }
    return "\n".join([*lines, "    return {" + ", ".join(fields[one] for one in given.asked) + "}"]) + "\n"


# ---- outages


def _reaching(motif: Motif, outages: Outages) -> str:
    """A function `reach(start, limit, needs)`: pairs of key and steps."""
    lines = ["def reach(start, limit, needs):", "    found, level, steps = [], [start], 0"]
    lines.append(f"    while level and steps < limit[{outages.levels!r}]:" if outages.levels else "    while level:")
    lines += ["        steps, further = steps + 1, []", "        for above in level:", "            for key in below(above, needs):"]
    if outages.covered or outages.spared:
        lines.append(f"                seen = {_check(motif, 'key')}")
    if outages.covered:
        lines += [f"                if seen[{motif.cover!r}] == 1:", "                    continue"]
    lines.append("                further.append(key)")
    if outages.spared:
        lines += [f'                if seen["state"] != {motif.failed!r}:', "                    found.append((key, steps))"]
    else:
        lines.append("                found.append((key, steps))")
    return _block(*lines, "        level = further", "    return found")


def _climbing(motif: Motif, outages: Outages) -> str:
    """The same from below: a row is reached if its chain leads to the start."""
    lines = ["def reach(start, limit, needs):", "    found = []", "    for key in needs:", "        keys = chain(key, needs)"]
    lines += ["        if key == start or start not in keys:", "            continue", "        way = keys[: keys.index(start)]"]
    if outages.levels:
        lines += [f"        if len(way) > limit[{outages.levels!r}]:", "            continue"]
    if outages.covered:
        lines += [f"        if any([{_check(motif, 'one')}[{motif.cover!r}] == 1 for one in way]):", "            continue"]
    if outages.spared:
        lines += [f'        if {_check(motif, "key")}["state"] == {motif.failed!r}:', "            continue"]
    return _block(*lines, "        found.append((key, len(way)))", "    return found")


def _preparing(draft: Draft, given: ImpactTask, mapped: bool) -> str:
    motif, outages = given.motif, given.outages
    table = draft.table(motif.entity)
    parts = HEAD + (_limits(motif.outage_page, outages.sentences) if outages.sentences else "") + _walks(draft, motif, mapped)
    parts += _climbing(motif, outages) if mapped else _reaching(motif, outages)
    lines = [
        f"def solve({given.shows}):",
        f"    key = {_key_of(table, reads_of(table), given.shows, given.label)}",
        f"    limit = {'limits()' if outages.sentences else '{}'}",
        f"    found = reach(key, limit, {'hangs()' if mapped else '{}'})",
    ]
    tell = [
        f"for one, steps in {'reversed(found)' if mapped else 'found'}:",
        f"    {motif.notify}({motif.key}=one, {motif.about}=key)",
    ]
    book = [f'{motif.book}({motif.key}=key, outcome="booked", reached=len(found))'] if outages.booked else []
    act = book + tell if mapped else tell + book
    if outages.cap:
        lines += [
            f"    if len(found) > limit[{outages.cap!r}]:",
            f'        {motif.book}({motif.key}=key, outcome="referred", reached=len(found))',
            "    else:",
        ]
        lines += ["        " + one for one in act]
    else:
        lines += ["    " + one for one in act]
    fields = {"reached": '"reached": len(found)', "farthest": '"farthest": max([steps for one, steps in found])'}
    return parts + "\n".join([*lines, "    return {" + ", ".join(fields[one] for one in given.asked) + "}"]) + "\n"


# ---- questions


def _looking(draft: Draft, given: ChainTask, mapped: bool) -> str:
    motif = given.motif
    table = draft.table(motif.entity)
    parts = ("import datetime\n\n\n" + _DAYS if given.counted == "days" else "") + _walks(draft, motif, mapped)
    cover = f" and one[{motif.cover!r}] == 0" if given.covered else ""
    none = f', "{given.counted}": 0' if given.counted else ""
    lines = [
        f"def solve({given.shows}):",
        f"    key = {_key_of(table, reads_of(table), given.shows, given.label)}",
        f"    seen = [{_check(motif, 'one')} for one in chain(key, {'hangs()' if mapped else '{}'})]",
        f'    failed = [one for one in seen if one["state"] == {motif.failed!r}{cover}]',
        "    if not failed:",
        f'        return {{"found": "none", "length": len(seen){none}}}',
    ]
    if given.pick == "earliest":
        lines += ['    first = min([one["since"] for one in failed])', '    found = [one for one in failed if one["since"] == first][-1]']
    else:
        lines.append(f"    found = failed[{-1 if given.pick == 'deepest' else 0}]")
    counts = {"failed": "len(failed)", "steps": "seen.index(found)", "days": f'days({CLOCK[:10]!r}, found["since"])'}
    count = f', "{given.counted}": {counts[given.counted]}' if given.counted else ""
    return parts + "\n".join([*lines, f'    return {{"found": str(found[{motif.key!r}]), "length": len(seen){count}}}']) + "\n"
