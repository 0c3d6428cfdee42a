"""Tools that return the verdict, or hang on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from worldwright.audit.answers import is_trivial, same, shown, wrong_forms
from worldwright.audit.bench import At, Case, names, plain_outcome
from worldwright.audit.calls import argument_changes, draw, neighbours
from worldwright.audit.explore import explored
from worldwright.audit.records import Outcome, Probe
from worldwright.audit.subject import Act, Result, Session, Tool

PROBE = Probe(
    id="tells",
    side="hold",
    codes=("A6",),
    needs=frozenset({"reference", "calls"}),
    means="A tool gives the verdict, the reward or the expected answer away before the episode ends.",
    repair="Take the tool from the agent, or let it tell only what the job's own systems would tell.",
    rule="there are no tools",
    version=4,
)

_REVEALS = re.compile(
    r"(?:solution|answer|expected|gold|oracle|hint|reveal|debug|cheat|truth|secret|peek|reference|internal|admin)", re.IGNORECASE
)
_JUDGES = re.compile(
    r"(?:reward|score|grad(?:e|ing)|verdict|correct|evaluat|pass(?:es|ed)?\b|success|is_done|goal|assess|judge|marks?\b|"
    r"right|true|guess|answer|attempt|check_answer|verify|test|progress|checks?_|validate)",
    re.IGNORECASE,
)


def rule(case: Case) -> str:
    """Only where there are tools."""
    return "" if case.instances and case.instances[0].facts.tools else PROBE.rule


def look(case: Case, fresh: Sequence[At]) -> Iterator[Outcome]:
    """Each tool by what it says at the start, after the reference's calls, and of right and wrong answers."""
    ready = [at for at in fresh if at.paid][:6]
    if not ready:
        return
    for tool in ready[0].facts.tools:
        told = [(at, _tells(case, at, tool)) for at in ready if at.facts.tool(tool.name)]
        hits = [(at, what) for at, what in told if what]
        bad = len(hits) >= max(1, 0.7 * len(told))
        what = hits[0][1] if bad else ("", "", None)
        why = f"{tool.name} {what[0]} on {len(hits)} of {len(told)} instances." if bad else ""
        yield plain_outcome(
            PROBE, hits[0][0] if bad else ready[0], tool.name, not bad, why=why,
            evidence={"calls and results": what[1]} if bad else {}, session=what[2] if bad else None,
        )  # fmt: skip
    held = [(at, _key_row(at)) for at in ready[:3]]
    if held and all(row for _, row in held):
        why = f"Reading leads to a row of the grader's own that holds the answer: {held[0][1]}"
        yield plain_outcome(PROBE, ready[0], "a row with the answer", False, why=why, evidence={"call and row": held[0][1]})
    shown = [_own_columns(at) for at in ready if at.does]
    for tool_name, column in sorted(set.intersection(*shown)) if shown else ():
        why = f"{tool_name} shows {column}, the value that the task has to find, and neither the brief nor the state has such a column."
        yield plain_outcome(PROBE, ready[0], f"{tool_name}: {column}", False, why=why, evidence={"column": column})


def _key_row(at: At) -> str:
    """A row of the grader's that reading leads to: it holds the whole answer, in columns that say so, and no solution reads it."""
    answer = at.reference.answer
    values = list(answer.values()) if isinstance(answer, dict) else list(answer) if isinstance(answer, (list, tuple)) else [answer]
    telling = [one for one in values if isinstance(one, (str, int, float)) and not isinstance(one, bool) and len(str(one)) > 1]
    if not telling or is_trivial(answer):
        return ""
    used = {repr((act.tool, act.args)) for known in at.facts.known() for act in known.acts}
    for act, result in explored(at):
        if repr((act.tool, act.args)) in used or not result.ok:
            continue
        for row in result.value if isinstance(result.value, list) else [result.value]:
            if isinstance(row, dict) and all(_held(row, one) for one in telling):
                return f"{act.tool}({shown(act.args)}) -> {str(row)[:200]}"
    return ""


_GRADERS = re.compile(
    r"(?:^|_)(?:gold|expected|answer|solution|truth|correct|oracle|ground_truth|grading|target_answer)(?:_|$)", re.IGNORECASE
)


def _held(row: dict[str, Any], value: Any) -> bool:
    return any(isinstance(key, str) and _GRADERS.search(key) and same(one, value) for key, one in row.items())


_DUE = ("due", "expected", "right", "correct", "goal", "gold", "target", "wanted", "true", "want", "expect")


def _own_columns(at: At) -> set[tuple[str, str]]:
    """(tool, column) of the grader's own: a read shows it beside the column that a later write sets, with the value to set it to.

    Only where the reference goes on to read other things before it writes, every write of that argument agrees, and the
    column stands neither in the state nor, by its word, in the brief or a tool's doc.
    """
    found: dict[tuple[str, str], bool] = {}
    said = f"{at.facts.prompt} {' '.join(tool.doc for tool in at.facts.tools)}".lower()
    marks = [mark for mark in _DUE if not re.search(rf"\b{mark}\b", said)]
    columns = {column for rows in (at.facts.state or {}).values() for row in rows for column in row}
    for n, act in enumerate(at.reference.acts):
        for name, value in act.args.items() if at.writes[n] else ():
            for tool, row in _rows_before(at, n):
                for column in [f"{mark}_{name}" for mark in marks]:
                    if name in row and column in row and column not in columns:
                        found[tool, column] = found.get((tool, column), True) and row[column] == value != row[name]
    return {key for key, agrees in found.items() if agrees}


def _rows_before(at: At, n: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """(tool, row) that reads about the same thing gave before the n-th call, where another tool is read in between."""
    acts, results = at.reference.acts, at.known[0][1].results
    mine = {repr(value) for value in acts[n].args.values()}
    for m, result in enumerate(results[:n]):
        about = not at.writes[m] and mine & {repr(value) for value in acts[m].args.values()}
        others = any(acts[k].tool != acts[m].tool and not at.writes[k] for k in range(m + 1, n))
        if about and others and isinstance(result.value, dict):
            yield acts[m].tool, result.value


def _tells(case: Case, at: At, tool: Tool) -> tuple[str, str, Session | None] | None:
    label = f"{tool.name} {tool.doc}"
    used = {act.tool for known in at.facts.known() for act in known.acts}
    required = [arg for arg in tool.args if arg.required]
    found = _reveals(case, at, tool, tool.name in used)
    if found:
        return found
    corrected = _corrects(case, at, tool)
    if corrected:
        return corrected
    if _JUDGES.search(label) and not required:
        return _follows_verdict(case, at, tool)
    if required and not is_trivial(at.reference.answer) and tool.name not in used:
        return _knows_answer(case, at, tool)
    return None


def _reveals(case: Case, at: At, tool: Tool, used: bool) -> tuple[str, str, Session] | None:
    """What it returns at the start holds the right answer, and no ordinary tool has it."""
    answer = at.reference.answer
    if used or is_trivial(answer) or isinstance(answer, bool):
        return None
    args = draw(at, tool)
    if args is None:
        return None
    session = Session((at.play((Act(tool.name, args),), finish=False),))
    result = case.attempts([session])[0][0].results
    text = repr(result[0].value) if result and result[0].ok and result[0].value is not None else ""
    parts = list(answer.values()) if isinstance(answer, dict) else list(answer) if isinstance(answer, (list, tuple)) else [answer]
    telling = [one for one in parts if isinstance(one, (str, int, float)) and len(str(one)) > 1]
    said = _REVEALS.search(f"{tool.name} {tool.doc}") or (telling and _named_so(text, telling[0]))
    if telling and said and all(names(text, one) for one in telling):
        return "returns the expected answer before anything is done", f"{shown(args)} -> {text[:160]}", session
    return None


def _named_so(text: str, value: Any) -> bool:
    """Whether a text calls the value what it is: right before it stands a word such as 'expected' or 'certified'."""
    before = text.split(str(value), 1)[0][-40:]
    calls_it = r"certified|expected|correct|true value|answer|solution|gold|target|should be|right|truth"
    return bool(re.search(calls_it, before, re.IGNORECASE))


def _corrects(case: Case, at: At, tool: Tool) -> tuple[str, str, Session] | None:
    """A wrong value is refused with a message that holds the right one, which nothing had shown before."""
    for n, act in enumerate(at.reference.acts):
        if act.tool != tool.name or not at.writes[n]:
            continue
        for name, how, changed in argument_changes(at, act):
            right = act.args[name]
            telling = isinstance(right, (int, float)) and not isinstance(right, bool) and abs(right) >= 10
            if (
                not (telling or (isinstance(right, str) and len(right) >= 3))
                or names(at.facts.prompt, right)
                or how in ("other sign", "empty")
            ):
                continue
            session = Session((at.play((changed,), finish=False),))
            result = case.attempts([session])[0][0].results
            text = result[0].error if result and not result[0].ok else ""
            if names(text, right) and text.count(",") < 2:
                return (
                    "refuses a wrong value with a message that names the right one",
                    f"{name}={shown(changed.args[name])} -> {text[:160]}",
                    session,
                )
            break
    return None


def _follows_verdict(case: Case, at: At, tool: Tool) -> tuple[str, str, Session] | None:
    """It says no before the work, part of the way and yes after it, in the words of a verdict."""
    acts = at.reference.acts
    if not at.does:
        return None
    last = max(n for n, writes in enumerate(at.writes) if writes)
    ask = Act(tool.name)
    sessions = [Session((at.play((*some, ask), finish=False),)) for some in ((), acts[:last], acts)]
    said = [_verdict(attempts[0].results[-1]) if attempts[0].results else None for attempts in case.attempts(sessions)]
    if said == [False, False, True]:
        return (
            "returns the verdict while the episode goes on",
            f"before: {said[0]}, before the last write: {said[1]}, after: {said[2]}",
            sessions[-1],
        )
    return None


def _knows_answer(case: Case, at: At, tool: Tool) -> tuple[str, str, Session] | None:
    """Handed the right answer it says something else than of wrong ones of the same form."""
    answer = at.reference.answer
    values: list[Any] = list(answer.values()) if isinstance(answer, dict) else [answer]
    for arg in tool.args:
        for value in values[:3]:
            if isinstance(value, (dict, list)) or value is None:
                continue
            others = [one for one in at.others if type(one) is type(value) and not same(one, value)][:2]
            near = [
                one.answer
                for one in wrong_forms(value)
                if type(one.answer) is type(value)
                and one.name in ("one more", "one less", "ten times", "the opposite", "something after it")
            ]
            beside = neighbours(at, arg.name, value)[:2]
            wrong = (beside + others + near)[:4]
            rest = draw(at, tool)
            if rest is None or len(wrong) < 2:
                continue
            tried = [value, *wrong]
            sessions = [Session((at.play((Act(tool.name, rest | {arg.name: one}),), finish=False),)) for one in tried]
            said = [_verdict(attempts[0].results[0]) if attempts[0].results else None for attempts in case.attempts(sessions)]
            if said[0] is True and all(one is False for one in said[1:]) and (beside or _JUDGES.search(f"{tool.name} {tool.doc}")):
                return "tells right answers from wrong ones", f"{shown(value)}: {said[0]}; {shown(wrong)}: {said[1:]}", sessions[0]
    return None


def _verdict(result: Result) -> bool | None:
    """What a result says as a verdict: a truth value, 1 or 0, or a word; None if it says none."""
    value = result.value if result.ok else None
    if isinstance(value, dict):
        inside = [
            one
            for key, one in value.items()
            if re.search(r"ok|pass|correct|success|score|reward|valid|done|verdict|result|complete", str(key), re.IGNORECASE)
        ]
        value = inside[0] if len(inside) == 1 else None
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return value >= 1 if 0 <= value <= 1 else None
    if isinstance(value, str) and len(value) < 200:
        if re.search(
            r"\b(?:not|in|un)[ -]?(?:correct|complete|pass\w*|done|solved|success\w*)|wrong|fail|\bno\b|false|try again|"
            r"reward:? ?0(?:\.0)?\b",
            value,
            re.IGNORECASE,
        ):
            return False
        if re.search(r"\b(?:correct|pass(?:ed)?|success\w*|yes|true|solved|complete|reward:? ?1)\b", value, re.IGNORECASE):
            return True
    return None
