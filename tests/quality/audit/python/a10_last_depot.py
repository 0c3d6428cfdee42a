"""Freight networks: the answer is the source of find_depot(n, ships), which finds the depot where everything begins or ends."""

import contextlib
import json
import os
import random
import select
import signal
import subprocess
import sys
import time

PROGRAM = """
import json, os, sys
read, write = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

def exchange(what, value):
    write.write(json.dumps({what: value}) + "\\n")
    write.flush()
    return json.loads(read.readline())

own = {"__name__": "freight"}
exec(compile(sys.argv[1], "freight.py", "exec"), own)
turn = exchange("ready", None)
while turn:
    turn = exchange("depot", own["find_depot"](turn, lambda a, b: exchange("pair", [a, b])))
"""


class Network:
    """n depots; `end` gets goods from every other one and sends none on, or the other way about."""

    def __init__(self, rng: random.Random, n: int, first: bool):
        self.n, self.end, self.first = n, rng.randrange(n), first
        self._links = {(a, b) for a in range(n) for b in range(n) if a != b and a != self.end and (b == self.end or rng.random() < 0.5)}

    def ships(self, a: object, b: object) -> bool:
        return ((b, a) if self.first else (a, b)) in self._links


class Trial:
    """One process with the answer in it, asked about one network after another."""

    def __init__(self, source: str):
        self.stop_at = time.monotonic() + 6
        self.p = subprocess.Popen(
            [sys.executable, "-I", "-c", PROGRAM, source],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.set_blocking(self.p.stdin.fileno(), False)
        self.held = b""

    def hear(self) -> dict:
        poll = select.poll()
        poll.register(self.p.stdout, select.POLLIN)
        while b"\n" not in self.held:
            if len(self.held) > 100_000 or not poll.poll(max(0.0, self.stop_at - time.monotonic()) * 1000):
                raise ValueError("no message in time")
            if not (piece := os.read(self.p.stdout.fileno(), 65536)):
                raise ValueError("the program ended")
            self.held += piece
        line, _, self.held = self.held.partition(b"\n")
        return dict(json.loads(line))

    def call(self, network: Network) -> tuple[object, int]:
        questions = 0
        os.write(self.p.stdin.fileno(), f"{network.n}\n".encode())
        while "pair" in (message := self.hear()):
            questions += 1
            a, b = message["pair"]
            os.write(self.p.stdin.fileno(), b"true\n" if network.ships(a, b) else b"false\n")
        return message["depot"], questions

    def close(self) -> None:
        with contextlib.suppress(OSError):
            os.killpg(self.p.pid, signal.SIGKILL)
        self.p.wait()
        self.p.stdin.close()
        self.p.stdout.close()


class Planner:
    def __init__(self, seed: int, networks):
        rng = random.Random(f"depots-{seed}")
        self.n, self.first = rng.randint(20, 34), rng.random() < 0.5
        self.networks = networks(rng, self.n, self.first, 6)
        told = "that ships to all others and that none ships to" if self.first else "that all others ship to and that ships to none"
        self.tools: list = []
        self.prompt = (
            "Write a Python function find_depot(n, ships). Depots are numbered 0 to n - 1; ships(a, b) asks the dispatcher whether "
            f"depot a ships to depot b. In every network there is exactly one depot {told}: return its number. An answer from the "
            "dispatcher takes a while, so a call of find_depot may ask at most 3 * n questions. It is called several times in one "
            f"process, with n = {self.n}; in use each call is about another network, and it must work for that. The first call is a "
            "warm-up whose questions aren't counted. Answer with the source alone, without code fences; standard library only."
        )

    def finish(self, answer: object) -> float:
        if not isinstance(answer, str) or len(answer) > 20_000:
            return 0.0
        try:
            trial = Trial(answer)
        except (OSError, ValueError):
            return 0.0
        try:
            trial.hear()
            for turn, network in enumerate(self.networks):
                depot, questions = trial.call(network)
                if isinstance(depot, bool) or depot != network.end or (turn and questions > 3 * self.n):
                    return 0.0
            return 1.0
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return 0.0
        finally:
            trial.close()

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        pair = "other, here" if self.first else "here, other"
        return (
            [],
            f"def find_depot(n, ships):\n    here = 0\n    for other in range(1, n):\n        if ships({pair}):\n            here = other\n"
            "    return here\n",
        )

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        knockout = (
            "def find_depot(n, ships):\n    left = list(range(n))\n    while len(left) > 1:\n        a, b = left.pop(), left.pop()\n"
            f"        left.append({'a if ships(a, b) else b' if self.first else 'b if ships(a, b) else a'})\n    return left[0]\n"
        )
        return [([], knockout)]


class Freight:
    name = "last depot"

    def __init__(self, networks):
        self.networks = networks

    def cases(self) -> list[str]:
        return ["network"]

    def start(self, case: str, seed: int) -> Planner:
        return Planner(seed, self.networks)


def faulty() -> Freight:
    return Freight(lambda rng, n, first, times: [Network(rng, n, first)] * times)


def repaired() -> Freight:
    return Freight(lambda rng, n, first, times: [Network(rng, n, first) for _ in range(times)])
