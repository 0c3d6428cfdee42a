"""Patterns of arguments: what may take long is refused at load, what clearly can't is accepted."""

import importlib

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from worldwright.errors import PackError
from worldwright.world.arguments import compile_value
from worldwright.world.patterns import LENGTH, compile_pattern
from worldwright.world.spec import ArgSpec


@pytest.mark.parametrize(
    "pattern, text",
    [
        ("^PO-[0-9]{5}$", "PO-12345"),
        ("[A-Z]{2}(-[0-9]{1,4}){1,3}", "AB-1-22-333"),
        ("([a-z]+-)*[a-z]+", "a-bc-def"),
        (".*foo.*", "a foo b"),
        (".*a.*b.*", "xaybz"),
        ("[A-Za-z]+( [A-Za-z]+)*", "Ada Lovelace King"),
        ("(foo|bar)+", "foobarfoo"),
        ("[A-Z]+-[0-9]+-[a-z]+-\\d+", "AB-12-cd-34"),
        ("[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}", "ada.l@mail.example.org"),
        ("(?i)ab+c?", "aBBC"),
        ("(?!000)\\d{3}", "001"),
        ("(\\w)\\1", "aa"),
        ("[Α-Ω]+[α-ω]*", "Αβγ"),
        ("(?:[01]\\d|2[0-3]):[0-5]\\d", "23:59"),
        ("\\+?[0-9 ()-]{5,20}", "+44 20 7946"),
        ("a|b|", ""),
    ],
)
def test_a_pattern_whose_parts_are_told_apart_is_fine(pattern, text):
    assert compile_pattern(pattern).fullmatch(text)


@pytest.mark.parametrize(
    "pattern",
    [
        "([A-Za-z]+ ?)*[.]",
        "(a+)*",
        "(a*)*b",
        "(.*)*",
        "(x+x+)+y",
        "(\\w+\\s?)+$",
        "(a|aa)*b",
        "(a|b|ab)*c",
        "(ab|ab)*c",
        "(a?a?)*b",
        "((ab)?|c)*d",
        "(a?){40}a{40}",
        "a?" * 40 + "a" * 40,
        "((a?){16}){16}b",
        "(a{1,100}){1,100}b",
        ".*.*.*x",
        "([Α-Ω]+)*x",
        "(?=(a+)*b)a*",
        "((?i:a)|A)*b",
        "a" * 1_001,
        "(" * 400 + ")" * 400,
        "[",
        "(?P<a>x)(?P<a>y)",
    ],
)
def test_a_pattern_that_may_take_long_is_refused(pattern):
    with pytest.raises(ValueError, match="pattern"):
        compile_pattern(pattern)


def test_refused_at_load_with_the_field():
    with pytest.raises(PackError) as caught:
        compile_value(ArgSpec(pattern="(a+)*"), "tools.x.args.y", "world.yaml")
    assert (caught.value.file, caught.value.field) == ("world.yaml", "tools.x.args.y.pattern")


@pytest.mark.parametrize("most", [None, 20, 500])
def test_what_is_matched_has_a_bearable_length(most):
    longest = LENGTH if most is None else most
    check = compile_value(ArgSpec(pattern="[a-z ]+", max_length=most))
    assert check("a" * longest) == "a" * longest
    with pytest.raises(ValueError, match=f"expected 0 to {longest} characters, got {longest + 1}"):
        check("a" * (longest + 1))


def test_a_longer_text_makes_more_patterns_too_slow():
    assert compile_pattern("[0-9]*.*[a-z].*", 200)
    with pytest.raises(ValueError, match="too many ways"):
        compile_pattern("[0-9]*.*[a-z].*", 20_000)


PARTS = st.recursive(
    st.sampled_from(["a", "b", "[ab]", ".", "[^a]", "ab", "-", "a?", "(?:a|b)"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map("(?:{0[0]}|{0[1]})".format),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2,5}", "{0,40}", "{3}", "*?"])).map("(?:{0[0]}){0[1]}".format),
    ),
    max_leaves=6,
)


PARSER, COMPILER = importlib.import_module("re._parser"), importlib.import_module("re._compiler")
MOST = 600_000


class Plain:
    """A plain backtracking matcher that counts its steps over a whole text."""

    def __init__(self, pattern, text):
        self.tree, self.text, self.steps, self.known = PARSER.parse(pattern), text, 0, {}
        self.match(list(self.tree), 0, lambda end: end == len(text))

    def match(self, parts, at, then):
        self.steps += 1
        if self.steps > MOST:
            return True
        if not parts:
            return then(at)
        (name, inner), rest = (str(parts[0][0]), parts[0][1]), parts[1:]
        if name == "SUBPATTERN":
            return self.match(list(inner[3]), at, lambda end: self.match(rest, end, then))
        if name == "BRANCH":
            return any(self.match(list(one), at, lambda end: self.match(rest, end, then)) for one in inner[1])
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            return self.again(inner, 0, -1, at, lambda end: self.match(rest, end, then))
        return at < len(self.text) and self.single(parts[0], self.text[at]) and self.match(rest, at + 1, then)

    def again(self, repeat, count, start, end, then):
        least, most, body = int(repeat[0]), int(repeat[1]), list(repeat[2])
        more = count < most and (end > start or count < least)
        return (more and self.match(body, end, lambda new: self.again(repeat, count + 1, end, new, then))) or (count >= least and then(end))

    def single(self, part, sign):
        if (repr(part), sign) not in self.known:
            self.known[repr(part), sign] = COMPILER.compile(PARSER.SubPattern(self.tree.state, [part]), 0).match(sign) is not None
        return self.known[repr(part), sign]


def test_the_plain_matcher_counts_what_explodes():
    assert Plain("(a+)*b", "a" * 30).steps > MOST
    assert Plain("a+b", "a" * 30).steps < 200


@settings(max_examples=150, deadline=None)
@given(pattern=PARTS)
def test_what_is_accepted_doesnt_try_too_many_ways(pattern):
    """Counted, not timed."""
    try:
        compile_pattern(pattern, 24)
    except ValueError:
        assume(False)
    for text in ("a" * 23 + "!", "ab" * 11 + "!", "a-" * 11 + "!"):
        assert Plain(pattern, text).steps <= MOST
