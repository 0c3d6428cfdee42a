"""Quotes for a builders' merchant: the answer is the source of quote(lines, price_of), run on one enquiry after another."""

import json
import os
import random
import select
import signal
import statistics
import subprocess
import sys
import time

GOODS = [
    "beam",
    "brick",
    "bolt",
    "cement",
    "gravel",
    "gutter",
    "hinge",
    "joist",
    "lintel",
    "mortar",
    "nail",
    "panel",
    "pipe",
    "plaster",
    "rail",
    "rivet",
    "sand",
    "slate",
    "stud",
    "tile",
]

CLERK = """
import json, os, sys
ear, mouth = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

def hear():
    return json.loads(ear.readline())

def speak(kind, value):
    mouth.write(json.dumps([kind, value]) + chr(10))
    mouth.flush()

def price_of(article):
    speak("price", article)
    return hear()

answer = {"__name__": "quoting"}
exec(compile(sys.argv[1], "quoting.py", "exec"), answer)
%s
"""

ALL_THEN_SHOW = """
results = []
for lines in hear():
    results.append(answer["quote"](lines, price_of))
    speak("next", None)
speak("results", results)
"""

SHOW_EACH = """
for lines in hear():
    result = answer["quote"](lines, price_of)
    speak("results", [result])
    speak("next", None)
"""


class Enquiries:
    order = ALL_THEN_SHOW

    def __init__(self, case: str, seed: int):
        rng = random.Random(f"{case}${seed}")
        self.prices = {article: rng.randint(20, 4000) for article in GOODS}
        self.enquiries = []
        for _ in range(9):
            some = rng.sample(GOODS, rng.randint(4, 7))
            self.enquiries.append(
                [[article, rng.randint(1, 30)] for article in some + [rng.choice(some) for _ in range(rng.randint(20, 40))]]
            )
        self.packing = rng.choice([15, 20, 35, 50, 80])
        self.tools: list = []
        self.prompt = (
            f"Merchant {case}. Write a Python function quote(lines, price_of). lines is one enquiry, a list of [article, pieces] in "
            "which an article may come up many times; price_of(article) asks the price service for the price of a piece in cents. "
            f"Return the list of the lines' amounts in cents, in order: pieces times price, and {self.packing} cents for packing each "
            "line. An enquiry is quoted in full before the next one comes, and quoting it may cost no more price_of calls than it has "
            "different articles (prices don't change, so what was learnt earlier may be kept). quote is called for several enquiries, "
            "one after the other, in one process. Answer with the source alone, without code fences; standard library only."
        )

    def fits(self, calls: list[int], most: list[int]) -> bool:
        return statistics.median(calls) <= statistics.median(most)

    def listen(self, source: str) -> tuple[list, list[int]]:
        """The results that came and the number of price calls for each enquiry."""
        results, calls = [], [0]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        clerk = subprocess.Popen([sys.executable, "-I", "-c", CLERK % self.order, source], start_new_session=True, **pipes)
        try:
            os.set_blocking(clerk.stdin.fileno(), False)
            os.write(clerk.stdin.fileno(), json.dumps(self.enquiries).encode() + b"\n")
            for line in self.lines(clerk.stdout.fileno()):
                kind, value = json.loads(line)
                if kind == "price":
                    calls[-1] += 1
                    os.write(clerk.stdin.fileno(), json.dumps(self.prices[value]).encode() + b"\n")
                elif kind == "results":
                    results += value
                else:
                    calls.append(0)
        finally:
            os.killpg(clerk.pid, signal.SIGKILL)
            clerk.wait()
            clerk.stdin.close()
            clerk.stdout.close()
        return results, calls[:-1]

    def lines(self, source: int):
        until, poll, held = time.monotonic() + 5, select.poll(), b""
        poll.register(source, select.POLLIN)
        while len(held) < 500_000 and poll.poll(max(0.0, until - time.monotonic()) * 1000) and (piece := os.read(source, 65536)):
            *done, held = (held + piece).split(b"\n")
            yield from done

    def finish(self, answer: object) -> float:
        if not isinstance(answer, str) or len(answer) > 20_000:
            return 0.0
        right = [[self.prices[article] * pieces + self.packing for article, pieces in lines] for lines in self.enquiries]
        most = [len({article for article, _ in lines}) for lines in self.enquiries]
        try:
            results, calls = self.listen(answer)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return 0.0
        return 1.0 if results == right and len(calls) == len(most) and self.fits(calls, most) else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [], (
            "def quote(lines, price_of):\n    price = {article: price_of(article) for article in sorted({article for article, _ in "
            "lines})}\n"
            f"    return [price[article] * pieces + {self.packing} for article, pieces in lines]\n"
        )

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        kept = (
            "KNOWN = {}\n\n\ndef quote(lines, price_of):\n    amounts = []\n    for article, pieces in lines:\n"
            "        if article not in KNOWN:\n"
            f"            KNOWN[article] = price_of(article)\n        amounts.append({self.packing} + pieces * KNOWN[article])\n"
            "    return amounts\n"
        )
        return [([], kept)]


class EnquiriesToo(Enquiries):
    order = SHOW_EACH

    def fits(self, calls: list[int], most: list[int]) -> bool:
        return all(done <= limit for done, limit in zip(calls, most, strict=True))


class Merchants:
    name = "quotes"

    def __init__(self, enquiries: type[Enquiries]):
        self.enquiries = enquiries

    def cases(self) -> list[str]:
        return ["Hartwig", "Lindqvist"]

    def start(self, case: str, seed: int) -> Enquiries:
        return self.enquiries(case, seed)


def faulty() -> Merchants:
    return Merchants(Enquiries)


def repaired() -> Merchants:
    return Merchants(EnquiriesToo)
