"""What all moves of a memory are compared with, worked out once: the words of the instruction, what the pages lack, and where the work
stands.

Takes a goal and a memory; gives a View. Words are compared as stems, never kept as they are.
"""

from __future__ import annotations

import re

from worldwright.training.clauses import stray_of
from worldwright.training.deciding import lacking, page_of, unclear
from worldwright.training.memory import Goal, Memory
from worldwright.training.taking import says_who
from worldwright.training.words import negated, quoted, stem, stems

__all__ = ["View", "denies", "undone"]


class View:
    """What all moves of a memory are compared with, worked out once."""

    def __init__(self, goal: Goal, memory: Memory) -> None:
        self.goal, self.memory, self.table = goal, memory, memory.table
        self.words = stems(goal.text)
        self.plain = frozenset(goal.text.lower().replace(",", " ").replace(".", " ").split())
        self.pages = {name: page_of(text) for name, text in memory.pages.items()}
        self.page_words = [stems(name) for name in quoted(goal.text) if " " not in name]
        self.who_words = [stems(name) for name, text in memory.pages.items() if says_who(text)]
        self.missing, self.around = self._missing()
        self.said = " ".join(memory.pages.values())
        self.tools_said = frozenset(re.findall(r"[a-z]+(?:_[a-z]+)+", self.said))
        self.strays = any(stray_of(page) for page in self.pages.values())
        self.about = frozenset(stem(word) for page in self.pages.values() for word in (page[0].about.split() if page else ()))
        self.unread = [
            name for name in quoted(goal.text) if " " not in name and "-" in name and name not in memory.pages and name not in memory.unread
        ]

    def _missing(self) -> tuple[frozenset[str], frozenset[str]]:
        """Words of clauses for which the rows at hand have no field, and all words of those clauses."""
        fields = frozenset(self.table.fields())
        found = [lacking(text, fields) for text in self.memory.pages.values()]
        doubted = unclear(self.memory.pages.get(self.table.page, ""), self.table.rows, self.goal.now)
        return doubted.union(*(one[0] for one in found)), doubted.union(*(one[1] for one in found))

    def state(self) -> list[float]:
        table, memory = self.table, self.memory
        n = len(table.rows)
        decided = bool(table.page)
        values = [
            bool(memory.pages), bool(self.unread), decided, bool(memory.wrote), memory.waited, bool(table.failed), table.name == "told",
            n == 1, 1 < n <= 8, n > 8,
            decided and any(row.get("=unsure") for row in table.rows), denies(self.goal), len(memory.tables) > 1, bool(self.missing),
            any(name in self.goal.answer for name, _, _ in memory.answers),
            bool(table.rows) and "=lines" in table.rows[0], bool(table.kept), bool(table.looks),
            undone(memory),
        ]  # fmt: skip
        return [float(value) for value in values]


def undone(memory: Memory) -> bool:
    """Whether rows were decided that nothing was written for, and nothing was written for some of them on purpose."""
    said, wrote = " ".join(memory.pages.values()).lower(), " ".join(memory.wrote)
    ends = "=ending" in memory.table.fields() and "closed" in said and " where it is " not in wrote
    tells = any("=about" in one.fields() for one in memory.tables) and "notify" in said and "==about" not in wrote
    if ends or tells:
        return True
    if memory.wrote and " where " in memory.wrote[-1]:
        return False
    return any(row.get("=outcome") not in (None, row.get("outcome")) and "=written" not in row for row in memory.table.rows)


def denies(goal: Goal) -> bool:
    """Whether the instruction names verbs of tools that write, and denies all that it names."""
    words = stems(goal.text)
    verbs = {"write", "change"} | {name.split("_", 1)[0] for name, one in goal.tools.items() if one.doc.writes and "_" in name}
    named = [verb for verb in sorted(verbs) if stem(verb) in words]
    return bool(named) and all(negated(goal.text, verb) for verb in named)
