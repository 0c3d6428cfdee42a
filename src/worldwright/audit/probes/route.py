"""The same end by another tool: many at once instead of one by one, or the other way round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from worldwright.audit.bench import At, Steps
from worldwright.audit.records import Claim, Probe, Trial
from worldwright.audit.subject import Act, Tool

PROBE = Probe(
    id="route",
    side="refuse",
    codes=("R1",),
    needs=frozenset({"reference", "calls", "state"}),
    means="The same end, reached with another tool that does the same, is refused.",
    repair="Judge the end, not which tools led to it.",
    rule="no tool does several of the reference's calls at once, or one of them in parts",
    held_out=True,
)


def rule(at: At) -> str:
    """Only where tools offer another way."""
    return "" if any(True for _ in _routes(at)) else PROBE.rule


def trials(at: At) -> Steps:
    """Every other way that the tools' arguments suggest; a tool that refuses it takes the label away."""
    lead = at.lead("order") if "unordered" not in at.freedoms else ""
    yield at.take([_trial(at, name, acts, lead) for name, acts in _routes(at)], 4)


def _trial(at: At, name: str, acts: list[Act], lead: str) -> Trial:
    return at.must_pass(name, acts, at.reference.answer, Claim.END, lead=lead)


def _routes(at: At) -> Iterator[tuple[str, list[Act]]]:
    acts = at.reference.acts
    for name in dict.fromkeys(act.tool for act in acts):
        group = [n for n, act in enumerate(acts) if act.tool == name]
        varying = _varying([acts[n] for n in group])
        if len(group) > 1 and varying:
            for tool in at.facts.tools:
                made = _batch(tool, [acts[n] for n in group], varying)
                if made is not None and tool.name != name:
                    yield (
                        f"{tool.name} instead of {len(group)} calls of {name}",
                        [*(act for n, act in enumerate(acts) if n not in group), made],
                    )
    for n, act in enumerate(acts):
        for key, value in act.args.items():
            if isinstance(value, list) and len(value) > 0 and not isinstance(value[0], (dict, list)):
                for tool in at.facts.tools:
                    single = _singles(tool, act, key, value)
                    if single and tool.name != act.tool:
                        yield f"{tool.name} {len(value)} times instead of {act.tool}", [*acts[:n], *single, *acts[n + 1 :]]


def _varying(acts: list[Act]) -> str:
    """The one argument in which calls of a tool differ; "" if there are several or none."""
    keys = [key for key in acts[0].args if any(act.args.get(key) != acts[0].args[key] for act in acts)]
    return keys[0] if len(keys) == 1 and all(act.args.keys() == acts[0].args.keys() for act in acts) else ""


def _batch(tool: Tool, acts: list[Act], varying: str) -> Act | None:
    """One call of a tool that takes a list where these take one value each."""
    lists = [arg.name for arg in tool.args if arg.type == "list"]
    rest = {key: value for key, value in acts[0].args.items() if key != varying}
    others = {arg.name for arg in tool.args if arg.required} - set(lists)
    if len(lists) != 1 or not others <= rest.keys():
        return None
    known = {arg.name for arg in tool.args}
    return Act(tool.name, {lists[0]: [act.args[varying] for act in acts]} | {key: value for key, value in rest.items() if key in known})


def _singles(tool: Tool, act: Act, key: str, values: list[Any]) -> list[Act]:
    """Calls of a tool that takes one value where this one takes a list."""
    rest = {name: value for name, value in act.args.items() if name != key}
    free = [arg.name for arg in tool.args if arg.required and arg.name not in rest and arg.type != "list"]
    known = {arg.name for arg in tool.args}
    if len(free) != 1 or not set(rest) <= known or not (free[0][:4] in key or key[:4] in free[0]):
        return []
    return [Act(tool.name, {free[0]: value} | rest) for value in values]
