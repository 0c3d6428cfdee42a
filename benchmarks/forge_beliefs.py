"""How often a run passes that reads the page but believes the desk: `python benchmarks/forge_beliefs.py [--seeds 12] [TRADE...]`.

The reference of each task whose ruling has a second record that counts, with that record never looked at: the desk's entry is taken as
true. A unit is a run on one instance, labelled by the task's verifier; composed tasks are left out. By pattern and template.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter

from worldwright.domain.trades import TRADES
from worldwright.errors import UnusableSeed
from worldwright.forge.run import OFFICES, Plan, _built
from worldwright.forge.sources import sources_of
from worldwright.reference import replay
from worldwright.sandbox import Plan as Code
from worldwright.verifier import Status


def believing(source: str) -> str:
    """The reference's code with the desk's entry in place of what counts."""
    lines = source.splitlines()
    first = lines.index("def decide(row, limit):") + 1
    last = max(n for n, line in enumerate(lines) if line.strip().startswith("true = "))
    found = re.search(r"\['(\w+)'\]\)?$", lines[last])
    assert found is not None
    return "\n".join([*lines[:first], f"    true = row[{found.group(1)!r}]", *lines[last + 1 :], ""])


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trades", nargs="*", default=list(TRADES))
    parser.add_argument("--seeds", type=int, default=12)
    args = parser.parse_args()
    passed: Counter[tuple[str, str]] = Counter()
    runs: Counter[tuple[str, str]] = Counter()
    for trade in args.trades:
        for office in ("claims", "desk"):
            world = _built(sources_of([trade])[0], 0, office, Plan((trade,), "x", patterns=OFFICES[office])).world
            for entry in world.pack(list(world.meta)).tasks() if world is not None else []:
                meta = world.meta[entry.name]
                if not meta["knobs"].get("check") or meta["pattern"] == "composed":
                    continue
                key, code = (meta["pattern"], meta["template"]), Code("believing", believing(entry.reference.source))
                for seed in range(args.seeds):
                    try:
                        instance = entry.task.instance(seed)
                    except UnusableSeed:
                        continue
                    log, episode = replay(entry.task, instance, code)
                    with episode:
                        got = entry.verifier.grade(instance, episode.finish(log.answer, instance.until))
                    runs[key] += 1
                    passed[key] += got.status == Status.PASS
    for key, n in sorted(runs.items()):
        print(f"{key[0]} {key[1]}: {passed[key]} of {n} ({passed[key] / n:.2f})")


if __name__ == "__main__":
    main()
