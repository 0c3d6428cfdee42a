"""The bench: an instance with all that is known of it, and the engine that carries probes out.

A probe's module offers `PROBE` and one of

- `trials(at)`: a generator that yields lists of `Trial` for one instance and is sent the attempts, in their order;
- `look(case)`: gives `Outcome`s on a whole case (several instances, settings or sessions together).

and, if there is anything to say, `rule(at)` or `rule(case)`: why it doesn't apply ("" if it does). Probes draw from
`at.rng` alone, which depends on probe, case and seed.
"""

from __future__ import annotations

import functools
import itertools
import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import msgspec

from worldwright.audit.answers import canonical, is_trivial, same, shown
from worldwright.audit.ends import End, Ends, Loose, Noise, Relation, end_of, loose_of, noise_of
from worldwright.audit.labels import label_of
from worldwright.audit.latitude import Grant, about, freedoms, granted
from worldwright.audit.records import Claim, Outcome, Probe, Trial
from worldwright.audit.subject import SAY, Act, Attempt, Change, Facts, Known, Play, Result, Session, Setting, Subject

__all__ = ["At", "Case", "Solved", "Steps", "carry_out", "carry_out_thinly", "facts_many", "is_read_named", "run_many", "solved_many"]

Steps = Generator[list[Trial], list[Attempt], None]

_READS = re.compile(
    r"(?:get|list|read|search|find|show|look|view|fetch|query|count|check(?!_?(?:in|out|off)(?:_|$))|describe|browse|inspect|peek|who|what|which|where|status|history|"
    r"info|see|scan|print|cat|ls|head|tail|grep|select|is|has|lookup|display|summary|summarise|summarize|overview|details?|current|today|now|"
    r"balance|report|retrieve|load(?=_?(?:page|file|doc|record|profile|config|data|all|state))|open|dump|tell|ask|help|handbook|policy|rules|compare|calculate|compute|convert|verify|validate|preview|trace)"
    r"(?:_|\b|(?-i:(?=[A-Z])))",
    re.IGNORECASE,
)


_ASKS = re.compile(
    r"\b(?:answer|repl(?:y|ies)|respond|report|tell|return|give|state|say|name|"
    r"how (?:many|much|long|often)|what|which|who|when|where|explain|confirm|let \w+ know)\b|\?",
    re.IGNORECASE,
)


def is_read_named(name: str) -> bool:
    """Whether a tool's name says that it only reads."""
    return bool(_READS.match(name))


_TWO_MEANINGS = re.compile(
    r"(?:open|report)(?:_|(?-i:(?=[A-Z])))(?!pages?|files?|doc|record|folder|link|url|tab|profile|book|menu|help|mail|letter|message|entry)",
    re.IGNORECASE,
)
"""Verbs of reading that are also verbs of doing, unless what follows can be read: a page is opened, and so is an order."""


def run_many(subject: Subject, sessions: Sequence[Session], watch: bool = False) -> list[list[Attempt]]:
    """Every session's attempts; in one go where the subject can."""
    together = getattr(subject, "run_many", None)
    if together is not None and sessions:
        return list(together(list(sessions), watch=watch))
    return [subject.run(session, watch=watch) for session in sessions]


def facts_many(subject: Subject, instances: Sequence[tuple[str, int]]) -> list[Facts]:
    """Several instances before anything is tried; in one go where the subject can."""
    together = getattr(subject, "facts_many", None)
    return list(together(instances)) if together is not None else [subject.facts(case, seed) for case, seed in instances]


Solved = tuple[Facts, tuple[Attempt, ...] | None]
"""An instance, and what its own solutions left where the subject has run them to find them (in their order)."""


def solved_many(subject: Subject, instances: Sequence[tuple[str, int]], bare: Collection[int] = ()) -> list[Solved]:
    """Several instances before anything is tried, with what the subject knows of its own solutions' runs.

    Where it runs them to find them, it leaves out the alternatives of the instances whose numbers are `bare`.
    """
    together = getattr(subject, "solved_many", None)
    return list(together(instances, bare)) if together is not None else [(facts, None) for facts in facts_many(subject, instances)]


class At:
    """One instance on the bench."""

    def __init__(self, case: Case, facts: Facts, stage: str) -> None:
        self.case, self.facts, self.stage = case, facts, stage
        self.freedoms = granted(facts)
        self.rng = random.Random()
        self.told: Mapping[str, tuple[Grant, ...]] = {}
        """Freedoms granted by what the solutions read: long texts that tools gave them."""
        self.known: tuple[tuple[Known, Attempt], ...] = ()
        self.writes: tuple[bool, ...] = ()
        self._compared: dict[tuple[Noise, Loose], Ends] = {}
        self._before = -1, ""

    @property
    def reference(self) -> Known:
        """The reference; probes that need it run only where there is one."""
        assert self.facts.reference is not None
        return self.facts.reference

    @cached_property
    def ends(self) -> tuple[End, ...]:
        """The ends known to be right: those of the subject's own solutions that it accepts."""
        return tuple(end_of(known.name, attempt, known.answer) for known, attempt in self.known if attempt.status == "pass")

    @property
    def paid(self) -> bool:
        """Whether the reference is rewarded: the control without which nothing else can be said."""
        return bool(self.known) and self.known[0][0] is self.facts.reference and self.known[0][1].status == "pass"

    @cached_property
    def asks(self) -> bool:
        """Whether the task asks for an answer: its right one says something, no right run goes without, and the brief wants it."""
        known = self.facts.known()
        if self.facts.reference is None or is_trivial(self.facts.reference.answer) or any(is_trivial(end.answer) for end in self.ends):
            return False
        if self.facts.answer or not isinstance(self.facts.reference.answer, str) or not self.does:
            return True
        wanted = all(same(one.answer, self.facts.reference.answer) for one in known)
        return wanted and bool(_ASKS.search(self.facts.prompt))

    @property
    def does(self) -> bool:
        """Whether the reference changes anything."""
        return any(self.writes)

    @property
    def others(self) -> list[Any]:
        """Right answers of the case's other instances, without repeats."""
        out: dict[Any, Any] = {}
        for at in self.case.instances:
            reference = at.facts.reference
            if at is not self and reference is not None:
                out.setdefault(canonical(reference.answer), reference.answer)
        return list(out.values())

    @cached_property
    def seen(self) -> str:
        """All that the agent can have read: the prompt, the tools' docs, what the solutions' calls gave, the folder's files."""
        return "\n".join([*self._told_first, *(text for one in self._given for text in one), *self._in_folder])

    def seen_before(self, n: int) -> str:
        """All that the agent can have read before the reference's n-th call (from 0), by way of the reference's earlier calls."""
        if self._before[0] != n:
            self._before = n, "\n".join([*self._told_first, *(self._given[0][:n] if self._given else ()), *self._in_folder])
        return self._before[1]

    @cached_property
    def _told_first(self) -> list[str]:
        return [self.facts.prompt, *(f"{tool.name} {tool.doc} {tool.args}" for tool in self.facts.tools)]

    @cached_property
    def _given(self) -> list[list[str]]:
        """What each call of each known solution gave."""
        return [[repr(result.value) + result.error for result in attempt.results] for _, attempt in self.known]

    @cached_property
    def _in_folder(self) -> list[str]:
        return [f"{path}\n{text}" for path, text in (self.facts.files or {}).items()]

    @property
    def relation_known(self) -> bool:
        """Whether ends can be compared at all: there is a state, or a folder."""
        return "state" in self.facts.has or "folder" in self.facts.has

    def has_seen(self, value: Any) -> bool:
        """Whether a value stands somewhere the agent can read it, as a word of its own."""
        return names(self.seen, value)

    def named(self, value: Any) -> bool:
        """Whether the prompt itself names the value."""
        return names(self.facts.prompt, value)

    def lead(self, *freedoms: str) -> str:
        """Why a trial is only a lead: the first of these freedoms that the brief grants; "" if none."""
        for name in freedoms:
            if name in self.freedoms:
                return f"the brief leaves {name} open ('{self.freedoms[name][0].words}')"
        return ""

    def lead_about(self, freedoms: Sequence[str], *texts: str, beside: bool = True) -> str:
        """As `lead`, where the granting sentence speaks of what these texts (names of tools, arguments) name.

        `beside`: that may be something beside the task, of which 'anything else' speaks.
        """
        for name in freedoms:
            words = about((*self.freedoms.get(name, ()), *self.told.get(name, ())), *texts, beside=beside)
            if words:
                return f"the brief leaves {name} open ('{words}')"
        return ""

    def play(self, acts: Iterable[Act], answer: Any = None, finish: bool = True) -> Play:
        """An attempt on this instance."""
        return Play(self.facts.case, self.facts.seed, tuple(acts), answer, finish)

    def must_fail(self, variant: str, acts: Iterable[Act], answer: Any, claim: Claim, why: str = "", lead: str = "") -> Trial:
        """A trial that a right grader refuses."""
        return Trial(variant, Session((self.play(acts, answer),)), "fail", claim, why, lead)

    def must_pass(self, variant: str, acts: Iterable[Act], answer: Any, claim: Claim, why: str = "", lead: str = "") -> Trial:
        """A trial that a right grader rewards."""
        return Trial(variant, Session((self.play(acts, answer),)), "pass", claim, why, lead)

    def take(self, trials: Iterable[Trial], few: int = 2) -> list[Trial]:
        """Some of the trials, at random: `few` where there are many instances, more where there are few."""
        every = list(trials)
        most = max(few, -(-few * self.case.aim // max(1, len(self.case.instances))))
        return every if len(every) <= most else self.rng.sample(every, most)

    def relation(self, attempt: Attempt) -> Relation | None:
        """How an attempt's end stands to the known right ones; None where there is no state to tell by."""
        if attempt.changes is not None and any(end.changes is not None for end in self.ends):
            state = self._against(self.case.noise, self.case.loose).relation(attempt.changes)
            if state == "other" and self.case.journals:
                bare = Noise(self.case.noise.tables | self.case.journals, self.case.noise.columns)
                state = "logged" if self._against(bare, Loose()).relation(attempt.changes) == "same" else state
        elif attempt.files is None:
            return None
        else:
            state = "same"
        if attempt.files is None or state == "other":
            return state
        files = [end.files for end in self.ends if end.files is not None]
        if not files:
            return state if attempt.changes is not None else None
        return state if any(dict(attempt.files) == dict(one) for one in files) else "other"

    def _against(self, noise: Noise, loose: Loose) -> Ends:
        if (noise, loose) not in self._compared:
            self._compared[noise, loose] = Ends(self.ends, noise, loose)
        return self._compared[noise, loose]


class Case:
    """A case with its instances; what holds of all of them together. `aim` is how many instances a stage wants."""

    def __init__(self, subject: Subject, name: str, aim: int) -> None:
        self.subject, self.name, self.aim = subject, name, aim
        self.instances: list[At] = []
        self.noise, self.loose = Noise(), Loose()
        self.journals: frozenset[str] = frozenset()
        """Tables to which every write adds a row beside what it changes elsewhere, and which nothing else changes."""
        self._steps: dict[str, list[bool]] = {}
        """For each tool, by instance that was looked at step by step: whether any of its calls writes."""
        self.doing: frozenset[str] = frozenset()
        """Tools named as if they read that do what the task asks for: without them the right ends would change nothing."""
        self.search = 40

    def add(self, solved: Sequence[Solved], stage: str) -> None:
        """Put instances on the bench: run their known solutions, see which steps write, what mere reading changes."""
        fresh = [At(self, facts, stage) for facts, _ in solved]
        for at, (facts, left) in zip(fresh, solved, strict=True):
            at.known = () if left is None else tuple(zip(facts.known(), left, strict=True))
        self._run_known(fresh)
        self.instances += fresh
        self._find_noise(fresh)
        for at in fresh:
            self.loose |= loose_of(at.ends, self.noise)
            at.told = freedoms("\n".join(_told(at)))

    def stage(self, stage: str) -> list[At]:
        """The instances of a stage."""
        return [at for at in self.instances if at.stage == stage]

    def attempts(self, sessions: Sequence[Session], watch: bool = False) -> list[list[Attempt]]:
        """Carry sessions out."""
        return run_many(self.subject, sessions, watch)

    def _run_known(self, fresh: Sequence[At]) -> None:
        """Run the known solutions that were not, and the reference up to each of its steps.

        A step of the reference writes if the changes after it aren't those before it; by its name where there is no state.
        """
        plays = [(at, known) for at in fresh if not at.known for known in at.facts.known()]
        stepwise = [
            at
            for at in fresh
            if at.facts.reference is not None and at.facts.reference.acts and "state" in at.facts.has and self._settled(at) is None
        ]
        parts = [at.play(at.reference.acts[:n], finish=False) for at in stepwise for n in range(len(at.reference.acts) + 1)]
        done = self.attempts([*(Session((at.play(known.acts, known.answer),)) for at, known in plays), *(Session((one,)) for one in parts)])
        for at in (one for one in fresh if not one.known):
            owned = zip(plays, done[: len(plays)], strict=True)
            at.known = tuple((known, attempts[0]) for (owner, known), attempts in owned if owner is at)
        rest = iter(done[len(plays) :])
        for at in fresh:
            if at.facts.reference is None:
                continue
            acts = at.reference.acts
            results = at.known[0][1].results if at.known else ()
            named = [_writes_by_name(at.facts, act, results[n] if n < len(results) else None) for n, act in enumerate(acts)]
            if at in stepwise:
                steps = [(attempt.changes, attempt.files) for (attempt,) in (next(rest) for _ in range(len(acts) + 1))]
                moved = zip(steps, steps[1:], acts, named, strict=False)
                at.writes = tuple(before != then or (bool(_ACTS.search(act.tool)) and name) for before, then, act, name in moved)
                self._find_journals([changes for changes, _ in steps])
                for tool in {act.tool for act in acts}:
                    writes = any(wrote for act, wrote in zip(acts, at.writes, strict=True) if act.tool == tool)
                    self._steps.setdefault(tool, []).append(writes)
            else:
                at.writes = self._settled(at) or tuple(named)

    def _find_journals(self, steps: Sequence[Sequence[Change] | None]) -> None:
        """By one solution's changes step by step: at least two writes, each with a row more in the journal and a change elsewhere."""
        grown: list[tuple[set[str], set[str]]] = []
        for before, then in itertools.pairwise(steps):
            if before is None or then is None or before == then:
                continue
            old, new = Counter(map(repr, before)), Counter(map(repr, then))
            fresh = [one for one in then if new[repr(one)] > old[repr(one)]]
            grown.append(({one.table for one in fresh if one.op == "insert"}, {one.table for one in fresh}))
        if len(grown) < 2:
            return
        inserted = set.intersection(*(made for made, _ in grown))
        found = {table for table in inserted if all(every - {table} for _, every in grown)}
        others = {one.table for one in steps[-1] or () if one.op != "insert"}
        self.journals |= found - others if len(found) == 1 else frozenset()

    def _settled(self, at: At) -> tuple[bool, ...] | None:
        """Which steps write, where for each tool some instances were looked at: those whose tool wrote there at all."""
        known = [self._steps.get(act.tool, []) for act in at.reference.acts]
        if any(len(one) < _SETTLED for one in known):
            return None
        return tuple(any(one) for one in known)

    def _find_noise(self, fresh: Sequence[At]) -> None:
        some = fresh[:3]
        self.doing |= {name for at in some for name in _doing(at)}
        reads = [Session((at.play(self._reads(at), finish=False),)) for at in some]
        again = [(at, Session((at.play(at.reference.acts, at.reference.answer),))) for at in some if at.facts.reference is not None]
        done = self.attempts([*reads, *(session for _, session in again)])
        pairs = [
            (at.known[0][1], attempts[0])
            for (at, _), attempts in zip(again, done[len(reads) :], strict=True)
            if at.known[0][0].name == "reference"
        ]
        found = noise_of([attempts[0] for attempts in done[: len(reads)]], pairs, {pair for at in fresh for pair in at.facts.free})
        self.noise = Noise(self.noise.tables | found.tables, self.noise.columns | found.columns)

    def _reads(self, at: At) -> list[Act]:
        known = [
            act
            for one in at.facts.known()
            for act in one.acts
            if is_read_named(act.tool) and act.tool not in self.doing and (tool := at.facts.tool(act.tool)) and not tool.writes
        ]
        plain = [
            Act(tool.name)
            for tool in at.facts.tools
            if (is_read_named(tool.name) if tool.writes is None else not tool.writes) and not any(arg.required for arg in tool.args)
        ]
        return list({msgspec.json.encode(act, enc_hook=repr): act for act in [*plain, *known]}.values())


def _doing(at: At) -> set[str]:
    """Tools with verbs of two meanings that write, where nothing is answered and no other step of the reference writes."""
    if not at.paid or at.asks or "folder" in at.facts.has:
        return set()
    writing = {act.tool for act, writes in zip(at.reference.acts, at.writes, strict=False) if writes}
    silent = all(tool is None or tool.writes is None for tool in map(at.facts.tool, writing))
    return writing if silent and all(_TWO_MEANINGS.match(name) for name in writing) else set()


def _told(at: At) -> list[str]:
    """Long texts among what the solutions' calls gave."""
    values = [result.value for _, attempt in at.known for result in attempt.results if result.ok]
    texts = [text for value in values for text in (value.values() if isinstance(value, dict) else (value,))]
    return list(dict.fromkeys(text for text in texts if isinstance(text, str) and len(text) >= _LONG))


_SETTLED = 2
_LONG = 120
"""Characters from which on a text that a tool gives is prose: a page, a policy, a letter."""
_ACTS = re.compile(
    r"(?:^|_)(?:send|notify|escalate|transfer|hand|inform|email|mail|message|call|phone|page|alert|confirm|submit|approve|reject|refuse|deny|close|"
    r"cancel|refund|create|add|insert|update|set|change|delete|remove|assign|book|pay|order|move|write|save|put|post|publish|deploy|restart|start|stop|"
    r"run|sign|record|log|register|file|announce|reply|answer|forward|flag|block|release|ship|pick|open_ticket|apply|commit|merge|push|turn|switch|enable|disable)(?:_|$)",
    re.IGNORECASE,
)


def _writes_by_name(facts: Facts, act: Act, result: Result | None = None) -> bool:
    """Whether a call does something, where no state shows it: by what its tool says, by its name, by how little it returns."""
    if act.tool.startswith("$"):
        return act.tool != SAY
    tool = facts.tool(act.tool)
    if tool is not None and tool.writes is not None:
        return tool.writes
    if is_read_named(act.tool):
        return False
    if result is not None and (isinstance(result.value, (list, dict)) or (isinstance(result.value, str) and len(result.value) > 80)):
        return False
    if _ACTS.search(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", act.tool)):
        return True
    if result is None or not result.ok:
        return False
    return result.value is None or isinstance(result.value, bool) or result.value in ("ok", "OK", "done", "Done", "")


def names(text: str, value: Any) -> bool:
    """Whether a text has a value as a word of its own (numbers also with separators)."""
    if value is None or isinstance(value, (bool, dict, list, tuple, set)):
        return False
    forms = {str(value)}
    if isinstance(value, float) and value == int(value):
        forms.add(str(int(value)))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        forms |= {f"{value:,}", f"{value:.2f}", f"{value:,.2f}"}
    return any(form and _may_hold(text, form) and _as_a_word(form).search(text) for form in map(str.strip, forms))


def _may_hold(text: str, form: str) -> bool:
    """Whether a word is in the text at all, in any case: what is not is most, and told at a hundredth of the cost."""
    return not form.isascii() or form.lower() in _lowered(text)


@functools.lru_cache(maxsize=64)
def _lowered(text: str) -> str:
    """In lower case as `re.IGNORECASE` has it, as far as letters of ASCII are concerned."""
    return text.translate(_LIKE_ASCII).lower()


_LIKE_ASCII = {0x130: "i", 0x131: "i", 0x17F: "s"}


@functools.lru_cache(maxsize=512)
def _as_a_word(form: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(form)}(?!\w)", re.IGNORECASE)


# ---- carrying trials out


def carry_out(case: Case, probe: Probe, make: Callable[[At], Steps], instances: Sequence[At]) -> Iterator[Outcome]:
    """Run a probe's trials on these instances, in rounds, and say what became of each."""
    running: list[tuple[At, Steps, list[Trial]]] = []
    for at in instances:
        at.rng = random.Random(f"{probe.id}:{at.facts.case}:{at.facts.seed}")
        steps = make(at)
        first = next(steps, None)
        if first is not None:
            running.append((at, steps, first))
    while running:
        done = iter(case.attempts([trial.session for _, _, trials in running for trial in trials]))
        following: list[tuple[At, Steps, list[Trial]]] = []
        for at, steps, trials in running:
            attempts = [next(done)[trial.judged] for trial in trials]
            yield from (outcome_of(at, probe, trial, attempt) for trial, attempt in zip(trials, attempts, strict=True))
            try:
                following.append((at, steps, steps.send(attempts)))
            except StopIteration:
                continue
        running = following


def carry_out_thinly(
    case: Case,
    probes: Sequence[tuple[Probe, Callable[[At], Steps]]],
    always: Sequence[str],
    few: int,
    instances: Sequence[At],
    applies: Callable[[Probe, At], bool],
) -> Iterator[Outcome]:
    """On each instance one trial of the probes named in `always` and of `few` others, in turns by the instance's seed.

    The trial is any of a probe's first list. All trials of the instances are carried out together.
    """
    chosen: list[tuple[At, Probe, Trial]] = []
    order = [one for one in probes if one[0].id not in always]
    turn = 0
    for at in instances:
        first = [one for one in probes if one[0].id in always]
        taken = 0
        for n, (probe, make) in enumerate([*first, *(order[turn:] + order[:turn])]):
            if n >= len(first) and (taken == few or not order):
                break
            trial = _any_trial(at, probe, make) if applies(probe, at) else None
            if n >= len(first):
                turn = (turn + 1) % len(order)
            if trial is not None:
                taken += n >= len(first)
                chosen.append((at, probe, trial))
    done = case.attempts([trial.session for _, _, trial in chosen])
    for (at, probe, trial), attempts in zip(chosen, done, strict=True):
        yield outcome_of(at, probe, trial, attempts[trial.judged])


def _any_trial(at: At, probe: Probe, make: Callable[[At], Steps]) -> Trial | None:
    at.rng = random.Random(f"{probe.id}:{at.facts.case}:{at.facts.seed}")
    steps = make(at)
    trials = next(steps, None) or []
    steps.close()
    return at.rng.choice(trials) if trials else None


def outcome_of(at: At, probe: Probe, trial: Trial, attempt: Attempt) -> Outcome:
    """What became of a trial: its label, and whether the verdict was right."""
    label, by, why = label_of(at, trial, attempt)
    certain = label in ("wrong", "right") and not trial.lead
    expected = {"wrong": "fail", "right": "pass"}.get(label, trial.expects)
    ok: bool | None = None
    if certain:
        ok = (attempt.status == "pass") == (expected == "pass") if expected == "pass" else attempt.status != "pass"
        if attempt.status == "unknown":
            ok = None
    unlike = attempt.status != trial.expects and attempt.status != "unknown" and not (trial.expects == "fail" and attempt.status == "error")
    control = trial.lead == "only a control"
    kind = "finding" if ok is False else "lead" if ok is None and unlike and label != "equivalent" and not control else ""
    return Outcome(
        probe=probe.id,
        version=probe.version,
        case=at.facts.case,
        seed=at.facts.seed,
        variant=trial.variant,
        expected=expected,
        got=attempt.status,
        label=label,
        by=by,
        ok=ok,
        kind=kind,  # type: ignore[arg-type]
        why=" ".join(part for part in (trial.why, why, trial.lead) if part),
        evidence=evidence_of(trial, attempt) if kind else {},
        session=trial.session if kind or ok is not None else None,
        edit=probe.repair if kind else "",
        code=probe.codes[0],
        judged=trial.judged,
        severity="high" if probe.side == "accept" and ok is False else "medium",
    )


def evidence_of(trial: Trial, attempt: Attempt) -> dict[str, Any]:
    """What there is to look at, short."""
    play = trial.session.plays[trial.judged]
    out: dict[str, Any] = {"calls": [f"{act.tool}({shown(act.args)})" for act in play.acts][:20], "answer": shown(play.answer)}
    if attempt.reward is not None:
        out["reward"] = attempt.reward
    if attempt.changes:
        out["changes"] = [f"{one.op} {one.table} {one.key} {shown(one.new)}" for one in attempt.changes[:6]]
    refused = [result.error or result.crash for result in attempt.results if not result.ok]
    if refused:
        out["refused calls"] = [text[:200] for text in refused[:4]]
    if attempt.fault:
        out["fault"] = f"{attempt.where}: {attempt.fault}"[:400]
    if attempt.checks:
        out["checks"] = list(attempt.checks[:6])
    return out


def plain_outcome(
    probe: Probe, at: At, variant: str, holds: bool, *,
    why: str = "", evidence: dict[str, Any] | None = None, by: str = "", session: Session | None = None,
    lead: bool = False, expected: str = "holds", got: str = "", code: str = "",
) -> Outcome:  # fmt: skip
    """The outcome of a property that a probe looked at; a lead where it doesn't hold but that proves nothing."""
    ok = None if lead and not holds else holds
    kind: Literal["", "finding", "lead"] = "" if holds else "lead" if lead else "finding"
    return Outcome(
        probe.id, probe.version, at.facts.case, at.facts.seed, variant, expected, got or ("holds" if holds else "does not hold"),
        "holds", by or Claim.PROPERTY.value, ok, kind, why, evidence or {}, session if kind else None, probe.repair if kind else "",
        code or probe.codes[0], "medium",
    )  # fmt: skip


PLAIN = Setting()
