"""Worldwright's audit on an item: flagged is a confirmed finding; inconclusive is no finding where a control doesn't work.

Packs, plain Python environments and reward functions are its own forms; toys run under their owner's interpreter (`python`).
`python ours.py ITEM.json SCRATCH POLICY`.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

from episodes import adopt, say

from worldwright.audit.adapters.targets import subject_of
from worldwright.audit.decide import controls_of
from worldwright.audit.policy import read_policy
from worldwright.audit.run import audit
from worldwright.audit.subject import Subject
from worldwright.errors import WorldwrightError


def opened(item: dict[str, Any]) -> Subject:
    """The subject that an item is."""
    python = item.get("python") or None
    if item["form"] == "pack":
        return subject_of(f"{item['pack']}/{item['task']}")
    if item["form"] in ("reward", "verifiers"):
        return subject_of(f"reward:{item['shim'] or item['file']}:{item['function']}", dataset=Path(item["dataset"]), python=python)
    file = Path(item["file"])
    return subject_of(f"python:{file.stem}:{item['function']}", path=file.parent, python=python)


def main() -> None:
    """The command."""
    warnings.simplefilter("ignore")
    adopt()
    item = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    try:
        subject = opened(item)
    except WorldwrightError as fault:
        say("can't load", [str(fault)])
        return
    try:
        seen = audit(subject, read_policy(sys.argv[3]), seed=0)
        facts = subject.facts(subject.cases()[0], 0)
    except WorldwrightError as fault:
        say("can't load", [str(fault)])
        return
    finally:
        subject.close()
    found = {f"{one.probe} ({one.code}): {one.variant}" for one in seen.findings()}
    cases = sorted({one.case for one in seen.instances})
    doubts = [controls_of(seen, case, [one for one in seen.outcomes if one.case == case]).fault for case in cases]
    doubts = [doubt for doubt in doubts if doubt] if cases else ["no instance could be started"]
    say("flagged" if found else "inconclusive" if doubts else "clean", sorted(found) or doubts, tools=len(facts.tools))


if __name__ == "__main__":
    main()
