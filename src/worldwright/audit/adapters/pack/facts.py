"""What is known of one instance of a pack's task before anything is tried.

Takes a task and a seed; gives Facts: prompt, tools, start state, the task's own solutions as calls and answers, and some
of the runs of `cases.yaml` that hold on this seed. Plans are run once for it, in the sandbox (a millisecond a call). A plan that
stops by itself is a note, and what it did until then stands as the solution. What the solutions' runs left can be had with
the facts: it is what playing their calls would leave.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from worldwright.audit.adapters.pack.changes import cell
from worldwright.audit.adapters.pack.play import Begun, Ready
from worldwright.audit.subject import Act, Argument, Attempt, Facts, Known, State, Status, Tool
from worldwright.errors import SandboxError
from worldwright.pack.cases import Case
from worldwright.reference import Replay, replay
from worldwright.sandbox import Plan
from worldwright.task import Prompt
from worldwright.world.arguments import json_schema
from worldwright.world.protocol import CallResult, ToolDoc
from worldwright.world.records import RecordsEpisode
from worldwright.world.records.image import Image, quoted
from worldwright.world.records.world import RecordsWorld
from worldwright.world.spec import ArgSpec

__all__ = ["Graded", "facts_of", "prompt_text"]

_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "list": "list", "object": "dict"}
_EVERY = 3
"""On every so many seeds one of the runs judged for any seed is made: a plan costs milliseconds, and over an audit each has its turns."""
_NOT_JUDGED = frozenset({"syntax", "limit", "crashed"})
"""Ways in which a plan of `cases.yaml` stops that say nothing of the run that its author judged."""


Graded = Callable[[Begun, dict[str, Any] | None], Attempt]
"""What an attempt leaves that has got so far and now gives this answer; the episode is closed by it."""


def facts_of(
    ready: Ready, prompt: Prompt, case: str, graded: Graded | None = None, bare: bool = False
) -> tuple[Facts, tuple[Attempt, ...] | None]:
    """The facts of an instance that can be started, without alternatives if `bare`; with `graded`, also what its own solutions' runs left.

    None instead of these where one of them stops by itself: its calls are then to be played as any others.
    """
    entry, seed, world = ready.entry, ready.instance.seed, ready.entry.world.world
    notes = _world_notes(world)
    left: list[Attempt] = []
    reference = None if entry.reference is None else _known(ready, entry.reference, notes, graded, left)
    alternatives = tuple(_known(ready, plan, notes, graded, left) for plan in (() if bare else entry.alternatives))
    recorded = tuple(_recorded(ready, one, notes) for one in _in_turn(entry.cases, seed))
    has = {"state"} | ({"reference"} if reference else set()) | ({"alternatives"} if alternatives else set())
    facts = Facts(
        case,
        seed,
        prompt=ready.prompt,
        tools=tuple(_tool(doc, settled=not (world.spec.tick() or world.spec.faults)) for doc in prompt.tools),
        has=frozenset(has),
        reference=reference,
        alternatives=alternatives,
        state=_state(world.image(seed)),
        start=world.image(seed).digest,
        answer={name: _type(spec) for name, spec in entry.task.brief.answer.items()},
        free=ready.free,
        recorded=tuple(one for one in recorded if one is not None),
        luck=entry.task.brief.luck,
        notes=tuple(notes),
    )
    return facts, tuple(left) if graded is not None and len(left) == len(facts.known()) else None


def _in_turn(cases: Sequence[Case], seed: int) -> list[Case]:
    """The judged runs of a seed: all that are for it alone, and some of those for any seed, others on the next."""
    anywhere = [one for one in cases if not one.seeds]
    some = [anywhere[seed // _EVERY % len(anywhere)]] if anywhere and seed % _EVERY == 0 else []
    return [one for one in cases if seed in one.seeds] + some


def prompt_text(prompt: Prompt) -> str:
    """All that the agent is told at the start, as one text."""
    return "\n\n".join([prompt.system, prompt.instruction, *(f"{sender}: {text}" for sender, text in prompt.opening)])


def _world_notes(world: RecordsWorld) -> list[str]:
    out = []
    if world.spec.tick():
        out.append(f"every call moves the clock by {world.spec.tick()} s, so that no call is without effect")
    if world.spec.faults:
        out.append(f"{', '.join(world.spec.faults)} fail now and then; one call more or less changes which")
    return out


# ---- solutions


def _known(ready: Ready, plan: Plan, notes: list[str], graded: Graded | None, left: list[Attempt]) -> Known:
    """A solution; what its run left is added to `left`, unless it stopped by itself."""
    results: list[CallResult] = []
    log, episode = _run(ready, plan, results.append)
    known = _as_known(plan.name.removesuffix(".py"), log)
    if log.fault:
        notes.append(f"{plan.name} stops by itself: {log.fault}")
    if episode is not None:
        if graded is not None and not log.fault:
            left.append(graded(Begun(ready, episode, known.acts, tuple(results)), log.answer))
        else:
            episode.close()
    return known


def _recorded(ready: Ready, case: Case, notes: list[str]) -> tuple[str, Status, Known] | None:
    """A judged run, unless it can't be made on this seed: one that must pass and stops, or one that the sandbox stops."""
    log, episode = _run(ready, Plan(f"case '{case.name}'", case.plan))
    if episode is not None:
        episode.close()
    if log.fault and (case.verdict == "pass" or log.kind in _NOT_JUDGED):
        notes.append(f"{log.plan} is left out, it stops by itself: {log.fault}")
        return None
    return case.name, case.verdict, _as_known(case.name, log)


def _run(ready: Ready, plan: Plan, each: Callable[[CallResult], object] = lambda _: None) -> tuple[Replay, RecordsEpisode | None]:
    """The plan's log, and its episode where there is one (to be closed by the caller)."""
    try:
        return replay(ready.entry.task, ready.instance, plan, each)
    except SandboxError as fault:
        return Replay(plan.name, (), None, str(fault), fault.line, fault.kind), None


def _as_known(name: str, log: Replay) -> Known:
    return Known(name, tuple(Act(step.tool, step.args) for step in log.steps), log.answer)


# ---- tools, answers, state


def _tool(doc: ToolDoc, *, settled: bool) -> Tool:
    """What an agent is told of a tool. `wait` lets things happen; where nothing is `settled`, so does every call."""
    writes: bool | None = True if doc.writes or doc.name == "wait" else False if settled else None
    return Tool(doc.name, doc.doc, tuple(_argument(name, json_schema(doc), spec) for name, spec in doc.args.items()), writes)


def _argument(name: str, schema: dict[str, Any], spec: ArgSpec) -> Argument:
    form = schema["properties"][name]
    kind = _TYPES.get(spec.type, "str")
    return Argument(name, kind, name in schema["required"], tuple(form.get("enum", ())), form.get("default"))


def _type(spec: ArgSpec) -> str:
    """An answer field's type: one of Argument's, or date, datetime, time."""
    form = spec.format or spec.type
    return _TYPES.get(form, form)


_states: weakref.WeakKeyDictionary[Image, State] = weakref.WeakKeyDictionary()
"""Start states that were read already: the tasks of a world share their images, and these with them."""


def _state(image: Image) -> State:
    """The world's own tables, rows in key order; the same object for the same image, not to be changed."""
    if image in _states:
        return _states[image]
    out = _states[image] = {}
    for name, table in image.schema.tables.items():
        names = table.names()
        columns = ", ".join(map(quoted, names))
        order = ", ".join(map(quoted, table.key))
        rows = image.query(f"SELECT {columns} FROM {quoted(name)} ORDER BY {order}")
        out[name] = [dict(zip(names, map(cell, row) if bytes in map(type, row) else row, strict=True)) for row in rows]
    return out
