"""What each command says, and how it ends: results on stdout, JSON alone where asked for, exit codes 0, 1 and 2."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from worldwright.cli.explain_ import CHECKS, STOPS, VERDICTS
from worldwright.cli.main import VERBS, run
from worldwright.cli.output import say
from worldwright.files import decode_yaml
from worldwright.pack import read_pack
from worldwright.pack.lint import RULES
from worldwright.pack.write import write_zip
from worldwright.rollout import read_trajectories
from worldwright.verifier import Status
from worldwright.verifier.spec import VerifierSpec
from worldwright.world.protocol import StopReason

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def attempted(loan_desk, tmp_path_factory) -> Path:
    """The trajectories of all solvers on two seeds of the small pack."""
    path = tmp_path_factory.mktemp("run") / "run.jsonl"
    with pytest.raises(SystemExit) as caught:
        run(["rollout", str(loan_desk), "--solver", "all", "--seeds", "2", "--out", str(path)])
    assert caught.value.code == 0
    return path


# ---- help and usage


def test_help_lists_every_verb(command):
    code, out, _ = command("--help")
    assert code == 0
    for verb, line in VERBS.items():
        assert f"  {verb}" in out
        assert line in out, "shorten the line: it is cut off at 80 columns"
    code, out, err = command()
    assert "Usage:" in out + err


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_a_verb(command, verb):
    code, out, err = command(verb, "--help")
    assert (code, err) == (0, "")
    assert f"{verb} [OPTIONS]" in out
    assert "  --help" in out
    assert out.split("\n\n")[1].strip()


@pytest.mark.parametrize(
    "argv, said",
    [
        (["lnit"], "No such command 'lnit'. Did you mean 'lint'?"),
        (["lint"], "Missing argument"),
        (["lint", "x", "--seeds", "0"], "Invalid value for '--seeds'"),
        (["lint", "x", "--nothing"], "No such option"),
        (["show", "nowhere"], "nowhere: no pack there (expected a folder with a pack.toml, or a zip of one)"),
        (["lint", "nowhere"], "nowhere: not found"),
        (["zip", "nowhere"], "nowhere: not found"),
        (["rollout", "nowhere"], "no pack there"),
        (["play", "nowhere"], "no pack there"),
        (["forge", "nowhere"], "nowhere: neither a file nor a shipped trade (expected a SQLite file"),
        (["forge", "freight", "--patterns", "magic"], "there is no pattern 'magic' (there are: remedy"),
        (["graph", "grow"], "graph grow: no such part (expected show or coverage)"),
        (["graph", "coverage"], "graph coverage: of which pack?"),
        (["explain", "nothing-like-it"], "nothing is called 'nothing-like-it'. Known: "),
        (["explain", "gone.jsonl"], "gone.jsonl: No such file or directory"),
        (["show", "{desk}/gone"], "loan-desk has no world 'gone'"),
        (["show", "{desk}/loan-desk@1"], "a seed needs a task"),
        (["show", "{desk}/loan-desk/settle-fine@x"], "'x' is not a seed"),
        (["show", "{desk}", "--tools", "mcp"], "tools are a world's"),
        (["show", "{desk}/loan-desk", "--tools", "soap"], "got --tools soap; expected one of schema, openai, mcp"),
        (
            ["rollout", "{desk}", "--solver", "genius"],
            "there is no solver 'genius' (there are: reference, alternatives, noop, random, shotgun, chat, code, harness, all)",
        ),
        (["rollout", "{desk}", "--out", "{tmp}"], "a folder (expected a file's name)"),
        (["rollout", "{desk}", "--out", "{desk}/pack.toml"], "there already (say --force to replace it, or give another name)"),
        (["zip", "{desk}", "--out", "{desk}/pack.toml"], "there already"),
        (["rollout", "{desk}", "--seeds", "99999999999999999999"], "--seeds"),
        (["play", "{desk}"], "name a task (there are: loan-desk/settle-fine)"),
        (["bench", "{desk}"], "name a task with a reference"),
        (["lint", "--write", "{zip}"], "--write needs a folder, not a zip"),
        (["lint", "{tmp}/broken.zip"], "not a readable zip"),
        (["show", "{tmp}"], "no pack there"),
    ],
)
def test_wrong_usage_ends_with_2_and_says_what_to_do(command, loan_desk, loan_desk_pack, tmp_path, argv, said):
    write_zip(loan_desk_pack.files, tmp_path / "desk.zip")
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 and no more")
    code, out, err = command(*(one.format(desk=loan_desk, tmp=tmp_path, zip=tmp_path / "desk.zip") for one in argv))
    assert (code, out) == (2, "")
    assert said in err
    assert err.startswith("worldwright: ") or "lint " in err


# ---- lint


def test_lint_of_a_clean_pack(command, loan_desk, loan_desk_pack):
    code, out, err = command("lint", "--fast", "--seeds", 2, loan_desk)
    assert code == 0
    assert (
        out
        == f"loan-desk: 0 errors, 0 warnings ({loan_desk_pack.digest[:12]})\n    left out by --fast: two-run test, dead tools, references, cases, luck\n"
    )
    assert "lint loan-desk/settle-fine" in err
    code, out, _ = command("lint", "--fast", "--seeds", 2, "--json", loan_desk)
    (report,) = json.loads(out)
    assert code == 0
    assert (report["clean"], report["findings"], report["digest"]) == (True, [], loan_desk_pack.digest)


def test_lint_of_several_packs_is_as_bad_as_the_worst(command, loan_desk, tmp_path):
    shutil.copytree(loan_desk, tmp_path / "bad")
    (tmp_path / "bad" / "pack.toml").write_text("name = 1\n", encoding="utf-8")
    code, out, _ = command("lint", "--fast", "--seeds", 1, "--json", loan_desk, tmp_path / "bad")
    assert code == 1
    good, bad = json.loads(out)
    assert good["clean"]
    assert [(one["rule"], one["line"], one["field"]) for one in bad["findings"]] == [("format", 1, "name")]
    code, out, _ = command("lint", "--fast", "--seeds", 1, tmp_path / "bad")
    assert code == 1
    assert f"{tmp_path}/bad/pack.toml:1: error [format] name: " in out
    assert "    edit: " in out


def test_lint_runs_plans_and_counts_them(command, loan_desk):
    code, out, _ = command("lint", "--seeds", 2, "--json", loan_desk)
    assert code == 0
    (report,) = json.loads(out)
    assert report["runs"]["loan-desk/settle-fine reference.py"] == {"passed": 2, "n": 2}


def test_lint_writes_hashes_once(command, loan_desk, tmp_path):
    root = tmp_path / "desk"
    shutil.copytree(loan_desk, root)
    file = root / "worlds" / "loan-desk" / "tasks" / "settle-fine" / "verifier.yaml"
    code, _, err = command("lint", "--write", "--fast", "--seeds", 1, root)
    assert code == 0
    assert f"wrote {file}" in err
    spec = decode_yaml(file.read_text(encoding="utf-8"), VerifierSpec, str(file))
    assert all(len(getattr(source, "sha256", "")) == 64 for source in spec.written_by.sees)
    code, _, err = command("lint", "--write", "--fast", "--seeds", 1, root)
    assert (code, "wrote" in err) == (0, False)


# ---- what isn't even a pack's frame


def with_a_link(root: Path) -> Path:
    (root / "worlds" / "more.md").symlink_to(root / "pack.toml")
    return root / "worlds" / "more.md"


def with_a_large_file(root: Path) -> Path:
    with (root / "worlds" / "large.bin").open("wb") as file:
        file.truncate(300 * 2**20)
    return root


def without_worlds(root: Path) -> Path:
    shutil.rmtree(root / "worlds")
    return root / "worlds"


def with_an_odd_name(root: Path) -> Path:
    (root / "worlds" / "loan-desk").rename(root / "worlds" / "Loan Desk")
    return root / "worlds" / "Loan Desk"


@pytest.mark.parametrize("break_it", [with_a_link, with_a_large_file, without_worlds, with_an_odd_name])
def test_a_folder_with_what_no_pack_has(command, loan_desk, tmp_path, break_it):
    root = tmp_path / "desk"
    shutil.copytree(loan_desk, root)
    place = break_it(root)
    for argv in (("show", root), ("zip", root, "-o", tmp_path / "a.zip"), ("rollout", root, "--out", tmp_path / "r.jsonl")):
        code, out, err = command(*argv)
        assert (code, out) == (1, "")
        assert err.startswith(f"worldwright: {place}: ")
        assert "(expected " in err
    code, out, _ = command("lint", "--json", root)
    assert code == 1
    assert [(one["rule"], one["file"]) for one in json.loads(out)[0]["findings"]] == [("format", str(place))]


@pytest.mark.parametrize("name", ["../outside", "/etc/outside", "pack.toml"])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_zip_with_what_no_pack_has(command, loan_desk_pack, tmp_path, name):
    path = tmp_path / "desk.zip"
    write_zip(loan_desk_pack.files, path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, "x")
    code, out, err = command("show", path)
    assert (code, out) == (1, "")
    assert err.startswith(f"worldwright: {path}/{name}: ")
    assert command("lint", path)[0] == 1
    assert not (tmp_path / "outside").exists()


# ---- show


@pytest.mark.parametrize("rest", ["", "/loan-desk", "/loan-desk/settle-fine", "/loan-desk/settle-fine@1"])
@pytest.mark.parametrize("more", [(), ("--answers",)])
def test_show(command, loan_desk, rest, more):
    code, out, err = command("show", f"{loan_desk}{rest}", *more)
    assert (code, err) == (0, "")
    assert "loan-desk" in out
    code, as_json, err = command("show", f"{loan_desk}{rest}", *more, "--json")
    assert (code, err) == (0, "")
    value = json.loads(as_json)
    assert set(value) & {"pack", "world", "task"}


def test_show_keeps_the_answers_back_unless_they_are_asked_for(command, loan_desk):
    target = f"{loan_desk}/loan-desk/settle-fine@0"
    hidden = json.loads(command("show", target, "--json")[1])
    told = json.loads(command("show", target, "--answers", "--json")[1])
    assert not {"expected", "parameters", "stratum"} & set(hidden)
    assert told["health"] == "healthy"
    assert [list(row.values()) for row in told["expected"]["answer.decision"]] == [[told["stratum"]]]


@pytest.mark.parametrize("shape, key", [("schema", "properties"), ("openai", "function"), ("mcp", "inputSchema")])
def test_show_tools(command, loan_desk, shape, key):
    for rest in ("/loan-desk", "/loan-desk/settle-fine"):
        code, out, err = command("show", f"{loan_desk}{rest}", "--tools", shape)
        assert (code, err) == (0, "")
        tools = json.loads(out)
        assert len(tools) >= 9
        assert all(key in tool for tool in tools)


def test_an_unusable_seed_is_wrong_usage(command, loan_desk, tmp_path):
    root = tmp_path / "desk"
    shutil.copytree(loan_desk, root)
    brief = root / "worlds" / "loan-desk" / "tasks" / "settle-fine" / "brief.yaml"
    brief.write_text(brief.read_text(encoding="utf-8").replace("WHERE f.status = 'due'", "WHERE f.status = 'gone'"), encoding="utf-8")
    code, out, err = command("show", f"{root}/settle-fine@4")
    assert (code, out) == (2, "")
    assert "loan-desk/settle-fine@4: bind gives no row" in err
    code, out, err = command("rollout", root, "--seeds", 2, "--out", tmp_path / "run.jsonl")
    assert (code, out) == (2, "")
    assert "nothing was attempted" in err


# ---- rollout and explain


def test_rollout(command, loan_desk, tmp_path):
    path = tmp_path / "run.jsonl"
    code, out, err = command("rollout", f"{loan_desk}/settle-fine", "--seeds", 2, "-k", 2, "--out", path)
    assert code == 0
    assert "loan-desk/settle-fine" in out
    assert "4/4" in out
    assert f"4 trajectories: {path}" in out
    assert f"worldwright explain {path}:1" in err
    code, out, err = command("rollout", f"{loan_desk}/settle-fine@5", "-s", "noop", "-s", "reference", "--out", path, "--force", "--json")
    told = json.loads(out)
    assert code == 0
    assert [(line["solver"], line["passed"], line["n"]) for line in told["lines"]] == [("noop", 0, 1), ("reference", 1, 1)]
    assert [one.trace.instance for one in read_trajectories(path)] == ["loan-desk/settle-fine@5"] * 2


def test_explain_an_episode(command, attempted):
    stored = read_trajectories(attempted)
    for line, one in enumerate(stored, start=1):
        code, out, err = command("explain", f"{attempted}:{line}")
        assert (code, err) == (0, "")
        assert out.startswith(f"{one.trace.instance} by {one.trace.solver}: stopped because {one.trace.stop}")
        assert f"verdict: {one.verdict.status} (reward {one.reward})" in out
        assert all(f"{'ok  ' if check.ok else 'FAIL'} {check.kind}: {check.name}" in out for check in one.verdict.checks)
    code, out, _ = command("explain", attempted, "--calls")
    assert code == 0
    assert out.count("assistant calls") == stored[0].trace.counts.calls
    code, out, _ = command("explain", f"{attempted}:2", "--json")
    assert json.loads(out)["id"] == stored[1].id


@pytest.mark.parametrize("line", [0, 99])
def test_explain_a_line_that_isnt_there(command, attempted, line):
    code, out, err = command("explain", f"{attempted}:{line}")
    assert (code, out) == (2, "")
    assert f"has the lines 1 to {len(read_trajectories(attempted))}, not {line}" in err


def test_explain_an_empty_run(command, tmp_path):
    (tmp_path / "run.jsonl").write_bytes(b"")
    code, _, err = command("explain", tmp_path / "run.jsonl")
    assert code == 2
    assert "holds no trajectory" in err


@pytest.mark.parametrize("name", [*RULES, *CHECKS, *VERDICTS, *(str(stop) for stop in StopReason)])
def test_explain_a_name(command, name):
    code, out, err = command("explain", name)
    assert (code, err) == (0, "")
    first, *rest = out.splitlines()
    assert first.startswith(f"{name} (")
    assert rest[0].rstrip().endswith(".")
    entry = json.loads(command("explain", name, "--json")[1])
    assert entry["name"] == name
    assert ("edit" in entry) == (name in RULES)


def test_everything_that_a_verdict_can_say_is_explained(attempted):
    assert set(STOPS) == set(StopReason)
    assert {str(status) for status in Status} <= set(VERDICTS)
    assert {check.kind for one in read_trajectories(attempted) for check in one.verdict.checks} <= set(CHECKS)
    known = [*RULES, *CHECKS, *VERDICTS]
    assert len(set(known)) == len(known)


# ---- zip, doctor, demo


def test_zip(command, loan_desk, loan_desk_pack, tmp_path):
    code, out, err = command("zip", loan_desk, "-o", tmp_path / "a" / "desk.zip")
    assert (code, err) == (0, "")
    assert out == f"{tmp_path}/a/desk.zip: {len(loan_desk_pack.files)} files, digest {loan_desk_pack.digest}\n"
    assert command("zip", tmp_path / "a" / "desk.zip", "-o", tmp_path / "again.zip")[0] == 0
    assert (tmp_path / "again.zip").read_bytes() == (tmp_path / "a" / "desk.zip").read_bytes()
    assert read_pack(tmp_path / "again.zip").digest == loan_desk_pack.digest
    assert command("show", f"{tmp_path}/again.zip/settle-fine@0")[0] == 0


def test_zip_by_its_own_name_stays_here(command, loan_desk_pack, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    meta = loan_desk_pack.files["pack.toml"].replace(b'"loan-desk"', b'"../../up and/away"')
    write_zip(loan_desk_pack.files | {"pack.toml": meta}, tmp_path / "odd.zip")
    monkeypatch.chdir(tmp_path / "here")
    code, out, err = command("zip", "../odd.zip")
    assert (code, out) == (1, "")
    assert "name: got '../../up and/away'" in err
    assert list(Path().iterdir()) == []
    write_zip(loan_desk_pack.files, tmp_path / "even.zip")
    assert command("zip", "../even.zip")[0] == 0
    assert [path.name for path in Path().iterdir()] == ["loan-desk-0.1.0.zip"]


def test_doctor(command):
    code, out, err = command("doctor", "--json")
    assert (code, err) == (0, "")
    lines = json.loads(out)
    assert {line["check"] for line in lines} >= {"Python", "SQLite", "sandbox", "world"}
    assert all(line["ok"] for line in lines if not line["check"].startswith("layer "))  # these depend on the machine
    code, out, _ = command("doctor")
    assert code == 0
    assert "a world's clock says 2026-01-01 09:00:00" in out


def test_demo(command, tmp_path):
    code, out, _ = command("demo", "--out", tmp_path / "out", "--tasks", 2, "--workers", 1)
    assert code == 0, out
    for step in (
        "1. forge: the Chinook database and equipment-hire",
        "tasks proposed",
        "2. certificate: accepted, ",
        "3. attempts",
        "verdict: fail",
    ):
        assert step in out
    stored = read_trajectories(tmp_path / "out" / "report" / "trajectories.jsonl")
    assert {"reference", "noop", "random", "shotgun"} <= {one.trace.solver for one in stored}
    for page in ("index.html", "attempts.html", "audit/index.html"):
        assert (tmp_path / "out" / "report" / page).is_file()


def test_what_others_wrote_cant_steer_the_terminal(capsys):
    say("a\x1b[2Jb\x07\x9bc\r\td\ne\u202ef")
    assert capsys.readouterr().out == "a\\x1b[2Jb\\x07\\x9bc\\x0d\td\ne\u202ef\n"


def test_rollout_of_a_paraphrase(command, loan_desk, tmp_path):
    path = tmp_path / "run.jsonl"
    code, _, _ = command("rollout", f"{loan_desk}/settle-fine@3", "--wording", 1, "--out", path)
    (stored,) = read_trajectories(path)
    assert (code, stored.trace.wording) == (0, 1)
    assert stored.trace.messages[1].content.startswith("Please settle the dispute")
    code, out, _ = command("show", f"{loan_desk}/settle-fine@3")
    assert code == 0
    assert stored.trace.messages[1].content in out
