"""What tests of several stages share: the complete example pack, compiled once."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from worldwright.pack import Pack, read_pack
from worldwright.task import Task
from worldwright.world.records import RecordsWorld

TOOL_HIRE = Path(__file__).parents[1] / "examples" / "tool-hire" / "worlds" / "tool-hire"

settings.register_profile("fixed", derandomize=True)  # the same examples each time: a gate that fails by luck tells nothing
settings.load_profile("fixed")


@pytest.fixture(scope="session")
def tool_hire_files() -> dict[str, bytes]:
    """The world's own files, by their path in its folder."""
    found = {path.relative_to(TOOL_HIRE): path for path in sorted(TOOL_HIRE.rglob("*")) if path.is_file()}
    return {name.as_posix(): path.read_bytes() for name, path in found.items() if name.parts[0] != "tasks"}


@pytest.fixture(scope="session")
def tool_hire(tool_hire_files) -> RecordsWorld:
    return RecordsWorld("tool-hire", tool_hire_files)


@pytest.fixture(scope="session")
def tool_hire_tasks(tool_hire) -> dict[str, Task]:
    """The world's tasks by name."""
    folders = sorted((TOOL_HIRE / "tasks").iterdir())
    return {folder.name: Task(folder.name, tool_hire, (folder / "brief.yaml").read_text(encoding="utf-8")) for folder in folders}


@pytest.fixture(scope="session")
def tool_hire_plans() -> dict[str, str]:
    """The text of each task's reference plan."""
    return {path.parent.name: path.read_text(encoding="utf-8") for path in sorted(TOOL_HIRE.glob("tasks/*/reference.py"))}


@pytest.fixture(scope="session")
def loan_desk() -> Path:
    """The folder of a small clean pack; copy it before you change it."""
    return Path(__file__).parent / "quality" / "lint" / "base"


@pytest.fixture(scope="session")
def loan_desk_pack(loan_desk) -> Pack:
    """The same, read once: one world, one task."""
    return read_pack(loan_desk)
