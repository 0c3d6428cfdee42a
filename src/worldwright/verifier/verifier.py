"""A task's verifier: compiled once, pre-flighted once an instance, then grading episodes.

Whether a verifier is healthy is decided before an agent acts: every query runs on the untouched state, and a crash, an
overrun, nothing to check, or a pass there is `error`. After that nothing an agent does can turn `fail` into `error`, nor
into an exception: whatever grading raises then is a `fail` with finding `verifier-overrun`.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import apsw
import msgspec

from worldwright.errors import BudgetSpent, PackError, SandboxError, StateLost
from worldwright.files import decode_yaml
from worldwright.sandbox import Limits, call_function
from worldwright.task import Instance, Task
from worldwright.verifier.compiled import CompiledExpectation, CompiledQuery, Composer
from worldwright.verifier.grading import Grading, QueryFault
from worldwright.verifier.reading import one_grading
from worldwright.verifier.spec import VerifierSpec
from worldwright.verifier.untouched import Untouched
from worldwright.verifier.verdict import Status, Verdict
from worldwright.world.records import RecordsEvidence
from worldwright.world.records.connection import GRADE_STEPS
from worldwright.world.records.policy import Statement

__all__ = ["Preflight", "Verifier"]

_KEPT = 256
_COMPUTE = Limits(seconds=10.0, turn_seconds=10.0, memory=256_000_000, calls=1)


class Preflight(msgspec.Struct, frozen=True):
    """What is known before the agent acts: `fault` is empty if the verifier is healthy on this instance."""

    fault: str
    cache: dict[str, list[Any]]
    params: dict[str, Any]
    mark: str = ""
    """What tells these parameters from others."""


class Verifier:
    """See the module. Safe for threads. `shared`: untouched instances that other verifiers of the task look at, too."""

    def __init__(self, task: Task, text: str | VerifierSpec, where: str = "", shared: Untouched | None = None) -> None:
        self.steps = GRADE_STEPS
        """Steps that each query may take; one that takes more is an error before the agent acted, and a failed run after it."""
        self.task, self.where = task, where or task.where
        file = f"{self.where}/verifier.yaml"
        self.spec = decode_yaml(text, VerifierSpec, file) if isinstance(text, str) else text
        composer = Composer(self.spec, task, file)
        self.composer = composer
        self.base = composer.set("", self.spec.expect, self.spec.answer, "")
        self.alternatives = composer.alternatives()
        self.sets = tuple((one, one.groups()) for one in [other.with_base(self.base) for other in self.alternatives] or [self.base])
        self.allow = tuple(composer.allowance(one, n) for n, one in enumerate(self.spec.allow))
        self.forbid = composer.named(self.spec.forbid, "forbid")
        self.demand = composer.named(self.spec.demand, "demand")
        self.free = _columns(task, f"{task.world.where}/world.yaml")
        self._shared = shared
        self._before: dict[str, Statement] = {}
        self._kept: OrderedDict[int, Preflight] = OrderedDict()
        self._lock = threading.Lock()

    # ---- before the agent acts

    def preflight(self, instance: Instance) -> Preflight:
        """The verifier's health on this instance, and the rows it expects; computed once."""
        with self._lock:
            if instance.seed in self._kept:
                self._kept.move_to_end(instance.seed)
                return self._kept[instance.seed]
        try:
            made = self._preflight(instance)
        except Exception as fault:  # noqa: BLE001 - whatever goes wrong before the agent acts is the task's fault, as data
            return Preflight(f"grading the untouched state fails: {_named(fault)}", {}, dict(instance.params))
        with self._lock:
            self._kept[instance.seed] = made
            while len(self._kept) > (_KEPT if self._shared is None else 1):
                self._kept.popitem(last=False)
        return made

    def forget(self) -> None:
        """Drop what was computed for instances; the next grading computes it again."""
        with self._lock:
            self._kept.clear()
        if self._shared is not None:
            self._shared.forget()

    def _preflight(self, instance: Instance) -> Preflight:
        with one_grading():
            return self._made_ready(instance)

    def _made_ready(self, instance: Instance) -> Preflight:
        params = dict(instance.params)
        shared = self._shared
        try:
            found = self._computed(instance) if shared is None else shared.computed(instance.seed, lambda: self._computed(instance))
            params.update(found)
        except SandboxError as fault:
            return Preflight(f"compute failed before the agent acted: {fault}", {}, params)
        if shared is not None:
            with shared.evidence(self.task, instance) as evidence:
                return self._looked_at(evidence, params, instance.seed)
        with self.task.start(instance) as episode:
            return self._looked_at(episode.finish(None, instance.until), params, instance.seed)

    def _looked_at(self, evidence: RecordsEvidence, params: dict[str, Any], seed: int) -> Preflight:
        """What is known by what the untouched instance leaves."""
        evidence.steps = self.steps
        if evidence.lost:
            return Preflight(f"the untouched world can't go on to its end: {evidence.lost}", {}, params)
        mark = repr(params)
        cache: dict[str, list[Any]] = {}
        grading = Grading(self, evidence, Preflight("", {}, params, mark))
        try:
            for query in self.queries():
                rows = self._untouched(grading, query, seed)
                if query.fixed:
                    cache[query.field] = rows
            self._cache_rows(evidence, cache)
        except QueryFault as fault:
            return Preflight(f"a query fails on the untouched state: {fault}", {}, params)
        return Preflight(self._vacuous(evidence, Preflight("", cache, params, mark)), cache, params, mark)

    def _untouched(self, grading: Grading, query: CompiledQuery, seed: int) -> list[Any]:
        """A query's rows on the untouched state."""
        if self._shared is None:
            return grading.rows(query, {"new_keys": "[]"})
        return self._shared.rows(seed, query.statement.sql, lambda: grading.rows(query, {"new_keys": "[]"}))

    def _vacuous(self, evidence: RecordsEvidence, ready: Preflight) -> str:
        grading = Grading(self, evidence, ready)
        for answer in (*self.base.answer, *(one for other in self.alternatives for one in other.answer)):
            spec = self.task.brief.answer[answer.field]
            values = [next(iter(row.values())) for row in grading.rows(answer.query)]
            if spec.type != "list" and not spec.optional and (not values or values[0] is None):
                return f"{answer.query.field}: the expected answer is empty on the untouched state"
        checks, _ = grading.run()
        if grading.faults:
            return f"a query fails on the untouched state: {grading.faults[0]}"
        if all(one.ok for one in checks):
            return "vacuous: the untouched state with no answer passes, so there is nothing to check"
        return ""

    def _computed(self, instance: Instance) -> dict[str, str]:
        if not self.spec.compute:
            return {}
        image = self.task.world.image(instance.seed)
        tables = {
            name: [dict(zip(table.names(), row, strict=True)) for row in image.query(_select(name, table.names(), table.key))]
            for name, table in image.schema.tables.items()
        }
        out = {}
        for name, one in self.spec.compute.items():
            rows = call_function(
                one.code,
                "compute",
                {"tables": tables, "params": dict(instance.params)},
                seed=0,
                clock=self.task.world.spec.start(),
                name=f"compute_{name}.py",
                limits=_COMPUTE,
            )
            if not isinstance(rows, list) or any(not isinstance(row, dict) or set(row) != set(one.columns) for row in rows):
                raise SandboxError(f"compute.{name} gave no list of rows with the columns {', '.join(one.columns)}", kind="value")
            out[f"compute_{name}"] = msgspec.json.encode([[_cell(row[column]) for column in one.columns] for row in rows]).decode()
        return out

    def unused(self) -> list[str]:
        """The fields of the definitions (`define.NAME`, `compute.NAME`) that no query uses, not even by way of another."""
        return self.composer.unused()

    def queries(self) -> list[CompiledQuery]:
        """Every query of the verifier."""
        out: list[CompiledQuery] = []
        for one in (self.base, *self.alternatives):
            for expectation in one.expect:
                texts = [query for text in expectation.texts for query in (text.values, text.may) if query is not None]
                out += [expectation.rows, *([expectation.wrong] if expectation.wrong else []), *texts]
            out += [answer.query for answer in one.answer]
        out += [one.rows for one in self.allow if one.rows is not None]
        return out + list(self.forbid) + list(self.demand)

    # ---- rows before

    def _cache_rows(self, evidence: RecordsEvidence, cache: dict[str, list[Any]]) -> None:
        for one in (expectation for group in (self.base, *self.alternatives) for expectation in group.expect):
            if one.op != "insert" and one.rows.fixed:
                found = [
                    (key, self._fetch(evidence, one, key))
                    for row in cache[one.rows.field]
                    for key in [tuple(row[name] for name in one.table.key)]
                ]
                cache[f"{one.rows.field}#before"] = [dict(found)]

    def row_before(
        self, evidence: RecordsEvidence, cache: Mapping[str, Sequence[Any]], one: CompiledExpectation, key: tuple[Any, ...]
    ) -> Mapping[str, Any] | None:
        """The row of this key in the state before, or None. Raises QueryFault."""
        kept = cache.get(f"{one.rows.field}#before")
        if kept and key in kept[0]:
            row: Mapping[str, Any] | None = kept[0][key]
            return row
        return self._fetch(evidence, one, key)

    def _fetch(self, evidence: RecordsEvidence, one: CompiledExpectation, key: tuple[Any, ...]) -> Mapping[str, Any] | None:
        names = one.table.names()
        statement = self._before.get(one.table.name)
        if statement is None:
            where = " AND ".join(f'"{column}" IS :k{n}' for n, column in enumerate(one.table.key))
            sql = f"SELECT {', '.join(_quote(name) for name in names)} FROM before.{_quote(one.table.name)} WHERE {where}"
            statement = self.task.world.bench.prove(sql, "verifier")
            self._before[one.table.name] = statement
        try:
            rows = evidence.run(statement, {f"k{n}": value for n, value in enumerate(key)}, most=1)
        except (apsw.Error, BudgetSpent, StateLost, OverflowError) as fault:
            raise QueryFault(one.rows.field, fault) from fault
        return dict(zip(names, rows[0], strict=True)) if rows else None

    # ---- afterwards

    def grade(self, instance: Instance, evidence: RecordsEvidence | None) -> Verdict:
        """The verdict on an episode of this instance; no evidence is `error`: an infrastructure failure is no reward.

        Raises nothing that an agent could bring about.
        """
        ready = self.preflight(instance)
        if ready.fault:
            return Verdict(Status.ERROR, reason=ready.fault)
        if evidence is None:
            return Verdict(Status.ERROR, reason="the episode left no evidence: an infrastructure failure")
        if evidence.lost:
            return Verdict(Status.FAIL, findings=("state-lost",), reason=f"the agent's calls ended the world: {evidence.lost}")
        evidence.steps = self.steps
        try:
            with one_grading():
                return self._judged(evidence, ready)
        except Exception as fault:  # noqa: BLE001 - the verifier was healthy before the agent acted, so this is its doing
            return Verdict(Status.FAIL, findings=("verifier-overrun",), reason=f"grading could not be completed: {_named(fault)}")

    def _judged(self, evidence: RecordsEvidence, ready: Preflight) -> Verdict:
        grading = Grading(self, evidence, ready)
        checks, met = grading.run()
        passed = all(one.ok for one in checks)
        return Verdict(Status.PASS if passed else Status.FAIL, tuple(checks), tuple(grading.findings), "", met)


def _columns(task: Task, file: str) -> frozenset[tuple[str, str]]:
    """`free` as (table, column) pairs. Raises PackError for a column that isn't there."""
    out = set()
    for text in task.world.spec.free:
        table, _, column = text.partition(".")
        found = task.world.schema.tables.get(table)
        if found is None or found.column(column) is None:
            raise PackError(f"'{text}' is not a column", file=file, field="free", expected="table.column")
        out.add((table, column))
    return frozenset(out)


def _named(fault: Exception) -> str:
    return f"{type(fault).__name__}: {fault}"[:300]


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _select(table: str, names: Sequence[str], key: Sequence[str]) -> str:
    return f"SELECT {', '.join(map(_quote, names))} FROM {_quote(table)} ORDER BY {', '.join(map(_quote, key))}"


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if value is None or isinstance(value, (int, float, str)):
        return value
    raise SandboxError(f"compute gave a {type(value).__name__}", kind="value")
