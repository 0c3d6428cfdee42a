"""The same digests and verdicts under every Python minor: a script, not collected by pytest (`make minors`).

Finds the CPython minors that are installed here, installs the locked project into a throw-away environment for each, runs
`worldwright conform examples --digest-only --json`, and fails if one fails or two disagree. Needs PyPI or a warm uv cache.
It covers only the minors it finds, and says which.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
MINORS = (11, 12, 13, 14)
CONFORM = ("conform", "examples", "--digest-only", "--json")
ABSENT = "(absent)"
# The minor of a plain CPython 3; anything else (PyPy, a free-threaded build) is a different question.
ASK = """
import sys, sysconfig
plain = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
print(sys.version_info[1] if plain and sys.version_info[0] == 3 else -1)
"""


def candidates() -> Iterator[str]:
    yield sys.executable
    yield from (found for minor in MINORS if (found := shutil.which(f"python3.{minor}")))
    yield from map(str, sorted(Path.home().glob(".pyenv/versions/*/bin/python")))


def ask_minor(python: str) -> int | None:
    """The minor of an interpreter that works and that we support."""
    try:
        answer = subprocess.run([python, "-c", ASK], capture_output=True, text=True, timeout=30, check=True)
        minor = int(answer.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):  # a stale link, a shim without a version, a Python 2
        return None
    return minor if minor in MINORS else None


def find_minors() -> dict[str, str]:
    """Minor (`3.12`) to interpreter, the first found of each."""
    found: dict[int, str] = {}
    for python in candidates():
        if minor := ask_minor(python):
            found.setdefault(minor, python)
    return {f"3.{minor}": found[minor] for minor in sorted(found)}


def conform(uv: str, python: str, venv: Path) -> dict[str, str]:
    """Install the locked project under `python` and return what it says, flattened to `digests/NAME` and `verdicts/NAME`."""
    env = {name: value for name, value in os.environ.items() if name not in {"VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME"}}
    env |= {"UV_PROJECT_ENVIRONMENT": str(venv), "UV_PYTHON_DOWNLOADS": "never"}
    sync = [uv, "sync", "--quiet", "--locked", "--no-dev", "--no-editable", "--python", python]
    subprocess.run(sync, cwd=ROOT, env=env, check=True)
    run = subprocess.run([venv / "bin" / "worldwright", *CONFORM], cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True, check=True)
    said: dict[str, dict[str, Any]] = json.loads(run.stdout)
    return {f"{part}/{name}": json.dumps(value, sort_keys=True) for part in ("digests", "verdicts") for name, value in said[part].items()}


def compare(outputs: dict[str, dict[str, str]]) -> tuple[list[str], bool]:
    """Lines of a table with a row for each output, and whether all minors agree on at least one output of each part."""
    names = sorted({name for output in outputs.values() for name in output})
    rows, alike = [], all(any(name.startswith(part) for name in names) for part in ("digests/", "verdicts/"))
    for name in names:
        values = [output.get(name, ABSENT) for output in outputs.values()]
        same = len(set(values)) == 1
        alike = alike and same
        rows.append(f"{'same   ' if same else 'DIFFERS'}  {name}")
        if not same:
            rows += [f"             {minor:<5} {value}" for minor, value in zip(outputs, values, strict=True)]
    return rows, alike


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare digests and verdicts between Python minors.")
    parser.add_argument("--uv", default=str(ROOT / ".venv-tools" / "bin" / "uv"), help="the uv to install with")
    uv = parser.parse_args().uv
    minors = find_minors()
    if len(minors) < 2:
        print(f"minors: only {', '.join(minors) or 'no supported Python'} found here, so there is nothing to compare")
        return 0
    outputs = {}
    with tempfile.TemporaryDirectory(prefix="worldwright-minors-") as scratch:
        for minor, python in minors.items():
            print(f"minors: Python {minor} ({python})", flush=True)
            try:
                outputs[minor] = conform(uv, python, Path(scratch) / minor)
            except (OSError, ValueError, KeyError, AttributeError, subprocess.CalledProcessError) as error:
                print(f"minors: Python {minor} gave no answer: {error!r}", file=sys.stderr)
                return 1
    rows, alike = compare(outputs)
    print("\n".join(rows))
    print(f"minors: Python {', '.join(outputs)} {'agree' if alike else 'DO NOT agree'} on {len(rows) if alike else 'all'} outputs")
    return 0 if alike else 1


if __name__ == "__main__":
    sys.exit(main())
