"""The documents say what is there: every verb, the stage figure, and links that lead somewhere."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import typer

from worldwright.stages import CLOSES, OPENS, STAGES, existing, figure, redraw

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
DOCUMENTS = [README, *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\[[^\]\n]*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"\n]*\")?\s*\)")
CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]+`", re.MULTILINE | re.DOTALL)


def verbs(command: Any, prefix: str = "worldwright") -> Iterator[str]:
    """Every visible command below `command`, as it is typed."""
    for name, child in getattr(command, "commands", {}).items():
        if child.hidden:
            continue
        typed = f"{prefix} {name}"
        yield from verbs(child, typed) if getattr(child, "commands", None) else [typed]


def find_undocumented(app: typer.Typer, text: str) -> list[str]:
    return [verb for verb in verbs(typer.main.get_command(app)) if not re.search(rf"{re.escape(verb)}(?![\w-])", text)]


def find_broken_links(document: Path) -> list[str]:
    """Relative links that lead to no file; links in code, to other sites and within the page are left alone."""
    targets = LINK.findall(CODE.sub("", document.read_text(encoding="utf-8")))
    relative = [target for target in targets if not re.match(r"[a-z][a-z0-9+.-]*:|#", target)]
    return [target for target in relative if not (document.parent / unquote(target.partition("#")[0])).exists()]


def test_every_verb_is_documented():
    from worldwright.cli.main import app

    assert list(verbs(typer.main.get_command(app)))
    assert find_undocumented(app, (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")) == []


def test_undocumented_verb_is_caught():
    app, group = typer.Typer(), typer.Typer()
    for command in ("lint", "get-model", "get"):
        app.command(command)(lambda: None)
    app.command("secret", hidden=True)(lambda: None)
    group.command("serve")(lambda: None)
    app.add_typer(group, name="model")
    assert find_undocumented(app, "`worldwright get-model X`, `worldwright linting`") == [
        "worldwright lint",
        "worldwright get",
        "worldwright model serve",
    ]


def test_readme_shows_the_stages():
    text = README.read_text(encoding="utf-8")
    assert text == redraw(text), "the stage figure in README.md is out of date: run `make figure`"


def test_figure_shows_what_exists(tmp_path):
    (tmp_path / "errors.py").touch()
    for name in ("reference", "verifier"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    (tmp_path / "pack").mkdir()  # an empty folder is no stage yet
    assert [stage.name for stage in existing(tmp_path)] == ["errors", "reference", "verifier"]
    drawn = figure(tmp_path)
    assert "reference <-/-> verifier" in drawn
    assert "rollout" not in drawn
    assert drawn.index("errors") < drawn.index("reference")


def test_figure_of_every_stage_is_plain_and_narrow(tmp_path):
    for stage in STAGES:
        (tmp_path / f"{stage.name}.py").touch()
    drawn = figure(tmp_path)
    assert drawn.isascii()
    assert max(map(len, drawn.splitlines())) <= 100
    assert len(existing(tmp_path)) == len(STAGES)


def test_redraw_replaces_the_figure_and_nothing_else(tmp_path):
    once = redraw(f"before\n{OPENS}\nstale\n{CLOSES}\nafter\n", tmp_path)
    assert once.startswith("before\n")
    assert once.endswith(f"{CLOSES}\nafter\n")
    assert "stale" not in once
    assert redraw(once, tmp_path) == once


@pytest.mark.parametrize("text", ["", OPENS, CLOSES, f"{CLOSES}{OPENS}", f"{OPENS}{CLOSES}{OPENS}{CLOSES}"])
def test_redraw_needs_both_markers_once(tmp_path, text):
    with pytest.raises(ValueError, match="stage figure"):
        redraw(text, tmp_path)


def test_stages_as_a_command_redraws_a_file(tmp_path):
    page = tmp_path / "README.md"
    page.write_text(f"{OPENS}{CLOSES}", encoding="utf-8")
    command = [sys.executable, "-m", "worldwright.stages"]
    assert subprocess.run(command, capture_output=True).returncode == 1
    subprocess.run([*command, page], check=True)
    assert figure() in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_to_files(document):
    assert find_broken_links(document) == []


def test_broken_link_is_caught(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        '[a](gone.md) [b](page.md#part) [c](https://example.org/x) [d](#part) `[e](code.md)` [f](<lost.md> "title")\n'
        "```\n[g](block.md)\n```\n[h](away/x.md#y)\n",
        encoding="utf-8",
    )
    assert find_broken_links(page) == ["gone.md", "lost.md", "away/x.md#y"]
