"""`worldwright show PACK[/world[/task[@seed]]]`: what it is, in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any

import msgspec
import typer

from worldwright.cli.output import GOOD, emit, say
from worldwright.errors import UsageError
from worldwright.pack.read import Pack, PackTask, PackWorld, resolve
from worldwright.solver.tokens import count_prompt, count_tool
from worldwright.task import Instance, Prompt
from worldwright.world.arguments import json_schema, mcp_tool, openai_tool
from worldwright.world.protocol import ToolDoc
from worldwright.world.spec import ArgSpec

__all__ = ["show"]

_SHAPES: dict[str, Callable[[ToolDoc], dict[str, Any]]] = {"schema": json_schema, "openai": openai_tool, "mcp": mcp_tool}


def show(
    target: Annotated[str, typer.Argument(help="PACK, PACK/world, PACK/world/task or PACK/world/task@seed.")],
    answers: Annotated[
        bool, typer.Option("--answers", help="For a task at a seed: hidden parameters and what the verifier expects.")
    ] = False,
    tools: Annotated[str, typer.Option("--tools", help="Print the tools in a shape that models know: schema, openai or mcp.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable result on stdout.")] = False,
) -> int:
    """Show a pack, a world, or a task as an agent meets it."""
    read = resolve(target)
    if tools:
        if read.world is None:
            raise UsageError(f"{target}: tools are a world's: name PACK/world or PACK/world/task")
        if tools not in _SHAPES:
            raise UsageError(f"got --tools {tools}; expected one of {', '.join(_SHAPES)}")
        emit([_SHAPES[tools](doc) for doc in read.world.world.tools(read.task.task.brief.parties if read.task else None)])
        return GOOD
    if read.task is not None:
        value = _task(read.task, read.seed, answers)
    elif read.world is not None:
        value = _world(read.world)
    else:
        value = _pack(read.pack)
    if as_json:
        emit(value)
    else:
        for line in _lines(value):
            say(line)
    return GOOD


def _pack(pack: Pack) -> dict[str, Any]:
    return {
        "pack": f"{pack.meta.name} {pack.meta.version}",
        "about": pack.meta.about,
        "licence": pack.meta.licence,
        "digest": pack.digest,
        "worlds": {
            name: {
                "title": world.world.spec.title,
                "tools": len(world.world.own),
                "tables": len(world.world.schema.tables),
                "tasks": {task: entry.task.brief.title for task, entry in world.tasks.items()},
            }
            for name, world in pack.worlds.items()
        },
    }


def _world(entry: PackWorld) -> dict[str, Any]:
    world = entry.world
    return {
        "world": entry.name,
        "title": world.spec.title,
        "clock": world.spec.start() + (f", {world.spec.tick()} s a call" if world.spec.tick() else ""),
        "tables": {name: ", ".join(table.names()) for name, table in world.schema.tables.items()},
        "tools": {doc.name: f"({', '.join(doc.args)}) {doc.doc}" for doc in world.tools()},
        "tokens of the tools": sum(count_tool(doc) for doc in world.tools()),
        "handbook": {name: f"{page.title} ({len(page.clauses)} clauses)" for name, page in world.handbook.pages.items()},
        "hidden": {column: ", ".join(world.spec.revealers(column)) for column in world.spec.hidden},
        "events": [spec.name for spec, _, _ in world.events],
        "people": {name: party.spec.about for name, party in world.parties.items()},
        "tasks": {name: task.task.brief.title for name, task in entry.tasks.items()},
    }


def _task(entry: PackTask, seed: int | None, answers: bool) -> dict[str, Any]:
    task = entry.task
    instance = task.instance(seed or 0)
    prompt = task.prompt(instance)
    out: dict[str, Any] = {
        "task": instance.name,
        "title": task.brief.title,
        "instruction": prompt.instruction,
        "paraphrases": [task.prompt(instance, n).instruction for n in range(1, len(task.brief.paraphrases) + 1)],
        "opening": {sender: text for sender, text in prompt.opening},
        "answer": {name: _field(spec) for name, spec in task.brief.answer.items()},
        "limits": f"{task.brief.limits.calls} calls; luck at most {task.brief.luck}",
        "tokens (an estimate)": _tokens(prompt),
        "plans": ", ".join([*(["reference"] if entry.reference else []), *(plan.name for plan in entry.alternatives)]) or "none",
        "cases": len(entry.cases),
    }
    if answers:
        out |= _answers(entry, instance)
    return out


def _field(spec: ArgSpec) -> str:
    kind = f"{spec.type} of {'/'.join(spec.enum)}" if spec.enum else spec.type
    return f"{kind}: {spec.doc}" if spec.doc else kind


def _tokens(prompt: Prompt) -> str:
    counts = count_prompt(prompt)
    return ", ".join(f"{name} {value}" for name, value in msgspec.structs.asdict(counts).items() if isinstance(value, int))


def _answers(entry: PackTask, instance: Instance) -> dict[str, Any]:
    ready = entry.verifier.preflight(instance)
    return {
        "parameters": instance.params,
        "stratum": instance.stratum,
        "clock runs to": instance.until,
        "health": ready.fault or "healthy",
        "expected": {field: rows for field, rows in ready.cache.items() if "#" not in field},
    }


def _lines(value: Mapping[str, Any], indent: int = 0) -> Iterator[str]:
    pad = "  " * indent
    for key, item in value.items():
        if item in (None, "", [], {}):
            continue
        if isinstance(item, Mapping):
            yield f"{pad}{key}:"
            yield from _lines(item, indent + 1)
        elif isinstance(item, list):
            yield f"{pad}{key}: ({len(item)})"
            for one in item[:20]:
                yield f"{pad}  {one}"
        else:
            yield f"{pad}{key}: {str(item).replace(chr(10), chr(10) + pad + '    ')}"
