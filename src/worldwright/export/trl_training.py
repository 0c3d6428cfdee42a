"""A few steps of TRL's GRPOTrainer on a pack with the small local model (extra `[trl]`): `python -m worldwright.export.trl_training PACK`.

Takes a pack, tasks and seeds; gives a line for each step on stdout, and the trajectories where a file is named. The model is the GGUF
file that `worldwright get-model` fetches, its weights taken apart to 32-bit numbers, with Qwen2.5's chat template, for its own has no
tools; its messages are held to calls. It shows that the bridge works. Does not promise that the model learns anything.
Raises UsageError for a model that isn't there and for held-out tasks.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from transformers import AutoModelForCausalLM, AutoTokenizer, PrinterCallback, TrainerCallback
from trl import GRPOConfig, GRPOTrainer
from trl.chat_template_utils import qwen2_5_chat_template

from worldwright.errors import WorldwrightError
from worldwright.export.trl_calls import held_to_calls
from worldwright.export.trl_environment import TrlTasks
from worldwright.model.fetch import FILE, stored
from worldwright.pack import read_pack
from worldwright.rollout import Trajectory, write_trajectories

__all__ = ["main", "small_model", "train"]

_TOKENS_OF_CALL = 96


def small_model(folder: Path | None = None) -> tuple[Any, Any]:
    """The model with trainable weights, and its tokenizer. Raises UsageError if the file isn't there."""
    place = str(stored(folder).parent)
    tokenizer = AutoTokenizer.from_pretrained(place, gguf_file=FILE)
    tokenizer.chat_template = qwen2_5_chat_template
    loaded = AutoModelForCausalLM.from_pretrained(place, gguf_file=FILE, dtype=torch.float32)
    config = loaded.config
    del config.quantization_config  # its weights are plain numbers by now, but a trainer refuses a model that says it is quantised
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    model.load_state_dict(loaded.state_dict())
    model.generation_config = loaded.generation_config
    return model, tokenizer


def train(
    tasks: TrlTasks,
    seeds: Sequence[int],
    model: Any,
    tokenizer: Any,
    *,
    steps: int = 3,
    k: int = 4,
    turns: int = 3,
    tokens: int = 1024,
    rate: float = 1e-5,
    seed: int = 0,
    told: Callable[[dict[str, Any]], object] = print,
) -> None:
    """Train `model` in place: each step is one group of `k` attempts at one row, of at most `turns` messages and `tokens` tokens.

    `told` is given what TRL logs after each step.
    """
    with tempfile.TemporaryDirectory() as scratch, held_to_calls(model, tokenizer, tasks, turns):
        config = GRPOConfig(
            output_dir=scratch,
            max_steps=steps,
            num_generations=k,
            per_device_train_batch_size=k,
            max_completion_length=tokens,
            max_tool_calling_iterations=turns,
            generation_kwargs={"max_new_tokens": _TOKENS_OF_CALL},
            learning_rate=rate,
            lr_scheduler_type="constant",
            seed=seed,
            logging_steps=1,
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
            use_cpu=not torch.cuda.is_available(),
            bf16=False,
            gradient_checkpointing=False,
        )
        trainer = GRPOTrainer(
            model=model,
            processing_class=tokenizer,
            args=config,
            train_dataset=Dataset.from_list(tasks.rows(seeds)),
            environment_factory=tasks.environments,
            reward_funcs=tasks.reward({tokenizer.eos_token_id}),
            callbacks=[_Told(told)],
        )
        trainer.remove_callback(PrinterCallback)
        trainer.train()


class _Told(TrainerCallback):
    def __init__(self, told: Callable[[dict[str, Any]], object]) -> None:
        self._told = told

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **given: Any) -> None:
        """TRL's figures of a step; the last log, of the whole run, has none."""
        if logs and "reward" in logs:
            self._told({"step": state.global_step, **logs})


def main(argv: Sequence[str] | None = None) -> int:
    """The command; 0, or 2 where something is asked for that isn't there."""
    parser = argparse.ArgumentParser(prog="python -m worldwright.export.trl_training", description=(__doc__ or "").split(":")[0])
    parser.add_argument("pack", type=Path, help="a pack, as a folder or a zip")
    parser.add_argument(
        "--task", action="append", default=[], metavar="WORLD/TASK", help="train on this one (default: all but held-out ones)"
    )
    parser.add_argument("--seeds", type=int, default=8, help="instances 0 to N-1 of each task (default: 8)")
    parser.add_argument("--steps", type=int, default=3, help="updates of the weights (default: 3)")
    parser.add_argument("-k", type=int, default=4, help="attempts in a group (default: 4)")
    parser.add_argument("--turns", type=int, default=2, help="messages in an attempt, of which the last is the answer (default: 2)")
    parser.add_argument("--model", type=Path, help="the folder where `worldwright get-model --to` put the model")
    parser.add_argument("-o", "--out", type=Path, help="write the trajectories to this JSONL file")
    args = parser.parse_args(argv)
    kept: list[Trajectory] = []
    try:
        tasks = TrlTasks(read_pack(args.pack), args.task, solver="trl:SmolLM2-135M-Instruct", keep=kept.append)
        model, tokenizer = small_model(args.model)
        before = [weight.detach().clone() for weight in model.parameters()]
        train(tasks, range(args.seeds), model, tokenizer, steps=args.steps, k=args.k, turns=args.turns, told=_tell)
        for name in tasks.left_out:
            print(f"left out, for it is held out: {name}")
        if args.out is not None:
            sum(1 for _ in write_trajectories(args.out, kept))
    except WorldwrightError as fault:
        print(fault, file=sys.stderr)
        return 2
    calls, refused = (sum(getattr(one.trace.counts, name) for one in kept) for name in ("calls", "refused"))
    ends = ", ".join(f"{n} {stop}" for stop, n in Counter(str(one.trace.stop) for one in kept).items())
    moved = max(float((new.detach() - old).abs().max()) for new, old in zip(model.parameters(), before, strict=True))
    print(f"{len(kept)} attempts ({ends}), {sum(one.is_masked for one in kept)} without a verdict; {calls} calls, {refused} refused")
    print(f"largest change of a weight: {moved:.2g}")
    return 0


def _tell(step: dict[str, Any]) -> None:
    """A step's figures in a line; the reward is the mean over attempts that have a verdict."""
    paid = "no verdict" if step["reward"] is None else f"reward {step['reward']:.2f} (sd {step['reward_std'] or 0:.2f})"
    said = f"{paid}, calls per attempt {step['tools/call_frequency']:.2f}"
    print(f"step {step['step']}: {said}, gradient {step['grad_norm']:.2f}, {step['step_time']:.0f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
