"""The audit: every probe over every case of a subject, in stages on disjoint seeds.

Takes a subject and a policy; gives an Audit, the raw material of a certificate. Admission comes first, with a first wave
of a few instances: a confirmed finding there ends the case early, to reject it. Certification uses other seeds, and adds
the held-out kinds. Every finding is run again in a fresh process before it is called one. The same subject, policy and
seed give the same Audit; what it cost is beside it, not in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Literal

import msgspec

from worldwright.audit.bench import At, Case, Solved, carry_out, carry_out_thinly, run_many, solved_many
from worldwright.audit.policy import Policy
from worldwright.audit.probes import battery
from worldwright.audit.records import Outcome, Probe
from worldwright.audit.subject import Facts, Subject

__all__ = ["Audit", "Cell", "Instance", "audit"]

MOST_SEEDS = 4
"""How many seeds are tried for each instance wanted, where seeds are unusable or give the same instance again."""
CERTIFICATION = 1_000_000
"""Certification seeds start this far from admission seeds."""

_AIM = 8
"""Where most instances are tried thinly, kinds draw as many trials on the wide ones as if there were so many."""
_ALWAYS = ("untouched", "reference")
"""Kinds that are controls: tried on every instance."""

Stage = Literal["admission", "certification"]


class Instance(msgspec.Struct, frozen=True):
    """One instance that was audited. `paid`: its reference is rewarded (None: it has none)."""

    case: str
    seed: int
    stage: Stage
    binding: str
    paid: bool | None


class Cell(msgspec.Struct, frozen=True):
    """What became of a probe on a case: `ran`, `not applicable` (by its rule) or `unknown` (a capability is missing)."""

    case: str
    probe: str
    status: Literal["ran", "not applicable", "unknown", "left out"]
    reason: str = ""


class Audit(msgspec.Struct, frozen=True):
    """All that an audit saw. `stopped` are cases that were ended early, to reject them."""

    subject: str
    kind: str
    digest: str
    policy: Policy
    seed: int
    instances: tuple[Instance, ...]
    cells: tuple[Cell, ...]
    outcomes: tuple[Outcome, ...]
    stopped: tuple[str, ...]
    faults: tuple[str, ...] = ()

    def findings(self) -> list[Outcome]:
        """Confirmed findings."""
        return [one for one in self.outcomes if one.kind == "finding" and one.confirmed]

    def leads(self) -> list[Outcome]:
        """What is shown and never counted."""
        return [one for one in self.outcomes if one.kind == "lead"]


def audit(
    subject: Subject,
    policy: Policy,
    *,
    seed: int,
    cases: Sequence[str] | None = None,
    only: Sequence[str] = (),
    whole: bool = False,
    note: Callable[[str], None] = lambda _: None,
) -> Audit:
    """Audit a subject. `only`: these probes; `whole`: don't stop early."""
    run = _Run(subject, policy, seed, only, whole, note)
    for name in subject.cases() if cases is None else cases:
        run.case(name)
    return Audit(
        subject.name, subject.kind, subject.digest, policy, seed,
        tuple(run.instances), tuple(run.cells), tuple(run.outcomes), tuple(run.stopped), tuple(run.faults),
    )  # fmt: skip


class _Run:
    def __init__(self, subject: Subject, policy: Policy, seed: int, only: Sequence[str], whole: bool, note: Callable[[str], None]) -> None:
        self.subject, self.policy, self.seed, self.whole, self.note = subject, policy, seed, whole, note
        self.modules = {name: module for name, module in battery().items() if not only or name in only}
        self.instances: list[Instance] = []
        self.cells: list[Cell] = []
        self.outcomes: list[Outcome] = []
        self.stopped: list[str] = []
        self.faults: list[str] = []

    def case(self, name: str) -> None:
        """Both stages of one case."""
        policy = self.policy
        case = Case(self.subject, name, policy.admission if not policy.thin else min(policy.admission, _AIM))
        case.search = policy.search
        seen: set[str] = set()
        first = self._draw(case, "admission", min(policy.first_wave, policy.admission), self.seed, seen, policy.first_wave)
        found = self._stage(case, "admission", first, held_out=False)
        if found and not self.whole:
            self.stopped.append(name)
        else:
            rest = self._draw(case, "admission", policy.admission - len(first), self._next, seen, 0)
            self._rest(case, "admission", rest, 0, held_out=False)
            if policy.certification:
                other = self._draw(case, "certification", policy.certification, self.seed + CERTIFICATION, seen, policy.wide)
                self._rest(case, "certification", other, policy.wide, held_out=True)
        self._cells(case)

    def _rest(self, case: Case, stage: Stage, fresh: Sequence[At], wide: int, held_out: bool) -> None:
        """The instances after the first wave: the first `wide` of them fully, the others thinly where the policy says so."""
        if not self.policy.thin:
            self._stage(case, stage, fresh, held_out)
            return
        if wide:
            self._stage(case, stage, fresh[:wide], held_out, again=True)
        self.note(f"{self.subject.name} {case.name} {stage} thin")
        modules = {probe.id: module for probe, module in self._probes(held_out)}

        def applies(probe: Probe, at: At) -> bool:
            module = modules[probe.id]
            return not missing(probe, at) and not (hasattr(module, "rule") and module.rule(at))

        for probe, module in self._probes(held_out):
            if hasattr(module, "look") and probe.side != "hold":
                self.outcomes += self._confirmed(list(self._probe(case, probe, module, case.stage(stage), stage)))
        # A kind that says on how many instances it is tried at `most` has had those in the first wave.
        every = [(one.PROBE, one.trials) for one in modules.values() if hasattr(one, "trials") and not one.PROBE.most]
        self.outcomes += self._confirmed(list(carry_out_thinly(case, every, _ALWAYS, self.policy.thin, fresh[wide:], applies)))

    def _draw(self, case: Case, stage: Stage, wanted: int, start: int, seen: set[str], wide: int) -> list[At]:
        """Distinct instances of a case, from the seeds that follow `start`.

        Of those after the first `wide`, which are tried thinly, every second is drawn without alternatives: what these leave
        open shows on the others, and each is one more plan to run.
        """
        bare = frozenset(range(wide, wanted)[1::2]) if self.policy.thin else frozenset()
        found: list[Solved] = []
        dull = 0
        seed = start
        asked = dict(
            zip(
                range(start, start + wanted),
                solved_many(self.subject, [(case.name, start + n) for n in range(wanted)], bare),
                strict=True,
            )
        )
        while len(found) < wanted and seed < start + MOST_SEEDS * max(wanted, 1) and dull < max(6, wanted // 2):
            one = asked.pop(seed, None) or solved_many(self.subject, [(case.name, seed)])[0]
            facts = one[0]
            seed += 1
            binding = binding_of(facts)
            if not facts.usable or binding in seen:
                dull += facts.usable
                continue
            dull = 0
            seen.add(binding)
            if facts.fault:
                self._broken(case, facts)
                seen.discard(binding)
                if len(self.faults) > 2:
                    break
                continue
            found.append(one)
        self._next = seed
        case.add(found, stage)
        fresh = case.instances[len(case.instances) - len(found) :] if found else []
        self.instances += [
            Instance(case.name, at.facts.seed, stage, binding_of(at.facts), at.paid if at.facts.reference else None) for at in fresh
        ]
        return fresh

    def _broken(self, case: Case, facts: Facts) -> None:
        self.faults.append(f"{case.name}@{facts.seed}: {facts.fault}")
        if sum(one.probe == "start" and one.case == case.name for one in self.outcomes) < 3:
            self.outcomes.append(
                Outcome(
                    "start", 1, case.name, facts.seed, "start", "holds", "error", "holds", "property", False, "finding",
                    "The instance can't even be started.", {"fault": facts.fault[:400]},
                    edit="Mend `start`, `cases` or what they need; an environment must start anywhere.",
                    code="R5", severity="high", confirmed=True,
                )
            )  # fmt: skip

    def _stage(self, case: Case, stage: Stage, fresh: Sequence[At], held_out: bool, again: bool = False) -> bool:
        """Every probe on the fresh instances; whether anything was found. `again`: but for what doesn't hang on the instance."""
        found = False
        for probe, module in self._probes(held_out):
            if again and probe.side == "hold" and hasattr(module, "look") and not probe.held_out:
                continue
            self.note(f"{self.subject.name} {case.name} {stage} {probe.id}")
            outcomes = self._confirmed(list(self._probe(case, probe, module, fresh, stage)))
            self.outcomes += outcomes
            found = found or any(one.kind == "finding" for one in outcomes)
        return found

    def _probes(self, held_out: bool) -> Iterator[tuple[Probe, ModuleType]]:
        for module in self.modules.values():
            if held_out or not module.PROBE.held_out or not self.policy.certification:
                yield module.PROBE, module

    def _probe(self, case: Case, probe: Probe, module: ModuleType, fresh: Sequence[At], stage: Stage) -> Iterator[Outcome]:
        if hasattr(module, "look"):
            if fresh and not missing(probe, case.stage(stage)[0]) and not (hasattr(module, "rule") and module.rule(case)):
                yield from module.look(case, fresh)
            return
        able = [at for at in fresh if not missing(probe, at) and not (hasattr(module, "rule") and module.rule(at))]
        yield from carry_out(case, probe, module.trials, able[: probe.most] if probe.most else able)

    def _confirmed(self, outcomes: list[Outcome]) -> list[Outcome]:
        """Findings run again in a fresh process; what isn't seen again is a lead, but for what may fail at times by its nature."""
        out = []
        for one in outcomes:
            if one.kind != "finding" or one.session is None or one.label == "holds":
                out.append(msgspec.structs.replace(one, confirmed=one.kind == "finding"))
                continue
            again = run_many(self.subject, [one.session])[0][one.judged].status
            if again == one.got or one.probe == "reference":
                out.append(msgspec.structs.replace(one, confirmed=True))
            else:
                why = f"{one.why} Run again, it got '{again}': the verdict is not repeatable."
                out.append(msgspec.structs.replace(one, kind="lead", ok=None, why=why.strip()))
        return out

    def _cells(self, case: Case) -> None:
        stages = [at for at in case.instances]
        for probe, module in self._probes(self.policy.certification > 0):
            ran = [one for one in self.outcomes if one.case == case.name and one.probe == probe.id]
            if ran:
                self.cells.append(Cell(case.name, probe.id, "ran"))
                continue
            lacks = missing(probe, stages[0]) if stages else "no instance could be started"
            if lacks:
                self.cells.append(Cell(case.name, probe.id, "unknown", lacks))
            elif probe.held_out and case.name in self.stopped:
                self.cells.append(Cell(case.name, probe.id, "left out", "the case was rejected before certification"))
            else:
                rule = module.rule(case if hasattr(module, "look") else stages[0]) if hasattr(module, "rule") else ""
                self.cells.append(Cell(case.name, probe.id, "not applicable", rule or probe.rule or "nothing to try"))


def missing(probe: Probe, at: At) -> str:
    """The capability that a probe needs and the instance lacks; "" if it has all."""
    facts = at.facts
    there = set(facts.has) | {"many"}
    if facts.reference is not None:
        there |= {"reference", "answer"}
    if facts.tools or "folder" in facts.has:
        there.add("calls")
    if not facts.tools and "folder" not in facts.has:
        there |= {"calls", "state"}  # nothing can be called or changed: the probe's own rule says that it doesn't apply
    lacking = sorted(probe.needs - there)
    return f"no {lacking[0]}" if lacking else ""


def binding_of(facts: Facts) -> str:
    """What makes an instance another one: prompt, start state, reference."""
    reference = facts.reference
    parts = [
        facts.prompt,
        facts.start or repr(facts.state),
        repr(reference and (reference.acts, reference.answer)),
        repr(sorted((facts.files or {}).items())),
    ]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
