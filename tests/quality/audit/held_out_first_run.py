"""Print the figures of the held-out sets' first runs from their kept rows: `python tests/quality/audit/held_out_first_run.py`.

The unit is an environment, labelled by its author; nothing was chosen by these units.
"""

import json
from pathlib import Path

from worldwright.audit.statistics import lower, upper

HERE = Path(__file__).parent
SETS = {
    "first set (probes frozen at 88acf36, policy exploratory)": "held-out-1-first-run.jsonl",
    "second set (probes frozen at 08e8df8, policy default)": "held-out-2-first-run.jsonl",
    "third set (probes frozen at 27c7d89, policy default)": "held-out-3-first-run.jsonl",
    "fourth set, ten of it (probes frozen at c5166f5, policy default)": "held-out-4-first-run.jsonl",
}


def figures(file: str) -> dict[str, tuple[int, int]]:
    """For the faulty ones and the twins: how many got a finding, of how many."""
    rows = [json.loads(line) for line in (HERE / file).read_text(encoding="utf-8").splitlines()]
    found: dict[str, list[bool]] = {"faulty": [], "repaired": []}
    for row in rows:
        found[row.get("part") or row["which"]].append(bool(row["probes"]))
    return {part: (sum(ones), len(ones)) for part, ones in found.items()}


if __name__ == "__main__":
    for name, file in SETS.items():
        got = figures(file)
        print(name)
        print(f"  faulty with a finding: {got['faulty'][0]} of {got['faulty'][1]} (at least {lower(*got['faulty']):.0%} at 95 %)")
        print(f"  twins with a finding: {got['repaired'][0]} of {got['repaired'][1]} (at most {upper(*got['repaired']):.0%} at 95 %)")
