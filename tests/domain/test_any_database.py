"""Whatever SQLite takes as names, types and values is mined without loss, and the model's text reads back."""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from worldwright.domain.lint import lint
from worldwright.domain.mine.sqlite import mine
from worldwright.domain.model import DomainModel
from worldwright.files import decode_yaml, encode_yaml

LETTERS = st.characters(blacklist_categories=("Cs",), blacklist_characters="\x00")
NAMES = st.one_of(
    st.sampled_from(["id", "status", "order_id", "State", "from", "created_at", "price", "a b", "A_b", "sélect"]),
    st.text(LETTERS, min_size=1, max_size=8),
)
TYPES = st.sampled_from(["", "INTEGER", "TEXT", "REAL", "BLOB", "DATE", "DECIMAL(10,2)", "BOOLEAN", "NONSENSE TYPE"])
VALUES = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.integers(0, 5),
    st.floats(allow_nan=False),
    st.text(LETTERS, max_size=6),
    st.binary(max_size=4),
    st.sampled_from(["open", "closed", "2024-01-02", "01/02/2024", "", "12:30", "$5.00", 1709283600]),
)


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@st.composite
def tables(draw: Any) -> list[tuple[str, list[tuple[str, str]], bool, list[list[Any]]]]:
    """Tables: a name, columns with types, whether the first is the key, and rows."""
    names = draw(st.lists(NAMES.filter(lambda one: not one.lower().startswith("sqlite_")), min_size=1, max_size=4, unique_by=str.lower))
    out = []
    for name in names:
        columns = draw(st.lists(st.tuples(NAMES, TYPES), min_size=1, max_size=5, unique_by=lambda one: one[0].lower()))
        rows = draw(st.lists(st.lists(VALUES, min_size=len(columns), max_size=len(columns)), max_size=12))
        out.append((name, columns, draw(st.booleans()), rows))
    return out


@settings(deadline=None, max_examples=60, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(tables(), st.booleans())
def test_any_database_is_mined_without_loss(made, is_linked):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "any.sqlite"
        db = sqlite3.connect(path)
        for n, (name, columns, has_key, rows) in enumerate(made):
            parts = [f"{quoted(column)} {declared}" for column, declared in columns]
            if has_key and columns[0][1] != "INTEGER":  # that would be the rowid, which takes nothing but integers
                parts.append(f"PRIMARY KEY ({quoted(columns[0][0])})")
            if is_linked and n:
                other, there = made[n - 1][0], made[n - 1][1][0][0]
                parts.append(f"FOREIGN KEY ({quoted(columns[-1][0])}) REFERENCES {quoted(other)} ({quoted(there)})")
            db.execute(f"CREATE TABLE {quoted(name)} ({', '.join(parts)})")
            db.executemany(f"INSERT OR IGNORE INTO {quoted(name)} VALUES ({', '.join('?' * len(columns))})", rows)
        db.commit()
        db.close()
        found = mine(path, rows=20)
    assert found.account.missing == ()
    text = encode_yaml(found.model)
    assert decode_yaml(text, DomainModel, "m") == found.model
    assert [str(one) for one in lint(found.model, "m", text) if one.level == "error"] == []
