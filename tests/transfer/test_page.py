"""The page and the terminal say verdicts first, carry the controls everywhere, and show hostile text as text."""

from __future__ import annotations

import itertools
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
import scripted

from worldwright.cli.main import run as command
from worldwright.report.transfer import write_transfer_page
from worldwright.report.transfer_plot import Curve, plot
from worldwright.transfer.analysis import analysed
from worldwright.transfer.records import Results
from worldwright.transfer.run import register
from worldwright.transfer.statistics import Estimate

VOID = {"meta", "link", "br", "rect", "line", "polyline", "polygon"}


class Page(HTMLParser):
    """What a page holds: its words, its tags and what each picture says; raises where tags don't close."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.words, self.tags, self.pictures, self.open = "", set[str](), list[str](), list[str]()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.add(tag)
        assert not {"src", "href"} & given.keys() or (given.get("href") or "").startswith("#")
        self.pictures += [given["aria-label"] or ""] if "aria-label" in given else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def page_of(plan_file: Path, out: Path) -> Page:
    made = register(plan_file, None)
    results = Results(made.plan.digest, tuple(scripted.conduct(made.plan, arm, seed) for arm, seed in made.plan.schedule()))
    path = write_transfer_page(
        made, analysed(made.plan, results), plan_file.read_text(encoding="utf-8"), out, "worldwright transfer plan.yaml"
    )
    return Page(path.read_text(encoding="utf-8"))


def test_page_is_whole_and_begins_with_verdicts(plan_file, tmp_path):
    page = page_of(plan_file, tmp_path)
    assert page.open == []
    assert "script" not in page.tags
    assert page.words.index("audited does better than weak") < page.words.index("Success on held-out work against cost")
    assert register(plan_file, None).plan.digest in page.words
    assert "order: {arms: [none, weak, audited]}" in page.words  # the plan itself
    assert "says nothing about language models without calibration" in page.words
    assert "finds a true difference of" in page.words
    assert "labelled by the held-out tasks' own verifiers" in page.words


def test_controls_and_ceiling_are_in_every_plot(plan_file, tmp_path):
    pictures = page_of(plan_file, tmp_path).pictures
    arms, rewards = pictures[:3], pictures[3:]  # all arms and each arm that is no control; then each arm that trains
    assert all(name in picture for picture in arms for name in ("none", "shuffled", "target"))
    assert len(rewards) == 4
    assert all(name in picture for picture in rewards for name in ("as paid", "right", "held out"))


def test_flags_are_on_the_page(plan_file, tmp_path):
    plan_file.write_text(plan_file.read_text().replace("reaches 0.6 of 1.0", "reaches 0.6 of 1.2"), encoding="utf-8")
    words = page_of(plan_file, tmp_path).words
    assert "10 of 10 runs of audited missed the budget by over 2% (at worst they spent 120% of it)" in words
    assert "Undecided: audited against weak" in words


def test_hostile_text_stays_text(plan_file, tmp_path):
    plan_file.write_text(
        plan_file.read_text()
        .replace("name: small", 'name: "<script>alert(1)</script>"')
        .replace("smallest: 0.05}", 'smallest: 0.05, why: "<img src=x>"}', 1),
        encoding="utf-8",
    )
    page = page_of(plan_file, tmp_path)
    assert not {"script", "img"} & page.tags
    assert "<script>alert(1)</script>" in page.words


def test_labels_never_overlap_and_stay_in_the_picture():
    flat = [Estimate(0.5, None, None, None, 1, "seeds")] * 2
    curves = [Curve(f"arm<{n}>", "arm", "#000000", flat) for n in range(9)]
    text = plot(curves, [0.0, 10.0], "calls")
    heights = sorted(float(one) for one in re.findall(r'y="([\d.]+)" fill="#000000" class="name"', text))
    assert len(heights) == 9
    assert all(later - earlier >= 14.9 for earlier, later in itertools.pairwise(heights))
    assert heights[0] > 0
    assert heights[-1] < 330
    assert "arm<" not in text


@pytest.mark.slow
def test_command_prints_verdicts_and_writes_files(plan_file, tmp_path, capsys):
    out = tmp_path / "run"
    with pytest.raises(SystemExit) as caught:
        command(["transfer", str(plan_file), "-o", str(out), "--conduct", "scripted:conduct"])
    said = capsys.readouterr().out
    assert caught.value.code == 0
    assert said.startswith("audited does better than weak")
    assert "The known order comes out" in said
    assert "power: audited against weak" in said
    assert "says nothing about language models" in said.replace("\n", " ")
    results = json.loads((out / "results.json").read_bytes())
    assert len(results["results"]["runs"]) == 50
    assert results["report"]["judged"][0]["verdict"] == "better"
    assert Page((out / "index.html").read_text(encoding="utf-8")).open == []


def test_command_checks_without_running(plan_file, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as caught:
        command(["transfer", str(plan_file), "--check"])
    assert caught.value.code == 0
    assert "5 arms, 10 seeds each; 3 held-out tasks in 3 families" in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plan.yaml"]
    with pytest.raises(SystemExit) as caught:
        command(["transfer", str(plan_file)])
    assert caught.value.code == 2
