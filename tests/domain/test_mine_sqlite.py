"""Mining SQLite files: odd but whole ones give a model with a complete account, others one clear line."""

from __future__ import annotations

import importlib.util
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from worldwright.domain.lint import lint
from worldwright.domain.mine.sqlite import Mined, mine, sample
from worldwright.domain.mine.sqlite.account import recount
from worldwright.domain.mine.sqlite.joins import canonical
from worldwright.domain.mine.sqlite.opening import opened
from worldwright.domain.model import DomainModel, Entity, Field
from worldwright.errors import UsageError
from worldwright.files import decode_yaml, encode_yaml

spec = importlib.util.spec_from_file_location("odd", Path(__file__).with_name("odd.py"))
assert spec is not None
assert spec.loader is not None
odd = importlib.util.module_from_spec(spec)
spec.loader.exec_module(odd)


@pytest.fixture
def mined(tmp_path):
    """Mines one of the odd databases."""

    def act(name: str, **bounds: int) -> Mined:
        path = tmp_path / f"{name}.sqlite"
        return mine(path if path.exists() else odd.build(path, name), **bounds)

    return act


def entity(model: DomainModel, name: str) -> Entity:
    return next(one for one in model.entities if one.name == name)


def field(model: DomainModel, name: str) -> Field:
    table, _, column = name.partition(".")
    return next(one for one in entity(model, table).fields if one.name == column)


def open_references(model: DomainModel, rows: dict) -> list[str]:
    """References of a sample that lead nowhere."""
    columns = {one.name: {f.name: f.column for f in one.fields} for one in model.entities}
    found = []
    for one in model.relations:
        there = {tuple(canonical(row[columns[one.to][f]]) for f in one.to_fields) for row in rows[one.to]}
        for row in rows[one.from_]:
            key = tuple(canonical(row[columns[one.from_][f]]) for f in one.fields)
            if None not in key and key not in there:
                found.append(f"{one.from_} {key}")
    return found


@pytest.mark.parametrize("name", odd.ODD)
def test_odd_files_are_mined_and_accounted_for(tmp_path, name):
    path = odd.build(tmp_path / "odd.sqlite", name)
    before, there = path.read_bytes(), sorted(tmp_path.iterdir())
    found = mine(path, rows=60)
    assert found.account.missing == ()
    text = encode_yaml(found.model)
    assert decode_yaml(text, DomainModel, "m") == found.model
    assert [str(one) for one in lint(found.model, "m", text) if one.level == "error"] == []
    assert open_references(found.model, found.sample.rows) == []
    assert 0 <= sum(map(len, found.sample.rows.values())) <= 60
    assert mine(path, rows=60) == found
    assert (path.read_bytes(), sorted(tmp_path.iterdir())) == (before, there)
    totals = found.account.totals()
    db = sqlite3.connect(path)
    assert totals["tables"]["all"] == db.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'").fetchone()[0]
    db.close()


def test_a_shop(mined):
    model = mined("shop").model
    assert {one.name: one.facet for one in model.entities} == {
        "clients": "party",
        "orders": "case",
        "order_lines": "item",
        "returns": "case",
    }
    life = entity(model, "orders").lifecycle
    assert life is not None
    assert (life.order, life.start, life.ends, life.unseen) == ("dates", ["new"], ["shipped"], ["cancelled"])
    steps = {(one.from_, one.to): [guard.fields[0] for guard in one.guards] for one in life.transitions}
    assert steps == {("new", "paid"): ["paid_at"], ("paid", "shipped"): ["tracking", "shipped_at"]}
    assert entity(model, "clients").lifecycle is None, "a state beside a city and a zip is a place"
    assert field(model, "orders.total").type == "money"
    assert field(model, "orders.tracking").about == "the carrier's number"
    assert (field(model, "order_lines.qty").least, field(model, "clients.zip").type) == (1, "text")
    rules = {one.id: one for one in model.policies}
    assert rules["no_reopen"].rule == "UPDATE OF status is refused: a shipped order can't change"
    assert rules["told"].applies_to == ["returns.line_no", "returns.reason"]
    inferred = {(one.from_, tuple(one.fields)): one.to for one in model.relations if not one.declared}
    assert inferred == {("returns", ("order_id",)): "orders", ("returns", ("order_id", "line_no")): "order_lines"}


def test_nothing_declared(mined):
    model = mined("undeclared").model
    assert {one.name: one.key for one in model.entities} == {
        "patients": ["patient_id"],
        "rooms": ["code"],
        "appointments": ["appt_no"],
        "appointment_log": ["appt_no", "status"],
    }
    assert {one.name: round(one.key_confidence, 2) for one in model.entities} == {
        "patients": 0.92,
        "rooms": 0.73,
        "appointments": 0.69,
        "appointment_log": 0.6,
    }
    joined = {(one.from_, *one.fields, one.to) for one in model.relations}
    assert joined == {
        ("appointments", "patient_id", "patients"),
        ("appointments", "room_code", "rooms"),
        ("appointment_log", "appt_no", "appointments"),
    }
    assert all(0.5 <= one.confidence < 1 and one.evidence for one in model.relations)
    life = entity(model, "appointments").lifecycle
    assert life is not None
    assert (life.order, life.start, life.ends) == ("history", ["requested"], ["completed"])
    assert [(one.from_, one.to) for one in life.transitions] == [
        ("requested", "confirmed"),
        ("confirmed", "arrived"),
        ("arrived", "completed"),
    ]
    assert entity(model, "appointment_log").lifecycle is None, "the log of a lifecycle has none of its own"
    assert (field(model, "appointments.starts_at").form, field(model, "patients.dob").form) == ("epoch-seconds", "eu-dots-date")
    assert (field(model, "appointments.fee_cents").type, field(model, "appointments.fee_cents").unit) == ("money", "cents")


def test_states_in_a_table_of_their_own_and_changes_from_one_to_another(mined):
    model = mined("desk").model
    life = entity(model, "ticket").lifecycle
    assert life is not None
    assert {one.name: one.about for one in life.states} == {"1": "New", "2": "In work", "3": "Waiting", "4": "Done"}
    assert (life.order, life.start, life.ends) == ("history", ["1"], ["4"])
    steps = {(one.from_, one.to): [guard.says for guard in one.guards] for one in life.transitions}
    assert steps == {("1", "2"): ["assigned_to has a value"], ("2", "3"): [], ("2", "4"): [], ("3", "2"): [], ("3", "4"): []}
    joined = {(one.from_, one.fields[0], one.to) for one in model.relations}
    assert joined == {
        ("ticket", "status_id", "ticket_status"),
        ("ticket", "assigned_to", "app_user"),
        ("ticket", "parent_id", "ticket"),
        ("ticket_change", "ticket_id", "ticket"),
        ("ticket_change", "user_id", "app_user"),
    }
    assert {one.name: one.facet for one in model.entities} == {
        "app_user": "party",
        "ticket_status": "other",
        "ticket": "case",
        "ticket_change": "event",
    }


def test_dates_in_several_forms(mined):
    model = mined("mixed-dates").model
    forms = {one.name: (one.type, one.form) for one in entity(model, "visit").fields}
    assert forms == {
        "id": ("integer", ""),
        "seen_on": ("datetime", "epoch-seconds | iso-date | us-slashes-date"),
        "us_date": ("date", "us-slashes-date"),
        "eu_date": ("date", "eu-dots-date"),
        "updated_at": ("datetime", "epoch-milliseconds"),
        "created": ("datetime", "epoch-seconds"),
        "at": ("time", "clock"),
    }
    assert field(model, "visit.us_date").least == "2024-03-01"


def test_wrong_declared_types(mined):
    model = mined("wrong-types").model
    assert {one.name: one.type for one in entity(model, "reading").fields} == {
        "id": "integer",
        "level": "integer",
        "label": "text",
        "flag": "boolean",
        "mixed": "text",
        "big": "number",
    }
    said = [one.what for one in field(model, "reading.level").evidence]
    assert said == ["declared as integer, stored as text"]


def test_a_hundred_tables_give_a_connected_part_and_reasons(mined):
    found = mined("hundred-tables")
    assert len(found.model.entities) == 14
    linked, waiting = {found.model.entities[0].name}, True
    while waiting:
        more = {end for one in found.model.relations for end in (one.from_, one.to) if {one.from_, one.to} & linked} - linked
        linked |= more
        waiting = bool(more)
    assert linked == {one.name for one in found.model.entities}
    reasons = {one.reason for one in found.account.tables if not one.kept}
    assert reasons == {
        "connected, but outside the bound of 14 tables: others are worth more",
        "not joined to the chosen part: it belongs to another group of 20 tables",
        "not joined to the chosen part: no reference leads to it or from it",
    }
    assert len(mined("hundred-tables", tables=5).model.entities) == 5


def test_orphans_are_left_out_with_what_hangs_on_them(mined):
    account = {one.name: one for one in mined("orphans").account.tables}
    assert account["b"].rows_dropped == {"it refers to a row that isn't there": 10}
    assert account["c"].rows_dropped == {"it refers to a row that is left out": 10}
    assert (account["b"].rows_kept, account["c"].rows_kept) == (50, 50)


def test_virtual_and_shadow_tables_are_dropped_with_a_reason(mined):
    tables = {one.name: (one.kind, one.kept) for one in mined("search-index").account.tables}
    assert tables["page"] == ("virtual", False)
    assert tables["page_content"] == ("shadow", False)
    assert tables["sqlite_sequence"] == ("internal", False)
    assert tables["author"] == ("table", True)


def test_generated_columns_keep_their_expression(mined):
    model = mined("generated").model
    assert (field(model, "line.total").generated, field(model, "line.half").generated) == ("qty * cents", "total / 2.0")


def test_a_computed_column_that_cannot_be_computed_is_dropped_with_a_reason(tmp_path):
    path = tmp_path / "f.sqlite"
    db = sqlite3.connect(path)
    db.create_function("secret", 1, lambda value: value, deterministic=True)
    db.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b INT AS (secret(a)) VIRTUAL)")
    db.execute("INSERT INTO t (a) VALUES (1)")
    db.commit()
    db.close()
    found = mine(path)
    assert found.account.missing == ()
    columns = {one.name: one.reason for one in found.account.tables[0].columns}
    assert (columns["id"], columns["a"]) == ("", "")
    assert columns["b"].startswith("it can't be computed here: ")


def test_what_lies_in_the_wal_counts_and_nothing_is_touched(tmp_path):
    path = tmp_path / "w.sqlite"
    odd.build(path, "composite-keys", wal=True)
    writer = sqlite3.connect(path)
    writer.execute("INSERT INTO flight VALUES ('ZZ', 1, '2024-02-01')")
    writer.commit()
    files = {one.name: one.read_bytes() for one in tmp_path.iterdir() if one.suffix != ".sqlite-shm"}
    assert len(files[path.name + "-wal"]) > 0
    found = mine(path)
    assert {one.table: one.rows for one in found.model.entities}["flight"] == 41
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir() if one.suffix != ".sqlite-shm"} == files
    writer.close()


def test_a_wal_file_at_rest_leaves_nothing_beside_it(tmp_path):
    path = odd.build(tmp_path / "w.sqlite", "shop", wal=True)
    mine(path)
    assert [one.name for one in tmp_path.iterdir()] == ["w.sqlite"]


def test_silent_loss_is_found(tmp_path):
    path = odd.build(tmp_path / "shop.sqlite", "shop")
    found = mine(path)
    account, tables = found.account, found.account.tables
    one = next(table for table in tables if table.name == "orders")
    rest = tuple(table for table in tables if table is not one)
    replace = msgspec.structs.replace
    fewer = replace(found.model, entities=[replace(e, fields=e.fields[1:]) if e.name == "orders" else e for e in found.model.entities])
    cases = {
        "table orders: in the file, not in the account": replace(account, tables=rest),
        "column orders.tracking: in the file, not in the account": replace(account, tables=(*rest, replace(one, columns=one.columns[:-1]))),
        "table orders: 200 rows in the file, 199 in the account": replace(
            account, tables=(*rest, replace(one, rows_kept=one.rows_kept - 1))
        ),
        "table orders: dropped without a reason": replace(account, tables=(*rest, replace(one, kept=False))),
        "view open_orders: in the file, not in the account": replace(account, others=account.others[1:]),
    }
    with opened(path) as file:
        assert recount(file, account, found.model) == ()
        assert recount(file, account, fewer) == ("column orders.id: kept, but not in the model",)
        for said, changed in cases.items():
            assert any(line.startswith(said) for line in recount(file, changed, found.model)), said


MINE = "import sys; from pathlib import Path; from worldwright.domain.mine.sqlite import mine; print(mine(Path(sys.argv[1]), rows=100))"


def test_the_same_file_gives_the_same_in_every_process(tmp_path):
    path = odd.build(tmp_path / "h.sqlite", "hundred-tables")
    ran = [
        subprocess.run([sys.executable, "-c", MINE, path], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True)
        for seed in "12"
    ]
    assert ran[0].stdout == ran[1].stdout


def test_large_tables_are_looked_at_evenly_and_counted_whole(tmp_path):
    path = tmp_path / "l.sqlite"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE move (id INTEGER PRIMARY KEY, kind TEXT, amount REAL)")
    db.executemany(
        "INSERT INTO move VALUES (?, ?, ?)", ((n, "rare" if n == 30_001 else "in" if n % 2 else "out", n / 100) for n in range(45_000))
    )
    db.commit()
    db.close()
    model = mine(path).model
    kind, amount = field(model, "move.kind"), field(model, "move.amount")
    assert (entity(model, "move").rows, kind.values) == (45_000, ["in", "out", "rare"])
    assert amount.distribution is not None
    assert 8_000 < amount.distribution.n <= 10_000
    assert amount.distribution.quantiles[2] == pytest.approx(225, rel=0.01)


def test_a_database_in_utf_16(tmp_path):
    path = tmp_path / "u.sqlite"
    db = sqlite3.connect(path)
    db.executescript("PRAGMA encoding = 'UTF-16'; PRAGMA page_size = 65536; CREATE TABLE größe (id INTEGER PRIMARY KEY, art TEXT);")
    db.execute("INSERT INTO größe (art) VALUES ('süß')")
    db.commit()
    db.close()
    found = mine(path)
    assert (found.account.missing, found.sample.rows) == ((), {"grosse": [{"id": 1, "art": "süß"}]})


def test_references_that_lead_nowhere_are_told(mined):
    said = {one.name: [note.what for note in one.evidence] for one in entity(mined("dangling").model, "a").fields}
    assert said["x"] == ["declared to refer to gone(id), which isn't there"]
    assert said["y"] == ["declared to refer to b(none), which isn't there"]


# ---- samples


def test_a_sample_is_the_same_by_seed_and_another_by_another(tmp_path, mined):
    found = mined("shop", rows=120)
    path = tmp_path / "shop.sqlite"
    again = sample(found.model, path, 0, 120)
    assert again == found.sample
    other = sample(found.model, path, 1, 120)
    assert other.rows != again.rows
    assert open_references(found.model, other.rows) == []
    assert all(len(rows) > 0 for rows in other.rows.values())


def test_a_sample_large_enough_has_every_row(mined):
    found = mined("cycles", rows=1000)
    assert {name: len(rows) for name, rows in found.sample.rows.items()} == {"team": 20, "worker": 100}


def test_a_sample_of_another_file_says_what_is_missing(tmp_path, mined):
    model = mined("shop").model
    with pytest.raises(UsageError, match=r"has no table 'clients' for the entity clients \(expected the file that was mined\)"):
        sample(model, odd.build(tmp_path / "x.sqlite", "cycles"), 0)


# ---- what can't be read


def test_what_is_no_database_gives_one_clear_line(tmp_path):
    whole = odd.build(tmp_path / "whole.sqlite", "shop").read_bytes()
    cases = {
        "empty": (b"", "empty, 0 bytes"),
        "text": (b"id,name\n1,2\n", "not a SQLite database, it begins with the text 'id,name'"),
        "script": (b"CREATE TABLE t (x);\n", "run a SQL script first"),
        "zip": (b"PK\x03\x04" + bytes(200), "a zip's signature"),
        "random": (bytes(range(130, 250)) * 40, "not a SQLite database, it begins with the bytes 82 83"),
        "cut": (whole[: len(whole) // 2], "truncated, "),
        "stub": (whole[:50], "truncated, 50 bytes are less than a header"),
        "header": (whole[:16] + b"\x00\x03" + whole[18:], "damaged, its header states pages of 3 bytes"),
        "holes": (whole[:4096] + b"\xff" * 8192 + whole[12288:], "damaged, SQLite says"),
    }
    for name, (data, said) in cases.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(UsageError) as caught:
            mine(path)
        assert said in str(caught.value), name
        assert "\n" not in str(caught.value)
        assert str(caught.value).startswith(f"{path}: ")
        assert "(expected" in str(caught.value)


def test_a_folder_a_missing_file_and_a_file_without_tables(tmp_path):
    with pytest.raises(UsageError, match="a folder"):
        mine(tmp_path)
    with pytest.raises(UsageError, match="not found"):
        mine(tmp_path / "nowhere")
    path = tmp_path / "bare.sqlite"
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 3")
    db.close()
    with pytest.raises(UsageError, match="without tables of its own"):
        mine(path)


LOCK = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None); db.execute('BEGIN EXCLUSIVE'); print('ready', flush=True); sys.stdin.read()"


def test_a_locked_file(tmp_path):
    path = odd.build(tmp_path / "locked.sqlite", "cycles")
    with subprocess.Popen([sys.executable, "-c", LOCK, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"ready\n"
        with pytest.raises(UsageError, match="locked, another program is writing to it"):
            mine(path)
        holder.communicate(b"")
    assert mine(path).account.missing == ()


def test_a_file_that_this_process_has_locked(tmp_path):
    path = odd.build(tmp_path / "locked.sqlite", "cycles")
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    with pytest.raises(UsageError, match="locked"):
        mine(path)
    db.close()


def test_a_link_to_a_file_with_a_wal(tmp_path):
    path = odd.build(tmp_path / "w.sqlite", "composite-keys", wal=True)
    writer = sqlite3.connect(path)
    writer.execute("INSERT INTO flight VALUES ('ZZ', 1, '2024-02-01')")
    writer.commit()
    link = tmp_path / "elsewhere" / "link.sqlite"
    link.parent.mkdir()
    link.symlink_to(path)
    assert entity(mine(link).model, "flight").rows == 41
    writer.close()
