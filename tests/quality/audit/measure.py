"""Measures the audit on subjects whose faults are known: `python tests/quality/audit/measure.py`.

Every faulty subject, its repaired twin and every sound subject is audited in a process of its own, under a time limit.
Outcomes: `found` (at least one confirmed finding), `not found`, `undetermined` (no finding, but a control doesn't work, so
that nothing was shown), `failed` (couldn't be opened, crashed, or took too long). Prints a table by kind with exact one-sided
95 % bounds. With --out, rows go to a file; what that file already holds of the same code, policy and seed is not run again.
Doesn't say how often the audit finds faults that other people make: the rates are of these subjects.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import ctypes
import hashlib
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from results import Outcome, Row, floor_faults, read_floor, read_rows, tables
from subjects import HERE, ROOT, Version, open_version, versions, wanted

from worldwright.audit.decide import controls_of
from worldwright.audit.policy import Policy, read_policy
from worldwright.audit.probes import battery
from worldwright.audit.run import Audit, audit
from worldwright.errors import WorldwrightError

GRACE = 10.0
"""Seconds between asking a process that took too long to end, and ending it."""


_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER


def code_digest() -> str:
    """The hash of the package's source and data: what a row was measured with."""
    total = hashlib.sha256()
    package = ROOT / "src" / "worldwright"
    for path in sorted(package.rglob("*")):
        if path.is_file() and path.suffix in (".py", ".yaml", ".json"):
            total.update(f"{path.relative_to(package).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()[:16]


def measured(version: Version, policy: Policy, seed: int, code: str = "") -> Row:
    """Audit one version, here in this process."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="quality-") as scratch:
        try:
            subject = open_version(version, Path(scratch))
        except (WorldwrightError, ValueError, OSError) as fault:
            row = _row(version, "failed", note=f"can't load: {fault}"[:400])
        else:
            with contextlib.closing(subject):
                row = _row_of(version, audit(subject, policy, seed=seed))
    about = {"policy": f"{policy.name} {policy.version}", "digest": policy.digest, "seed": seed, "code": code}
    return msgspec.structs.replace(row, seconds=round(time.monotonic() - began, 2), **about)


def _row_of(version: Version, seen: Audit) -> Row:
    findings = seen.findings()
    kinds = {name: module.PROBE.codes for name, module in battery().items()}
    cases = {one.case for one in seen.instances}
    doubts = [controls_of(seen, case, [one for one in seen.outcomes if one.case == case]).fault for case in sorted(cases)]
    doubts = [doubt for doubt in doubts if doubt] if cases else ["no instance could be started"]
    return _row(
        version,
        "found" if findings else "undetermined" if doubts else "not found",
        probes=dict(Counter(one.probe for one in findings)),
        codes=dict(Counter(one.code for one in findings)),
        by_kind=any(version.kind in kinds.get(one.probe, (one.code,)) for one in findings),
        leads=sorted({one.probe for one in seen.leads()}),
        shown=[f"{one.case}@{one.seed} {one.probe}: {one.variant}" for one in findings[:3]],
        instances=len(seen.instances),
        note="; ".join(dict.fromkeys(doubts))[:400],
    )


def _row(version: Version, outcome: Outcome, **said: object) -> Row:
    return Row(version.id, version.part, version.kind, version.form, version.group, outcome, **said)  # type: ignore[arg-type]


def _adopt() -> None:
    """On Linux, processes whose parents end become this one's children, so that their CPU seconds are counted."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def _cpu(patience: float = 2.0) -> float:
    """CPU seconds of this process and of all its children; waits a little for those that are about to end."""
    until = time.monotonic() + patience
    with contextlib.suppress(ChildProcessError):
        while time.monotonic() < until:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.05)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return round(sum(one.ru_utime + one.ru_stime for one in used), 2)


def measured_apart(version: Version, policy: str, seed: int, limit: float, code: str) -> Row:
    """Audit one version in a process of its own; over `limit` wall seconds it has failed."""
    command = [sys.executable, str(HERE / "measure.py"), "--one", version.key, "--policy", policy, "--seed", str(seed)]
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        out, err = process.communicate(timeout=limit)
        row = msgspec.json.decode(out.splitlines()[-1], type=Row) if process.returncode == 0 and out else None
        note = f"crashed: {_last(err)}"
    except subprocess.TimeoutExpired:
        _end(process)
        row, note = None, f"too slow: over {limit:g} s"
    except msgspec.DecodeError as fault:
        row, note = None, f"crashed: no result ({fault})"
    if row is None:
        about = read_policy(policy)
        known = {"policy": f"{about.name} {about.version}", "digest": about.digest, "seed": seed}
        row = _row(version, "failed", note=note, seconds=round(time.monotonic() - began, 2), **known)
    return msgspec.structs.replace(row, code=code)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it started."""
    for number, patience in ((signal.SIGTERM, GRACE), (signal.SIGKILL, None)):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=patience)
            return


def _last(err: bytes) -> str:
    lines = err.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:300] if lines else "no message"


def run(todo: Sequence[Version], policy: str, seed: int, limit: float, workers: int, out: Path | None) -> list[Row]:
    """Audit all of these, `workers` at a time; what `out` already holds is kept."""
    code, digest = code_digest(), read_policy(policy).digest
    stored = read_rows(out) if out and out.exists() else []
    kept = {row.key: row for row in stored if (row.code, row.digest, row.seed) == (code, digest, seed)}
    rows = [kept[one.key] for one in todo if one.key in kept]
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        waiting = [pool.submit(measured_apart, one, policy, seed, limit, code) for one in todo if one.key not in kept]
        for n, done in enumerate(concurrent.futures.as_completed(waiting), 1):
            row = done.result()
            rows.append(row)
            print(f"[{n}/{len(waiting)}] {row}", file=sys.stderr, flush=True)
            if out:
                _append(out, row)
    return rows


def _append(out: Path, row: Row) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("ab") as file:
        file.write(msgspec.json.encode(row) + b"\n")


def _latest(rows: Iterable[Row], keys: set[str]) -> list[Row]:
    """The last row of each version that is still listed."""
    return [row for key, row in {row.key: row for row in rows}.items() if key in keys]


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--policy", default="exploratory", help="a shipped policy's name, or a file (default: exploratory)")
    parser.add_argument("--only", default="", help="ids (also a4_*), kinds (A4, sound) or parts (faulty, repaired), separated by commas")
    parser.add_argument("--form", default="", choices=["", "python", "sound", "reward", "pack"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2, help="how many at a time (default: 2)")
    parser.add_argument("--limit", type=float, default=120, help="seconds for each (default: 120)")
    parser.add_argument("--out", type=Path, help="keep the rows in this file, and don't run again what it holds")
    parser.add_argument("--table", action="store_true", help="run nothing: the table of what --out holds")
    parser.add_argument("--floor", type=Path, help="a file of least and most rates: exit code 1 where they are missed")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.table and not (args.out and args.out.is_file()):
        parser.error("--table needs --out FILE with rows in it")
    return args


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    args = _arguments(argv)
    if args.one:
        warnings.simplefilter("ignore")
        _adopt()
        version = next(one for one in versions() if one.key == args.one)
        row = measured(version, read_policy(args.policy), args.seed)
        print(msgspec.json.encode(msgspec.structs.replace(row, cpu_seconds=_cpu())).decode())
        return 0
    todo = wanted("sound" if args.form == "sound" else args.only, "" if args.form == "sound" else args.form)
    if not todo:
        print(f"nothing is named {args.only or args.form} (expected an id, a kind or a part of tests/quality/audit/index)", file=sys.stderr)
        return 2
    rows = read_rows(args.out) if args.table else run(todo, args.policy, args.seed, args.limit, args.workers, args.out)
    rows = _latest(rows, {one.key for one in todo})
    print(tables(rows))
    missed = floor_faults(rows, read_floor(args.floor)) if args.floor else []
    for fault in missed:
        print(f"below the floor: {fault}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
