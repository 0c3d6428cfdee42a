"""What reading can reach, rows that nothing leads to, rules set for the brief's examples alone, and journals."""

from __future__ import annotations

import pytest

from worldwright.audit.bench import At, Case
from worldwright.audit.ends import Ends, Loose, Noise, end_of, loose_of
from worldwright.audit.explore import explored
from worldwright.audit.probes import grounding, tells, unseen, visible
from worldwright.audit.subject import Act, Argument, Attempt, Change, Facts, Known, Result, Session, Tool

LANES = {"Mill": ["P-104", "P-733"], "Brook": ["P-418"]}
READ = (
    Tool("list_lanes", "The lanes.", (), False),
    Tool("list_plots", "The plots of a lane.", (Argument("lane", "str", True),), False),
)


class Books:
    """Answers reading calls from a table, and nothing else."""

    name, kind, digest = "books", "fake", "0" * 8

    def __init__(self, lanes: dict[str, list[str]], extra: dict[str, object] | None = None) -> None:
        self.lanes, self.extra = lanes, extra or {}

    def run(self, session: Session, watch: bool = False) -> list[Attempt]:
        del watch
        return [Attempt("unknown", results=tuple(map(self._result, play.acts))) for play in session.plays]

    def _result(self, act: Act) -> Result:
        if act.tool == "list_lanes":
            return Result(True, [*self.lanes, *self.extra])
        lane = act.args["lane"]
        known: dict[str, object] = {**self.lanes, **self.extra}
        return Result(True, known[lane]) if lane in known else Result(False, error="no such lane")


def desk(books: Books, key: str, answer: object = None, prompt: str = "Release the plot that Ada gives up.") -> At:
    acts = (Act("list_lanes"), Act("release", {"plot": key}))
    reference = Known("reference", acts, answer)
    rows = [{"plot": plot, "lane": lane} for lane, plots in LANES.items() for plot in plots]
    tools = (*READ, Tool("release", "Release a plot.", (Argument("plot", "str", True),), True))
    facts = Facts("case", 1, prompt, tools, 1.0, frozenset({"reference", "state", "calls"}), reference, (), {"plots": rows})
    at = At(Case(books, "case", 1), facts, "admission")  # type: ignore[arg-type]
    at.known = ((reference, Attempt("pass", 1.0, prompt, (Result(True, list(LANES)), Result(True, "released")))),)
    at.writes = (False, True)
    at.case.instances = [at]
    return at


def test_reading_goes_on_with_what_reading_gave():
    calls = explored(desk(Books(LANES), "P-733"))
    assert Act("list_plots", {"lane": "Brook"}) in [act for act, _ in calls]
    assert all(act.tool != "release" for act, _ in calls)


@pytest.mark.parametrize("lanes, clean", [(LANES, True), ({"Mill": ["P-104"], "Brook": ["P-418"]}, False)])
def test_a_row_that_no_reading_leads_to(lanes, clean):
    at = desk(Books(lanes), "P-733")
    assert [one.ok for one in grounding.look(at.case, [at])] == [clean]


@pytest.mark.parametrize(
    "said, clean", [("Plots are P-104 to P-733.", True), ("Plots are P-104 to P-200.", False), ("P-104 and P-733", False)]
)
def test_a_row_between_two_that_are_told_can_be_named(said, clean):
    at = desk(Books({"Mill": []}), "P-418", prompt=f"Release the plot that Ada gives up. {said}")
    assert [one.ok for one in grounding.look(at.case, [at])] == [clean]


def test_a_key_that_the_brief_names_needs_no_finding():
    at = desk(Books({}), "P-733", prompt="Release P-733.")
    assert grounding.rule(at.case)


@pytest.mark.parametrize("column, told", [("gold_plot", True), ("plot", False)])
def test_a_row_of_the_graders_that_holds_the_answer(column, told):
    at = desk(Books(LANES, {"question": [{column: "P-733"}]}), "P-733", answer="P-733")
    assert bool(tells._key_row(at)) is told


@pytest.mark.parametrize("prompt, known", [("Record the reason.", False), ("Record the reason: WX is weather, MX a fault.", True)])
def test_a_code_of_two_letters_must_stand_somewhere(prompt, known):
    at = desk(Books(LANES), "P-733", prompt=prompt)
    assert unseen._known(at, 1, "WX") is known


SAMPLES = "Write a rule for every mark. A few samples: KA-071, KA-312, TB-550."


@pytest.mark.parametrize(
    "prompt, calls",
    [(SAMPLES, ["KA-071", "KA-312", "TB-550"]), ("Write a rule for KA-071, KA-312 and TB-550.", []), ("Write the rules.", [])],
)
def test_rules_for_the_examples_alone(prompt, calls):
    at = desk(Books(LANES), "P-733", prompt=prompt)
    acts = tuple(Act("put_rule", {"prefix": one, "room": "hall"}) for one in ("KA", "TB"))
    at.facts = Facts("case", 1, prompt, (), 1.0, frozenset(), Known("reference", acts, None))
    at.writes = (True, True)
    assert [act.args["prefix"] for act in visible._narrowed(at)] == calls


# ---- ends


def put(table: str, key: str, op: str = "insert", **new: object) -> Change:
    return Change(table, op, key, {}, new)  # type: ignore[arg-type]


def ends(*known: tuple[Change, ...]):
    return tuple(end_of(str(n), Attempt("pass", changes=changes), None) for n, changes in enumerate(known))


LIST_A = (put("tracks", "[9,11]", list=9, track=11), put("tracks", "[9,12]", list=9, track=12))
LIST_B = (put("tracks", "[9,21]", list=9, track=21), put("tracks", "[9,12]", list=9, track=12))


@pytest.mark.parametrize(
    "changes, stands",
    [
        ((put("tracks", "[9,31]", list=9, track=31), put("tracks", "[9,12]", list=9, track=12)), "near"),
        ((put("tracks", "[9,12]", list=9, track=12),), "other"),
        ((put("tracks", "[7,31]", list=7, track=31), put("tracks", "[9,12]", list=9, track=12)), "other"),
        ((*LIST_A, put("tracks", "[9,40]", list=9, track=40)), "other"),
    ],
)
def test_rows_in_which_right_ends_differ_are_open_and_their_number_is_not(changes, stands):
    assert Ends(ends(LIST_A, LIST_B), Noise()).relation(changes) == stands


def test_what_is_open_on_one_instance_is_open_on_the_next():
    loose = loose_of(ends(LIST_A, LIST_B), Noise())
    other = (put("tracks", "[5,77]", list=5, track=77),)
    changed = (put("tracks", "[5,78]", list=5, track=78),)
    assert Ends(ends(other), Noise()).relation(changed) == "other"
    assert Ends(ends(other), Noise(), loose).relation(changed) == "near"


def test_numbers_of_rows_that_right_ends_leave_open_have_a_least():
    one, two = (put("runs", "new-1", by="MS-1"),), (put("runs", "new-1", by="MS-1"), put("runs", "new-2", by="MS-2"))
    assert loose_of(ends(one, two), Noise()) == Loose(frozenset({("runs", "by")}), frozenset(), frozenset({("runs", "insert")}))
    assert Ends(ends(one, two), Noise()).relation((*two, put("runs", "new-3", by="MS-3"))) == "near"
    assert Ends(ends(one, two), Noise()).relation(()) == "other"


def test_a_table_to_which_every_write_adds_beside_its_change_is_a_journal():
    case = Case(Books(LANES), "case", 1)  # type: ignore[arg-type]
    first = (put("hives", "1", "update", supers=3), put("log", "1", field="supers"))
    case._find_journals([(), first, (*first, put("hives", "2", "update", queen="red"), put("log", "2", field="queen"))])
    assert case.journals == {"log"}


def test_a_table_that_is_all_that_writes_change_is_no_journal():
    case = Case(Books(LANES), "case", 1)  # type: ignore[arg-type]
    case._find_journals([(), (put("readings", "1", value=3),), (put("readings", "1", value=3), put("readings", "2", value=4))])
    assert case.journals == frozenset()
