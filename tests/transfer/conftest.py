"""A pack of three trades from the examples, with families, and a plan over it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for `scripted`, here and in the processes that make runs

EXAMPLES = Path(__file__).parents[2] / "examples"
FAMILIES = {
    "tool-hire/credit-late-deliveries": "hire/remedy",
    "tool-hire/decide-on-a-complaint": "hire/remedy",
    "tool-hire/plan-the-day": "hire/schedule",
    "claims-desk/clear-backlog": "claims/triage",
    "claims-desk/decide-claim": "claims/remedy",
    "claims-desk/hear-appeal": "claims/remedy",
    "venue-desk/cancel-or-keep": "venue/remedy",
    "venue-desk/rebook-with-client": "venue/schedule",
}

PLAN = """\
name: small
kind: demo
packs: {main: PACK}
held_out:
  domains: [venue]
  patterns: [triage]
evaluation: {instances: 2, attempts: 4, points: 3}
budget: {unit: calls, amount: 1000}
seeds: 10
arms:
  - {name: none, kind: none, role: control}
  - name: shuffled
    kind: lessons
    role: control
    shuffled: true
    sources: [{families: [hire/*]}]
    note: reaches 0.1 of 1.0 budgets
  - name: weak
    kind: lessons
    sources: [{families: [hire/*], reward: "weakened:always"}]
    note: reaches 0.3 of 1.0 budgets
  - name: audited
    kind: lessons
    sources: [{families: ["hire/*", claims/remedy]}]
    note: reaches 0.6 of 1.0 budgets
  - name: target
    kind: lessons
    role: ceiling
    sources: [{families: [venue/*]}]
    note: reaches 0.8 of 1.0 budgets
comparisons:
  - {better: audited, than: weak, measure: end, smallest: 0.05}
  - {better: shuffled, than: none, measure: area, smallest: 0.05, over: domains}
order: {arms: [none, weak, audited]}
"""


@pytest.fixture(scope="session")
def trades(tmp_path_factory) -> Path:
    """The pack's folder."""
    root = tmp_path_factory.mktemp("trades")
    for example in ("tool-hire", "travel-claims", "venue-booking"):
        shutil.copytree(EXAMPLES / example / "worlds", root / "worlds", dirs_exist_ok=True)
    families = "\n".join(f'"{task}" = "{family}"' for task, family in FAMILIES.items())
    (root / "pack.toml").write_text(
        f'name = "trades"\nversion = "0.1.0"\nformat = 1\nlicence = "Apache-2.0"\nabout = "Three trades."\n[families]\n{families}\n',
        encoding="utf-8",
    )
    return root


@pytest.fixture
def plan_file(trades, tmp_path) -> Path:
    """The plan's file."""
    path = tmp_path / "plan.yaml"
    path.write_text(PLAN.replace("PACK", str(trades)), encoding="utf-8")
    return path
