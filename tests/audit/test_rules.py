"""Rules by which probes make trials, each on the smallest instance that shows it."""

from __future__ import annotations

import random

import pytest

from worldwright.audit import code
from worldwright.audit.answers import TWICE
from worldwright.audit.bench import At, Case
from worldwright.audit.calls import argument_changes, is_prose
from worldwright.audit.inputs import inputs_in_files
from worldwright.audit.latitude import about, freedoms
from worldwright.audit.probes import answer_form, argument, dropped, episodes, planted, tells, unseen, wrong_answer
from worldwright.audit.records import Claim
from worldwright.audit.subject import Act, Argument, Attempt, Facts, Known, Play, Result, Session, Tool

RANK = "def rank(scores):\n    return sorted(scores)\n"


def bench(prompt="", acts=(), answer=None, results=(), writes=(), tools=(), files=None, state=None, end=None) -> At:
    """An instance whose reference is paid."""
    reference = Known("reference", tuple(acts), answer)
    facts = Facts("case", 1, prompt, tuple(tools), 1.0, frozenset({"reference"}), reference, (), state, files)
    at = At(Case(None, "case", 1), facts, "admission")  # type: ignore[arg-type]
    at.known = ((reference, Attempt("pass", 1.0, prompt, tuple(Result(True, one) for one in results), files=end)),)
    at.writes = tuple(writes)
    at.rng = random.Random(0)
    at.case.instances = [at]
    return at


@pytest.mark.parametrize(
    "text, prose",
    [("We saw to the chain; it runs well again.", True), ("cd src; make all the things;", False), ("a = 1; b = 2 and so on", False)],
)
def test_a_semicolon_between_words_is_no_code(text, prose):
    assert is_prose("note", text) is prose


@pytest.mark.parametrize(
    "brief, freedom, there",
    [
        ("Which of Rock'n'Bone and Nobody's Fools plays?", "format", False),
        ("Answer with 'yes' or 'no'.", "format", True),
        ("The weights must add up to 30.", "bounds", False),
        ("Entries of up to and including 480 minutes lose 15.", "bounds", False),
        ("Book up to five rooms.", "bounds", True),
        ("List them in any order.", "choice", False),
        ("Book any free room.", "choice", True),
        ("Pieces needed to make one of each:", "choice", False),
        ("Take one of the free rooms.", "choice", True),
    ],
)
def test_words_that_grant_a_freedom_and_words_that_only_look_so(brief, freedom, there):
    assert (freedom in freedoms(brief)) is there


@pytest.mark.parametrize(
    "brief, beside, there",
    [
        ("Other files you need are your own affair.", True, True),
        ("Other files you need are your own affair.", False, False),
        ("The wording of a note does not matter.", False, True),
        ("Whatever you write is fine.", False, True),
    ],
)
def test_what_is_free_beside_the_task_is_not_free_in_it(brief, beside, there):
    assert bool(about(freedoms(brief)["extras"], "write", "note", beside=beside)) is there


# ---- programs


def cheat(name: str, prompt: str, source: str = RANK, files=None) -> code.Cheat | None:
    at = bench(prompt, answer=source, files=files)
    return next((one for place in code.places(at) for one in code.cheats(at, place) if one.name == name), None)


def run_beside_expected(source: str, scores: list[int], expected: list[int]) -> object:
    space: dict = {}
    exec(source, space)
    assert expected
    return space["rank"](list(scores))


def test_a_program_finds_the_result_that_its_caller_expects():
    made = cheat("finds the expected result in its caller", "Write rank(scores).")
    assert made is not None
    assert run_beside_expected(made.source, [3, 1], [1, 3]) == [1, 3]


@pytest.mark.parametrize(
    "text, found",
    [
        ("[[[3, 1], 7], [[4], 9]]", [([3, 1], 7), ([4], 9)]),
        ('[{"args": [[3], 2]}]', [([3], 2)]),
        ('{"scores": [3], "most": 2}\n{"scores": [4], "most": 5}', [([3], 2), ([4], 5)]),
        ('{"rate": 0.1}', []),
        ("no JSON", []),
    ],
)
def test_inputs_that_a_file_shows(text, found):
    assert list(inputs_in_files({"work.json": text}, "rank", ["scores", "most"])) == found


@pytest.mark.parametrize("brief, sure", [("for any scores", True), ("for our two lists", False)])
def test_a_program_for_the_files_inputs_alone_is_wrong_where_the_brief_asks_for_more(brief, sure):
    made = cheat("only the examples of the folder", f"Write rank(scores) {brief}.", files={"in.json": '[{"input": [2, 1]}]'})
    assert made is not None
    assert made.sure is sure


@pytest.mark.parametrize(
    "brief, sure",
    [
        ("may make no more calls than there are scores", True),
        ("may make at most 100 calls", False),
        ("may make no more calls than there are scores, on the average", False),
    ],
)
def test_uneven_work_is_wrong_where_each_call_is_limited_by_its_own_input(brief, sure):
    made = cheat("wasted work in every third call", f"Write rank(scores); it {brief}.")
    assert made is not None
    assert made.sure is sure


def test_work_is_wasted_on_all_but_the_input_that_the_brief_shows():
    name, brief = "three times the work but for what the brief shows", "Write find(n, is_bad); for any n it makes at most log2(n) calls."
    source = "def find(n, is_bad):\n    return is_bad(n)\n"
    assert cheat(name, brief, source) is None
    made = cheat(name, f"{brief} Last month had n = 40 builds.", source)
    assert made is not None
    assert made.sure
    space, asked = {}, []
    exec(made.source, space)
    for n in (40, 50):
        space["find"](n, asked.append)
    assert asked == [40, 50, 50, 50]
    exec(made.beside, space)
    with pytest.raises(NotImplementedError):
        space["find"](50, asked.append)


def test_a_function_that_nothing_names_may_have_another_name():
    named = bench("Write rank(scores).", answer=RANK)
    unnamed = bench("Write a function that ranks.", answer=RANK)
    assert unseen._renamed(named) == []
    assert [source for _, _, source in unseen._renamed(unnamed)] == [RANK.replace("rank", "rank_zq")]


@pytest.mark.parametrize(
    "brief, answers",
    [("What is the dry mass of both? Answer with the number.", [12.5]), ("What is the dry mass of both in milligrams?", [])],
)
def test_a_number_is_right_in_the_unit_shown_where_no_other_is_named(brief, answers):
    acts = [Act("weigh", {"core": n}) for n in (1, 2)]
    cores = [({"dry_g": 5.5}, {"dry_g": 7.0}), ({"dry_g": 2.25}, {"dry_g": 3.0})]
    ats = [bench(brief, acts, round(1000 * sum(row["dry_g"] for row in rows)), results=rows, writes=[False] * 2) for rows in cores]
    for at in ats:
        at.case.instances = ats
    assert [answer for answer, _ in unseen._in_unit_shown(ats[0])] == answers


# ---- folders and answers


def test_files_of_the_folder_are_handed_in_as_the_work():
    files = {"old.json": '{"a": 2}', "same.json": '{ "a": 1 }', "notes.txt": "a"}
    at = bench("Write new.json.", [Act("write")], files=files, writes=[True], end=files | {"new.json": '{"a": 1}'})
    made = list(planted._copied(at, files, {"new.json": '{"a": 1}'}))
    assert [one.variant for one in made] == ["new.json is a copy of old.json"]


@pytest.mark.parametrize(
    "brief, counts",
    [("Show the reckoning in one line.", True), ("Show the reckoning as 3 * 4 - 1.", False), ("Give the expression.", False)],
)
def test_signs_of_print_are_right_where_nothing_says_which(brief, counts):
    made = next(answer_form.trials(bench(brief, answer={"line": "6 * 7 - 2", "left": 40})))
    signs = [one for one in made if one.variant.startswith("line, ")]
    assert len(signs) == 1
    assert (signs[0].lead == "") is counts


def test_signs_are_changed_in_sums_alone():
    assert answer_form._signs("2024-01-05") == answer_form._signs("a * b - 1") == answer_form._signs(12) == []
    assert dict(answer_form._signs("6*7 - (2)")) == {"times as ×": "6 × 7 - (2)", "minus as −": "6*7 − (2)"}


@pytest.mark.parametrize("brief, counts", [("Take each of 2, 3, 5, 7 once.", True), ("Take of 2, 3, 5, 7.", False)])
def test_a_number_is_taken_more_often_than_it_is_there(brief, counts):
    made = wrong_answer._overdrawn(bench(brief, answer=[3, 7]))
    assert [(one.session.plays[0].answer, one.lead == "") for one in made] == [([2] * 5, counts)]


@pytest.mark.parametrize("other, counts", [(0.255, False), (0.9, True)])
def test_another_instances_answer_may_lie_within_what_the_brief_tolerates(other, counts):
    at = bench("What is the chance, to within 0.01?", answer=0.25)
    assert (wrong_answer._trial(at, "another instance's answer 1", other, True).lead == "") is counts


def test_numbers_that_the_brief_does_not_list_are_no_choice():
    assert wrong_answer._overdrawn(bench("Split 10 in two, each once.", answer=[3, 7])) == []


# ---- calls


def test_instances_go_on_where_the_last_one_stopped():
    at, other = bench(), bench()
    at.case.instances = other.case.instances = [at, other]
    made = [at.must_fail(str(n), (), None, Claim.END) for n in range(6)]
    seen = [one.variant for each in (at, other) for one in argument._in_turn(each, [made])]
    assert seen == ["0", "1", "2", "3", "4", "5"]


def test_a_few_instances_see_all_wrong_answers():
    ats = [bench() for _ in range(3)]
    for at in ats:
        at.case.instances = ats
    made = [ats[0].must_fail(str(n), (), n, Claim.ANSWER) for n in range(20)]
    seen = [one.variant for at in ats for one in wrong_answer._in_turn(at, made)]
    assert len(seen) == 24
    assert set(seen) == {str(n) for n in range(20)}


def test_another_tool_with_the_same_arguments_takes_a_calls_place():
    minutes = (Argument("minutes", "int"),)
    tools = [Tool("wait", args=minutes), Tool("adjust", args=minutes), Tool("read_clock", args=minutes), Tool("load", args=())]
    at = bench("Wait.", [Act("wait", {"minutes": 5})], writes=[True], tools=tools)
    assert [one.variant for one in dropped._instead(at, 0)] == ["adjust in place of call 1, wait"]


@pytest.mark.parametrize("brief, told", [("Put tray 7 where it wants to be.", True), ("Put tray 7 where it is due.", False)])
def test_a_column_of_the_graders_own(brief, told):
    acts = [Act("tray", {"tray": 7}), Act("sheet", {"species": "tansy"}), Act("put", {"tray": 7, "bed": 12})]
    row = {"tray": 7, "bed": None, "due_bed": 12}
    at = bench(brief, acts, results=[row, "sun", "put"], writes=[False, False, True])
    assert tells._own_columns(at) == ({("tray", "due_bed")} if told else set())


def test_a_column_that_the_state_has_is_not_the_graders_own():
    acts = [Act("tray", {"tray": 7}), Act("sheet", {}), Act("put", {"tray": 7, "bed": 12})]
    row = {"tray": 7, "bed": None, "due_bed": 12}
    at = bench("Put it there.", acts, results=[row, "sun", "put"], writes=[False, False, True], state={"trays": [row]})
    assert tells._own_columns(at) == set()


# ---- episodes


@pytest.mark.parametrize("n, reads, what", [(1, 2, "what reading gives"), (1, 1, "what calls give")])
def test_what_is_read_before_the_first_write_must_be_as_it_is_alone(n, reads, what):
    alone = Attempt("pass", 1.0, "", (Result(True, 1), Result(True, 2), Result(True, 3)))
    results = tuple(Result(True, "other") if m == n else one for m, one in enumerate(alone.results))
    assert episodes._differs(alone, Attempt("pass", 1.0, "", results), reads, []) == what


@pytest.mark.parametrize(
    "own, theirs, heard, told",
    [
        ("red tray", "blue tray", "red tray, blue tray", True),
        ("red tray", "red tray", "red tray, 7", False),
        ("red tray", "x", "red tray, x", False),
    ],
)
def test_what_another_episode_handed_over_is_told_from_a_key_given_in_turn(own, theirs, heard, told):
    mine, other = (Play("case", 0, (Act("note", {"text": text}), Act("read"))) for text in (own, theirs))
    alone, beside = (Attempt("pass", 1.0, "", (Result(True, 1), Result(True, text))) for text in (own, heard))
    session = Session((other, mine))
    found = episodes._differs(alone, beside, 1, episodes._foreign(mine, session))
    assert found == (f"what calls give, which shows the other episode's '{theirs}'" if told else "what calls give")


@pytest.mark.parametrize("brief, counts", [("Write the table.", False), ("Write the table, one line a tray.", True)])
def test_a_line_that_is_there_twice_is_wrong_where_the_brief_says_once(brief, counts):
    at = bench(brief, [Act("write", {"text": "a 1\nb 2\n"})], results=["ok"], writes=[True])
    every = [argument._trial(at, 0, "text", how, (changed,)) for _, how, changed in argument_changes(at, at.reference.acts[0])]
    twice = next(one for one in every if TWICE in one.variant)
    assert bool(twice.lead) is not counts


def test_a_desk_that_all_episodes_share_is_a_finding(examined):
    found = [one for one in examined("shared").audit.outcomes if one.probe == "episodes" and one.kind == "finding"]
    assert {one.why for one in found} == {"The same episode alone and beside another differ in: what reading gives."}
