"""`worldwright review TARGET|DIR`: a person judges what no probe could, one lead at a time."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from worldwright.audit.adapters.targets import subject_of
from worldwright.audit.dossier import Findings, read_findings
from worldwright.audit.exhibits import Exhibit
from worldwright.audit.lock import Request
from worldwright.audit.policy import read_policy
from worldwright.audit.review import Reviewed, add_review, queue, read_reviews
from worldwright.cli.audit_ import audited
from worldwright.cli.output import GOOD, note, say
from worldwright.errors import UsageError
from worldwright.ledger import Cost, Ledger
from worldwright.rollout.codec import SUFFIXES
from worldwright.rollout.exhibits import ROLLOUT, exhibits_of_run, subject_of_run

__all__ = ["review"]

_LONGEST = 10.0
"""Minutes that one judgement may take in the ledger; who is longer away was away."""

_ANSWERS = {**{word[:n]: word for word in ("right", "wrong", "skip", "quit") for n in (1, len(word))}, "": "skip"}


def review(
    target: Annotated[str, typer.Argument(help="The folder of an audit (--out), a target to audit first, or a run (RUN.jsonl).")],
    by: Annotated[str, typer.Option(help="Who judges: a name that stands beside each judgement.")] = "person",
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The folder for the audit, if one is made first.")] = None,
    policy: Annotated[str, typer.Option(help="The policy, if an audit is made first.")] = "default",
    path: Annotated[Path | None, typer.Option(help="Where the module of python:MODULE:FUNCTION is.")] = None,
    python: Annotated[str | None, typer.Option(help="The interpreter for foreign code.")] = None,
    dataset: Annotated[Path | None, typer.Option(help="The rows (JSONL) for reward:FILE.")] = None,
) -> int:
    """Judge leads one at a time: is the verdict right or wrong? Judgements feed the next audit (--reviewed)."""
    if target.endswith(SUFFIXES):
        return _of_a_run(Path(target), by)
    folder = _folder(target, out, policy, path, python, dataset)
    findings = read_findings(folder / "findings.json")
    file = folder / "review.jsonl"
    waiting = queue(findings.digest, findings.leads, read_reviews(file))
    say(f"{findings.subject}: {len(waiting)} to judge (of {len(findings.leads)} leads)")
    say("answer right, wrong, skip or quit, and a note behind it if you like")
    done = _judge_all(waiting, findings, file, by)
    if done:
        Ledger(folder / "ledger.jsonl").add("audit", findings.digest, f"review by {by}", Cost(minutes=sum(one.minutes for one in done)))
    say(f"{len(done)} judged: {file}")
    if done:
        note(f"use them: worldwright audit TARGET --reviewed {file}")
    return GOOD


def _of_a_run(run: Path, by: str) -> int:
    """Judge what is odd in a stored run."""
    findings = Findings(str(run), subject_of_run(run), (), tuple(exhibits_of_run(run)))
    file = run.with_name(f"{run.name}.review.jsonl")
    waiting = queue(findings.digest, findings.leads, read_reviews(file))
    say(f"{run}: {len(waiting)} to judge (of {len(findings.leads)} leads)")
    done: list[Reviewed] = []
    if waiting:
        say("answer right, wrong, skip or quit, and a note behind it if you like")
        done = _judge_all(waiting, findings, file, by)
    if done:
        cost = Cost(minutes=sum(one.minutes for one in done))
        Ledger(run.with_name(f"{run.name}.ledger.jsonl")).add("rollout", findings.digest, f"review by {by}", cost)
    say(f"{len(done)} judged: {file}")
    wrong = [one for one in done if one.verdict_is == "wrong"]
    if wrong:
        note(f"{len(wrong)} wrong: mend the verifier, then `worldwright rescore {run} --verifier PACK` says which verdicts flip")
    return GOOD


def _folder(target: str, out: Path | None, policy: str, path: Path | None, python: str | None, dataset: Path | None) -> Path:
    """The audit's folder; the audit is made if the target isn't one."""
    if (Path(target) / "findings.json").is_file():
        return Path(target)
    subject = subject_of(target, path=path, python=python, dataset=dataset)
    try:
        folder = out or Path(f"audit-{subject.digest[:12]}")
        if not (folder / "findings.json").is_file():
            audited(subject, read_policy(policy), 0, Request(), out=folder)
        elif read_findings(folder / "findings.json").digest != subject.digest:
            raise UsageError(f"{folder}: an audit of another subject (give a new folder with --out)")
    finally:
        subject.close()
    return folder


def _judge_all(waiting: Sequence[Exhibit], findings: Findings, file: Path, by: str) -> list[Reviewed]:
    done = []
    for n, one in enumerate(waiting, 1):
        for line in _shown(one, n, len(waiting)):
            say(line)
        started = time.monotonic()
        answer, text = _ask()
        minutes = min((time.monotonic() - started) / 60, _LONGEST)
        if answer == "quit":
            break
        if answer == "skip":
            continue
        verdict: Literal["right", "wrong"] = "right" if answer == "right" else "wrong"
        done.append(Reviewed(findings.digest, one.case, one.seed, one.probe, one.variant, one.got, verdict, by, text, round(minutes, 2)))
        add_review(file, done[-1])
    return done


def _ask() -> tuple[str, str]:
    """An answer and a note; the end of the input is `quit`."""
    while True:
        sys.stdout.write("is the verdict right? [right/wrong/skip/quit] ")
        sys.stdout.flush()
        line = sys.stdin.readline()
        word, _, text = line.strip().partition(" ")
        if not line:
            say()
            return "quit", ""
        if word.casefold() in _ANSWERS:
            return _ANSWERS[word.casefold()], text.strip()
        say(f"'{word[:40]}' is none of right, wrong, skip, quit; a note goes behind it: wrong it moved two parcels")


def _shown(one: Exhibit, n: int, of: int) -> list[str]:
    """The brief, what was done, the end and the verdict; not what the probe expected, which would be a hint."""
    out = [
        "",
        f"{n} of {of}: {one.case}, seed {one.seed}",
        *([f"why it is here: {one.why}"] if one.probe.startswith(ROLLOUT) else []),
        "brief",
    ]
    out += [*(f"  {line}" for line in one.prompt.splitlines() or ["(none)"]), "what was done"]
    out += [f"  {step.tool}({step.args}) -> {'' if step.ok else 'refused: '}{step.result}" for step in one.steps] or ["  nothing"]
    out += [f"answer: {one.answer or 'none'}"]
    if one.changes:
        out += ["the end: what changed", *(f"  {change}" for change in one.changes)]
    if one.setting:
        out.append(f"surroundings: {one.setting}")
    reward = "" if one.reward is None else f" (reward {one.reward:g})"
    return [*out, f"verdict: {one.got}{reward}", *(f"  {check}" for check in one.checks)]
