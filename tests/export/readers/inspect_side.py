"""Reads an export with Inspect, in its own environment: `python inspect_side.py DIR RUN.jsonl`. Prints what it found as JSON."""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from inspect_ai.log import list_eval_logs, read_eval_log, read_eval_log_sample, read_eval_log_sample_summaries, write_eval_log


def main(folder: Path, run: Path) -> dict[str, Any]:
    """Every attempt is a sample, with its messages, score or error, and labels."""
    wanted = {f"{one['pack'][:12]}-{one['id']}": one for one in map(json.loads, run.read_text(encoding="utf-8").splitlines())}
    paths = [Path(info.name.removeprefix("file://")) for info in list_eval_logs(str(folder))]
    assert len(paths) == len(list(folder.glob("*.eval"))) > 1
    read: dict[str, Any] = {}
    for path in paths:
        log = read_eval_log(str(path))
        assert log.samples is not None
        _whole(log, path)
        for sample in log.samples:
            _same(sample, wanted[sample.uuid], log)
            read[sample.uuid] = sample
        again = folder / "again.json"
        write_eval_log(log, str(again))
        copy = read_eval_log(str(again)).samples
        assert copy is not None
        assert [one.model_dump() for one in copy] == [one.model_dump() for one in log.samples]
        again.unlink()
    assert read.keys() == wanted.keys()
    errors = sum(sample.error is not None for sample in read.values())
    return {"inspect-ai": version("inspect-ai"), "logs": len(paths), "samples": len(read), "without a score": errors}


def _whole(log: Any, path: Path) -> None:
    """The log as a whole: rates over what has a verdict alone, and one sample at a time."""
    scored = [sample.scores["verdict"].value for sample in log.samples if sample.scores]
    (score,) = log.results.scores
    assert (score.scored_samples, score.unscored_samples) == (len(scored), len(log.samples) - len(scored))
    if scored:
        assert score.metrics["accuracy"].value == sum(scored) / len(scored)
    else:
        assert score.metrics == {}
    assert len(read_eval_log_sample_summaries(str(path))) == len(log.samples)
    first = log.samples[0]
    assert read_eval_log_sample(str(path), first.id, first.epoch).uuid == first.uuid


def _same(sample: Any, one: dict[str, Any], log: Any) -> None:
    trace = one["trace"]
    assert [(message.role, message.text) for message in sample.messages] == [(each["role"], each["content"]) for each in trace["messages"]]
    calls = [call for message in trace["messages"] for call in message.get("tool_calls", ())]
    made = [call for message in sample.messages if message.role == "assistant" for call in message.tool_calls or ()]
    assert [(call.id, call.function) for call in made] == [(call["id"], call["function"]["name"]) for call in calls]
    for call, stored in zip(made, calls, strict=True):
        sent = json.loads(stored["function"]["arguments"])
        assert call.arguments == sent or (call.arguments == {} and stored["function"]["arguments"] in call.parse_error)
    if one["reward"] is None:
        assert not sample.scores
        assert one["verdict"]["status"] in sample.error.message
    else:
        assert sample.scores["verdict"].value == one["reward"]
        assert sample.error is None
    assert sample.metadata["family"] == one["label"]["family"]
    assert sample.metadata["split"] == one["label"]["split"]
    assert sample.metadata["digests"]["pack"] == one["pack"]
    assert sample.metadata["changes"] == one["changes"]
    assert log.eval.metadata["tools"][sample.metadata["tools"]] == trace["tools"]


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), Path(sys.argv[2]))))
