"""The end of a forge run: the certified tasks as one pack, its certificate, its ledger, and the account of the whole.

Takes Forged and a path that isn't there yet (or that an earlier run wrote); writes `pack.toml`, the worlds with their certified tasks,
`certificate.json`, `forge.json` and `ledger.jsonl`. The certificate is that of auditing the pack under the same policy and seed: tasks
are audited one by one, so that those that were left out change nothing.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec

from worldwright.audit.adapters.metered import Metered
from worldwright.audit.adapters.pack import PackSubject
from worldwright.audit.dossier import Dossier, drawn_up
from worldwright.audit.lock import Request, encode
from worldwright.audit.policy import read_policy
from worldwright.audit.run import Audit
from worldwright.errors import UsageError
from worldwright.forge.records import FORGED, Funnel, parts_of
from worldwright.forge.run import Forged
from worldwright.forge.trial import pack_toml
from worldwright.ledger import Cost, Ledger, charged
from worldwright.pack import Pack

__all__ = ["finished", "funnel_of", "may_write", "read_funnel"]


def may_write(out: Path, force: bool = False) -> None:
    """Raises UsageError unless there is nothing at the path, or, with `force`, the pack of an earlier run."""
    if out.is_dir() and any(out.iterdir()) and not (out / FORGED).is_file():
        raise UsageError(f"{out}: not empty, and no forged pack (expected a new folder, or one that `forge` wrote)")
    if not force and (out / FORGED).is_file():
        raise UsageError(f"{out}: there is a forged pack already (--force replaces it, with all that was edited in it)")
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out}: a file (expected a folder for the pack)")


def funnel_of(forged: Forged) -> Funnel:
    """The account of the whole run."""
    plan = forged.plan
    cost = sum((cost for *_, cost in forged.costs), Cost())
    worlds = tuple(one.account for one in forged.built)
    refusals = tuple(refusal for one in forged.built for refusal in one.refusals)
    return Funnel(plan.name, plan.seed, plan.policy, worlds, tuple(one.outcome for one in forged.trials), refusals, cost, plan.held_out)


def finished(forged: Forged, out: Path, force: bool = False) -> tuple[Pack | None, Dossier | None, Funnel]:
    """Write the pack, if a task was certified, with all that belongs to it; the account is written in any case."""
    may_write(out, force)
    if out.exists():
        shutil.rmtree(out)
    out.mkdir(parents=True)
    pack = _pack(forged)
    dossier = None
    if pack is not None:
        for path, data in pack.files.items():
            file = out / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        with charged() as meter:
            dossier = _dossier(forged, pack)
        forged.costs.append(("audit", pack.digest, "certificate", meter.cost))
        (out / "certificate.json").write_bytes(encode(dossier.certificate))
    funnel = funnel_of(forged)
    (out / FORGED).write_bytes(msgspec.json.format(msgspec.json.encode(funnel), indent=1) + b"\n")
    ledger = Ledger(out / "ledger.jsonl")
    for stage, artefact, step, cost in forged.costs:
        ledger.add(stage, artefact, step, cost)
    return pack, dossier, funnel


def _pack(forged: Forged) -> Pack | None:
    """The certified tasks with their worlds; None if there is none."""
    certified: dict[str, set[str]] = {}
    for trial in forged.trials:
        if trial.outcome.is_certified:
            certified.setdefault(trial.outcome.world, set()).add(trial.outcome.task)
    files: dict[str, bytes] = {}
    for one in forged.built:
        if one.world is None or one.world.name not in certified:
            continue
        tasks = certified[one.world.name]
        files |= {path: data for path, data in one.world.files.items() if "/tasks/" not in path or path.split("/")[3] in tasks}
    if not files:
        return None
    outcomes = [trial.outcome for trial in forged.trials if trial.outcome.is_certified]
    families = sorted({one.family for one in outcomes})
    held = [one for one in families if parts_of(one) & set(forged.plan.held_out)]
    training = [one for one in families if one not in held]
    labels = "\n".join(f'"{one.world}/{one.task}" = "{one.family}"' for one in sorted(outcomes, key=lambda one: (one.world, one.task)))
    splits = f"\n[splits]\ntrain = {msgspec.json.encode(training).decode()}\nheld_out = {msgspec.json.encode(held).decode()}\n"
    splits += f"\n[families]\n{labels}\n"
    sources = ", ".join(forged.plan.sources) or "every shipped trade"
    files["pack.toml"] = pack_toml(forged.plan.name, f"Forged from {sources}.", splits)
    return Pack(files, "")


def _dossier(forged: Forged, pack: Pack) -> Dossier:
    """The audit of the pack, put together from those of its tasks."""
    by_case = {f"{one.outcome.world}/{one.outcome.task}": one for one in forged.trials if one.audit is not None}
    metered = Metered(PackSubject(pack))
    try:
        parts = [by_case[case] for case in metered.cases()]
        audits = [part.audit for part in parts if part.audit is not None]
        audit = Audit(
            metered.name, metered.kind, metered.digest, read_policy(forged.plan.policy), forged.plan.seed,
            tuple(one for part in audits for one in part.instances), tuple(one for part in audits for one in part.cells),
            tuple(one for part in audits for one in part.outcomes), tuple(one for part in audits for one in part.stopped),
            tuple(one for part in audits for one in part.faults),
        )  # fmt: skip
        scores = [score for part in parts for score in part.scores]
        return drawn_up(metered, audit, Request(None, (), False, False, ""), scores, pack.meta.licence)
    finally:
        metered.close()


def read_funnel(pack: Path) -> Funnel:
    """The account of the run that made a pack. Raises UsageError."""
    try:
        return msgspec.json.decode((pack / FORGED).read_bytes(), type=Funnel)
    except OSError as fault:
        raise UsageError(f"{pack / FORGED}: {fault.strerror or fault} (expected a pack that `forge` wrote)") from fault
    except msgspec.MsgspecError as fault:
        raise UsageError(f"{pack / FORGED}: {fault} (expected the account of a forge run)") from fault
