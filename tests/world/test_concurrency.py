"""Many at once: callers that await one episode take their turn, and episodes never touch each other."""

import asyncio
import threading

import pytest

from worldwright.world import Episode, Evidence, World


def test_fifty_waiting_callers_get_their_results_in_order(shop):
    async def rush():
        episode = shop.start(1).asynchronous()
        calls = [episode.call("place", {"customer": 1, "cents": n}) if n % 2 else episode.call("orders", {}) for n in range(50)]
        results = await asyncio.gather(*calls)
        evidence = await episode.finish({"n": 50})
        changes = list(evidence.changes)
        episode.close()
        return results, evidence.calls, changes

    results, calls, changes = asyncio.run(rush())
    assert [len(result.value) for result in results[::2]] == [3 + n for n in range(25)]
    assert [call.n for call in calls] == list(range(1, 51))
    assert [call.tool for call in calls] == ["orders", "place"] * 25
    assert [change.new["total_cents"] for change in changes] == list(range(1, 50, 2))


def test_awaiting_and_calling_give_the_same(shop):
    steps = [("place", {"customer": 2, "cents": 5}), ("leave", {"id": 1}), ("orders", {}), ("nothing", {})]

    async def awaited():
        episode = shop.start(1).asynchronous()
        results = [await episode.call(*step) for step in steps]
        evidence = await episode.finish(None)
        changes = list(evidence.changes)
        episode.close()
        return results, changes

    with shop.start(1) as episode:
        results = [episode.call(*step) for step in steps]
        assert asyncio.run(awaited()) == (results, list(episode.finish(None).changes))


def test_two_interleaved_episodes(shop):
    with shop.start(1) as one, shop.start(1) as other, shop.start(2) as third:
        for n in range(20):
            assert one.call("place", {"customer": 1, "cents": n}).ok
            assert other.call("set_total", {"id": 1, "cents": n}).ok
            assert third.call("join", {"name": f"n{n}"}).ok
        assert len(one.call("orders", {}).value) == 23
        assert other.call("order", {"id": 1}).value["total_cents"] == 19
        assert one.call("order", {"id": 1}).value["total_cents"] == 100
        kinds = [[(change.table, change.op) for change in episode.finish(None).changes] for episode in (one, other, third)]
    assert kinds == [[("orders", "insert")] * 20, [("orders", "update")], [("customers", "insert")] * 20]


@pytest.mark.parametrize("busy", [False, True])
def test_threads_share_a_world_and_no_state(shop_with, busy):
    """Each thread plays the same story on its own seed, again and again; `busy` ones also let time pass and search."""
    events = [
        {
            "name": "e",
            "due": "SELECT id AS key, '2026-03-30T10:00:00' AS at FROM orders",
            "effect": ["UPDATE orders SET status = 'late' WHERE id = :key"],
        }
    ]
    files = {"handbook/a.md": "1. Goods are sent within a day.\n2. Late goods are credited."}
    world = shop_with(events=events if busy else None, files=files)
    steps = [
        ("place", {"customer": 1, "cents": 5}),
        ("set_status", {"id": 1, "status": "sent"}),
        ("cancel", {"id": 2}),
        ("orders", {}),
        ("audit", {}),
    ]
    steps += [("wait", {"until": "2026-03-30T11:00:00"}), ("search_handbook", {"query": "late goods"}), ("audit", {})] if busy else []

    def story(seed):
        with world.start(seed) as episode:
            results = [episode.call(*step) for step in steps]
            with episode.fork() as fork:
                fork.call("leave", {"id": 1})
            return results, list(episode.finish(None).changes)

    expected = story(0)
    got, failed = [], []

    def work(seed):
        try:
            got.extend(story(seed + n % 2) for n in range(12))
        except BaseException as fault:
            failed.append(fault)
            raise

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(got) == 48
    assert all(one == expected for one in got)


def test_an_image_can_be_asked_by_threads(shop):
    image, failed = shop.image(1), []

    def ask():
        try:
            assert all(image.query("SELECT count(*) FROM orders") == [(3,)] for _ in range(200))
        except BaseException as fault:
            failed.append(fault)
            raise

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_the_protocols_are_met(shop):
    assert isinstance(shop, World)
    with shop.start(1) as episode:
        assert isinstance(episode, Episode)
        assert isinstance(episode.finish(None), Evidence)
