"""One grading: the verifier's sets of expectations held against an episode's changes, answer and evidence.

Takes a compiled verifier, rows computed before the agent acted, and the evidence; gives checks and findings. A query
that fails or overruns here has done so only after the agent acted, so its check fails (`verifier-overrun`); so does one
for which there are too many texts to read. To be used inside `reading.one_grading`.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import apsw
import msgspec

from worldwright.errors import BudgetSpent, StateLost
from worldwright.verifier.compare import same_answer, same_value
from worldwright.verifier.compiled import CompiledAllowance, CompiledExpectation, CompiledQuery, CompiledSet, CompiledText, Group
from worldwright.verifier.known import Known, Whose
from worldwright.verifier.matching import Explained, Ledger, TextValues, Wanted, match_deletes, match_inserts, match_updates
from worldwright.verifier.reading import TextFault, spent
from worldwright.verifier.verdict import Check, check
from worldwright.world.records import RecordsEvidence
from worldwright.world.records.evidence import reads_answer

if TYPE_CHECKING:
    from worldwright.verifier.verifier import Preflight, Verifier

__all__ = ["Grading", "QueryFault"]

T = TypeVar("T")
_MOST = 20_000


class QueryFault(Exception):
    """A verifier's query crashed or overran."""

    def __init__(self, field: str, fault: BaseException) -> None:
        super().__init__(f"{field}: {fault}")
        self.field = field


class SetResult(msgspec.Struct, frozen=True):
    """One set's checks."""

    name: str
    checks: list[Check]

    def broken(self) -> int:
        """How many rows broke a check."""
        return sum(max(1, one.total) for one in self.checks if not one.ok)


class Part(msgspec.Struct, frozen=True):
    """What a group of expectations gives."""

    checks: list[Check]
    explained: Explained


class Grading:
    """Grades one evidence. `ready.cache` holds rows by field for queries over the state before."""

    def __init__(self, verifier: Verifier, evidence: RecordsEvidence, ready: Preflight) -> None:
        self.verifier, self.evidence, self.cache = verifier, evidence, ready.cache
        self.values = {**ready.params, "now": evidence.ended, "started": evidence.started}
        self.findings: list[str] = []
        self.faults: list[str] = []
        self.ledger = Ledger(evidence.changes, verifier.free)
        self._whose = Whose(evidence, verifier.task, ready.params, ready.mark)
        evidence.used = 0

    # ---- rows

    def rows(self, query: CompiledQuery, more: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """A query's rows. Raises QueryFault."""
        if query.fixed and query.field in self.cache:
            return list(self.cache[query.field])
        try:
            got = self.evidence.run(query.statement, {**self.values, **(more or {})}, most=_MOST)
        except (apsw.Error, BudgetSpent, StateLost, OverflowError, KeyError, TextFault) as fault:
            raise QueryFault(query.field, fault) from fault
        return [dict(zip(query.statement.columns, row, strict=True)) for row in got]

    def _safely(self, name: str, kind: str, fault: QueryFault) -> Check:
        if "verifier-overrun" not in self.findings:
            self.findings.append("verifier-overrun")
        self.faults.append(str(fault))
        return check(name, kind, [{"problem": "the check could not be completed", "why": str(fault)[:300]}])

    def _known(self, key: Any, asks_answer: bool) -> Known:
        return Known(self._whose, key, asks_answer)

    def _kept(self, known: Known, value: T, work: int | None = None) -> T:
        return value if self.faults else known.keep(value, work)

    # ---- the whole

    def run(self) -> tuple[list[Check], str]:
        """All checks, and the alternative that was met (or came nearest)."""
        shared = self._queries()
        best: SetResult | None = None
        for one, groups in self.verifier.sets:
            result = self._set(one, groups)
            if best is None or result.broken() < best.broken():
                best = result
            if not best.broken():
                break
        assert best is not None
        return best.checks + shared, best.name

    def _queries(self) -> list[Check]:
        out = []
        for kind, queries in (("forbid", self.verifier.forbid), ("demand", self.verifier.demand)):
            for query in queries:
                known = self._known((kind, query.name, query.statement.sql), reads_answer(query.statement))
                out.append(known.value or self._kept(known, self._query(query, kind)))
        return out

    def _query(self, query: CompiledQuery, kind: str) -> Check:
        try:
            rows = self.rows(query)
        except QueryFault as fault:
            return self._safely(query.name, kind, fault)
        if kind == "demand":
            rows = [] if rows else [{"problem": "nothing meets it"}]
        return check(query.name, kind, rows)

    def _set(self, one: CompiledSet, groups: Sequence[Group]) -> SetResult:
        known = [self._known(("expect", group.op, *group.key), group.asks_answer) for group in groups]
        checks: list[Check] = []
        wanted: list[list[Wanted]] = [[] for _ in groups]
        work = [0] * len(groups)
        unknown = [(place, n) for n, group in enumerate(groups) if known[n].value is None for place in group.places]
        for place, n in sorted(unknown):
            expectation = one.expect[place]
            before = spent()
            try:
                wanted[n].append(self._wanted(expectation))
            except QueryFault as fault:
                checks.append(self._safely(expectation.name, expectation.op, fault))
            work[n] += spent() - before
        explained = Explained(set(), {})
        for n, group in enumerate(groups):
            part = known[n].value
            if part is None and wanted[n]:
                before = spent()
                part = self._inserts(wanted[n]) if group.op == "insert" else self._targets(wanted[n][0])
                self._kept(known[n], part, work[n] + spent() - before)
            if part is not None:
                checks += part.checks
                explained.add(part.explained)
        allow = self.verifier.allow
        asks = any(other.rows is not None and reads_answer(other.rows.statement) for other in allow)
        frame = self._known(("frame", explained.mark(), *(other.key for other in allow)), asks)
        checks.append(frame.value or self._kept(frame, self._unexpected(explained)))
        for answer in one.answer:
            said = self._known(("answer", answer.field, answer.query.statement.sql), True)
            checks.append(said.value or self._kept(said, self._answer(answer.field, answer.query)))
        return SetResult(one.name, checks)

    def _wanted(self, one: CompiledExpectation) -> Wanted:
        rows = self.rows(one.rows)
        before: dict[tuple[Any, ...], Any] = {}
        if one.op != "insert":
            for row in rows:
                key = tuple(row[name] for name in one.table.key)
                found = self.verifier.row_before(self.evidence, self.cache, one, key)
                if found is not None:
                    before[key] = found
        return Wanted(one, rows, before, [self._text(text) for text in one.texts])

    def _text(self, text: CompiledText) -> TextValues:
        may = self.rows(text.may) if text.may is not None else []
        return TextValues(text.column, text.type, self.rows(text.values), may, text.must)

    def _inserts(self, group: Sequence[Wanted]) -> Part:
        """The checks of all inserts into one table."""
        out = Part([], Explained(set(), {}))
        try:
            problems, matched, done = match_inserts(group, self.ledger)
        except TextFault as fault:
            out.checks.extend(self._safely(one.expectation.name, "insert", QueryFault(one.expectation.rows.field, fault)) for one in group)
            return out
        out.explained.add(done)
        for n, one in enumerate(group):
            out.checks.extend(self._outcome(one, problems[n], [change.key for change in matched[n]]))
        return out

    def _targets(self, one: Wanted) -> Part:
        """An update's or a delete's checks."""
        keys: list[tuple[Any, ...]] = []
        try:
            if one.expectation.op == "delete":
                problems, done = match_deletes(one, self.ledger)
            else:
                problems, keys, done = match_updates(one, self.ledger)
        except TextFault as fault:
            broken = self._safely(one.expectation.name, "update", QueryFault(one.expectation.rows.field, fault))
            return Part([broken], Explained(set(), {}))
        return Part(self._outcome(one, problems, keys), done)

    def _outcome(self, wanted: Wanted, problems: list[dict[str, Any]], keys: Sequence[tuple[Any, ...]]) -> list[Check]:
        one = wanted.expectation
        out = [check(one.name, one.op, problems)]
        if one.wrong is not None and keys:
            try:
                out.append(check(one.name, "wrong", self.rows(one.wrong, {"new_keys": json.dumps([list(key) for key in keys])})))
            except (QueryFault, TypeError) as fault:
                out.append(self._safely(one.name, "wrong", fault if isinstance(fault, QueryFault) else QueryFault(one.wrong.field, fault)))
        return out

    # ---- everything else that the agent changed

    def _unexpected(self, explained: Explained) -> Check:
        problems = []
        try:
            allowed = [(one, None if one.rows is None else self.rows(one.rows)) for one in self.verifier.allow]
        except QueryFault as fault:
            return self._safely("nothing else is changed", "frame", fault)
        for change in self.ledger.changes:
            left = self._left(change, explained, allowed)
            if left is None:
                continue
            shown: dict[str, Any] = {"problem": f"unexpected {change.op}", "table": change.table, "key": list(change.key)}
            for name in left[:6]:
                shown[name] = (
                    change.new.get(name) if change.op == "insert" else f"{change.old.get(name)!r} -> {change.new.get(name)!r}"[:200]
                )
            problems.append(shown)
        return check("nothing else is changed", "frame", problems)

    def _left(self, change: Any, explained: Explained, allowed: Sequence[tuple[CompiledAllowance, Any]]) -> list[str] | None:
        """The columns of an unexplained change by the agent, or None if all is explained."""
        key = (change.table, change.key)
        if key in explained.rows or (change.by != "agent" and (change.op == "delete" or not change.agent)):
            return None
        # Columns of a row that the world made are updated by the agent, though from start to end the row is an insert.
        op = change.op if change.by == "agent" else "update"
        fitting = [(one, rows) for one, rows in allowed if (one.op, one.table.name) == (op, change.table)]
        if op != "update":
            row = change.new if change.op == "insert" else change.old
            return None if any(_allowed(one, rows, row) for one, rows in fitting) else [*row]
        left = [
            name for name in change.agent if name not in explained.columns.get(key, ()) and (change.table, name) not in self.verifier.free
        ]
        for one, rows in fitting:
            names = dict(zip(one.table.key, change.key, strict=True))
            if _allowed(one, rows, {**names, **change.new}):
                left = [name for name in left if one.columns and name not in one.columns]
        return sorted(left) or None

    def _answer(self, field: str, query: CompiledQuery) -> Check:
        spec = self.verifier.task.brief.answer[field]
        given = self.evidence.answer.get(field) if isinstance(self.evidence.answer, Mapping) else None
        try:
            rows = self.rows(query)
        except QueryFault as fault:
            return self._safely(f"answer {field}", "answer", fault)
        values = [next(iter(row.values())) for row in rows]
        wanted: Any = values
        if spec.type == "list":
            ok = same_answer(spec, values, given)
        else:
            wanted = values[0] if values else None
            ok = same_answer(spec, wanted, given) or (spec.optional and wanted is None and given is None)
        return check(f"answer {field}", "answer", [] if ok else [{"problem": "differs", "expected": wanted, "got": _quoted(given)}])


def _allowed(one: CompiledAllowance, rows: Sequence[Mapping[str, Any]] | None, row: Mapping[str, Any]) -> bool:
    if rows is None:
        return True
    return any(all(name in row and same_value(_family(one, name), value, row[name]) for name, value in wanted.items()) for wanted in rows)


def _family(one: CompiledAllowance, name: str) -> str:
    column = one.table.column(name)
    return column.family if column else "text"


def _quoted(value: Any) -> Any:
    """What the agent answered, as it can be shown: never long, never deep."""
    if isinstance(value, str):
        return value[:500]
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**63 else "a huge number"
    return reprlib.repr(value)[:500]
