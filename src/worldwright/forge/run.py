"""A forge run: sources to worlds, worlds to trials, trials to a pack, in as many processes as wanted.

Takes a Plan; gives Forged. Work is cut into pieces: a world with some of its tasks. Which pieces there are, and what each gives, depends
on the plan alone, not on how many processes there are or in which order they end. Each piece that is done is kept below the
output, under a name made of everything that decides it, so that a run that was killed goes on from there.
"""

from __future__ import annotations

import concurrent.futures
import hashlib
import importlib
import multiprocessing
import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

import worldwright
from worldwright.audit.adapters.pack import PackSubject
from worldwright.audit.policy import Policy, read_policy
from worldwright.errors import UsageError, WorldwrightError
from worldwright.files import decode_yaml
from worldwright.forge.novelty import tell_known
from worldwright.forge.records import COMPOSED, Outcome, Refusal, WorldAccount, parts_of
from worldwright.forge.shares import share_of
from worldwright.forge.sources import Source, sources_of
from worldwright.forge.trial import Trial, World, proposed, screened, tried
from worldwright.knowledge.sampling import sampled
from worldwright.ledger import Cost, charged
from worldwright.sandbox.parent import end_with_parent
from worldwright.synthesis.assemble import assemble, furnished
from worldwright.synthesis.draft import Draft, TaskDraft
from worldwright.synthesis.material import Material
from worldwright.synthesis.signature import plan_signature, verifier_signature
from worldwright.verifier.spec import VerifierSpec

__all__ = ["OFFICES", "PATTERNS", "Built", "Forged", "Plan", "forge"]

OFFICES = {"claims": ("remedy", "reconcile"), "desk": ("triage", "approval"), "operations": ("schedule", "rootcause")}
"""Which work patterns share a world, by what the world is called: two each, so that an agent has 15 to 45 tools before it."""
PATTERNS = tuple(pattern for some in OFFICES.values() for pattern in some)
"""The work patterns, in the order in which they furnish worlds."""
_OWN = 0.55
"""Of the columns that a verifier reads at least so many come from the source, where it is a user's."""
_PIECE = 16
"""Tasks of a world that are tried in one go; its start states are made once for them."""


class Plan(msgspec.Struct, frozen=True):
    """What to forge: sources, worlds of each, which patterns, and by which policy tasks are admitted."""

    sources: tuple[str, ...]
    name: str
    seed: int = 0
    worlds: int = 1
    patterns: tuple[str, ...] = PATTERNS
    policy: str = "default"
    tasks: int = 0
    """Tasks that are tried at most, sampled over families (0: all)."""
    profile: tuple[tuple[tuple[str, str], float], ...] = ()
    """What is wanted: weights by (domain, pattern); evenly where none is given."""
    held_out: tuple[str, ...] = ()
    mutants: bool = True
    """Whether mutants of the certified tasks' verifiers are tried, for the mutation scores."""


class Built(msgspec.Struct):
    """A world that was built, or why it couldn't be; `files` hold all its tasks."""

    account: WorldAccount
    world: World | None
    refusals: list[Refusal]
    cost: Cost


class Forged(msgspec.Struct):
    """All that a run gave."""

    plan: Plan
    built: list[Built]
    trials: list[Trial]
    costs: list[tuple[str, str, str, Cost]]
    """Stage, artefact, step, cost: lines for the ledger."""


class _Piece(msgspec.Struct):
    world: World
    tasks: list[str]
    first: bool


def forge(plan: Plan, scratch: Path, workers: int, note: Callable[[str], None] = lambda _: None) -> Forged:
    """Carry out a plan; what is done is kept in `scratch`. Raises UsageError for a source that can't be read."""
    policy = read_policy(plan.policy)
    costs: list[tuple[str, str, str, Cost]] = []
    with charged() as meter:
        sources = sources_of(list(plan.sources))
    costs.append(("domain", plan.name, f"{len(sources)} sources read", meter.cost))
    _told_apart(sources)
    built = [
        _built(source, variant, office, plan)
        for source in sources
        for variant in range(plan.worlds)
        for office, some in OFFICES.items()
        if set(some) & set(plan.patterns)
    ]
    for one in built:
        costs.append(("synthesis", one.account.world, "world, tasks, references and verifiers written", one.cost))
    _wanted(built, plan)
    worlds = [one.world for one in built if one.world is not None]
    tell_known(worlds)
    chosen = _chosen(built, plan)
    pieces = [piece for one in built if one.world is not None for piece in _pieces(one.world, chosen[one.world.name])]
    scratch.mkdir(parents=True, exist_ok=True)
    trials: dict[tuple[str, str], Trial] = {}
    broken: dict[str, list[str]] = {}
    for done, cost, faults in _carried_out(pieces, policy, plan.seed, plan.mutants, scratch, workers):
        for trial in done:
            trials[trial.outcome.world, trial.outcome.task] = trial
            broken.setdefault(trial.outcome.world, []).extend(faults)
            costs.append(("audit", f"{trial.outcome.world}/{trial.outcome.task}", trial.outcome.stage, trial.outcome.cost))
            note(_line(trial.outcome))
        if done:
            costs.append(("pack", done[0].outcome.world, "lint", cost))
    for world in worlds:
        for task, meta in world.meta.items():
            if "left out" in meta:
                trials[world.name, task] = Trial(msgspec.structs.replace(proposed(world, task), reasons=(meta["left out"],)))
    order = [(one.world.name, task) for one in built if one.world is not None for task in one.world.meta]
    made = [_or_broken(trials[key], broken.get(key[0], [])) for key in order if key in trials]
    return Forged(plan, built, made, sorted(costs, key=lambda one: one[:3]))


def _told_apart(sources: Sequence[Source]) -> None:
    """Raises UsageError where two sources would make worlds of one name."""
    by: dict[str, str] = {}
    for one in sources:
        name = _name(one)
        if name in by:
            raise UsageError(
                f"{one.given}: its worlds would be called '{name}', as those of {by[name]} (expected sources with different names)"
            )
        by[name] = one.given


def _wanted(built: Sequence[Built], plan: Plan) -> None:
    """Raises UsageError where what is held out, or all that the profile wants, is nothing that these sources have."""
    metas = [meta for one in built if one.world is not None for meta in one.world.meta.values()]
    families = {f"{meta['family'].partition('/')[0]}/{meta['pattern']}" for meta in metas}
    parts = {part for meta in metas for part in parts_of(meta["family"])}
    unknown = [one for one in plan.held_out if one not in parts]
    if families and unknown:
        raise UsageError(f"held out: there is no '{unknown[0]}' (there are: {', '.join(sorted(parts))})")
    if families and plan.profile and not any(f"{domain}/{pattern}" in families and weight for (domain, pattern), weight in plan.profile):
        raise UsageError(f"the profile wants no family that there is (there are: {', '.join(sorted(families))})")


def _or_broken(trial: Trial, faults: list[str]) -> Trial:
    """The trial, unless the world itself breaks a rule: then nothing of it is certified."""
    if not faults:
        return trial
    return Trial(msgspec.structs.replace(trial.outcome, stage="proposed", reasons=(*dict.fromkeys(faults), *trial.outcome.reasons)))


def _line(outcome: Outcome) -> str:
    why = f" ({outcome.reasons[0]})" if outcome.reasons else ""
    return f"{outcome.stage}: {outcome.world}/{outcome.task}{why}"


# ---- building


def _built(source: Source, variant: int, office: str, plan: Plan) -> Built:
    name = f"{_name(source)}-{office}" + (f"-{variant + 1}" if variant else "")
    with charged() as meter:
        built = _world(source, name, variant, office, plan)
    built.cost = meter.cost
    return built


def _name(source: Source) -> str:
    plain = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in source.model.name.lower()).strip("-")
    return plain or "world"


def _world(source: Source, name: str, variant: int, office: str, plan: Plan) -> Built:
    wanted = [pattern for pattern in OFFICES[office] if pattern in plan.patterns]
    modules = {pattern: importlib.import_module(f"worldwright.synthesis.patterns.{pattern}") for pattern in wanted}
    try:
        material = source.material(variant)
        draft = furnished(name, _title(source, office), material, modules, plan.seed * 1_000 + variant)
        files = assemble(draft, material) if draft.tasks else {}
    except WorldwrightError as fault:
        account = WorldAccount(name, source.given, source.kind, 0, 0, 0, fault=str(fault))
        return Built(account, None, [], Cost())
    refusals = [Refusal(name, pattern, why) for pattern, why in draft.refused.items()]
    if not draft.tasks:
        why = "; ".join(f"{one.pattern}: {one.why}" for one in refusals)
        return Built(WorldAccount(name, source.given, source.kind, 0, 0, 0, fault=f"no pattern fits: {why}"), None, refusals, Cost())
    account = source.account(name, material, len(draft.tools))
    world = World(name, files, _meta(draft, files), _from_source(material))
    if material.is_real:
        _told_planted(world, plan.seed)
    return Built(account, world, refusals, Cost())


def _told_planted(world: World, seed: int) -> None:
    """Write into `meta` why a task isn't tried: it is mostly about what was planted, and would survive another source."""
    for entry in world.pack(list(world.meta)).tasks():
        share = share_of(entry, world.source_columns, seed)
        if share.columns_from_source < _OWN * share.columns:
            of = f"{share.columns_from_source} of the {share.columns} columns that its verifier reads come from the source"
            world.meta[entry.name]["left out"] = f"mostly planted: {of}, at least {_OWN:.0%} are needed"


def _title(source: Source, office: str) -> str:
    words = source.model.name.replace("-", " ").replace("_", " ")
    return f"{words[:1].upper()}{words[1:]}: {office}"


def _meta(draft: Draft, files: dict[str, bytes]) -> dict[str, dict[str, Any]]:
    return {task.name: _about(draft, task, files) for task in draft.tasks}


def _about(draft: Draft, task: TaskDraft, files: dict[str, bytes]) -> dict[str, Any]:
    where = f"worlds/{draft.name}/tasks/{task.name}"
    spec = decode_yaml(files[f"{where}/verifier.yaml"].decode(), VerifierSpec, where)
    return {
        "pattern": task.pattern,
        "template": task.template,
        "family": f"{draft.model.name}/{'+'.join(task.knobs['parts']) if task.pattern == COMPOSED else task.pattern}",
        "knobs": task.knobs,
        "plan": plan_signature(files[f"{where}/reference.py"].decode()),
        "check": verifier_signature(spec),
    }


def _from_source(material: Material) -> dict[str, list[str]]:
    return {table.name: [one.name for one in table.columns if one.field] for table in material.tables.values()}


# ---- trying


def _chosen(built: Sequence[Built], plan: Plan) -> dict[str, list[str]]:
    """The tasks to try by world: all of them, or as many as wanted, sampled to the profile over families."""
    worlds = [one.world for one in built if one.world is not None]
    if not plan.tasks and not plan.profile:
        return {world.name: [task for task, meta in world.meta.items() if "left out" not in meta] for world in worlds}
    there: dict[tuple[str, str], list[tuple[str, tuple[str, str]]]] = {}
    for world in worlds:
        for task, meta in world.meta.items():
            if "left out" in meta:
                continue
            domain = meta["family"].partition("/")[0]
            there.setdefault((domain, meta["pattern"]), []).append((meta["template"], (world.name, task)))
    every = sum(map(len, there.values()))
    taken = set(sampled(there, plan.tasks or every, dict(plan.profile) or None, plan.seed))
    return {world.name: [task for task in world.meta if (world.name, task) in taken] for world in worlds}


def _pieces(world: World, tasks: Sequence[str]) -> Iterator[_Piece]:
    """The world's tasks in groups."""
    for n in range(0, len(tasks), _PIECE):
        yield _Piece(world, list(tasks[n : n + _PIECE]), n == 0)


Done = tuple[list[Trial], Cost, list[str]]
"""The trials of a piece, what its lint cost, and what breaks a rule in the world itself."""


def _carried_out(pieces: Sequence[_Piece], policy: Policy, seed: int, mutants: bool, scratch: Path, workers: int) -> Iterator[Done]:
    """What each piece gives, as they end."""
    jobs = [(piece, policy, seed, mutants, str(scratch / f"{_key(piece, policy, seed, mutants)}.piece")) for piece in pieces]
    if workers <= 1 or len(jobs) <= 1:
        for job in jobs:
            yield _try(*job)
        return
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(min(workers, len(jobs)), mp_context=context, initializer=end_with_parent) as pool:
        waiting = [pool.submit(_try, *job) for job in jobs]
        try:
            for done in concurrent.futures.as_completed(waiting):
                yield done.result()
        except BaseException:
            for one in waiting:
                one.cancel()
            raise


def _key(piece: _Piece, policy: Policy, seed: int, mutants: bool) -> str:
    """Everything that decides what a piece gives."""
    total = hashlib.sha256(f"{worldwright.__version__}:{policy.digest}:{seed}:{mutants}:{piece.tasks}:{_code()}".encode())
    for path, data in sorted(piece.world.files.items()):
        total.update(f"{path}:{hashlib.sha256(data).hexdigest()}".encode())
    return total.hexdigest()[:24]


_digests: dict[str, str] = {}


def _code() -> str:
    """A digest of the package's own code: another version gives other pieces."""
    if "code" not in _digests:
        total = hashlib.sha256()
        root = Path(worldwright.__file__).parent
        for path in sorted([*root.rglob("*.py"), *root.rglob("*.yaml")]):
            total.update(path.read_bytes())
        _digests["code"] = total.hexdigest()
    return _digests["code"]


def _try(piece: _Piece, policy: Policy, seed: int, mutants: bool, kept: str) -> Done:
    """One piece, from what is kept if it was done before."""
    path = Path(kept)
    if path.is_file():
        try:
            return pickle.loads(path.read_bytes())  # type: ignore[no-any-return]
        except (pickle.UnpicklingError, EOFError, AttributeError, ImportError):
            path.unlink()
    pack = piece.world.pack(piece.tasks)
    faults, cost = screened(piece.world, pack, is_first=piece.first)
    subject = PackSubject(pack)
    try:
        trials = [tried(piece.world, subject, task, faults.get(task, []), policy, seed, mutants) for task in piece.tasks]
    finally:
        subject.close()
    done = (trials, cost, faults.get("", []))
    temporary = path.with_suffix(f".{os.getpid()}")
    temporary.write_bytes(pickle.dumps(done))
    temporary.replace(path)
    return done


def checked(plan: Plan) -> None:
    """Raises UsageError for a plan that can't be."""
    for pattern in plan.patterns:
        if pattern not in PATTERNS:
            raise UsageError(f"there is no pattern '{pattern}' (there are: {', '.join(PATTERNS)})")
