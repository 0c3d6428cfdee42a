"""Data sets of prompts and answers: rows of a file, and which columns say what.

Takes a path (.jsonl, .json, .csv, .parquet); gives a Dataset: rows as they stand, the prompt's column, the columns that may
hold the right answer, in the order of preference, and what is wrong with the rows themselves. Reads no more than MOST rows,
and says so. Promises nothing about what a column means beyond its name.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from worldwright.audit.adapters.shims.reward_shim import ANSWERS, PROMPTS, told
from worldwright.audit.latitude import freedoms
from worldwright.errors import UsageError

__all__ = ["MOST", "Dataset", "read_dataset", "remarks"]

MOST = 2_000
_PLURAL = ("prompts", "messages", "conversation", "chat")
_LISTS = ("data", "rows", "examples", "items", "train", "test", "instances")


class Dataset(msgspec.Struct, frozen=True):
    """Rows of a data set. `answers`: names of columns that may hold the right answer, best first. `left_out`: rows not read."""

    rows: tuple[dict[str, Any], ...]
    prompt: str
    answers: tuple[str, ...]
    left_out: int = 0

    @property
    def is_chat(self) -> bool:
        """Whether prompts are lists of messages."""
        return isinstance(self.rows[0][self.prompt], list)

    def prompt_of(self, n: int) -> str:
        """A row's prompt as one text."""
        return told(self.rows[n][self.prompt])

    def columns_of(self, n: int) -> dict[str, Any]:
        """What a reward function is given of a row by name: every column but `prompt`, as trainers do."""
        return {name: value for name, value in self.rows[n].items() if name != "prompt"}


def read_dataset(path: str, parameters: Sequence[str] = ()) -> Dataset:
    """The rows of a file. `parameters` are those of the function that the rows are for. Raises UsageError for what is no data set."""
    file = Path(path)
    if not file.is_file():
        raise UsageError(f"--dataset {path}: no such file")
    rows = list(_rows(file))
    if not rows:
        raise UsageError(f"--dataset {path}: no rows")
    odd = next((n for n, row in enumerate(rows) if not isinstance(row, dict)), None)
    if odd is not None:
        raise UsageError(f"--dataset {path}: row {odd + 1} is a {type(rows[odd]).__name__} (expected an object with named columns)")
    kept = rows[:MOST]
    names = list(dict.fromkeys(name for row in kept for name in row))
    whole = tuple({name: row.get(name) for name in names} for row in kept)
    prompt = next((name for name in (*PROMPTS, *_PLURAL) if name in names), "")
    if not prompt:
        raise UsageError(f"--dataset {path}: no prompt's column among {', '.join(names)} (expected one of {', '.join(PROMPTS)})")
    return Dataset(whole, prompt, tuple(_answers(names, prompt, parameters)), max(0, len(rows) - MOST))


def _answers(names: Sequence[str], prompt: str, parameters: Sequence[str]) -> list[str]:
    """Usual names first, those that the function has a parameter for before others; then whatever column it has one for."""
    usual = [name for name in ANSWERS if name in names and name != prompt]
    asked = [name for name in usual if name in parameters]
    return list(dict.fromkeys([*asked, *usual, *(name for name in names if name in parameters and name != prompt)]))


def _rows(file: Path) -> Iterator[Any]:
    kind = file.suffix.lower()
    try:
        if kind in (".jsonl", ".ndjson"):
            yield from (json.loads(line) for line in file.read_text(encoding="utf-8-sig").split("\n") if line.strip())
        elif kind == ".json":
            yield from _listed(json.loads(file.read_text(encoding="utf-8-sig")), file)
        elif kind in (".csv", ".tsv"):
            with file.open(encoding="utf-8-sig", newline="") as lines:
                yield from csv.DictReader(lines, delimiter="\t" if kind == ".tsv" else ",")
        elif kind == ".parquet":
            yield from _parquet(file)
        else:
            raise UsageError(f"--dataset {file}: {kind or 'no suffix'} (expected .jsonl, .json, .csv, .tsv or .parquet)")
    except (ValueError, csv.Error) as fault:
        raise UsageError(f"--dataset {file}: can't be read as {kind}: {fault}") from fault


def _listed(found: Any, file: Path) -> list[Any]:
    if isinstance(found, list):
        return found
    if isinstance(found, dict):
        inside = next((found[name] for name in _LISTS if isinstance(found.get(name), list)), None)
        if inside is not None:
            return list(inside)
        columns = {name: values for name, values in found.items() if isinstance(values, list)}
        if columns and len({len(values) for values in columns.values()}) == 1:
            return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    raise UsageError(f"--dataset {file}: a {type(found).__name__} (expected a list of rows)")


def _parquet(file: Path) -> list[Any]:
    try:
        import pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        raise UsageError(f"--dataset {file}: reading Parquet needs pandas (expected .jsonl, or `pip install pandas pyarrow`)") from None
    return [json.loads(json.dumps(row, default=_plain)) for row in pandas.read_parquet(file).to_dict("records")]


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)


# ---- what is wrong with the rows


def remarks(data: Dataset, answer: str) -> list[tuple[bool, str]]:
    """Defects of the rows, the worst first: whether it is one beyond doubt, and what it is."""
    by_prompt: dict[str, list[int]] = {}
    out: list[tuple[bool, str]] = []
    for n in range(len(data.rows)):
        text = data.prompt_of(n).strip()
        if not text:
            out.append((True, f"row {n + 1} has an empty prompt"))
        if answer and _is_empty(data.rows[n][answer]):
            out.append((False, f"row {n + 1} has an empty {answer}"))
        by_prompt.setdefault(_plainly(text), []).append(n)
    for places in by_prompt.values():
        out += _repeats(data, answer, places, len(by_prompt) == 1)
    return sorted(out, key=lambda one: not one[0])


def _repeats(data: Dataset, answer: str, places: Sequence[int], alone: bool) -> list[tuple[bool, str]]:
    """What is wrong with rows that ask the same. `alone`: all rows do, so that what is asked must stand elsewhere."""
    if len(places) < 2:
        return []
    rows = ", ".join(str(n + 1) for n in places[:4])
    same_text = len({data.prompt_of(n) for n in places}) == 1
    said = {_plainly(json.dumps(data.rows[n][answer], default=str)) for n in places} if answer else {""}
    if len(said) > 1 and same_text and not alone and "choice" not in freedoms(data.prompt_of(places[0])):
        return [(True, f"rows {rows} ask the same and have different answers")]
    what = "ask the same" if same_text else "differ in case, spacing or punctuation alone"
    return [(False, f"rows {rows} {what}{' and have different answers' if len(said) > 1 else ''}")]


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, (str, list, dict)) and not (value.strip() if isinstance(value, str) else value))


def _plainly(text: str) -> str:
    """The words and figures of a text; signs count where they may carry meaning."""
    return " ".join(re.sub(r"[\s.,;:!?]+", " ", text.casefold()).split())
