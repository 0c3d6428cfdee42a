"""References of reconciliations: read the page, fetch the statement, find out which line belongs to which row, judge each row.

Takes a task of the pattern `reconcile`; gives plans that call the world's tools only. The reference works row by row; the alternatives
judge the whole group first and then write from the last row to the first, read the statement first, or reach the one row by way of
its whole group.
"""

from __future__ import annotations

import re

from worldwright.synthesis.author_reference.rulings import HEAD, found_group, of_group
from worldwright.synthesis.draft import Draft, TaskDraft
from worldwright.synthesis.patterns.reconcile import ReconcileTask, Some, Statement
from worldwright.synthesis.reads import reads_of

__all__ = ["write"]


def write(draft: Draft, task: TaskDraft) -> dict[str, str]:
    """The plans of a task of this pattern by file name: `reference.py`, and an alternative where there is another way."""
    given: ReconcileTask = task.given
    statement = given.statement
    functions, gathered = of_group(draft, statement.entity, statement.group)
    if task.template == "one":
        shared = HEAD + _limits(statement) + _lines(draft, statement) + _judge(statement)
        whole = shared + _held(draft, statement) + functions + _one_of_group(draft, statement, given.shows, gathered)
        return {"reference.py": shared + _one(draft, statement, given.shows), "alternative-whole-group.py": whole}
    head = HEAD + _limits(statement) + _lines(draft, statement) + _judge(statement) + _held(draft, statement) + functions
    start = (
        f"def solve({given.shows}):\n    limit = limits()\n{found_group(draft, statement.group, given.shows)}    ours = {gathered}\n"
        f"    held, unknown = hold(lines_of(group), ours)\n"
    )
    if task.template == "net":
        net = _net(draft, statement, given.also)
        later = start.replace("    ours =", "    lines = lines_of(group)\n    ours =").replace(
            "hold(lines_of(group), ours)", "hold(lines, ours)"
        )
        other = head + later + net.replace("in ours:", "in reversed(ours):")
        return {"reference.py": head + start + net, "alternative-statement-first.py": other}
    if task.template == "correct":
        late = _correct_later(draft, statement)
        return {"reference.py": head + start + _correct(draft, statement), "alternative-last-first.py": head + start + late}
    late = _differences_later(draft, statement)
    return {"reference.py": head + start + _differences(draft, statement), "alternative-last-first.py": head + start + late}


# ---- functions that every plan has


def _limits(statement: Statement) -> str:
    """A function `limits()` that reads the page: parameter to number."""
    pairs = [f"        {name!r}: int(re.findall({_pattern(says, name)!r}, page)[0]),\n" for name, says in statement.parameters().items()]
    if not pairs:
        return "def limits():\n    return {}\n\n\n"
    return f'def limits():\n    page = read_handbook(page={statement.page!r})["text"]\n    return {{\n{"".join(pairs)}    }}\n\n\n'


def _pattern(sentence: str, name: str) -> str:
    before, _, after = sentence.partition(f"{{{{ policy.{name} }}}}")
    return f"{re.escape(before[-30:])}([0-9]+){re.escape(after[:24])}".replace("\\ ", " ")


def _lines(draft: Draft, statement: Statement) -> str:
    """A function `lines_of(group)`: the lines of its statement, with amounts."""
    key = draft.table(statement.group.entity).key_argument
    account = f"{statement.account_tool}({key}=group)['account']" if statement.account_tool else "group"
    body = f"{statement.list_tool}({statement.account_column}={account})"
    if statement.line_tool:
        body = f"[{statement.line_tool}(line=one['line']) for one in {body}]"
    return f"def lines_of(group):\n    return {body}\n\n\n"


def _is_one_of(some: Some) -> str:
    return f"row[{some.column!r}] in {list(some.values)!r}"


def _judge(statement: Statement) -> str:
    """A function `judge(row, lines, limit)`: the kind ("none" if there is no difference), and their amount."""
    rules = statement.rules
    out = ["def judge(row, lines, limit):", f"    ours = row[{statement.money!r}]"]
    if rules.exempt is not None:
        out += [f"    if {_is_one_of(rules.exempt)}:", "        return 'none', ours"]
    out.append("    if not lines:")
    if rules.transit:
        young = f"days(clock()['now'], row[{rules.transit!r}]) < limit[{statement.parameter('transit_days')!r}]"
        out += [f"        if {young}:", "            return 'none', ours"]
    out.append("        return 'missing', 0")
    theirs = "sum([one['amount_cents'] for one in lines])"
    if rules.several == "last":
        theirs = "sorted(lines, key=lambda one: one['booked_on'])[-1]['amount_cents']"
    out.append(f"    theirs = {theirs}")
    if rules.several == "double":
        out += ["    if len(lines) > 1:", "        return 'double', theirs"]
    if rules.signs:
        out += ["    if ours != 0 and theirs == -ours:", "        return 'sign', theirs"]
    tolerance = f"limit[{statement.parameter('tolerance')!r}]"
    away = {"none": "theirs != ours", "cents": f"abs(theirs - ours) > {tolerance}"}
    away["percent"] = f"100 * abs(theirs - ours) > {tolerance} * abs(ours)"
    out += [f"    if {away[rules.tolerance]}:", "        return 'amount', theirs", "    return 'none', ours", "", "", ""]
    days = ""
    if rules.transit or rules.booked:
        days = (
            "def days(later, earlier):\n"
            "    return (datetime.date.fromisoformat(later[:10]) - datetime.date.fromisoformat(earlier[:10])).days\n\n\n"
        )
    return days + "\n".join(out)


def _held(draft: Draft, statement: Statement) -> str:
    """A function `hold(lines, ours)`: by our key the lines that belong to it, and the lines that belong to nothing of ours."""
    table = draft.table(statement.entity)
    key, tool = table.key_argument, statement.lookup_tool
    if statement.lookup == "key":
        return (
            f"def hold(lines, ours):\n"
            f"    refs = {{one[{table.key!r}]: {tool}({key}=one[{table.key!r}])['ref'] for one in ours}}\n"
            f"    held = {{key: [one for one in lines if one['ref'] == refs[key]] for key in refs}}\n"
            f"    return held, [one for one in lines if one['ref'] not in refs.values()]\n\n\n"
        )
    return (
        f"def hold(lines, ours):\n"
        f"    held, unknown = {{one[{table.key!r}]: [] for one in ours}}, []\n"
        f"    for one in lines:\n"
        f"        try:\n"
        f"            held[{tool}(ref=one['ref'])[{key!r}]].append(one)\n"
        f"        except ValueError:\n"
        f"            unknown.append(one)\n"
        f"    return held, unknown\n\n\n"
    )


# ---- parts of plans


def _get(draft: Draft, statement: Statement, key: str) -> str:
    reads = reads_of(draft.table(statement.entity))
    return f"{reads.get}({reads.key}={key})"


def _less(statement: Statement, theirs: str, ours: str) -> str:
    return f"{ours} - {theirs}" if statement.rules.turned else f"{theirs} - {ours}"


def _each(draft: Draft, statement: Statement) -> str:
    """The head of the loop over our rows, with kind, their amount and the difference."""
    key = draft.table(statement.entity).key
    return (
        f"    for one in ours:\n"
        f"        row = {_get(draft, statement, f'one[{key!r}]')}\n"
        f"        kind, theirs = judge(row, held[one[{key!r}]], limit)\n"
        f"        difference = {_less(statement, 'theirs', f'row[{statement.money!r}]')}\n"
    )


def _subject(draft: Draft, statement: Statement, key: str) -> str:
    """The argument that says what a difference is recorded under."""
    if statement.subject == "ref":
        return f"ref={statement.lookup_tool}({draft.table(statement.entity).key_argument}={key})['ref']"
    return f"{statement.subject}={key}"


def _unknown(statement: Statement) -> str:
    """The body of the loop over lines that are nobody's: what is written."""
    if statement.subject == "ref":
        difference = _less(statement, "one['amount_cents']", "0")
        return f"{statement.record_tool}(ref=one['ref'], kind='unknown', difference_cents={difference})"
    return f"{statement.aside_tool}(line=one['line'])"


def _differences(draft: Draft, statement: Statement) -> str:
    key = draft.table(statement.entity).key
    body = (
        f"    count, net = 0, 0\n{_each(draft, statement)}"
        f"        if kind != 'none':\n"
        f"            {statement.record_tool}({_subject(draft, statement, f'one[{key!r}]')}, kind=kind, difference_cents=difference)\n"
        f"            count, net = count + 1, net + difference\n"
    )
    if statement.rules.unknown:
        amount = _less(statement, "one['amount_cents']", "0")
        body += f"    for one in unknown:\n        {_unknown(statement)}\n        count, net = count + 1, net + ({amount})\n"
    return body + '    return {"count": count, "net_cents": net}\n'


def _differences_later(draft: Draft, statement: Statement) -> str:
    """Unknown lines first; then all rows are judged before the first difference is recorded, from the last to the first."""
    key = draft.table(statement.entity).key
    body = "    found = []\n"
    if statement.rules.unknown:
        body += f"    for one in unknown:\n        {_unknown(statement)}\n"
    body += (
        f"{_each(draft, statement)}"
        f"        if kind != 'none':\n"
        f"            found.append((one[{key!r}], kind, difference))\n"
        f"    for key, kind, difference in reversed(found):\n"
        f"        {statement.record_tool}({_subject(draft, statement, 'key')}, kind=kind, difference_cents=difference)\n"
    )
    more = ""
    if statement.rules.unknown:
        sign = "- " if statement.rules.turned else "+ "
        more = f" {sign}sum([one['amount_cents'] for one in unknown])"
    count = "len(found) + len(unknown)" if statement.rules.unknown else "len(found)"
    return body + f'    return {{"count": {count}, "net_cents": sum([each[2] for each in found]){more}}}\n'


def _fits(statement: Statement) -> str:
    """Whether the statement is right on a row of the kind 'amount'."""
    rules = statement.rules
    if rules.right is not None:
        return _is_one_of(rules.right)
    if rules.booked:
        return f"days(max([each['booked_on'] for each in lines]), row[{rules.booked!r}]) <= limit[{statement.parameter('right_days')!r}]"
    if rules.tolerance == "percent":
        ours = f"row[{statement.money!r}]"
        return f"100 * abs(difference) <= limit[{statement.parameter('right_percent')!r}] * abs({ours})"
    return f"abs(difference) <= limit[{statement.parameter('right_cents')!r}]"


def _correct(draft: Draft, statement: Statement) -> str:
    table = draft.table(statement.entity)
    return (
        f"    corrected, change = 0, 0\n{_each(draft, statement)}"
        f"        lines = held[one[{table.key!r}]]\n"
        f"        if kind == 'amount' and {_fits(statement)}:\n"
        f"            {statement.correct_tool}({table.key_argument}=one[{table.key!r}], amount_cents=theirs)\n"
        f"            corrected, change = corrected + 1, change + theirs - row[{statement.money!r}]\n"
        f'    return {{"corrected": corrected, "change_cents": change}}\n'
    )


def _correct_later(draft: Draft, statement: Statement) -> str:
    """All rows are judged before the first amount is corrected, from the last to the first."""
    table = draft.table(statement.entity)
    return (
        f"    wrong = []\n{_each(draft, statement)}"
        f"        lines = held[one[{table.key!r}]]\n"
        f"        if kind == 'amount' and {_fits(statement)}:\n"
        f"            wrong.append((one[{table.key!r}], row[{statement.money!r}], theirs))\n"
        f"    for key, before, after in reversed(wrong):\n"
        f"        {statement.correct_tool}({table.key_argument}=key, amount_cents=after)\n"
        f'    return {{"corrected": len(wrong), "change_cents": sum([each[2] - each[1] for each in wrong])}}\n'
    )


def _net(draft: Draft, statement: Statement, also: str) -> str:
    body = f"    found = []\n{_each(draft, statement)}        if kind != 'none':\n            found.append((kind, difference))\n"
    if statement.rules.unknown:
        amount = _less(statement, "one['amount_cents']", "0")
        body += f"    for one in unknown:\n        found.append(('unknown', {amount}))\n"
    net = "sum([each[1] for each in found])"
    if also == "unmatched":
        count = 'len([each for each in found if each[0] in ("missing", "unknown")])'
        return body + f'    return {{"net_cents": {net}, "unmatched": {count}}}\n'
    return body + f'    return {{"net_cents": {net}, "largest_cents": max([abs(each[1]) for each in found])}}\n'


# ---- one row


def _group_key(draft: Draft, statement: Statement) -> str:
    """The expression for the key of the row's group."""
    hops = statement.group.hops
    at = f"row[{hops[0].column!r}]"
    if len(hops) == 1:
        return at
    reads = reads_of(draft.table(hops[0].entity))
    return f"{reads.get}({reads.key}={at})[{hops[1].column!r}]"


def _one_end(statement: Statement, subject: str) -> str:
    return (
        f"    if kind == 'none':\n"
        f'        return {{"kind": \'none\', "difference_cents": 0}}\n'
        f"    difference = {_less(statement, 'theirs', f'row[{statement.money!r}]')}\n"
        f"    {statement.record_tool}({subject}, kind=kind, difference_cents=difference)\n"
        f'    return {{"kind": kind, "difference_cents": difference}}\n'
    )


def _one(draft: Draft, statement: Statement, shows: str) -> str:
    table = draft.table(statement.entity)
    tool = statement.lookup_tool
    start = (
        f"def solve({shows}):\n    limit = limits()\n    row = {_get(draft, statement, shows)}\n"
        f"    lines = lines_of({_group_key(draft, statement)})\n"
    )
    if statement.lookup == "key":
        own = f"    ref = {tool}({table.key_argument}={shows})['ref']\n    own = [one for one in lines if one['ref'] == ref]\n"
        subject = "ref=ref" if statement.subject == "ref" else f"{statement.subject}={shows}"
        return start + own + "    kind, theirs = judge(row, own, limit)\n" + _one_end(statement, subject)
    own = f"    own = [one for one in lines if is_of(one['ref'], {shows})]\n    kind, theirs = judge(row, own, limit)\n"
    is_of = (
        f"def is_of(ref, key):\n"
        f"    try:\n"
        f"        return {tool}(ref=ref)[{table.key_argument!r}] == key\n"
        f"    except ValueError:\n"
        f"        return False\n\n\n"
    )
    return is_of + start + own + _one_end(statement, f"{statement.subject}={shows}")


def _one_of_group(draft: Draft, statement: Statement, shows: str, gathered: str) -> str:
    table = draft.table(statement.entity)
    return (
        f"def solve({shows}):\n"
        f"    limit = limits()\n"
        f"    row = {_get(draft, statement, shows)}\n"
        f"    group = {_group_key(draft, statement)}\n"
        f"    held, unknown = hold(lines_of(group), {gathered})\n"
        f"    kind, theirs = judge(row, held[row[{table.key!r}]], limit)\n" + _one_end(statement, _subject(draft, statement, shows))
    )
