"""A task set on one seed: its parameters, what the agent is told, and the episode that starts from it.

`bind` is evaluated once on the start state; its rows are sorted and the seed picks one, the stratum first where there
is one. The pick depends on the world's and task's names, the text of `bind` and the seed alone, so that another
verifier or reference judges the same instance. Raises UnusableSeed where `bind` gives nothing.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import msgspec

from worldwright import templates
from worldwright.errors import BudgetSpent, PackError, UnusableSeed
from worldwright.files import decode_yaml
from worldwright.task.brief import Brief
from worldwright.world.arguments import compile_value
from worldwright.world.protocol import ToolDoc
from worldwright.world.records import RecordsEpisode, RecordsWorld
from worldwright.world.records.connection import SqlFault
from worldwright.world.records.database import instant, rank
from worldwright.world.records.policy import Statement

__all__ = ["Instance", "Prompt", "Task"]

_KEPT = 256
_NAME = re.compile(r"[A-Za-z_]\w*\Z")
_QUERY = re.compile(r"\s*(SELECT|WITH)\b", re.IGNORECASE)


class Prompt(msgspec.Struct, frozen=True):
    """What the agent is told at the start; `opening` are messages of parties, as (sender, text)."""

    system: str
    instruction: str
    opening: tuple[tuple[str, str], ...]
    tools: tuple[ToolDoc, ...]
    answer: Mapping[str, Any]


class Instance(msgspec.Struct, frozen=True):
    """`world/task@seed`."""

    name: str
    world: str
    task: str
    seed: int
    params: dict[str, Any]
    shown: dict[str, Any]
    stratum: str | None
    until: str | None


class Task:
    """A brief in its world. Safe for threads."""

    def __init__(self, name: str, world: RecordsWorld, text: str, where: str = "") -> None:
        self.name, self.world, self.where = name, world, where or f"{world.where}/tasks/{name}"
        file = f"{self.where}/brief.yaml"
        self.brief = decode_yaml(text, Brief, file)
        self.bind = world.bench.prove(self.brief.bind, "bind", params=frozenset(), file=file, field="bind")
        self.names = frozenset(column for column in self.bind.columns if column != "stratum")
        self._check(file)
        until = self.brief.until
        self._until = (
            world.bench.prove(until, "bind", params=self.names, file=file, field="until") if until and _QUERY.match(until) else None
        )
        if until and self._until is None and instant(until) is None:
            raise PackError(f"got '{until}'", file=file, field="until", expected="a time like 2026-03-30T18:00:00, or a SELECT")
        self._tools = tuple(world.tools(self.brief.parties))
        self._instances: OrderedDict[int, Instance] = OrderedDict()
        self._lock = threading.Lock()

    def _check(self, file: str) -> None:
        """Raises PackError for what the brief says wrongly."""
        self._check_names(file)
        self._check_parties(file)
        brief = self.brief
        if not 0 <= brief.luck <= 1:
            raise PackError(f"got {brief.luck}", file=file, field="luck", expected="0 to 1")
        if brief.limits.calls < 1 or brief.limits.output < 1:
            raise PackError("a limit below 1", file=file, field="limits", expected="at least 1")
        for name, spec in brief.answer.items():
            if spec.type == "object":
                raise PackError("an answer field can't be an object", file=file, field=f"answer.{name}", expected="another type, or a list")
            compile_value(spec, f"answer.{name}", file)

    def _check_names(self, file: str) -> None:
        brief = self.brief
        for name in brief.show:
            if name not in self.names:
                raise PackError(f"'{name}' is not a column of bind", file=file, field="show", expected=", ".join(sorted(self.names)))
        for n, name in enumerate(self.bind.columns):
            if name in self.bind.columns[:n]:
                raise PackError(f"bind gives two columns '{name}'", file=file, field="bind", expected="each column once (use AS)")
            if not _NAME.match(name) or name in ("now", "started") or name.startswith("said_"):
                expected = "a plain name (use AS), not now, started or said_..."
                raise PackError(f"bind gives a column '{name}'", file=file, field="bind", expected=expected)
        for n, text in enumerate([brief.instruction, *brief.paraphrases]):
            field = f"paraphrases[{n - 1}]" if n else "instruction"
            for unknown in sorted(templates.names_in(text, file=file, field=field) - set(brief.show)):
                raise PackError(f"the name '{unknown}' is undefined here", file=file, field=field, expected="a name under show")

    def _check_parties(self, file: str) -> None:
        for name in self.brief.parties:
            if name not in self.world.parties:
                known = ", ".join(self.world.parties) or "none"
                raise PackError(f"the world has no party '{name}'", file=file, field="parties", expected=known)
            for need in self.world.parties[name].spec.needs:
                if need not in self.names:
                    raise PackError(f"party '{name}' needs the parameter '{need}'", file=file, field="bind", expected=f"a column {need}")

    def instance(self, seed: int) -> Instance:
        """The task on this seed. Raises UnusableSeed."""
        with self._lock:
            if seed in self._instances:
                self._instances.move_to_end(seed)
                return self._instances[seed]
        made = self._make(seed)
        with self._lock:
            self._instances[seed] = made
            while len(self._instances) > _KEPT:
                self._instances.popitem(last=False)
        return made

    def ways(self, seed: int) -> list[dict[str, Any]]:
        """All rows of `bind` on this seed, sorted by all columns."""
        rows = self._ask(seed, self.bind, {}, "bind")
        return [dict(zip(self.bind.columns, row, strict=True)) for row in sorted(set(rows), key=lambda row: [rank(value) for value in row])]

    def _ask(self, seed: int, statement: Statement, values: Mapping[str, Any], field: str) -> list[tuple[Any, ...]]:
        """Rows over the start state. Raises PackError if the query can't be carried out there."""
        try:
            return self.world.ask_start(seed, statement, values)
        except (SqlFault, BudgetSpent) as fault:
            expected = "a query that every start state can answer"
            raise PackError(f"fails on seed {seed}: {fault}", file=f"{self.where}/brief.yaml", field=field, expected=expected) from fault

    def _make(self, seed: int) -> Instance:
        name = f"{self.world.name}/{self.name}@{seed}"
        rows = self.ways(seed)
        if not rows:
            raise UnusableSeed(f"{name}: bind gives no row on this seed's start state; take another seed")
        stratum = None
        if "stratum" in self.bind.columns:
            strata = sorted({str(row["stratum"]) for row in rows})
            stratum = strata[self._draw(seed, "stratum") % len(strata)]
            rows = [row for row in rows if str(row["stratum"]) == stratum]
        chosen = rows[self._draw(seed, "row") % len(rows)]
        params = {key: value for key, value in chosen.items() if key != "stratum"}
        until = self.brief.until
        if self._until is not None:
            got = self._ask(seed, self._until, params, "until")
            until = instant(got[0][0]) if len(got) == 1 else None
            if until is None:
                raise PackError(f"gives no time on seed {seed}", file=f"{self.where}/brief.yaml", field="until", expected="one ISO time")
        return Instance(
            name,
            self.world.name,
            self.name,
            seed,
            params,
            {key: params[key] for key in self.brief.show},
            stratum,
            instant(until),
        )

    def _draw(self, seed: int, what: str) -> int:
        text = f"{self.world.name}\0{self.name}\0{self.brief.bind}\0{seed}\0{what}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")

    def start(self, instance: Instance) -> RecordsEpisode:
        """A fresh episode of this instance, with the brief's limit of calls."""
        return self.world.start(instance.seed, instance.params, self.brief.parties, self.brief.limits.calls)

    def prompt(self, instance: Instance, wording: int = 0) -> Prompt:
        """What the agent is told; `wording` 0 is the instruction, others its paraphrases in turn."""
        texts = [self.brief.instruction, *self.brief.paraphrases]
        chosen = wording % len(texts)
        field = f"paraphrases[{chosen - 1}]" if chosen else "instruction"
        instruction = templates.render(texts[chosen], instance.shown, file=f"{self.where}/brief.yaml", field=field).strip()
        system = f"You work at: {self.world.spec.title}. Use the tools to do what you are asked. It is {self.world.spec.start()}."
        opening = []
        for name in self.brief.parties:
            party = self.world.parties[name]
            system += f" {name}: {party.spec.about.strip()}"
            text = party.opening(instance.params)
            if text:
                opening.append((name, text))
        return Prompt(system, instruction, tuple(opening), self._tools, self.brief.answer)
