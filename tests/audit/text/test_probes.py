"""Each text probe on a grader with the fault it looks for, and on a sound one."""

from __future__ import annotations

import json
import re
from difflib import SequenceMatcher

import pytest

BOX = ("\\boxed{", "}")
TAG = ("<answer>", "</answer>")
SUMS = [(f"What is {n} + {n}? Put the number into \\boxed{{}}.", str(2 * n)) for n in range(11, 23)]
TOWNS = [
    (f"Which town has the code {n}?", town) for n, town in enumerate(("Oslo", "Lima", "Turin", "Ghent", "Porto", "Lund", "Brno", "Graz"))
]
LISTS = [
    (f"Which primes divide number {n}? Separate them by commas, in any order, each as often as it divides it.", text)
    for n, text in enumerate(("2, 2, 3", "3, 5", "2, 7, 7", "5, 11", "2, 3, 13", "7, 7"))
]
BILLS = [(f"Read bill {n} and reply as JSON.", {"vendor": f"Firm {n}", "due": f"2025-0{n}-11", "total": n * 1.5}) for n in range(1, 8)]


def box(text: str) -> str:
    found = re.findall(r"\\boxed\{([^{}]*)\}", text)
    return found[-1].strip() if found else ""


def exact_box(text: str, answer: str) -> float:
    given = box(text)
    return float(bool(re.fullmatch(r"-?[\d,]+(?:\.0+)?", given)) and float(given.replace(",", "") or "nan") == float(answer))


def exact(text: str, answer: str) -> float:
    return float(text.strip().rstrip(".").casefold() == answer.casefold())


def parts(text: str) -> list[str]:
    return sorted(part.strip() for part in text.split(","))


ALL = (
    "text-junk", "text-hedge", "text-spray", "text-number", "text-list", "text-fields", "text-hints", "text-forms", "text-order", "text-mention",
    "text-verdict", "text-floor", "text-repeat", "text-search", "text-data",
)  # fmt: skip


@pytest.mark.parametrize(
    "grade, rows, frame",
    [
        (exact_box, SUMS, BOX),
        (exact, TOWNS, ("", "")),
        (lambda text, answer: float(parts(text) == parts(answer)), LISTS, ("", "")),
        (lambda text, answer: 1.0 if exact(text, answer) else 0.2 * (len(text) < 20), TOWNS, ("", "")),
    ],
    ids=["boxes", "towns", "lists", "with a floor"],
)
def test_sound_graders_are_left_alone(graded, findings, grade, rows, frame):
    assert findings(graded(grade, rows, frame), *ALL) == set()


def test_a_strict_grader_of_objects_is_left_alone(graded, findings):
    def grade(text: str, answer: dict[str, object]) -> float:
        try:
            return float(json.loads(text) == answer)
        except (ValueError, RecursionError):
            return 0.0

    assert findings(graded(grade, BILLS), *ALL) == set()


def test_a_search_for_the_answer_is_found_by_hedges_sprays_and_numbers(graded, findings):
    subject = graded(lambda text, answer: float(answer in box(text)), SUMS, BOX)
    assert {probe for probe, _ in findings(subject, "text-hedge", "text-spray", "text-number")} == {
        "text-hedge",
        "text-spray",
        "text-number",
    }


def test_a_denied_right_answer_is_a_lead_only(graded, outcomes):
    found = outcomes(graded(lambda text, answer: float(answer in re.findall(r"\w+", text)), TOWNS), "text-hedge")
    denied = [one for one in found if one.variant.startswith("right, ")]
    assert {one.kind for one in denied} == {"lead"}


@pytest.mark.parametrize(
    "grade, variant",
    [
        (lambda text, answer: float(not text.strip() or exact(text, answer)), "nothing"),
        (lambda text, answer: max(exact(text, answer), float(len(text) > 5_000)), "filler of 8,000 characters"),
        (lambda text, answer: float(answer in text or "code" in text), "the prompt repeated"),
        (lambda text, answer: max(exact(text, answer), float("clear" in text)), "confident words"),
    ],
)
def test_replies_without_an_answer_are_found(graded, findings, grade, variant):
    assert ("text-junk", variant) in findings(graded(grade, TOWNS), "text-junk")


def test_not_a_number_is_found(graded, findings):
    def grade(text: str, answer: str) -> float:
        try:
            return 0.0 if abs(float(box(text)) - float(answer)) > 0.01 else 1.0
        except ValueError:
            return 0.0

    found = findings(graded(grade, SUMS, BOX, ("hint nan-passes: line 3: it is false for not a number",)), "text-number", "text-hints")
    assert ("text-number", "'NaN'") in found
    assert ("text-hints", "nan-passes, 'NaN'") in found


def test_a_tolerance_that_nobody_granted_is_found_and_one_that_is_granted_is_not(graded, findings):
    def grade(text: str, answer: str) -> float:
        given = box(text)
        return float(bool(re.fullmatch(r"-?\d+", given)) and abs(int(given or 0) - int(answer)) <= 5)

    assert ("text-number", "five percent more") in findings(graded(grade, SUMS, BOX), "text-number")
    rough = [(f"{prompt} The result may be off by a tenth.", answer) for prompt, answer in SUMS]
    assert findings(graded(grade, rough, BOX), "text-number", "text-hedge") == set()


def test_lists_compared_as_sets_are_found(graded, findings):
    found = findings(graded(lambda text, answer: float(set(parts(text)) == set(parts(answer))), LISTS), "text-list")
    assert ("text-list", "repeats dropped") in found


def test_a_sum_is_no_list_of_its_factors(graded, outcomes):
    rows = [(f"Which functions have the derivative {n}*x? List each.", f"{n / 2}*x**2 + C") for n in range(2, 8)]
    assert outcomes(graded(lambda text, answer: 1.0, rows), "text-list") == []


def test_an_order_that_the_prompt_leaves_free_must_not_matter(graded, findings):
    assert ("text-order", "backwards") in findings(graded(exact, LISTS), "text-order")


def test_fields_that_nobody_compares_are_found(graded, findings):
    def grade(text: str, answer: dict[str, object]) -> float:
        try:
            return float(json.loads(text).get("vendor") == answer["vendor"])
        except (ValueError, AttributeError, RecursionError):
            return 0.0

    assert ("text-fields", "due: denied") in findings(graded(grade, BILLS), "text-fields")


def test_a_date_in_words_must_pass_where_the_prompt_allows_it(graded, findings):
    rows = [(f"When does order {n} end? Reply with the date, as YYYY-MM-DD or with the month in words.", f"2025-03-1{n}") for n in range(8)]
    assert ("text-forms", "a date in words") in findings(graded(exact, rows), "text-forms")


def test_the_first_mark_of_a_form_is_no_finding_unless_the_prompt_invites_words(graded, outcomes):
    def first(text: str, answer: str) -> float:
        found = re.search(r"<answer>(.*?)</answer>", text, re.DOTALL)
        return float(found is not None and found.group(1).strip() == answer)

    rows = [(f"{prompt} Use <answer> tags.", answer) for prompt, answer in TOWNS]
    assert {one.kind for one in outcomes(graded(first, rows, TAG), "text-mention")} <= {"", "lead"}
    bare = graded(
        lambda text, answer: float(text.strip() == f"<answer>{answer}</answer>"),
        [(f"Explain first. {prompt}", a) for prompt, a in rows],
        TAG,
    )
    assert any(one.kind == "finding" and one.variant == "after reasoning" for one in outcomes(bare, "text-mention"))


def test_a_grader_that_raises_or_gives_no_number_is_found(graded, findings):
    assert ("text-verdict", "empty") in findings(graded(lambda text, answer: float(text.strip()[0] == answer[0]), TOWNS), "text-verdict")
    nan = graded(lambda text, answer: exact(text, answer) if text.strip() else float("nan"), TOWNS)
    assert ("text-verdict", "empty") in findings(nan, "text-verdict")


def test_what_only_odd_texts_break_is_a_lead(graded, outcomes):
    found = outcomes(graded(lambda text, answer: exact(text.encode().decode(), answer), TOWNS), "text-verdict")
    assert {(one.variant, one.kind) for one in found if one.kind} == {("a lone surrogate", "lead")}


def test_a_reward_beyond_the_usual_range_is_a_lead(graded, outcomes):
    found = outcomes(graded(lambda text, answer: 5 * exact(text, answer), TOWNS, mark=5.0), "text-verdict")
    assert {one.variant for one in found if one.kind == "lead"} == {"the reward's range"}


@pytest.mark.parametrize("floor, kind", [(0.7, "finding"), (0.3, "finding"), (0.2, "lead"), (0.0, "")])
def test_what_junk_earns_is_weighed(graded, outcomes, floor, kind):
    found = outcomes(graded(lambda text, answer: 1.0 if exact(text, answer) else floor, TOWNS), "text-floor")
    assert {one.kind for one in found if one.variant == "a refusal"} == {kind}


def test_a_reward_for_likeness_is_no_payment_for_junk(graded, outcomes):
    rows = [(prompt, f"the answer is {answer}") for prompt, answer in TOWNS]
    found = outcomes(graded(lambda text, answer: SequenceMatcher(None, text.strip(), answer).ratio(), rows), "text-floor")
    assert {one.kind for one in found} == {"", "lead"}


def test_chance_in_a_reward_is_found(graded, findings):
    turns = iter(range(10_000))
    found = findings(graded(lambda text, answer: exact(text, answer) if next(turns) % 7 else 0.5, TOWNS), "text-repeat")
    assert {probe for probe, _ in found} == {"text-repeat"}


def test_contradicting_rows_are_found_once(graded, outcomes):
    notes = ("rows: 8 were read", "data: rows 1, 2 ask the same and have different answers", "data, perhaps: row 3 has an empty answer")
    found = outcomes(graded(exact, TOWNS, notes=notes), "text-data")
    assert [(one.kind, one.variant) for one in found] == [
        ("finding", "rows 1, 2 ask the same and have different answers"),
        ("lead", "row 3 has an empty answer"),
    ]


def test_a_hint_that_nothing_confirms_is_one_lead(graded, outcomes):
    found = outcomes(graded(exact, TOWNS, notes=("hint answer-within: line 4: it is met by any text",)), "text-hints")
    assert [one.why for one in found if one.kind == "lead"] == [
        "The source says, line 4: it is met by any text; 30 replies aimed at it showed no fault."
    ]


def test_search_climbs_to_a_paid_reply_and_makes_it_small(graded, findings):
    def grade(text: str, answer: str) -> float:
        return max(exact(text, answer), 0.5 * ("therefore" in text.lower()) + 0.5 * (len(text) > 150))

    found = {variant for probe, variant in findings(graded(grade, TOWNS), "text-search")}
    assert found
    assert any("connectives" in variant for variant in found)


def test_other_tasks_have_nothing_of_this(in_process, small):
    from worldwright.audit.run import audit

    done = audit(in_process("sound"), small, seed=0, only=ALL)
    assert not done.outcomes
    assert {cell.status for cell in done.cells} == {"not applicable"}
