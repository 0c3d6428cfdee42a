"""Trains on an export with TRL, in its own environment: `python trl_side.py DIR RUN.jsonl`. Prints what it found as JSON.

The model is a random one of a few thousand weights, the tokenizer knows bytes alone: what is shown is that the data sets load, that
chat templates with tools take them, which tokens are trained on, and that a step of each trainer runs. No weights are fetched.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

os.environ |= {"HF_HUB_OFFLINE": "1", "HF_HOME": tempfile.mkdtemp(), "TRANSFORMERS_VERBOSITY": "error", "TQDM_DISABLE": "1"}

# what is set above is read when these are imported
import trl
from datasets import get_dataset_config_names, load_dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl.data_utils import is_conversational, maybe_apply_chat_template

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
TEMPLATES = ("qwen3_training.jinja", "qwen2_5_training.jinja", "llama3_1.jinja")


def main(folder: Path, run: Path) -> dict[str, Any]:
    """Both configurations load, hold what they should, and train."""
    wanted = {f"{one['pack'][:12]}-{one['id']}": one for one in map(json.loads, run.read_text(encoding="utf-8").splitlines())}
    assert sorted(get_dataset_config_names(str(folder))) == ["sft", "unpaired"]
    sft, unpaired = load_dataset(str(folder), "sft"), load_dataset(str(folder), "unpaired")
    judged = {key: one for key, one in wanted.items() if one["reward"] is not None}
    passed = {key for key, one in judged.items() if one["reward"] == 1}
    assert {row["id"] for rows in sft.values() for row in rows} == passed
    assert {row["id"] for rows in unpaired.values() for row in rows} == judged.keys()
    for split, rows in [*sft.items(), *unpaired.items()]:
        for row in rows:
            _same(row, wanted[row["id"]], split)
    rendered = sum(_rendered(row, name) for name in TEMPLATES for rows in [*sft.values(), *unpaired.values()] for row in rows)
    with tempfile.TemporaryDirectory() as scratch:
        trained = _supervised(sft["train"], scratch)
        losses = {"sft": trained, "kto": _unpaired(unpaired["train"], scratch)}
    sizes = {config: {split: len(rows) for split, rows in part.items()} for config, part in (("sft", sft), ("unpaired", unpaired))}
    versions = {name: version(name) for name in ("trl", "datasets", "transformers", "torch")}
    return {**versions, "rows": sizes, "rendered": rendered, "losses": losses}


def _same(row: dict[str, Any], one: dict[str, Any], split: str) -> None:
    assert is_conversational(row)
    chat = row.get("messages") or row["prompt"] + row["completion"]
    stored = json.loads(json.dumps(one["trace"]["messages"]))
    for message in stored:
        for call in message.get("tool_calls", ()):
            call["function"]["arguments"] = json.loads(call["function"]["arguments"])
    assert chat == stored  # key by key: nothing is filled with null
    assert row["tools"] == one["trace"]["tools"]
    assert (row["family"], row["split"], row["reward"]) == (one["label"]["family"], split, one["reward"])
    assert row.get("label", one["reward"] == 1) == (one["reward"] == 1)
    assert row["metadata"]["changes"] == one["changes"]
    assert row["metadata"]["digests"]["pack"] == one["pack"]


def _tokenizer(template: str) -> Any:
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {word: n for n, word in enumerate([*SPECIAL, *letters])}
    bytes_alone = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    bytes_alone.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bytes_alone.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(tokenizer_object=bytes_alone, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    made.add_special_tokens({"additional_special_tokens": ["<|im_start|>"]})
    made.chat_template = (Path(trl.__file__).parent / "chat_templates" / template).read_text(encoding="utf-8")
    return made


def _rendered(row: dict[str, Any], template: str) -> bool:
    """Whether a chat template shows the tools, the calls and their results."""
    keys = ("messages",) if "messages" in row else ("prompt", "completion", "label")
    chat = row.get("messages") or row["prompt"] + row["completion"]
    if template.startswith("llama") and any(len(message.get("tool_calls", ())) > 1 for message in chat):
        return False  # this template takes one call at a time
    out = maybe_apply_chat_template({key: row[key] for key in keys}, _tokenizer(template), tools=row["tools"])
    text = out.get("text") or out["prompt"] + out["completion"]
    for tool in row["tools"]:
        assert f'"{tool["function"]["name"]}"' in text
    for message in chat:
        content = message["content"].strip()
        assert content in text or json.dumps(content) in text or json.dumps(content, ensure_ascii=False) in text
        assert all(call["function"]["name"] in text for call in message.get("tool_calls", ()))
    return True


def _model(tokenizer: Any) -> Any:
    sizes = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 1, "num_key_value_heads": 1}
    return Qwen3ForCausalLM(Qwen3Config(vocab_size=len(tokenizer), head_dim=16, max_position_embeddings=65_536, **sizes))


def _settings(kind: Any, scratch: str, **more: Any) -> Any:
    quiet = {"report_to": [], "save_strategy": "no", "disable_tqdm": True}
    return kind(scratch, max_steps=1, per_device_train_batch_size=2, use_cpu=True, **quiet, **more)


def _supervised(rows: Any, scratch: str) -> float:
    """One step on what the agent wrote alone."""
    tokenizer = _tokenizer("qwen3_training.jinja")
    settings = _settings(trl.SFTConfig, scratch, assistant_only_loss=True, max_length=None)
    trainer = trl.SFTTrainer(_model(tokenizer), settings, train_dataset=rows, processing_class=tokenizer)
    for row, made in zip(rows, trainer.train_dataset, strict=True):
        trained = tokenizer.decode([token for token in made["labels"] if token != -100])
        for message in row["messages"]:
            content = message["content"].strip()
            if message["role"] == "assistant":
                assert content in trained
                assert all(f'"name": "{call["function"]["name"]}"' in trained for call in message.get("tool_calls", ()))
            elif len(content) > 40:
                assert content not in trained
    return float(trainer.train().training_loss)


def _unpaired(rows: Any, scratch: str) -> float:
    tokenizer = _tokenizer("qwen3_training.jinja")
    settings = _settings(trl.KTOConfig, scratch, max_length=None)
    trainer = trl.KTOTrainer(_model(tokenizer), _model(tokenizer), settings, train_dataset=rows, processing_class=tokenizer)
    return float(trainer.train().training_loss)


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), Path(sys.argv[2]))))
