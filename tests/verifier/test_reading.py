"""Reading takes work that grows with a text's length alone, whatever it holds, and one grading reads only so much."""

from __future__ import annotations

import contextlib
import itertools
import random
import re
import sys
from collections.abc import Iterator
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldwright.verifier import amounts, compare, dates, ids, scan, statements
from worldwright.verifier.ids import Ids, pieces_of
from worldwright.verifier.reading import BUDGET, LONGEST, TextFault, UnreadText, one_grading, read, spend
from worldwright.verifier.statements import mentioned, missing, strays

PARTS = [
    "a-", "a1-", "a/", "1", "1 ", "1,", "1.", "1,111", "1.1.1", "111 111 ", "1'111", "1-1-", "9999999-", "12:", "12:30 ", "t12:00",
    "eur ", "eur 1-", "€", "€ 1 ", "eur:=()", "eur |||||", "90,- ", "45 cents and ", "one euro ", "1k", "twenty", "twenty-first of march ",
    "first of ", "1 may ", "1-3 may ", "march 1-", "2026-03-04 ", "20260304", "4.3.26 ", "clause 3.25 and ", "§", "9 am ", "b-10433 ",
    "b 10433 ", "fr-2026-17 ", "word—", "–", "１２ ", "é", "\n\n", "* * *",
]  # fmt: skip
IDS = ["B-10432", "FR-2026-17", "A-A-A-1"]


def texts() -> Iterator[str]:
    rng = random.Random(1)
    for part in PARTS:
        yield part * LONGEST
    for _ in range(12):
        some = rng.sample(PARTS, rng.randint(2, 6))
        yield "".join(rng.choice(some) for _ in range(LONGEST))


def read_everything(text: str) -> None:
    with one_grading():
        for kind in ("money", "date", "time", "number"):
            with contextlib.suppress(UnreadText):
                strays(text, kind, [1])
        assert isinstance(missing(text, "id", IDS) + strays(text, "id", IDS) + mentioned(text, "text", ["secret", "b-1"]), list)


def calls_of(text: str) -> int:
    """How many functions, built-in ones too, are called to read a text everything that can be asked of it."""
    count = 0

    def note(frame: Any, event: str, arg: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        read_everything(text)
    finally:
        sys.setprofile(before)
    return count


def test_twice_the_text_is_twice_the_work() -> None:
    for text in texts():
        calls = [calls_of(text[:size]) for size in (1_500, 3_000, 6_000)]
        for one, double in itertools.pairwise(calls):
            assert double < 2.5 * one + 200, (text[:40], calls)


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    for module in (amounts, compare, dates, ids, scan, statements):
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                yield f"{module.__name__}.{name}", value


def unbounded(tree: Any) -> Iterator[Any]:
    """The repeats without an upper bound that may be given back and tried again."""
    for code, argument in tree:
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT) and argument[1] == codes.MAXREPEAT:
            yield code
        parts = argument if isinstance(argument, (tuple, list)) else [argument]
        for part in [*parts, *(one for inner in parts if isinstance(inner, list) for one in inner)]:
            if isinstance(part, parser.SubPattern):
                yield from unbounded(part)


def test_the_pattern_that_reads_can_not_run_away() -> None:
    """Every repeat is bounded, or takes all it can and gives nothing back; and a run of digits is never begun in its middle."""
    assert list(unbounded(parser.parse(r"(?:a|(b+c))", 0)))
    assert not list(unbounded(parser.parse(r"(?:a|(b++c{1,3}))", 0)))
    found = dict(patterns())
    assert len(found) > 15
    for name in ("PATTERN", "_FIGURE", "_THEN_AHEAD", "_RUN", "_WORD", "_ENDS_DATE"):
        pattern = found[f"worldwright.verifier.scan.{name}"]
        assert not list(unbounded(parser.parse(pattern.pattern, pattern.flags))), name


@given(st.lists(st.sampled_from([*PARTS, " ", "x", "\u0301", "½", "ﷺ", "m2", "EUR"]), max_size=40).map("".join))
def test_every_step_takes_something_and_nothing_is_read_twice(text: str) -> None:
    spans = []
    plain = compare.loosened(text)
    at = 0
    while match := scan.PATTERN.search(plain, at):
        assert match.end() > match.start() >= at
        spans.append(match.span())
        at = match.end()
    values = scan.scan(plain)
    assert values is not None
    assert len(values) <= 2 * len(re.findall(r"\d+|[^\W\d_]+", plain))


class Counted(list[Any]):
    """A list that counts how often it is looked into."""

    looks = 0

    def __getitem__(self, at: Any) -> Any:
        Counted.looks += 1
        return super().__getitem__(at)


@pytest.mark.parametrize("part", ["b-", "b-1-", "b 1 ", "b1", "1-", "b-1", "x "])
def test_ids_are_looked_for_once_from_each_piece(part: str) -> None:
    looks = []
    for size in (1_000, 2_000, 4_000):
        plain = part * (size // len(part))
        Counted.looks = 0
        for known in (Ids(["b-1"]), Ids([f"{chr(97 + n % 26)}-{n}" for n in range(500)]), Ids(["b-1-1-b-1"])):
            assert all(parts for parts, _ in known.named(plain, Counted(pieces_of(plain))))
        looks.append(Counted.looks)
    assert looks[1] <= 2.2 * looks[0]
    assert looks[2] <= 2.2 * looks[1]


def test_an_id_of_many_pieces_is_none() -> None:
    assert Ids(["1-" * 40 + "1", "", "--"]).known == {}
    assert list(Ids(["B-1"]).known) == [("B", "1")]


def test_the_cap_holds_before_and_after_a_text_is_made_plain() -> None:
    assert read("x" * LONGEST).unread == ""
    assert "more than 20,000 characters" in read("x" * (LONGEST + 1)).unread
    assert "more than 20,000 characters" in read("ﷺ" * (LONGEST // 18 + 1)).unread
    assert "more than 20,000 characters" in read("—" * (LONGEST // 2 + 10)).unread
    assert "combining" in read("e" + "\u0300" * 31).unread
    assert read("e" + "\u0300" * 20).unread == ""
    assert read("नमस्ते, Ünïcödé, 東京, שָׁלוֹם").unread == ""


def test_a_text_is_read_once_in_a_grading_and_apart_from_others() -> None:
    with one_grading():
        first = read("EUR 5")
        assert read("EUR 5") is first
    with one_grading():
        assert read("EUR 5") is not first


def test_one_grading_reads_only_so_much() -> None:
    done = []

    def read_on() -> None:
        with one_grading():
            for n in range(BUDGET // 1_000):
                assert strays(f"{n} " + "x " * 1_000, "number", [n]) == []
                done.append(n)

    with pytest.raises(TextFault, match="too much"):
        read_on()
    assert len(done) > 500


def test_looking_for_words_is_work_too() -> None:
    def look() -> None:
        with one_grading():
            for n in range(BUDGET // 1_000):
                assert mentioned("x " * 5_000, "text", [f"secret {n}"]) == []

    with pytest.raises(TextFault, match="too much"):
        look()


def test_another_grading_begins_anew() -> None:
    with pytest.raises(TextFault), one_grading():
        spend(BUDGET + 1)
    spend(BUDGET + 1)  # outside a grading there is no budget
    with one_grading():
        assert strays("5 rooms", "number", []) == [5]


def test_marks_do_not_pile_up() -> None:
    piled = "e" + "\u0300\u0316" * 50_000
    assert compare.loosened(piled) == piled
    assert compare.is_piled("e" + "\u00ad\u0300" * 31)
    assert compare.is_piled("e" + "\u0f73" * 31)
    assert not compare.is_piled("\u0300" * 30 + "e")
