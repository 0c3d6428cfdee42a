"""The relations of one move: between its tool, its arguments and what is known, by the kind of move.

Takes a View and a move; gives the relations that aren't 0, by the names that `features` has them under.
"""

from __future__ import annotations

from collections.abc import Sequence

from worldwright.training.binding import is_own
from worldwright.training.deciding import lacking
from worldwright.training.memory import Table
from worldwright.training.moves import Move
from worldwright.training.view import View, denies
from worldwright.training.words import negated, overlap, quoted, stem, stems

__all__ = ["relations"]

_SUPERLATIVES = {
    "highest": ("highest", "latest", "newest", "largest", "last", "most"),
    "lowest": ("lowest", "earliest", "oldest", "smallest", "first", "fewest"),
}


def _read(view: View, move: Move) -> dict[str, float]:
    return {"page_in_goal": 1.0, "quoted_state": float("-" in move.value)}


def _look(view: View, move: Move) -> dict[str, float]:
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


def _ask(view: View, move: Move) -> dict[str, float]:
    return {
        "of_page": 1.0,
        "named": float(move.value in view.said),
        "own_key": float(move.bound[0][1] == view.table.key or "." not in move.bound[0][1]),
        "from_told": float(view.table.name == "told"),
    }


def _wait(view: View, _move: Move) -> dict[str, float]:
    return {"named": float("wait for" in view.said.lower())}


def _none(_view: View, _move: Move) -> dict[str, float]:
    return {}


def _keep(view: View, move: Move) -> dict[str, float]:
    rows = view.table.rows
    return {
        "kept_share": sum(row.get(move.field) == move.value for row in rows) / max(1, len(rows)),
        "quoted_state": float(move.where.startswith("'")),
        "shown_value": float(not move.where.startswith("'")),
        "field_in_goal": overlap(stems(move.field), view.words),
        "of_page": max((overlap(words, stems(move.field)) for words in view.page_words), default=0.0),
    }


def _pick(view: View, move: Move) -> dict[str, float]:
    return {
        "direction": float(_is_one(view.goal.text, f"with the {move.value} {move.field.replace('_', ' ')}"))
        or 0.3 * _direction(view.plain, move.value),
        "repeats": float("picked" in view.table.kept),
    }


def _is_one(text: str, said: str) -> bool:
    """Whether the text has one row by this, and doesn't only begin with it."""
    return said in text.replace(f"begin {said}", "").replace(f"Begin {said}", "")


def _direction(said: frozenset[str], order: str) -> float:
    """Whether the instruction asks for this end: by the word itself or, where it says neither, by one like it."""
    plain = [one for one in _SUPERLATIVES if one in said]
    return float(order in plain) if plain else 0.3 * any(word in said for word in _SUPERLATIVES[order])


def _trace(view: View, move: Move) -> dict[str, float]:
    return {"page_in_goal": float(move.value in quoted(view.goal.text)), "about": float(stems(view.table.noun) == view.about)}


def _take(view: View, move: Move) -> dict[str, float]:
    page, order = move.value
    return {
        "page_in_goal": float(page in quoted(view.goal.text)),
        "direction": _direction(view.plain, order),
        "many_rows": min(1.0, len(view.table.rows) / 20),
    }


def _join(view: View, move: Move) -> dict[str, float]:
    ours = view.memory.tables[move.table]
    return {
        "fits_page": float((move.where == "strays") == (view.strays and ours.name != "told")),
        "at_hand": float(move.table == -1),
        "about": float(stems(ours.noun) == view.about),
        "noun_in_goal": overlap(stems(ours.noun), view.words),
        "own_key": float(move.bound[0][0] == ours.key),
    }


def _decide(view: View, move: Move) -> dict[str, float]:
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


def _write(view: View, move: Move) -> dict[str, float]:
    name, text = stems(move.tool), view.goal.text
    verb = move.tool.split("_", 1)[0]
    fields = [field for _, field in move.bound]
    return {
        "in_goal": overlap(name, view.words),
        "verb_in_goal": _verb_said(view, move, verb),
        "verb_denied": float(negated(text, verb)),
        "denied_any": float(denies(view.goal)),
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


def _verb_said(view: View, move: Move, verb: str) -> float:
    """Whether the instruction has the tool's verb or, for one that records what was decided, that of its description."""
    if stem(verb) in view.words:
        return 1.0
    told = stems(view.goal.tools[move.tool].doc.doc.split(" ", 1)[0])
    return 0.7 if told & view.words and any(field == "=outcome" for _, field in move.bound) else 0.0


def _of_strays(table: Table, fields: Sequence[str]) -> bool:
    """Whether it is done with what only lines have that belong to none of ours."""
    ours = [row for row in table.rows if "=lines" in row and "=unknown" not in row]
    return bool(ours) and len(fields) == 1 and fields[0] in ours[0] and all(row.get(fields[0]) is None for row in ours)


def _answer(view: View, move: Move) -> dict[str, float]:
    made = move.made
    assert made is not None
    spec = view.goal.answer[move.field]
    asked, doc, column = stems(move.field), stems(spec.doc), stems(made.column)
    plain = spec.doc.lower()
    return {
        f"by_{made.form}": 1.0,
        "column_in_field": overlap(column, asked | doc),
        "exact_name": float(made.column.lstrip("=") == move.field or (bool(column) and column <= asked)),
        "column_decided": float(made.column.startswith("=")),
        "compared_in_doc": float(
            made.compared == "all named"
            or (made.compared in ("nobody", "people", "different", "no cause") and made.compared in plain)
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
        "repeats": float(any(name == made.name for field, name, _ in view.memory.answers if field in view.goal.answer)),
    }


_OF = {
    "read": _read, "look": _look, "ask": _ask, "wait": _wait, "keep": _keep, "pick": _pick, "join": _join, "decide": _decide,
    "take": _take, "trace": _trace, "write": _write, "answer": _answer, "finish": _none,
}  # fmt: skip


def relations(view: View, move: Move) -> dict[str, float]:
    """See the module."""
    return _OF[move.kind](view, move)
