"""Loads every export with the framework that it is for: `python tests/export/frameworks.py [trl verifiers inspect]`.

Makes an environment for each framework under build/frameworks (pinned, from PyPI, once), attempts a few tasks, exports the
trajectories with the command, and lets a reader in each environment hold what the framework read against what was stored. Prints a
line for each; exit code 1 if one finds a difference. TRL needs torch; a wheel for CPUs is enough.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from material import trajectories

from worldwright.rollout import write_trajectories

HERE = Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build" / "frameworks"
PINS: Mapping[str, tuple[str, ...]] = {
    "inspect": ("inspect-ai==0.3.285",),
    "verifiers": ("verifiers==0.4.0",),
    "trl": ("torch==2.13.0", "trl==1.16.0"),
}
_LIMIT = 600


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("frameworks", nargs="*", metavar="FRAMEWORK", help=f"of {', '.join(PINS)} (default: all)")
    parser.add_argument("--build", type=Path, default=BUILD, help="where environments and exports are kept")
    args = parser.parse_args(argv)
    unknown = set(args.frameworks) - set(PINS)
    if unknown:
        parser.error(f"there is no framework {', '.join(sorted(unknown))} (there are: {', '.join(PINS)})")
    args.build.mkdir(parents=True, exist_ok=True)
    run = args.build / "run.jsonl"
    n = sum(1 for _ in write_trajectories(run, trajectories()))
    print(f"{n} trajectories: {run}", flush=True)
    return max(_loaded(name, args.build, run) for name in args.frameworks or PINS)


def _loaded(name: str, build: Path, run: Path) -> int:
    python, out = _environment(build / name, PINS[name]), build / f"run-{name}"
    command = [sys.executable, "-c", "from worldwright.cli.main import run; run()", "export", str(run)]
    subprocess.run([*command, "--to", name, "-o", str(out), "--force"], check=True, capture_output=True, timeout=_LIMIT)
    environ = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")}
    reader = [str(python), str(HERE / "readers" / f"{name}_side.py"), str(out), str(run)]
    done = subprocess.run(reader, capture_output=True, text=True, env=environ, timeout=_LIMIT)
    print(f"{name}: {done.stdout.strip().splitlines()[-1] if not done.returncode else 'FAILED'}", flush=True)
    if done.returncode:
        print(done.stderr[-3000:], file=sys.stderr)
    return int(bool(done.returncode))


def _environment(folder: Path, pins: tuple[str, ...]) -> Path:
    """The interpreter of an environment with these packages; made anew if the pins have changed."""
    python, stamp = folder / "bin" / "python", folder / "made-with"
    made = "\n".join(pins)
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == made:
        return python
    print(f"setting up {folder}", file=sys.stderr, flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", *pins]
    subprocess.run(pip, check=True)
    stamp.write_text(made, encoding="utf-8")
    return python


if __name__ == "__main__":
    sys.exit(main())
