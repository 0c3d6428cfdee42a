"""What the policy sees of a move: relations between the move, the goal, and what is known, never a word itself.

Takes a goal, a memory and its moves; gives a matrix of shape (moves, FEATURES), float32, each entry between 0 and about 1. A
relation is an overlap of words, an equality of names, a count on a short scale. So the same matrix can come from an office of any
trade, and what is learned in one can be tried in another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from worldwright.training.binding import is_own
from worldwright.training.clauses import stray_of
from worldwright.training.deciding import lacking, page_of, unclear
from worldwright.training.expressions import FORMS
from worldwright.training.memory import Goal, Memory, Table
from worldwright.training.moves import KINDS, Move
from worldwright.training.taking import says_who
from worldwright.training.words import negated, overlap, quoted, stem, stems

__all__ = ["FEATURES", "NAMES", "matrix"]

_OWN = (
    "in_goal",
    "of_page",
    "in_missing",
    "doc_in_missing",
    "weak",
    "own_key",
    "joins",
    "lists",
    "finds",
    "noun_in_goal",
    "noun_in_missing",
    "at_hand",
    "table_age",
    "many_rows",
    "field_in_goal",
    "from_told",
    "kept_share",
    "quoted_state",
    "shown_value",
    "page_in_goal",
    "outcomes",
    "unsure",
    "verb_in_goal",
    "verb_denied",
    "bound_decided",
    "bound_constant",
    "conditional",
    "writes_some",
    "same_noun",
    "denied_any",
    "direction",
    "repeats",
    "named",
    "about",
    "arg_said",
    "fits_page",
)
_ANSWER = (
    "column_in_field",
    "column_decided",
    "compared_in_doc",
    "single",
    "unwritten",
    "among_written",
    "zero",
    "abs_said",
    "exact_name",
    "largest_said",
    "sum_said",
    "count_said",
)
_STATE = (
    "read_any",
    "unread_named",
    "decided",
    "wrote",
    "waited",
    "failed",
    "told_only",
    "rows_1",
    "rows_few",
    "rows_many",
    "unsure_any",
    "denies_writes",
    "has_list",
    "missing_any",
    "answering",
    "joined",
    "filtered",
    "looked",
    "undone",
)
NAMES = tuple(f"is_{kind}" for kind in KINDS) + _OWN + tuple(f"by_{form}" for form in FORMS) + _ANSWER + _STATE
"""The features by name, in their order."""
FEATURES = len(NAMES)
_AT = {name: n for n, name in enumerate(NAMES)}
_STATE_AT = _AT[_STATE[0]]

_SUPERLATIVES = {
    "highest": ("highest", "latest", "newest", "largest", "last", "most"),
    "lowest": ("lowest", "earliest", "oldest", "smallest", "first", "fewest"),
}


class _View:
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
            decided and any(row.get("=unsure") for row in table.rows), _denies(self.goal), len(memory.tables) > 1, bool(self.missing),
            bool(memory.answers),
            bool(table.rows) and "=lines" in table.rows[0], bool(table.kept), bool(table.looks),
            _undone(memory),
        ]  # fmt: skip
        return [float(value) for value in values]


def matrix(goal: Goal, memory: Memory, moves: Sequence[Move]) -> NDArray[np.float32]:
    """The features of all moves."""
    view = _View(goal, memory)
    out = np.zeros((len(moves), FEATURES), dtype=np.float32)
    out[:, _STATE_AT:] = view.state()
    for n, move in enumerate(moves):
        row = out[n]
        row[_AT[f"is_{move.kind}"]] = 1.0
        for name, value in _OF[move.kind](view, move).items():
            row[_AT[name]] = value
    return out


def _undone(memory: Memory) -> bool:
    """Whether rows were decided that nothing was written for, and nothing was written for some of them on purpose."""
    said, wrote = " ".join(memory.pages.values()).lower(), " ".join(memory.wrote)
    ends = "=ending" in memory.table.fields() and "closed" in said and " where it is " not in wrote
    tells = any("=about" in one.fields() for one in memory.tables) and "notify" in said and "==about" not in wrote
    if ends or tells:
        return True
    if memory.wrote and " where " in memory.wrote[-1]:
        return False
    return any(row.get("=outcome") not in (None, row.get("outcome")) and "=written" not in row for row in memory.table.rows)


def _denies(goal: Goal) -> bool:
    """Whether the instruction names verbs of tools that write, and denies all that it names."""
    words = stems(goal.text)
    verbs = {"write", "change"} | {name.split("_", 1)[0] for name, one in goal.tools.items() if one.doc.writes and "_" in name}
    named = [verb for verb in sorted(verbs) if stem(verb) in words]
    return bool(named) and all(negated(goal.text, verb) for verb in named)


def _read(view: _View, move: Move) -> dict[str, float]:
    return {"page_in_goal": 1.0, "quoted_state": float("-" in move.value)}


def _look(view: _View, move: Move) -> dict[str, float]:
    goal, tool, table = view.goal, view.goal.tools[move.tool], view.memory.tables[move.table]
    name, noun, doc = stems(move.tool), stems(tool.noun), stems(tool.doc.doc)
    field = move.bound[0][1] if move.bound else ""
    others = name - noun
    return {
        "in_goal": overlap(others, view.words),
        "of_page": max((overlap(words, name) for words in view.page_words), default=0.0),
        "in_missing": overlap(name, view.missing),
        "quoted_state": _kept_said(table, tool.doc.doc) * float(any(words <= name for words in view.page_words)),
        "fits_page": float(
            any(words <= name for words in view.who_words) and (not tool.doc.name.startswith("get_") or tool.noun == table.noun)
        ),
        "doc_in_missing": min(1.0, len((doc - noun) & view.missing) / 2),
        "weak": float(move.strength == 1),
        "own_key": float(is_own(goal, table, field)),
        "joins": float(not is_own(goal, table, field) and table.name != "told" and not tool.pages),
        "lists": float(tool.pages),
        "named": float(move.tool in view.tools_said),
        "arg_said": float(bool(move.bound) and move.bound[0][0].replace("_", " ") in view.said),
        "about": float(bool(noun) and noun == view.about),
        "finds": float(tool.finds),
        "noun_in_goal": overlap(noun, view.words),
        "noun_in_missing": float(bool(stems(field.rsplit("_", 1)[0].rsplit(".", 1)[-1]) & view.around) or bool(noun & view.around)),
        "at_hand": float(move.table == -1),
        "table_age": min(1.0, (-1 - move.table) / 3),
        "many_rows": min(1.0, len(table.rows) / 20),
        "from_told": float(table.name == "told"),
        "same_noun": float(bool(table.noun) and tool.noun == table.noun),
        "repeats": float(any(one.startswith(f"{move.tool}(") for table in view.memory.tables for one in table.looks)),
    }


def _ask(view: _View, move: Move) -> dict[str, float]:
    return {
        "of_page": 1.0,
        "named": float(move.value in view.said),
        "own_key": float(move.bound[0][1] == view.table.key or "." not in move.bound[0][1]),
        "from_told": float(view.table.name == "told"),
    }


def _wait(view: _View, _move: Move) -> dict[str, float]:
    return {"named": float("wait for" in view.said.lower())}


def _none(_view: _View, _move: Move) -> dict[str, float]:
    return {}


def _keep(view: _View, move: Move) -> dict[str, float]:
    rows = view.table.rows
    return {
        "kept_share": sum(row.get(move.field) == move.value for row in rows) / max(1, len(rows)),
        "quoted_state": float(move.where.startswith("'")),
        "shown_value": float(not move.where.startswith("'")),
        "field_in_goal": overlap(stems(move.field), view.words),
        "of_page": max((overlap(words, stems(move.field)) for words in view.page_words), default=0.0),
    }


def _pick(view: _View, move: Move) -> dict[str, float]:
    return {
        "direction": float(f"with the {move.value}" in view.goal.text) or 0.3 * _direction(view.plain, move.value),
        "repeats": float("picked" in view.table.kept),
    }


def _direction(said: frozenset[str], order: str) -> float:
    """Whether the instruction asks for this end: by the word itself or, where it says neither, by one like it."""
    plain = [one for one in _SUPERLATIVES if one in said]
    return float(order in plain) if plain else 0.3 * any(word in said for word in _SUPERLATIVES[order])


def _trace(view: _View, move: Move) -> dict[str, float]:
    return {"page_in_goal": float(move.value in quoted(view.goal.text)), "about": float(stems(view.table.noun) == view.about)}


def _take(view: _View, move: Move) -> dict[str, float]:
    page, order = move.value
    return {
        "page_in_goal": float(page in quoted(view.goal.text)),
        "direction": _direction(view.plain, order),
        "many_rows": min(1.0, len(view.table.rows) / 20),
    }


def _join(view: _View, move: Move) -> dict[str, float]:
    ours = view.memory.tables[move.table]
    return {
        "fits_page": float((move.where == "strays") == (view.strays and ours.name != "told")),
        "at_hand": float(move.table == -1),
        "about": float(stems(ours.noun) == view.about),
        "noun_in_goal": overlap(stems(ours.noun), view.words),
        "own_key": float(move.bound[0][0] == ours.key),
    }


def _decide(view: _View, move: Move) -> dict[str, float]:
    page = view.pages[move.value]
    has = [clause for clause in page if clause.outcome]
    return {
        "page_in_goal": float(move.value in quoted(view.goal.text)),
        "outcomes": float(bool(has)),
        "about": float(stems(view.table.noun) == view.about),
        "unsure": lacking(view.memory.pages[move.value], frozenset(view.table.fields()))[2],
        "many_rows": min(1.0, len(view.table.rows) / 20),
        "noun_in_goal": overlap(stems(view.table.noun), view.words),
    }


def _write(view: _View, move: Move) -> dict[str, float]:
    name, text = stems(move.tool), view.goal.text
    verb = move.tool.split("_", 1)[0]
    fields = [field for _, field in move.bound]
    return {
        "in_goal": overlap(name, view.words),
        "verb_in_goal": _verb_said(view, move, verb),
        "verb_denied": float(negated(text, verb)),
        "denied_any": float(_denies(view.goal)),
        "of_page": max((overlap(words, name) for words in view.page_words), default=0.0),
        "bound_decided": sum(field.startswith("=") for field in fields) / max(1, len(fields)),
        "bound_constant": sum(field.startswith("'") for field in fields) / max(1, len(fields)),
        "named": float(move.tool in view.tools_said),
        "fits_page": float(
            (move.tool in view.tools_said and _of_strays(view.table, fields))
            or ("=person" in fields and not negated(text.replace("people", ""), "person"))
        ),
        "about": float(stems(view.table.noun) == view.about),
        "conditional": float(move.where != "for each"),
        "many_rows": min(1.0, len(view.table.rows) / 20),
        "writes_some": float(any(row.get("=outcome") is not None for row in view.table.rows)),
        "repeats": float(any(one.startswith(f"{move.tool}(") for one in view.memory.wrote)),
        "quoted_state": _kept_said(view.table, view.goal.tools[move.tool].doc.doc),
    }


def _kept_said(table: Table, doc: str) -> float:
    """Whether a tool's description speaks of the state that the rows were narrowed to."""
    said = stems(doc)
    return float(any(stems(one.rsplit("= ", 1)[-1]) <= said for one in table.kept if " = " in one))


def _verb_said(view: _View, move: Move, verb: str) -> float:
    """Whether the instruction has the tool's verb or, for one that records what was decided, that of its description."""
    if stem(verb) in view.words:
        return 1.0
    told = stems(view.goal.tools[move.tool].doc.doc.split(" ", 1)[0])
    return 0.7 if told & view.words and any(field == "=outcome" for _, field in move.bound) else 0.0


def _of_strays(table: Table, fields: Sequence[str]) -> bool:
    """Whether it is done with what only lines have that belong to none of ours."""
    ours = [row for row in table.rows if "=lines" in row and "=unknown" not in row]
    return bool(ours) and len(fields) == 1 and fields[0] in ours[0] and all(row.get(fields[0]) is None for row in ours)


def _answer(view: _View, move: Move) -> dict[str, float]:
    made = move.made
    assert made is not None
    spec = view.goal.prompt.answer[move.field]
    asked, doc, column = stems(move.field), stems(spec.doc), stems(made.column)
    plain = spec.doc.lower()
    return {
        f"by_{made.form}": 1.0,
        "column_in_field": overlap(column, asked | doc),
        "exact_name": float(made.column.lstrip("=") == move.field or (bool(column) and column <= asked)),
        "column_decided": float(made.column.startswith("=")),
        "compared_in_doc": float(
            made.compared == "all named"
            or (made.compared in ("nobody", "people") and made.compared in plain)
            or (bool(made.compared) and f"'{made.compared.lower()}'" in plain and plain.count("'") == 2)
        ),
        "single": float(len(view.table.rows) == 1),
        "unwritten": float(not view.memory.wrote),
        "among_written": float(made.among in ("written", "decided")),
        "zero": float(move.value in (0, "none")),
        "abs_said": float((made.compared == "abs") == ("without" in plain)),
        "largest_said": float(made.form == "extreme" and "larg" in plain),
        "sum_said": float(made.form == "sum" and bool({"sum", "total", "net", "all", "altogether"} & set(plain.replace(".", " ").split()))),
        "count_said": float((made.form == "count" or made.column.lstrip("=") == move.field) and ("how many" in plain or "number" in plain)),
        "repeats": float(any(name == made.name for _, name, _ in view.memory.answers)),
    }


_OF = {
    "read": _read, "look": _look, "ask": _ask, "wait": _wait, "keep": _keep, "pick": _pick, "join": _join, "decide": _decide,
    "take": _take, "trace": _trace, "write": _write, "answer": _answer, "finish": _none,
}  # fmt: skip
