"""Assembly: a draft as the files of a world, with what the two authors of each task wrote.

Takes a draft and material; gives files by path inside the pack. References and verifiers come from their authors as they are: this
module reads neither. What a verifier's author saw (brief, tools, schema, handbook) is hashed into `written_by`.
"""

from __future__ import annotations

import hashlib
import importlib
import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from worldwright.files import encode_yaml
from worldwright.synthesis.author_reference.patience import calls_of, patient
from worldwright.synthesis.checks import settle
from worldwright.synthesis.draft import CLOCK, Draft, Table, quoted, text_of
from worldwright.synthesis.faults import draw_faults
from worldwright.synthesis.made import scenario_text
from worldwright.synthesis.material import Dropped, Material
from worldwright.synthesis.patterns import NoMotif
from worldwright.synthesis.patterns.composed import compose
from worldwright.synthesis.reads import add_reads, reads_of
from worldwright.synthesis.wording import articled
from worldwright.world.spec import WorldSpec

__all__ = ["assemble", "furnished"]


_FEWEST_TABLES = 6
"""So many tables a world has, where its source has as many: some that no task needs."""


def furnished(name: str, title: str, material: Material, patterns: Mapping[str, Any], seed: int, plain: bool = False) -> Draft:
    """A world with all of these patterns that fit; `draft.refused` says why the others don't. `plain`: see `Draft`."""
    draft = Draft(name, title, material.model, material.tables, seed, plain)
    for pattern, module in patterns.items():
        try:
            module.furnish(draft, material, random.Random(f"{seed}:{name}:{pattern}"))
        except NoMotif as reason:
            draft.refused[pattern] = str(reason)
    compose(draft, random.Random(f"{seed}:{name}:composed"))
    settle(draft)
    return draft


def assemble(draft: Draft, material: Material, author: Callable[[str, str], Any] | None = None) -> dict[str, bytes]:
    """The files of the world, below `worlds/<name>/`. Tables that no task, plan or check needs are left out first."""
    write = author or _author
    written = {
        task.name: (write("author_verifier", task.pattern)(draft, task), write("author_reference", task.pattern)(draft, task))
        for task in draft.tasks
    }
    _prune(
        draft, material, [text for spec, plans in written.values() for text in (encode_yaml(msgspec.to_builtins(spec)), *plans.values())]
    )
    add_reads(draft)
    if not material.is_real:
        _let_fail(draft, {name: plans for name, (_, plans) in written.items()})
    _spell(draft)
    shared = {
        "schema.sql": schema_text(draft),
        "world.yaml": _world(draft),
        **{f"handbook/{page}.md": text for page, text in draft.pages.items()},
    }
    if draft.events:
        shared["events.yaml"] = encode_yaml(draft.events)
    if draft.parties:
        shared["parties.yaml"] = encode_yaml(draft.parties)
    out: dict[str, bytes] = {path: text.encode() for path, text in shared.items()}
    out["scenario.py"] = _scenario(draft, material).encode()
    if material.database is not None:
        out["scenario.sqlite"] = material.database
        out["sample.yaml"] = encode_yaml({"tables": material.selects, "keep": material.keep}).encode()
    for task in draft.tasks:
        brief = encode_yaml(task.brief).encode()
        spec, plans = written[task.name]
        out[f"tasks/{task.name}/brief.yaml"] = brief
        out[f"tasks/{task.name}/verifier.yaml"] = encode_yaml(_seen(spec, shared, brief)).encode()
        out |= {f"tasks/{task.name}/{file}": patient(code, draft.faults).encode() for file, code in plans.items()}
    return {f"worlds/{draft.name}/{path}": data for path, data in sorted(out.items())}


def _let_fail(draft: Draft, plans: Mapping[str, Mapping[str, str]]) -> None:
    """Let reading tools that plans use fail now and then, in some worlds; each task's knobs say how many of those its reference uses."""
    otherwise = {name for codes in plans.values() for code in codes.values() for name in calls_of(code)[1]}
    used = {name: calls_of(codes["reference.py"])[0] - otherwise for name, codes in plans.items()}
    draw_faults(draft, used)
    for task in draft.tasks:
        task.knobs = task.knobs | {"faults": len(used[task.name] & set(draft.faults))}


def _spell(draft: Draft) -> None:
    """Put articles right in pages, tools' docs and briefs."""
    draft.pages = {name: articled(text) for name, text in draft.pages.items()}
    draft.tools = {name: msgspec.structs.replace(tool, doc=articled(tool.doc)) for name, tool in draft.tools.items()}
    for task in draft.tasks:
        brief = task.brief
        task.brief = msgspec.structs.replace(
            brief,
            title=articled(brief.title),
            instruction=articled(brief.instruction),
            paraphrases=[articled(one) for one in brief.paraphrases],
        )


def _prune(draft: Draft, material: Material, written: Sequence[str]) -> None:
    """Leave out base tables that nothing names: neither what patterns added, nor plans, nor checks, nor a table that is kept."""
    texts = [*draft.declared, *draft.planting, *(task.brief.bind for task in draft.tasks), *written]
    for tool in draft.tools.values():
        texts += [tool.rows or "", tool.row or "", *tool.effect, *(one.that for one in tool.require)]
    said = set(re.findall(r"\w+", "\n".join(texts)))
    by_name = {table.name: table for table in draft.tables.values()}
    kept: set[str] = set()
    waiting = [table for table in draft.tables.values() if said & {table.name, *_calls(table)}]
    while waiting:
        table = waiting.pop()
        if table.entity not in kept:
            kept.add(table.entity)
            waiting += [by_name[one.refers] for one in table.columns if one.refers in by_name]
        if not waiting and len(kept) < _FEWEST_TABLES:
            more = [one for one in draft.tables.values() if one.entity not in kept]
            near = [
                one for one in more if any(column.refers in by_name and by_name[column.refers].entity in kept for column in one.columns)
            ]
            waiting = (near or more)[:1]
    gone = {name: table for name, table in draft.tables.items() if name not in kept}
    draft.tables = {name: table for name, table in draft.tables.items() if name in kept}
    material.tables = draft.tables
    material.dropped = [*material.dropped, *(Dropped(name, "no task of this world needs it") for name in gone)]
    names = {table.name for table in draft.tables.values()}
    material.selects = {name: sql for name, sql in material.selects.items() if name in names}
    material.keep = {
        name: rule for name, rule in material.keep.items() if name in names and (not isinstance(rule, dict) or rule["of"] in names)
    }


def _calls(table: Table) -> set[str]:
    reads = reads_of(table)
    return {reads.get, reads.list, reads.find} - {""}


def _author(side: str, pattern: str) -> Any:
    return importlib.import_module(f"worldwright.synthesis.{side}.{pattern}").write


def _seen(spec: Any, shared: Mapping[str, str], brief: bytes) -> Any:
    """The verifier with the hashes of what its author was given."""
    given = {f"../../{path}": text.encode() for path, text in shared.items()} | {"brief.yaml": brief}
    sees = [{"path": path, "sha256": hashlib.sha256(data).hexdigest()} for path, data in sorted(given.items())]
    return msgspec.to_builtins(spec) | {"written_by": {"kind": "procedural", "sees": sees}}


def schema_text(draft: Draft) -> str:
    """`schema.sql`: the base tables, then what patterns declared, then the policy."""
    parts = [_create(draft, table) for table in _in_order(draft.tables)]
    policy = "CREATE TABLE policy (  -- never shown by a tool: the handbook is rendered from it\n  name TEXT PRIMARY KEY NOT NULL,\n  value INTEGER NOT NULL\n)"
    return ";\n".join([*parts, *draft.declared, policy]) + ";\n"


def _in_order(tables: Mapping[str, Table]) -> list[Table]:
    left = dict(tables)
    out: list[Table] = []
    while left:
        waiting = {one.name for one in left.values()}
        ready = [name for name, one in left.items() if not any(each.refers in waiting - {one.name} for each in one.columns if each.refers)]
        out.append(left.pop(ready[0] if ready else next(iter(left))))
    return out


def _create(draft: Draft, table: Table) -> str:
    lines = []
    targets = {one.name: one for one in draft.tables.values()}
    for column in table.columns:
        line = f"  {quoted(column.name)} {column.sql}"
        if column.name == table.key:
            line += " PRIMARY KEY NOT NULL"
        elif not column.nullable:
            line += " NOT NULL"
        if column.refers and column.refers in targets:
            line += f" REFERENCES {quoted(column.refers)}({quoted(targets[column.refers].key)})"
        if column.values and not column.refers:
            line += f" CHECK ({quoted(column.name)} IN ({', '.join(text_of(one) for one in column.values)}))"
        lines.append(line)
    lines += [f"  {text}" for text in draft.columns.get(table.entity, [])]
    return f"CREATE TABLE {quoted(table.name)} (\n" + ",\n".join(lines) + "\n)"


def _world(draft: Draft) -> str:
    spec = {
        "kind": "records",
        "title": draft.title,
        "domain": draft.model.name,
        "concepts": sorted({concept for task in draft.tasks for concept in task.brief.concepts}),
        "clock": CLOCK,
        "hidden": draft.hidden,
        "free": draft.free,
        "faults": msgspec.to_builtins(draft.faults),
        "tools": {name: msgspec.to_builtins(tool) for name, tool in draft.tools.items()},
    }
    text = encode_yaml({key: value for key, value in spec.items() if value})
    msgspec.convert(msgspec.to_builtins(spec), WorldSpec, strict=False)
    return text


def _scenario(draft: Draft, material: Material) -> str:
    policy = ", ".join(
        f'{{"name": {name!r}, "value": random.randrange({one.least}, {one.most + 1}, {one.step})}}'
        for name, one in sorted(draft.ranges.items())
    )
    planting = "".join(draft.planting)
    if material.database is None:
        head, start = scenario_text(material, draft.aims), "def scenario(seed):\n    random.seed(seed)\n    tables = rows()\n"
    else:
        head = '"""What the tasks need beside the rows of the source."""\nimport datetime\nimport random\n\n\n'
        start = (
            "def scenario(seed, given):\n    random.seed(seed)\n    tables = {name: [dict(row) for row in given[name]] for name in given}\n"
        )
    last = "".join(draft.last)
    return f'{head}\n\n\n{start}{planting}    tables["policy"] = [{policy}]\n{last}    return tables\n'
