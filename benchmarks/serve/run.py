"""Our MCP server beside one-process-per-environment servers, and a thousand rollouts in one process: two tables.

`python benchmarks/serve/run.py [--part ratio|live] [--calls 200] [--peers 8] [--rollouts 1000]`. One unit is one `tools/call` over HTTP on
a connection that stays open; the calls are the same everywhere (reads of the tool-hire desk, every tenth a write). Wall time
includes the client, which runs on the same machine; CPU time is that of the servers' processes alone. All in one run, the kinds
in turn, so that a ratio compares like with like; environments are made under build/serve from PyPI.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from load import LEGACY, MODERN, Call, Client, drive
from servers import ROOT, Ours, Process, peers, through_fastmcp

from worldwright.pack import read_pack

ROUNDS = 5
TASK = "tool-hire/credit-late-deliveries"


def unlimited(folder: Path) -> Path:
    """The example pack with a limit of calls that the benchmark does not reach."""
    pack = folder / "tool-hire"
    shutil.copytree(ROOT / "examples" / "tool-hire", pack)
    for brief in pack.glob("worlds/*/tasks/*/brief.yaml"):
        text = brief.read_text(encoding="utf-8")
        lines = [line for line in text.splitlines() if not line.startswith("limits:")]
        brief.write_text("\n".join([*lines, "limits: {calls: 100000000, output: 100000000}", ""]), encoding="utf-8")
    return pack


def workload(delivered: Sequence[int], number: int) -> list[Call]:
    """So many calls: three kinds of read in turn, every tenth a credit for another rental (refused once all are credited)."""
    reads: list[Call] = [
        ("list_rentals", {"customer_id": 1}),
        ("ask_carrier", {"rental_id": 1}),
        ("list_deliveries", {"day": "2026-04-06"}),
    ]
    writes = ({"rental_id": rental, "amount_cents": 100} for rental in delivered * (number // len(delivered) + 1))
    return [("issue_credit", next(writes)) if n % 10 == 9 else reads[n % 3] for n in range(number)]


def timed(processes: Sequence[Process], urls: Sequence[str], calls: list[Call], revision: str) -> tuple[float, float]:
    """Milliseconds of wall time over calls in all, and of the servers' CPU a call: medians of five rounds after one for warming up."""
    rounds = [calls[n::ROUNDS] for n in range(ROUNDS)]
    asyncio.run(drive(urls, [rounds[0]] * len(urls), revision))
    found = []
    for own in rounds:
        before = sum(one.cpu() for one in processes)
        took = asyncio.run(drive(urls, [own] * len(urls), revision))
        found.append((took / len(own) / len(urls) * 1e3, (sum(one.cpu() for one in processes) - before) / len(own) / len(urls) * 1e3))
    return statistics.median(wall for wall, _ in found), statistics.median(cpu for _, cpu in found)


def ratio(folder: Path, calls_each: int, most_peers: int) -> None:
    """The table of one call's cost, by kind and number of environments at once."""
    pack = unlimited(folder)
    image = read_pack(pack).worlds["tool-hire"].world.image(0)
    delivered = [row[0] for row in image.query("SELECT id FROM rentals WHERE status = 'delivered' ORDER BY id")]
    calls = workload(delivered, calls_each)
    print(_line("server", "environments", "calls", "wall ms/call", "CPU ms/call", "MiB in all", "wall ratio", "CPU ratio"))
    for number in sorted({1, most_peers}):
        rows: list[tuple[str, float, float, float]] = []
        for revision in (MODERN, LEGACY):
            with Ours(pack) as server:
                urls = [one["url"] for one in server.start([{"task": TASK, "index": n} for n in range(number)])]
                rows.append((f"ours, {revision}", *timed([server.process], urls, calls, revision), server.process.memory()))
        for kind, revision in (("fastapi-mcp", LEGACY), ("fastmcp", LEGACY), ("fastmcp", MODERN)):
            with peers(kind, image.data, number, folder) as (processes, urls):
                rows.append((f"{kind}, {revision}", *timed(processes, urls, calls, revision), sum(one.memory() for one in processes)))
        if number == 1:
            for revision in (MODERN, LEGACY):
                process, urls = through_fastmcp(pack)
                rows.append((f"our rollouts in FastMCP, {revision}", *timed([process], urls[:1], calls, revision), process.memory()))
                process.stop()
        ours = {revision: next(row for row in rows if row[0] == f"ours, {revision}") for revision in (MODERN, LEGACY)}
        for name, wall, cpu, memory in rows:
            same = ours[MODERN if name.endswith(MODERN) else LEGACY]
            figures = (f"{wall:.2f}", f"{cpu:.2f}", f"{memory:.0f}", f"{wall / same[1]:.2f}", f"{cpu / same[2]:.2f}")
            print(_line(name, str(number), str(len(calls) * number), *figures), flush=True)


def _line(name: str, *cells: str) -> str:
    return f"{name:<36}" + "".join(f"{cell:>14}" for cell in cells)


async def through(server: Ours, started: Sequence[dict[str, Any]], clients: int, calls: int) -> float:
    """Calls a second with so many clients that share the rollouts among them."""
    paths = [one["url"].removeprefix(server.addresses["agents"]) for one in started]
    opened = [Client(started[0]["url"], MODERN) for _ in range(clients)]
    for one in opened:
        await one.open()

    async def work(k: int) -> None:
        for n in range(calls // clients):
            await opened[k].call("list_rentals", {"customer_id": 1}, paths[(k + n * clients) % len(paths)])

    began = time.perf_counter()
    await asyncio.gather(*map(work, range(clients)))
    took = time.perf_counter() - began
    for one in opened:
        one.close()
    return calls // clients * clients / took


async def write_everywhere(server: Ours, started: Sequence[dict[str, Any]], rental: int) -> None:
    """In each rollout a credit of its own amount, 64 at a time."""
    queue = list(enumerate(started))

    async def work() -> None:
        client = Client(started[0]["url"], MODERN)
        await client.open()
        while queue:
            n, one = queue.pop()
            answer = await client.call(
                "issue_credit", {"rental_id": rental, "amount_cents": 1 + n}, one["url"].removeprefix(server.addresses["agents"])
            )
            assert json.loads(answer["result"]["content"][0]["text"]) == {"rental_id": rental, "amount_cents": 1 + n}, answer
        client.close()

    await asyncio.gather(*(work() for _ in range(64)))


def live(folder: Path, rollouts: int, calls: int) -> None:
    """The table of many rollouts in one process."""
    pack, out = unlimited(folder), folder / "out.jsonl"
    image = read_pack(pack).worlds["tool-hire"].world.image(0)
    rental = image.query("SELECT id FROM rentals WHERE status = 'delivered' ORDER BY id")[0][0]
    with Ours(pack, "--out", out, "--most", rollouts) as server:
        _live(server, rollouts, calls, rental)
    stops: dict[str, int] = {}
    for line in out.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        key = f"{one['trace']['stop']}, {'no reward' if one['reward'] is None else 'graded'}"
        stops[key] = stops.get(key, 0) + 1
    print(f"trajectories written: {stops}")


def _live(server: Ours, rollouts: int, calls: int, rental: int) -> None:
    memory = server.process.memory
    empty, began = memory(), time.perf_counter()
    started = server.start([{"task": TASK, "index": n} for n in range(rollouts)])
    each = (time.perf_counter() - began) / rollouts * 1e3
    print(f"{rollouts} rollouts started: {each:.2f} ms each; {empty:.0f} MiB before, {memory():.0f} MiB after")
    for clients in (1, 8, 64):
        before = server.process.cpu()
        rate = asyncio.run(through(server, started, clients, calls))
        cpu = (server.process.cpu() - before) / calls * 1e3
        print(f"{clients:>3} clients: {rate:>7.0f} calls/s, {cpu:.2f} ms of the server's CPU a call", flush=True)
    print(f"after these {3 * calls} calls: {memory():.0f} MiB, {(memory() - empty) / rollouts:.2f} MiB a rollout")
    asyncio.run(write_everywhere(server, started, rental))
    for n, one in enumerate(started[: rollouts // 2]):
        assert server.control("POST", f"/rollouts/{one['id']}/finish", {"answer": {"rentals": n}})["stop"] == "answered"
    crossed = 0
    for n, one in enumerate(started[: rollouts // 2]):
        made = server.control("GET", f"/rollouts/{one['id']}/trajectory")
        crossed += [change["new"]["amount_cents"] for change in made["changes"] if change["table"] == "credits"] != [1 + n]
        crossed += made["trace"]["answer"] != {"rentals": n}
    print(f"writes and answers of one rollout seen in another: {crossed} of {rollouts // 2} finished ones looked at")
    code, took = server.process.stop()
    print(f"stopped with {rollouts - rollouts // 2} open: exit code {code} after {took:.1f} s")


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=("ratio", "live"))
    parser.add_argument("--calls", type=int, default=400, help="calls a client makes; ten times as many in the part `live`")
    parser.add_argument("--peers", type=int, default=8, help="the most environments at once in the part `ratio`")
    parser.add_argument("--rollouts", type=int, default=1000)
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        if args.part != "live":
            ratio(Path(folder), args.calls, args.peers)
    with tempfile.TemporaryDirectory() as folder:
        if args.part != "ratio":
            live(Path(folder), args.rollouts, args.calls * 10)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
