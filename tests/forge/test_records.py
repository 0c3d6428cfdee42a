"""Records of a forge run."""

import pytest

from worldwright.forge.records import parts_of


@pytest.mark.parametrize("name", ["freight", "remedy", "reconcile", "composed", "freight/remedy+reconcile"])
def test_a_task_that_two_patterns_share_is_held_out_with_either(name):
    assert name in parts_of("freight/remedy+reconcile")


def test_a_family_of_one_pattern_is_no_composed_one():
    assert parts_of("freight/remedy") == {"freight/remedy", "freight", "remedy"}
