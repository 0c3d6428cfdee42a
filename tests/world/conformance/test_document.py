"""docs/conformance.md says what is true: its world passes, its test runs, and its table is the kit's."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from worldwright.world.conformance import CHECKS

TEXT = (Path(__file__).parents[3] / "docs" / "conformance.md").read_text(encoding="utf-8")
WORLD, TEST = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def test_world_and_test_of_the_document_run(tmp_path: Path) -> None:
    (tmp_path / "my_world.py").write_text(WORLD, encoding="utf-8")
    (tmp_path / "test_my_world.py").write_text(TEST, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert f"{len(CHECKS) - 3} passed, 3 skipped" in run.stdout, run.stdout
    assert all(f"episodes have no {name}" in run.stdout for name in ("fork", "asynchronous()", "turns()"))


def test_table_lists_the_checks_in_order() -> None:
    assert re.findall(r"^\| `([\w-]+)` \|", TEXT, re.MULTILINE) == list(CHECKS)


def test_every_check_says_what_it_holds() -> None:
    assert [name for name, check in CHECKS.items() if not (check.__doc__ or "").strip()] == []
