"""A world's tasks on trial: lint, first attempts, the audit; what becomes of each and why.

Takes a built world as files, and a policy; gives an Outcome and the audit of each task. A task that breaks a rule or whose reference
isn't paid goes no further. Runs in a process of its own; the same world gives the same outcomes there.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from worldwright.audit.adapters.metered import Metered
from worldwright.audit.adapters.pack import PackSubject
from worldwright.audit.certificate import certificate_of
from worldwright.audit.lock import Request
from worldwright.audit.mutate import MutationScore, scores
from worldwright.audit.policy import Policy
from worldwright.audit.run import Audit
from worldwright.audit.run import audit as run_audit
from worldwright.errors import UnusableSeed, WorldwrightError
from worldwright.forge.guessing import Guesses, guessed
from worldwright.forge.records import Outcome
from worldwright.forge.shares import share_of
from worldwright.ledger import Cost, charged
from worldwright.pack import Pack, PackTask
from worldwright.pack.lint import lint

__all__ = ["Trial", "World", "proposed", "screened", "tried"]

_OF_THE_WHOLE = frozenset({"dead-tool", "unusable-seeds", "luck"})
"""A rule that a world with some of its tasks breaks by nature, and two that are measured here on more seeds."""
_TRIED = 30
_GUESSED = 20
_USABLE = 0.9
_SEEDS = 3
_STATES = 30


class World(msgspec.Struct):
    """A world as files, with what its drafts say of its tasks. `meta` has pattern, template, knobs and family by task."""

    name: str
    files: dict[str, bytes]
    meta: dict[str, dict[str, Any]]
    source_columns: dict[str, list[str]]
    """By table, the columns that come from the source."""

    def pack(self, tasks: Sequence[str]) -> Pack:
        """A pack of its own with some of its tasks."""
        files = {path: data for path, data in self.files.items() if "/tasks/" not in path or path.split("/")[3] in tasks}
        return Pack(files | {"pack.toml": pack_toml(self.name, "A world on trial.")}, "")


def pack_toml(name: str, about: str, extra: str = "") -> bytes:
    """`pack.toml`."""
    return f'name = "{name}"\nversion = "0.1.0"\nformat = 1\nlicence = "Apache-2.0"\nabout = {json.dumps(about)}\n{extra}'.encode()


class Trial(msgspec.Struct):
    """What a task's trial gave: its outcome, and the audit with mutation scores where it came so far."""

    outcome: Outcome
    audit: Audit | None = None
    scores: list[MutationScore] = []


def proposed(world: World, task: str) -> Outcome:
    """The outcome of a task that nothing was tried of yet."""
    meta = world.meta[task]
    knobs, plan, check = meta["knobs"], meta["plan"], meta["check"]
    return Outcome(world.name, task, meta["pattern"], meta["template"], meta["family"], "proposed", knobs=knobs, plan=plan, check=check)


def screened(world: World, pack: Pack, is_first: bool) -> tuple[dict[str, list[str]], Cost]:
    """Lint: what breaks a rule, by task ("" for the world itself), and what it cost. Leaks are looked for with the first tasks alone."""
    found: dict[str, list[str]] = {}
    with charged() as meter:
        report = lint(pack, range(_SEEDS), states=_STATES if is_first else 1, luck=False)
    for one in report.findings:
        if one.level != "error" or one.rule in _OF_THE_WHOLE:
            continue
        at = next((task for task in world.meta if f"/tasks/{task}/" in f"{one.file}/" or one.file.endswith(f"/tasks/{task}")), "")
        found.setdefault(at, []).append(f"lint [{one.rule}]: {one.message}"[:300])
    return found, meter.cost


def tried(world: World, subject: PackSubject, task: str, faults: list[str], policy: Policy, seed: int, mutants: bool = True) -> Trial:
    """The trial of one task of a subject. Never raises for what the task does: that is a reason."""
    outcome = proposed(world, task)
    if faults:
        return Trial(msgspec.structs.replace(outcome, reasons=tuple(faults)))
    case = f"{world.name}/{task}"
    entry = subject.entry(case)
    metered = Metered(subject)
    audit: Audit | None = None
    mutation: list[MutationScore] = []
    reasons: tuple[str, ...] = ()
    stage, share, calls = "built", None, 0
    guesses: Guesses | None = None
    with charged() as meter:
        try:
            tried_on = min(_TRIED, policy.admission + policy.certification)
            usable = _usable(entry, range(seed, seed + tried_on))
            if usable < _USABLE * tried_on:
                stage = "proposed"
                raise UnusableSeed(f"the task can be set on {usable} of {tried_on}")
            facts = metered.facts(case, seed)
            calls = len(facts.reference.acts) if facts.reference is not None else 0
            share = share_of(entry, world.source_columns, seed)
            audit = run_audit(metered, policy, seed=seed, cases=[case])
            certificate = certificate_of(audit, {case: facts}, Request(None, (), False, False, ""), (), "")
            paid = any(one.paid for one in audit.instances)
            stage = "solvable" if paid else "built"
            guesses = guessed(entry, range(seed, seed + _GUESSED)) if certificate.verdict == "accepted" else None
            if guesses is not None and guesses.is_shortcut:
                reasons = (f"guesses pass: with hidden facts from another seed {guesses.passed} of {guesses.n} runs passed",)
            elif certificate.verdict == "accepted":
                stage = "certified"
                mutation = scores(subject, audit) if mutants else []
            else:
                reasons = tuple(f"audit: {reason}"[:300] for reason in certificate.reasons)
        except UnusableSeed as fault:
            reasons = (f"unusable seeds: {fault}",)
        except WorldwrightError as fault:
            reasons = (f"{type(fault).__name__}: {fault}"[:300],)
        meter.runs, meter.calls = metered.runs, metered.calls
    outcome = msgspec.structs.replace(outcome, stage=stage, reasons=reasons, cost=meter.cost, share=share, calls=calls)
    if guesses is not None:
        outcome = msgspec.structs.replace(outcome, guessed=(guesses.passed, guesses.n))
    return Trial(outcome, audit if stage == "certified" else None, mutation)


def _usable(entry: PackTask, seeds: Sequence[int]) -> int:
    """On how many of the seeds the task can be set."""
    usable = 0
    for n in seeds:
        try:
            entry.task.instance(n)
        except UnusableSeed:
            continue
        usable += 1
    return usable
