"""Reward functions over prompts and completions as subjects, with the data set that they are used with.

Takes a Python file, a function's name (or several joined by +, whose rewards are added) and a data set; gives a Subject with
one case, whose seed k is the row k modulo the number of rows. The file is never imported here: it runs in confined processes.

Which column is the right answer, how it stands in a completion, and how much the reference is paid are found out by trying,
before anything is audited; `Facts.notes` say what was found. Where nothing that was tried is paid, the reference is the right
answer in the form that the prompt states, or bare where it speaks of no form; else there is none, as the form wasn't found.
Promises not to run the reference in the process in which something else is judged.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from worldwright.audit.adapters.hosted import HostedSubject
from worldwright.audit.adapters.python import interpreter
from worldwright.audit.adapters.shims import reward_shim
from worldwright.audit.adapters.shims.reward_shim import WHOLE, rendered
from worldwright.audit.host import Limits
from worldwright.audit.latitude import freedoms
from worldwright.audit.subject import Attempt, Facts, Play, Session
from worldwright.audit.text.dataset import MOST, read_dataset, remarks
from worldwright.audit.text.forms import Form, candidates, keys_of, states
from worldwright.audit.text.hints import hints
from worldwright.audit.text.source import functions, graders
from worldwright.errors import UsageError

__all__ = ["RewardSubject"]

_SHIM = str(Path(reward_shim.__file__).resolve())
_FIRST = 3
_FEW = 6
_MARKED = 200
"""How many rows' references are run to find the pass mark, where they are all paid the same."""


class _Found(msgspec.Struct, frozen=True):
    """What was found out: the answers' column, the reading of it, the form, what the reference gets in each row that was tried."""

    column: str
    reading: int
    form: Form
    chat: bool
    paid: tuple[float | None, ...]

    @property
    def worth(self) -> float:
        """The mean, with nothing for what got no reward."""
        return sum(one or 0.0 for one in self.paid) / max(1, len(self.paid))


class RewardSubject(HostedSubject):
    """A reward function and its rows. Raises UsageError for a file, a function or a data set that can't be."""

    expected = (
        "expected reward:FILE:FUNCTION with a function of prompts, completions and the dataset's columns that gives a list of numbers"
    )

    def __init__(
        self,
        file: str,
        function: str,
        dataset: str,
        python: str | None = None,
        *,
        limits: Limits | None = None,
        workers: int = 2,
    ) -> None:
        path = Path(file).resolve()
        if not path.is_file():
            raise UsageError(f"reward:{file}: no such file (expected reward:FILE[:FUNCTION])")
        self._source = path.read_text(encoding="utf-8", errors="replace")
        self._function = function or _only(path, self._source)
        known = functions(self._source)
        parameters = [name for one in self._function.split("+") for name in known.get(one, ())]
        self._data = read_dataset(dataset, parameters)
        self._python, self._limits, self._path = interpreter(python), limits, path
        found = self._infer(workers)
        self._found = found
        self._marks, self._notes = self._pass_marks(found, workers)
        args = self._args(found.column, found.reading, found.form.frame, found.chat, self._marks, self._is_known)
        super().__init__(
            _load(path, args), f"reward:{path.name}:{self._function}", "reward", python=self._python, limits=limits, workers=workers,
            sources=[str(path)],
        )  # fmt: skip
        self._notes += self._remarks()

    # ---- what is told

    def size(self, case: str) -> int:
        """How many instances there are at most: the rows."""
        return len(self._data.rows)

    def facts_many(self, instances: Sequence[tuple[str, int]]) -> list[Facts]:
        """Several instances, each in a process of its own, in one go."""
        frame = self._found.form.frame
        return [msgspec.structs.replace(one, frame=frame, notes=(*one.notes, *self._notes)) for one in super().facts_many(instances)]

    @property
    def _is_known(self) -> bool:
        """Whether a reference is offered: one that is paid, in a form that the prompt states, or bare where it states none."""
        found = self._found
        return found.worth > 0 or found.form.stated or (bool(found.column) and "format" not in freedoms(self._data.prompt_of(0)))

    def _remarks(self) -> list[str]:
        column = self._found.column
        notes = [f"{'data' if sure else 'data, perhaps'}: {what}" for sure, what in remarks(self._data, column)[:8]]
        notes.append(f"rows: {len(self._data.rows)} were read")
        notes += [f"data, perhaps: {self._data.left_out} rows beyond {MOST} were not read"] if self._data.left_out else []
        return notes + [f"hint {one.rule}: line {one.line}: {one.says}" for one in hints(self._source)[:12]]

    # ---- what is tried

    def _args(self, column: str, reading: int, frame: tuple[str, str], chat: bool, marks: Any, known: bool = True) -> dict[str, Any]:
        rows = []
        for n, row in enumerate(self._data.rows):
            keys = keys_of(row.get(column)) if column else []
            key = keys[min(reading, len(keys) - 1)] if keys else None
            others = list(key.others) if key else []
            told = {"prompt": row[self._data.prompt], "columns": self._data.columns_of(n), "key": row.get(column)}
            rows.append({**told, "answer": key.answer if key else None, "others": others})
        plain = {"file": self._path.name, "function": self._function, "rows": rows}
        return {**plain, "frame": list(frame), "chat": chat, "marks": marks, "known": known}

    def _trying(self, chat: bool, workers: int) -> HostedSubject:
        """Processes that are handed whole completions, to find out what is paid."""
        args = self._args(self._data.answers[0] if self._data.answers else "", 0, ("", ""), chat, 1.0)
        load = _load(self._path, args)
        name = f"reward:{self._path.name}:{self._function}"
        made = HostedSubject(load, name, "reward", python=self._python, limits=self._limits, workers=workers)
        made.expected = self.expected
        return made

    def _infer(self, workers: int) -> _Found:
        """The best paid of all columns, readings and forms, in the data set's shape of completions or the other; the first of equals."""
        data = self._data
        forms = candidates([data.prompt_of(n) for n in range(min(40, len(data.rows)))], self._source)
        best: _Found | None = None
        for chat in (data.is_chat, not data.is_chat):
            with self._trying(chat, workers) as subject:
                subject.cases()
                for column in data.answers:
                    found = self._best(subject, column, forms, chat)
                    best = found if found and (best is None or found.worth > best.worth + 1e-9) else best
                    if best and best.worth > 0 and column in data.answers[:2]:
                        break
            if best and (best.worth > 0 or any(one is not None for one in best.paid)):
                break  # the other shape is worth a try only where this one made everything raise
        if best is None:
            return _Found("", 0, Form("bare", "", ""), data.is_chat, ())
        return best if best.worth > 0 else self._stated(forms)

    def _stated(self, forms: Sequence[Form]) -> _Found:
        """Nothing is paid: the form that the prompt states, or the bare answer."""
        form = forms[0] if forms and forms[0].stated and states(self._data.prompt_of(0)) else Form("bare", "", "")
        return _Found(self._data.answers[0], 0, form, self._data.is_chat, ())

    def _best(self, subject: HostedSubject, column: str, forms: Sequence[Form], chat: bool) -> _Found | None:
        """Every reading in every form on the first rows, then the best few on more."""
        rows = [n for n in range(len(self._data.rows)) if keys_of(self._data.rows[n].get(column))]
        readings = max((len(keys_of(self._data.rows[n].get(column))) for n in rows[:_FEW]), default=0)
        made = [_Found(column, reading, form, chat, ()) for reading in range(readings) for form in forms]
        first = self._tried(subject, made, rows[:_FIRST])
        if not first:
            return None
        top = max(one.worth for one in first)
        if top <= 0 and len(rows) > _FIRST:
            first = self._tried(subject, made[: len(forms)], rows[_FIRST : 2 * _FIRST])
            top = max(one.worth for one in first)
        close = [one for one in first if one.worth >= top - 1e-9][:4]
        more = self._tried(subject, close, rows[:_FEW])
        return max(more, key=lambda one: one.worth)

    def _tried(self, subject: HostedSubject, made: Sequence[_Found], rows: Sequence[int]) -> list[_Found]:
        pairs = [(one, n) for one in made for n in rows]
        rewards = iter(self._rewards(subject, [(n, self._completion(one, n)) for one, n in pairs]))
        return [msgspec.structs.replace(one, paid=tuple(next(rewards) for _ in rows)) for one in made]

    def _completion(self, found: _Found, n: int) -> str:
        keys = keys_of(self._data.rows[n].get(found.column))
        return str(rendered(keys[min(found.reading, len(keys) - 1)].answer, found.form.frame)) if keys else ""

    def _rewards(self, subject: HostedSubject, made: Sequence[tuple[int, str]]) -> list[float | None]:
        sessions = [Session((Play(self._function, n, (), {WHOLE: text}),)) for n, text in made]
        return [_reward(attempts[0]) for attempts in subject.run_many(sessions)]

    # ---- how much is enough

    def _pass_marks(self, found: _Found, workers: int) -> tuple[Any, list[str]]:
        """The least reward that counts as success: what the reference is paid, in all rows or in each; and what is said of it."""
        if found.worth <= 0:
            tried = "no form of the right answer that was tried is paid" if self._data.answers else "no column holds a right answer"
            return 1.0, [f"reference: {tried}; pass mark 1.0"]
        rows = [n for n in range(len(self._data.rows)) if keys_of(self._data.rows[n].get(found.column))]
        with self._trying(found.chat, workers) as subject:
            paid = dict(zip(rows, self._rewards(subject, [(n, self._completion(found, n)) for n in rows[:_MARKED]]), strict=False))
            most = max(one for one in paid.values() if one is not None)
            if not _is_graded(list(paid.values()), most):
                return most, [self._said(found, f"pass mark {most:g}: what the reference is paid")]
            rest = rows[_MARKED:]
            paid |= dict(zip(rest, self._rewards(subject, [(n, self._completion(found, n)) for n in rest]), strict=True))
        marks = [mark if (mark := paid.get(n)) is not None and mark > 0 else most for n in range(len(self._data.rows))]
        return marks, [self._said(found, f"pass mark: what the reference is paid in each row, {min(marks):g} to {max(marks):g}")]

    def _said(self, found: _Found, mark: str) -> str:
        unsaid = "" if found.form.stated or found.form.name == "bare" else "; most prompts do not say so"
        return f"{mark} (column '{found.column}', form: {found.form.name}{', as a message' if found.chat else ''}{unsaid})"


def _only(path: Path, source: str) -> str:
    found = graders(source)
    if len(found) != 1:
        named = f"{len(found)} functions take completions: {', '.join(found)}" if found else "no function takes completions"
        raise UsageError(f"reward:{path.name}: {named} (say reward:FILE:FUNCTION, or FUNCTION+FUNCTION, whose rewards are added)")
    return found[0]


def _load(path: Path, args: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "file": _SHIM,
        "function": "environment",
        "args": args,
        "paths": [str(path), str(path.parent)],
        "keep": [os.fspath(path.parent)],
    }


def _reward(attempt: Attempt) -> float | None:
    reward = attempt.reward
    return reward if reward is not None and reward == reward and abs(reward) != float("inf") else None


def _is_graded(paid: Sequence[float | None], most: float) -> bool:
    """Whether references are paid different amounts: more than two, or fewer than half of them the most."""
    positive = [round(one, 6) for one in paid if one is not None and one > 0]
    return len(set(positive)) > 2 or (len(set(positive)) == 2 and 2 * positive.count(round(most, 6)) < len(positive))
