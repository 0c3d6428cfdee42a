"""Of large tables only the rows that differ are told, and the same changes come of it."""

from __future__ import annotations

import copy
import random

import pytest

from worldwright.audit.host.changes import changes
from worldwright.audit.host.episodes import _apart, _keys


def rows(seed: int, keyed: bool) -> list[dict]:
    rng = random.Random(seed)
    made = [{"stamp": f"S-{n}", "value": rng.randint(1, 9), "note": rng.choice([None, "a", "b"])} for n in range(300)]
    return made if keyed else [{name: row[name] for name in ("value", "note")} for row in made]


def edited(before: list[dict], seed: int) -> list[dict]:
    rng = random.Random(f"edit {seed}")
    after = copy.deepcopy(before)
    for row in rng.sample(after, 3):
        row["value"] = 77
    del after[rng.randrange(len(after))]
    after.append({**after[0], "stamp": "S-new"} if "stamp" in after[0] else dict(after[0]))
    rng.shuffle(after)
    return after


@pytest.mark.parametrize("keyed", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_the_rows_that_differ_give_the_same_changes_as_all(seed, keyed):
    before = rows(seed, keyed)
    after = edited(before, seed)
    whole = changes({"stamps": (before, after)})
    gone, made = _apart(before, after)
    assert len(gone) + len(made) < 20
    assert changes({"stamps": (gone, made)}, {"stamps": _keys(before, after)}) == whole
    assert len(whole) >= 3


def test_without_the_columns_another_key_would_be_taken():
    before = [{"place": "hall" if n % 2 else "attic", "number": n} for n in range(300)]
    after = [{**row, "place": "cellar"} if row["number"] == 7 else row for row in before]
    gone, made = _apart(before, after)
    found = changes({"boxes": (gone, made)}, {"boxes": _keys(before, after)})
    assert [(one.op, one.key) for one in found] == [("update", "7")]
