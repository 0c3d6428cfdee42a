"""References of remedies: read the page, look at each row and its source, decide, record."""

from __future__ import annotations

from worldwright.synthesis.author_reference.rulings import HEAD, decide_code, found_group, limits_code, of_group
from worldwright.synthesis.draft import Draft, TaskDraft
from worldwright.synthesis.patterns.rulings import RulingTask
from worldwright.synthesis.reads import reads_of

__all__ = ["write"]


def write(draft: Draft, task: TaskDraft) -> dict[str, str]:
    """The plans of a task of this pattern by file name: `reference.py`, and alternatives where there is another way."""
    given: RulingTask = task.given
    ruling = given.ruling
    table = draft.table(ruling.entity)
    reads = reads_of(table)
    head = HEAD + limits_code(ruling) + decide_code(draft, ruling)
    if task.template == "decide":
        body = (
            f"def solve({given.shows}):\n"
            f"    limit = limits()\n"
            f"    outcome, amount = decide({reads.get}({reads.key}={given.shows}), limit)\n"
            f"    {ruling.tool}({reads.key}={given.shows}, outcome=outcome, amount_cents=amount)\n"
            f'    return {{"outcome": outcome, "amount_cents": amount}}\n'
        )
        return {"reference.py": head + body}
    assert ruling.group is not None
    functions, gathered = of_group(draft, ruling.entity, ruling.group)
    start = f"def solve({given.shows}):\n    limit = limits()\n{found_group(draft, ruling.group, given.shows)}"
    wanted = "decided" if task.template == "review" else "open"
    each = f"    for one in <order>{gathered}<close>:\n        if one[{ruling.state!r}] != {wanted!r}:\n            continue\n        row = {reads.get}({reads.key}=one[{table.key!r}])\n"
    if task.template == "clear":
        body = (
            f"        outcome, amount = decide(row, limit)\n"
            f"        {ruling.tool}({reads.key}=row[{table.key!r}], outcome=outcome, amount_cents=amount)\n"
            f"        count, total = count + int(outcome == {given.counted!r}), total + amount\n"
            f'    return {{"count": count, "total_cents": total}}\n'
        )
        loop = "    count, total = 0, 0\n" + each + body
    elif task.template == "review":
        body = (
            f'        if get_{ruling.slug}_record({reads.key}=row[{table.key!r}])["outcome"] != decide(row, limit)[0]:\n'
            f"            reopen_{ruling.slug}({reads.key}=row[{table.key!r}])\n"
            f"            count = count + 1\n"
            f'    return {{"reopened": count}}\n'
        )
        loop = "    count = 0\n" + each + body
    else:
        body = '        amounts.append(decide(row, limit)[1])\n    return {"total_cents": sum(amounts), "largest_cents": max(amounts)}\n'
        loop = "    amounts = []\n" + each + body
    out = {"reference.py": head + functions + start + loop.replace("<order>", "").replace("<close>", "")}
    if task.template in ("clear", "review"):
        out["alternative-last-first.py"] = head + functions + start + loop.replace("<order>", "reversed(").replace("<close>", ")")
    return out
