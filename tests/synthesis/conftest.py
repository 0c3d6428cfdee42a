"""Worlds that are built once for several tests."""

import importlib

import pytest

from worldwright.domain.norms import norms
from worldwright.forge.run import PATTERNS
from worldwright.forge.sources import sources_of
from worldwright.forge.trial import pack_toml
from worldwright.pack import Pack
from worldwright.synthesis.assemble import assemble, furnished

JUDGED = {"party": 20, "staff": 12, "location": 4, "resource": 8, "schedule": 24}
"""Rows by facet when runs were judged: what a pattern is about depends on how many rows there are."""


@pytest.fixture(scope="session")
def build():
    """A world of a source with these patterns: its draft and a pack of it. `plain`: as it was when runs were judged."""

    def made(source, *patterns, seed=0, plain=False):
        for one in patterns:
            assert one in PATTERNS
        material = sources_of([str(source)])[0].material(0)
        if plain:
            decided = {norm.on for _, norm in norms(material.model)}
            material.rows = {one.name: 72 if one.name in decided else JUDGED.get(one.facet, 30) for one in material.model.entities}
        modules = {one: importlib.import_module(f"worldwright.synthesis.patterns.{one}") for one in patterns}
        draft = furnished("office", "Office", material, modules, seed, plain)
        files = assemble(draft, material) if draft.tasks else {}
        return draft, Pack(files | {"pack.toml": pack_toml("office", "A test.")}, "") if files else None

    return made
