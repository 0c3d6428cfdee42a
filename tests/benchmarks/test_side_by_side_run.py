"""What a side-by-side run takes from earlier ones: rows of the same tool, adapter and item, unless they ran into a shorter limit."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "side_by_side"


def asked(expression: str) -> Any:
    """An expression over the modules of the run, in a process of its own: their names are too common to be imported here."""
    told = (
        f"import json, sys; sys.path.insert(0, {str(FOLDER)!r}); import run; from items import Item; from table import Row\n"
        "row = lambda why: Row('falsepass', 'a/faulty', 'g', 'faulty', 'A1', \"can't load\", why, 1.0, 1.0, '')\n"
        "item = Item('a/faulty', 'g', 'faulty', 'A1', 'python')\n"
        f"print(json.dumps({expression}))"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_a_row_that_ran_into_a_shorter_limit_is_run_again():
    rows = "[row(['too slow: over 60 s']), row(['too slow: over 180 s']), row(['too slow: over 0.5 s']), row(['no form of it']), row([])]"
    assert asked(f"[run._is_cut_short(one, 180.0) for one in {rows}]") == [True, False, True, False, False]


def test_a_row_depends_on_its_tool_and_item_and_not_on_labels():
    made = asked(
        "[run._made(tool, one, 'default') for tool, one in "
        "[('falsepass', item), ('bohrin', item), ('falsepass', Item('b/faulty', 'g', 'faulty', 'A1', 'python')), "
        "('falsepass', Item('a/faulty', 'another group', 'sound', 'A2', 'python'))]]"
    )
    assert made[0] == made[3]
    assert len(set(made)) == 3
