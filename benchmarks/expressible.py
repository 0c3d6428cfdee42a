"""Which share of a pack's tasks the probe policy's moves can express, by search: `python benchmarks/expressible.py PACK`.

    python benchmarks/expressible.py PACK [--instances 6] [--fresh 4] [--places 1000] [--only PATTERN]
                                          [--unsearched PATTERN,...] [--each]

One unit is a certified task of the pack, labelled by its own verifier. A program (the names of moves, in order) is searched for on the
task's first instance, and is found only if it passes, unchanged, on the other `--instances` too; where it doesn't, the search goes
on, so those instances choose as well. Where only some of them come to the second part of a task, the program is carried on by a search
on the first of those, and which answers of the first part are right guides it there. `--fresh` instances come after them: nothing is
chosen by them, and a task counts as expressed only if its program passes all of them. Prints a line for each pattern and kind of task (the
first word of its name; `then` where a name joins two): found, and expressed with the exact two-sided 95 % interval of the share. What
isn't found within the places may be expressible all the same.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from worldwright.pack import read_pack
from worldwright.rollout.table import interval
from worldwright.training.practice import practised
from worldwright.training.search import expressed, replayed


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pack", type=Path)
    parser.add_argument("--instances", type=int, default=6, help="instances that a program has to pass: one searched, the others to check")
    parser.add_argument("--fresh", type=int, default=4, help="further instances, by which nothing is chosen")
    parser.add_argument("--places", type=int, default=1000, help="states that a search looks at, at most")
    parser.add_argument("--only", default="", help="only tasks whose family or name contains this")
    parser.add_argument("--unsearched", default="", help="patterns whose tasks count as not expressed, without a search")
    parser.add_argument("--each", action="store_true", help="say of each task what was found, on standard error")
    args = parser.parse_args()
    tried, found, passed = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    unsearched = [one for one in args.unsearched.split(",") if one]
    for entry in read_pack(args.pack).tasks():
        if args.only not in entry.label.family and args.only not in entry.name:
            continue
        kind = (entry.label.family.partition("/")[2], "then" if "-then-" in entry.name else entry.name.partition("-")[0])
        tried[kind] += 1
        if kind[0] in unsearched:
            continue
        practices = practised(entry.task, args.instances + args.fresh)
        program = expressed(practices[: args.instances], entry.verifier, args.places)
        fresh = practices[args.instances :]
        holds = program is not None and all(one.verdict(replayed(one, program.moves), entry.verifier).reward == 1 for one in fresh)
        found[kind] += program is not None
        passed[kind] += holds
        for one in practices:
            one.close()
        if args.each:
            said = f"{len(program.moves)} moves after {program.places} places" if program else "not found"
            said += "" if holds or not program else ", fails on fresh instances"
            print(f"{entry.label.family} {entry.name}: {said}", file=sys.stderr, flush=True)
    for kind, n in sorted(tried.items()):
        print(_line(" ".join(kind), found[kind], passed[kind], n))
    print(_line("all", found.total(), passed.total(), tried.total()))
    print(f"{args.instances} instances to find a program by, {args.fresh} fresh ones to pass; {args.places} places at most")
    if unsearched:
        print(f"not searched, and counted as not expressed: {', '.join(unsearched)}")


def _line(name: str, found: int, passed: int, n: int) -> str:
    low, high = interval(passed, n)
    return f"{name:<24} found {found:>3}  expressed {passed:>3} of {n:<3} {passed / max(1, n):6.1%}  ({low:.1%} to {high:.1%})"


if __name__ == "__main__":
    main()
