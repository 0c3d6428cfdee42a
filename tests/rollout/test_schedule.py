"""Numbers, groups and chunks of a schedule."""

from __future__ import annotations

import msgspec
import pytest

from worldwright.rollout.schedule import Batch, Schedule

SCHEDULE = Schedule(
    ("p" * 64, "q" * 64),
    (Batch(0, "w/a", "random", 0, 3, 4), Batch(0, "w/a", "noop", 0, 1), Batch(1, "w/b", "random", 100, 5, 2)),
    chunk=5,
)


def test_every_attempt_has_one_number_and_one_chunk():
    slots = [slot for chunk in range(SCHEDULE.chunks) for slot in SCHEDULE.slots(chunk)]
    assert [slot.number for slot in slots] == list(range(SCHEDULE.attempts))
    assert SCHEDULE.attempts == 3 * 4 + 1 + 5 * 2
    assert SCHEDULE.chunks == 5
    assert {len(list(SCHEDULE.slots(chunk))) for chunk in range(4)} == {5}
    told = [(slot.batch.task, slot.batch.solver, slot.seed, slot.index) for slot in slots]
    assert len(set(told)) == len(told)
    assert told[:5] == [
        ("w/a", "random", 0, 0),
        ("w/a", "random", 0, 1),
        ("w/a", "random", 0, 2),
        ("w/a", "random", 0, 3),
        ("w/a", "random", 1, 0),
    ]
    assert told[12] == ("w/a", "noop", 0, 0)
    assert told[-1] == ("w/b", "random", 104, 1)


def test_a_schedule_is_its_json():
    back = msgspec.json.decode(msgspec.json.encode(SCHEDULE), type=Schedule)
    assert (back, back.digest) == (SCHEDULE, SCHEDULE.digest)


@pytest.mark.parametrize("change", [{"chunk": 6}, {"packs": ("p" * 64,)}, {"model": "m"}, {"batches": SCHEDULE.batches[:2]}])
def test_another_schedule_has_another_digest(change):
    assert msgspec.structs.replace(SCHEDULE, **change).digest != SCHEDULE.digest


def test_an_empty_schedule():
    empty = Schedule((), ())
    assert (empty.attempts, empty.chunks, list(empty.slots(0))) == (0, 0, [])
