"""What tests of the host share: subjects made of source text, in processes of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from worldwright.audit.adapters.python import PythonSubject
from worldwright.audit.host import Limits

Make = Callable[..., PythonSubject]


def subjects(folder: Path) -> Iterator[Make]:
    made: list[PythonSubject] = []

    def make(source: str, name: str = "shop", python: str | None = None, **limits: float) -> PythonSubject:
        (folder / f"{name}.py").write_text(dedent(source), encoding="utf-8")
        made.append(PythonSubject(name, "make", str(folder), python, limits=Limits(**limits)))
        return made[-1]

    yield make
    for subject in made:
        subject.close()


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Make]:
    """Makes a subject of a module's source; the module's function is called make."""
    yield from subjects(tmp_path)


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Make]:
    """The same, for all tests of a module."""
    yield from subjects(tmp_path_factory.mktemp("modules"))
