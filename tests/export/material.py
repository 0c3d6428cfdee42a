"""Trajectories of every kind that an export meets: passed, failed, without a verdict; in training, held out, unlabelled; with people
who speak up, several calls at once, calls that were refused, and arguments that are no object."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from worldwright.pack import Pack, read_pack
from worldwright.rollout import Job, Trajectory, collect
from worldwright.solver import SOLVERS, Answer, Call
from worldwright.solver.plan import PlanSolver

ROOT = Path(__file__).parents[2]
LOAN_DESK = ROOT / "tests" / "quality" / "lint" / "base"
VENUES = ROOT / "examples" / "venue-booking"


class Scripted:
    """A solver whose agents do the same each time."""

    def __init__(self, name: str, *acts: Any) -> None:
        self.name, self.acts = name, acts

    def start(self, prompt: Any, seed: int, shown: Any) -> _Agent:
        return _Agent(self.acts)


class _Agent:
    def __init__(self, acts: Any) -> None:
        self.acts = iter(acts)

    def act(self, observation: Any) -> Any:
        act = next(self.acts)
        if isinstance(act, BaseException):
            raise act
        return act

    def close(self) -> None:
        pass


CLUMSY = Scripted(
    "clumsy",
    [Call("find_members", {"text": "a"}, text="Two at once."), Call("find_members", {"text": "e"})],
    Call("find_members", ["no", "object"]),
    Call("no_such_tool", {"ü": "…"}),
    Answer({"decision": "upheld", "amount_cents": 0}, text="Done, I think."),
)
FAILING = Scripted("failing", Call("find_members", {"text": "a"}), ConnectionError("the endpoint is down"))


def labelled(pack: Pack, family: str, split: str) -> Pack:
    """The loan desk with its one task in a family, on a side."""
    more = f'\n[families]\n"loan-desk/settle-fine" = "{family}"\n[splits]\n{split} = ["{family}"]\n'.encode()
    return Pack({**pack.files, "pack.toml": pack.files["pack.toml"] + more})


def _attempts(pack: Pack, solvers: list[Any], seeds: int, k: int = 1) -> Iterator[Trajectory]:
    for entry in pack.tasks():
        own = [PlanSolver(entry.reference, name="reference"), *solvers] if entry.reference is not None else solvers
        yield from collect([Job(entry, one, seed, index) for one in own for seed in range(seeds) for index in range(k)], pack.digest)


def trajectories() -> list[Trajectory]:
    """About thirty, over three packs."""
    desk = read_pack(LOAN_DESK)
    out = list(_attempts(labelled(desk, "library/remedy", "train"), [SOLVERS["noop"](), CLUMSY, FAILING], 2, 2))
    out += _attempts(labelled(desk, "archive/remedy", "held_out"), [SOLVERS["noop"](), FAILING], 2)
    return out + list(_attempts(read_pack(VENUES), [], 2))
