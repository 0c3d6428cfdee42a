"""Calls made from what is known of an instance: neighbouring rows, changed arguments, legal writes elsewhere.

Takes an instance on the bench; gives acts. Values come from the start state's columns, from rows that tools returned,
and from the reference's own arguments; nothing is invented where a real value can be had, so that a changed call is
still one that the tools accept.
"""

from __future__ import annotations

import functools
import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from worldwright.audit.answers import canonical, is_code, is_free_text, lines_changed
from worldwright.audit.subject import Act, Argument, Tool

if TYPE_CHECKING:
    from worldwright.audit.bench import At, Case

__all__ = ["WORDS", "Rows", "argument_changes", "draw", "is_prose", "legal_calls", "neighbours", "rows_of"]

_PROSE = re.compile(
    r"(?:^|_)(?:note|notes|comment|comments|message|body|text|reason|explanation|description|summary|remark|remarks|memo|content|subject)$"
)

Rows = dict[str, list[dict[str, Any]]]


def is_prose(name: str, value: Any) -> bool:
    """Whether an argument is the agent's own words: named so, or prose by its length, and not a file's text, a table or code."""
    if not isinstance(value, str) or re.search(r"[\n={}\[\]|<>\t\\]|\w\(|;(?! [^\W\d_])|(?<![^\W\d_]);", value):
        return False
    return (bool(_PROSE.search(name.lower())) and " " in value.strip()) or is_free_text(value)


def rows_of(at: At) -> Rows:
    """Tables of rows: the start state's, or what the known solutions' calls returned where there is no state."""
    if at.facts.state:
        return at.facts.state
    found: Rows = {}
    for known, attempt in at.known:
        for act, result in zip(known.acts, attempt.results, strict=False):
            for row in _rows_in(result.value):
                found.setdefault(act.tool, []).append(row)
    return found


def _rows_in(value: Any, depth: int = 3) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if any(not isinstance(item, (dict, list)) for item in value.values()):
            yield value
        for item in value.values() if depth else ():
            yield from _rows_in(item, depth - 1)
    elif isinstance(value, (list, tuple)) and depth:
        for item in value[:200]:
            yield from _rows_in(item, depth - 1)


def _columns(rows: Rows) -> dict[tuple[str, str], list[Any]]:
    out: dict[tuple[str, str], list[Any]] = {}
    for table, every in rows.items():
        for row in every[:400]:
            for column, value in row.items():
                if isinstance(value, (str, int, float)) and not isinstance(value, bool):
                    out.setdefault((table, column), []).append(value)
    return {key: list(dict.fromkeys(values)) for key, values in out.items()}


class _Index:
    """The plain values of rows by column, and the columns by value; `rows` is kept so that its identity stays its own."""

    def __init__(self, rows: Rows) -> None:
        self.rows, self.columns = rows, _columns(rows)

    @cached_property
    def holding(self) -> dict[Any, list[tuple[str, str]]]:
        """Canonical value -> the columns that have it, in their order."""
        out: dict[Any, list[tuple[str, str]]] = {}
        for key, values in self.columns.items():
            for one in dict.fromkeys(canonical(one) for one in values):
                out.setdefault(one, []).append(key)
        return out


_indices: OrderedDict[int, _Index] = OrderedDict()
_MOST_INDICES = 96


def _index(at: At) -> _Index:
    """Kept on the instance; of a start state also apart, since the cases of a world share their states."""
    kept: _Index | None = at.__dict__.get("_index")
    if kept is not None:
        return kept
    rows = rows_of(at)
    kept = _indices.get(id(rows))
    if kept is None or kept.rows is not rows:
        kept = _Index(rows)
        if rows is at.facts.state:
            _indices[id(rows)] = kept
            while len(_indices) > _MOST_INDICES:
                _indices.popitem(last=False)
    at.__dict__["_index"] = kept
    return kept


def columns_of(at: At) -> dict[tuple[str, str], list[Any]]:
    """(table, column) and its distinct plain values, in the rows' order; kept on the instance."""
    return _index(at).columns


def neighbours(at: At, name: str, value: Any) -> list[Any]:
    """Other values of the column that an argument's value comes from: by the argument's name first, then by the value."""
    found: list[Any] = []
    stem = name.lower().removesuffix("_id").removesuffix("id").strip("_")
    columns = columns_of(at)
    holding = [(key, columns[key]) for key in _holding(at, value)]
    fitting = [
        values for (table, column), values in holding if column.lower() == name.lower() or (stem and stem in f"{table}.{column}".lower())
    ]
    for values in fitting or [values for _, values in holding]:
        found += [one for one in values if canonical(one) != canonical(value) and type(one) is type(value)]
    return list(dict.fromkeys(found))


def _holding(at: At, value: Any) -> Sequence[tuple[str, str]]:
    """The columns that hold a value, in their order; kept on the instance."""
    return _index(at).holding.get(canonical(value), ())


def argument_changes(at: At, act: Act) -> Iterator[tuple[str, str, Act]]:
    """(argument, how, the call with that one argument changed)."""
    tool = at.facts.tool(act.tool)
    for name, value in act.args.items():
        spec = next((one for one in tool.args if one.name == name), None) if tool else None
        for how, other in _changed(at, name, value, spec):
            yield name, how, msgspec.structs.replace(act, args=act.args | {name: other})


def _changed(at: At, name: str, value: Any, spec: Argument | None) -> Iterator[tuple[str, Any]]:
    choices = spec.choices if spec else ()
    if choices:
        yield from (("another choice", one) for one in choices if one != value)
        return
    if isinstance(value, bool):
        yield "the opposite", not value
        return
    for other in _words_beside(at, name, value, spec)[:2]:
        yield WORDS, other
    for other in at.rng.sample(found, min(2, len(found))) if (found := neighbours(at, name, value)) else []:
        yield "a neighbouring row", other
    if isinstance(value, (int, float)):
        yield from _changed_number(value)
    elif isinstance(value, str):
        yield from _changed_text(value)
    elif isinstance(value, list) and value:
        yield "one missing", value[:-1]
        if not isinstance(value[-1], (dict, list)):
            more = neighbours(at, name, value[-1])
            if more:
                yield "one too many", [*value, at.rng.choice(more)]


WORDS = "another of its words"
_LISTED = re.compile(r"(?:['\"`]?[\w-]+['\"`]?\s*(?:,|/|\||\bor\b|\band\b)\s*(?:or\s+|and\s+)?){1,11}['\"`]?[\w-]+['\"`]?")


def _words_beside(at: At, name: str, value: Any, spec: Argument | None) -> list[str]:
    """Other words that the argument may take: those listed beside this one in the brief or the tools' docs, and those of like instances."""
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z][\w-]{1,30}", value) or (spec is not None and spec.choices):
        return []
    docs = [tool.doc for tool in at.facts.tools if any(arg.name == name for arg in tool.args)]
    found: dict[str, None] = {}
    for text in (*docs, at.facts.prompt):
        for words in _lists(text):
            if value in words:
                found |= dict.fromkeys(words)
    own = {act.tool for act in at.reference.acts if act.args.get(name) == value}
    for other, tool, word in _words_given(at.case).get(name, ()):
        if other is not at and tool in own:
            found[word] = None
    return [one for one in found if one != value]


@functools.lru_cache(maxsize=1_024)
def _lists(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of each list in a text, of two words at least."""
    lists = (re.findall(r"[\w-]+", re.sub(r"\b(?:or|and)\b", " ", hit.group(0))) for hit in _LISTED.finditer(text))
    return tuple(tuple(words) for words in lists if len(words) > 1)


def _words_given(case: Case) -> Mapping[str, Sequence[tuple[At, str, str]]]:
    """By argument: the words that references of a case's instances give it, with the instance and the tool; found once for so many."""
    kept: dict[int, dict[str, list[tuple[At, str, str]]]] = case.__dict__.setdefault("_words_given", {})
    if len(case.instances) not in kept:
        kept.clear()
        found = kept[len(case.instances)] = {}
        for at in case.instances:
            for act in at.facts.reference.acts if at.facts.reference is not None else ():
                for name, value in act.args.items():
                    if isinstance(value, str) and re.fullmatch(r"[A-Za-z][\w-]{1,30}", value):
                        found.setdefault(name, []).append((at, act.tool, value))
    return kept[len(case.instances)]


def _changed_number(value: int | float) -> Iterator[tuple[str, Any]]:
    yield "one more", value + 1
    yield "one less", value - 1
    if value:
        yield "other sign", -value
        yield "ten times", value * 10
        if isinstance(value, int) and value % 2 == 0:
            yield "half", value // 2


def _changed_text(value: str) -> Iterator[tuple[str, Any]]:
    if is_code(value) or "def " in value:
        return  # a program in other words may do the same: that is the business of `program`
    if "\n" in value.strip():
        yield from lines_changed(value)
        return
    digits = list(re.finditer(r"\d+", value))
    if digits:
        last = digits[-1]
        number = str(int(last.group(0)) + 1).zfill(len(last.group(0)))
        yield "the next one", value[: last.start()] + number + value[last.end() :]
    if value:
        yield "another text", "other" if value != "other" else "another"
        yield "something after it", f"{value}x"
        if len(value) > 3:
            yield "its first half", value[: len(value) // 2]
        yield "empty", ""


# ---- calls of tools that the reference may not use


def draw(at: At, tool: Tool) -> dict[str, Any] | None:
    """Arguments for a tool, each from real values, at times all that the reference uses under the same names; None if one can't be had."""
    args: dict[str, Any] = {}
    alike = at.rng.random() < 0.5
    used = _used_by_others(at, tool.name)
    for spec in tool.args:
        if alike and spec.name in used:
            args[spec.name] = used[spec.name]
            continue
        if not spec.required and at.rng.random() < 0.7:
            continue
        values = _values_for(at, tool, spec)
        if not values:
            if spec.required:
                return None
            continue
        args[spec.name] = at.rng.choice(values)
    return args


def _used_by_others(at: At, tool: str) -> Mapping[str, Any]:
    """The last value that the known solutions give each argument of tools other than this one."""
    kept: dict[str, dict[str, Any]] = at.__dict__.setdefault("_used_by_others", {})
    if tool not in kept:
        kept[tool] = {
            name: value for known in at.facts.known() for act in known.acts if act.tool != tool for name, value in act.args.items()
        }
    return kept[tool]


def _values_for(at: At, tool: Tool, spec: Argument) -> Sequence[Any]:
    if spec.choices:
        return spec.choices
    if spec.type == "bool":
        return (True, False)
    kept: dict[tuple[str, str, str], Sequence[Any]] = at.__dict__.setdefault("_values", {})
    key = (tool.name, spec.name, spec.type)
    if key not in kept:
        kept[key] = _found_for(at, tool, spec)
    return kept[key]


def _found_for(at: At, tool: Tool, spec: Argument) -> Sequence[Any]:
    column = _column_for(at, spec)
    types: dict[str, type | tuple[type, ...]] = {"str": str, "int": int, "float": (int, float)}
    wanted = types.get(spec.type)
    fitting = [one for one in column if wanted is None or isinstance(one, wanted)]
    if fitting:
        return fitting[:60]
    used = [act.args[spec.name] for known in at.facts.known() for act in known.acts if spec.name in act.args and act.tool == tool.name]
    elsewhere = [act.args[spec.name] for known in at.facts.known() for act in known.acts if spec.name in act.args]
    if used or elsewhere:
        return used + elsewhere
    plain: dict[str, tuple[Any, ...]] = {"str": ("checked",), "int": (1, 2, 5), "float": (1.0, 2.5), "any": ("checked", 1)}
    return plain.get(spec.type, ())


def _column_for(at: At, spec: Argument) -> list[Any]:
    """Values of the column that an argument most likely names; kept on the instance."""
    kept: dict[str, list[Any]] = at.__dict__.setdefault("_column_for", {})
    if spec.name not in kept:
        kept[spec.name] = _likely_column(at, spec)
    return kept[spec.name]


def _likely_column(at: At, spec: Argument) -> list[Any]:
    name = spec.name.lower()
    columns = columns_of(at)
    exact = [values for (_, column), values in columns.items() if column.lower() == name]
    if exact:
        return [one for values in exact for one in values]
    stem = re.sub(r"_?(?:id|no|number|code|key|ref|name)$", "", name)
    ending = name[len(stem) :].strip("_")
    for (table, column), values in columns.items():
        single = table.lower().rstrip("s")
        related = stem and (single.startswith(stem) or stem.startswith(single))
        if related and column.lower() in (ending, "id", "key", "code", "name", f"{single}_id"):
            return values
    used = [act.args[spec.name] for known in at.facts.known() for act in known.acts if spec.name in act.args]
    for key, values in columns.items():
        if used and all(key in _holding(at, each) for each in used):
            return values
    return []


def legal_calls(at: At, tools: Sequence[Tool], few: int) -> list[Act]:
    """Up to `few` calls of each tool with drawn arguments, without repeats."""
    out: dict[str, Act] = {}
    for tool in tools:
        for _ in range(few):
            args = draw(at, tool)
            if args is not None:
                act = Act(tool.name, args)
                out[msgspec.json.encode([tool.name, repr(args)]).decode()] = act
    return list(out.values())
