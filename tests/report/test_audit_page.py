"""An audit's page is whole, fetches nothing, leads from each wrong cell to its run, and shows hostile text as text."""

from __future__ import annotations

import importlib.util
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from worldwright.audit.dossier import Dossier, examine, write_files
from worldwright.audit.lock import Request
from worldwright.audit.policy import Policy
from worldwright.audit.probes import battery
from worldwright.report.audit import write_audit_page

FAKE = Path(__file__).parents[1] / "audit" / "fake.py"
SMALL = Policy("small", 1, "for tests", 4, 2, first_wave=2, required=["reference"], search=2, digest="0" * 64)
VOID = {"br", "meta"}
FETCHING = {"script", "img", "iframe", "object", "embed", "link", "video", "audio", "source", "form", "base", "input"}


class Page(HTMLParser):
    """A page taken apart."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.tags: set[str] = set()
        self.words = ""
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.add(tag)
        self.links += [given["href"]] if given.get("href") else []
        self.ids |= {given["id"]} if given.get("id") else set()
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.fixture(scope="module")
def dossiers() -> dict[str, Dossier]:
    spec = importlib.util.spec_from_file_location("page_fake", FAKE)
    assert spec is not None
    assert spec.loader is not None
    fake = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fake)
    return {name: examine(fake.InProcess(name), SMALL, seed=0, request=Request()) for name in ("lax", "three", "mute", "vague")}


def page_of(dossier: Dossier, folder: Path) -> tuple[Page, str]:
    write_files(dossier, folder)
    (folder / "ledger.jsonl").touch()
    text = write_audit_page(dossier, folder, "worldwright audit 'python:desks:x'").read_text(encoding="utf-8")
    return Page(text), text


@pytest.mark.parametrize("name", ["lax", "three", "mute", "vague"])
def test_a_page_is_whole_and_fetches_nothing(dossiers, tmp_path, name):
    page, text = page_of(dossiers[name], tmp_path)
    assert page.open == []
    assert not page.tags & FETCHING
    assert not re.search(r"https?://|url\(|@import", text)
    for link in page.links:
        assert link.removeprefix("#") in page.ids if link.startswith("#") else (tmp_path / link).is_file(), link
    assert dossiers[name].certificate.verdict in page.words
    for probe in battery():
        assert probe in page.words


def test_a_wrong_cell_leads_to_its_run(dossiers, tmp_path):
    page, text = page_of(dossiers["lax"], tmp_path)
    cell = re.search(r'<td class="c bad[^>]*><a href="#(F\d+)">([^<]*)</a>', text)
    assert cell is not None
    assert cell.group(2) == "a 2/2 wrong"
    section = text[text.index(f'id="{cell.group(1)}"') :]
    for part in ("hand_out(", "What changed in the state", "Edit:", "repro/01-hand-out-collateral.py", "expected <b>fail</b>"):
        assert part in section
    assert "stopped early, to reject" in page.words


def test_the_datasheet_says_how_to_compute_it_again(dossiers, tmp_path):
    page, _ = page_of(dossiers["three"], tmp_path)
    certificate = dossiers["three"].certificate
    for part in (
        certificate.lock.subject.digest,
        "small v1",
        "--lock audit.lock.json",
        "not stated by the subject",
        *certificate.not_checked,
        *certificate.says,
    ):
        assert part in page.words
    assert "3 of distinct structure" not in page.words
    assert "1 of distinct structure" in page.words


def test_hostile_text_is_text(dossiers, tmp_path):
    dossier = dossiers["lax"]
    evil = "</pre><script>alert(1)</script><b onclick='x'>"
    ones = tuple(
        msgspec.structs.replace(
            one, variant=evil, why=evil, prompt=evil, answer=evil, changes=(evil,), checks=(evil,), evidence={evil: {evil: evil}}
        )
        for one in dossier.findings.findings
    )
    page, text = page_of(msgspec.structs.replace(dossier, findings=msgspec.structs.replace(dossier.findings, findings=ones)), tmp_path)
    assert "script" not in page.tags
    assert page.open == []
    assert "<script>" not in text
