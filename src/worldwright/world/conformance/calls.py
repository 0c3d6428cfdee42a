"""Checks of single calls: every tool can succeed, is typed, and what is refused is data and changes nothing.

Each takes a Subject and returns if all is well; it raises Broken with what was got and what was expected.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from worldwright.world.arguments import compile_value
from worldwright.world.conformance.draw import takes
from worldwright.world.conformance.subject import Broken, Subject, tried
from worldwright.world.conformance.walk import ANSWER, Walker, json_text, left, shortened, started
from worldwright.world.protocol import CallResult, StopReason, ToolDoc, World
from worldwright.world.spec import ArgSpec

__all__ = ["check_call_limit", "check_protocol", "check_reachable", "check_typed", "check_unknown_tool"]

_WALKS, _LONG = 60, 100
_SHORT = 6
_TEXT = 10_000_000
_DEPTH = 20_000
_ERROR = 20_000
"""The most characters of an error: an agent has to read it."""
_UNKNOWN = "no_such_tool"
_MOST_TOLD = 6


def check_protocol(subject: Subject) -> None:
    """World and episodes have the protocol's parts; tools have names of their own, docs, and arguments of sound types."""
    world: Any = subject.world
    lacking = [f"World.{name}" for name in ("name", "digest", "tools", "start", "state_digest") if not hasattr(world, name)]
    episode: Any = world.start(subject.seeds[0])
    lacking += [f"Episode.{name}" for name in ("call", "now", "finish", "close") if not hasattr(episode, name)]
    if lacking:
        raise Broken(f"missing: {', '.join(lacking)}")
    now = episode.now()
    _, fault = tried(lambda: datetime.datetime.fromisoformat(now))
    if fault is not None:
        raise Broken(f"now() gives {now!r}; expected a time like 2026-03-30T09:00:00")
    episode.close()
    _check_tools(world)


def _check_tools(world: World) -> None:
    tools = world.tools()
    names = [tool.name for tool in tools]
    if not names or len(set(names)) < len(names):
        raise Broken(f"tools() gives the names {names}; expected at least one tool, each name once")
    for tool in tools:
        if not tool.doc.strip():
            raise Broken(f"the tool {tool.name} has no doc, so an agent can't know what it does")
        for name, spec in tool.args.items():
            _, fault = tried(lambda spec=spec: compile_value(spec))  # type: ignore[misc]
            if fault is not None:
                raise Broken(f"the argument {tool.name}.{name} is not sound: {fault}")
    if list(world.tools()) != list(tools):
        raise Broken("tools() gives something else when it is asked again")


def check_reachable(subject: Subject) -> None:
    """Each tool succeeds at least once on walks that draw arguments by type from what earlier results have shown."""
    tools = subject.world.tools()
    missing = {tool.name: tool for tool in tools}
    last: dict[str, str] = {}
    for number in range(_WALKS):
        seed = subject.seeds[number % len(subject.seeds)]
        walker = started(subject.world, seed, number, subject.known)
        for _ in range(_LONG):
            if not missing or walker.ended:
                break
            result = walker.step(list(missing.values()))
            tool = walker.steps[-1].tool
            if result.ok:
                missing.pop(tool, None)
            elif tool in missing:
                last[tool] = f"{tool}({shortened(walker.steps[-1].args, 80)}) gave: {shortened(str(result.error), 80)}"
        walker.episode.close()
        if not missing:
            return
    told = "; ".join(last.get(name, f"{name} was never tried") for name in missing)
    tried_so = f"in {_WALKS} walks of {_LONG} calls"
    raise Broken(f"never succeeded {tried_so}: {', '.join(missing)} ({told}); what chance can't find goes into `known`")


def check_typed(subject: Subject) -> None:
    """Arguments of a wrong type, missing, unknown or monstrous ones are refused as data, and change nothing."""
    faults: list[str] = []
    for tool in subject.world.tools():
        calls = list(_bad_calls(tool, subject))
        faults += _refused(tool, calls, subject)
        if len(faults) >= _MOST_TOLD:
            break
    if faults:
        raise Broken("; ".join(faults[:_MOST_TOLD]))


def _refused(tool: ToolDoc, calls: list[tuple[str, Any]], subject: Subject) -> Iterator[str]:
    """What is wrong with how the tool takes these calls, each told once."""
    seed = subject.seeds[0]
    walker = started(subject.world, seed, 0, subject.known).go(_SHORT)
    told: set[str] = set()
    for what, args in calls:
        result, fault = tried(lambda args=args: walker.episode.call(tool.name, args))  # type: ignore[misc]
        wrong = f"raises {type(fault).__name__}: {shortened(str(fault))}" if fault is not None else _not_refused(result)
        if wrong and wrong.split(":")[0] not in told:
            told.add(wrong.split(":")[0])
            yield f"{tool.name} with {what} {wrong}"
    if told:
        walker.episode.close()
        return
    changed = _tail(walker)
    if changed != _control(subject, seed, None) and changed != _control(subject, seed, len(calls)):
        yield f"{tool.name}: refused calls change what later calls give, or what the episode leaves"


def _not_refused(result: Any) -> str:
    """How a result differs from a refusal, in words; "" if it is one."""
    if not isinstance(result, CallResult):
        return f"gives a {type(result).__name__}; expected a CallResult"
    if result.ok:
        return f"gives ok: {shortened(json_text(result.value), 80)}; expected an error"
    if not isinstance(result.error, str) or not result.error.strip():
        return f"gives the error {result.error!r}; expected a text"
    return f"gives an error of {len(result.error)} characters; expected at most {_ERROR}" if len(result.error) > _ERROR else ""


def _tail(walker: Walker) -> tuple[list[str], str]:
    """What calls after this point give, and the changes that the episode leaves."""
    done = len(walker.steps)
    walker.go(_SHORT)
    changes = left(walker.episode, walker.episode.finish(ANSWER))["changes"]
    walker.episode.close()
    return [step.result for step in walker.steps[done:]], changes


def _control(subject: Subject, seed: int, refused: int | None) -> tuple[list[str], str]:
    """The same walk without the bad calls, or with as many calls of no tool (which take their time, if calls do)."""
    walker = started(subject.world, seed, 0, subject.known).go(_SHORT)
    for _ in range(refused or 0):
        tried(lambda: walker.episode.call(_UNKNOWN, {}))
    return _tail(walker)


def _bad_calls(tool: ToolDoc, subject: Subject) -> Iterator[tuple[str, Any]]:
    """Calls that must be refused, each with what is wrong with it; the other arguments are as good as they can be drawn."""
    walker = started(subject.world, subject.seeds[0], 0, subject.known).go(_SHORT)
    good = walker.drawer.arguments(tool, walker.episode.now(), complete=True)
    walker.episode.close()
    yield from [("a list instead of arguments", [1]), ("text instead of arguments", "{}"), ("nothing instead of arguments", None)]
    yield "an unknown argument", {**good, "no_such_argument": 1}
    yield "an unknown argument with NUL in its name", {**good, "a\0b": 1}
    for name, spec in tool.args.items():
        if spec.default is msgspec.UNSET and not spec.optional:
            yield f"no {name}", {key: value for key, value in good.items() if key != name}
        for what, value in _bad_values(spec):
            yield f"{what} as {name}", {**good, name: value}


def _bad_values(spec: ArgSpec) -> Iterator[tuple[str, Any]]:
    """Values that the argument's type doesn't allow."""
    may_be_null = spec.optional or spec.default is not msgspec.UNSET
    for what, value in _MONSTERS.items():
        if not (value is None and may_be_null) and not takes(spec, value):
            yield what, value


def _nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


_MONSTERS: Mapping[str, Any] = {
    "null": None,
    "true": True,
    "the number 7": 7,
    "the number -1": -1,
    "the number 1.5": 1.5,
    "a number of 40 digits": 10**40,
    "a number of 5,000 digits": 10**5_000,
    "NaN": float("nan"),
    "infinity": float("inf"),
    "empty text": "",
    "the text '7'": "7",
    "some text": "no such thing",
    "a day that isn't there": "2026-02-30",
    "text with NUL": "a\0b",
    "broken Unicode": "\ud800",
    "10 MB of text": "x" * _TEXT,
    "an empty list": [],
    "a list of 100,000 items": [1] * 100_000,
    "a list in a list": [[1]],
    "a list nested 20,000 deep": _nested(_DEPTH),
    "an object": {"a": 1},
}


def check_unknown_tool(subject: Subject) -> None:
    """A call of a tool that isn't there is an error as data, whatever it is called, and changes nothing."""
    episode = subject.world.start(subject.seeds[0])
    for name in (_UNKNOWN, "", "a\0b", "\ud800", "__class__", "x" * _TEXT):
        result, fault = tried(lambda name=name: episode.call(name, {}))  # type: ignore[misc]
        wrong = f"raises {type(fault).__name__}: {fault}" if fault is not None else _not_refused(result)
        if wrong:
            raise Broken(f"a call of the unknown tool '{shortened(name, 20)}' {wrong}")
    changed = [row.table for row in episode.finish(ANSWER).changes if row.by == "agent"]
    episode.close()
    if changed:
        raise Broken(f"calls of unknown tools leave changes of {', '.join(changed)}")


def check_call_limit(subject: Subject) -> None:
    """With a limit of N calls the first N go as without it; any further one is refused, ends the episode and changes nothing."""
    for seed in subject.seeds:
        for limit in dict.fromkeys((0, 1, subject.steps // 3)):
            _limited(subject, seed, limit)


def _limited(subject: Subject, seed: int, limit: int) -> None:
    world, what = subject.world, f"seed {seed}, a limit of {limit} calls"
    free = started(world, seed, 0, subject.known).go(limit)
    held = Walker(world.start(seed, call_limit=limit), world.tools(), f"{seed}:0", subject.known).go(limit)
    if held.steps != free.steps:
        raise Broken(f"{what}: the calls within the limit don't give what they give without one")
    for _ in range(2):
        result = held.step()
        wrong = _not_refused(result)
        if wrong or result.ended != StopReason.CALL_LIMIT:
            wrong = wrong or f"is refused with ended {result.ended}; expected {StopReason.CALL_LIMIT}"
            raise Broken(f"{what}: call {len(held.steps)} {wrong}")
    one, other = free.finish(), held.finish()
    for part in ("changes", "now"):
        if one.end[part] != other.end[part]:
            raise Broken(f"{what}: calls beyond it make a difference to {part}")
