"""What a plan is about: the tasks that each arm trains on, and those that are evaluated, taken from its packs.

Takes a Plan; reads its packs and gives tasks. Raises UsageError where a source or the evaluation takes no task, or a held-out name
is no family's of the pack. Which tasks an arm takes depends on plan and packs alone (and on the seed, where a source says `most`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property

import msgspec

from worldwright.errors import UsageError
from worldwright.files import DERIVED
from worldwright.forge.records import FORGED, Funnel, parts_of
from worldwright.pack.labels import UNLABELLED
from worldwright.pack.read import Pack, PackTask, read_pack
from worldwright.transfer.records import Arm, HeldOut, Plan, Source

__all__ = ["Material", "is_held_out", "material_of", "name_of", "side_of"]

assert FORGED in DERIVED


class Material:
    """The packs of a plan, read. `plan` knows its held-out families."""

    def __init__(self, plan: Plan, packs: Mapping[str, Pack]) -> None:
        self.packs = dict(packs)
        self._given = plan

    @cached_property
    def held_out(self) -> dict[str, list[PackTask]]:
        """The evaluated tasks by family, in order. Raises UsageError if there is none, or a held-out name is no family's."""
        plan = self._given
        pack = self._pack(plan.evaluation.pack)
        by: dict[str, list[PackTask]] = {}
        for entry in pack.tasks():
            if is_held_out(entry.label.family, plan.held_out) and _fits(name_of(entry), plan.evaluation.tasks):
                by.setdefault(entry.label.family, []).append(entry)
        there = {part for family in by for part in parts_of(family)}
        for kind in ("domains", "patterns", "families"):
            for name in getattr(plan.held_out, kind):
                if name not in there:
                    families = ", ".join(sorted(set(pack.meta.families.values()))) or "none"
                    raise UsageError(
                        f"{pack.where}: no evaluated task is of '{name}', which the plan holds out under {kind} (its families: {families})"
                    )
        return dict(sorted(by.items()))

    @property
    def plan(self) -> Plan:
        """The plan, with the families that are evaluated."""
        return msgspec.structs.replace(self._given, held_out_families=tuple(self.held_out))

    def lessons(self, arm: Arm, seed: int | None = None) -> list[tuple[PackTask, Source]]:
        """The tasks that an arm trains on, each with its source; with `seed` only so many as a source says. Raises UsageError."""
        taken: dict[tuple[str, str], tuple[PackTask, Source]] = {}
        for n, source in enumerate(arm.sources):
            found = list(self._of(source))
            if not found:
                raise UsageError(
                    f"arm '{arm.name}': its source {n + 1} takes no task of {self._pack(source.pack).where} (its globs fit none)"
                )
            if source.most and seed is not None:
                found = random.Random(f"{seed}:{n}").sample(found, min(source.most, len(found)))
            for entry in sorted(found, key=name_of):
                taken.setdefault((source.pack, name_of(entry)), (entry, source))
        return list(taken.values())

    def _pack(self, name: str) -> Pack:
        return self.packs[name or next(iter(self.packs))]

    def _of(self, source: Source) -> Iterator[PackTask]:
        pack = self._pack(source.pack)
        templates = _templates(pack) if tuple(source.templates) != ("*",) else {}
        for entry in pack.tasks():
            name = name_of(entry)
            template = templates.get(name, entry.name)
            if _fits(entry.label.family, source.families) and _fits(template, source.templates) and _fits(name, source.tasks):
                yield entry


def material_of(plan: Plan) -> Material:
    """The plan's packs, read. Raises UsageError and PackError."""
    return Material(plan, {name: read_pack(plan.pack_path(name)) for name in plan.packs})


def name_of(entry: PackTask) -> str:
    """`world/task`."""
    return f"{entry.world.name}/{entry.name}"


def is_held_out(family: str, held: HeldOut) -> bool:
    """Whether a family is held out: itself, its domain, or a pattern in it."""
    return family != UNLABELLED and bool(parts_of(family) & {*held.domains, *held.patterns, *held.families})


def side_of(family: str, held: HeldOut) -> str:
    """Why a held-out family is unseen: its domain (`domains`), its pattern (`patterns`) or both; `families` if only it is."""
    domain, parts = family.partition("/")[0], parts_of(family)
    unseen = [name for name, there in (("domains", domain in held.domains), ("patterns", bool(parts & set(held.patterns)))) if there]
    return "+".join(unseen) or "families"


def _templates(pack: Pack) -> dict[str, str]:
    """By which template a forged pack's tasks were made, by `world/task`; nothing where it isn't known."""
    data = pack.files.get(FORGED)
    if data is None:
        return {}
    try:
        return {f"{one.world}/{one.task}": one.template for one in msgspec.json.decode(data, type=Funnel).outcomes}
    except msgspec.MsgspecError as fault:
        raise UsageError(f"{pack.where}/{FORGED}: {fault} (expected the account of a forge run; templates come from there)") from fault


def _fits(name: str, globs: Sequence[str]) -> bool:
    """Whether a name fits a glob and none that takes away."""
    wanted = [one for one in globs if not one.startswith("!")] or ["*"]
    return any(fnmatchcase(name, one) for one in wanted) and not any(fnmatchcase(name, one[1:]) for one in globs if one.startswith("!"))
