"""The knowledge graph: a DAG of concepts, coarse to fine, each with its evidence.

Takes domain models and the work patterns; gives a KnowledgeGraph. Nodes are domains (trades), areas (what a trade's entities are:
cases, parties, documents ...), concepts (its policies), patterns, and skills (what a pattern asks for). Edges go from coarse to fine; a
node may have several above it. Promises: no circle, each id once, every node but the roots hangs on one that is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from worldwright.domain.model import DomainModel, Evidence
from worldwright.domain.trades import TRADES, trade
from worldwright.errors import UsageError

__all__ = ["PATTERNS", "Concept", "Kind", "KnowledgeGraph", "grown", "shipped"]

Kind = Literal["domain", "area", "concept", "pattern", "skill"]

PATTERNS: Mapping[str, Mapping[str, str]] = {
    "remedy": {
        "decide": "decide one case by a list of clauses, refusals included",
        "clear": "decide all open cases of somebody",
        "review": "find decisions that contradict the rule",
        "total": "forecast what a rule comes to",
    },
    "triage": {
        "route": "find where a case belongs",
        "assign": "find who takes a case, by load and absence",
        "work-off": "work off a queue in which each step changes the next",
        "reroute": "find and move what went to the wrong place",
    },
    "approval": {
        "chain": "collect the signatures that a request needs, in order",
        "batch": "collect them for all open requests of somebody",
        "lacking": "find approvals that lack a signature",
        "name": "say who has to sign",
    },
    "reconcile": {
        "differences": "match two records and note each difference by its kind",
        "correct": "correct one record by the other where the rule says so",
        "net": "report what two records differ by",
        "one": "say what is wrong with one entry",
    },
    "schedule": {
        "plan": "book work under constraints, in any way that fits",
        "earliest": "find the earliest right slot",
        "relieve": "move bookings when somebody drops out",
    },
    "rootcause": {
        "one": "find the cause of an incident along a chain of dependence, and the fix",
        "batch": "find the causes of many incidents",
        "impact": "find all that an outage touches",
        "oldest": "say how deep a chain is and what failed in it",
    },
}
"""Each pattern's skills: the template's name and what it teaches."""

_AREAS = {
    "party": "people and firms",
    "case": "cases",
    "item": "goods and items",
    "asset": "assets",
    "resource": "resources",
    "document": "documents",
    "account": "accounts",
    "ledger": "ledgers",
    "event": "events",
    "location": "places",
    "staff": "staff",
    "schedule": "schedules",
    "other": "other records",
}


class Concept(msgspec.Struct, frozen=True, omit_defaults=True):
    """A node: `above` are the ids of coarser ones."""

    id: str
    name: str
    kind: Kind
    above: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()


class KnowledgeGraph(msgspec.Struct, frozen=True):
    """See the module."""

    concepts: tuple[Concept, ...]

    def __post_init__(self) -> None:
        """Raises UsageError for an id that stands twice, an edge that leads nowhere, or a circle."""
        known = {one.id: one for one in self.concepts}
        if len(known) < len(self.concepts):
            seen: set[str] = set()
            twice = next(one.id for one in self.concepts if one.id in seen or seen.add(one.id))  # type: ignore[func-returns-value]
            raise UsageError(f"the concept '{twice}' stands twice")
        for one in self.concepts:
            for name in one.above:
                if name not in known:
                    raise UsageError(f"the concept '{one.id}' hangs on '{name}', which isn't there")
        for one in self.concepts:
            if one.id in self._over(one.id, known):
                raise UsageError(f"the concept '{one.id}' is above itself")

    @staticmethod
    def _over(name: str, known: Mapping[str, Concept]) -> set[str]:
        found: set[str] = set()
        waiting = list(known[name].above)
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                waiting += known[one].above
        return found

    def of_kind(self, kind: Kind) -> list[Concept]:
        """The concepts of a kind."""
        return [one for one in self.concepts if one.kind == kind]

    def under(self, name: str) -> list[Concept]:
        """What hangs on a concept directly."""
        return [one for one in self.concepts if name in one.above]

    def subtree(self, name: str) -> set[str]:
        """A concept and all below it. Raises UsageError."""
        if name not in {one.id for one in self.concepts}:
            raise UsageError(f"the graph has no concept '{name}' (worldwright graph show lists them)")
        found = {name}
        waiting = [name]
        while waiting:
            for one in self.under(waiting.pop()):
                if one.id not in found:
                    found.add(one.id)
                    waiting.append(one.id)
        return found


def shipped() -> KnowledgeGraph:
    """The graph of the shipped trades and the work patterns."""
    return grown([trade(name) for name in TRADES])


def grown(models: Iterable[DomainModel]) -> KnowledgeGraph:
    """The graph of these models and the work patterns."""
    out: list[Concept] = []
    for model in models:
        out += _of_model(model)
    for pattern, skills in PATTERNS.items():
        out.append(Concept(pattern, pattern, "pattern", evidence=(Evidence("work pattern", f"{len(skills)} kinds of task"),)))
        out += [Concept(f"{pattern}/{skill}", says, "skill", (pattern,)) for skill, says in skills.items()]
    return KnowledgeGraph(tuple(out))


def _of_model(model: DomainModel) -> Sequence[Concept]:
    domain = model.name
    out = [Concept(domain, domain.replace("-", " "), "domain", (), (), (Evidence(model.source.name, model.about),))]
    by_facet: dict[str, list[str]] = {}
    for entity in model.entities:
        by_facet.setdefault(entity.facet, []).append(entity.name)
    out += [
        Concept(f"{domain}/{facet}", _AREAS[facet], "area", (domain,), tuple(names), (Evidence("entities", ", ".join(names), len(names)),))
        for facet, names in by_facet.items()
    ]
    facets = {one.name: one.facet for one in model.entities}
    for policy in model.policies:
        touched = [policy.norm.on] if policy.norm is not None else []
        touched += [name.partition(".")[0] for name in policy.applies_to]
        above = dict.fromkeys(f"{domain}/{facets[name]}" for name in touched if name in facets)
        title = policy.norm.title if policy.norm is not None and policy.norm.title else policy.rule.partition(".")[0][:60]
        evidence = (Evidence(policy.source.where, policy.rule),)
        out.append(Concept(f"{domain}/{policy.id}", title, "concept", tuple(above) or (domain,), (), evidence))
    return out
