"""People in a world: what they answer follows from rules over the state and from what was said, never from free text.

Takes PartySpecs; gives compiled parties whose `answer` names the rule that fires. What a rule writes is done by the
episode, as the world.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from worldwright import templates
from worldwright.errors import PackError
from worldwright.world.arguments import Validator, compile_arguments
from worldwright.world.records.policy import Statement, Workbench
from worldwright.world.spec import ACTS, PartySpec, RuleSpec

__all__ = ["MOVED", "Party", "Reply", "Rule", "compile_party"]

MOVED = "moved"
"""The `on` of rules that speak up by themselves after events."""


class Reply(msgspec.Struct, frozen=True):
    """What a party says, before it is a message."""

    act: str
    fields: dict[str, Any]
    text: str


class Rule(msgspec.Struct, frozen=True):
    """A compiled rule."""

    spec: RuleSpec
    when: Statement | None
    effect: tuple[Statement, ...]


class Party:
    """A compiled party."""

    def __init__(self, name: str, spec: PartySpec, fields: Validator, rules: list[Rule], file: str) -> None:
        self.name, self.spec, self.fields, self.rules, self.file = name, spec, fields, rules, file

    def opening(self, params: Mapping[str, Any]) -> str:
        """The first message's text, or ""."""
        return templates.render(
            self.spec.opens, {name: params[name] for name in self.spec.needs}, file=self.file, field=f"{self.name}.opens"
        )

    def told(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Checked fields as they are kept in a message."""
        return {name: bool(value) if self.spec.fields[name].type == "boolean" else value for name, value in said.items()}

    def values(self, params: Mapping[str, Any], said: Mapping[str, Any], now: str) -> dict[str, Any]:
        """What the rules' SQL may use."""
        out = {name: params[name] for name in self.spec.needs}
        out.update({f"said_{name}": said.get(name) for name in self.spec.fields})
        return out | {"now": now}

    def answer(
        self,
        act: str,
        values: Mapping[str, Any],
        spent: frozenset[str],
        ask: Callable[[Statement, Mapping[str, Any]], list[tuple[Any, ...]]],
    ) -> tuple[Rule, Reply] | None:
        """The first rule for this act that applies, with what it says; `spent` are the `once` rules that have fired."""
        for rule in self.rules:
            if act not in rule.spec.acts() or (rule.spec.once and rule.spec.name in spent):
                continue
            seen: dict[str, Any] = {}
            if rule.when is not None:
                rows = ask(rule.when, values)
                if not rows:
                    continue
                seen = dict(zip(rule.when.columns, rows[0], strict=True))
            return rule, self._reply(rule.spec, {**values, **seen})
        return None

    def _reply(self, rule: RuleSpec, names: Mapping[str, Any]) -> Reply:
        where = f"{self.name}.rules.{rule.name}"
        fields = {key: templates.render(text, names, file=self.file, field=f"{where}.fields.{key}") for key, text in rule.fields.items()}
        return Reply(rule.act, fields, templates.render(rule.say, names, file=self.file, field=f"{where}.say"))


def compile_party(name: str, spec: PartySpec, bench: Workbench, file: str) -> Party:
    """Check and prove a party. Raises PackError."""
    known = frozenset(spec.needs) | {f"said_{field}" for field in spec.fields} | {"now"}
    doubled = [rule for rule, times in Counter(rule.name for rule in spec.rules).items() if times > 1]
    if doubled:
        raise PackError(f"two rules are called '{min(doubled)}'", file=file, field=name, expected="each name once")
    for unknown in sorted(templates.names_in(spec.opens, file=file, field=f"{name}.opens") - set(spec.needs)):
        raise PackError(f"the name '{unknown}' is undefined here", file=file, field=f"{name}.opens", expected="a name under needs")
    rules = [_rule(name, rule, known, bench, file) for rule in spec.rules]
    for field in spec.fields:
        if spec.fields[field].type in ("list", "object"):
            raise PackError("a field is one value", file=file, field=f"{name}.fields.{field}", expected="not a list or object")
    optional = {field: msgspec.structs.replace(arg, optional=True) for field, arg in spec.fields.items()}
    return Party(name, spec, compile_arguments(f"say to {name}", optional, file, f"{name}.fields"), rules, file)


def _rule(party: str, rule: RuleSpec, known: frozenset[str], bench: Workbench, file: str) -> Rule:
    field = f"{party}.rules.{rule.name}"
    for act in rule.acts():
        if act not in ACTS and act != MOVED:
            raise PackError(f"got '{act}'", file=file, field=f"{field}.on", expected="one of " + ", ".join((*ACTS, MOVED)))
    when = bench.prove(rule.when, "rule", params=known, file=file, field=f"{field}.when") if rule.when else None
    effect = tuple(
        bench.prove(sql, "rule-effect", params=known, file=file, field=f"{field}.effect[{n}]") for n, sql in enumerate(rule.effect)
    )
    names = known | frozenset(when.columns if when else ())
    for part, text in [("say", rule.say), *((f"fields.{key}", text) for key, text in rule.fields.items())]:
        for unknown in sorted(templates.names_in(text, file=file, field=f"{field}.{part}") - names):
            raise PackError(
                f"the name '{unknown}' is undefined here", file=file, field=f"{field}.{part}", expected=", ".join(sorted(names))
            )
    return Rule(rule, when, effect)
