"""A small programming exercise about runs of letters; the code is run in a process of its own, on inputs made for the occasion."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile

RUNNER = """
import json, os, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (6, 6))
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
job = json.load(sys.stdin)
out = os.dup(1)
os.dup2(2, 1)
space = {"__name__": "answer"}
exec(job["code"], space)
results = [space["squeeze"](text) for text in job["inputs"]]
with os.fdopen(out, "w") as file:
    json.dump(results, file)
"""


def squeeze(text: str, least: int, mark: str) -> str:
    return re.sub(r"(.)\1*", lambda m: f"{m[1]}{len(m[0])}{mark}" if len(m[0]) >= least else m[0], text)


def run(code: str, inputs: list[str]) -> object:
    """What the code gives for the inputs; None if it doesn't give anything that can be read."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        process = subprocess.Popen(
            [sys.executable, "-I", "-c", RUNNER],
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd=folder,
        )
        try:
            process.communicate(json.dumps({"code": code, "inputs": inputs}).encode(), timeout=20)
        except subprocess.TimeoutExpired:
            pass
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                process.kill()
            process.wait()
        if process.returncode != 0:
            return None
        out.seek(0)
        try:
            return json.loads(out.read(1 << 20))
        except (ValueError, RecursionError):
            return None


class Exercise:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"runs {seed}")
        self.least, self.mark = self.rng.randint(2, 4), self.rng.choice("#*~^")
        self.tools: list = []
        example = "abbcccddddeeeee"
        self.prompt = (
            "Write a Python function squeeze(text) for a text of small letters a to z. Every run (the same letter as often as it stands "
            f"in a row) of {self.least} or more letters is replaced by the letter, the length of the run in digits, and {self.mark}; "
            f"shorter runs stay as they are. For example squeeze({example!r}) gives {squeeze(example, self.least, self.mark)!r}; the "
            "empty text gives itself. It will be tried on other texts, of up to 60 letters; all tries together must be done in 5 "
            "seconds. Standard library only, at most 10000 characters. Answer with the code, with or without a ``` fence around it."
        )

    def _inputs(self) -> list[str]:
        rng = random.Random(self.rng.getrandbits(64))
        texts = ["", "a", "z" * 59]
        for _ in range(40):
            runs = [rng.choice("abcz") * rng.choice([1, 1, 2, 3, 4, 5, 11]) for _ in range(rng.randint(1, 9))]
            texts.append("".join(runs)[:60])
        return texts

    def reference(self) -> tuple[list, object]:
        code = f"""
        from itertools import groupby

        def squeeze(text):
            parts = []
            for letter, run in groupby(text):
                n = len(list(run))
                parts.append(f"{{letter}}{{n}}{self.mark}" if n >= {self.least} else letter * n)
            return "".join(parts)
        """
        return [], code.replace("\n        ", "\n").strip()

    def alternatives(self) -> list[tuple[list, object]]:
        pattern = f"(.)\\1{{{self.least - 1},}}"
        code = (
            f"import re\nsqueeze = lambda text: re.sub({pattern!r}, lambda m: m[1] + str(len(m[0])) + '{self.mark}', text)\nprint('loaded')"
        )
        return [([], f"Here it is:\n```python\n{code}\n```\n")]

    def finish(self, answer: object) -> float | None:
        if not isinstance(answer, str) or len(answer) > 10_000:
            return 0.0
        fenced = re.search(r"```[a-z]*[ \t]*\n(.*?)```", answer, re.DOTALL)
        inputs = self._inputs()
        try:
            results = run(fenced[1] if fenced else answer, inputs)
        except OSError:
            return None
        return 1.0 if results == [squeeze(text, self.least, self.mark) for text in inputs] else 0.0


class Course:
    name = "code: runs"

    def cases(self) -> list[str]:
        return ["squeeze"]

    def start(self, case: str, seed: int) -> Exercise:
        return Exercise(seed)


def sound() -> Course:
    return Course()
