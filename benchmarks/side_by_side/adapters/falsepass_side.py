"""falsepass on an item, through its runner: `python falsepass_side.py ITEM.json SCRATCH`.

Reward functions and verifiers environments are forms that it knows: they go in as they are, with its static scan, and with the
column of the answer named, as its `--answer-column` does. Everything
else goes in through `falsepass_audit.py`. An environment with tools is played in answer mode first and, where the control says
that the answer isn't what is graded, in tools mode. Its search, off by default, is on: 120 calls, as its help proposes.

Its rows are leads by its own word, and strict graders fail some of them too, so its own documented scale (docs/SEVERITY.md)
decides. Flagged is what it rates medium or above: a completion made without the answer that earns more than a tenth on
average; a non-committal completion that gets full credit; references, or the known solution, that earn half or less; an
unstable score. Which of several answers is graded, strictness of form, and exceptions on unusual input are low there, and don't
flag. `same_as_good` and `no_control` rows count for nothing. Inconclusive: its control failed, most rows got no score, or no form
of the reference is paid.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from episodes import load, playing, say, tasks
from rows import ANSWERS

POLICY_CHOICES = {("P9", "correct_then_retracted"), ("P5", "each_rendered")}
"""Which of several answers in a reply is graded: rated low on its scale."""
SEARCH = 120


def settings_of(item: dict[str, Any]) -> dict[str, Any]:
    """The `[env]` table of the audit folder."""
    if item["form"] == "reward":
        known = {"framework": "reward", "task": item["file"], "dataset": item["dataset"], "functions": item["function"].split("+")}
        column = answer_column(item["dataset"])
        weights = {"weights": item["weights"]} if item.get("weights") else {}
        return known | weights | ({"answer_column": column} if column else {})
    if item["form"] == "verifiers":
        return {"framework": "verifiers", "module": Path(item["file"]).stem}
    return {"framework": "custom", "source": item.get("file") or item["pack"]}


def answer_column(dataset: str) -> str:
    """The column of the known answer, by its usual names; "" where none has one. It would guess the first that a function takes."""
    first = json.loads(Path(dataset).read_text(encoding="utf-8").splitlines()[0])
    return next((name for name in ANSWERS if name in first), "")


class Judged(NamedTuple):
    """The outcome, why, and what it says of its control."""

    outcome: str
    why: list[str]
    validity: str


def audited(item_file: Path, item: dict[str, Any], folder: Path, mode: str) -> Judged:
    """Run it once."""
    folder.mkdir(parents=True)
    settings = {"id": f"local/{item['id'].replace('/', '-')}", **settings_of(item)}
    folder.joinpath("env.toml").write_text("[env]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items()))
    if settings["framework"] == "custom":
        folder.joinpath("adapter.py").write_text("from falsepass_audit import make\n\nADAPTER = make()\n")
    paths = [str(Path(__file__).parent), str(Path(item["file"]).parent) if item.get("file") else "", os.environ.get("PYTHONPATH", "")]
    environ = {**os.environ, "ITEM": str(item_file), "MODE": mode, "PYTHONPATH": os.pathsep.join(one for one in paths if one)}
    command = [sys.executable, "-m", "falsepass.runner", str(folder), "-n", str(item["n"]), "--search", str(SEARCH), "--jobs", "1"]
    done = subprocess.run(command, capture_output=True, text=True, env=environ, cwd=folder)
    results = folder / "probe-results.json"
    if not results.is_file():
        last = (done.stderr.strip().splitlines() or ["no output"])[-1]
        return Judged("inconclusive" if "no candidate format earned" in last else "can't load", [last], "")
    return judged(json.loads(results.read_text(encoding="utf-8")))


def judged(report: dict[str, Any]) -> Judged:
    """The outcome of a report by the scale above."""
    top, adapter = report["meta"]["max_reward"], report["meta"]["adapter"]
    validity = str(adapter.get("validity", "ok")) if isinstance(adapter, dict) else "ok"
    rows = [row for row in report["results"] if not row["no_control"] and row["probe"] != "P12"]
    if rows and 2 * sum(row["score"] is None for row in rows) >= len(rows):
        return Judged("inconclusive", ["most completions got no score"], validity)
    groups: dict[tuple[str, str, str, bool], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        if row["score"] is not None:
            groups[row["probe"], row["variant"], row["expected"], row["answer_free"]].append(row)
    controlled = not validity.startswith("inconclusive")
    why = [said for key, ones in groups.items() if (said := _rated(key, ones, top, controlled))]
    if why:
        return Judged("flagged", why, validity)
    return Judged("clean", [], validity) if controlled else Judged("inconclusive", [validity], validity)


def _is_known_good(row: dict[str, Any]) -> bool:
    return row["score"] is not None and (row["probe"] == "P1" or (row["probe"], row["variant"]) == ("X1", "solver"))


def _rated(key: tuple[str, str, str, bool], rows: list[dict[str, Any]], top: float, controlled: bool) -> str:
    """What is medium or above in a group of rows; "" if nothing is."""
    probe, variant, expected, answer_free = key
    mean = sum(row["score"] for row in rows) / len(rows)
    failed = [row for row in rows if not row["passed"]]
    if expected == "zero" and answer_free and mean > 0.1 * top and failed:
        return f"{probe} {variant}: mean {mean:.2g} of {top:g}"
    if expected == "stable" and failed:
        return f"{probe} {variant}: unstable"
    if not controlled:
        return ""
    if expected in ("zero", "below_reference") and not answer_free and (probe, variant) not in POLICY_CHOICES:
        full = sum(not row["same_as_good"] and row["score"] >= top - 1e-9 for row in failed)
        if full:
            return f"{probe} {variant}: full credit on {full} of {len(rows)}"
    return f"{probe} {variant}: references earn {mean:.2g} of {top:g}" if _is_known_good(rows[0]) and mean <= 0.5 * top else ""


def has_tools(item: dict[str, Any]) -> bool:
    """Whether its first task has tools: then texts after the known calls say nothing where the answer isn't graded."""
    if item["form"] not in ("python", "pack"):
        return False
    try:
        environment = load(item)
        with playing(environment, *tasks(environment, 1)[0]) as run:
            return bool(run.tools)
    except Exception:  # noqa: BLE001 - an environment that doesn't start has been reported already
        return False


def main() -> None:
    """The command."""
    item_file, scratch = Path(sys.argv[1]), Path(sys.argv[2])
    item = json.loads(item_file.read_text(encoding="utf-8"))
    told = audited(item_file, item, scratch / "answer", "answer")
    if not told.validity.startswith("ok") and has_tools(item):
        told = audited(item_file, item, scratch / "tools", "tools")
    say(told.outcome, told.why)


if __name__ == "__main__":
    main()
