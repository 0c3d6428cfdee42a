"""Rows for a trade: a scenario's code that draws them from a domain model's distributions.

Takes material without a source and what rows are drawn for; gives the text of `scenario.py`, which runs in the sandbox. Numbers follow
the quantiles, choices their shares, dates an offset from another date where the model says so; references name rows that are there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from worldwright.domain.model import DomainModel, Entity, Field
from worldwright.synthesis.draft import CLOCK, Column, Table
from worldwright.synthesis.material import Material, cents_in, column_name

__all__ = ["scenario_text", "spec_of"]

_AFTER = re.compile(r"days after ([\w.]+) at 5, 25, 50, 75, 95 percent: ([-\d, ]+)")
_PERCENT = re.compile(r"percent of ([\w.]+) at 5, 25, 50, 75, 95 percent: ([-\d, ]+)")
_AGO = (-120, -75, -40, -18, -3)
"""Days from the clock, for a date of which nothing is known."""

_CODE = '''"""The start state: rows drawn from the trade's distributions, then what the tasks need."""
import datetime
import random

TODAY = datetime.date({today})
SURNAMES = ["Abara", "Bianchi", "Castro", "Dvorak", "Eriksen", "Farah", "Gupta", "Haddad", "Ito", "Jansen", "Kovacs", "Lindt", "Moreau", "Novak",
            "Okafor", "Petrov", "Quist", "Rossi", "Sato", "Tanaka", "Umar", "Vega", "Weber", "Xu", "Yilmaz", "Zola"]
FORENAMES = ["Ada", "Ben", "Chloe", "Dara", "Elif", "Femi", "Gita", "Hugo", "Ines", "Jonas", "Kira", "Liam", "Mona", "Nils"]
FIRMS = ["Partners", "Works", "Group", "Supplies", "Services", "Holdings", "Union", "Trading"]
PLACES = ["Aster", "Birch", "Cedar", "Dale", "Elm", "Fern", "Grove", "Hazel", "Ivy", "Juniper", "Kestrel", "Larch"]
WORDS = ["first", "second", "north", "south", "spare", "main", "old", "new", "blue", "green", "upper", "lower"]
AIMED = 0.8
TABLES = {tables}


def between(quantiles, least, most):
    """A number by its quantiles at 5, 25, 50, 75 and 95 percent."""
    points = [(0.0, least), (0.05, quantiles[0]), (0.25, quantiles[1]), (0.5, quantiles[2]), (0.75, quantiles[3]), (0.95, quantiles[4]), (1.0, most)]
    at = random.random()
    for n in range(1, len(points)):
        if at <= points[n][0]:
            low, high = points[n - 1], points[n]
            share = (at - low[0]) / (high[0] - low[0])
            return low[1] + (high[1] - low[1]) * share
    return most


def text(kind, n):
    if kind == "party":
        return SURNAMES[n % 26] + " " + FIRMS[(n // 26 + n) % 8]
    if kind == "person":
        return FORENAMES[(n * 5) % 14] + " " + SURNAMES[n % 26]
    if kind == "place":
        return PLACES[n % 12] + (" " + str(n // 12 + 1) if n >= 12 else "")
    return random.choice(WORDS) + " " + random.choice(PLACES).lower() + " " + str(n + 1)


def lookup(named, row, path):
    """A value of the row, or of the row that one of its columns names."""
    if len(path) == 1:
        return row.get(path[0])
    other = named[path[1]].get(row.get(path[0]))
    return None if other is None else other[path[3]]


def suits(named, target, test):
    """Whether a row that is named has what an aim asks of it, as far as one can tell."""
    for column, table, key in test["by"][1:]:
        target = named[table].get(target.get(column))
        if target is None:
            return False
    got = target.get(test["column"])
    if "values" in test:
        return got in test["values"]
    return "since" in test or (got is not None and test["least"] <= got <= test["most"])


def suiting(named, tables, column, aim, seen):
    """The rows that a reference may name so that what an aim asks of them holds; any where none does. `seen` keeps them for the aim."""
    if column["name"] not in seen:
        tests = [test for test in aim if test["by"] and test["by"][0][0] == column["name"]]
        good = tables[column["table"]]
        for test in tests:
            good = [one for one in good if suits(named, one, test)]
        seen[column["name"]] = good or tables[column["table"]]
    return seen[column["name"]]


def aimed(named, row, column, aim):
    """A value of the row's own that its aim asks for; None where it asks for nothing."""
    for test in aim:
        if test["by"] or test["column"] != column["name"]:
            continue
        if "values" in test:
            return random.choice(test["values"])
        figure = (random.randint(test["least"], test["most"]) + random.randint(test["least"], test["most"])) // 2
        if "since" not in test:
            return figure
        start = TODAY.isoformat()
        if test["since"]:
            by, name = test["since"]
            start = lookup(named, row, [by[0][0], by[0][1], by[0][2], name] if by else [name])
        return day_after(start, figure, column) if start is not None and len(test["since"] and test["since"][0]) < 2 else None
    return None


def day_after(start, days, column):
    day = (datetime.date.fromisoformat(start[:10]) + datetime.timedelta(days=days)).isoformat()
    return day + "T" + str(random.randint(7, 18)).zfill(2) + ":" + random.choice(["00", "15", "30", "45"]) + ":00" if column.get("time") else day


def value(tables, named, table, row, column, n, aim, seen):
    kind = column["kind"]
    if aim and kind not in ("key", "reference"):
        got = aimed(named, row, column, aim)
        if got is not None:
            return got
    if column.get("nulls") and random.random() < column["nulls"]:
        return None
    if kind == "key":
        return n + 1 if column["number"] else column["prefix"] + "-" + str(n + 101)
    if kind == "reference":
        if column["table"] == table:
            targets = tables[table][max(0, n - 3):n]
        else:
            targets = suiting(named, tables, column, aim, seen) if aim else tables[column["table"]]
        return random.choice(targets)[column["key"]] if targets else None
    if kind == "choice":
        return random.choices(column["values"], column["shares"])[0]
    if kind == "number":
        got = between(column["quantiles"], column["least"], column["most"])
        return round(got, 1) if column.get("real") else int(got + 0.5)
    if kind == "percent":
        base = lookup(named, row, column["of"])
        return None if base is None else int(base * between(column["quantiles"], column["quantiles"][0], column["quantiles"][4]) / 100 + 0.5)
    if kind == "date":
        start = lookup(named, row, column["of"]) if column.get("of") else TODAY.isoformat()
        if start is None:
            return None
        days = int(between(column["quantiles"], column["quantiles"][0] - 2, column["quantiles"][4] + 2) + 0.5)
        return day_after(start, days, column)
    if kind == "time":
        return str(random.randint(7, 18)).zfill(2) + ":" + random.choice(["00", "15", "30", "45"])
    return text(column["text"], n)


def rows():
    tables, named = {{}}, {{}}
    for name, count, columns, aims in TABLES:
        tables[name] = []
        seen = [{{}} for _ in aims]
        for n in range(count):
            row = {{}}
            which = random.randrange(len(aims)) if aims and random.random() < AIMED else None
            aim, kept = ([], {{}}) if which is None else (aims[which], seen[which])
            for column in columns:
                row[column["name"]] = value(tables, named, name, row, column, n, aim, kept)
            tables[name].append(row)
        key = [column["name"] for column in columns if column["kind"] == "key"]
        named[name] = {{row[key[0]]: row for row in tables[name]}} if key else {{}}
    return tables
'''


def scenario_text(material: Material, aims: Mapping[str, list[list[dict[str, Any]]]]) -> str:
    """The part of `scenario.py` that makes the base rows: the function `rows`. `aims`: by entity, what its rows are drawn for."""
    tables = [(table.name, material.rows[name], spec_of(material, table), aims.get(name, [])) for name, table in _in_order(material)]
    year, month, day = (int(part) for part in CLOCK[:10].split("-"))
    lines = ["["]
    for name, count, columns, some in tables:
        lines.append(f"    ({name!r}, {count}, [")
        lines += [f"        {column!r}," for column in columns]
        lines.append("    ], [")
        lines += [f"        {aim!r}," for aim in some]
        lines.append("    ]),")
    lines.append("]")
    return _CODE.format(today=f"{year}, {month}, {day}", tables="\n".join(lines))


def _in_order(material: Material) -> list[tuple[str, Table]]:
    """Tables after those that they refer to; where they refer in a circle, in the model's order."""
    left = dict(material.tables)
    out: list[tuple[str, Table]] = []
    while left:
        ready = [
            name
            for name, table in left.items()
            if not any(
                one.refers and one.refers != table.name and any(one.refers == other.name for other in left.values())
                for one in table.columns
            )
        ]
        name = ready[0] if ready else next(iter(left))
        out.append((name, left.pop(name)))
    return out


def spec_of(material: Material, table: Table) -> list[dict[str, Any]]:
    """How each column of a table is drawn, in an order in which what one needs comes before it."""
    entity = next(one for one in material.model.entities if one.name == table.entity)
    fields = {column_name(entity, one.name): one for one in entity.fields}
    placed = {name for name, _ in _before(material, table.entity)} | {table.entity}
    made = [_drawn(material, entity, table, one.name, fields[one.name], placed) for one in table.columns]
    for one in made:
        if len(one.get("of", ())) == 4:
            if one["of"][1] in placed - {table.entity}:
                one["of"][1] = material.tables[one["of"][1]].name
            else:
                del one["of"]
    out: list[dict[str, Any]] = []
    while made:
        done = {one["name"] for one in out}
        ready = [one for one in made if not one.get("of") or one["of"][0] in done]
        if not ready:  # dates that wait for one another: the first is drawn from the clock
            made[0].pop("of", None)
            made[0]["quantiles"] = list(_AGO)
            made[0]["kind"] = "date" if made[0]["kind"] == "date" else made[0]["kind"]
            ready = [made[0]]
        for one in ready:
            out.append(one)
            made.remove(one)
    return out


def _before(material: Material, entity: str) -> list[tuple[str, Table]]:
    order = _in_order(material)
    at = next(n for n, (name, _) in enumerate(order) if name == entity)
    return order[:at]


def _drawn(material: Material, entity: Entity, table: Table, name: str, field: Field, placed: set[str]) -> dict[str, Any]:
    spread = field.distribution
    out: dict[str, Any] = {"name": name}
    column = table.column(name)
    nulls = spread.nulls if spread is not None and column.nullable else 0.0
    if nulls:
        out["nulls"] = nulls
    if name == table.key:
        letters = "".join(word[0] for word in table.singular.split("_")).upper()
        return out | {
            "kind": "key",
            "number": column.type == "integer",
            "prefix": (letters if len(letters) > 1 else table.singular[:2].upper()),
        }
    if column.refers:
        target = next(one for one in material.tables.values() if one.name == column.refers)
        if target.entity not in placed:
            return out | {"kind": "choice", "values": [None], "shares": [1]}
        if target.entity == table.entity and not nulls:
            out["nulls"] = 0.25
        return out | {"kind": "reference", "table": target.name, "key": target.key}
    return out | (_chosen(column, field) or _valued(material.model, entity, table, column, field))


def _chosen(column: Column, field: Field) -> dict[str, Any]:
    """How a column of few values is drawn, money in cents; nothing for others."""
    spread = field.distribution
    if spread is not None and spread.shares and column.type == "money":
        values = [round(one.value * cents_in(field)) for one in spread.shares if isinstance(one.value, (int, float))]
        return {"kind": "choice", "values": values, "shares": [one.share for one in spread.shares if isinstance(one.value, (int, float))]}
    if spread is not None and spread.shares:
        return {"kind": "choice", "values": [one.value for one in spread.shares], "shares": [one.share for one in spread.shares]}
    values = list(column.values) or ([0, 1] if column.type == "boolean" else [])
    return {"kind": "choice", "values": values, "shares": [1] * len(values)} if values else {}


def _valued(model: DomainModel, entity: Entity, table: Table, column: Column, field: Field) -> dict[str, Any]:
    """How a date, a number or a text is drawn."""
    if column.type in ("date", "datetime"):
        return _date(model, entity, field, column.type == "datetime")
    if column.type in ("integer", "number", "money"):
        return _number(model, entity, field, column.type == "number")
    if column.type == "time":
        return {"kind": "time"}
    facet = {"party": "party", "staff": "person", "location": "place"}.get(table.facet, "thing")
    return {"kind": "text", "text": facet if column.name == table.label else "thing"}


def _date(model: DomainModel, entity: Entity, field: Field, is_time: bool) -> dict[str, Any]:
    out: dict[str, Any] = {"kind": "date", "quantiles": list(_AGO)}
    if is_time:
        out["time"] = True
    for one in field.evidence:
        match = _AFTER.search(one.what)
        path = _path(model, entity, match.group(1)) if match else None
        if match and path:
            out |= {"of": path, "quantiles": [int(part) for part in match.group(2).split(",")]}
    return out


def _number(model: DomainModel, entity: Entity, field: Field, is_real: bool) -> dict[str, Any]:
    for one in field.evidence:
        match = _PERCENT.search(one.what)
        path = _path(model, entity, match.group(1)) if match else None
        if match and path:
            return {"kind": "percent", "of": path, "quantiles": [int(part) for part in match.group(2).split(",")]}
    spread = field.distribution
    quantiles = [one for one in spread.quantiles if isinstance(one, (int, float))] if spread is not None else []
    if len(quantiles) != 5:
        low, high = _number_of(field.least, 1), _number_of(field.most, 100)
        quantiles = [low + (high - low) * part for part in (0.05, 0.25, 0.5, 0.75, 0.95)]
    least, most = _number_of(field.least, quantiles[0]), _number_of(field.most, quantiles[4])
    if field.type == "money":
        least, most, *quantiles = (one * cents_in(field) for one in (least, most, *quantiles))
    out = {"kind": "number", "quantiles": quantiles, "least": min(least, quantiles[0]), "most": max(most, quantiles[4])}
    return out | ({"real": True} if is_real and any(isinstance(one, float) and one % 1 for one in quantiles) else {})


def _number_of(value: Any, otherwise: float) -> float:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else otherwise


def _path(model: DomainModel, entity: Entity, name: str) -> list[str] | None:
    """Where another value stands: [column], or [own column, table, key, column] of the row that it names."""
    first, _, rest = name.partition(".")
    entities = {one.name: one for one in model.entities}
    if not rest:
        return [column_name(entity, first)] if any(one.name == first for one in entity.fields) else None
    way = next((one for one in model.relations if one.from_ == entity.name and one.to == first and len(one.fields) == 1), None)
    if way is None or not any(one.name == rest for one in entities[first].fields):
        return None
    return [column_name(entity, way.fields[0]), first, entities[first].key[0], column_name(entities[first], rest)]
