"""The README's tour is real: each command is run and prints what stands there.

`python tests/test_tour.py` writes the outputs into README.md anew.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def run(command: str, cwd: Path) -> str:
    """The stdout of a `worldwright ...` line, run with this Python."""
    words = shlex.split(command)
    assert words[0] == "worldwright"
    code = "from worldwright.cli.main import run; run()"
    env = {**os.environ, "COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb"}
    done = subprocess.run([sys.executable, "-c", code, *words[1:]], cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return "\n".join(line.rstrip() for line in done.stdout.splitlines()) + "\n"


def steps(text: str) -> list[tuple[str, str]]:
    """The commands of all console blocks with the outputs that stand below them."""
    out = []
    for block in _BLOCK.findall(text):
        for part in re.split(r"(?m)^\$ ", block)[1:]:
            command, _, output = part.partition("\n")
            out.append((command, output))
    return out


def redrawn(text: str, cwd: Path) -> str:
    """The text with every output as it is now."""

    def block(match: re.Match[str]) -> str:
        commands = re.findall(r"(?m)^\$ (.*)$", match.group(1))
        return "```console\n" + "".join(f"$ {command}\n{run(command, cwd)}" for command in commands) + "```"

    return _BLOCK.sub(block, text)


def test_the_tour_prints_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    found = steps(README.read_text())
    assert len(found) >= 3
    for command, output in found:
        assert run(command, tmp_path) == output, command


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "examples").symlink_to(ROOT / "examples")
        README.write_text(redrawn(README.read_text(), Path(folder)))
