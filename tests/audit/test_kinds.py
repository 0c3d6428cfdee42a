"""Kinds of probes on small environments, each in a faulty make that one kind must find and a mended one that none may accuse."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from worldwright.audit.bench import At, Case
from worldwright.audit.ends import Ends, Noise, end_of
from worldwright.audit.probes import planted, reproducible, unseen
from worldwright.audit.run import audit
from worldwright.audit.subject import Act, Attempt, Change, Facts, Known, Result, Setting, Touch

ROOMS = Path(__file__).with_name("rooms.py")
KINDS = [
    ("loans", "collateral", "prolong after the reference"),
    ("oven", "dropped", "without any call of wait"),
    ("lifts", "unseen", "report_fault: another code"),
    ("fares", "answer-form", "fare as a number"),
    ("parking", "visible", "ranges cut to the brief's examples"),
    ("lamps", "start-state", "nothing done, on every instance"),
]


@pytest.mark.parametrize("room, probe, variant", KINDS)
def test_a_fault_is_found_by_its_kind(in_process, small, room, probe, variant):
    found = [one for one in audit(in_process(room, ROOMS), small, seed=0).outcomes if one.kind == "finding" and one.confirmed]
    assert (probe, variant) in {(one.probe, one.variant) for one in found}


@pytest.mark.parametrize("room", [room for room, _, _ in KINDS])
def test_a_mended_make_is_not_accused(in_process, small, room):
    seen = audit(in_process(f"{room}_mended", ROOMS), small, seed=0)
    assert all(at.paid for at in seen.instances)
    assert [(one.probe, one.variant) for one in seen.outcomes if one.kind == "finding"] == []


# ---- ends


def row(op: str, key: str, **new: object) -> Change:
    return Change("loans", op, key, {}, new)  # type: ignore[arg-type]


CHANGED = (row("update", "3", due=41),)
ANEW = (row("delete", "3"), row("insert", "9", id=9, who="Bo", due=41))


@pytest.mark.parametrize(
    "changes, stands",
    [
        ((*CHANGED, row("update", "4", due=5)), "other"),
        ((*ANEW, row("delete", "4")), "other"),
        ((row("delete", "3"), row("insert", "12", id=12, who="Bo", due=41)), "near"),
    ],
)
def test_which_rows_are_changed_is_not_open_where_one_end_makes_anew_what_another_changes(changes, stands):
    ends = [end_of(str(n), Attempt("pass", changes=one), None) for n, one in enumerate((CHANGED, ANEW))]
    assert Ends(ends, Noise()).relation(changes) == stands


def test_it_is_open_where_right_ends_change_other_rows():
    ends = [end_of(str(n), Attempt("pass", changes=one), None) for n, one in enumerate((CHANGED, (*CHANGED, row("update", "5", due=1))))]
    assert Ends(ends, Noise()).relation((*CHANGED, row("update", "4", due=5))) == "near"


# ---- one instance


def instance(prompt: str, acts=(), files=None, end=None, state=None) -> At:
    reference = Known("reference", tuple(acts), None)
    facts = Facts("case", 1, prompt, (), 1.0, frozenset({"reference"}), reference, (), state, files)
    at = At(Case(None, "case", 1), facts, "admission")  # type: ignore[arg-type]
    at.known, at.writes = ((reference, Attempt("pass", 1.0, prompt, files=end)),), (True,) * len(acts)
    at.case.instances = [at]
    return at


@pytest.mark.parametrize(
    "prompt, state, known",
    [
        ("File it under its code.", None, False),
        ("File it under its code; Krista Thoma has gate 46.", None, True),
        ("File it under its code, kt 046.", None, True),
        ("File it under its code: two letters of the part and its number.", None, True),
        ("File it under its code.", {"codes": [{"code": "KT-46"}]}, True),
    ],
)
def test_a_code_of_letters_and_a_number_must_be_told_or_be_there(prompt, state, known):
    assert unseen._known(instance(prompt, [Act("file", {"code": "KT-46"})], state=state), 0, "KT-46") is known


def test_what_the_work_is_judged_by_is_cut_to_each_of_its_parts():
    files = {
        "rules.json": '{"a": 1, "b": 2, "c": 3}',
        "names.csv": "name,age\nBo,3\nEve,4\n",
        "work.csv": "x\n1\n2\n3\n",
        "few.txt": "1\n2\n",
    }
    at = instance("Mend work.csv.", [Act("write")], files=files, end=files | {"work.csv": "x\n1\n2\n4\n"})
    opened = [Touch("open", path, True) for path in files]
    made = [(act.args["path"], act.args["text"]) for one in planted._thinned(at, opened) for act in one.session.plays[0].acts]
    assert made == [
        ("names.csv", "name,age\nBo,3\n"),
        ("names.csv", "name,age\nEve,4\n"),
        ("rules.json", '{"a": 1}'),
        ("rules.json", '{"b": 2}'),
        ("rules.json", '{"c": 3}'),
    ]


class Moody:
    """A subject whose verdict is another one in some settings."""

    def __init__(self, inner, odd):
        self.inner, self.odd = inner, odd
        self.name, self.kind, self.digest = inner.name, inner.kind, inner.digest
        self.cases, self.facts, self.close = inner.cases, inner.facts, inner.close

    def run(self, session, watch=False):
        done = self.inner.run(msgspec.structs.replace(session, setting=Setting()), watch)
        return [msgspec.structs.replace(one, status="error") for one in done] if self.odd(session.setting) else done


@pytest.mark.parametrize(
    ("odd", "name", "blamed"),
    [
        (lambda setting: setting.zone != "UTC", "elsewhere", "it is the time zone"),
        (lambda setting: setting.hash_seed == 77, "elsewhere", "it is the hash seed"),
        (lambda setting: setting.days == 1, "tomorrow, on a busy machine", "it is the next day"),
        (lambda setting: setting.locale.startswith("de"), "tomorrow, on a busy machine", "it is the locale"),
        (lambda setting: setting.load, "tomorrow, on a busy machine", "it is other work on the machine"),
    ],
)
def test_what_a_verdict_hangs_on_in_the_surroundings_is_named(in_process, small, odd, name, blamed):
    done = audit(Moody(in_process("sound"), odd), small, seed=0, only=["surroundings"])
    found = done.findings()[0]
    assert found.variant == name
    assert blamed in found.why


def test_a_verdict_that_hangs_on_nothing_is_asked_for_in_both_surroundings(in_process, small):
    done = audit(Moody(in_process("sound"), lambda setting: False), small, seed=0, only=["surroundings"])
    assert not done.findings()
    assert {one.variant for one in done.outcomes} == {"elsewhere", "tomorrow, on a busy machine", "network"}


class Host:
    """A subject of one case where somebody replies; with `moody`, in other words on every second run."""

    name, kind, digest = "host", "fake", "0" * 8

    def __init__(self, moody):
        self.moody, self.runs = moody, 0

    def run(self, session, watch=False):
        self.runs += self.moody
        heard = [Result(True, f"{act.args['text']} {'Noon' if self.runs % 2 else 'Nine'}.") for act in session.plays[0].acts]
        return [Attempt("unknown", results=tuple(heard))]

    def facts(self, case, seed):
        return Facts(case, seed, "Ask Ada when she comes. Note the time.", has=frozenset({"reply"}))


@pytest.mark.parametrize("moody", [True, False])
def test_whoever_replies_says_the_same_on_the_same_seed(moody):
    subject = Host(moody)
    at = At(Case(subject, "case", 1), subject.facts("case", 0), "admission")
    told = {one.variant: one for one in reproducible.look(at.case, [at])}
    assert told["the same talk"].ok is not moody
    assert ("Ask Ada when she comes." in told["the same talk"].why) is moody
