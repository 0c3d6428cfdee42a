"""Three steps of TRL's GRPOTrainer on the small local model, over a real world. It needs `worldwright[trl]` and 98 MB, and takes minutes.

WORLDWRIGHT_MODELS=DIR pytest -s tests/export/test_trl_training.py     with DIR holding the file, as `worldwright get-model --to DIR` leaves it
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from desk import desk, hall

from worldwright.errors import UsageError
from worldwright.export.trl_environment import TrlTasks

FOLDER = os.environ.get("WORLDWRIGHT_MODELS", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER, reason="WORLDWRIGHT_MODELS names no folder with the model (worldwright get-model --to DIR)"),
    pytest.mark.filterwarnings("ignore"),  # of torch, transformers and TRL, about each other
]


@pytest.fixture(scope="module")
def small():
    """The model and its tokenizer; what is set here is read when the libraries are imported."""
    os.environ |= {"HF_HUB_OFFLINE": "1", "TRL_EXPERIMENTAL_SILENCE": "1", "TOKENIZERS_PARALLELISM": "false"}
    for name in ("trl", "llguidance", "gguf"):
        pytest.importorskip(name, reason="worldwright[trl] is not installed")
    from worldwright.export.trl_training import small_model

    return small_model(Path(FOLDER))


def test_transformers_reads_each_tool_as_the_task_shows_it(small):
    from transformers.utils import get_json_schema

    tasks = TrlTasks(desk())
    for kind in tasks.environments.values():
        for tool in kind._tools:
            read = get_json_schema(getattr(kind(), tool.name))["function"]
            assert (read["name"], read["description"]) == (tool.name, " ".join(tool.doc.split()))
            assert list(read["parameters"]["properties"]) == list(tool.schema["properties"])
            assert set(read["parameters"].get("required", ())) == set(tool.schema["required"])
            for name, schema in tool.schema["properties"].items():
                got = read["parameters"]["properties"][name]
                assert (got["type"], got.get("enum")) == (schema["type"], schema.get("enum"))


def test_three_steps_call_tools_are_paid_by_verdicts_and_change_the_weights(small):
    from worldwright.export.trl_training import train

    model, tokenizer = small
    kept, steps = [], []
    tasks = TrlTasks(hall(), keep=kept.append)
    before = [weight.detach().clone() for weight in model.parameters()]
    train(tasks, range(8), model, tokenizer, steps=3, k=4, turns=2, told=steps.append)

    assert [step["step"] for step in steps] == [1, 2, 3]
    groups = [kept[n : n + 4] for n in (0, 4, 8)]
    for step, group in zip(steps, groups, strict=True):
        print({key: step[key] for key in ("step", "reward", "reward_std", "tools/call_frequency", "grad_norm")})
        assert len({one.trace.instance for one in group}) == 1
        assert [one.index for one in group] == [0, 1, 2, 3]
        assert step["reward"] == pytest.approx(sum(one.reward for one in group) / 4)  # what TRL was paid is what the verdicts say
    for one in kept:
        calls = [f"{call.function.name}{call.function.arguments}" for message in one.trace.messages for call in message.tool_calls]
        print(one.trace.instance, one.index, one.trace.stop, one.reward, *calls, one.trace.answer)
    assert all(one.verdict.reward == one.reward for one in kept)
    assert {one.reward for one in kept} == {0, 1}
    assert sum(one.trace.counts.calls for one in kept) > 0
    assert sum(one.trace.counts.calls - one.trace.counts.refused for one in kept) > 0
    assert all(step["tools/failure_frequency"] == 0 for step in steps)
    moved = max(float((new.detach() - old).abs().max()) for new, old in zip(model.parameters(), before, strict=True))
    print("largest change of a weight:", moved)
    assert moved > 0


def test_attempts_without_a_verdict_change_nothing(small):
    """By a tiny random model, for none of its words matter: TRL is told None, means nothing and moves nothing."""
    from transformers import LlamaConfig, LlamaForCausalLM

    from worldwright.export.trl_training import train

    tokenizer = small[1]
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.eos_token_id, "bos_token_id": None}
    shape = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2, "max_position_embeddings": 4096}
    for judges in (False, True):
        model = LlamaForCausalLM(LlamaConfig(vocab_size=len(tokenizer), **shape, **ends))
        before = [weight.detach().clone() for weight in model.parameters()]
        kept, steps = [], []
        train(TrlTasks(hall(judges), keep=kept.append), range(8), model, tokenizer, turns=2, rate=1e-3, told=steps.append)
        assert len(kept) == 12
        assert {one.is_masked for one in kept} == {not judges}
        assert len(steps) == 3
        assert all((step["reward"] is None) is not judges for step in steps)
        moved = any(not bool((new.detach() == old).all()) for new, old in zip(model.parameters(), before, strict=True))
        assert moved is judges
        assert model.generate == type(model).generate.__get__(model)  # it is free again


def test_template_without_tools_is_refused(small):
    from worldwright.export.trl_calls import held_to_calls

    model, tokenizer = small
    template, tokenizer.chat_template = tokenizer.chat_template, "{{ messages }}"
    try:
        with pytest.raises(UsageError, match="chat template"), held_to_calls(model, tokenizer, TrlTasks(hall()), 2):
            pass
    finally:
        tokenizer.chat_template = template
