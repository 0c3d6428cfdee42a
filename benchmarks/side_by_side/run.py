"""Runs this project's audit and three other tools over the same faulty, repaired and sound subjects: one table.

`python benchmarks/side_by_side/run.py` makes an environment for each tool under build/side-by-side (pinned versions, from
PyPI), gives every tool every item through its adapter in `adapters/`, and keeps the results in build/side-by-side/results.jsonl;
what that file already holds of the same tool, adapter and item is not run again, unless it ran into a shorter limit. Each item
runs in a process of its own, under a time limit; nothing that it started outlives it (`processes.py`). The subjects are ours
and the audit was mended on them; the toys are the other tools': the table keeps them apart.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec
from environments import PINS, ROOT, TOOLS, VERIFIERS, Places, prepare
from items import Item, quality, subjects
from processes import run_whole
from table import TOO_SLOW, Row, table
from toys import toys

HERE = Path(__file__).resolve().parent
BUILD = ROOT / "build" / "side-by-side"
ADAPTERS = HERE / "adapters"
SCRIPTS = {"ours": "ours.py", **{tool: f"{tool}_side.py" for tool in PINS}}


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    args = _arguments(argv)
    places = prepare(args.build)
    for name, fault in places.lacking.items():
        print(f"without {name}: {fault}", file=sys.stderr)
    every = [one for one in [*subjects(places), *toys(places)] if _is_wanted(one, args.subjects)]
    items = [one for one in every if _is_drawn(one.id, args.one_in)]
    if not items:
        print(f"nothing is named {args.subjects} (expected an id, kind, part or group)", file=sys.stderr)
        return 2
    results = args.build / "results.jsonl"
    known = {row.key: row for row in _read(results) if args.table or not _is_cut_short(row, args.limit)}
    jobs = [(tool, item, _made(tool, item, args.policy)) for tool in args.tools.split(",") for item in items]
    rows = {
        key: msgspec.structs.replace(known[key], group=item.group, part=item.part, kind=item.kind)
        for tool, item, made in jobs
        if (key := (tool, item.id, made)) in known
    }
    todo = [job for job in jobs if (job[0], job[1].id, job[2]) not in known] if not args.table else []
    with concurrent.futures.ThreadPoolExecutor(args.workers) as pool:
        waiting = [pool.submit(_run, places, tool, item, made, args) for tool, item, made in todo]
        try:
            for n, done in enumerate(concurrent.futures.as_completed(waiting), 1):
                row = done.result()
                rows[row.key] = row
                with results.open("ab") as file:
                    file.write(msgspec.json.encode(row) + b"\n")
                said = f"{row.tool} {row.id}: {row.outcome} {row.why[:2]} [{row.seconds:.1f} s]"
                print(f"[{n}/{len(todo)}] {said}", file=sys.stderr, flush=True)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    print(table([rows[key] for tool, item, made in jobs if (key := (tool, item.id, made)) in rows]))
    print(f"\nours: policy {args.policy}; {', '.join(PINS.values())}. Intervals: exact, two-sided, 95 %.")
    return 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tools", default=",".join(TOOLS), help=f"of {', '.join(TOOLS)} (default: all)")
    parser.add_argument("--subjects", default="", help="ids (also zoo*), kinds, parts or groups, separated by commas")
    parser.add_argument("--one-in", type=int, default=1, help="only one in so many subjects, drawn by their ids (default: all)")
    parser.add_argument("--policy", default="default", help="the policy of our audit (default: default)")
    parser.add_argument("--limit", type=float, default=300, help="seconds for each item (default: 300)")
    parser.add_argument("--workers", type=int, default=2, help="how many at a time (default: 2)")
    parser.add_argument("--build", type=Path, default=BUILD, help="where environments and results are kept")
    parser.add_argument("--table", action="store_true", help="run nothing: the table of what is known")
    args = parser.parse_args(argv)
    unknown = set(args.tools.split(",")) - set(TOOLS)
    if unknown:
        parser.error(f"--tools {', '.join(sorted(unknown))}: expected some of {', '.join(TOOLS)}")
    return args


def _is_wanted(item: Item, names: str) -> bool:
    wanted = [name for name in names.split(",") if name]
    whole = (item.id, item.id.rpartition("/")[0], item.kind, item.part, item.group, item.form)
    return not wanted or any(name in whole or (name.endswith("*") and item.id.startswith(name[:-1])) for name in wanted)


def _is_drawn(name: str, one_in: int) -> bool:
    """Whether a subject is in the sample; its versions are together."""
    stem = name.rpartition("/")[0] or name
    return int(hashlib.sha256(stem.encode()).hexdigest(), 16) % max(one_in, 1) == 0


def _made(tool: str, item: Item, policy: str) -> str:
    """What a result depends on, as a hash; not on how the item is labelled."""
    others = tuple(one for one in TOOLS if one != tool)
    adapter = [path.read_text(encoding="utf-8") for path in sorted(ADAPTERS.glob("*.py")) if not path.name.startswith(others)]
    what = msgspec.structs.replace(item, group="", part="", kind="")
    parts = [PINS.get(tool, ""), msgspec.json.encode(what).decode(), *adapter]
    if tool == "ours":
        parts += [policy, quality("measure").code_digest()]
    for file in (item.file, item.dataset):
        parts.append(Path(file).read_text(encoding="utf-8") if file else "")
    if item.pack:
        parts += [path.read_bytes().hex() for path in sorted(Path(item.pack).rglob("*")) if path.is_file()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _read(file: Path) -> list[Row]:
    lines = file.read_bytes().splitlines() if file.is_file() else []
    return [msgspec.json.decode(line, type=Row) for line in lines]


def _is_cut_short(row: Row, limit: float) -> bool:
    """Whether it ran into a limit that is shorter than this one: then it is run again."""
    return any(why.startswith(TOO_SLOW) and float(why.split()[-2]) < limit for why in row.why)


def _run(places: Places, tool: str, item: Item, made: str, args: argparse.Namespace) -> Row:
    """One tool on one item, in a process of its own."""
    python = places.pythons[VERIFIERS if item.form == VERIFIERS and tool != "ours" and tool != "bohrin" else tool]
    with tempfile.TemporaryDirectory(prefix="side-by-side-") as scratch:
        file = Path(scratch) / "item.json"
        file.write_bytes(msgspec.json.encode(item))
        command = [str(python), str(ADAPTERS / SCRIPTS[tool]), str(file), scratch, *([args.policy] if tool == "ours" else [])]
        environ = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONHOME")}
        ended = run_whole(command, args.limit, environ=environ, folder=scratch)
    if ended.left:
        print(f"{tool} {item.id}: {ended.left} processes of its were still there and have been ended", file=sys.stderr, flush=True)
    if ended.code is None:
        said: dict[str, object] = {"outcome": "can't load", "why": [f"{TOO_SLOW}: over {args.limit:g} s"]}
    else:
        said = _said(ended.out, ended.err, ended.code)
    costs = {"seconds": ended.seconds, "cpu_seconds": ended.cpu_seconds}
    return Row(tool, item.id, item.group, item.part, item.kind, made=made, **(costs | said))  # type: ignore[arg-type]


def _said(out: bytes, err: bytes, code: int) -> dict[str, object]:
    lines = [line for line in out.splitlines() if line.startswith(b'{"outcome"')]
    if not lines:
        return {"outcome": "can't load", "why": [f"crashed ({code}): {err.decode('utf-8', 'replace').strip()[-300:]}"]}
    said: dict[str, object] = json.loads(lines[-1])
    return said


if __name__ == "__main__":
    raise SystemExit(main())
