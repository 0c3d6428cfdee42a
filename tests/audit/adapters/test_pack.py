"""Packs as subjects: facts, plays, what they leave, plays that share prefixes, other settings."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from worldwright.audit.adapters.pack import PackSubject
from worldwright.audit.adapters.pack import child as child_module
from worldwright.audit.adapters.pack.changes import agent_changes
from worldwright.audit.adapters.pack.elsewhere import Elsewhere
from worldwright.audit.adapters.pack.sharing import rounds
from worldwright.audit.subject import DELETE, KEEP, SAY, WRITE, Act, Attempt, Known, Play, Session, Setting
from worldwright.errors import UsageError
from worldwright.pack import Pack, read_pack
from worldwright.world.protocol import RowChange
from worldwright.world.records.schema import read_schema

EXAMPLES = Path(__file__).parents[3] / "examples"
FINE = "loan-desk/settle-fine"


def example(name: str) -> PackSubject:
    return PackSubject(read_pack(EXAMPLES / name))


@pytest.fixture(scope="module")
def tool_hire_subject() -> PackSubject:
    return example("tool-hire")


@pytest.fixture(scope="module")
def venue() -> PackSubject:
    return example("venue-booking")


@pytest.fixture(scope="module")
def lab() -> PackSubject:
    return example("water-lab")


@pytest.fixture(scope="module")
def loans(loan_desk_pack: Pack) -> PackSubject:
    return PackSubject(loan_desk_pack)


def edited(pack: Pack, edits: Mapping[str, tuple[str, str]]) -> PackSubject:
    """The pack with a text replaced in some of its files."""
    files = dict(pack.files)
    for path, (old, new) in edits.items():
        text = files[path].decode()
        assert text.count(old) == 1
        files[path] = text.replace(old, new).encode()
    return PackSubject(Pack(files, "edited"))


def played(subject: PackSubject, case: str, seed: int, known: Known) -> Attempt:
    return subject.run(Session((Play(case, seed, known.acts, known.answer),)))[0]


def calls(subject: PackSubject, case: str, *acts: Act, answer: object = None, seed: int = 0) -> Attempt:
    return subject.run(Session((Play(case, seed, acts, answer),)))[0]


# ---- facts


def test_cases_and_digest_are_those_of_the_chosen_tasks(tool_hire_subject):
    pack = tool_hire_subject.pack
    one = PackSubject(pack, pack.tasks()[1:2])
    assert tool_hire_subject.cases() == (
        "tool-hire/credit-late-deliveries",
        "tool-hire/decide-on-a-complaint",
        "tool-hire/plan-the-day",
    )
    assert one.cases() == ("tool-hire/decide-on-a-complaint",)
    assert tool_hire_subject.digest == pack.digest
    assert one.digest not in (pack.digest, PackSubject(pack, pack.tasks()[:1]).digest)
    assert (one.name, one.kind) == ("tool-hire", "pack")


def test_facts_are_what_the_agent_is_told_and_what_its_author_knows(tool_hire_subject):
    facts = tool_hire_subject.facts("tool-hire/decide-on-a-complaint", 3)
    assert "Use the tools to do what you are asked" in facts.prompt
    assert facts.has == {"reference", "alternatives", "state"}
    assert facts.answer == {"decision": "str", "days_late": "int"}
    assert facts.luck == tool_hire_subject.entry(facts.case).task.brief.luck
    assert ("credits", "note") in facts.free
    assert facts.reference is not None
    assert facts.reference.name == "reference"
    assert [one.name[:12] for one in facts.alternatives] == ["alternative-"]
    assert facts.state is not None
    assert {"rentals", "credits", "policy"} <= facts.state.keys()
    assert not {"calls", "messages", "event_log"} & facts.state.keys()
    assert facts == tool_hire_subject.facts(facts.case, 3)
    find = facts.tool("find_customers")
    assert find is not None
    assert find.writes is False
    assert [(arg.name, arg.type, arg.required) for arg in find.args] == [("text", "str", True)]


def test_arguments_have_their_choices_and_defaults(venue):
    facts = venue.facts("venue-desk/rebook-with-client", 0)
    say = facts.tool("say")
    assert say is not None
    assert say.writes is True
    by_name = {arg.name: arg for arg in say.args}
    assert by_name["act"].choices == ("ask", "inform", "propose", "confirm", "decline", "close")
    assert by_name["fields"].type == "dict"
    assert not by_name["fields"].required
    assert by_name["text"].default == ""
    wait = facts.tool("wait")
    assert wait is not None
    assert wait.writes is True
    assert "organiser" in facts.prompt


def test_where_every_call_moves_the_clock_no_call_is_said_to_be_harmless(loans):
    facts = loans.facts(FINE, 0)
    assert {tool.name: tool.writes for tool in facts.tools}["find_members"] is None
    assert any("moves the clock by 30 s" in note for note in facts.notes)


def test_judged_runs_are_offered_where_their_seeds_fit(loan_desk_pack):
    subject = edited(
        loan_desk_pack,
        {"worlds/loan-desk/tasks/settle-fine/cases.yaml": ("  verdict: fail\n", "  verdict: fail\n  seeds: [2]\n")},
    )
    assert subject.facts(FINE, 1).recorded == ()
    [(name, right, run)] = subject.facts(FINE, 2).recorded
    assert (name, right) == ("waives everything that is asked", "fail")
    assert [act.tool for act in run.acts] == ["waive_fine"]


def test_a_judged_run_that_stops_by_itself_is_left_out_if_it_should_pass(loan_desk_pack):
    plan = '        waive_fine(fine_id=fine_id, amount_cents=1)\n        return {"decision": "waived", "amount_cents": 1}\n'
    path = "worlds/loan-desk/tasks/settle-fine/cases.yaml"
    text = loan_desk_pack.files[path].decode().replace("verdict: fail", "verdict: pass").replace(plan, "        raise ValueError('no')\n")
    facts = PackSubject(Pack({**loan_desk_pack.files, path: text.encode()}, "edited")).facts(FINE, 0)
    assert facts.recorded == ()
    assert any("waives everything" in note for note in facts.notes)


def test_a_reference_that_stops_by_itself_is_noted_and_is_what_it_did(loan_desk_pack):
    subject = edited(
        loan_desk_pack,
        {"worlds/loan-desk/tasks/settle-fine/reference.py": ("    if late > grace:", "    raise ValueError('lost')\n    if late > grace:")},
    )
    facts = subject.facts(FINE, 0)
    assert facts.reference is not None
    assert facts.reference.answer is None
    assert [act.tool for act in facts.reference.acts] == ["read_handbook", "find_members", "list_fines", "ask_scanner"]
    assert any("reference.py stops by itself" in note for note in facts.notes)


def test_a_seed_that_the_task_can_not_be_set_on_is_no_fault(loan_desk_pack):
    subject = edited(
        loan_desk_pack, {"worlds/loan-desk/tasks/settle-fine/brief.yaml": ("WHERE f.status = 'due'", "WHERE f.status = 'lost'")}
    )
    facts = subject.facts(FINE, 0)
    assert (facts.usable, facts.fault) == (False, "")
    attempt = calls(subject, FINE)
    assert (attempt.status, attempt.where, attempt.reward) == ("unknown", "start", None)


def test_a_start_state_that_can_not_be_built_is_a_fault(loan_desk_pack):
    subject = edited(loan_desk_pack, {"worlds/loan-desk/scenario.py": ('"notices": []', '"nothing": []')})
    assert "nothing" in subject.facts(FINE, 0).fault
    attempt = calls(subject, FINE)
    assert (attempt.status, attempt.where, attempt.results) == ("error", "start", ())


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir()))
def test_what_the_solutions_left_when_they_were_found_is_what_playing_them_leaves(name):
    subject = example(name)
    for case in subject.cases():
        for facts, left in subject.solved_many([(case, 2), (case, 3)], bare={1}):
            assert facts.usable
            assert len(facts.known()) == 1 + (len(subject.entry(case).alternatives) if facts.seed == 2 else 0)
            assert list(left) == [played(subject, case, facts.seed, known) for known in facts.known()]


def test_a_solution_that_says_too_much_leaves_what_it_leaves_when_it_is_played():
    brief = "worlds/venue-desk/tasks/rebook-with-client/brief.yaml"
    subject = edited(read_pack(EXAMPLES / "venue-booking"), {brief: ("limits: {calls: 120}", "limits: {calls: 120, output: 40}")})
    [(facts, left)] = subject.solved_many([("venue-desk/rebook-with-client", 0)])
    assert list(left) == [played(subject, facts.case, 0, known) for known in facts.known()]
    assert all("output-limit" in note for one in left for note in one.notes)


def test_a_solution_that_stops_by_itself_is_left_to_be_played(loan_desk_pack):
    subject = edited(
        loan_desk_pack,
        {"worlds/loan-desk/tasks/settle-fine/reference.py": ("    if late > grace:", "    raise ValueError('lost')\n    if late > grace:")},
    )
    [(facts, left)] = subject.solved_many([(FINE, 0)])
    assert any("stops by itself" in note for note in facts.notes)
    assert left is None


# ---- plays


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir()))
def test_known_solutions_pass_and_judged_runs_get_their_verdict_and_idling_fails(name):
    subject = example(name)
    for case in subject.cases():
        facts = subject.facts(case, 5)
        idle, *rest = subject.run_many(
            [
                Session((Play(case, 5),)),
                *(Session((Play(case, 5, known.acts, known.answer),)) for known in facts.known()),
                *(Session((Play(case, 5, run.acts, run.answer),)) for _, _, run in facts.recorded),
            ]
        )
        assert idle[0].status == "fail"
        assert idle[0].changes == ()
        got = [attempts[0].status for attempts in rest]
        assert got == ["pass"] * len(facts.known()) + [right for _, right, _ in facts.recorded]


def test_an_attempt_says_what_came_back_what_changed_and_what_was_wrong(tool_hire_subject):
    case = "tool-hire/credit-late-deliveries"
    facts = tool_hire_subject.facts(case, 0)
    right = played(tool_hire_subject, case, 0, facts.reference)
    assert (right.status, right.reward, right.checks, right.fault) == ("pass", 1.0, (), "")
    assert right.prompt == facts.prompt
    assert len(right.results) == len(facts.reference.acts)
    assert right.changes is not None
    made = [one for one in right.changes if one.table == "credits"]
    assert made
    assert all(one.op == "insert" and one.new.keys() == {"rental_id", "amount_cents"} for one in made)
    marked = [one for one in right.changes if one.table == "rentals"]
    assert {(one.op, tuple(one.new.items()), tuple(one.old.items())) for one in marked} == {
        ("update", (("status", "credited"),), (("status", "delivered"),))
    }
    wrong = calls(tool_hire_subject, case, *facts.reference.acts, answer={**facts.reference.answer, "credited": 99})
    assert (wrong.status, wrong.reward, wrong.changes) == ("fail", 0.0, right.changes)
    [check] = wrong.checks
    assert check.startswith("answer 'answer credited': problem: differs")
    assert "99" in check


def test_rows_made_in_another_order_are_the_same_changes(tool_hire_subject):
    case = "tool-hire/credit-late-deliveries"
    acts = list(tool_hire_subject.facts(case, 0).reference.acts)
    grants = [n for n, act in enumerate(acts) if act.tool == "issue_credit"]
    assert len(grants) > 1
    acts[grants[0]], acts[grants[1]] = acts[grants[1]], acts[grants[0]]
    known = tool_hire_subject.facts(case, 0).reference
    assert calls(tool_hire_subject, case, *acts).changes == played(tool_hire_subject, case, 0, known).changes


def test_new_rows_are_named_by_what_they_hold_wherever_they_are_referred_to():
    schema = read_schema(
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, what TEXT, note TEXT); CREATE TABLE codes (code TEXT PRIMARY KEY NOT NULL, n INTEGER);"
        "CREATE TABLE lines (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id), n INTEGER);"
    )

    def inserted(table: str, key: object, **new: object) -> RowChange:
        return RowChange(table, "insert", (key,), {}, new, "agent", frozenset(new))

    def made(first: int, second: int) -> list[RowChange]:
        return [
            inserted("orders", first, id=first, what="tea", note=str(first)),
            inserted("orders", second, id=second, what="rice", note=None),
            inserted("lines", first + 90, id=first + 90, order_id=first, n=2),
            inserted("lines", second + 90, id=second + 90, order_id=second, n=2),
            inserted("codes", "x", code="x", n=b"\x01"),
            RowChange("lines", "update", (5,), {"order_id": 1, "n": 1}, {"order_id": first, "n": 3}, "agent", frozenset({"order_id"})),
            RowChange("orders", "delete", (3,), {"id": 3, "what": "oil", "note": None}, {}, "world", frozenset()),
        ]

    free = frozenset({("orders", "note")})
    changes = agent_changes(made(7, 8), schema, free)
    assert changes == agent_changes(made(8, 7), schema, free)
    assert [(one.table, one.op, one.key, one.new) for one in changes] == [
        ("codes", "insert", "x", {"code": "x", "n": "01"}),
        ("lines", "insert", "new-1", {"order_id": "new-1", "n": 2}),
        ("lines", "insert", "new-2", {"order_id": "new-2", "n": 2}),
        ("lines", "update", "5", {"order_id": "new-2"}),
        ("orders", "insert", "new-1", {"what": "rice"}),
        ("orders", "insert", "new-2", {"what": "tea"}),
    ]


def test_what_the_world_did_by_itself_is_not_the_agents(lab):
    case = "lab-bench/run-the-day"
    attempt = calls(lab, case, Act("wait", {"until": "2026-03-30T12:00:00"}))
    assert attempt.results[0].ok
    assert attempt.changes == ()


def test_acts_that_a_pack_has_no_place_for_are_refused(loans):
    acts = [
        Act(WRITE, {"path": "x", "text": "y"}),
        Act(DELETE, {"path": "x"}),
        Act(KEEP, {"path": "x", "text": "y"}),
        Act(SAY, {"text": "hello"}),
    ]
    attempt = calls(loans, FINE, *acts, Act("no_such_tool"), Act("clock"))
    assert [result.error for result in attempt.results[:3]] == ["no folder"] * 3
    assert "say" in attempt.results[3].error
    assert "no tool 'no_such_tool'" in attempt.results[4].error
    assert attempt.results[5].ok
    assert attempt.status == "fail"


def test_a_limit_ends_the_play_and_its_answer_is_not_given(loans):
    known = loans.facts(FINE, 1).reference
    right = calls(loans, FINE, *known.acts, answer=known.answer, seed=1)
    spent = calls(loans, FINE, *known.acts, *([Act("clock")] * 30), answer=known.answer, seed=1)
    assert right.status == "pass"
    assert spent.status == "fail"
    assert spent.notes == ("ended at act 21: call-limit",)
    assert any("got: None" in check for check in spent.checks)
    long = calls(loans, FINE, *known.acts, answer={**known.answer, "decision": "x" * 30_000}, seed=1)
    assert long.notes == (f"ended at act {len(known.acts)}: output-limit",)


@pytest.mark.parametrize("answer", [None, "waived", ["waived"], {"decision": float("nan"), "amount_cents": "\ud800"}, {1: 2}, object()])
def test_any_answer_can_be_given_and_is_graded(loans, answer):
    assert calls(loans, FINE, answer=answer).status == "fail"


def test_an_abandoned_play_is_not_graded_and_tells_what_it_did(tool_hire_subject):
    case = "tool-hire/credit-late-deliveries"
    known = tool_hire_subject.facts(case, 0).reference
    left, right = tool_hire_subject.run(
        Session((Play(case, 0, known.acts, known.answer, finish=False), Play(case, 0, known.acts, known.answer)))
    )
    assert (left.status, left.reward) == ("unknown", None)
    assert left.changes == right.changes
    assert left.results == right.results
    assert right.status == "pass"


def test_a_verifier_with_nothing_to_check_is_an_error(loan_desk_pack):
    path = "worlds/loan-desk/tasks/settle-fine/verifier.yaml"
    files = {**loan_desk_pack.files, path: b"written_by: {kind: hand}\nexpect: []\n"}
    attempt = calls(PackSubject(Pack(files, "edited")), FINE)
    assert (attempt.status, attempt.where, attempt.reward) == ("error", "finish", None)
    assert "nothing to check" in attempt.fault
    files[path] = b"written_by: {kind: hand}\nexpect: [{insert: nowhere, rows: SELECT 1 AS id}]\n"
    attempt = calls(PackSubject(Pack(files, "edited")), FINE)
    assert (attempt.status, attempt.where) == ("error", "finish")
    assert "nowhere" in attempt.fault


# ---- several plays


def variants(subject: PackSubject, case: str, seed: int) -> list[Session]:
    """Prefixes of the reference, runs with one act dropped or doubled, some abandoned, and the same ones again."""
    known = subject.facts(case, seed).reference
    assert known is not None
    acts = known.acts
    lists = [acts[:n] for n in range(0, len(acts) + 1, 3)]
    lists += [acts[:n] + acts[n + 1 :] for n in range(0, len(acts), 2)]
    lists += [acts[:n] + acts[n : n + 1] * 2 + acts[n + 1 :] for n in range(1, len(acts), 4)]
    plays = [Play(case, seed, one, known.answer, finish=n % 4 != 3) for n, one in enumerate(lists)]
    long = Play(case, seed, acts + (Act("clock"),) * 200, known.answer)
    answers = [None, {}, {"a": 1}, {"a": "x" * 200_000}, {**(known.answer or {}), "more": 1}, ["no object"]]
    said = [Play(case, seed, some, answer) for some in (acts, acts[:4], (*acts[:2], Act("clock"))) for answer in answers]
    return [Session((play,)) for play in [*plays, long, *plays[:3], Play(case, seed, acts[:5], None), *said]]


@pytest.mark.parametrize(
    ("name", "case"),
    [
        ("tool-hire", "tool-hire/credit-late-deliveries"),
        ("venue-booking", "venue-desk/cancel-or-keep"),
        ("water-lab", "lab-bench/confirm-exceedance"),
        ("chinook", "music-shop/repair-window-list"),
    ],
)
def test_plays_that_share_their_beginning_leave_what_each_leaves_alone(name, case):
    subject = example(name)
    sessions = variants(subject, case, 1)
    assert subject.run_many(sessions) == [subject.run(session) for session in sessions]


def test_plays_that_are_the_same_are_not_shared():
    one, other = Play("w/t", 0, (Act("x"),)), Play("w/t", 0, (Act("y"),))
    assert rounds([(0, one), (1, other), (2, one), (3, one)]) == [[(0, one), (1, other)], [(2, one)], [(3, one)]]


def test_a_broken_verifier_is_told_for_every_play_that_shares(loan_desk_pack):
    files = {**loan_desk_pack.files, "worlds/loan-desk/tasks/settle-fine/verifier.yaml": b"written_by: {kind: hand}\nexpect: []\n"}
    subject = PackSubject(Pack(files, "edited"))
    sessions = [Session((Play(FINE, 0, (Act("clock"),) * n),)) for n in range(4)]
    assert [attempts[0].status for attempts in subject.run_many(sessions)] == ["error"] * 4


def test_interleaved_plays_do_not_touch_each_other(venue):
    case = "venue-desk/cancel-or-keep"
    known = venue.facts(case, 0).reference
    right, idle = Play(case, 0, known.acts, known.answer), Play(case, 0)
    other = Play("venue-desk/rebook-with-client", 1, known.acts[:2])
    order = (0, 1, 2, 3, *(n for _ in known.acts for n in (0, 2)), 3, 1, 3, 2, 0, 3)
    together = venue.run(Session((right, idle, right, other), order))
    assert together == [venue.run(Session((play,)))[0] for play in (right, idle, right, other)]


def test_what_can_not_be_asked_for_is_said(loans):
    with pytest.raises(UsageError, match="has no case 'loan-desk/nothing'"):
        loans.run(Session((Play("loan-desk/nothing", 0),)))
    with pytest.raises(UsageError, match="start, each act, and the end"):
        loans.run(Session((Play(FINE, 0),), (0,)))
    with pytest.raises(UsageError, match="plain relative name"):
        loans.run(Session((Play(FINE, 0),), setting=Setting(where="../elsewhere")))


# ---- other settings


def test_another_setting_is_another_process_with_the_same_verdicts(loans):
    known = loans.facts(FINE, 1).reference
    session = Session((Play(FINE, 1, known.acts, known.answer), Play(FINE, 1)))
    plain = loans.run(session)
    strange = Setting(
        zone="Asia/Tokyo", locale="tr_TR.UTF-8", hash_seed=7, days=-4000.5, environ={"DEBUG": "1"}, where="a b", failing=("open",)
    )
    moved = Session(session.plays, setting=strange)
    single = Session(session.plays[:1], setting=strange)
    assert loans.run_many([moved, session, single]) == [plain, plain, plain[:1]]


def test_a_fork_that_dies_is_an_error_for_every_play_and_the_next_one_is_a_fresh_one(loans):
    plays = (Play(FINE, 0), Play(FINE, 1))
    attempts = loans.run(Session(plays, setting=Setting(environ={"A=B": "no such name can be"})))
    assert [(one.status, one.where) for one in attempts] == [("error", "start")] * 2
    assert "ended with 70" in attempts[0].fault
    assert "illegal environment variable name" in attempts[0].fault
    assert loans.run(Session(plays, setting=Setting(days=1))) == loans.run(Session(plays))


def test_a_process_that_is_killed_is_an_error_and_is_started_anew(loan_desk_pack):
    elsewhere = Elsewhere(loan_desk_pack, None)
    session = Session((Play(FINE, 0),), setting=Setting(days=1))
    [[right]] = elsewhere.run([session])
    os.kill(elsewhere.processes()[0], signal.SIGKILL)
    [[lost]] = elsewhere.run([session])
    assert (lost.status, lost.where) == ("error", "start")
    assert "the process ended" in lost.fault
    assert elsewhere.run([session]) == [[right]]
    process = elsewhere.processes()[0]
    elsewhere.close()
    assert elsewhere.processes() == []
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_setting_has_its_time_zone_folder_and_environment(tmp_path):
    got = in_a_child(
        f"""
import os, time
environ = {{"TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8", "DEBUG": "1"}}
take_on({{"environ": environ, "where": {str(tmp_path)!r}, "days": 0, "failing": []}})
print(json.dumps([time.strftime("%z", time.localtime(0)), os.getcwd(), dict(os.environ)]))
"""
    )
    assert got == ["+0900", str(tmp_path), {"TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8", "DEBUG": "1"}]


def in_a_child(script: str) -> object:
    """What a script prints as JSON that has the functions of the child's file."""
    code = f"import runpy, json; globals().update(runpy.run_path({child_module.__file__!r}))\n{script}"
    search = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": search})
    return json.loads(done.stdout)


def test_the_childs_clock_is_moved():
    got = in_a_child(
        """
import datetime, time
before, day = time.time(), datetime.date.today()
surround(1000, [])
print(json.dumps([round((time.time() - before) / 86400), (datetime.date.today() - day).days]))
"""
    )
    assert got in ([1000, 1000], [1000, 1001])  # the second at midnight


def test_events_fail_while_grading_runs_and_not_otherwise(tmp_path):
    (tmp_path / "x").write_text("x")
    got = in_a_child(
        f"""
around = failing(["open"])
out = [open({str(tmp_path / "x")!r}).read()]
with around():
    try:
        open({str(tmp_path / "x")!r})
    except OSError as fault:
        out.append(type(fault).__name__)
    import colorsys
out.append(open({str(tmp_path / "x")!r}).read())
print(json.dumps(out))
"""
    )
    assert got == ["x", "OSError", "x"]
