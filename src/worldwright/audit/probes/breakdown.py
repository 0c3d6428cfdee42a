"""A broken machine is no verdict on the agent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from worldwright.audit.bench import At, Case, plain_outcome
from worldwright.audit.code import hands_over
from worldwright.audit.records import Outcome, Probe
from worldwright.audit.subject import Attempt, Session, Setting, Touch

PROBE = Probe(
    id="breakdown",
    side="hold",
    codes=("I4",),
    needs=frozenset({"reference"}),
    means="Where what the grader itself needs breaks (a process, a file, a database, a connection), the agent gets a verdict for it.",
    repair="Let what is no fault of the agent's raise, or return None; catch only what an agent's own output can cause.",
    rule="grading uses nothing that can break",
)

_CAN_BREAK = (
    "subprocess.Popen",
    "os.system",
    "os.posix_spawn",
    "sqlite3.connect",
    "tempfile.mkstemp",
    "tempfile.mkdtemp",
    "socket.connect",
    "socket.getaddrinfo",
    "os.mkdir",
    "shutil.copyfile",
    "shutil.copytree",
)


def look(case: Case, fresh: Sequence[At]) -> Iterator[Outcome]:
    """Each thing that grading the reference uses is made to fail, one at a time: not a fail for the reference, not a pass for idling."""
    ready = [at for at in fresh if at.paid][:2]
    for at in ready:
        right = at.play(at.reference.acts, at.reference.answer)
        watched = case.attempts([Session((right,))], watch=True)[0][0]
        for event in _used(watched.touched):
            for name, play, wrong in (("the reference", right, "fail"), ("nothing done", at.play((), None), "pass")):
                session = Session((play,), (), Setting(failing=(event,)))
                broken = case.attempts([session])[0][0]
                bad = broken.status == wrong and (wrong == "fail" or not _idle_passes(case, at))
                why = f"With {event} failing as on a broken machine, {name} gets '{broken.status}' instead of no verdict." if bad else ""
                doubt = bad and event in ("subprocess.Popen", "os.system", "os.posix_spawn", "sqlite3.connect") and hands_over(at)
                yield plain_outcome(
                    PROBE,
                    at,
                    f"{event} fails, {name}",
                    not bad,
                    lead=doubt,
                    why=why,
                    evidence=_short(broken) if bad else {},
                    session=session,
                    expected="error",
                    got=broken.status,
                )


def _used(touched: Sequence[Touch]) -> list[str]:
    found = [one.event for one in touched if one.event in _CAN_BREAK]
    outside = [
        one
        for one in touched
        if one.event == "open" and not one.inside and one.there and not one.path.startswith(("/proc", "/dev", "/sys"))
    ]
    return list(dict.fromkeys([*found, *(["open:outside"] if outside else [])]))


def _idle_passes(case: Case, at: At) -> bool:
    return case.attempts([Session((at.play((), None),))])[0][0].status == "pass"


def _short(attempt: Attempt) -> dict[str, object]:
    return {"verdict": attempt.status, "reward": attempt.reward, "fault": attempt.fault[:200]}
