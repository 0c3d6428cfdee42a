"""Facts and sessions: what an environment offers, and plays in any order, in one process."""

from __future__ import annotations

import signal

import pytest

from worldwright.audit.subject import DELETE, KEEP, SAY, WRITE, Act, Change, Opaque, Play, Result, Session
from worldwright.errors import UsageError

DESK = '''
import enum, os, pathlib, random, shutil, tempfile
from decimal import Decimal
from typing import Literal, Optional

LOG = []

class Ticket:
    def __init__(self, number): self.number = number

class Kind(enum.Enum):
    NEW, OLD = "new", "old"

class Episode:
    pass_mark = 0.5

    def __init__(self, case, seed):
        self.rng = random.Random(f"{case}{seed}")
        self.case, self.seed = case, seed
        self.rows = [{"id": n, "state": "open"} for n in range(1, 4)]
        self.prompt = f"Shut {self.rng.choice((1, 2, 3))} at {case}"
        self.wanted = int(self.prompt.split()[1])
        self.tools = [self.shut, self.look, self.sort, self.fail, self.refuse, self.ticket]
        self.where = pathlib.Path(tempfile.mkdtemp(prefix="desk-"))
        (self.where / "notes").write_text("read me")
        (self.where / ".git").mkdir()
        (self.where / ".git" / "HEAD").write_text("ref")
        self.turns = 0
        LOG.append(f"start {case}{seed}")

    def shut(self, row: int, how: Literal["soft", "hard"] = "soft", note: Optional[str] = None) -> str:
        """Shut a row."""
        for one in self.rows:
            if one["id"] == row:
                one["state"] = "shut"
                LOG.append(f"shut {self.case}{self.seed}")
                return f"shut {row}"
        raise ValueError(f"no row {row}")

    def look(self) -> list:
        """Rows."""
        return self.rows

    def sort(self, kind: Kind) -> str:
        """By kind."""
        return kind.name

    def fail(self) -> None: raise KeyError("broken")
    def refuse(self) -> None: raise TypeError("not like this")
    def ticket(self, ticket: object = None) -> object:
        return getattr(ticket, "number", "no ticket")

    def reply(self, text):
        self.turns += 1
        return f"{self.turns}: {text}" if self.turns < 3 else None

    def reference(self): return [("look", {}), ("ticket", {"ticket": Ticket(4)}), ("shut", {"row": self.wanted})], Ticket(self.wanted)
    def alternatives(self): return [([("shut", {"row": self.wanted, "how": "hard"})], self.wanted)]
    def state(self): return {"rows": self.rows, "amounts": [{"id": 1, "paid": Decimal("1.10")}]}
    def folder(self): return self.where
    def finish(self, answer):
        LOG.append(f"finish {self.case}{self.seed}")
        if answer == "log": return float(LOG.index(f"finish {self.case}{self.seed}"))
        if answer == "kept": return 1 if (self.where / "kept").read_text() == "mine" else 0
        answer = getattr(answer, "number", answer)
        os.environ["CHECKED"] = "yes"
        return {"none": None, "nan": float("nan"), "text": "good", "half": 0.5 - 1e-12, "true": True}.get(answer, answer == self.wanted and [row["id"] for row in self.rows if row["state"] == "shut"] == [self.wanted])
    def close(self):
        shutil.rmtree(self.where)
        if self.case == "b": raise RuntimeError("can't close")

class Desk:
    name = "desk"
    def __init__(self):
        os.environ["DESK_KEY"] = "sesame"
    def cases(self): return ["a", "b"]
    def start(self, case, seed):
        if case == "broken": raise LookupError("no such case")
        return Episode(case, seed)

def make(): return Desk()
'''


@pytest.fixture(scope="module")
def desk(made_once):
    return made_once(DESK, "desk", seconds=60)


def wanted(desk, seed: int = 0) -> int:
    return int(desk.facts("a", seed).prompt.split()[1])


# Facts


def test_facts_are_all_that_is_offered(desk):
    facts = desk.facts("a", 3)
    assert facts.fault == ""
    assert facts.notes == ()
    assert facts.has == {"reference", "alternatives", "state", "folder", "reply", "pass_mark"}
    assert (facts.case, facts.seed, facts.pass_mark) == ("a", 3, 0.5)
    assert [tool.name for tool in facts.tools] == ["shut", "look", "sort", "fail", "refuse", "ticket"]
    shut = facts.tool("shut")
    assert [(one.name, one.type, one.required, one.choices, one.default) for one in shut.args] == [
        ("row", "int", True, (), None), ("how", "str", False, ("soft", "hard"), "soft"), ("note", "str", False, (), None),
    ]  # fmt: skip
    assert facts.tool("sort").args[0].choices == ("new", "old")
    assert facts.files == {"notes": "read me", ".git/HEAD": "ref"}
    assert facts.environ == {"DESK_KEY": "sesame"}
    assert str(facts.state["amounts"][0]["paid"]) == "1.10"
    assert facts.reference.acts[0] == Act("look")
    assert facts.alternatives[0].acts[0].args == {"row": facts.alternatives[0].answer, "how": "hard"}
    assert facts.alternatives[0].name == "alternative-1"


def test_the_same_instance_is_the_same_and_another_isnt(desk):
    assert desk.facts("a", 1) == desk.facts("a", 1)
    assert len({desk.facts("a", seed).prompt for seed in range(12)}) == 3


def test_values_that_stay_behind_are_used_where_they_are(desk):
    facts = desk.facts("a", 0)
    assert isinstance(facts.reference.answer, Opaque)
    assert facts.reference.acts[1].args["ticket"].at == "1.ticket"
    (attempt,) = desk.run(Session((Play("a", 0, facts.reference.acts, facts.reference.answer),)))
    assert (attempt.status, attempt.fault, [result.value for result in attempt.results[1:]]) == ("pass", "", [4, f"shut {wanted(desk)}"])


def test_a_case_that_can_not_be_started_is_a_fault(desk):
    assert desk.facts("broken", 0).fault.startswith("start: LookupError: no such case (desk.py:")
    assert desk.cases() == ["a", "b"]


def test_broken_and_odd_capabilities_are_notes(made):
    subject = made("""
    class Episode:
        prompt = {"role": "user"}
        count = 0
        def finish(self, answer): return 1
        tools = None
        def reference(self): self.count += 1; raise KeyError("lost")
        def alternatives(self): self.count += 1; return [([("x", {})], 1), 3]
        def state(self): Episode.count += 1; return {"t": [{"n": Episode.count}]}
        def reply(self): raise NotImplementedError
        def folder(self): raise NotImplementedError
        def close(self): 1 / 0
    class Environment:
        def cases(self): return [1, 2]
        def start(self, case, seed): return Episode()
    def make(): return Environment()
    """)
    facts = subject.facts("1", 0)
    assert facts.has == {"state", "reply"}
    assert facts.prompt == "{'role': 'user'}"
    assert (facts.reference, facts.tools, facts.files) == (None, (), None)
    notes = " | ".join(facts.notes)
    for part in (
        "state() differs when it is asked twice",
        "reference: KeyError: 'lost'",
        "alternatives: TypeError",
        "close() raised ZeroDivisionError",
    ):
        assert part in notes
    assert subject.cases() == ["1", "2"]
    (attempt,) = subject.run(Session((Play("1", 0, (Act(SAY, {"text": "hi"}),)),)))
    assert "differs when it is asked twice" in attempt.notes[0]
    (attempt,) = subject.run(Session((Play("1", 0, (Act(SAY, {"text": "hi"}),), unseen=True),)))
    assert attempt.changes is None
    assert not any("asked twice" in note for note in attempt.notes)


# Plays


def test_a_play_leaves_results_changes_files_and_reward(desk):
    row = wanted(desk)
    acts = (
        Act("look"),
        Act("shut", {"row": row}),
        Act("shut", {"row": 9}),
        Act("shut", {"rows": 1}),
        Act("refuse"),
        Act("open"),
        Act("sort", {"kind": "old"}),
    )
    (attempt,) = desk.run(Session((Play("a", 0, acts, row),)))
    assert (attempt.status, attempt.reward, attempt.prompt, attempt.fault, attempt.touched) == ("pass", 1.0, f"Shut {row} at a", "", ())
    assert attempt.changes == (Change("rows", "update", str(row), {"state": "open"}, {"state": "shut"}),)
    assert attempt.files == {"notes": "read me", ".git/HEAD": "ref"}
    assert attempt.results[0].value[0] == {"id": 1, "state": "open"}
    assert attempt.results[1] == Result(True, f"shut {row}")
    assert attempt.results[2] == Result(False, error="no row 9")
    assert "unexpected keyword argument 'rows'" in attempt.results[3].error
    assert attempt.results[4:] == (Result(False, error="not like this"), Result(False, error="no such tool"), Result(True, "OLD"))


@pytest.mark.parametrize(
    "answer, status, reward, fault",
    [
        ("none", "unknown", None, ""),
        ("nan", "error", None, "the reward is not a number (nan)"),
        ("text", "error", None, "TypeError: the reward is a str, not a number: 'good'"),
        ("half", "pass", 0.5 - 1e-12, ""),
        ("true", "pass", 1.0, ""),
        (None, "fail", 0.0, ""),
        ([1], "error", None, "TypeError: unhashable type: 'list' (desk.py:"),
    ],
)
def test_rewards_are_numbers_or_no_verdict(desk, answer, status, reward, fault):
    (attempt,) = desk.run(Session((Play("a", 0, (), answer),)))
    assert attempt.status == status
    assert fault in attempt.fault
    assert (attempt.where == "finish") == (status == "error")
    if status != "error":
        assert attempt.reward == reward


def test_a_crash_ends_its_play_alone(desk):
    acts = (Act("look"), Act("fail"), Act("look"))
    one, other = desk.run(Session((Play("a", 0, acts), Play("a", 0, (Act("look"),)))))
    assert (one.status, one.where, len(one.results)) == ("error", "act", 2)
    assert one.results[1].crash == one.fault
    assert one.fault.startswith("KeyError: 'broken' (desk.py:")
    assert other.status == "fail"


def test_an_abandoned_play_has_no_verdict_but_an_end(desk):
    row = wanted(desk)
    (attempt,) = desk.run(Session((Play("a", 0, (Act("shut", {"row": row}),), row, finish=False),)))
    assert (attempt.status, attempt.reward, len(attempt.changes)) == ("unknown", None, 1)


def test_plays_share_a_process_in_any_order(desk):
    plays = (Play("a", 0, (Act("shut", {"row": 1}),), "log"), Play("a", 1, (Act("shut", {"row": 1}),), "log"))
    in_turn = [attempt.reward for attempt in desk.run(Session(plays))]
    mixed = [attempt.reward for attempt in desk.run(Session(plays, (1, 0, 0, 1, 1, 0)))]
    assert (in_turn, mixed) == ([2.0, 5.0], [5.0, 4.0])
    assert [attempt.reward for attempt in desk.run(Session(plays[:1]))] == [2.0]


@pytest.mark.parametrize("order", [(0, 0), (0, 0, 0, 0), (0, 0, 1), (0, 0, 0, 7)])
def test_an_order_that_is_none_is_the_callers_fault(desk, order):
    with pytest.raises(UsageError, match="order"):
        desk.run(Session((Play("a", 0, (Act("look"),)),), order))


def test_a_value_that_can_not_be_sent_is_the_callers_fault(desk):
    with pytest.raises(UsageError, match="can't be sent"):
        desk.run(Session((Play("a", 0, (), object()),)))


def test_a_failing_close_is_a_note(desk):
    (attempt,) = desk.run(Session((Play("b", 0),)))
    assert attempt.status == "fail"
    assert attempt.notes[0].startswith("close() raised RuntimeError: can't close")


def test_talk_and_files(desk):
    acts = (
        Act(SAY, {"text": "a"}), Act(SAY, {"text": "b"}), Act(SAY, {"text": "c"}), Act(WRITE, {"path": "x/y", "text": "é"}),
        Act(DELETE, {"path": "notes"}), Act(DELETE, {"path": "notes"}), Act(WRITE, {"path": "../z", "text": ""}), Act(KEEP, {"path": "kept", "text": "mine"}),
        Act(WRITE, {"path": "kept", "text": "yours"}),
    )  # fmt: skip
    (attempt,) = desk.run(Session((Play("a", 0, acts, "kept"),)))
    assert [result.value for result in attempt.results[:3]] == ["1: a", "2: b", None]
    assert [result.ok for result in attempt.results[3:]] == [True, True, False, False, True, True]
    assert "outside the folder" in attempt.results[6].error
    assert set(attempt.files) == {".git/HEAD", "x/y", "kept"}
    assert attempt.files["x/y"] == "é"


@pytest.mark.parametrize(
    "seeds, different", [("random.seed(7)", 1), ("random.random()", 3), ("random.setstate(random.Random(3).getstate())", 1)]
)
def test_randomness_is_shared_between_requests_only_if_the_import_seeds_it(made, seeds, different):
    subject = made(f"""
    import random
    {seeds}
    class Episode:
        prompt, tools = "?", []
        def finish(self, answer): return random.random()
    class Environment:
        def cases(self): return ["a"]
        def start(self, case, seed): return Episode()
    def make(): return Environment()
    """)
    assert len({attempts[0].reward for attempts in subject.run_many([Session((Play("a", 0),))] * 3)}) == different


def test_what_is_not_there_is_refused(made):
    subject = made("""
    class Episode:
        prompt, tools = "?", []
        def finish(self, answer): return answer
    class Environment:
        def cases(self): return ["a"]
        def start(self, case, seed): return Episode()
    def make(): return Environment()
    """)
    acts = (Act(SAY, {"text": "a"}), Act(WRITE, {"path": "x", "text": ""}), Act("x"))
    (attempt,) = subject.run(Session((Play("a", 0, acts, 1),)))
    assert [result.error for result in attempt.results] == ["there is nobody to talk to", "there is no folder", "no such tool"]
    assert (attempt.status, attempt.changes, attempt.files) == ("pass", None, None)
    assert subject.facts("a", 0).has == frozenset()


def test_many_sessions_are_as_one_after_the_other(desk):
    row = {seed: wanted(desk, seed) for seed in range(3)}
    sessions = [Session((Play("a", n % 3, (Act("shut", {"row": row[n % 3]}),), row[n % 3] if n % 2 else None),)) for n in range(80)]
    one_by_one = [desk.run(session) for session in sessions[:6]]
    together = desk.run_many(sessions, workers=2)
    assert together[:6] == one_by_one
    assert [attempts[0].status for attempts in together] == ["pass" if n % 2 else "fail" for n in range(80)]


def test_one_that_dies_costs_the_others_nothing(made):
    subject = made("""
    import os
    class Episode:
        prompt, tools = "?", []
        def finish(self, answer):
            if answer == "die": os._exit(1)
            if answer == "kill": os.kill(os.getppid(), 9)
            return answer
    class Environment:
        def cases(self): return ["a"]
        def start(self, case, seed): return Episode()
    def make(): return Environment()
    """)
    answers = [1, "die", 0, "kill", 1, "die", 1]
    statuses = [attempts[0].status for attempts in subject.run_many([Session((Play("a", 0, (), answer),)) for answer in answers])]
    assert [status for status, answer in zip(statuses, answers, strict=True) if answer in (0, 1)] == ["pass", "fail", "pass", "pass"]
    assert statuses[1] == statuses[3] == statuses[5] == "error"


def test_an_interrupt_leaves_no_answer_to_another_question(made):
    subject = made("""
    import time
    class Episode:
        prompt, tools = "?", []
        def finish(self, answer):
            time.sleep(max(0, answer - 1))
            return answer
    class Environment:
        def cases(self): return ["a"]
        def start(self, case, seed): return Episode()
    def make(): return Environment()
    """)

    def interrupt(number, frame):
        raise InterruptedError

    subject.cases()
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(InterruptedError):
            subject.run_many([Session((Play("a", 0, (), answer),)) for answer in (1, 100, 1)])
    finally:
        signal.signal(signal.SIGALRM, before)
    assert [attempts[0].status for attempts in subject.run_many([Session((Play("a", 0, (), answer),)) for answer in (0, 1)])] == [
        "fail",
        "pass",
    ]


def test_every_request_finds_the_module_as_after_its_import(made):
    subject = made("""
    import random, os
    COUNT = [0]
    class Episode:
        tools = []
        def __init__(self):
            COUNT[0] += 1
            here = sorted(os.listdir("/tmp" if os.path.expanduser("~").startswith("/tmp/home") else os.path.expanduser("~")))
            self.prompt = f"{COUNT[0]} {here}"
            for place in (os.path.expanduser("~/left"), "/tmp/left"):
                try:
                    with open(place, "w") as file: file.write("x")
                except OSError:
                    pass
        def finish(self, answer): return random.random()
    class Environment:
        def cases(self): return ["a"]
        def start(self, case, seed): return Episode()
    def make(): return Environment()
    """)
    done = subject.run_many([Session((Play("a", 0),))] * 3)
    assert len({attempts[0].prompt for attempts in done}) == 1
    assert done[0][0].prompt.startswith("1 ")
    assert len({attempts[0].reward for attempts in done}) == 3
    assert [attempt.prompt[:2] for attempt in subject.run(Session((Play("a", 0),) * 2))] == ["1 ", "2 "]
