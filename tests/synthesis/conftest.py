"""Worlds that are built once for several tests."""

import importlib

import pytest

from worldwright.forge.run import PATTERNS
from worldwright.forge.sources import sources_of
from worldwright.forge.trial import pack_toml
from worldwright.pack import Pack
from worldwright.synthesis.assemble import assemble, furnished


@pytest.fixture(scope="session")
def build():
    """A world of a source with these patterns: its draft and a pack of it."""

    def made(source, *patterns, seed=0):
        for one in patterns:
            assert one in PATTERNS
        material = sources_of([str(source)])[0].material(0)
        modules = {one: importlib.import_module(f"worldwright.synthesis.patterns.{one}") for one in patterns}
        draft = furnished("office", "Office", material, modules, seed)
        files = assemble(draft, material) if draft.tasks else {}
        return draft, Pack(files | {"pack.toml": pack_toml("office", "A test.")}, "") if files else None

    return made
