"""Which kinds of task teach which: `python benchmarks/skills.py PACK --hold DOMAIN,DOMAIN KIND [KIND+KIND ...]`.

    python benchmarks/skills.py build/transfer/pack --hold laboratory,procurement decide one decide+route [--calls 45000] [--seeds 2]

A kind of task is the first word of its name; tasks that join two are left out. For each set of kinds, the probe policy is trained on
the tasks of these kinds in the offices that aren't held, as many times as there are seeds, and then examined on each kind in the held
offices: two instances of each task, eight attempts each, the needed tools alone on both sides (`--rung 2`) or all of them
(`--rung 0`). One unit is an attempt, labelled by the task's own verifier; of the seeds each has a line of its own, so nothing is
averaged or chosen. Prints the untrained policy first, then a line for each set and seed: success by kind, what the last ten updates
were paid, and the updates made.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

from worldwright.pack import read_pack
from worldwright.pack.read import PackTask
from worldwright.rollout.ladder import needed_tools
from worldwright.training.course import Course, Lesson, Trainee, success
from worldwright.training.policy import Policy
from worldwright.training.practice import Practice, practised

LESSONS, EXAMINED, ATTEMPTS, EXAMINED_FROM, LAST = 3, 2, 8, 50_000, 10
Examination = dict[str, list[tuple[PackTask, Practice]]]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pack", type=Path)
    parser.add_argument("sets", nargs="+", help="kinds to train on, joined by +")
    parser.add_argument("--hold", required=True, help="domains to examine on, separated by commas")
    parser.add_argument("--calls", type=int, default=45_000, help="calls of each training")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--rung", type=int, default=2, choices=(0, 2))
    args = parser.parse_args()
    held, few = set(args.hold.split(",")), args.rung == 2
    tasks = [one for one in read_pack(args.pack).tasks() if "-then-" not in one.name]
    apart = [one for one in tasks if one.label.family.partition("/")[0] not in held]
    exam: Examination = defaultdict(list)
    for entry in tasks:
        if entry not in apart:
            exam[_kind(entry)] += [(entry, one) for one in _instances(entry, EXAMINED, EXAMINED_FROM, few)]
    if not exam:
        domains = sorted({one.label.family.partition("/")[0] for one in tasks})
        parser.error(f"no task of {args.hold} to examine on (there are: {', '.join(domains)})")
    _say("untrained", Policy.fresh(0), exam, "")
    for chosen in args.sets:
        entries = [one for one in apart if _kind(one) in chosen.split("+")]
        if not entries:
            parser.error(f"no task of the kinds {chosen} outside of {args.hold} (there are: {', '.join(sorted(set(map(_kind, apart))))})")
        for seed in range(args.seeds):
            lessons = [Lesson(one, _instances(one, LESSONS, 1, few)) for one in entries]
            policy, paid = Policy.fresh(seed), list[float]()
            trainee = Trainee(policy, lessons, seed, Course())
            while trainee.calls < args.calls:
                paid.append(trainee.update(trainee.calls / args.calls, args.calls - trainee.calls).paid)
            last = paid[-LAST:]
            _say(f"{chosen}, seed {seed}", policy, exam, f"paid {sum(last) / len(last):.2f}, {len(paid)} updates")


def _kind(entry: PackTask) -> str:
    return entry.name.partition("-")[0]


def _say(name: str, policy: Policy, exam: Examination, more: str) -> None:
    shares = {kind: success(policy, those, 0, ATTEMPTS) for kind, those in sorted(exam.items())}
    print(f"{name}: " + " ".join(f"{kind} {sum(found) / len(found):.2f}" for kind, found in shares.items()), more, flush=True)


def _instances(entry: PackTask, n: int, first: int, few: bool) -> list[Practice]:
    return practised(entry.task, n, first, needed_tools(entry) if few and entry.reference is not None else frozenset())


if __name__ == "__main__":
    main()
