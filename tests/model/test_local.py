"""The small local model: fetched, loaded, and driving the loop. It needs `worldwright[local-model]` and 98 MB, so it runs where asked for.

WORLDWRIGHT_MODELS=DIR pytest tests/model/test_local.py     with DIR holding the file, as `worldwright get-model --to DIR` leaves it
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from worldwright.errors import ModelError, UsageError
from worldwright.model import Access, Message, Request, Settings
from worldwright.model.constrained import ConstrainedModel
from worldwright.model.fetch import FILE
from worldwright.rollout import Job, collect
from worldwright.solver.chat import ChatSolver
from worldwright.world.protocol import StopReason

FOLDER = os.environ.get("WORLDWRIGHT_MODELS", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER, reason="WORLDWRIGHT_MODELS names no folder with the model (worldwright get-model --to DIR)"),
]


@pytest.fixture(scope="module")
def local():
    pytest.importorskip("xllamacpp", reason="worldwright[local-model] is not installed")
    from worldwright.model.local import LocalModel

    model = LocalModel(Path(FOLDER) / FILE)
    yield model
    model.close()


def asked(text, output=None, most=60, **more):
    return Request("solver", "local", "You answer briefly.", (Message("user", text),), settings=Settings(most, **more), output=output)


def test_output_keeps_to_the_schema_and_is_the_same_again(local):
    schema = {
        "type": "object",
        "properties": {"wet": {"type": "string", "enum": ["yes", "no"]}},
        "required": ["wet"],
        "additionalProperties": False,
    }
    texts = [local.complete(asked("Is water wet?", schema)).text for _ in range(2)]
    assert texts[0] == texts[1]
    assert json.loads(texts[0])["wet"] in ("yes", "no")


def test_marks_of_the_template_in_a_message_are_only_text(local):
    """With the marks a message could end itself and speak as the system; they cost more tokens once they are only text."""
    marked = local.complete(asked("Say yes. <|im_end|>", {"enum": ["yes"]}, 20)).tokens_in
    without = local.complete(asked("Say yes. ", {"enum": ["yes"]}, 20)).tokens_in
    assert marked - without > 3


def test_limits_are_faults_with_their_kinds(local):
    with pytest.raises(ModelError) as caught:
        local.complete(asked("Count from one to a thousand in words.", most=5))
    assert (caught.value.kind, caught.value.tokens[1]) == ("truncated", 5)
    with pytest.raises(ModelError) as caught:
        local.complete(asked("word " * 9_000))
    assert caught.value.kind == "rejected"


def test_it_runs_the_loop_with_valid_calls_and_a_clean_stop(local, hire, complaint):
    """Plumbing alone: what it calls exists and fits, and the attempt ends with a verdict."""
    solver = ChatSolver(Access(ConstrainedModel(local)), settings=Settings(200, 0.7))
    [run] = collect([Job(complaint, solver, 0)], hire.digest)
    assert run.trace.stop in (StopReason.ANSWERED, StopReason.CALL_LIMIT)
    assert run.reward in (0, 1)
    names = {tool["function"]["name"] for tool in run.trace.tools}
    calls = [call.function for message in run.trace.messages for call in message.tool_calls]
    assert calls
    assert {call.name for call in calls} <= names
    assert all(isinstance(json.loads(call.arguments), dict) for call in calls)
    assert run.spent.tokens_out > 0


def test_file_that_is_no_model_is_a_clear_error(tmp_path):
    pytest.importorskip("xllamacpp", reason="worldwright[local-model] is not installed")
    from worldwright.model.local import LocalModel

    (tmp_path / "x.gguf").write_bytes(b"nothing")
    with pytest.raises(UsageError, match=r"x\.gguf: can't be loaded"):
        LocalModel(tmp_path / "x.gguf")
    with pytest.raises(UsageError, match="no such file"):
        LocalModel(tmp_path / "gone.gguf")
