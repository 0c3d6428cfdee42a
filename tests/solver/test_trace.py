"""The record of an attempt: the chat shape, what it can hold, its identity."""

from __future__ import annotations

import datetime
import decimal
import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import worldwright
from worldwright.solver import Answer, Call, attempt
from worldwright.solver.trace import VERSION, Trace, brief_digest, decode_trace, json_text, plain
from worldwright.task import Task
from worldwright.world.arguments import openai_tool

ROOT = Path(__file__).parents[2]
ACTS = (
    Call("list_orders", {"status": "open"}, text="Let me look."),
    [Call("set_status", {"order_id": 9, "status": "packed"}), Call("set_status", {"order_id": 1, "status": "packed", "note": "ok"})],
    Answer({"done": True}, text="Packed."),
)


@pytest.fixture(scope="module")
def trace(packing, script) -> Trace:
    with attempt(packing, packing.instance(0), script(*ACTS), seed=5) as done:
        return done.trace


def test_messages_have_the_chat_shape(trace):
    messages = json.loads(trace.encode())["messages"]
    assert [message["role"] for message in messages] == [
        "system",
        "user",
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
        "tool",
        "assistant",
    ]
    assert messages[2]["name"] == "buyer"
    assert messages[3] == {
        "role": "assistant",
        "content": "Let me look.",
        "tool_calls": [{"id": "call_1", "function": {"name": "list_orders", "arguments": '{"status":"open"}'}, "type": "function"}],
    }
    assert json.loads(messages[4]["content"])[0] == {"id": 1, "status": "open", "note": ""}
    assert [call["id"] for call in messages[5]["tool_calls"]] == ["call_2", "call_3"]
    assert messages[6] == {"role": "tool", "content": '{"error":"There is no order 9."}', "tool_call_id": "call_2"}
    assert messages[7] == {"role": "tool", "content": '{"id":1,"status":"packed"}', "tool_call_id": "call_3"}
    assert messages[8] == {"role": "assistant", "content": "Packed."}


def test_trace_names_what_was_attempted(trace, packing):
    assert trace.instance == "counter/packing@0"
    assert trace.world == packing.world.digest
    assert trace.brief == brief_digest(packing.brief)
    assert (trace.version, trace.solver, trace.seed, trace.wording) == (VERSION, "script", 5, 0)
    assert [tool["function"]["name"] for tool in trace.tools] == [tool.name for tool in packing.prompt(packing.instance(0)).tools]
    assert trace.tools[0] == openai_tool(packing.prompt(packing.instance(0)).tools[0])


def test_trace_counts(trace):
    assert (trace.counts.calls, trace.counts.refused) == (3, 1)
    assert trace.counts.output == len('{"done":true}')
    assert trace.counts.read == sum(len(message.content) for message in trace.messages if message.role != "assistant")


def test_answer_without_text_stands_as_json(packing, script):
    with attempt(packing, packing.instance(0), script(Answer({"done": True, "note": "a"})), seed=0) as done:
        assert done.trace.messages[-1].content == '{"done":true,"note":"a"}'


def test_trace_is_read_back_equal(trace):
    assert decode_trace(trace.encode()) == trace
    assert decode_trace(trace.encode()).id == trace.id


def test_trace_of_another_version_is_refused(trace):
    other = msgspec.structs.replace(trace, version=VERSION + 1)
    with pytest.raises(msgspec.ValidationError, match="version"):
        decode_trace(other.encode())


def test_id_follows_the_content(trace, packing, script):
    with attempt(packing, packing.instance(0), script(*ACTS), seed=5) as again:
        assert again.trace.id == trace.id
    with attempt(packing, packing.instance(0), script(*ACTS), seed=6) as other:
        assert other.trace.id != trace.id
    with attempt(packing, packing.instance(0), script(*ACTS[:-1], Answer({"done": False}, text="Packed.")), seed=5) as other:
        assert other.trace.id != trace.id


def test_brief_digest_ignores_comments_and_sees_every_field(packing, counter, brief_text):
    assert brief_digest(Task("packing", counter, f"# a comment\n{brief_text}").brief) == brief_digest(packing.brief)
    assert brief_digest(Task("packing", counter, brief_text.replace("calls: 5", "calls: 6")).brief) != brief_digest(packing.brief)


# What an agent sends can always be recorded

TEXT = st.text(st.characters(exclude_categories=()))
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | TEXT | st.binary() | st.dates() | st.decimals(allow_nan=False)


def nested(inner):
    return st.lists(inner) | st.dictionaries(TEXT | st.integers(), inner) | st.tuples(inner) | st.frozensets(LEAVES)


ANYTHING = st.recursive(LEAVES, nested, max_leaves=12)


@given(ANYTHING)
def test_anything_becomes_plain_json(value):
    made = plain(value)
    assert plain(made) == made
    assert json.loads(json_text(made)) == made


@pytest.mark.parametrize(
    "value, expected",
    [
        ({"b": {3, 1, 2}}, {"b": [1, 2, 3]}),
        (float("nan"), None),
        (2**63, "a huge number"),
        (-(2**63), -(2**63)),
        ("\ud800", "?"),
        (datetime.date(2026, 3, 1), "2026-03-01"),
        (datetime.datetime(2026, 3, 1, 9), "2026-03-01T09:00:00"),
        (decimal.Decimal("1.50"), "1.50"),
        ((1, True), [1, True]),
        (object(), "something of the type object"),
    ],
)
def test_plain(value, expected):
    assert plain(value) == expected


def test_endless_nesting_is_cut():
    value: dict = {}
    value["self"] = value
    assert "nested too deeply" in json_text(plain(value))


def test_unrecordable_calls_and_answers_are_evidence_all_the_same(packing, script):
    acts = (
        Call("list_orders", {"status": object()}),
        Call("list_orders", "broken \ud800"),
        Answer({"note": {1, "a"}, "done": float("inf")}),
    )
    with attempt(packing, packing.instance(0), script(*acts), seed=0) as done:
        assert done.trace.counts.refused == 2
        assert done.trace.answer == done.evidence.answer == {"note": ["a", 1], "done": None}
        assert decode_trace(done.trace.encode()) == done.trace


# The same bytes in every process

PROGRAM = """
import sys
from pathlib import Path
from worldwright.sandbox import Plan
from worldwright.solver import SOLVERS, attempt
from worldwright.solver.plan import PlanSolver
from worldwright.task import Task
from worldwright.world.records import RecordsWorld

root = Path(sys.argv[1])
paths = [path for path in sorted(root.rglob("*")) if path.is_file()]
files = {path.relative_to(root).as_posix(): path.read_bytes() for path in paths if "tasks" not in path.parts}
world = RecordsWorld("tool-hire", files)
for folder in (root / "tasks" / name for name in ("decide-on-a-complaint", "credit-late-deliveries")):
    task = Task(folder.name, world, (folder / "brief.yaml").read_text())
    plan = PlanSolver(Plan("reference.py", (folder / "reference.py").read_text()))
    for solver in (*(SOLVERS[name]() for name in ("noop", "random", "shotgun")), plan):
        with attempt(task, task.instance(2), solver, seed=2) as done:
            print(done.trace.instance, done.trace.solver, done.trace.id)
"""


def test_traces_are_the_same_in_every_process_and_for_every_hash_seed():
    outputs = []
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path(worldwright.__file__).parents[1])}
        command = [sys.executable, "-c", PROGRAM, str(ROOT / "examples" / "tool-hire" / "worlds" / "tool-hire")]
        outputs.append(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert outputs[0] == outputs[1]
    assert len(set(outputs[0].split())) == 2 + 4 + 8
