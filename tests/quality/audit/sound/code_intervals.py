"""A programming exercise about spans on a line; the code runs apart from its judge, on spans drawn afresh."""

import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

CHILD = """
import json, resource, sys
for limit, value in ((resource.RLIMIT_CPU, 6), (resource.RLIMIT_FSIZE, 1 << 20), (resource.RLIMIT_AS, 4 << 30)):
    resource.setrlimit(limit, (value, value))
source, target = sys.argv[1:]
with open(source) as file:
    job = json.load(file)
names = {"__name__": "candidate"}
exec(compile(job["code"], "candidate", "exec"), names)
given = [names["merge"](spans) for spans in job["inputs"]]
with open(target, "w") as file:
    json.dump(given, file)
"""


def merged(spans, gap):
    done = []
    for start, end in sorted(spans):
        if done and start - done[-1][1] <= gap:
            done[-1][1] = max(done[-1][1], end)
        else:
            done.append([start, end])
    return done


class Task:
    def __init__(self, case, seed):
        rng = random.Random(f"{case}/{seed}/spans")
        self.gap = rng.randint(0, 1) if case == "narrow" else rng.randint(2, 6)
        self.hidden = rng.getrandbits(64)
        self.tools = []
        sample = [[30, 34], [1, 4], [6, 9], [9, 12], [19, 20], [2, 3]]
        self.prompt = (
            "Write a Python function merge(spans). spans is a list of [start, end] with whole numbers, start <= end, in no particular "
            "order, possibly empty and with repeats. Two spans are joined into one (from the smaller start to the larger end) if they "
            f"overlap, touch, or if the later one starts at most {self.gap} after the end of the earlier; go on until no two are left to "
            f"join. Give a list of [start, end], sorted by start. For example, merge({sample}) gives {merged(sample, self.gap)}. It is "
            "judged on other lists, of up to 30 spans, all of them in 5 seconds together. Standard library only, at most 10000 "
            "characters. Answer with the code alone, or in a fenced block."
        )

    def inputs(self):
        rng = random.Random(self.hidden)
        lists = [[], [[5, 5]], [[0, 9], [2, 3], [2, 3]], [[0, 1], [1 + self.gap, 9 + self.gap]], [[0, 1], [2 + self.gap, 9 + self.gap]]]
        for _ in range(40):
            starts = [rng.randint(-50, 250) for _ in range(rng.randint(1, 30))]
            lists.append([[start, start + rng.choice([0, 1, 2, 3, 5, 20])] for start in starts])
        return lists

    def reference(self):
        code = (
            "def merge(spans):\n"
            "    result = []\n"
            "    for start, end in sorted(spans):\n"
            f"        if result and start <= result[-1][1] + {self.gap}:\n"
            "            result[-1][1] = max(result[-1][1], end)\n"
            "        else:\n"
            "            result.append([start, end])\n"
            "    return result\n"
        )
        return [], code

    def alternatives(self):
        code = (
            "def merge(spans):\n"
            "    spans = [tuple(s) for s in spans]\n"
            "    again = True\n"
            "    while again:\n"
            "        again = False\n"
            "        for i in range(len(spans)):\n"
            "            for j in range(i):\n"
            "                (a, b), (c, d) = sorted((spans[i], spans[j]))\n"
            f"                if c - b <= {self.gap}:\n"
            "                    spans = [s for k, s in enumerate(spans) if k not in (i, j)] + [(a, max(b, d))]\n"
            "                    again = True\n"
            "                    break\n"
            "            if again:\n"
            "                break\n"
            "    return sorted(spans)\n"
        )
        return [([], f"```py\n{code}```")]

    def finish(self, answer):
        if not isinstance(answer, str) or len(answer) > 10_000:
            return 0.0
        block = re.search(r"```(?:python|py)?[ \t]*\n(.*?)```", answer, re.DOTALL)
        inputs = self.inputs()
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            try:
                given = self._run(block[1] if block else answer, inputs, Path(folder))
            except OSError:
                return None
        return 1.0 if given == json.dumps([merged(spans, self.gap) for spans in inputs]) else 0.0

    @staticmethod
    def _run(code, inputs, folder):
        """What the code gives, as JSON in one spelling; None if nothing usable."""
        (folder / "job.json").write_text(json.dumps({"code": code, "inputs": inputs}))
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        command = [sys.executable, "-I", "-c", CHILD, str(folder / "job.json"), str(folder / "out.json")]
        child = subprocess.Popen(command, start_new_session=True, cwd=folder, **quiet)
        try:
            status = child.wait(timeout=20)
        except subprocess.TimeoutExpired:
            status = None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        target = folder / "out.json"
        if status != 0 or target.is_symlink() or not target.is_file() or target.stat().st_size > 1 << 20:
            return None
        try:
            return json.dumps(json.loads(target.read_bytes()))
        except (ValueError, RecursionError):
            return None


class Exercises:
    name = "code: spans"

    def cases(self):
        return ["narrow", "wide"]

    def start(self, case, seed):
        return Task(case, seed)


def sound():
    return Exercises()
