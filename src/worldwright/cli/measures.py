"""What `bench` measures: the engine against the raw driver, in CPU time, as ratios within one run.

Takes a pack with a task; gives Measure records. Absolute times on a shared machine say little, so each figure stands
beside its bar and the ratio of the two, and figures that claim to be flat in size are measured on a small and a large
image.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import apsw
import msgspec

from worldwright.pack.read import PackTask
from worldwright.reference import again, replay
from worldwright.world.records import RecordsEpisode, RecordsEvidence, RecordsWorld

__all__ = ["Measure", "measure_all"]

_SCHEMA = b"""
CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL, amount INTEGER NOT NULL, box INTEGER);
CREATE INDEX boxes ON items (box);
"""
_WORLD = b"""
kind: records
title: Bench
clock: 2026-01-01T09:00:00
tools:
  change:
    doc: Change one.
    args: {id: {type: integer}, amount: {type: integer}}
    effect: ["UPDATE items SET amount = :amount WHERE id = :id"]
    row: "SELECT id, amount FROM items WHERE id = :id"
  look:
    doc: Look into a box.
    args: {box: {type: integer}}
    rows: "SELECT id, name, amount FROM items WHERE box = :box ORDER BY id LIMIT 10"
"""
_SCENARIO = """
def scenario(seed):
    return {'items': [{'id': i, 'name': 'item ' + str(i), 'amount': i % 97 + seed, 'box': i // 10} for i in range(ROWS)]}
"""
_CHANGE = "UPDATE items SET amount = ? WHERE id = ?"
_AFTER = "SELECT id, amount FROM items WHERE id = ?"
_LOOK = "SELECT id, name, amount FROM items WHERE box = ? ORDER BY id LIMIT 10"
_SMALL, _LARGE = 1_000, 50_000
_EPISODE = 100
ROUNDS = 9


class Measure(msgspec.Struct, frozen=True):
    """One figure: `value` in `unit`, its `bar` (None: for the eye only), and what was measured over how many repeats."""

    name: str
    value: float
    unit: str
    bar: float | None
    n: int
    beside: str = ""

    @property
    def is_met(self) -> bool | None:
        """Whether the bar is met; None where there is none."""
        return None if self.bar is None else self.value <= self.bar


def _world(rows: int) -> RecordsWorld:
    code = _SCENARIO.replace("ROWS", str(rows))
    return RecordsWorld("bench", {"world.yaml": _WORLD, "schema.sql": _SCHEMA, "scenario.py": code.encode()})


def _timed(act: Callable[[], object], n: int) -> float:
    """CPU seconds of one `act`: the least over rounds of n, which is what other work on the machine disturbs least."""
    return _together([act], n)[0]


def _together(acts: Sequence[Callable[[], object]], n: int) -> list[float]:
    """The same for several, their rounds in turn, so that the machine's speed is the same for all."""
    return [min(rounds) for rounds in _rounds(acts, n)]


def _rounds(acts: Sequence[Callable[[], object]], n: int) -> list[list[float]]:
    """CPU seconds of one of each act, by round; the rounds of all in turn."""
    took: list[list[float]] = [[] for _ in acts]
    for _ in range(ROUNDS):
        for rounds, act in zip(took, acts, strict=True):
            act()
            start = time.process_time()
            for _ in range(n):
                act()
            rounds.append((time.process_time() - start) / n)
    return took


def measure_all(entry: PackTask, live: int, many: int, note: Callable[[str], None]) -> list[Measure]:
    """All figures; `live` episodes at once, `many` episodes one after another."""
    gc.collect()
    small, large = _world(_SMALL), _world(_LARGE)
    out: list[Measure] = []
    for part in (_steps, _resets, _diffs):
        note(part.__name__.strip("_"))
        out += part(small, large)
    note("verdicts")
    out += _verdicts(entry)
    note(f"{live} live episodes")
    out += _live(entry, live)
    note(f"{many} episodes")
    out += _many(entry, many)
    return out


def _steps(small: RecordsWorld, large: RecordsWorld) -> list[Measure]:
    """A read and a write through the engine, against the same statements on the bare driver with no session."""
    n = 1_000
    episode = small.start(0)
    raw = apsw.Connection(":memory:")
    raw.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)  # as our connections have it
    raw.deserialize("main", small.image(0).data)
    raw.execute("BEGIN")
    count = iter(range(10**9))

    def step() -> None:
        nonlocal episode
        n = next(count)
        if n % _EPISODE == 0:  # no episode has thousands of calls
            episode.close()
            episode = small.start(0)
        episode.call("change", {"id": 5, "amount": n})
        episode.call("look", {"box": 3})

    def bare() -> None:
        raw.execute("SAVEPOINT s")
        raw.execute(_CHANGE, (next(count), 5)).fetchall()
        raw.execute(_AFTER, (5,)).fetchall()
        raw.execute("RELEASE s")
        raw.execute(_LOOK, (3,)).fetchall()

    ours, theirs = _rounds([step, bare], n)
    ratio = statistics.median(one / other for one, other in zip(ours, theirs, strict=True))
    episode.close()
    raw.close()
    return [
        Measure(
            "a step (write and read, session on) against the same statements raw",
            ratio,
            "times",
            3.0,
            ROUNDS * n,
            f"{min(ours) * 1e6:.0f} us against {min(theirs) * 1e6:.0f} us; the median ratio of rounds",
        )
    ]


def _resets(small: RecordsWorld, large: RecordsWorld) -> list[Measure]:
    def cycle(world: RecordsWorld) -> Callable[[], None]:
        def act() -> None:
            episode = world.start(0)
            episode.call("change", {"id": 5, "amount": 1})
            episode.close()

        return act

    def only(world: RecordsWorld) -> Callable[[], None]:
        def act() -> None:
            world.start(0).close()

        return act

    resets = _together([only(small), only(large)], 2_000)
    dirty = _together([cycle(small), cycle(large)], 1_000)
    for seed in range(1, 5):
        small.image(seed)
    turn = iter(range(10**9))

    def fresh() -> None:
        small.start(next(turn) % 5).close()

    other = _timed(fresh, 200)
    n = 2_000 * ROUNDS
    return [
        Measure("reset, small image", resets[0] * 1e6, "us", 60.0, n, f"{dirty[0] * 1e6:.0f} us with a write in between"),
        Measure("reset, image 50 times as large", resets[1] * 1e6, "us", 60.0, n, f"{dirty[1] * 1e6:.0f} us with a write in between"),
        Measure("reset: large against small", resets[1] / resets[0], "times", 1.5, n, "flat in size"),
        Measure(
            "reset to another seed's image (built before)", other * 1e6, "us", None, 200 * ROUNDS, f"{other / resets[0]:.1f} times a reset"
        ),
    ]


def _diffs(small: RecordsWorld, large: RecordsWorld) -> list[Measure]:
    episodes = [world.start(0) for world in (small, large)]
    for episode in episodes:
        for k in range(5):
            episode.call("change", {"id": 10 * k, "amount": -1})
    took = _together([partial(_difference, episode) for episode in episodes], 300)
    for episode in episodes:
        episode.close()
    return [
        Measure("difference of 5 rows, small image", took[0] * 1e6, "us", 250.0, 300 * ROUNDS),
        Measure("difference of 5 rows, image 50 times as large", took[1] * 1e6, "us", 250.0, 300 * ROUNDS),
        Measure("difference: large against small", took[1] / took[0], "times", 1.5, 300 * ROUNDS, "flat in size"),
    ]


def _difference(episode: RecordsEpisode) -> None:
    episode.changes.segments()
    assert len(episode.changes.rows()) == 5


def _verdicts(entry: PackTask) -> list[Measure]:
    assert entry.reference is not None
    instance = entry.task.instance(0)
    log, episode = replay(entry.task, instance, entry.reference)
    episode.close()

    def finished() -> tuple[RecordsEpisode, RecordsEvidence]:
        made = again(entry.task, instance, log.steps)
        return made, made.finish(log.answer, instance.until)

    def cached() -> float:
        made, evidence = finished()
        start = time.process_time()
        verdict = entry.verifier.grade(instance, evidence)
        took = time.process_time() - start
        made.close()
        assert verdict.reward == 1
        return took

    def cold() -> float:
        made, evidence = finished()
        entry.verifier.forget()
        start = time.process_time()
        entry.verifier.grade(instance, evidence)
        took = time.process_time() - start
        made.close()
        return took

    warm = statistics.median(cached() for _ in range(300))
    first = statistics.median(cold() for _ in range(100))
    where = f"{instance.name}, {len(log.steps)} calls"
    return [
        Measure("verdict, the first of an instance (expectations computed)", first * 1e3, "ms", 1.0, 100, where),
        Measure("verdict, expectations cached", warm * 1e3, "ms", 0.2, 300, where),
    ]


def _live(entry: PackTask, live: int) -> list[Measure]:
    """Memory of many live episodes at once, each with a write behind it."""
    assert entry.reference is not None
    instance = entry.task.instance(0)
    size = len(entry.task.world.image(0).data)
    log, first = replay(entry.task, instance, entry.reference)
    opened = [first, *(again(entry.task, instance, log.steps) for _ in range(7))]
    gc.collect()
    before = _resident()
    for _ in range(live):
        opened.append(again(entry.task, instance, log.steps))
    each = (_resident() - before) / live
    digests = {episode.state_digest() for episode in opened[8:40]}
    for episode in opened:
        episode.close()
    assert len(digests) == 1
    return [
        Measure(
            f"memory of a live episode beyond its image ({live} at once)",
            (each - size) / 1024,
            "KiB",
            700.0,
            live,
            f"image {size / 1024:.0f} KiB",
        )
    ]


def _many(entry: PackTask, many: int) -> list[Measure]:
    """Memory before and after many episodes: growth a thousand episodes."""
    assert entry.reference is not None
    instance = entry.task.instance(0)
    log, episode = replay(entry.task, instance, entry.reference)
    episode.close()
    digest = entry.task.world.state_digest(0)

    def one() -> None:
        made = again(entry.task, instance, log.steps[:3])
        made.close()

    for _ in range(max(200, many // 20)):
        one()
    gc.collect()
    before = _resident()
    start = time.process_time()
    for _ in range(many):
        one()
    took = time.process_time() - start
    gc.collect()
    grown = _resident() - before
    with entry.task.start(instance) as last:
        assert last.state_digest() == digest
    return [
        Measure(
            f"growth over {many:,} episodes",
            grown / 1024,
            "KiB",
            1024.0,
            many,
            f"{took / many * 1e6:.0f} us CPU each, 3 calls; state afterwards the same",
        )
    ]


def _resident() -> int:
    """Resident memory in bytes (Linux)."""
    for line in Path("/proc/self/smaps_rollup").read_text().splitlines():
        if line.startswith("Rss:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("no Rss in /proc/self/smaps_rollup")
