"""Verdicts don't depend on clock, zone, locale, hash seed, environment, place or load."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from worldwright.audit.bench import At, Case, plain_outcome
from worldwright.audit.records import Outcome, Probe
from worldwright.audit.subject import Attempt, Play, Session, Setting

PROBE = Probe(
    id="surroundings",
    side="hold",
    codes=("I3", "R6"),
    needs=frozenset({"reference"}),
    version=3,
    means="The same run gets another verdict, prompt or result in another time zone, on another day, or on a busy machine.",
    repair="Take time from the episode's own state, and nothing from the machine: no wall clock, no locale, no environment, no network.",
)

EVERYTHING = Setting(
    zone="Pacific/Kiritimati",
    locale="tr_TR.UTF-8",
    hash_seed=77,
    days=401.6,
    environ={"CI": "true", "DEBUG": "1", "USER": "nobody"},
    where="another place ü",
)
"""All at once; what differs is then looked for one by one."""

BUSY_TOMORROW = Setting(hash_seed=EVERYTHING.hash_seed, locale="de_DE.UTF-8", days=1, load=True)
"""Once these have changed nothing: a day later, on a busy machine, in a locale whose decimal comma more programs know than Turkey's.

The hash seed is the one for which there is a process.
"""

_APART = {
    "the time zone": Setting(zone="Pacific/Kiritimati"),
    "the locale": Setting(locale="tr_TR.UTF-8"),
    "the hash seed": Setting(hash_seed=77),
    "the day": Setting(days=401.6),
    "environment variables": Setting(environ=EVERYTHING.environ),
    "the folder it runs in": Setting(where="another place ü"),
}
_APART_TOMORROW = {
    "the next day": Setting(days=1),
    "the locale": Setting(locale="de_DE.UTF-8"),
    "other work on the machine": Setting(load=True),
}


def look(case: Case, fresh: Sequence[At]) -> Iterator[Outcome]:
    """Reference and idle run of a few instances, elsewhere; then those of one of them a day later, on a busy machine."""
    ready = [at for at in fresh if at.paid][:3]
    plays = [(at, play) for at in ready for play in (at.play(at.reference.acts, at.reference.answer), at.play((), None))]
    if not plays:
        return
    plain = _run(case, plays, Setting())
    for name, setting, apart in (
        ("elsewhere", EVERYTHING, _APART),
        ("tomorrow, on a busy machine", BUSY_TOMORROW, _APART_TOMORROW),
    ):
        some = plays[:2] if setting.load else plays  # a busy machine costs what it is busy with
        moved = _run(case, some, setting)
        for (at, play), here, there in zip(some, plain, moved, strict=False):
            what = _differs(here, there)
            blamed = _blame(case, at, play, here, apart) if what else ""
            why = f"The same run differs {name} in {what}{'; it is ' + blamed if blamed else ''}." if what else ""
            yield plain_outcome(
                PROBE, at, name, not what, why=why, evidence={"here": _short(here), name: _short(there)} if what else {},
                session=Session((play,), (), setting), lead=bool(what) and what == "what calls give" and not blamed,
            )  # fmt: skip
            if what:
                return
    yield from _network(case, ready)


def _run(case: Case, plays: Sequence[tuple[At, Play]], setting: Setting) -> list[Attempt]:
    return [attempts[0] for attempts in case.attempts([Session((play,), (), setting) for _, play in plays])]


def _blame(case: Case, at: At, play: Play, here: Attempt, apart: Mapping[str, Setting]) -> str:
    for name, setting in apart.items():
        there = case.attempts([Session((play,), (), setting)])[0][0]
        if _differs(here, there):
            return name
    return ""


def _differs(here: Attempt, there: Attempt) -> str:
    if here.status != there.status:
        return f"the verdict ({here.status} and {there.status})"
    if here.prompt != there.prompt:
        return "the prompt"
    if _values(here) != _values(there):
        return "what calls give"
    return ""


def _values(attempt: Attempt) -> str:
    return repr([(one.ok, one.value) for one in attempt.results])


def _network(case: Case, ready: Sequence[At]) -> Iterator[Outcome]:
    """What the environment reached for while it graded."""
    at = ready[0]
    session = Session((at.play(at.reference.acts, at.reference.answer),))
    touched = [one for one in case.attempts([session], watch=True)[0][0].touched if "socket." in one.event]
    why = f"It reaches for the network: {touched[0].event} {touched[0].path}." if touched else ""
    yield plain_outcome(
        PROBE,
        at,
        "network",
        not touched,
        why=why,
        evidence={"reached for": [f"{one.event} {one.path}" for one in touched[:4]]},
        session=session,
    )


def _short(attempt: Attempt) -> dict[str, object]:
    plain = {"verdict": attempt.status, "reward": attempt.reward, "prompt": attempt.prompt[:160], "fault": attempt.fault[:160]}
    return msgspec.to_builtins(plain)  # type: ignore[no-any-return]
