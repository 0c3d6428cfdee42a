"""What lint counts and writes, beside the rules that tests/quality holds."""

from __future__ import annotations

import hashlib
import random
import shutil

import pytest

from worldwright.errors import UnusableSeed
from worldwright.files import decode_yaml
from worldwright.pack import Pack, read_pack
from worldwright.pack.lint import RULES, LintReport, lint
from worldwright.pack.lint.blind import seen_files, with_hashes
from worldwright.pack.lint.draw import Values
from worldwright.pack.lint.luck import constant_answers, lower_bound
from worldwright.verifier.spec import Source, VerifierSpec
from worldwright.world.arguments import compile_value
from worldwright.world.spec import ArgSpec

WORLD = "worlds/loan-desk/"
TASK = f"{WORLD}tasks/settle-fine/"


def changed(pack: Pack, file: str, find: str, replace: str) -> Pack:
    text = pack.files[file].decode()
    assert text.count(find) == 1, (file, find)
    return Pack(pack.files | {file: text.replace(find, replace).encode()})


def fast(pack: Pack, seeds: int = 12) -> LintReport:
    return lint(pack, range(seeds), fast=True)


def test_a_clean_pack(loan_desk_pack):
    report = lint(Pack(loan_desk_pack.files), range(6))
    assert (report.findings, report.is_clean, report.left_out) == ((), True, ())
    assert report.pack == "loan-desk"
    assert report.digest == loan_desk_pack.digest
    assert report.runs["loan-desk/settle-fine reference.py"] == (6, 6)
    assert report.runs["loan-desk/settle-fine case 'waives everything that is asked'"] == (6, 6)
    assert {f"loan-desk/settle-fine shortcut: act {how}" for how in ("on everything", "without reading")} <= set(report.runs)
    assert all(n == 6 for _, n in report.runs.values())


def test_fast_says_what_it_leaves_out(loan_desk_pack):
    report = fast(loan_desk_pack)
    assert report.left_out == ("two-run test", "dead tools", "references", "cases", "luck")
    assert report.runs == {}


def test_warnings_alone_leave_a_pack_clean(loan_desk_pack):
    pack = changed(loan_desk_pack, f"{TASK}verifier.yaml", "define:\n", "define:\n  idle: SELECT 1 AS n\n")
    (found,) = fast(pack).findings
    assert (found.rule, found.level, found.file, found.line) == ("unused-define", "warning", f"{TASK}verifier.yaml", 3)
    assert fast(pack).is_clean
    assert str(found) == f"{TASK}verifier.yaml:3: warning [unused-define] define.idle: 'idle' is used by nothing"


def test_a_single_stratum_is_remarked_from_ten_seeds_on(loan_desk_pack):
    pack = changed(loan_desk_pack, f"{TASK}brief.yaml", "WHERE f.status = 'due'", "WHERE f.status = 'due' AND stratum = 'waived'")
    assert [one.rule for one in fast(pack).findings] == ["one-stratum"]
    assert "always 'waived'" in fast(pack).findings[0].message
    assert fast(pack, 9).findings == ()


def test_a_case_on_a_seed_without_an_instance_is_named(loan_desk_pack):
    odd = "WHERE f.status = 'due' AND (SELECT sum(amount_cents) FROM fines) % 2"
    pack = changed(loan_desk_pack, f"{TASK}brief.yaml", "WHERE f.status = 'due'", odd)
    usable = [seed for seed in range(12) if _has_instance(pack, seed)]
    assert 0 < len(usable) < 12
    name = "- name: waives everything that is asked\n"
    text = pack.files[f"{TASK}cases.yaml"].decode()
    both = Pack(pack.files | {f"{TASK}cases.yaml": text.replace(name, f"{name}  seeds: {list(range(12))}\n").encode()})
    found = [one for one in lint(both, range(12), luck=False).findings if one.rule == "case-seed"]
    assert len(found) == 1
    assert found[0].file == f"{TASK}cases.yaml"
    left = ", ".join(str(seed) for seed in range(12) if seed not in usable)
    assert found[0].message.endswith(f"gives no row: {left}")


def _has_instance(pack: Pack, seed: int) -> bool:
    try:
        next(iter(pack.tasks())).task.instance(seed)
    except UnusableSeed:
        return False
    return True


def test_a_free_column_that_every_insert_pins(loan_desk_pack):
    pack = changed(loan_desk_pack, f"{WORLD}world.yaml", "free: [waivers.id,", "free: [waivers.id, waivers.amount_cents,")
    money, found = fast(pack).findings
    assert (money.rule, money.level, money.field) == ("free-money", "warning", "free")
    assert (found.rule, found.level, found.field) == ("free-graded", "warning", "free")
    assert found.line == 1 + loan_desk_pack.files[f"{WORLD}world.yaml"].decode().split("\n").index(
        "free: [waivers.id, waivers.note, notices.id]"
    )
    second = {path.replace("settle-fine", "another"): data for path, data in pack.files.items() if path.startswith(TASK)}
    text = (
        second[f"{WORLD}tasks/another/verifier.yaml"]
        .decode()
        .replace("waived_cents AS amount_cents FROM granted", "'' AS note FROM granted")
    )
    second[f"{WORLD}tasks/another/verifier.yaml"] = text.encode()
    assert [one.rule for one in fast(Pack(pack.files | second)).findings] == ["free-money"]


def test_one_broken_task_hides_no_other(loan_desk_pack):
    second = {path.replace("settle-fine", "another"): data for path, data in loan_desk_pack.files.items() if path.startswith(TASK)}
    second[f"{WORLD}tasks/another/brief.yaml"] = b"title: x\n"
    second[f"{WORLD}tasks/third/brief.yaml"] = b"title: [\n"
    found = fast(Pack(loan_desk_pack.files | second)).findings
    assert [(one.rule, one.file, one.line) for one in found] == [
        ("format", f"{WORLD}tasks/another/brief.yaml", 1),
        ("format", f"{WORLD}tasks/third/brief.yaml", 2),
    ]


def test_unusable_seeds_are_counted(loan_desk_pack):
    pack = changed(
        loan_desk_pack, f"{TASK}brief.yaml", "WHERE f.status = 'due'", "WHERE f.status = 'due' AND (SELECT count(*) FROM loans) > 36"
    )
    (found,) = [one for one in fast(pack, 20).findings if one.rule == "unusable-seeds"]
    usable = sum(
        1 for seed in range(20) if loan_desk_pack.worlds["loan-desk"].world.image(seed).query("SELECT count(*) FROM loans")[0][0] > 36
    )
    assert 0 < usable < 18
    assert f"no row on {20 - usable} of 20 seeds" in found.message


def test_a_plan_that_doesnt_parse_is_named_by_its_line(loan_desk_pack):
    pack = changed(loan_desk_pack, f"{TASK}reference.py", "    if late > grace:\n", "    if late > grace\n")
    (found,) = [one for one in lint(pack, range(1)).findings if one.rule != "dead-tool"]
    line = 1 + pack.files[f"{TASK}reference.py"].decode().split("\n").index("    if late > grace")
    assert (found.rule, found.file) == ("plan-unsupported", f"{TASK}reference.py")
    assert found.line in (line, line + 1)


# ---- the hashes of what a verifier's author saw


def test_hashes_are_filled_in_and_nothing_else_is_touched(loan_desk_pack):
    entry = loan_desk_pack.tasks()[0]
    old, new = entry.files["verifier.yaml"].decode(), with_hashes(entry)
    sees = decode_yaml(new, VerifierSpec, "verifier.yaml").written_by.sees
    named = {"brief.yaml", "../../world.yaml", "../../schema.sql", "../../handbook/fines.md"}
    assert {one.path: one.sha256 for one in sees if isinstance(one, Source)} == {
        path: hashlib.sha256(data).hexdigest() for path, data in seen_files(entry).items() if path in named
    }
    assert new.split("define:", 1)[1] == old.split("define:", 1)[1]
    again = Pack(loan_desk_pack.files | {f"{TASK}verifier.yaml": new.encode()})
    assert with_hashes(again.tasks()[0]) == new
    assert fast(again).findings == ()
    edited = changed(again, f"{WORLD}handbook/fines.md", "stays as it is", "stays as it was")
    (found,) = fast(edited).findings
    assert (found.rule, found.level) == ("blind-hash", "error")
    assert "../../handbook/fines.md" in found.message
    assert found.line == 1 + new.split("\n").index(next(line for line in new.split("\n") if "fines.md" in line))


def test_seen_files_hold_no_plan_and_no_verifier(loan_desk_pack, loan_desk, tmp_path):
    root = tmp_path / "desk"
    shutil.copytree(loan_desk, root)
    (root / WORLD / "events.yaml").write_text("[]\n", encoding="utf-8")
    (root / WORLD / "handbook" / "deep").mkdir()
    (root / WORLD / "handbook" / "deep" / "a.md").write_text("# A\n", encoding="utf-8")
    assert set(seen_files(read_pack(root).tasks()[0])) == {
        "brief.yaml",
        *(f"../../{name}" for name in ("world.yaml", "schema.sql", "events.yaml", "handbook/fines.md")),
    }


# ---- chance and arguments


@pytest.mark.parametrize(
    "passed, n, bound", [(0, 10, 0.0), (1, 1, 0.05), (10, 10, 0.7411344), (5, 10, 0.2224411), (20, 40, 0.3610917), (1, 20, 0.0025614)]
)
def test_lower_bound(passed, n, bound):
    assert lower_bound(passed, n) == pytest.approx(bound, abs=1e-6)


def test_constant_answers_cover_the_closed_values(loan_desk_pack):
    answers = constant_answers(loan_desk_pack.tasks()[0])
    assert {"decision": "waived", "amount_cents": 0} in answers
    assert {"decision": "upheld", "amount_cents": 0} in answers
    assert len(answers) == len({str(one) for one in answers})


SPECS = {
    "member_id": ArgSpec(type="integer"),
    "amount": ArgSpec(type="number"),
    "text": ArgSpec(type="string", max_length=8),
    "day": ArgSpec(type="date"),
    "due": ArgSpec(type="string", format="date"),
    "at": ArgSpec(type="datetime"),
    "hour": ArgSpec(type="string", format="time"),
    "tier": ArgSpec(type="string", enum=["adult", "student"]),
    "size": ArgSpec(type="integer", enum=["1", "2"]),
    "sure": ArgSpec(type="boolean"),
    "fine_ids": ArgSpec(type="list", items=ArgSpec(type="integer")),
    "anything": ArgSpec(type="object"),
    "many": ArgSpec(type="integer", minimum=10_000),
    "few": ArgSpec(type="number", maximum=-3),
    "words": ArgSpec(type="string", min_length=30, max_length=40),
}


@pytest.mark.parametrize("name", SPECS)
def test_drawn_values_are_of_the_arguments_type(loan_desk_pack, name):
    values = Values(loan_desk_pack.worlds["loan-desk"].world.image(3))
    rng = random.Random(f"draw {name}")
    drawn = [values.value(name, SPECS[name], rng) for _ in range(60)]
    check = compile_value(SPECS[name])
    for value in drawn:
        check(value)
    assert drawn == [values.value(name, SPECS[name], again) for again in [random.Random(f"draw {name}")] for _ in range(60)]


def test_drawn_values_come_from_the_state(loan_desk_pack):
    world = loan_desk_pack.worlds["loan-desk"].world
    values = Values(world.image(3))
    ids = {row[0] for row in world.image(3).query("SELECT id FROM fines")}
    drawn = [values.value("fine_id", ArgSpec(type="integer"), random.Random(n)) for n in range(50)]
    assert sum(value in ids for value in drawn) > 40


def test_every_rule_says_what_it_means_and_how_to_mend_it():
    for name, rule in RULES.items():
        assert rule.name == name
        assert rule.level in ("error", "warning")
        assert rule.means.endswith(".")
        assert rule.edit.rstrip("`").endswith((".", ")"))
