"""What each format holds, where it lies, and what is said to be lost. The frameworks themselves read it in frameworks.py."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from material import Scripted

from worldwright.cli.main import run
from worldwright.errors import UsageError
from worldwright.export import FORMATS, export
from worldwright.model.protocol import Completion, Request, ToolUse
from worldwright.model.scripted import ScriptedModel
from worldwright.pack import Pack, PackTask
from worldwright.pack.labels import Label
from worldwright.rollout import Job, Trajectory, collect, write_trajectories
from worldwright.solver import Answer, Call, Spent, Trace
from worldwright.solver.chat import ChatSolver
from worldwright.solver.open_attempt import UNGRADED
from worldwright.verifier import Status, Verdict


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def name_of(one: Trajectory) -> str:
    return f"{one.pack[:12]}-{one.id}"


def logs(folder: Path) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Each log's header with its samples."""
    for path in folder.glob("*.eval"):
        with zipfile.ZipFile(path) as archive:
            members = {name: json.loads(archive.read(name)) for name in archive.namelist()}
        yield members["header.json"], [value for name, value in members.items() if name.startswith("samples/")]


# ---- every format


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_trajectories_give_the_same_bytes(material, tmp_path, form):
    one, two = export(material, form, tmp_path / "one"), export(material, form, tmp_path / "two")
    assert one == two
    assert files(tmp_path / "one") == files(tmp_path / "two")
    assert {path.name for path in tmp_path.iterdir()} == {"one", "two"}
    assert one.trajectories == len(material)
    assert one.sides == {"train": 12, "masked": 6, "held_out": 4, "unlabelled": 4}
    assert json.loads((tmp_path / "one" / "losses.json").read_bytes()) == json.loads(msgspec.json.encode(one))


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_given_twice_counts_once(material, tmp_path, form):
    once, twice = export(material, form, tmp_path / "once"), export([*material, *material[:5]], form, tmp_path / "twice")
    assert (once.repeated, twice.repeated) == (0, 5)
    assert twice.files == once.files


def test_one_trajectory_with_two_verdicts_is_refused(material, tmp_path):
    passed = next(one for one in material if one.reward == 1)
    again = msgspec.structs.replace(passed, verdict=Verdict(Status.FAIL), reward=0)
    with pytest.raises(UsageError, match="stands twice, with different verdicts or labels"):
        export([*material, again], "jsonl", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_an_attempt_that_cost_another_sum_the_second_time_counts_once(material, tmp_path):
    """The same acts, but a fault was overcome on the way to one of them."""
    again = msgspec.structs.replace(material[0], spent=Spent(requests=3, faults={"timeout": 1}))
    made = export([*material, again], "jsonl", tmp_path / "out")
    assert (made.trajectories, made.repeated) == (len(material), 1)


@pytest.mark.parametrize("status, reward", [(Status.PASS, 1), (Status.FAIL, 0)])
def test_a_verdict_on_what_failed_for_other_reasons_is_refused(material, tmp_path, status, reward):
    ended = next(one for one in material if one.trace.stop in UNGRADED)
    forged = msgspec.structs.replace(ended, verdict=Verdict(status), reward=reward)
    with pytest.raises(UsageError, match="which can have none"):
        export([forged], "jsonl", tmp_path / "out")


def test_a_trace_that_was_changed_is_refused(material, tmp_path):
    one = material[0]
    changed = msgspec.structs.replace(one, trace=msgspec.structs.replace(one.trace, messages=one.trace.messages[:-1]))
    with pytest.raises(UsageError, match="its trace isn't the one that its id names"):
        export([changed], "jsonl", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", FORMATS)
def test_no_trajectory_is_an_empty_export(tmp_path, form):
    made = export([], form, tmp_path / "none")
    assert (made.trajectories, made.files, made.sides, made.losses) == (0, {}, {}, ())


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("reward", [0, 1])
def test_a_reward_without_a_verdict_is_refused_and_nothing_is_written(material, tmp_path, form, reward):
    masked = next(one for one in material if one.is_masked)
    forged = msgspec.structs.replace(masked, reward=reward)
    with pytest.raises(UsageError, match=f"reward {reward} with the verdict error"):
        export([*material, forged], form, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("split", ["../up", "masked", "", "Train", "a/b", "held_out\n"])
def test_a_split_that_is_no_name_is_refused(material, tmp_path, split):
    bad = msgspec.structs.replace(material[0], label=Label("d/p", split))
    with pytest.raises(UsageError, match="no split's name"):
        export([bad], "jsonl", tmp_path / "out")


def test_an_unknown_format_is_named(material, tmp_path):
    with pytest.raises(UsageError, match=r"no format 'csv' \(there are: trl, verifiers, inspect, jsonl\)"):
        export(material, "csv", tmp_path / "out")


def test_only_an_export_is_replaced_and_only_when_asked(material, tmp_path):
    export(material, "jsonl", tmp_path / "out")
    with pytest.raises(UsageError, match="an export already"):
        export(material, "trl", tmp_path / "out")
    export(material, "trl", tmp_path / "out", force=True)
    assert (tmp_path / "out" / "README.md").is_file()
    assert not (tmp_path / "out" / "train.jsonl").exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").touch()
    for path in (tmp_path / "mine", tmp_path / "mine" / "thesis.tex"):
        with pytest.raises(UsageError, match="no export"):
            export(material, "trl", path, force=True)
    assert (tmp_path / "mine" / "thesis.tex").exists()


# ---- jsonl


def test_jsonl_holds_every_field_of_the_record(material, tmp_path):
    assert export(material, "jsonl", tmp_path / "out").losses == ()
    read = {row["id"]: (path.stem, row) for path in (tmp_path / "out").glob("*.jsonl") for row in rows(path)}
    assert len(read) == len(material)
    for one in material:
        side, row = read[name_of(one)]
        record, told = msgspec.to_builtins(one), row["metadata"]
        assert side == ("masked" if one.is_masked else one.label.split)
        assert (row["messages"], row["tools"], row["reward"]) == (
            json.loads(msgspec.json.encode(one.trace.messages)),
            list(record["trace"]["tools"]),
            one.reward,
        )
        assert f"{told['world']}/{told['task']}@{told['seed']}" == one.trace.instance
        assert f"{told['domain']}/{told['pattern']}" == (one.label.family if "/" in one.label.family else "unlabelled/unlabelled")
        assert (told["family"], told["split"], told["held_out"]) == (one.label.family, one.label.split, one.label.split == "held_out")
        elsewhere = {"version", "messages", "tools", "world", "brief", "seed"}  # `seed` stands under solver_seed
        for field in set(Trace.__struct_fields__) - elsewhere:
            assert told[field] == json.loads(msgspec.json.encode(getattr(one.trace, field))), field
        for field in set(Trajectory.__struct_fields__) - {"version", "id", "pack", "task", "world", "trace", "reward", "label"}:
            assert told[field] == json.loads(msgspec.json.encode(getattr(one, field))), field
        assert told["solver_seed"] == one.trace.seed
        digests = {"trace": one.id, "pack": one.pack, "world": one.world, "task": one.task, "brief": one.trace.brief}
        assert told["digests"] == digests
        assert told["versions"] == {"trajectory": 1, "trace": 1}


def test_what_has_no_verdict_is_apart_and_has_no_reward(material, tmp_path):
    unknown = msgspec.structs.replace(material[0], verdict=Verdict(Status.UNKNOWN, reason="nothing to judge by"), reward=None)
    for form in ("jsonl", "trl", "verifiers"):
        export([*material[1:], unknown], form, tmp_path / form)
    masked = {name_of(one) for one in [*material[1:], unknown] if one.is_masked}
    assert len(masked) == 7
    apart = rows(tmp_path / "jsonl" / "masked.jsonl")
    assert {row["id"] for row in apart} == masked
    assert all(row["reward"] is None and row["metadata"]["masked"] for row in apart)
    assert {row["id"] for row in rows(tmp_path / "trl" / "masked.jsonl")} == masked
    assert {row["id"] for row in rows(tmp_path / "verifiers" / "masked" / "traces.jsonl")} == masked
    for form in ("jsonl", "trl", "verifiers"):
        others = [path for path in (tmp_path / form).rglob("*.jsonl") if "masked" not in path.relative_to(tmp_path).as_posix()]
        assert others
        assert not masked & {row["id"] for path in others for row in rows(path)}


def test_a_family_that_is_trained_on_and_held_out_is_refused(material, tmp_path):
    there = [one for one in material if one.label.split != "unlabelled"]
    mixed = [msgspec.structs.replace(one, label=Label("library/remedy", one.label.split)) for one in there]
    with pytest.raises(UsageError, match=r"the family 'library/remedy' is train in pack \w{12} and held_out in pack \w{12}"):
        export(mixed, "jsonl", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
    unlabelled = msgspec.structs.replace(there[0], label=Label("library/remedy", "unlabelled"))
    assert export([unlabelled, *there[1:]], "jsonl", tmp_path / "out").sides["unlabelled"] == 1


# ---- the answer as a call


def shown_by_chat(entry: PackTask, seed: int) -> Request:
    """What the chat solver shows a model at the start."""
    model = ScriptedModel([Completion(calls=(ToolUse("1", "answer", {}),))])
    list(collect([Job(entry, ChatSolver(model), seed)], "p"))
    return model.asked[0]


@pytest.mark.parametrize("asked", [True, False])
def test_with_an_answer_tool_the_messages_are_those_of_the_chat_solver(loan_desk_pack, tmp_path, asked):
    files = dict(loan_desk_pack.files)
    if not asked:
        name = "worlds/loan-desk/tasks/settle-fine/brief.yaml"
        files[name] = re.sub(rb"^answer:\n(?:  .*\n)+", b"", files[name], flags=re.MULTILINE)
        name = "worlds/loan-desk/tasks/settle-fine/verifier.yaml"
        files[name] = re.sub(rb"^answer:\n(?:  .*\n)+", b"", files[name], flags=re.MULTILINE)
    entry = Pack(files).tasks()[0]
    assert bool(entry.task.brief.answer) == asked
    answer = {"decision": "upheld", "amount_cents": 0} if asked else None
    (one,) = collect([Job(entry, Scripted("s", Call("find_members", {"text": "a"}), Answer(answer)), 0)], "p")
    made = export([one], "jsonl", tmp_path / "out", answer_tool=True)
    (path,) = (tmp_path / "out").glob("*.jsonl")
    (row,) = rows(path)
    request = shown_by_chat(entry, 0)
    assert row["messages"][0] == {"role": "system", "content": request.system}
    assert row["messages"][1] == {"role": "user", "content": request.messages[0].text}
    assert [
        (tool["function"]["name"], tool["function"]["description"].strip(), tool["function"]["parameters"]) for tool in row["tools"]
    ] == [(tool.name, tool.doc, tool.schema) for tool in request.tools]
    function = {"name": "answer", "arguments": json.dumps(answer or {}, separators=(",", ":"))}
    assert row["messages"][-1] == {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "call_2", "type": "function", "function": function}],
    }
    assert [loss.how for loss in made.losses] == ["changed"]


@pytest.mark.parametrize("form", FORMATS)
def test_an_answer_tool_changes_nothing_else(material, tmp_path, form):
    export(material, form, tmp_path / "plain")
    made = export(material, form, tmp_path / "tool", answer_tool=True)
    assert made.sides == {"train": 12, "masked": 6, "held_out": 4, "unlabelled": 4}
    assert "the form of the answer" not in {loss.what for loss in made.losses}
    if form == "jsonl":
        plain, tool = ({row["id"]: row for path in (tmp_path / part).glob("*.jsonl") for row in rows(path)} for part in ("plain", "tool"))
        assert {key: row["metadata"] for key, row in plain.items()} == {key: row["metadata"] for key, row in tool.items()}
        for key, row in plain.items():
            assert row["messages"][1:-1] == tool[key]["messages"][1:-1]
            words = tool[key]["messages"][-1]["content"]
            assert words == ("Done, I think." if row["metadata"]["solver"] == "clumsy" else words)
            called = bool(tool[key]["messages"][-1].get("tool_calls"))
            assert called == (row["metadata"]["stop"] == "answered")


# ---- trl


def test_trl_has_passed_attempts_for_imitation_and_all_with_a_verdict_as_unpaired(material, tmp_path):
    made = export(material, "trl", tmp_path / "out")
    for split in ("train", "held_out", "unlabelled"):
        there = [one for one in material if not one.is_masked and one.label.split == split]
        sft, unpaired = (rows(tmp_path / "out" / config / f"{split}.jsonl") for config in ("sft", "unpaired"))
        assert [row["id"] for row in sft] == [name_of(one) for one in there if one.reward == 1]
        assert [(row["id"], row["label"], row["reward"]) for row in unpaired] == [
            (name_of(one), one.reward == 1, one.reward) for one in there
        ]
        for row in unpaired:
            assert {message["role"] for message in row["prompt"]} == {"system", "user"}
            assert row["completion"][0]["role"] == "assistant"
    assert {loss.what: loss.n for loss in made.losses}["attempts that failed"] == sum(one.reward == 0 for one in material)
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    head = yaml.safe_load(card.split("---\n")[1])
    listed = {config["config_name"]: [part["path"] for part in config["data_files"]] for config in head["configs"]}
    assert listed == {
        config: [f"{config}/{split}.jsonl" for split in ("train", "held_out", "unlabelled")] for config in ("sft", "unpaired")
    }
    declared = {info["config_name"]: {column["name"] for column in info["features"]} for info in head["dataset_info"]}
    assert declared == {"sft": set(sft[0]), "unpaired": set(unpaired[0])}


def test_trl_gives_arguments_as_values(material, tmp_path):
    export(material, "trl", tmp_path / "out")
    clumsy = next(row for row in rows(tmp_path / "out" / "unpaired" / "train.jsonl") if row["solver"] == "clumsy")
    calls = [call["function"] for message in clumsy["completion"] for call in message.get("tool_calls", ())]
    assert [(call["name"], call["arguments"]) for call in calls] == [
        ("find_members", {"text": "a"}),
        ("find_members", {"text": "e"}),
        ("find_members", ["no", "object"]),
        ("no_such_tool", {"ü": "…"}),
    ]
    assert clumsy["completion"][0]["content"] == "Two at once."


def test_trl_leaves_out_what_has_no_word_of_the_agent_and_says_so(material, tmp_path):
    one = next(one for one in material if one.reward == 0)
    said_nothing = msgspec.structs.replace(one.trace, messages=one.trace.messages[:2])
    mute = msgspec.structs.replace(one, trace=said_nothing, id=said_nothing.id)
    made = export([mute], "trl", tmp_path / "out")
    assert made.files == {}
    assert ("attempts in which the agent said nothing", "left out", 1) in [(loss.what, loss.how, loss.n) for loss in made.losses]
    assert yaml.safe_load((tmp_path / "out" / "README.md").read_text(encoding="utf-8").split("---\n")[1])["configs"] == []


# ---- verifiers


def test_verifiers_episodes_are_chains_that_say_what_the_agent_wrote(material, tmp_path):
    export(material, "verifiers", tmp_path / "out")
    read = {row["id"]: (path.parent.name, row) for path in (tmp_path / "out").glob("*/traces.jsonl") for row in rows(path)}
    assert len(read) == len(material)
    for one in material:
        side, episode = read[name_of(one)]
        (trace,) = episode["traces"]
        assert (episode["ok"], trace["ok"], trace["is_completed"]) == (not one.is_masked,) * 3
        assert trace["rewards"]["verdict"] == (None if one.is_masked else {"score": float(one.reward), "weight": 1.0})
        assert trace["agent"]["trainable"] == (side in ("train", "unlabelled"))
        nodes = trace["nodes"]
        assert [node.get("parent") for node in nodes] == [None, *range(len(nodes) - 1)]
        assert [node["sampled"] for node in nodes] == [message.role == "assistant" for message in one.trace.messages]
        assert [node["message"]["content"] for node in nodes] == [message.content for message in one.trace.messages]
        assert [tool["name"] for tool in nodes[0]["tools"]] == [tool["function"]["name"] for tool in one.trace.tools]
        assert all(node["message"]["name"] for node in nodes if node["message"]["role"] == "tool")
        if one.is_masked:
            assert episode["errors"] == trace["errors"]
            assert "no verdict (error)" in trace["errors"][0]["message"]


# ---- inspect


def test_inspect_samples_have_scores_or_errors_and_rates_leave_errors_out(material, tmp_path):
    export(material, "inspect", tmp_path / "out")
    wanted = {name_of(one): one for one in material}
    seen = set()
    for header, samples in logs(tmp_path / "out"):
        score, judged = header["results"]["scores"][0], [sample["scores"]["verdict"]["value"] for sample in samples if "scores" in sample]
        assert (score["scored_samples"], score["unscored_samples"]) == (len(judged), len(samples) - len(judged))
        assert score.get("metrics", {}) == ({"accuracy": {"name": "accuracy", "value": sum(judged) / len(judged)}} if judged else {})
        assert len({(sample["id"], sample["epoch"]) for sample in samples}) == len(samples)
        assert header["eval"]["config"]["epochs"] == max(sample["epoch"] for sample in samples)
        for sample in samples:
            one = wanted[sample["uuid"]]
            seen.add(sample["uuid"])
            assert ("error" in sample, "scores" in sample) == (one.is_masked, not one.is_masked)
            assert (one.trace.solver, one.pack) == (header["eval"]["solver"], header["eval"]["metadata"]["pack"])
            assert header["eval"]["metadata"]["tools"][sample["metadata"]["tools"]] == list(one.trace.tools)
            assert len({message["id"] for message in sample["messages"]}) == len(sample["messages"])
            names = [message["metadata"]["name"] for message in sample["messages"] if "metadata" in message]
            assert names == [message.name for message in one.trace.messages if message.name]
    assert seen == wanted.keys()


def test_inspect_keeps_arguments_that_are_no_object_as_a_parse_error(material, tmp_path):
    made = export([one for one in material if one.trace.solver == "clumsy"], "inspect", tmp_path / "out")
    calls = [
        call
        for _, ones in logs(tmp_path / "out")
        for one in ones
        for message in one["messages"]
        for call in message.get("tool_calls") or ()
    ]
    odd = [(call["arguments"], call["parse_error"]) for call in calls if "parse_error" in call]
    assert odd == [({}, 'not an object: ["no","object"]')] * 4
    assert {loss.what: loss.n for loss in made.losses}["arguments that are no object"] == 4


# ---- losses and the command


@pytest.mark.parametrize("form", ["trl", "verifiers", "inspect"])
def test_losses_are_counted_over_the_trajectories_at_hand(material, tmp_path, form):
    whole = {loss.what: loss.n for loss in export(material, form, tmp_path / "whole").losses}
    assert whole["who speaks"] == sum(any(message.name for message in one.trace.messages) for one in material) == 4
    plain = export([one for one in material if one.trace.solver == "noop"], form, tmp_path / "plain").losses
    assert not {"who speaks", "arguments that are no object", "attempts without a verdict"} & {loss.what for loss in plain}
    assert all(loss.n for loss in plain)


def test_the_command_writes_prints_and_refuses(material, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    list(write_trajectories(tmp_path / "run.jsonl", material))

    def end(*argv: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            run(["export", *argv])
        return caught.value.code, *capsys.readouterr()

    code, out, err = end("run.jsonl", "--to", "trl")
    assert code == 0
    assert "26 trajectories (12 train, 6 masked, 4 held_out, 4 unlabelled): run-trl" in out
    assert "what trl can't hold (also in run-trl/losses.json):" in out
    assert "sft/held_out.jsonl" in out
    assert "load_dataset" in err
    code, out, _ = end("run.jsonl", "run.jsonl", "--to", "jsonl", "-o", "plain", "--json")
    told = json.loads(out)
    assert (code, told["out"], told["export"]["repeated"], told["export"]["losses"]) == (0, "plain", 26, [])
    code, out, err = end("run.jsonl", "--to", "trl")
    assert (code, out) == (2, "")
    assert "run-trl: there is an export already (--force replaces it)" in err
    code, out, err = end("run.jsonl", "--to", "soap")
    assert (code, out) == (2, "")
    assert "there is no format 'soap'" in err
    code, _, err = end("gone.jsonl", "--to", "trl", "-o", "other")
    assert code == 2
    assert "gone.jsonl" in err
