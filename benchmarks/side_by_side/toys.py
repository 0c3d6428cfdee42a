"""The tools' own toys as items: run from where they are installed or unpacked, wrapped by modules that are written at run time.

Takes where things are; gives items. Nothing of a toy is copied: the wrappers import or load it. Labels are the toys' own: a
specimen that expects no check is healthy, a fixture says `defect`, an example's README says what is planted.
"""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from environments import VERIFIERS, Places
from items import Item, N

_ZOO = """
import json
from envdoctor import demo, zoo
found = [("zoo", one.name, one.healthy, one.cases) for one in zoo.SPECIMENS]
found += [("demo", name, name == "healthy", demo.build_cases()) for name in ("gameable", "healthy")]
print(json.dumps([[kind, name, healthy, [[case.prompt, case.answer] for case in cases]] for kind, name, healthy, cases in found]))
"""
_REWARD = '''"""A reward function of rl-envdoctor's {kind}, called as trainers call theirs. Written by run.py."""

import inspect
import sys

sys.path.append({packages!r})

from envdoctor import demo, zoo

_ZOO = {{one.name: one.reward for one in zoo.SPECIMENS}}
_DEMO = {{"gameable": demo.gameable_reward, "healthy": demo.healthy_reward}}
_function = {{"zoo": _ZOO, "demo": _DEMO}}[{kind!r}][{name!r}]
_takes_answer = len(inspect.signature(_function).parameters) > 1


def reward(completions, answer, **columns):
    return [_function(text, key) if _takes_answer else _function(text) for text, key in zip(completions, answer)]
'''
_RUBRIC = '''"""The reward function inside falsepass's demo, called as trainers call theirs. Written by run.py."""

import sys

sys.path.append({folder!r})

from {module} import load_environment

_rubric = load_environment(n=1).rubric
_found = [one for part in [_rubric, *getattr(_rubric, "rubrics", [])] for one in part.funcs]
_function = next(one for one in _found if one.__name__ == "correct")


def reward(completions, answer, **columns):
    return [_function([{{"role": "assistant", "content": text}}], key) for text, key in zip(completions, answer)]
'''
_PROGRAM = """def solve(items):
    total = 0
    for item in items:
        if item > 0:
            total += item
    return total
"""
_FIXTURE = '''"""A grader of bohrin's conformance suite as a plain environment. Written by run.py."""

import importlib.util

_spec = importlib.util.spec_from_file_location("fixture", {file!r})
_fixture = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_fixture)


class Episode:
    tools = []

    def __init__(self):
        self.prompt = {prompt!r}

    def reference(self):
        return [], {reference!r}

    def finish(self, answer):
        return _fixture.grade(answer) if isinstance(answer, str) else 0.0


class Fixture:
    name = {name!r}

    def cases(self):
        return ["grader"]

    def start(self, case, seed):
        return Episode()


def environment():
    return Fixture()
'''


def toys(places: Places) -> Iterator[Item]:
    """All of them."""
    yield from _of_envdoctor(places)
    yield from _of_falsepass(places)
    yield from _of_bohrin(places)


def _of_envdoctor(places: Places) -> Iterator[Item]:
    python, packages = places.pythons["envdoctor"], places.packages("envdoctor")
    folder = _folder(places, "envdoctor")
    told = subprocess.run([str(python), "-c", _ZOO], capture_output=True, text=True, check=True).stdout
    for kind, name, healthy, cases in json.loads(told):
        file = folder / f"{kind}_{name}.py"
        file.write_text(_REWARD.format(kind=kind, name=name, packages=str(packages)), encoding="utf-8")
        dataset = _written(file.with_suffix(".jsonl"), [{"prompt": prompt, "answer": answer} for prompt, answer in cases])
        yield Item(
            f"envdoctor/{kind}/{name}", f"rl-envdoctor's {kind}", "sound" if healthy else "faulty", kind, "reward",
            file=str(file), function="reward", dataset=dataset, python=str(python),
        )  # fmt: skip


def _of_falsepass(places: Places) -> Iterator[Item]:
    example = places.sources["falsepass"] / "examples" / "reward-toy"
    yield Item(
        "falsepass/reward-toy", "falsepass's examples", "faulty", "example", "reward", file=str(example / "rewards.py"),
        function="correctness_reward+format_reward", weights=[2.0, 0.5], dataset=str(example / "data.jsonl"),
        python=str(places.pythons["falsepass"]),
    )  # fmt: skip
    if VERIFIERS in places.pythons:
        yield _demo(places)


_DEMO_ROWS = """
import json
from {module} import load_environment
print(json.dumps([[row["prompt"], row["answer"]] for row in load_environment(n={n}).get_dataset()]))
"""


def _demo(places: Places) -> Item:
    """falsepass's demo: a verifiers environment, and a wrapper of its reward function for tools that don't load these."""
    python, module = places.pythons[VERIFIERS], "falsepass_toy_env"
    source = places.packages(VERIFIERS) / "falsepass" / "_demo"
    command = [str(python), "-c", _DEMO_ROWS.format(module=module, n=N)]
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=source).stdout
    rows = json.loads(told.splitlines()[-1])
    file = _folder(places, "falsepass") / "demo.py"
    file.write_text(_RUBRIC.format(folder=str(source), module=module), encoding="utf-8")
    dataset = _written(file.with_suffix(".jsonl"), [{"prompt": _told(prompt), "answer": answer} for prompt, answer in rows])
    return Item(
        "falsepass/demo", "falsepass's examples", "faulty", "demo", VERIFIERS, file=str(source / f"{module}.py"), function="reward",
        dataset=dataset, python=str(python), shim=str(file),
    )  # fmt: skip


def _told(prompt: Any) -> str:
    return prompt if isinstance(prompt, str) else "\n".join(str(turn["content"]) for turn in prompt)


def _of_bohrin(places: Places) -> Iterator[Item]:
    listed = places.packages("bohrin") / "bohrin" / "conformance" / "bcl-1.toml"
    source = places.sources["bohrin"] / "conformance" / "bcl-1"
    for one in tomllib.loads(listed.read_text(encoding="utf-8"))["fixture"]:
        file = _folder(places, "bohrin") / f"{Path(one['file']).stem.replace('-', '_')}.py"
        fixture = source / one["file"]
        prompt, reference = _posed(fixture)
        told = {"file": str(fixture), "prompt": prompt, "reference": reference, "name": one["id"]}
        file.write_text(_FIXTURE.format(**told), encoding="utf-8")
        yield Item(
            f"bohrin/{one['id']}", "bohrin's BCL-1", "faulty" if one["defect"] else "sound", one["weakness"], "python",
            file=str(file), function="environment", n=3, python=str(places.pythons["bohrin"]),
        )  # fmt: skip


def _posed(fixture: Path) -> tuple[str, str]:
    """What a solver is told (the docstring's task, without what it says of the grader), and a right submission."""
    names: dict[str, Any] = {"__name__": "fixture"}
    exec(compile(fixture.read_text(encoding="utf-8"), str(fixture), "exec"), names)
    lines = names["__doc__"].splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("Task:"))
    end = next(n for n, line in enumerate(lines) if line.startswith("Interface:"))
    prompt = " ".join(lines[start:end]).removeprefix("Task: ")
    if "EXPECTED" in names:
        return f"{prompt}\nSubmit what the program prints for the input:\n{names['INPUT']}", names["EXPECTED"]
    shown = "".join(f"\nsolve({given!r}) == {result!r}" for given, result in names.get("VISIBLE", ()))
    return f"{prompt}{shown}\nSubmit the program's source, in Python.", _PROGRAM


def _folder(places: Places, tool: str) -> Path:
    folder = places.build / "toys" / tool
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _written(file: Path, rows: list[dict[str, Any]]) -> str:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return str(file)
