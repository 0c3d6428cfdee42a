"""The table of a side-by-side run: for each tool and group, what was found, what was alarmed, and what couldn't be loaded.

Takes rows; gives Markdown. Faulty items that a tool couldn't load, or said nothing of, count as not found, and are told apart;
the rate of alarms is of the twins and sound items that it could load.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

import msgspec
from items import quality

LOOSER = "medium findings too"


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
    looser = [msgspec.structs.replace(row, tool=f"{row.tool}, {LOOSER}", outcome=row.looser) for row in rows if row.looser]
    rows = [*rows, *looser]
    has_tools = {row.id: row.tools > 0 for row in rows if row.tools >= 0}
    groups: dict[str, list[Row]] = {}
    for row in rows:
        split = ""
        if row.group.startswith("plain Python") and row.id in has_tools:
            split = ", with tools" if has_tools[row.id] else ", question and answer"
        groups.setdefault(row.group + split, []).append(row)
    lines = [
        "| group | tool | faulty flagged | twins and sound flagged | inconclusive | can't load | seconds, median | CPU seconds, mean |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for group, ones in groups.items():
        for tool in dict.fromkeys(row.tool for row in rows):
            said = [row for row in ones if row.tool == tool]
            if said:
                lines.append(f"| {group} | {tool} | {_cells(said)} |")
    return "\n".join(lines)


def _cells(rows: Sequence[Row]) -> str:
    results = quality("results")
    faulty, others = [row for row in rows if row.part == "faulty"], [row for row in rows if row.part != "faulty"]
    loaded = [row for row in others if row.outcome != "can't load"]
    return " | ".join(
        [
            results.least(faulty, _is_flagged),
            results.most(loaded, _is_flagged),
            str(sum(row.outcome == "inconclusive" for row in rows)),
            str(sum(row.outcome == "can't load" for row in rows)),
            f"{statistics.median(row.seconds for row in rows):.1f}",
            f"{statistics.fmean(row.cpu_seconds for row in rows):.1f}",
        ]
    )


def _is_flagged(row: Row) -> bool:
    return row.outcome == "flagged"
