"""A map server renders the tiles of outdated regions on two workers, within a window of minutes."""

import random

WORKERS = ("amber", "birch")
NAMES = "Ashwell Brine Coldharbour Dunmere Eskley Fallow Garth Hollin Ings Kelder Lowmoor Nettle Oxley".split()

PROMPT = """You keep the map server of {county} up to date. Each region has tiles of some edition and a survey of some edition.
A region is outdated if its tiles are of an older edition than its survey. Rendering a region brings its tiles to the edition of its survey
and takes the region's minutes.

There are two workers, "amber" and "birch". render puts a region at the end of a worker's queue. A worker renders its queue in order,
one region at a time, without breaks. Queued work cannot be called back. The clock stands at minute 0 and moves only when you call wait.

Your task: bring the tiles of all outdated regions up to date by minute {window}.
When you finish, the rendering of every outdated region must be complete and the clock must not be past minute {window}.

Your final answer is not graded, only the server is. Answer "done" when you have finished."""


class Session:
    """One maintenance window."""

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(seed)
        count = {"night": 6, "weekend": 10}[case]
        names = rng.sample(NAMES, count + 3)
        self.regions: dict[str, dict] = {}
        self.split: dict[str, str] = {}
        totals = dict.fromkeys(WORKERS, 0)
        for index, name in enumerate(names):
            survey = rng.randint(3, 9)
            minutes = rng.randint(11, 58)
            outdated = index < count
            self.regions[name] = {"survey": survey, "tiles": survey - rng.randint(1, 2) if outdated else survey, "minutes": minutes}
            if outdated:
                worker = min(WORKERS, key=totals.__getitem__)
                totals[worker] += minutes
                self.split[name] = worker
        self.regions = dict(sorted(self.regions.items()))
        self.window = max(totals.values()) + rng.randint(1, 6)
        self.queues: dict[str, list[dict]] = {worker: [] for worker in WORKERS}
        self.clock = 0
        self.prompt = PROMPT.format(county=rng.choice(["Westmark", "Nairnshire", "Oldland", "Tarn", "Severnside"]), window=self.window)
        self.tools = [self.list_regions, self.list_queues, self.render, self.wait]

    def list_regions(self) -> list[dict]:
        """List the regions with the edition of survey and tiles, and the minutes that rendering takes."""
        return self.state()["regions"]

    def list_queues(self) -> dict:
        """Show the clock and the regions queued on each worker with the minute at which each begins and ends."""
        return {"clock": self.clock, "queues": {worker: [dict(job) for job in queue] for worker, queue in self.queues.items()}}

    def render(self, region: str, worker: str) -> str:
        """Put an outdated region at the end of a worker's queue."""
        if not isinstance(region, str) or not isinstance(worker, str):
            raise TypeError("region and worker are given by name")
        if region not in self.regions:
            raise ValueError(f"no region {region}")
        if worker not in self.queues:
            raise ValueError(f"no worker {worker}")
        row = self.regions[region]
        if any(job["region"] == region for queue in self.queues.values() for job in queue):
            raise ValueError(f"{region} has been queued")
        if row["tiles"] >= row["survey"]:
            raise ValueError(f"{region} is up to date")
        queue = self.queues[worker]
        begins = max(self.clock, queue[-1]["ends"] if queue else 0)
        queue.append({"region": region, "begins": begins, "ends": begins + row["minutes"]})
        self.settle()
        return f"{region} queued on {worker}"

    def wait(self, minutes: int) -> str:
        """Let the clock run for 1 to 600 minutes."""
        if type(minutes) is not int:
            raise TypeError("minutes is an integer")
        if not 1 <= minutes <= 600:
            raise ValueError("wait takes 1 to 600 minutes")
        self.clock += minutes
        self.settle()
        return f"the clock stands at minute {self.clock}"

    def ready(self, job: dict) -> bool:
        return True

    def settle(self) -> None:
        """Bring the editions in the region table in line with the queues."""
        for queue in self.queues.values():
            for job in queue:
                if self.ready(job):
                    row = self.regions[job["region"]]
                    row["tiles"] = row["survey"]

    def finish(self, answer: object) -> float:
        current = all(row["tiles"] == row["survey"] for row in self.regions.values())
        return 1.0 if current and self.clock <= self.window else 0.0

    def script(self, names: list[str], flip: bool) -> list[tuple[str, dict]]:
        lasts = dict.fromkeys(WORKERS, 0)
        calls: list[tuple[str, dict]] = []
        for name in names:
            worker = WORKERS[WORKERS.index(self.split[name]) ^ flip]
            lasts[worker] += self.regions[name]["minutes"]
            calls.append(("render", {"region": name, "worker": worker}))
        return [*calls, ("wait", {"minutes": max(lasts.values())})]

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return self.script(list(self.split), False), "done"

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        calls = self.script(sorted(self.split), True)
        minutes = calls[-1][1]["minutes"]
        return [([("list_regions", {}), *calls[:-1], ("wait", {"minutes": 10}), ("wait", {"minutes": minutes - 10})], "done")]

    def state(self) -> dict[str, list[dict]]:
        regions = [{"region": name, **row} for name, row in self.regions.items()]
        jobs = [{"worker": worker, **job} for worker, queue in self.queues.items() for job in queue]
        return {"regions": regions, "jobs": jobs, "clock": [{"minute": self.clock}]}


class ServerSession(Session):
    """One maintenance window on the server."""

    def ready(self, job: dict) -> bool:
        return job["ends"] <= self.clock


class MapServer:
    def __init__(self, session: type[Session]) -> None:
        self.name = "map_tiles"
        self.session = session

    def cases(self) -> list[str]:
        return ["night", "weekend"]

    def start(self, case: str, seed: int) -> Session:
        return self.session(case, seed)


def faulty() -> MapServer:
    return MapServer(Session)


def repaired() -> MapServer:
    return MapServer(ServerSession)
