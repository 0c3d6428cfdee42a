"""The pages are whole, link only to each other, fetch nothing, and show hostile text as text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest

from worldwright.errors import PackError, UsageError
from worldwright.pack import Pack, read_pack
from worldwright.report import write_report
from worldwright.rollout import Job, Trajectory, collect
from worldwright.rollout.table import UNIT
from worldwright.solver import SOLVERS, Answer, Call
from worldwright.solver.plan import PlanSolver
from worldwright.verifier import Status, Verdict

WORLD = "worlds/loan-desk/"
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
FETCHING = {
    "script",
    "img",
    "iframe",
    "object",
    "embed",
    "link",
    "video",
    "audio",
    "source",
    "form",
    "base",
    "frame",
    "input",
    "use",
    "image",
    "foreignobject",
}


class Page(HTMLParser):
    """A page taken apart; `problems` are tags that don't match."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.problems: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        self.problems += [f"{tag} is never closed" for tag in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "xlink:href", "action", "data", "srcset")]
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1] != tag:
            self.problems.append(f"</{tag}> at {self.getpos()} while {self._open[-3:]} are open")
        else:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def text(self) -> str:
        return " ".join("".join(self.words).split())


def test_the_checker_finds_what_it_looks_for():
    assert Page("<p>a<br><b>c</b></p><svg><rect/></svg>").problems == []
    assert Page("<p><b>a</p></b>").problems
    assert Page("<p>a").problems == ["p is never closed"]
    assert Page("</p>").problems
    assert Page('<a href="https://example.org">x</a>').links == ["https://example.org"]


def pages(out: Path) -> dict[str, Page]:
    return {path.name: Page(path.read_text(encoding="utf-8")) for path in sorted(out.iterdir())}


def report(packs: Iterable[Pack], done: list[Trajectory], out: Path, seed: int = 0) -> dict[str, Page]:
    first = write_report(list(packs), done, out, seed)
    assert first == out / "index.html"
    return pages(out)


def check(made: dict[str, Page]) -> None:
    for name, page in made.items():
        assert page.problems == [], name
        assert not page.tags & FETCHING, name
        assert not [one for one, _ in page.attributes if one.startswith("on")], name
        for link in page.links:
            assert link in made, (name, link)
        assert "Nothing on this page is fetched" in page.text()


def test_pages_of_a_pack_with_attempts(loan_desk_pack, attempts_here, tmp_path):
    made = report([loan_desk_pack], attempts_here, tmp_path / "deep" / "out")
    assert set(made) == {"index.html", "world.loan-desk.html", "world.loan-desk.settle-fine.html"}
    check(made)
    assert set(made["index.html"].links) == {"world.loan-desk.html", "world.loan-desk.settle-fine.html"}
    assert set(made["world.loan-desk.html"].links) == {"index.html", "world.loan-desk.settle-fine.html"}
    assert set(made["world.loan-desk.settle-fine.html"].links) == {"index.html", "world.loan-desk.html"}


def test_every_rate_has_its_n_and_interval_and_the_unit_is_stated(loan_desk_pack, attempts_here, tmp_path):
    report([loan_desk_pack], attempts_here, tmp_path)
    for name in ("index.html", "world.loan-desk.settle-fine.html"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        rates = re.findall(r'<div class="rate"[^>]*title="([^"]*)">\s*([^<]*)<span class="note">([^<]*)</span>', text)
        assert len(rates) == text.count('class="rate"') >= 3
        for title, count, interval in rates:
            assert re.fullmatch(r"\d+ of \d+, 95 % interval \d+ % to \d+ %", title)
            assert re.fullmatch(r"\d+/\d+ ?", count)
            assert re.fullmatch(r"\d\.\d\d-\d\.\d\d", interval)
        assert UNIT in Page(text).text()
    assert ("4 of 4, 95 % interval 40 % to 100 %", "4/4 ", "0.40-1.00") in rates


def test_what_a_task_page_tells(loan_desk_pack, attempts_here, tmp_path):
    made = report([loan_desk_pack], attempts_here, tmp_path)
    entry = loan_desk_pack.tasks()[0]
    text = made["world.loan-desk.settle-fine.html"].text()
    instance = entry.task.instance(0)
    for wanted in (
        entry.task.prompt(instance).instruction,
        "must be found" if set(instance.params) - set(instance.shown) else "told",
        "the waiver that the handbook grants",
        "An attempt by reference: pass",
        "An attempt by shotgun: fail",
        "waives everything that is asked",
        "a plan that may only call tools",
        "blind to every plan",
    ):
        assert " ".join(wanted.split()) in text
    world = made["world.loan-desk.html"].text()
    for wanted in ("Loan desk of a town library", "ask_scanner", "scans.scanned_on", "Fines", "earns a waiver of its fine"):
        assert wanted in world
    assert "{{" not in world
    days = loan_desk_pack.worlds["loan-desk"].world.image(0).policy["grace_days"]
    assert f"at most {days} days" in world


def test_no_trajectories(loan_desk_pack, tmp_path):
    made = report([loan_desk_pack], [], tmp_path)
    check(made)
    assert "No attempts yet: worldwright rollout PACK/loan-desk/settle-fine" in made["world.loan-desk.settle-fine.html"].text()
    assert "0 attempts" in made["index.html"].text()


@pytest.mark.parametrize("seed", [0, 5])
def test_an_unusable_seed(loan_desk_pack, attempts_here, tmp_path, seed):
    brief = f"{WORLD}tasks/settle-fine/brief.yaml"
    pack = Pack(loan_desk_pack.files | {brief: loan_desk_pack.files[brief].replace(b"WHERE f.status = 'due'", b"WHERE f.status = 'gone'")})
    for done in ([], attempts_here):
        made = report([pack], done, tmp_path / str(len(done)), seed)
        check(made)
        assert f"This task can't be set on seed {seed}" in made["world.loan-desk.settle-fine.html"].text()


def test_attempts_without_a_verdict_are_counted_apart(loan_desk_pack, attempts_here, tmp_path):
    masked = [msgspec.structs.replace(one, verdict=Verdict(Status.ERROR, reason="no"), reward=None) for one in attempts_here]
    made = report([loan_desk_pack], masked, tmp_path)
    check(made)
    assert f"{len(masked)} of {len(masked)} attempts had no verdict" in made["index.html"].text()
    assert "95 % interval 0 % to 100 %" in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_the_same_pages_each_time(loan_desk_pack, attempts_here, tmp_path):
    for name in ("one", "two"):
        report([Pack(loan_desk_pack.files)], attempts_here, tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_pages_of_several_packs(loan_desk_pack, tmp_path):
    hire = read_pack(Path(__file__).parents[2] / "examples" / "tool-hire")
    made = report([loan_desk_pack, hire], [], tmp_path)
    check(made)
    assert len(made) == 1 + 2 + 1 + 3
    with pytest.raises(UsageError, match="two packs have a world 'loan-desk'"):
        write_report([loan_desk_pack, Pack(loan_desk_pack.files)], [], tmp_path / "twice", 0)
    assert not (tmp_path / "twice").exists()


def test_worlds_and_tasks_of_any_plain_name_get_pages_of_their_own(loan_desk_pack, tmp_path):
    files = {path: data for path, data in loan_desk_pack.files.items() if not path.startswith("worlds/")}
    for path, data in loan_desk_pack.files.items():
        if path.startswith(WORLD):
            for world in ("index", "a", "a--b"):
                files[path.replace("loan-desk", world).replace("settle-fine", "b")] = data
    check(report([Pack(files)], [], tmp_path))
    assert len(list(tmp_path.iterdir())) == 7


def test_a_broken_pack_is_no_page(loan_desk_pack, tmp_path):
    with pytest.raises(PackError):
        write_report([Pack(loan_desk_pack.files | {f"{WORLD}world.yaml": b"["})], [], tmp_path, 0)


# ---- hostile text

EVIL = "<script>alert('x')</script><img src=x onerror=alert(1)>\"'><a href=https://evil.example>&amp;"
PARTY = """
member:
  about: "{evil}"
  opens: "{evil}"
  rules:
  - {{name: a, on: ask, say: "{evil}"}}
"""


class Hostile:
    """An agent that says nasty things wherever it can."""

    name = "reference"  # so that its episode is shown

    def start(self, prompt: Any, seed: int, shown: Any) -> Hostile:
        self.acts = [
            Call("find_members", {"text": EVIL}),
            Call(EVIL, {EVIL: EVIL}),
            Call("say", {"to": "member", "act": "ask", "text": EVIL}),
        ]
        self.acts.append(Call("send_notice", {"member_id": 1, "body": EVIL}))
        return self

    def act(self, observation: Any) -> Any:
        return self.acts.pop(0) if self.acts else Answer({"decision": EVIL, "amount_cents": [EVIL], EVIL: {EVIL: EVIL}}, text=EVIL)

    def close(self) -> None:
        pass


def hostile_pack(pack: Pack) -> Pack:
    """The pack with the same nasty text in everything that an author can say."""
    escaped = EVIL.replace("\\", "\\\\").replace('"', '\\"')
    changes = {
        "pack.toml": [("A small clean pack;", escaped)],
        f"{WORLD}world.yaml": [
            ("title: Loan desk of a town library", f'title: "{escaped}"'),
            ("doc: Members whose name contains the text.", f'doc: "{escaped}"'),
        ],
        f"{WORLD}scenario.py": [('NAMES = ["Okafor"', f"NAMES = [{EVIL!r}")],
        f"{WORLD}handbook/fines.md": [("# Fines", f"# Fines {EVIL}"), ("4. A fine", f"4. {EVIL} A fine")],
        f"{WORLD}tasks/settle-fine/brief.yaml": [
            ("title: Decide whether a fine is waived", f'title: "{escaped}"'),
            ("luck: 0.6", "luck: 0.6\nparties: [member]"),
            ("Decide by the handbook", f"{EVIL} Decide by the handbook"),
            ("doc: What you decided.", f'doc: "{escaped}"'),
        ],
        f"{WORLD}tasks/settle-fine/verifier.yaml": [("name: the fine is marked", f'name: "{escaped}"')],
        f"{WORLD}tasks/settle-fine/cases.yaml": [("name: waives everything that is asked", f'name: "{escaped}"')],
        f"{WORLD}tasks/settle-fine/reference.py": [("The scanner's day", EVIL.replace('"', ""))],
    }
    files = dict(pack.files)
    for path, edits in changes.items():
        text = files[path].decode()
        for find, replace in edits:
            assert text.count(find) == 1, (path, find)
            text = text.replace(find, replace)
        files[path] = text.encode()
    files[f"{WORLD}parties.yaml"] = PARTY.format(evil=escaped).encode()
    return Pack(files)


def test_hostile_text_is_shown_as_text(loan_desk_pack, tmp_path):
    pack = hostile_pack(loan_desk_pack)
    entry = pack.tasks()[0]
    done = list(collect([Job(entry, Hostile(), 0), Job(entry, SOLVERS["shotgun"](), 0)], pack.digest))
    assert done[0].trace.counts.calls == 4
    made = report([pack], done, tmp_path)
    check(made)
    for name, least in (("index.html", 2), ("world.loan-desk.html", 4), ("world.loan-desk.settle-fine.html", 10)):
        assert "".join(made[name].words).count("<script>alert('x')</script>") >= least, name


@pytest.fixture(scope="module")
def attempts_here(loan_desk_pack) -> list[Trajectory]:
    """Three solvers on four seeds."""
    entry = loan_desk_pack.tasks()[0]
    solvers = [PlanSolver(entry.reference, name="reference"), SOLVERS["noop"](), SOLVERS["shotgun"]()]
    return list(collect([Job(entry, solver, seed) for solver in solvers for seed in range(4)], loan_desk_pack.digest))
