"""What can be seen without running anything: holes, columns out of reach, journals, money, templates, definitions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from worldwright import templates
from worldwright.pack.lint.findings import Finding, finding
from worldwright.pack.read import PackTask, PackWorld
from worldwright.verifier.compiled import CompiledExpectation, CompiledSet
from worldwright.verifier.matching import is_row_number
from worldwright.world.records import RecordsWorld
from worldwright.world.records.policy import Statement

__all__ = ["carried", "lint_free", "lint_task", "lint_world"]

_HANDBOOK = ("read_handbook", "search_handbook", "list_handbook")
_FOREIGN_TEMPLATE = r"\$\{{\s*({0})\s*\}}|(?<!\{{)\{{\s*({0})\s*\}}(?!\}})|%\(({0})\)s|<<\s*({0})\s*>>"


def lint_world(entry: PackWorld) -> Iterator[Finding]:
    """Everything about a world alone."""
    world, file = entry.world, f"{entry.where}/world.yaml"
    yield from _hidden(world, file)
    yield from _journals(world, file)
    for text in world.spec.free:
        if text.endswith("_cents"):
            yield finding("free-money", f"'{text}' is free", file=file, field="free")
    yield from _money(world, entry)
    for name, tool in world.own.items():
        if any(table == "policy" for statement in tool.statements() for _, table, _ in statement.reads):
            yield finding("policy-read", f"tool '{name}' reads the policy table", file=file, field=f"tools.{name}")
    for name, page in world.handbook.pages.items():
        for word in _foreign(page.text, {f"policy.{one}" for one in world.handbook.policy_names} | {"policy"}):
            yield finding("template-language", f"the placeholder of '{word}'", file=f"{entry.where}/handbook/{name}.md", field=name)


def _hidden(world: RecordsWorld, file: str) -> Iterator[Finding]:
    for column in world.spec.hidden:
        table, _, name = column.partition(".")
        found = world.schema.tables.get(table)
        if found is None or found.column(name) is None:
            yield finding("format", f"'{column}' is not a column", file=file, field=f"hidden.{column}")
            continue
        for by in world.spec.revealers(column):
            statements = _revealing(world, by)
            if statements is None:
                yield finding("format", f"there is no tool or party '{by}'", file=file, field=f"hidden.{column}")
            elif by in _HANDBOOK and table == "policy":
                continue
            elif not carried(world, (table, name)) & {(t, c) for statement in statements for _, t, c in statement.reads}:
                yield finding("hidden-unrevealed", f"'{by}' doesn't read {column}", file=file, field=f"hidden.{column}")
    for column in world.spec.journal:
        if column not in world.schema.tables:
            yield finding("format", f"'{column}' is not a table", file=file, field="journal")


def carried(world: RecordsWorld, start: tuple[str, str]) -> set[tuple[str, str]]:
    """The columns that may hold what a column held: whatever a statement that reads it writes, until nothing is added."""
    out = {start}
    while True:
        fresh = set()
        for statement in world.statements():
            if out & {(t, c) for _, t, c in statement.reads}:
                for _, table, column in statement.writes:
                    names = [column] if column else list(world.schema.tables[table].names()) if table in world.schema.tables else []
                    fresh |= {(table, name) for name in names}
        if fresh <= out:
            return out
        out |= fresh


def _revealing(world: RecordsWorld, by: str) -> list[Statement] | None:
    """The statements of what is named to reveal a column; events that copy it are reached by looking afterwards."""
    kind, _, name = by.partition(":")
    if kind == "party" and name in world.parties:
        return [one for rule in world.parties[name].rules for one in ((rule.when, *rule.effect) if rule.when else rule.effect)]
    if kind == "event" and name in {spec.name for spec, _, _ in world.events}:
        return [one for spec, due, effect in world.events if spec.name == name for one in (due, *effect)]
    if by in world.own:
        return world.own[by].statements()
    return [] if by in world.built_in else None


def _journals(world: RecordsWorld, file: str) -> Iterator[Finding]:
    for name, tool in world.own.items():
        for statement in tool.effect:
            for op, table, _ in statement.direct:
                if op != "insert" and table in world.spec.journal:
                    yield finding("journal-changed", f"tool '{name}' does {op} on '{table}'", file=file, field=f"tools.{name}.effect")


def _money(world: RecordsWorld, entry: PackWorld) -> Iterator[Finding]:
    for table in world.schema.tables.values():
        for column in table.columns:
            if column.name.endswith("_cents") and column.family != "integer":
                yield finding(
                    "money",
                    f"{table.name}.{column.name} is {column.declared or 'untyped'}",
                    file=f"{entry.where}/schema.sql",
                    field=f"{table.name}.{column.name}",
                )
    for name, tool in world.own.items():
        for statement in tool.statements():
            if _rounds_money(statement.sql):
                yield finding("money", "round() on money", file=f"{entry.where}/world.yaml", field=f"tools.{name}")


def _rounds_money(sql: str) -> bool:
    """Whether something with cents in it stands inside a round(...)."""
    for found in re.finditer(r"\bround\s*\(", sql, re.IGNORECASE):
        depth, end = 1, found.end()
        while end < len(sql) and depth:
            depth += {"(": 1, ")": -1}.get(sql[end], 0)
            end += 1
        if "cents" in sql[found.end() : end]:
            return True
    return False


def _foreign(text: str, names: set[str]) -> list[str]:
    """Placeholders of known names in another template language."""
    if not names:
        return []
    pattern = _FOREIGN_TEMPLATE.format("|".join(sorted(map(re.escape, names), key=len, reverse=True)))
    return [next(group for group in match.groups() if group) for match in re.finditer(pattern, text)]


def lint_task(entry: PackTask) -> Iterator[Finding]:
    """Everything about a task that needs no run."""
    yield from _brief(entry)
    yield from _holes(entry)
    yield from _sources(entry)
    yield from _allowances(entry)
    yield from _reach(entry)
    file = f"{entry.where}/verifier.yaml"
    for field in entry.verifier.unused():
        yield finding("unused-define", f"'{field.split('.', 1)[1]}' is used by nothing", file=file, field=field)
    for query in entry.verifier.queries():
        if _rounds_money(query.statement.sql):
            yield finding("money", "round() on money", file=file, field=query.field)
    if entry.reference is None:
        yield finding("no-reference", "no reference.py", file=entry.where)
    elif not entry.alternatives and not any(case.verdict == "pass" for case in entry.cases):
        yield finding("one-way", "no alternative and no case that must pass", file=entry.where)


def _brief(entry: PackTask) -> Iterator[Finding]:
    brief, file = entry.task.brief, f"{entry.where}/brief.yaml"
    used = templates.names_in(brief.instruction)
    for name in brief.show:
        if name not in used:
            yield finding("shown-unused", f"'{name}' isn't in the instruction", file=file, field="show")
    for n, text in enumerate(brief.paraphrases):
        for name in sorted(used - templates.names_in(text)):
            yield finding("paraphrase-drops", f"'{name}' is missing", file=file, field=f"paraphrases[{n}]")
    for field, text in [("instruction", brief.instruction), *((f"paraphrases[{n}]", text) for n, text in enumerate(brief.paraphrases))]:
        for word in _foreign(text, set(entry.task.names)):
            yield finding("template-language", f"the placeholder of '{word}'", file=file, field=field)


def _sets(entry: PackTask) -> list[tuple[str, CompiledSet]]:
    out = [("", entry.verifier.base)]
    return out + [(f"any_of[{n}].", one) for n, one in enumerate(entry.verifier.alternatives)]


def _holes(entry: PackTask) -> Iterator[Finding]:
    file, free = f"{entry.where}/verifier.yaml", entry.verifier.free
    for prefix, one in _sets(entry):
        for n, expectation in enumerate(one.expect):
            yield from _expectation_holes(expectation, free, file, f"{prefix}expect[{n}]")
    base = {answer.field for answer in entry.verifier.base.answer}
    for field in entry.task.brief.answer:
        graded = field in base or (
            entry.verifier.alternatives and all(field in {a.field for a in one.answer} for one in entry.verifier.alternatives)
        )
        if not graded:
            yield finding("ungraded-answer", f"nothing grades the answer field '{field}'", file=file, field=f"answer.{field}")


def _expectation_holes(one: CompiledExpectation, free: frozenset[tuple[str, str]], file: str, field: str) -> Iterator[Finding]:
    stated = {*one.spec.must_state, *one.spec.must_not_state}
    for column in one.spec.open:
        if one.wrong is None and column not in stated and (one.table.name, column) not in free:
            yield finding("ungraded-open", f"'{column}' is open and nothing judges it", file=file, field=f"{field}.open")
    if one.op != "insert":
        return
    for found in one.table.columns:
        name = found.name
        graded = name in one.pinned or name in one.spec.open or name in stated
        if not graded and not found.generated and (one.table.name, name) not in free and not is_row_number(one.table, name):
            yield finding("ungraded-column", f"nothing grades {one.table.name}.{name}", file=file, field=field)


def lint_free(entry: PackWorld) -> Iterator[Finding]:
    """Columns that are said not to matter, and that every task's inserts pin all the same."""
    tasks = entry.tasks.values()
    inserts = [one for task in tasks for _, group in _sets(task) for one in group.expect if one.op == "insert"]
    for text in entry.world.spec.free:
        table, _, column = text.partition(".")
        pins = [column in one.pinned for one in inserts if one.table.name == table]
        if pins and all(pins):
            yield finding("free-graded", f"every insert into {table} pins {column}", file=f"{entry.where}/world.yaml", field="free")


def _allowances(entry: PackTask) -> Iterator[Finding]:
    """Allowances that open what expectations close."""
    expected = {(one.op, one.table.name) for _, group in _sets(entry) for one in group.expect}
    for n, allowance in enumerate(entry.verifier.allow):
        if allowance.rows is None and (allowance.op, allowance.table.name) in expected:
            message = f"any {allowance.op} of {allowance.table.name} is allowed, and some are expected"
            yield finding("broad-allow", message, file=f"{entry.where}/verifier.yaml", field=f"allow[{n}]")


def _sources(entry: PackTask) -> Iterator[Finding]:
    """Expectations must not hang on what the agent can change."""
    world, file = entry.world.world, f"{entry.where}/verifier.yaml"
    writable = {table for tool in world.own.values() for statement in tool.effect for _, table, _ in statement.writes}
    allowed = [one.rows for one in entry.verifier.allow if one.rows is not None]
    for prefix, one in _sets(entry):
        fixed = [expectation.rows for expectation in one.expect]
        fixed += [
            query for expectation in one.expect for text in expectation.texts for query in (text.values, text.may) if query is not None
        ]
        for query in [*fixed, *(answer.query for answer in one.answer), *(allowed if not prefix else ())]:
            hit = sorted({table for database, table, _ in query.statement.reads if database == "main" and table in writable})
            said = sorted(
                {table for database, table, _ in query.statement.reads if database == "temp" and table in ("calls", "changes", "answer")}
            )
            if hit or said:
                yield finding(
                    "expects-from-after", f"it reads {', '.join(hit + said)} as the agent leaves it", file=file, field=query.field or prefix
                )


def _reach(entry: PackTask) -> Iterator[Finding]:
    """Columns that decide the verdict must be within the agent's reach."""
    world = entry.world.world
    seen = {(table, column) for tool in world.own.values() for statement in tool.statements() for _, table, column in statement.reads}
    seen |= {(table, column) for tool in world.own.values() for statement in tool.effect for _, table, column in statement.writes}
    seen |= {(t, c) for _, due, effect in world.events for statement in (due, *effect) for _, t, c in statement.reads}
    for party in (world.parties[name] for name in entry.task.brief.parties):
        seen |= {(t, c) for rule in party.rules for s in ((rule.when, *rule.effect) if rule.when else rule.effect) for _, t, c in s.reads}
    if world.handbook.pages:
        seen |= {("policy", "name"), ("policy", "value")}
    shown = {(table, column) for _, table, column in entry.task.bind.reads}
    for query in entry.verifier.queries():
        for database, table, column in sorted(query.statement.reads):
            if database != "before" or not column or (table, column) in seen or table not in world.schema.tables:
                continue
            if column in world.schema.tables[table].key or (table, column) in shown:
                continue
            message = f"the verifier needs {table}.{column}, which nothing reveals"
            yield finding("unreachable-column", message, file=f"{entry.where}/verifier.yaml", field=query.field)
            seen.add((table, column))
