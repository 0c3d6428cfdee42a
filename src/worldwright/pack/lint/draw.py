"""Arguments for a tool, taken from a start state: values of columns of the argument's name first, then of its type."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from worldwright.world.arguments import typed_default
from worldwright.world.protocol import ToolDoc
from worldwright.world.records.image import Image
from worldwright.world.spec import ArgSpec

__all__ = ["Values"]

_DATE = re.compile(r"\d{4}-\d\d-\d\d\Z")


class Values:
    """The values of one start state, by column name and by type."""

    def __init__(self, image: Image) -> None:
        self.by_name: dict[str, list[Any]] = {}
        self.by_type: dict[str, list[Any]] = {"integer": [], "number": [], "string": [], "date": [], "datetime": []}
        for table in image.schema.tables.values():
            for column in table.names():
                rows = image.query(f'SELECT DISTINCT "{column}" FROM "{table.name}" WHERE "{column}" IS NOT NULL ORDER BY 1 LIMIT 200')
                values = [row[0] for row in rows if not isinstance(row[0], bytes)]
                for name in {
                    column,
                    f"{table.name}.{column}",
                    f"{_single(table.name)}_{column}",
                    _single(table.name) if column in table.key else column,
                }:
                    self.by_name.setdefault(name, []).extend(values)
                for value in values:
                    self._sort(value)

    def _sort(self, value: Any) -> None:
        if isinstance(value, int):
            self.by_type["integer"].append(value)
        if isinstance(value, (int, float)):
            self.by_type["number"].append(value)
        elif isinstance(value, str):
            self.by_type["string"].append(value)
            if _DATE.match(value):
                self.by_type["date"].append(value)
            elif _DATE.match(value[:10]) and len(value) in (16, 19):
                self.by_type["datetime"].append(value.replace(" ", "T"))

    def draw(self, tool: ToolDoc, rng: random.Random) -> dict[str, Any]:
        """Arguments for one call; optional ones are left out now and then."""
        out = {}
        for name, spec in tool.args.items():
            if (spec.optional or spec.default is not msgspec.UNSET) and rng.random() < 0.4:
                continue
            value = self.value(name, spec, rng)
            if value is not None:
                out[name] = value
        return out

    def value(self, name: str, spec: ArgSpec, rng: random.Random) -> Any:
        """A value for one argument."""
        if spec.enum:
            text = rng.choice(spec.enum)
            return {"integer": int, "number": float}.get(spec.type, str)(text)
        if spec.type == "boolean":
            return rng.random() < 0.5
        if spec.type == "list":
            return [
                self.value(re.sub(r"s$", "", name), spec.items or ArgSpec(), rng)
                for _ in range(max(spec.min_length or 0, rng.randint(1, 3)))
            ]
        if spec.type == "object":
            return {}
        kind = spec.format or spec.type
        pool = [value for value in self._named(name) if _fits(value, kind, spec)]
        if kind == "string" and rng.random() < 0.3 and pool:
            return str(rng.choice(pool)).split(" ")[0]
        if not pool or rng.random() < 0.1:
            pool = [value for value in self.by_type.get(kind, []) if _fits(value, kind, spec)] or pool
        if kind == "time":
            return rng.choice(["08:00", "09:30", "13:00"])
        if not pool:
            return typed_default(spec) if spec.default is not msgspec.UNSET else _plain(kind, spec)
        return rng.choice(pool)

    def _named(self, name: str) -> list[Any]:
        return self.by_name.get(name) or self.by_name.get(re.sub(r"^(new|to|from|old)_", "", name)) or []


def _plain(kind: str, spec: ArgSpec) -> Any:
    """A value of the type where the state has none."""
    if kind in ("integer", "number"):
        least = spec.minimum if spec.minimum is not None else min(1, spec.maximum if spec.maximum is not None else 1)
        return math.ceil(least) if kind == "integer" else float(least)
    return {"date": "2026-01-01", "datetime": "2026-01-01T09:00:00"}.get(kind, "a" * max(1, spec.min_length or 1))


def _fits(value: Any, kind: str, spec: ArgSpec) -> bool:
    if kind in ("integer", "number"):
        typed = isinstance(value, int if kind == "integer" else (int, float))
        return typed and (spec.minimum is None or value >= spec.minimum) and (spec.maximum is None or value <= spec.maximum)
    if not isinstance(value, str) or not (spec.min_length or 0) <= len(value) <= (spec.max_length or 2000):
        return False
    if kind == "date":
        return _DATE.match(value) is not None
    return kind != "datetime" or (len(value) >= 16 and _DATE.match(value[:10]) is not None)


def _single(name: str) -> str:
    """`companies` as `company`, `boxes` as `box`, `rentals` as `rental`."""
    for ending, instead in (("ies", "y"), ("ses", "s"), ("xes", "x"), ("s", "")):
        if name.endswith(ending) and len(name) > len(ending) + 1:
            return name[: -len(ending)] + instead
    return name


def rows_of(image: Image) -> Mapping[str, list[dict[str, Any]]]:
    """All rows of a start state, by table."""
    out = {}
    for table in image.schema.tables.values():
        names = table.stored()
        columns = ", ".join(f'"{name}"' for name in names)
        out[table.name] = [dict(zip(names, row, strict=True)) for row in image.query(f'SELECT {columns} FROM "{table.name}"')]
    return out
