"""Plans that apply a handbook page: code that reads the parameters off the page, looks at a row and decides by the clauses.

`Code` collects lines; `decide_code` gives a function `decide(row, limit)` that returns the outcome and the amount in cents, or the
outcome alone where no money is due. Calls the world's tools only.
"""

from __future__ import annotations

import re

from worldwright.synthesis.checks import Check
from worldwright.synthesis.draft import PAGE, Draft, Table
from worldwright.synthesis.reads import reads_of
from worldwright.synthesis.ruling import BoundTest, Fact, Group, Hop, Ruling, day_of

__all__ = ["HEAD", "decide_code", "every_row", "found_group", "limits_code", "of_group"]

HEAD = "import datetime\nimport re\n\n\n"


def limits_code(ruling: Ruling) -> str:
    """A function `limits()` that reads the page: parameter to number."""
    lines = ["def limits():", f'    page = read_handbook(page={ruling.page!r})["text"]', "    return {"]
    for name, sentence in ruling.parameters().items():
        lines.append(f"        {name!r}: int(re.findall({_pattern(sentence, name)!r}, page)[0]),")
    return "\n".join([*lines, "    }", "", "", ""])


def _pattern(sentence: str, name: str) -> str:
    """What finds the parameter: its whole sentence, since two sentences may begin alike."""
    parts = re.split(r"(\{\{ policy\.\w+ \}\})", sentence)
    wanted = f"{{{{ policy.{name} }}}}"
    return "".join(
        "([0-9]+)" if one == wanted else "[0-9]+" if one.startswith("{{") else re.escape(one).replace("\\ ", " ") for one in parts
    )


def decide_code(draft: Draft, ruling: Ruling) -> str:
    """The function `decide(row, limit)`."""
    table = draft.table(ruling.entity)
    lines = ["def decide(row, limit):"]
    known: dict[tuple[str, ...], str] = {}
    if ruling.check is not None:
        lines += _true(ruling, ruling.check, table)
    base = ""
    if ruling.amount is not None and any(clause.share for clause in ruling.clauses):
        lines += _fetch(draft, ruling.amount.hops, known)
        base = _at(ruling, ruling.amount, known)
    for clause in ruling.clauses:
        for test in clause.when:
            lines += _fetch(draft, test.fact.hops, known)
            if isinstance(test.since, Fact):
                lines += _fetch(draft, test.since.hops, known)
        result = repr(clause.then)
        if ruling.amount is not None:
            result += f", ({base} * limit[{clause.share!r}] + 50) // 100" if clause.share else ", 0"
        if clause.when:
            lines.append(f"    if {' and '.join(_test(ruling, one, known) for one in clause.when)}:")
            lines.append(f"        return {result}")
        else:
            lines.append(f"    return {result}")
    days = ""
    if any(test.since for clause in ruling.clauses for test in clause.when):
        days = (
            "def days(later, earlier):\n"
            "    return (datetime.date.fromisoformat(later[:10]) - datetime.date.fromisoformat(earlier[:10])).days\n\n\n"
        )
    return days + "\n".join([*lines, "", "", ""])


def _true(ruling: Ruling, check: Check, table: Table) -> list[str]:
    """Lines that give `true`: what the tool shows, what the person says, or what comes in later."""
    column = ruling.checked().column
    if check.by == "person":
        asked = f"{{{table.key_argument!r}: row[{table.key!r}]}}"
        said = f'say(to={check.party!r}, act="ask", fields={asked})["fields"][{column!r}]'
        kind = {"INTEGER": "int", "REAL": "float"}.get(table.column(column).sql, "")
        return [f"    true = {kind}({said})" if kind else f"    true = {said}"]
    got = f"{check.tool}({reads_of(table).key}=row[{table.key!r}])"
    if check.by == "tool":
        return [f"    true = {got}[{column!r}]"]
    if check.announced:
        return [
            f"    source = {got}",
            f"    if source[{column!r}] is None:",
            '        wait(until=source["comes_in_at"])',
            f"        source = {got}",
            f"    true = source[{column!r}]",
        ]
    return [
        "    try:",
        f"        true = {got}[{column!r}]",
        "    except ValueError:",
        f"        wait(until={check.last!r})",
        f"        true = {got}[{column!r}]",
    ]


def _fetch(draft: Draft, hops: tuple[Hop, ...], known: dict[tuple[str, ...], str]) -> list[str]:
    """Lines that fetch the rows on the way, where they aren't fetched yet."""
    lines = []
    at, before = "row", False
    for n, hop in enumerate(hops):
        way = tuple(one.column for one in hops[: n + 1])
        if way not in known:
            target = draft.table(hop.entity)
            reads = reads_of(target)
            name = "_".join([target.singular, *(["of"] if n else []), *([hops[n - 1].entity] if n else [])])
            while name in known.values():
                name += "_too"
            known[way] = name
            got = f"{at}.get({hop.column!r})" if before else f"{at}[{hop.column!r}]"
            call = f"{reads.get}({reads.key}={got})"
            lines.append(f"    {name} = {call} if {got} is not None else {{}}" if hop.nullable or before else f"    {name} = {call}")
        at, before = known[way], before or hop.nullable
    return lines


def _at(ruling: Ruling, fact: Fact, known: dict[tuple[str, ...], str]) -> str:
    if ruling.check is not None and fact.alias == ruling.check.alias:
        return "true"
    if not fact.hops:
        return f"row[{fact.column!r}]"
    name = known[tuple(one.column for one in fact.hops)]
    return f"{name}.get({fact.column!r})" if any(one.nullable for one in fact.hops) else f"{name}[{fact.column!r}]"


_SIGNS = {"is": "==", "is not": "!=", "over": ">", "at least": ">=", "under": "<", "at most": "<=", "in": "in", "not in": "not in"}


def _test(ruling: Ruling, test: BoundTest, known: dict[tuple[str, ...], str]) -> str:
    left = _at(ruling, test.fact, known)
    guards = [f"{left} is not None"] if test.fact.nullable and test.op in ("over", "at least", "under", "at most") else []
    if test.since:
        start = repr(day_of(test.since)) if isinstance(test.since, str) else _at(ruling, test.since, known)
        if isinstance(test.since, Fact) and test.since.nullable:
            guards.append(f"{start} is not None")
        left = f"days({left}, {start})"
    right = f"limit[{test.parameter!r}]" if test.parameter else repr(test.value)
    return " and ".join([*guards, f"{left} {_SIGNS[test.op]} {right}"])


# ---- finding rows


def every_row(table: Table, arguments: str = "") -> str:
    """A function `rows(...)` that turns the pages of a table's list."""
    reads = reads_of(table)
    given = f"{arguments}={arguments}, " if arguments else ""
    return (
        f"def rows({arguments}):\n"
        f"    found, page = [], 1\n"
        f"    while True:\n"
        f"        got = {reads.list}({given}page=page)\n"
        f"        found = found + got\n"
        f"        if len(got) < {PAGE}:\n"
        f"            return found\n"
        f"        page = page + 1\n\n\n"
    )


def found_group(draft: Draft, group: Group, parameter: str) -> str:
    """The line that finds the key of the group that the brief names."""
    table = draft.table(group.entity)
    reads = reads_of(table)
    if parameter == table.key_argument:
        return f"    group = {parameter}\n"
    return f"    group = [one for one in {reads.find}(text={parameter}) if one[{table.label!r}] == {parameter}][0][{table.key!r}]\n"


def of_group(draft: Draft, entity: str, group: Group) -> tuple[str, str]:
    """Functions, and the expression for the rows of the group: all that `gathered(group)` gives."""
    table = draft.table(entity)
    first = group.hops[0]
    reads = reads_of(table)
    if len(group.hops) == 1:
        if first.column in reads.filters:
            return every_row(table, first.column), "rows(group)"
        return every_row(table), f"[one for one in rows() if one[{first.column!r}] == group]"
    middle = draft.table(first.entity)
    inner = reads_of(middle)
    second = group.hops[1]
    between = (
        f"def between(group):\n"
        f"    found, page = [], 1\n"
        f"    while True:\n"
        f"        got = {inner.list}({f'{second.column}=group, ' if second.column in inner.filters else ''}page=page)\n"
        f"        found = found + [one[{middle.key!r}] for one in got if one[{second.column!r}] == group]\n"
        f"        if len(got) < {PAGE}:\n"
        f"            return found\n"
        f"        page = page + 1\n\n\n"
    )
    if first.column in reads.filters:
        return between + every_row(table, first.column), "[one for each in between(group) for one in rows(each)]"
    return between + every_row(table), f"[one for one in rows() if one[{first.column!r}] in between(group)]"
