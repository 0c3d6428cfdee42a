"""Checks of how an episode ends and what it leaves.

Each takes a Subject and returns if all is well; it raises Broken with what was got and what was expected.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from worldwright.world.conformance.subject import Broken, NotSupported, Subject, tried
from worldwright.world.conformance.walk import ANSWER, Step, Walker, json_text, shortened, started
from worldwright.world.protocol import CallRecord, Episode, Evidence

__all__ = ["check_closed", "check_evidence", "check_finished", "check_turns"]

_EXTRA = ("no_such_tool", "{}")
_PARTS = ("calls", "messages", "answer", "changes", "lost")


def check_closed(subject: Subject) -> None:
    """Closing twice is safe, before and after the end; a call after it raises."""
    for finish in (False, True):
        walker = started(subject.world, subject.seeds[0], 0, subject.known).go(subject.steps)
        if finish:
            walker.episode.finish(ANSWER)
        walker.episode.close()
        _, fault = tried(walker.episode.close)
        if fault is not None:
            raise Broken(f"closing twice raises {type(fault).__name__}: {fault}")
        _insist_raises(walker, "a call after close")
        walker.episode.close()


def check_finished(subject: Subject) -> None:
    """A call after the end raises, and so does ending twice; neither changes the evidence."""
    walker = started(subject.world, subject.seeds[0], 0, subject.known).go(subject.steps)
    evidence = walker.episode.finish(ANSWER)
    before = _shown(evidence)
    _insist_raises(walker, "a call after finish")
    _insist_raised(lambda: walker.episode.finish(None), "finishing twice")
    if _shown(evidence) != before:
        raise Broken("what is called after finish shows in the evidence")
    walker.episode.close()


def _shown(evidence: Evidence) -> str:
    return json_text({name: getattr(evidence, name) for name in _PARTS}, ordered=False)


def _insist_raises(walker: Walker, what: str) -> None:
    """Every call of the walk, made again, must raise."""
    for tool, args in {(step.tool, step.args) for step in walker.steps} | {_EXTRA}:
        _insist_raised(lambda tool=tool, args=args: walker.episode.call(tool, msgspec.json.decode(args)), f"{what}, of {tool},")  # type: ignore[misc]


def _insist_raised(action: Callable[[], Any], what: str) -> None:
    result, fault = tried(action)
    if fault is None:
        raise Broken(f"{what} gives {shortened(json_text(result), 100)}; expected that it raises")


def check_evidence(subject: Subject) -> None:
    """All calls are recorded in their order with what they gave; the answer is kept; nothing done leaves no change of the agent's."""
    for seed in subject.seeds:
        walker = started(subject.world, seed, 0, subject.known).go(subject.steps)
        steps = list(walker.steps)
        refused, _ = (None, None) if walker.ended else tried(lambda walker=walker: walker.episode.call(_EXTRA[0], {}))  # type: ignore[misc]
        if refused is not None:
            steps.append(Step(*_EXTRA, json_text({"ok": refused.ok, "value": refused.value, "error": refused.error})))
        evidence = walker.episode.finish(ANSWER)
        _check_parts(evidence)
        _check_calls(evidence.calls, steps)
        if evidence.answer != ANSWER:
            raise Broken(f"the answer is kept as {evidence.answer!r}; expected {ANSWER!r}")
        walker.episode.close()
    _check_untouched(subject.world.start(subject.seeds[0]))


def _check_parts(evidence: Evidence) -> None:
    lacking = [name for name in _PARTS if not hasattr(evidence, name)]
    if lacking:
        raise Broken(f"the evidence has no {', '.join(lacking)}")
    numbers = [message.n for message in evidence.messages]
    if numbers != sorted(set(numbers)):
        raise Broken(f"the messages have the numbers {numbers}; expected rising ones")
    for row in evidence.changes:
        if row.op not in ("insert", "update", "delete") or row.by not in ("agent", "world"):
            raise Broken(
                f"a change of {row.table} has op '{row.op}' and by '{row.by}'; expected insert, update or delete, by agent or world"
            )


def _check_calls(records: Sequence[CallRecord], steps: Sequence[Step]) -> None:
    if [record.n for record in records] != list(range(1, len(steps) + 1)):
        raise Broken(f"{len(steps)} calls are recorded with the numbers {[record.n for record in records]}; expected 1 to {len(steps)}")
    for record, step in zip(records, steps, strict=True):
        got = msgspec.json.decode(step.result)
        expected = {"tool": step.tool, "ok": got["ok"], "error": got["error"], "result": got["value"] if got["ok"] else None}
        kept = {"tool": record.tool, "ok": record.ok, "error": record.error, "result": _json(record.result)}
        if got["ok"]:
            expected["args"], kept["args"] = msgspec.json.decode(step.args), _json(record.args)
        for name, value in expected.items():
            if kept[name] != value:
                told = f"is recorded as {shortened(repr(kept[name]), 100)}; expected {shortened(repr(value), 100)}"
                raise Broken(f"call {record.n}, {step.tool}: {name} {told}")
    times = [datetime.datetime.fromisoformat(record.at) for record in records]
    if times != sorted(times):
        raise Broken("the times at which calls were made go backwards")


def _json(text: str | None) -> Any:
    """The value of JSON text; a mark for what isn't JSON text."""
    if text is None:
        return None
    value, fault = tried(lambda: msgspec.json.decode(text))
    return f"no JSON: {text!r}" if fault is not None else value


def _check_untouched(episode: Episode) -> None:
    evidence = episode.finish(None)
    mine = [row.table for row in evidence.changes if row.by == "agent"]
    if evidence.answer is not None or len(evidence.calls) or mine or evidence.lost is not None:
        found = f"the answer {evidence.answer!r}, {len(evidence.calls)} calls, changes of {mine}, lost {evidence.lost!r}"
        raise Broken(f"an episode without any act leaves {found}; expected None, 0 calls, no changes, None")
    episode.close()


def check_turns(subject: Subject) -> None:
    """What people say by themselves is heard once, and is kept among the messages."""
    for seed in subject.seeds:
        walker = started(subject.world, seed, 0, subject.known).go(subject.steps)
        turns = getattr(walker.episode, "turns", None)
        if not callable(turns):
            walker.episode.close()
            raise NotSupported("episodes have no turns()")
        again = list(turns())
        if again:
            raise Broken(f"seed {seed}: turns(), asked again at once, gives {shortened(json_text(again))}; expected nothing")
        kept = [json_text(message) for message in walker.episode.finish(ANSWER).messages]
        lost = [text for text in map(json_text, walker.heard) if kept.count(text) != 1]
        if lost:
            raise Broken(f"seed {seed}: a message that was heard isn't in the evidence once: {shortened(lost[0])}")
        walker.episode.close()
