"""The shipped trades can be read, are free of lint, and carry rules with exceptions."""

from __future__ import annotations

from importlib import resources

import pytest

from worldwright.domain.lint import lint
from worldwright.domain.trades import TRADES, trade
from worldwright.errors import UsageError


def test_every_file_is_a_trade():
    folder = resources.files("worldwright.domain").joinpath("trades")
    assert sorted(one.name for one in folder.iterdir() if one.name.endswith(".yaml")) == [f"{name}.yaml" for name in sorted(TRADES)]


@pytest.mark.parametrize("name", TRADES)
def test_a_trade_is_whole(name):
    model = trade(name)
    assert lint(model) == []
    assert len(model.entities) >= 7
    assert sum(one.lifecycle is not None for one in model.entities) >= 2
    assert sum(bool(one.exceptions) for one in model.policies) >= 3
    assert all(one.source is not None for one in model.policies)
    assert len(model.vocabulary) >= 8


def test_an_unknown_trade_is_named():
    with pytest.raises(UsageError, match="no such trade"):
        trade("piracy")
