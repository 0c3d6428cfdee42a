"""Text graders in this process: a function of completion and answer, and rows of prompts and answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from worldwright.audit.adapters.shims.reward_shim import rendered
from worldwright.audit.policy import Policy
from worldwright.audit.records import Outcome
from worldwright.audit.run import audit
from worldwright.audit.subject import Attempt, Facts, Known, Play, Session

POLICY = Policy("small", 1, "for tests", 6, 0, first_wave=6, search=12, certifies=False)
THOROUGH = msgspec.structs.replace(POLICY, search=300)


class Graded:
    """A subject that grades completions; whatever the function raises is an error."""

    kind, name, digest = "reward", "graded", "0" * 64

    def __init__(
        self,
        grade: Callable[[str, Any], Any],
        rows: Sequence[tuple[str, Any]],
        frame: tuple[str, str] = ("", ""),
        notes: tuple[str, ...] = (),
        mark: float = 1.0,
    ) -> None:
        self.grade, self.rows, self.frame, self.notes, self.mark = grade, rows, frame, notes, mark

    def cases(self) -> list[str]:
        return ["grade"]

    def facts(self, case: str, seed: int) -> Facts:
        prompt, answer = self.rows[seed % len(self.rows)]
        has = frozenset({"reference", "pass_mark"})
        return Facts(case, seed, prompt, (), self.mark, has, Known("reference", (), answer), notes=self.notes, frame=self.frame)

    def run(self, session: Session, watch: bool = False) -> list[Attempt]:
        return [self._played(play) for play in session.plays]

    def _played(self, play: Play) -> Attempt:
        prompt, answer = self.rows[play.seed % len(self.rows)]
        completion = rendered(play.answer, self.frame)
        text = completion if isinstance(completion, str) else "".join(message["content"] or "" for message in completion)
        try:
            reward = self.grade(text, answer)
        except Exception as fault:  # noqa: BLE001 - what a grader raises is data
            return Attempt("error", prompt=prompt, where="finish", fault=f"{type(fault).__name__}: {fault}")
        if reward is None or math.isnan(reward):
            return Attempt("unknown" if reward is None else "error", reward, prompt, fault="" if reward is None else "not a number")
        return Attempt("pass" if reward >= self.mark - 1e-9 else "fail", reward, prompt)

    def close(self) -> None:
        return


@pytest.fixture(scope="session")
def graded() -> type[Graded]:
    return Graded


@pytest.fixture(scope="session")
def outcomes() -> Callable[..., list[Outcome]]:
    """What these probes say of a subject."""

    def asked(subject: Graded, *probes: str) -> list[Outcome]:
        policy = THOROUGH if probes == ("text-search",) else POLICY
        return list(audit(subject, policy, seed=0, only=probes, whole=True).outcomes)

    return asked


@pytest.fixture(scope="session")
def findings(outcomes) -> Callable[..., set[tuple[str, str]]]:
    """(probe, variant) of every confirmed finding."""

    def asked(subject: Graded, *probes: str) -> set[tuple[str, str]]:
        return {(one.probe, one.variant) for one in outcomes(subject, *probes) if one.kind == "finding" and one.confirmed}

    return asked
