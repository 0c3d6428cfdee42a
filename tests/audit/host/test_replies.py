"""Whatever a child says is read as a record; whatever it doesn't say is a fault."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldwright.audit.host.process import Reply
from worldwright.audit.host.replies import attempts_of, cases_of, facts_of
from worldwright.audit.subject import Attempt, Facts, Play, Session

JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=6), st.sampled_from(["pass", "$set", "reference"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.text(max_size=4), inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                [
                    "$tuple",
                    "$held",
                    "$int",
                    "tool",
                    "args",
                    "name",
                    "acts",
                    "answer",
                    "status",
                    "reward",
                    "results",
                    "tables",
                    "tools",
                    "known",
                    "prompt",
                ]
            ),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=10,
)
FRAMES = st.lists(
    st.one_of(
        JSON,
        st.builds(lambda play, attempt: {"play": play, "attempt": attempt}, st.integers(-1, 3), JSON),
        st.builds(lambda play, note: {"play": play, "note": note}, st.integers(-1, 3), JSON),
        st.builds(lambda name, value: {name: value}, st.sampled_from(["facts", "cases", "fault", "done"]), JSON),
    ),
    max_size=4,
)
SESSION = Session((Play("a", 0), Play("a", 1)))


@settings(max_examples=100, deadline=None)
@given(
    FRAMES,
    st.sampled_from(["", "exit status 0", "no end in time"]),
    st.integers(-1, 3),
    st.sampled_from(["start", "finish", "close", "done", "x"]),
)
def test_whatever_is_said_is_read(frames, ended, play, where):
    reply = Reply(ended=ended, play=play, where=where, said=tuple(frames))
    attempts = attempts_of(reply, SESSION)
    assert [type(attempt) for attempt in attempts] == [Attempt, Attempt]
    assert isinstance(facts_of(reply, "a", 0), Facts)
    cases, fault = cases_of(reply)
    assert isinstance(cases, list)
    assert isinstance(fault, str)


def test_deep_and_long_data_is_a_fault():
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    said = ({"play": 0, "attempt": {"status": "pass", "results": deep}}, {"facts": {"state": deep}}, {"cases": deep})
    reply = Reply(said=said)
    assert attempts_of(reply, SESSION)[0].status == "error"
    assert "isn't a description" in facts_of(reply, "a", 0).fault
    assert "isn't a list of cases" in cases_of(reply)[1]


@pytest.mark.parametrize(
    "reply, fault",
    [
        (Reply(fault="can't be loaded"), "can't be loaded"),
        (Reply(ended="no end in time"), "no end in time"),
        (Reply(ended="exit status 3"), "the process left by itself (exit status 3)"),
        (
            Reply(ended="ended by signal 9 (SIGKILL)", printed="last words\n"),
            "the process ended by signal 9 (SIGKILL); it printed: last words",
        ),
        (Reply(ended="more than 12 processes"), "the process was ended: more than 12 processes"),
        (Reply(said=({"fault": "KeyError: 'x'"},)), "KeyError: 'x'"),
    ],
)
def test_what_is_not_said_is_a_fault(reply, fault):
    assert facts_of(reply, "a", 0).fault == fault
    first, second = attempts_of(reply, SESSION)
    assert (first.status, first.where, first.fault) == ("error", "start", fault)
    assert second.fault == f"not reached: an earlier play ended the process ({fault})"


def test_plays_that_ended_before_keep_their_verdict():
    reply = Reply(ended="exit status 1", play=1, where="finish", said=({"play": 0, "attempt": {"status": "pass", "reward": 1.0}},))
    first, second = attempts_of(reply, SESSION)
    assert (first.status, first.reward) == ("pass", 1.0)
    assert (second.status, second.where) == ("error", "finish")
