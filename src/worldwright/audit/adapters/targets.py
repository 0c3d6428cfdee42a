"""What a command's TARGET names: subjects of an audit.

Takes the text of a target and where foreign code is to be found; gives subjects that the caller closes. Adapters are
loaded when their form is asked for. Raises UsageError for what is no target, PackError for a broken pack.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from worldwright.audit.subject import Subject
from worldwright.errors import UsageError

__all__ = ["FORMS", "is_target", "subject_of", "subjects_of"]

FORMS: Mapping[str, str] = {
    "PACK[/world[/task]]": "a pack of Worldwright's own: a folder with a pack.toml, or a zip of one",
    "python:MODULE:FUNCTION": "an environment in plain Python (docs/audit.md); --path says where the module is",
    "reasoning-gym:NAME|all": "a dataset of reasoning-gym; --python names the interpreter that has it",
    "reward:FILE[:FUNCTION]": "a reward function over prompts and completions; --dataset names its rows (JSONL)",
}
"""Every form of a target, with what it is."""


def subjects_of(target: str, *, path: Path | None = None, python: str | None = None, dataset: Path | None = None) -> list[Subject]:
    """The subjects that a target names; more than one only for `reasoning-gym:all`."""
    form, colon, rest = target.partition(":")
    if colon and form == "python":
        return [_python(rest, path, python)]
    if colon and form == "reasoning-gym":
        return _reasoning_gym(rest, python)
    if colon and form == "reward":
        return [_reward(rest, dataset, python)]
    return [_pack(target)]


def subject_of(target: str, *, path: Path | None = None, python: str | None = None, dataset: Path | None = None) -> Subject:
    """The one subject that a target names."""
    found = subjects_of(target, path=path, python=python, dataset=dataset)
    if len(found) != 1:
        for one in found:
            one.close()
        raise UsageError(f"{target}: {len(found)} subjects (name one of them)")
    return found[0]


def is_target(text: str) -> bool:
    """Whether a text is of one of the forms, as far as its shape tells."""
    return text.startswith(("python:", "reasoning-gym:", "reward:")) or Path(text.split("/worlds/")[0]).exists()


def _python(rest: str, path: Path | None, python: str | None) -> Subject:
    module, colon, function = rest.partition(":")
    if not (colon and module and function.isidentifier()):
        raise UsageError(f"python:{rest}: expected python:MODULE:FUNCTION, for instance python:my_desk:environment")
    if path is not None and not path.is_dir():
        raise UsageError(f"--path {path}: no such folder")
    from worldwright.audit.adapters.python import PythonSubject

    return PythonSubject(module, function, path=None if path is None else str(path), python=python)


def _reasoning_gym(rest: str, python: str | None) -> list[Subject]:
    if not rest:
        raise UsageError("reasoning-gym: names no dataset (expected reasoning-gym:NAME, or reasoning-gym:all)")
    from worldwright.audit.adapters.reasoning_gym import reasoning_gym_subjects

    return list(reasoning_gym_subjects(rest, python=python))


def _reward(rest: str, dataset: Path | None, python: str | None) -> Subject:
    file, _, function = rest.partition(":")
    if not Path(file).is_file():
        raise UsageError(f"reward:{rest}: no such file '{file}' (expected reward:FILE[:FUNCTION])")
    if dataset is None:
        raise UsageError(f"reward:{rest}: say --dataset FILE: the rows (JSONL) that the function is for")
    if not dataset.is_file():
        raise UsageError(f"--dataset {dataset}: no such file")
    from worldwright.audit.adapters.reward import RewardSubject

    return RewardSubject(file, function, str(dataset), python=python)


def _pack(target: str) -> Subject:
    if target.rpartition("@")[2].isdigit() and not Path(target).exists():
        raise UsageError(f"{target}: an audit draws its seeds itself (expected PACK/world/task without @seed)")
    from worldwright.pack.read import resolve

    try:
        read = resolve(target)
    except UsageError as fault:
        raise UsageError(f"{fault}. A target is one of: {'; '.join(f'{form}: {what}' for form, what in FORMS.items())}") from fault
    from worldwright.audit.adapters.pack import PackSubject

    only = [read.task] if read.task else list(read.world.tasks.values()) if read.world else None
    return PackSubject(read.pack, only)
