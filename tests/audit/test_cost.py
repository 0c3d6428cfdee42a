"""What makes an audit cheap changes nothing of what it finds."""

import gc
import re
import sys

import msgspec
import pytest
from scipy.special import betaincinv

from worldwright.audit.bench import _lowered, names
from worldwright.audit.dossier import _seldom_collected
from worldwright.audit.run import audit
from worldwright.audit.statistics import upper
from worldwright.audit.subject import Play, Session


def plainly(text, value):
    return re.search(rf"(?<!\w){re.escape(str(value))}(?!\w)", text, re.IGNORECASE) is not None


def test_every_letter_that_stands_for_one_of_ascii_is_lowered_to_it():
    letters = [chr(n) for n in range(sys.maxunicode + 1) if re.fullmatch("[a-z]", chr(n), re.IGNORECASE)]
    assert len(letters) > 52
    for one in letters:
        same = next(letter for letter in "abcdefghijklmnopqrstuvwxyz" if re.fullmatch(letter, one, re.IGNORECASE))
        assert _lowered(one) == same


@pytest.mark.parametrize("value", ["Ada", "ada", "ADA", "kiss", "Zoë", "a-1", "x", "12", "a b"])
@pytest.mark.parametrize(
    "text", ["", "ada", "for ADA, today", "Adam", "ki\u017f\u017f", "\u212aiss", "zoË came", "A-1.", "ax 112", "12 a b", "İda ada_1 ada"]
)
def test_a_value_is_named_where_the_plain_pattern_finds_it(text, value):
    assert names(text, value) == plainly(text, value)


@pytest.mark.parametrize("n", [1, 2, 7, 30, 60, 1_000, 100_000])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_the_bound_after_no_failure_is_the_exact_one(n, confidence):
    expected = betaincinv(1, n, confidence)
    assert upper(0, n, confidence) == pytest.approx(expected, rel=1e-12)


class Solved:
    """A subject that gives its instances as one that has run its solutions does; notes which are asked for without alternatives."""

    def __init__(self, inner):
        self.inner, self.asked = inner, []
        self.name, self.kind, self.digest = inner.name, inner.kind, inner.digest
        self.cases, self.facts, self.run, self.close = inner.cases, inner.facts, inner.run, inner.close

    def solved_many(self, instances, bare=()):
        self.asked.append((len(instances), set(bare)))
        out = []
        for case, seed in instances:
            facts = self.inner.facts(case, seed)
            left = tuple(self.run(Session((Play(case, seed, one.acts, one.answer),)))[0] for one in facts.known())
            out.append((facts, left))
        return out


@pytest.mark.parametrize(("thin", "bare"), [(0, set()), (2, {1, 3})])
def test_of_what_is_tried_thinly_every_second_instance_is_drawn_without_alternatives(in_process, small, thin, bare):
    policy = msgspec.structs.replace(small, admission=6, certification=5, first_wave=2, wide=1, thin=thin)
    subject = Solved(in_process("sound"))
    audit(subject, policy, seed=0, cases=list(subject.cases())[:1])
    assert subject.asked[:3] == [(2, set()), (4, bare), (5, {one + 1 for one in bare})]


def test_solutions_that_were_run_when_they_were_found_are_not_run_again_and_nothing_else_changes(in_process, small):
    plain, solved = in_process("sound"), Solved(in_process("sound"))
    one, other = audit(plain, small, seed=0), audit(solved, small, seed=0)
    assert solved.asked
    assert one == other


def test_pythons_collector_is_as_before_after_audits_side_by_side():
    before = gc.get_threshold()
    one, other = _seldom_collected(), _seldom_collected()
    one.__enter__()
    assert gc.get_threshold()[0] > before[0]
    other.__enter__()
    one.__exit__(None, None, None)
    assert gc.get_threshold()[0] > before[0]
    other.__exit__(None, None, None)
    assert gc.get_threshold() == before
