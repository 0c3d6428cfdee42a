"""What lint can find: one entry a rule, with what it means and the edit to make.

`worldwright explain RULE` prints an entry. A finding is an `error` (the pack is not fit to use) or a `warning`.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from worldwright.errors import PackError

__all__ = ["RULES", "Finding", "Rule", "finding", "from_error"]


class Rule(msgspec.Struct, frozen=True):
    """A rule: what it looks at, why it matters, how to mend it."""

    name: str
    level: Literal["error", "warning"]
    means: str
    edit: str


class Finding(msgspec.Struct, frozen=True):
    """A rule broken at one place."""

    rule: str
    level: str
    file: str
    line: int
    field: str
    message: str
    edit: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.level} [{self.rule}] {self.field + ': ' if self.field else ''}{self.message}"


def _rules(*rules: Rule) -> dict[str, Rule]:
    return {rule.name: rule for rule in rules}


RULES = _rules(
    Rule("format", "error", "A file isn't what docs/pack-format.md says.", "Do what the message expects."),
    Rule(
        "ungraded-column",
        "error",
        "An inserted row has a column that no expectation grades and `free` doesn't list: the author hasn't said whether it matters.",
        "Pin the column in `rows`, make it `open` with a `wrong`, or list it under `free` in world.yaml.",
    ),
    Rule(
        "ungraded-open",
        "error",
        "A column is the agent's choice and nothing judges the choice.",
        "Add a `wrong` query, a `must_state`, or list the column as free.",
    ),
    Rule(
        "ungraded-answer",
        "error",
        "The brief asks for an answer field that the verifier doesn't look at.",
        "Grade the field under `answer` (in each alternative too), or don't ask for it.",
    ),
    Rule(
        "expects-from-after",
        "error",
        "What is expected is computed from tables that the agent can write, so an agent can change what is expected of it.",
        "Read `before.<table>` instead.",
    ),
    Rule(
        "vacuous",
        "error",
        "The verifier isn't healthy on an untouched state: it crashes, overruns, passes, or has nothing to check.",
        "Mend the query that the message names.",
    ),
    Rule(
        "dead-tool",
        "error",
        "No call of the tool succeeded on any state that was tried, with arguments taken from the state.",
        "Mend its conditions, or drop the tool.",
    ),
    Rule(
        "unreachable-column",
        "error",
        "The task hangs on a column that no tool, page or party can reveal.",
        "Let a tool return it, or don't use it.",
    ),
    Rule(
        "hidden-leak",
        "error",
        "A tool that isn't named gives another output, order or error when only a hidden column differs.",
        "Don't read the column there, or name the tool under `hidden`.",
    ),
    Rule(
        "hidden-unrevealed",
        "error",
        "A column is declared hidden, and what is named to reveal it doesn't read it.",
        "Name the tool that returns it.",
    ),
    Rule("policy-read", "error", "A tool reads the policy table, which is for the handbook.", "Take the policy out of the tool's SQL."),
    Rule("journal-changed", "error", "A tool changes or deletes rows of a journal, which only grows.", "Insert a reversing row instead."),
    Rule(
        "money",
        "error",
        "Money isn't whole cents, or is rounded in floating point.",
        "Use INTEGER cents and whole-number arithmetic, e.g. (cents * percent + 50) / 100.",
    ),
    Rule("plan-unsupported", "error", "A plan, scenario or compute uses Python that the sandbox doesn't have.", "See docs/monty.md."),
    Rule(
        "blind-source",
        "error",
        "The verifier's author was given a file that they mustn't see, or one that isn't there.",
        "List brief, world, schema, handbook, events and parties alone.",
    ),
    Rule(
        "blind-hash",
        "error",
        "A file has changed since the verifier's author saw it.",
        "Look the verifier over against the new text, then run `worldwright lint --write`.",
    ),
    Rule(
        "blind-run",
        "error",
        "The verifier shares a run of words with a reference that is in none of the files its author saw.",
        "Write the verifier from brief, schema and handbook alone.",
    ),
    Rule(
        "unusable-seeds", "error", "`bind` gives no row on more than a tenth of the seeds.", "Let the scenario plant what the task needs."
    ),
    Rule(
        "reference-fails",
        "error",
        "The reference doesn't pass on some seed.",
        "Mend the reference, the verifier or the task: one of them is wrong.",
    ),
    Rule("alternative-fails", "error", "Another right way is refused on some seed.", "Mend the verifier, or the plan if it isn't right."),
    Rule(
        "case-differs",
        "error",
        "A judged run doesn't get the verdict that a person gave it.",
        "Mend the verifier, or the case if the judgement was wrong.",
    ),
    Rule("no-reference", "error", "The task has no reference, so nothing shows that it can be done.", "Write reference.py."),
    Rule(
        "luck",
        "error",
        "Passing without doing the work is more common than the task's `luck` says.",
        "Balance the strata, ask for more than a coin's toss, or state the luck.",
    ),
    Rule(
        "template-language",
        "error",
        "A text has a placeholder that isn't jinja, so the agent would see it as it stands.",
        "Write {{ name }}.",
    ),
    Rule("paraphrase-drops", "error", "A paraphrase leaves out a parameter that the instruction has.", "Say the same in it."),
    Rule("shown-unused", "warning", "A shown parameter isn't in the instruction.", "Use it, or don't show it."),
    Rule(
        "hidden-untested",
        "warning",
        "A hidden column can't be changed, alone or with the other hidden columns of its table, without breaking the schema: "
        "nothing shows that it is hidden.",
        "Loosen the CHECK, or hide the columns together that hang on each other.",
    ),
    Rule(
        "demand-met",
        "error",
        "A `demand` holds before the agent has done anything, on every instance that was tried: it demands nothing.",
        "Let it look at what the agent did (`calls`, `messages`, `changes`).",
    ),
    Rule(
        "never-fired",
        "warning",
        "A `wrong` or `forbid` found nothing wrong in any plan, judged run or shortcut: nothing shows that it can.",
        "Add a case that it must catch.",
    ),
    Rule(
        "broad-allow",
        "warning",
        "Any change of a table is allowed of which the task expects some: too many, or wrong ones beside the right ones, pass.",
        "Give the allowance `rows`, or grade the changes.",
    ),
    Rule(
        "stray-file",
        "error",
        "A file is none of the format's: what its author meant by it is not done.",
        "Name it as docs/pack-format.md does (cases.yaml, alternative-NAME.py, handbook/PAGE.md ...), or take it out.",
    ),
    Rule(
        "one-way",
        "warning",
        "Only the reference shows that the task can be done: a verifier that refuses every other right way would not be noticed.",
        "Add an alternative-NAME.py, or a case whose verdict is pass.",
    ),
    Rule("free-money", "warning", "A column of money is free: any amount passes.", "Pin it, or judge it by `wrong`."),
    Rule("one-stratum", "warning", "Only one right decision occurred on the seeds that were tried.", "Plant the others."),
    Rule("free-graded", "warning", "A column is `free` and every insert of its table pins it.", "Drop it from `free`."),
    Rule(
        "case-seed",
        "error",
        "A case names a seed on which the task has no instance, so it shows nothing there.",
        "Name another seed: `worldwright lint` without the case says which have none.",
    ),
    Rule("unused-define", "warning", "A definition is used by nothing.", "Drop it."),
)
"""All rules by name."""


def finding(rule: str, message: str, *, file: str = "", line: int = 0, field: str = "", edit: str = "") -> Finding:
    """A finding of this rule."""
    entry = RULES[rule]
    return Finding(rule, entry.level, file, line, field, message, edit or entry.edit)


def from_error(fault: PackError, rule: str = "format") -> Finding:
    """A broken file as a finding."""
    expected = f" (expected {fault.expected})" if fault.expected else ""
    return finding(rule, fault.message + expected, file=fault.file, line=fault.line, field=fault.field)
