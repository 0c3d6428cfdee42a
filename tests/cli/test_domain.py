"""`worldwright mine` and `worldwright domain`: what they say, write, and how they end."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from worldwright.domain import read_model

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def library(tmp_path) -> Path:
    path = tmp_path / "library.sqlite"
    db = sqlite3.connect(path)
    db.executescript(
        "CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT, joined TEXT);"
        "CREATE TABLE loan (id INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES member, status TEXT, fine REAL);"
        "CREATE TABLE setting (k, v);"
        "INSERT INTO setting VALUES ('a', 'b');"
    )
    db.executemany("INSERT INTO member VALUES (?, ?, '2024-01-02')", [(n, f"M{n}") for n in range(40)])
    db.executemany("INSERT INTO loan VALUES (?, ?, ?, ?)", [(n, n % 40, ["out", "returned", "lost"][n % 3], n / 4) for n in range(120)])
    db.commit()
    db.close()
    return path


def test_mine_writes_a_model_and_an_account(command, library, tmp_path):
    model, account = tmp_path / "model.yaml", tmp_path / "account.json"
    code, out, err = command("mine", library, "-o", model, "--account", account, "--rows", "50", "--seed", "3")
    assert (code, err) == (0, "")
    assert "2 of 3 tables kept, 7 of 9 columns kept, 50 of 161 rows kept" in out
    assert "setting" in out
    assert "not joined to the chosen part" in out
    assert "library: 2 entities, 1 relations (0 inferred), 1 lifecycles (0 with a known order), 0 policies" in out
    assert [one.name for one in read_model(model).entities] == ["member", "loan"]
    told = json.loads(account.read_text())
    assert told["totals"]["rows"] == {"all": 161, "kept": 50}
    assert told["missing"] == []
    assert told["seed"] == 3
    code, _, err = command("mine", library, "-o", model)
    assert (code, "there already" in err) == (2, True)
    assert command("mine", library, "-o", model, "--force")[0] == 0
    assert command("mine", library, "-o", library, "--force")[0] == 2
    assert command("mine", library, "-o", model, "--account", model, "--force")[0] == 2


def test_mine_as_json(command, library):
    code, out, _ = command("mine", library, "--json")
    told = json.loads(out)
    assert (code, told["model"]["name"], told["account"]["totals"]["tables"]) == (0, "library", {"all": 3, "kept": 2})
    assert {one["rule"] for one in told["findings"]} == {"unit-missing", "order-unknown"}


@pytest.mark.parametrize(
    "data, said",
    [(b"", "empty, 0 bytes"), (b"hello", "not a SQLite database"), (b"SQLite format 3\x00", "truncated"), (None, "not found")],
)
def test_what_cannot_be_mined_ends_with_2_and_one_line(command, tmp_path, data, said):
    path = tmp_path / "x.sqlite"
    if data is not None:
        path.write_bytes(data)
    code, out, err = command("mine", path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert command("mine", tmp_path)[0] == 2


def test_lint_of_a_mined_model(command, library, tmp_path):
    model = tmp_path / "model.yaml"
    command("mine", library, "-o", model)
    code, out, _ = command("domain", "lint", model)
    assert (code, out.splitlines()[-1]) == (0, f"{model}: 0 errors, 2 warnings")
    model.write_text(model.read_text().replace("to: member", "to: borrower"))
    code, out, _ = command("domain", "lint", model, "--json")
    found = json.loads(out)[0]
    assert (code, found["clean"], found["findings"][0]["rule"]) == (1, False, "unknown-reference")
    assert found["findings"][0]["line"] > 0
    model.write_text("entities: 3\n")
    code, _, err = command("domain", "lint", model)
    assert code == 1
    assert f"{model}:1: entities: got '3' (expected a list)" in err


def test_merge_keeps_edits_and_lists_conflicts(command, library, tmp_path):
    base, mine, theirs, out = (tmp_path / f"{name}.yaml" for name in ("base", "mine", "theirs", "out"))
    command("mine", library, "-o", base)
    mine.write_text(base.read_text().replace("facet: party", "facet: staff"))
    db = sqlite3.connect(library)
    db.execute("ALTER TABLE loan ADD COLUMN due TEXT")
    db.commit()
    db.close()
    command("mine", library, "-o", theirs)
    code, said, _ = command("domain", "merge", base, theirs, mine, "-o", out)
    assert (code, said) == (0, f"written: {out}\n")
    merged = read_model(out)
    assert merged.entities[0].facet == "staff"
    assert [one.name for one in merged.entities[1].fields][-1] == "due"
    theirs.write_text(theirs.read_text().replace("facet: party", "facet: account"))
    out.unlink()
    code, said, _ = command("domain", "merge", base, theirs, mine, "-o", out)
    assert (code, out.exists()) == (1, False)
    assert 'conflict: entities[member].facet: was "party"; mined again "account"; by hand "staff"' in said
    assert "1 conflicts, nothing written" in said
    code, said, _ = command("domain", "merge", base, theirs, mine, "-o", out, "--take", "theirs")
    assert (code, read_model(out).entities[0].facet) == (0, "account")


@pytest.mark.parametrize(
    "argv, said",
    [
        (("domain", "mend", "x"), "expected domain lint FILE"),
        (("domain", "merge", "a", "b"), "merge takes three models, got 2"),
        (("domain", "merge", "a", "b", "c", "--take", "both"), "expected mine or theirs"),
        (("domain", "lint", "nowhere.yaml"), "not found"),
    ],
)
def test_wrong_usage(command, argv, said):
    code, _, err = command(*argv)
    assert code == 2
    assert said in err
