"""Which share of a pack's tasks the probe policy's moves can express, by search: `python benchmarks/expressible.py PACK`.

One unit is a task of the pack, labelled by its own verifier. A program is searched for on the task's first instance and has to pass,
by the names of its moves, on the others too; nothing is chosen by what is reported.
"""

from __future__ import annotations

import argparse
import itertools
from collections import Counter
from pathlib import Path

from worldwright.errors import UnusableSeed
from worldwright.pack import read_pack
from worldwright.pack.read import PackTask
from worldwright.training.practice import Practice
from worldwright.training.search import expressed


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pack", type=Path)
    parser.add_argument("--instances", type=int, default=3, help="instances that a program has to pass")
    parser.add_argument("--places", type=int, default=500, help="states that a search looks at, at most")
    parser.add_argument("--pattern", default="", help="only families that contain this")
    args = parser.parse_args()
    tried, found = Counter[str](), Counter[str]()
    for entry in read_pack(args.pack).tasks():
        pattern = entry.label.family.partition("/")[2]
        if args.pattern in entry.label.family:
            practices = _practices(entry, args.instances)
            tried[pattern] += 1
            found[pattern] += expressed(practices, entry.verifier, args.places) is not None
            for one in practices:
                one.close()
    for pattern, n in sorted(tried.items()):
        print(f"{pattern:<24} {found[pattern]:>4} of {n}")
    print(
        f"{'all':<24} {found.total():>4} of {tried.total()} tasks expressed; {args.instances} instances each, {args.places} places at most"
    )


def _practices(entry: PackTask, n: int) -> list[Practice]:
    out = list[Practice]()
    for seed in itertools.count(1):
        try:
            out.append(Practice(entry.task, entry.task.instance(seed)))
        except UnusableSeed:
            continue
        if len(out) == n:
            break
    return out


if __name__ == "__main__":
    main()
