"""`worldwright new`: what it writes is complete, passes lint as it stands, and never replaces anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from worldwright.cli.look_up import find_look_up
from worldwright.cli.main import run
from worldwright.errors import UsageError
from worldwright.pack import Pack, read_pack
from worldwright.pack.lint import lint
from worldwright.world.records import RecordsWorld

ROOT = Path(__file__).parents[2]
LOAN_DESK = ROOT / "tests" / "quality" / "lint" / "base"


def worldwright(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        run(args)
    said = capsys.readouterr()
    return int(ended.value.code or 0), said.out, said.err


def insist_clean(pack: Pack, seeds: range) -> None:
    """No finding at all, and every plan passes on every seed."""
    report = lint(pack, seeds)
    assert [str(one) for one in report.findings] == []
    references = {name: run for name, run in report.runs.items() if name.endswith("reference.py")}
    assert references == {f"{task.world.name}/{task.name} reference.py": (len(seeds), len(seeds)) for task in pack.tasks()}


def test_scaffold_of_each_kind_is_clean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = tmp_path / "corner-shop"
    for args in (("pack", f"{where}"), ("world", f"{where}/depot"), ("task", f"{where}/depot/find-day")):
        code, out, _ = worldwright(capsys, "new", *args)
        assert code == 0
        assert f"worldwright lint {where}" in out
    pack = read_pack(where)
    assert pack.meta.name == "corner-shop"
    assert [f"{task.world.name}/{task.name}" for task in pack.tasks()] == [
        "depot/find-day",
        "depot/release-parcel",
        "parcel-counter/release-parcel",
    ]
    for task in pack.tasks():
        assert task.reference is not None
        assert task.alternatives
        assert {case.verdict for case in task.cases} == {"pass", "fail"}
    insist_clean(pack, range(40))
    assert [name for name, data in pack.files.items() if b"__" in data] == []


def test_every_right_decision_occurs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    worldwright(capsys, "new", "pack", f"{tmp_path / 'shop'}")
    [task] = read_pack(tmp_path / "shop").tasks()
    strata = [task.task.instance(seed).stratum for seed in range(40)]
    assert set(strata) == {"free", "fee", "too late"}


def test_task_in_a_world_of_ones_own_is_clean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in sorted(LOAN_DESK.rglob("*")):
        if path.is_file():
            copy = tmp_path / "loans" / path.relative_to(LOAN_DESK)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    code, out, _ = worldwright(capsys, "new", "task", f"{tmp_path}/loans/loan-desk/scan-day", "--json")
    assert code == 0
    assert f"worldwright play {tmp_path}/loans/loan-desk/scan-day@0" in json.loads(out)["run"]
    pack = read_pack(tmp_path / "loans")
    brief = pack.worlds["loan-desk"].tasks["scan-day"].files["brief.yaml"].decode()
    assert "#   scans(loan_id, scanned_on)" in brief
    insist_clean(pack, range(12))


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = tmp_path / "shop"
    worldwright(capsys, "new", "pack", f"{where}")
    for path in where.rglob("*.yaml"):
        path.write_text("mine", encoding="utf-8")
    before = {path: path.read_bytes() for path in where.rglob("*") if path.is_file()}
    for args in (("pack", f"{where}"), ("world", f"{where}/parcel-counter")):
        code, _, err = worldwright(capsys, "new", *args)
        assert code == 2
        assert "is there already: nothing was written" in err
    assert {path: path.read_bytes() for path in where.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    "args, says",
    [
        (("poem", "x"), "expected new pack DIR"),
        (("pack", "Not Plain"), "is not plain"),
        (("world", "nowhere/depot"), "no pack.toml there"),
        (("task", "nowhere/depot/x"), "no pack.toml there"),
    ],
)
def test_wrong_use_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], args: tuple[str, str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = worldwright(capsys, "new", *args)
    assert (code, out) == (2, "")
    assert says in err
    assert list(tmp_path.iterdir()) == []


def test_task_needs_its_world(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    worldwright(capsys, "new", "pack", f"{tmp_path / 'shop'}")
    code, _, err = worldwright(capsys, "new", "task", f"{tmp_path}/shop/depot/x")
    assert code == 2
    assert "has no world 'depot'" in err


def test_look_up_that_does_not_hold_is_not_offered(tool_hire: RecordsWorld) -> None:
    found = find_look_up(tool_hire)
    assert (found.tool, found.argument, found.table, found.column) == ("ask_carrier", "rental_id", "carrier_log", "handed_over")
    files = {
        "world.yaml": b"kind: records\ntitle: t\nclock: 2026-01-01T09:00:00\ntools:\n"
        b"  get_a: {doc: One., args: {id: {type: integer}}, row: 'SELECT id, flag, other + 1 AS other FROM a WHERE id = :id'}\n",
        "schema.sql": b"CREATE TABLE a (id INTEGER PRIMARY KEY, flag INTEGER, other INTEGER);",
        "scenario.py": b"def scenario(seed):\n    return {'a': [{'id': n, 'flag': n % 2, 'other': n * 7} for n in range(20)]}\n",
    }
    with pytest.raises(UsageError, match="no tool of small gives a row by its key alone"):
        find_look_up(RecordsWorld("small", files))
