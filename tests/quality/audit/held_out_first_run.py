"""Print the figures of the held-out set's first run from its kept rows: `python tests/quality/audit/held_out_first_run.py`.

The unit is an environment, labelled by its author; nothing was chosen by these units.
"""

import json
from pathlib import Path

from worldwright.audit.statistics import lower, upper

ROWS = Path(__file__).parent / "held-out-1-first-run.jsonl"


def figures() -> dict[str, tuple[int, int]]:
    """For the faulty ones and the twins: how many got a finding, of how many."""
    rows = [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines()]
    kinds = {"faulty": [row for row in rows if row["which"] == "faulty"], "repaired": [row for row in rows if row["which"] == "repaired"]}
    return {which: (sum(bool(row["findings"]) for row in some), len(some)) for which, some in kinds.items()}


if __name__ == "__main__":
    found = figures()
    print(f"faulty with a finding: {found['faulty'][0]} of {found['faulty'][1]} (at least {lower(*found['faulty']):.0%} at 95 %)")
    print(f"twins with a finding: {found['repaired'][0]} of {found['repaired'][1]} (at most {upper(*found['repaired']):.0%} at 95 %)")
