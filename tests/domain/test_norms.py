"""Norms: from which days days are counted."""

import pytest

from worldwright.domain.norms import is_day


@pytest.mark.parametrize(
    ("since", "is_one"),
    [
        ("now", True),
        ("2012-01-31", True),
        ("2012-02-30", False),
        ("2012-13-01", False),
        ("20120131", False),
        ("paid_on", False),
        ("", False),
    ],
)
def test_days_are_counted_from_days_that_there_are(since, is_one):
    assert is_day(since) is is_one
