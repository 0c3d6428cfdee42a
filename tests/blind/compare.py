"""Holds the blind plans and runs against the verifiers on more seeds than the test does: `python tests/blind/compare.py SEEDS`.

Prints, by pack: right runs refused, wrong runs accepted (those that say they are wrong on every instance), and of the runs
that are wrong on some instances alone how many were accepted, and how many of these ended otherwise than the blind plan-a
did on that seed (changes outside `free`, and answer): an accepted run that ends as a right one is no false accept.
One unit is one run on one seed; labelled by whoever wrote it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec

from worldwright.files import decode_yaml
from worldwright.pack import PackTask, read_pack
from worldwright.reference import replay
from worldwright.sandbox import Plan
from worldwright.verifier.matching import is_row_number

HERE = Path(__file__).parent


class BlindCase(msgspec.Struct, frozen=True):
    name: str
    verdict: str
    plan: str
    condition: str = ""


def run(entry: PackTask, seed: int, source: str) -> tuple[str, Any]:
    """The verdict's status, and what the run left: changes outside `free`, and its answer."""
    instance = entry.task.instance(seed)
    log, episode = replay(entry.task, instance, Plan("blind.py", source))
    with episode:
        evidence = episode.finish(log.answer, instance.until)
        status = entry.verifier.grade(instance, evidence).status
        left = []
        for change in evidence.changes:
            table = entry.task.world.schema.tables[change.table]
            cells = {
                name: value
                for name, value in (change.new or change.old).items()
                if (change.table, name) not in entry.verifier.free and not (change.op == "insert" and is_row_number(table, name))
            }
            left.append((change.table, change.op, () if change.op == "insert" else change.key, sorted(cells.items())))
        return str(status), (sorted(left, key=repr), {name: str(value).lower() for name, value in (log.answer or {}).items()})


def compared(entry: PackTask, place: Path, seeds: int, counts: dict[str, list[int]]) -> int:
    """Count one task's runs; gives how many plans it has."""
    plans = sorted(place.glob("plan-*.py"))
    runs = [("right", file.read_text()) for file in plans]
    if (place / "cases.yaml").exists():
        for case in decode_yaml((place / "cases.yaml").read_text(), list[BlindCase], str(place)):
            runs.append(("right" if case.verdict == "pass" else "some" if case.condition else "wrong", case.plan))
    for kind, source in runs:
        for seed in range(seeds):
            status, left = run(entry, seed, source)
            off = status != ("pass" if kind == "right" else "fail")
            counts[kind][0] += off
            counts[kind][1] += 1
            if kind == "some" and off:
                counts["otherwise"][0] += left != run(entry, seed, plans[0].read_text())[1]
    return len(plans)


def main(seeds: int) -> None:
    for folder in sorted(path for path in HERE.iterdir() if path.is_dir() and path.name != "__pycache__"):
        counts = {"right": [0, 0], "wrong": [0, 0], "some": [0, 0], "otherwise": [0]}
        plans = sum(
            compared(entry, folder / entry.name, seeds, counts)
            for entry in read_pack(HERE.parent.parent / "examples" / folder.name).tasks()
        )
        print(
            f"{folder.name}: {plans} plans; right: {counts['right'][0]} of {counts['right'][1]} refused; "
            f"wrong: {counts['wrong'][0]} of {counts['wrong'][1]} accepted; wrong on some: {counts['some'][0]} of {counts['some'][1]} accepted, "
            f"{counts['otherwise'][0]} of them ending otherwise than plan-a"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 12)
