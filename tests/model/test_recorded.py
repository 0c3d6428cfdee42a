"""Recordings: what is kept, what comes back, and what is said about a request that isn't there."""

from __future__ import annotations

import json
from contextlib import suppress

import msgspec
import pytest

from worldwright.errors import ModelError, UsageError
from worldwright.model import Completion, Message, Request, ScriptedModel, Settings, Tool, ToolUse
from worldwright.model.recorded import RecordedModel, RecordingModel, read_recording
from worldwright.model.scripted import read_script


def asked(*texts, **more):
    return Request("solver", "m", "Be good.", tuple(Message("user", text) for text in texts), **more)


def record(path, model, *requests):
    recording = RecordingModel(model, path)
    for request in requests:
        with suppress(ModelError):
            recording.complete(request)
    return recording


def test_completions_and_faults_come_back_in_any_order(tmp_path):
    said = Completion("ü", (ToolUse("1", "look", {"at": [1, None]}),), "calls", 3, 4, 0.5, id="x", faults=("timeout",))
    failed = ModelError("withheld", kind="refused", faults=("timeout",), tokens=(5, 6), cents=0.25)
    record(tmp_path / "r.jsonl", ScriptedModel([said, failed], "m"), asked("a"), asked("b"))
    replay = read_recording(tmp_path / "r.jsonl")
    with pytest.raises(ModelError, match="withheld") as caught:
        replay.complete(asked("b"))
    assert (caught.value.kind, caught.value.faults, caught.value.tokens, caught.value.cents) == ("refused", ("timeout",), (5, 6), 0.25)
    assert replay.complete(asked("a")) == said
    assert replay.name == "m"


def test_several_answers_to_one_request_come_in_their_order(tmp_path):
    record(tmp_path / "r.jsonl", ScriptedModel([Completion("1"), Completion("2")]), asked("a"), asked("a"))
    replay = read_recording(tmp_path / "r.jsonl")
    assert [replay.complete(asked("a")).text for _ in range(3)] == ["1", "2", "2"]


@pytest.mark.parametrize(
    "request_, words",
    [
        (asked("Pack order 7."), "messages[0].text, character 11: recorded '8.', asked '7.'"),
        (asked("Pack order 8.", "more"), "messages: 1 recorded, 2 asked"),
        (asked("Pack order 8.", settings=Settings(7)), "settings"),
        (asked("Pack order 8.", tools=(Tool("t", "", {}),)), "tools"),
    ],
)
def test_miss_names_the_request_and_the_nearest_difference(tmp_path, request_, words):
    record(tmp_path / "r.jsonl", ScriptedModel(lambda _: Completion("x")), asked("something else"), asked("Pack order 8."))
    with pytest.raises(ModelError) as caught:
        read_recording(tmp_path / "r.jsonl").complete(request_)
    assert caught.value.kind == "not-recorded"
    assert request_.digest[:12] in str(caught.value)
    assert words in str(caught.value)


def test_empty_recording_says_so(tmp_path):
    (tmp_path / "r.jsonl").touch()
    with pytest.raises(ModelError, match="holds none at all"):
        read_recording(tmp_path / "r.jsonl").complete(asked("a"))


def test_changed_or_foreign_lines_are_errors(tmp_path):
    path = tmp_path / "r.jsonl"
    record(path, ScriptedModel(lambda _: Completion("x")), asked("a"))
    line = json.loads(path.read_text())
    changes = [
        ({"key": "0" * 64}, "isn't the one that its key"),
        ({"version": 9}, "version 9"),
        ({"completion": None}, "expected a completion or a known fault"),
        ({"completion": None, "fault": {"kind": "magic", "text": ""}}, "a known fault"),
        ({"request": 1}, "not a line of a recording"),
        ({"completion": {"text": "x", "tokens_in": -5}}, "below 0"),
        ({"completion": {"text": "x", "cents": -0.5}}, "below 0"),
        ({"completion": None, "fault": {"kind": "timeout", "text": "", "tokens": [0, -1]}}, "below 0"),
    ]
    for change, words in changes:
        path.write_text(json.dumps(line | change))
        with pytest.raises(UsageError, match=rf"r.jsonl:1: .*{words}"):
            read_recording(path)
    with pytest.raises(UsageError, match="expected a recording"):
        read_recording(tmp_path / "gone.jsonl")


def test_digest_depends_on_content_alone():
    schema = {"type": "object", "properties": {"a": {}, "b": {}}}
    turned = {"properties": {"b": {}, "a": {}}, "type": "object"}
    assert asked("a", tools=(Tool("t", "", schema),)).digest == asked("a", tools=(Tool("t", "", turned),)).digest
    one = asked("a")
    others = [
        asked("b"),
        asked("a", settings=Settings(5)),
        msgspec.structs.replace(one, role="judge"),
        msgspec.structs.replace(one, model="n"),
    ]
    assert len({one.digest, *(other.digest for other in others)}) == 5


def test_recording_model_of_nothing_is_named():
    assert RecordedModel([], "here").name == "recorded"


def test_script_from_a_file(tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text('{"text": "a"}\n{"calls": [{"tool": "t", "args": {}}, {"tool": "u", "args": "raw", "id": "own"}]}\n')
    script = read_script(path)
    assert script.complete(asked("x")).text == "a"
    got = script.complete(asked("x"))
    assert ([call.id for call in got.calls], got.stop) == (["2-1", "own"], "calls")
    with pytest.raises(ModelError, match="ended before request 3") as caught:
        script.complete(asked("x"))
    assert caught.value.kind == "script-ended"
    path.write_text('{"calls": 5}\n')
    with pytest.raises(UsageError, match=r"s.jsonl:1: not a completion"):
        read_script(path)
