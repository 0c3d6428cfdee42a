"""Bisecting builds: the answer is the source of find(n, is_bad), which may ask about few builds only."""

import json
import math
import os
import random
import select
import signal
import subprocess
import sys
import time

WORKER = """
import json, os, sys
up, down = os.fdopen(os.dup(1), "w"), os.fdopen(os.dup(0))
os.dup2(2, 1)

def tell(message):
    up.write(json.dumps(message) + "\\n")
    up.flush()
    return json.loads(down.readline())

space = {"__name__": "answer"}
exec(compile(sys.argv[1], "answer.py", "exec"), space)
n = tell("next")
while n is not None:
    n = tell({"found": space["find"](n, lambda build: tell({"ask": build}))})
"""


class Session:
    """Runs the answer in a process of its own and counts what it asks."""

    def __init__(self, source: str, seconds: float):
        self.until = time.monotonic() + seconds
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen([sys.executable, "-I", "-c", WORKER, source], start_new_session=True, **pipes)
        os.set_blocking(self.process.stdin.fileno(), False)
        self.rest = b""

    def line(self) -> object:
        while b"\n" not in self.rest:
            poll = select.poll()
            poll.register(self.process.stdout, select.POLLIN)
            left = self.until - time.monotonic()
            if (
                left <= 0
                or not poll.poll(left * 1000)
                or not (piece := os.read(self.process.stdout.fileno(), 65536))
                or len(self.rest) > 1_000_000
            ):
                raise ValueError("no line in time")
            self.rest += piece
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def reply(self, message: object) -> None:
        os.write(self.process.stdin.fileno(), json.dumps(message).encode() + b"\n")

    def find(self, n: int, bad: int) -> tuple[object, int]:
        """What the answer says of a history of n builds, and how many builds it asked about."""
        self.reply(n)
        asked = 0
        while "ask" in (message := self.line()):
            asked += 1
            build = message["ask"]
            self.reply(isinstance(build, (int, float)) and build >= bad)
        return message["found"], asked

    def stop(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def limit(n: int) -> int:
    return math.ceil(math.log2(n)) + 2


class Bisect:
    def __init__(self, case: str, seed: int):
        rng = random.Random(f"{case}#{seed}")
        self.published = (rng.randint(1500, 2500), rng.randint(700, 1400))
        self.more = [(n, rng.randint(max(1, n // 3), n)) for n in rng.sample(range(60, 400), 12)] + [(1, 1), (2, 1), (2, 2), (300, 1)]
        n, bad = self.published
        self.back = rng.choice([0, 1])
        wanted = "the last good build, or 0 if there is none" if self.back else "the first bad build"
        self.tools: list = []
        self.prompt = (
            f"Service {case}. Write a Python function find(n, is_bad). Builds are numbered 1 to n; from some build on, and up to n, all "
            f"are bad, and is_bad(k) tells whether build k is. Return the number of {wanted}. Every is_bad call costs a deployment, so "
            "for any history of n builds find may make at most ceil(log2(n)) + 2 calls. find gets several histories, one after the "
            f"other. The history of last month, one of those it is run on, had n = {n} builds and the first bad one was {bad}. Answer "
            "with the source alone, as text without code fences; standard library only."
        )

    def counted(self) -> list[tuple[int, int]]:
        return [self.published]

    def finish(self, answer: object) -> float:
        if not isinstance(answer, str) or len(answer) > 20_000:
            return 0.0
        try:
            session = Session(answer, 6)
        except (OSError, ValueError):
            return 0.0
        try:
            session.line()
            for n, bad in [self.published, *self.more]:
                found, asked = session.find(n, bad)
                if found != bad - self.back or isinstance(found, bool) or ((n, bad) in self.counted() and asked > limit(n)):
                    return 0.0
            return 1.0
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return 0.0
        finally:
            session.stop()

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [], (
            "def find(n, is_bad):\n    low, high = 1, n\n    while low < high:\n        middle = (low + high) // 2\n"
            "        if is_bad(middle):\n"
            "            high = middle\n        else:\n            low = middle + 1\n"
            f"    return low - {self.back}\n"
        )

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        return [
            (
                [],
                "from bisect import bisect_left\n\ndef find(n, is_bad):\n"
                f"    return bisect_left(range(n), True, key=lambda i: is_bad(i + 1)) + {1 - self.back}\n",
            )
        ]


class BisectToo(Bisect):
    def counted(self) -> list[tuple[int, int]]:
        return [self.published, *self.more]


class Releases:
    name = "first bad build"

    def __init__(self, task: type[Bisect]):
        self.task = task

    def cases(self) -> list[str]:
        return ["checkout", "search"]

    def start(self, case: str, seed: int) -> Bisect:
        return self.task(case, seed)


def faulty() -> Releases:
    return Releases(Bisect)


def repaired() -> Releases:
    return Releases(BisectToo)
