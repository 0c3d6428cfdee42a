"""What the desk has wrong: shown by a tool, said by a person, come in later; and tools that fail for a moment."""

import importlib
import random
import re
import sqlite3

import pytest

from worldwright.errors import UnusableSeed
from worldwright.forge.sources import sources_of
from worldwright.forge.trial import pack_toml
from worldwright.pack import Pack
from worldwright.pack.lint import lint
from worldwright.pack.lint.draw import rows_of
from worldwright.reference import replay
from worldwright.sandbox import Plan
from worldwright.synthesis.assemble import assemble, furnished
from worldwright.synthesis.author_reference.patience import patient
from worldwright.synthesis.checks import checks_in
from worldwright.synthesis.draft import Draft
from worldwright.synthesis.faults import draw_faults
from worldwright.synthesis.signature import plan_signature
from worldwright.verifier import Status
from worldwright.world.spec import FaultSpec, ToolSpec

SEEDS = range(12)
WORLDS = {
    "tool": ("freight", 0, "decide-waiting-charge"),
    "person": ("freight", 0, "decide-claim-on-account"),
    "later": ("equipment-hire", 0, "decide-breakdown-credit"),
    "announced": ("freight", 3, "decide-claim-on-account"),
}
"""A task for each way in which the truth can be had: trade, seed of the world, name."""
SHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers(id), kind TEXT NOT NULL, placed TEXT NOT NULL,
  amount REAL NOT NULL, weight INTEGER NOT NULL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO customers SELECT i, 'Customer ' || i, CASE i % 3 WHEN 0 THEN 'Ulm' WHEN 1 THEN 'Trier' ELSE 'Kiel' END FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
INSERT INTO orders SELECT i, 1 + i * 7 % 60, CASE i % 4 WHEN 0 THEN 'web' WHEN 1 THEN 'shop' ELSE 'phone' END,
  date('2025-01-01', '+' || (i * 13 % 300) || ' days'), 10 + i * 37 % 900 + 0.5, 1 + i * 11 % 40 FROM n;
"""
FAULTY = {"insurance-claims": 1, "freight": 2}
"""Trades, and a seed of the world at which tools of it fail."""


@pytest.fixture
def posed(build):
    """For a way: its task in the pack, its check, the pack."""

    def found(way):
        trade, seed, name = WORLDS[way]
        draft, pack = build(trade, "remedy", seed=seed)
        task = next(one for one in draft.tasks if one.name == name)
        (check,) = checks_in(task.given)
        assert (check.by, check.announced) == ("later" if way == "announced" else way, way == "announced")
        assert task.knobs["check"] == check.by
        return next(entry for entry in pack.tasks() if entry.name == name), task.given.ruling, pack

    return found


def instances(entry):
    for seed in SEEDS:
        try:
            yield entry.task.instance(seed)
        except UnusableSeed:
            continue


def run(entry, instance, plan):
    """The verdict and the calls of a plan."""
    log, episode = replay(entry.task, instance, plan)
    with episode:
        return entry.verifier.grade(instance, episode.finish(log.answer, instance.until)).status, log


def known(entry, instance, ruling):
    """The row that is decided: its key, what the desk has, and what is true."""
    column, table = ruling.checked().column, rows_of(entry.world.world.image(instance.seed))
    (key,) = (value for name, value in instance.params.items() if name == entry.task.brief.show[0])
    (true,) = (row[column] for row in table[ruling.check.table] if key in row.values())
    (desk,) = {row[column] for rows in table.values() for row in rows if ruling.state in row and key in row.values()}
    return key, desk, true


@pytest.mark.parametrize("way", WORLDS)
def test_the_reference_finds_out_what_is_true(posed, way):
    entry, _, _ = posed(way)
    runs = [run(entry, instance, entry.reference) for instance in instances(entry)]
    assert len(runs) >= 10
    assert {status for status, _ in runs} == {Status.PASS}
    called = {step.tool for _, log in runs for step in log.steps}
    assert ("say" in called, "wait" in called) == (way == "person", way in ("later", "announced"))


@pytest.mark.parametrize("way", WORLDS)
def test_who_believes_the_desk_fails_where_it_is_wrong(posed, way):
    entry, ruling, _ = posed(way)
    column = ruling.checked().column
    lines = entry.reference.source.splitlines()
    first = lines.index("def decide(row, limit):") + 1
    last = max(n for n, line in enumerate(lines) if line.strip().startswith("true = "))
    code = "\n".join([*lines[:first], f"    true = row[{column!r}]", *lines[last + 1 :], ""])
    by_truth = {True: [], False: []}
    for instance in instances(entry):
        _, desk, true = known(entry, instance, ruling)
        by_truth[desk == true].append(run(entry, instance, Plan("believes.py", code))[0])
    assert set(by_truth[True]) == {Status.PASS}
    assert by_truth[False].count(Status.FAIL) >= 2


@pytest.mark.parametrize("way", WORLDS)
def test_what_is_right_doesnt_depend_on_what_has_come_in(posed, way):
    entry, ruling, _ = posed(way)
    instance = next(instances(entry))
    _, log = run(entry, instance, entry.reference)
    (write,) = (step for step in log.steps if step.tool == ruling.tool)
    with entry.task.start(instance) as episode:
        assert episode.call(write.tool, write.args).ok
        assert entry.verifier.grade(instance, episode.finish(log.answer, instance.until)).status == Status.PASS


def test_a_person_answers_what_is_asked_and_nothing_else(posed):
    entry, ruling, _ = posed("person")
    instance = next(instances(entry))
    key, _, true = known(entry, instance, ruling)
    name, column, party = entry.task.brief.show[0], ruling.checked().column, ruling.check.party
    assert entry.task.brief.parties == [party]
    with entry.task.start(instance) as episode:

        def say(act, fields, text=""):
            return episode.call("say", {"to": party, "act": act, "fields": fields, "text": text})

        for act, fields in [("ask", {}), ("ask", {name: f"{key}x"}), ("ask", {column: str(true)}), ("inform", {name: key}), ("close", {})]:
            said = say(act, fields, f"What is the {column} of {key}?")
            assert said.ok
            assert not said.value["fields"], (act, fields)
        told = say("ask", {name: key}).value
        assert (told["act"], told["fields"][column]) == ("inform", str(true))


@pytest.mark.parametrize("way", ["later", "announced"])
def test_what_comes_in_later_isnt_shown_before(posed, way):
    entry, ruling, _ = posed(way)
    check, column = ruling.check, ruling.checked().column
    name = entry.task.brief.show[0]
    early = 0
    for instance in instances(entry):
        key, _, true = known(entry, instance, ruling)
        rows = rows_of(entry.world.world.image(instance.seed))[check.table]
        at = next(row["arrives_at"] for row in rows if key in row.values())
        with entry.task.start(instance) as episode:
            seen = episode.call(check.tool, {name: key})
            if at <= episode.now():
                assert seen.value[column] == true
                continue
            early += 1
            for time in (episode.now(), at[:17] + "00"):
                if time < at:
                    episode.call("wait", {"until": time})
                before = episode.call(check.tool, {name: key})
                if way == "announced":
                    assert (before.value[column], before.value["comes_in_at"]) == (None, at)
                else:
                    assert not before.ok
                    assert str(true) not in before.error.split()
                    assert at not in before.error
            assert at <= check.last
            episode.call("wait", {"until": at})
            assert episode.call(check.tool, {name: key}).value[column] == true
    assert early >= 3


@pytest.mark.parametrize("way", WORLDS)
def test_the_handbook_says_how_the_truth_is_had(posed, way):
    entry, ruling, _pack = posed(way)
    instance = next(instances(entry))
    with entry.task.start(instance) as episode:
        page = episode.call("read_handbook", {"page": ruling.page}).value["text"]
    assert (ruling.check.party or ruling.check.tool) in page
    assert bool(ruling.check.last) == (way in ("later", "announced"))
    assert ruling.check.last[11:16] in page


@pytest.mark.parametrize("way", WORLDS)
def test_lint_finds_no_fault(posed, way):
    _, _, pack = posed(way)
    found = lint(pack, range(4), states=6).findings
    assert [str(one) for one in found if one.level == "error" and one.rule not in ("unusable-seeds", "luck")] == []


def test_each_way_is_another_plan(posed):
    assert len({plan_signature(posed(way)[0].reference.source) for way in WORLDS}) == len(WORLDS)


def test_the_way_to_a_fact_changes_nothing_else():
    """The draws for it have a stream of their own: rows, parameters and tasks stay what they are."""
    modules = importlib.import_module("worldwright.synthesis.patterns.remedy")
    kinds, states = set(), []
    for seed in range(6):
        material = sources_of(["freight"])[0].material(0)
        draft = Draft("office", "Office", material.model, material.tables, seed)
        modules.furnish(draft, material, random.Random(0))
        kinds |= {check.by for task in draft.tasks for check in checks_in(task.given)}
        files = assemble(draft, material)
        (world,) = Pack(files | {"pack.toml": pack_toml("office", "A test.")}, "").worlds.values()
        rows = rows_of(world.world.image(3))
        states.append({name: rows[name] for name in rows if not name.endswith(("_sources", "_received"))})
    assert kinds == {"tool", "person", "later"}
    assert all(one == states[0] for one in states)


# ---- tools that fail for a moment


@pytest.mark.parametrize("trade", FAULTY)
def test_who_doesnt_try_again_fails_now_and_then(build, trade):
    draft, pack = build(trade, "remedy", seed=FAULTY[trade])
    assert draft.faults
    assert not any(draft.tools[tool].effect for tool in draft.faults)
    failed = 0
    for entry in pack.tasks():
        task = next(one for one in draft.tasks if one.name == entry.name)
        uses = {tool for tool in draft.faults if f"def patient_{tool}(" in entry.reference.source}
        assert task.knobs["faults"] == len(uses)
        hasty = Plan("hasty.py", re.sub(r"(?<!def )\bpatient_(\w+?)(?:_\d)?\(", r"\1(", entry.reference.source))
        for instance in instances(entry):
            assert run(entry, instance, entry.reference)[0] == Status.PASS
            status, log = run(entry, instance, hasty)
            failed += status == Status.FAIL
            assert (status == Status.PASS) != any(fault.error in log.fault for fault in draft.faults.values())
    assert failed >= 3


def test_a_tool_that_fails_says_that_it_may_be_called_again(build):
    draft, pack = build("freight", "remedy", seed=FAULTY["freight"])
    entry = next(iter(pack.tasks()))
    docs = {doc.name: doc.doc for doc in entry.task.world.tools()}
    for tool, fault in draft.faults.items():
        assert 0.05 <= fault.rate <= 0.15
        assert fault.error in docs[tool]
        assert "call it again" in docs[tool]


def test_about_one_made_world_in_three_has_faults():
    material = sources_of(["freight"])[0].material(0)
    having = 0
    for seed in range(300):
        draft = Draft("some", "Some", material.model, material.tables, seed)
        draft.tools = {name: ToolSpec("Reads.", rows="SELECT 1") for name in ("one", "two", "three")} | {
            "four": ToolSpec("Writes.", effect=["DELETE"])
        }
        draw_faults(draft, {"a": {"one", "two", "four"}, "b": {"four"}})
        having += bool(draft.faults)
        assert set(draft.faults) <= {"one", "two"}
    assert 75 <= having <= 125


def test_a_world_with_rows_of_its_owners_has_no_faults(tmp_path):
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as db:
        db.executescript(SHOP)
    for seed in range(8):
        material = sources_of([str(path)])[0].material(0)
        modules = {"remedy": importlib.import_module("worldwright.synthesis.patterns.remedy")}
        draft = furnished("shop", "Shop", material, modules, seed)
        assert draft.tasks, draft.refused
        assemble(draft, material)
        assert (draft.faults, draft.parties, draft.events) == ({}, {}, [])


CALLS = """import re


def look(key):
    return get_row(key=key)["n"] + get_row(key=key, deep=True)["n"]


def solve(key):
    return {"n": look(key), "m": other(key=key)}
"""


def test_only_the_fault_itself_is_tried_again():
    """Bounded tries of the call as it stands; any other error is the plan's own."""
    code = patient(CALLS, {"get_row": FaultSpec(0.1, "Busy.")})
    assert code.count("get_row(") == 6
    assert "other(key=key)" in code
    assert patient(CALLS, {"unused": FaultSpec(0.1, "Busy.")}) == CALLS

    def solved(errors):
        calls = []

        def get_row(**given):
            calls.append(given)
            if errors:
                raise ValueError(errors.pop(0))
            return {"n": 1}

        names = {"get_row": get_row, "other": lambda key: key}
        exec(code, names)
        try:
            return names["solve"](7), calls
        except ValueError as fault:
            return str(fault), calls

    assert solved(["Busy."] * 3) == ({"n": 2, "m": 7}, [{"key": 7}] * 4 + [{"key": 7, "deep": True}])
    assert solved(["Busy.", "There is no such row."])[0] == "There is no such row."
    outcome, calls = solved(["Busy."] * 99)
    assert (outcome, len(calls)) == ("Busy.", 12)
