"""The datasets of reasoning-gym as an environment: a case a dataset, and the one item of `create_dataset(name, size=1, seed=seed)`.

Takes nothing, or `name`; gives an environment as `protocol` describes it. An answer is what `score_answer` is handed (None, or
text; other things are written as text), stripped as reasoning-gym's own `extract_answer` does. Promises that an item depends on
dataset and seed alone, as far as reasoning-gym does. Items made ahead (`ahead`) serve every fork of the process that made them:
that is for generators that are slow to start.

Imported in the interpreter that has reasoning-gym. Standard library and reasoning-gym only.
"""

from __future__ import annotations

import copy
import json
import warnings
from typing import Any

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import reasoning_gym  # type: ignore[import-not-found,unused-ignore]

__all__ = ["Datasets", "Item", "ahead", "environment"]

_made: dict[tuple[str, int], tuple[Any, dict[str, Any]]] = {}
_AGAIN = "+"


def environment(name: str = "") -> Datasets:
    """All datasets, or the one of that name."""
    return Datasets(name)


def ahead(name: str, seeds: list[int]) -> None:
    """Make items now, for later; one that can't be made is left for later, too."""
    for seed in seeds:
        try:
            _made[name, seed] = _item(name, seed)
        except Exception:  # noqa: BLE001 - whoever asks for this item gets the failure
            continue


def _item(name: str, seed: int) -> tuple[Any, dict[str, Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dataset = reasoning_gym.create_dataset(name, size=1, seed=seed)
        return dataset, dataset[0]


class Datasets:
    """A case a dataset."""

    def __init__(self, name: str) -> None:
        self.name = f"reasoning-gym:{name or 'all'}"
        self._only = name

    def cases(self) -> list[str]:
        """Names of datasets."""
        from reasoning_gym.factory import DATASETS  # type: ignore[import-not-found,unused-ignore]

        return [self._only] if self._only else sorted(DATASETS)

    def start(self, case: str, seed: int) -> Item:
        """The item of that seed; where the name has a + before it, it is kept for the next time in this process."""
        name = case.removeprefix(_AGAIN)
        dataset, entry = _made.get((name, seed)) or _item(name, seed)
        if name != case:
            _made[name, seed] = dataset, entry
        return Item(dataset, copy.deepcopy(entry))


class Item:
    """One question."""

    pass_mark = 1.0

    def __init__(self, dataset: Any, entry: dict[str, Any]) -> None:
        self._dataset, self._entry = dataset, entry
        self.prompt = str(entry["question"])
        self.tools: list[Any] = []

    def reference(self) -> Any:
        """The dataset's own answer, where it has one."""
        answer = self._entry.get("answer")
        if answer is None:
            raise NotImplementedError
        return [], answer

    def finish(self, answer: Any) -> Any:
        """What `score_answer` gives."""
        return self._dataset.score_answer(_text(answer), self._entry)


def _text(answer: Any) -> Any:
    if isinstance(answer, dict) and set(answer) == {"$completion"}:
        answer = answer["$completion"]
    if answer is None or isinstance(answer, str):
        return answer if answer is None else answer.strip()
    try:
        return json.dumps(answer, ensure_ascii=False)
    except (TypeError, ValueError):
        return str(answer)
