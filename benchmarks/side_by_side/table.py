"""The table of a side-by-side run: for each tool and group, what was found, what was alarmed, and what couldn't be loaded.

Takes rows; gives Markdown. Faulty items that a tool couldn't load or finish, or said nothing of, count as not found in the first
rate, and are told apart; the second is of those that it could load and finish, and so is the rate of alarms among twins and sound
items. A pair is told apart where the faulty one is flagged and its twin is loaded and not: who flags both has found something else
than the fault. Intervals are exact (Clopper-Pearson), two-sided, 95 %.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

import msgspec

from worldwright.audit.statistics import lower, upper

LOOSER = {"envdoctor": "medium findings too"}
"""The second, looser rule of a tool."""
TOO_SLOW = "too slow"
"""How the reason begins where an item ran into the limit."""
ALL = "plain Python, all"
COLUMNS = (
    "group", "tool", "faulty flagged, % of all", "% of those loaded", "twins and sound flagged, % of those loaded", "pairs told apart, %",
    "inconclusive", "can't load", "too slow", "seconds, median", "CPU seconds, mean",
)  # fmt: skip


class Row(msgspec.Struct, frozen=True):
    """What a tool said of an item. `made` is a hash of the tool's version, our adapter, and the item's files.

    `tools`: how many the item has, where ours could open it; `looser`: the outcome by a second, looser rule of the tool's.
    """

    tool: str
    id: str
    group: str
    part: str
    kind: str
    outcome: str
    why: list[str]
    seconds: float
    cpu_seconds: float
    made: str
    tools: int = -1
    looser: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """Tool, item, and what both were made of."""
        return self.tool, self.id, self.made


def table(rows: Sequence[Row]) -> str:
    """All groups; a tool with a second rule has a second line."""
    with_looser = {row.tool for row in rows if row.looser}
    looser = [
        msgspec.structs.replace(row, tool=f"{row.tool}, {LOOSER[row.tool]}", outcome=row.looser or row.outcome)
        for row in rows
        if row.tool in with_looser
    ]
    rows = [*rows, *looser]
    has_tools = {row.id: row.tools > 0 for row in rows if row.tools >= 0}
    groups: dict[str, list[Row]] = {}
    for row in rows:
        split = ""
        if row.group.startswith("plain Python") and row.id in has_tools:
            split = ", with tools" if has_tools[row.id] else ", question and answer"
        groups.setdefault(row.group + split, []).append(row)
    plain = {group: ones for group, ones in groups.items() if group.startswith("plain Python")}
    if len(plain) > 1:
        groups = {ALL: [row for ones in plain.values() for row in ones], **groups}
    lines = [f"| {' | '.join(COLUMNS)} |", "|" + "---|" * len(COLUMNS)]
    for group, ones in groups.items():
        for tool in dict.fromkeys(row.tool for row in rows):
            said = [row for row in ones if row.tool == tool]
            if said:
                lines.append(f"| {group} | {tool} | {_cells(said)} |")
    return "\n".join(lines)


def _cells(rows: Sequence[Row]) -> str:
    faulty, others = [row for row in rows if row.part == "faulty"], [row for row in rows if row.part != "faulty"]
    slow = [row for row in rows if row.why and row.why[0].startswith(TOO_SLOW)]
    twins = {_stem(row): row for row in others if row.part == "repaired"}
    pairs = [(row, twins[_stem(row)]) for row in faulty if _stem(row) in twins]
    return " | ".join(
        [
            _flagged(faulty),
            _flagged([row for row in faulty if _is_loaded(row)]),
            _flagged([row for row in others if _is_loaded(row)]),
            _share(sum(_is_flagged(one) and _is_loaded(twin) and not _is_flagged(twin) for one, twin in pairs), len(pairs)),
            str(sum(row.outcome == "inconclusive" for row in rows)),
            str(sum(not _is_loaded(row) for row in rows) - len(slow)),
            str(len(slow)),
            f"{statistics.median(row.seconds for row in rows):.1f}",
            f"{statistics.fmean(row.cpu_seconds for row in rows):.1f}",
        ]
    )


def _stem(row: Row) -> str:
    return row.id.rpartition("/")[0]


def _is_loaded(row: Row) -> bool:
    return row.outcome != "can't load"


def _is_flagged(row: Row) -> bool:
    return row.outcome == "flagged"


def _flagged(rows: Sequence[Row]) -> str:
    return _share(sum(map(_is_flagged, rows)), len(rows))


def _share(k: int, n: int) -> str:
    """How many, of how many, with the interval in per cent."""
    if not n:
        return "-"
    low, high = (100 * bound(k, n, confidence=0.975) for bound in (lower, upper))
    return f"{k} of {n}, {k / n:.0%} ({low:.1f} to {high:.1f})"
