"""Holds the blind plans and runs against the verifiers on more seeds than the test does: `python tests/blind/compare.py SEEDS`.

Prints, by pack: right runs refused, wrong runs accepted (those that say they are wrong on every instance), and how often
runs that are wrong on some instances alone were refused. One unit is one run on one seed; labelled by whoever wrote it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from worldwright.files import decode_yaml
from worldwright.pack import read_pack
from worldwright.pack.lint.run import judge
from worldwright.sandbox import Plan

HERE = Path(__file__).parent


class BlindCase(msgspec.Struct, frozen=True):
    name: str
    verdict: str
    plan: str
    condition: str = ""


def main(seeds: int) -> None:
    for folder in sorted(path for path in HERE.iterdir() if path.is_dir() and path.name != "__pycache__"):
        counts = {"right": [0, 0], "wrong": [0, 0], "wrong on some": [0, 0]}
        plans = 0
        for entry in read_pack(HERE.parent.parent / "examples" / folder.name).tasks():
            place = folder / entry.name
            runs = [("right", file.read_text()) for file in sorted(place.glob("plan-*.py"))]
            plans += len(runs)
            if (place / "cases.yaml").exists():
                for case in decode_yaml((place / "cases.yaml").read_text(), list[BlindCase], str(place)):
                    kind = "right" if case.verdict == "pass" else "wrong on some" if case.condition else "wrong"
                    runs.append((kind, case.plan))
            for kind, source in runs:
                for seed in range(seeds):
                    status = judge(entry, entry.task.instance(seed), Plan("blind.py", source))[0].status
                    counts[kind][0] += status != ("pass" if kind == "right" else "fail")
                    counts[kind][1] += 1
        told = "; ".join(f"{kind}: {off} of {n} not as labelled" for kind, (off, n) in counts.items())
        print(f"{folder.name}: {plans} plans; {told}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 12)
