"""Offices of one trade and one pattern, built once for the tests of the moves."""

import importlib
from itertools import count

import pytest

from worldwright.errors import UnusableSeed
from worldwright.forge.sources import sources_of
from worldwright.forge.trial import pack_toml
from worldwright.pack import Pack
from worldwright.synthesis.assemble import assemble, furnished
from worldwright.training.practice import Practice


@pytest.fixture(scope="session")
def office():
    """The tasks of an office by the first word of their names; `then` is one that joins two."""

    def made(trade, *patterns):
        material = sources_of([trade])[0].material(0)
        modules = {one: importlib.import_module(f"worldwright.synthesis.patterns.{one}") for one in patterns}
        draft = furnished("office", "Office", material, modules, 0)
        pack = Pack(assemble(draft, material) | {"pack.toml": pack_toml("office", "A test.")}, "")
        tasks = [entry for entry in reversed(list(pack.tasks())) if "-all-" not in entry.name]
        return {"then" if "-then-" in entry.name else entry.name.partition("-")[0]: entry for entry in tasks}

    return made


@pytest.fixture
def practised():
    """Instances of a task to practise on, closed afterwards."""
    opened = []

    def made(entry, n, start=1):
        out, seeds = [], count(start)
        while len(out) < n:
            try:
                out.append(Practice(entry.task, entry.task.instance(next(seeds))))
            except UnusableSeed:
                continue
        opened.extend(out)
        return out

    yield made
    for one in opened:
        one.close()
