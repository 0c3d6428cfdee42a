"""Repro scripts show a wrong outcome again without the auditor, and say so when it is gone."""

from __future__ import annotations

import datetime
import math
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from worldwright.audit import replay
from worldwright.audit.findings import grouped
from worldwright.audit.records import Outcome
from worldwright.audit.repro import _encoded, file_name, load_of, script_for
from worldwright.audit.subject import DELETE, KEEP, SAY, WRITE, Act, Opaque, Play, Session, Setting

FOLDER_DESK = """
import pathlib, shutil, tempfile

class Episode:
    prompt = "Write hello into out.txt, and greet."
    tools = []
    def __init__(self):
        self.where, self.greeted = pathlib.Path(tempfile.mkdtemp()), ""
        (self.where / "old.txt").write_text("old")
    def folder(self):
        return self.where
    def reply(self, text):
        self.greeted += text
        return "good day"
    def reference(self):
        return [], {object: Episode}
    def finish(self, answer):
        files = {path.name: path.read_text() for path in self.where.glob("*.txt")}
        shutil.rmtree(self.where)
        right = isinstance(answer, dict) and answer.get(object) is Episode
        return float(files == {"out.txt": "hello", "kept.txt": "k"} and self.greeted == "hi" and right)

class Environment:
    name = "folder"
    def cases(self):
        return ["a"]
    def start(self, case, seed):
        return Episode()

def environment():
    return Environment()
"""


def run(path: Path, *more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-I", path, *map(str, more)], capture_output=True, text=True, timeout=60)


def written(folder: Path, text: str) -> Path:
    path = folder / "again.py"
    path.write_text(text, encoding="utf-8")
    return path


def one(session: Session | None, got: str = "pass", **more: Any) -> Outcome:
    given = {"expected": "fail", "label": "wrong", "by": "state", "ok": False, "kind": "finding", "confirmed": True, "code": "A4", **more}
    return Outcome("collateral", 1, "a", 0, given.pop("variant", "x"), got=got, session=session, **given)


def script(load: Any, outcome: Outcome) -> str:
    return script_for(load, "subject", grouped([outcome])[0])


def test_a_finding_is_seen_again_and_not_once_it_is_mended(examined, tmp_path):
    text = examined("lax").scripts["repro/01-hand-out-collateral.py"]
    assert "worldwright" not in text.replace("from worldwright.audit.adapters.pack", "").replace(
        "from worldwright.audit.subject", ""
    ).replace("from worldwright.pack", "").replace("needs worldwright", "").replace("and worldwright", "")
    path = written(tmp_path, text)
    done = run(path)
    assert (done.returncode, done.stderr) == (1, "")
    assert "expected: fail\ngot:      pass\nThe wrong outcome is seen again." in done.stdout
    assert "move_parcel" in done.stdout or done.stdout.count("hand_out(") == 2
    mended = tmp_path / "mended"
    mended.mkdir()
    desks = (Path(__file__).parent / "desks.py").read_text(encoding="utf-8")
    (mended / "desks.py").write_text(desks.replace('"parcel-desk-lax", Lax', '"parcel-desk-lax", Desk'), encoding="utf-8")
    done = run(path, "--path", mended)
    assert done.returncode == 0, done.stdout
    assert "NOT seen again" in done.stdout
    assert run(path, "--help").returncode == 0


def test_what_cannot_be_run_is_not_called_seen(examined, tmp_path):
    path = written(tmp_path, examined("lax").scripts["repro/01-hand-out-collateral.py"])
    done = run(path, "--path", tmp_path)
    assert done.returncode == 2
    assert "Could not run" in done.stdout
    assert "No module named 'desks'" in done.stdout


@pytest.mark.parametrize("name", ["deaf", "fragile", "hourly"])
def test_every_script_of_an_audit_is_seen_again(examined, tmp_path, name):
    dossier = examined(name)
    assert len(dossier.scripts) == len(dossier.findings.findings)
    chosen = {Path(path).name.split("-", 1)[1]: text for path, text in dossier.scripts.items()}
    for text in chosen.values():
        done = run(written(tmp_path, text))
        assert (done.returncode, done.stderr) == (1, ""), done.stdout


def test_files_words_and_answers_that_cannot_leave(tmp_path):
    (tmp_path / "folder_desk.py").write_text(FOLDER_DESK, encoding="utf-8")
    acts = (
        Act(WRITE, {"path": "out.txt", "text": "hello"}),
        Act(DELETE, {"path": "old.txt"}),
        Act(KEEP, {"path": "kept.txt", "text": "k"}),
        Act(SAY, {"text": "hi"}),
    )
    load = {"module": "folder_desk", "function": "environment", "args": {}, "paths": [str(tmp_path)]}
    done = run(written(tmp_path, script(load, one(Session((Play("a", 0, acts, Opaque(0, "{object: Episode}")),))))))
    assert (done.returncode, done.stderr) == (1, ""), done.stdout
    assert "good day" in done.stdout
    done = run(written(tmp_path, script(load, one(Session((Play("a", 0, acts, {}),))))))
    assert done.returncode == 0


def test_a_shim_is_carried_along_with_its_arguments(tmp_path):
    shim = tmp_path / "shim.py"
    shim.write_text(
        FOLDER_DESK + "\ndef made(reward):\n    Episode.finish = lambda self, answer: reward\n    return Environment()\n", encoding="utf-8"
    )

    class Subject:
        def __init__(self) -> None:
            self.load = {"file": str(shim), "function": "made", "args": {"reward": 1.0}, "paths": []}

    load = load_of(Subject())  # type: ignore[arg-type]
    assert load is not None
    shim.unlink()
    assert run(written(tmp_path, script(load, one(Session((Play("a", 0),)))))).returncode == 1


SURROUNDED = """
import datetime, os, time, subprocess
class Episode:
    tools = []
    def __init__(self):
        self.prompt = "x"
    def finish(self, answer):
        try:
            subprocess.run(["true"])
        except OSError:
            return 0.0
        day = datetime.date.today().year, datetime.datetime.now().year, time.localtime().tm_year, int(time.strftime("%Y"))
        return float(set(day) == {answer} and os.environ.get("CI") == "true" and time.tzname[0] == "XYZ" and os.getcwd().endswith("there"))
class Environment:
    def start(self, case, seed):
        return Episode()
def environment():
    return Environment()
"""


def test_surroundings_are_made_again(tmp_path):
    (tmp_path / "surrounded.py").write_text(SURROUNDED, encoding="utf-8")
    load = {"module": "surrounded", "function": "environment", "args": {}, "paths": [str(tmp_path)]}
    year = (datetime.date.today() + datetime.timedelta(days=800)).year
    setting = Setting(zone="XYZ-3", days=800, environ={"CI": "true"}, where="there", hash_seed=5)
    session = Session((Play("a", 0, (), year),), (), setting)
    assert run(written(tmp_path, script(load, one(session)))).returncode == 1
    differs = one(session, "does not hold", label="holds", expected="holds")
    probe = Outcome("surroundings", *(getattr(differs, name) for name in differs.__struct_fields__[1:]))
    done = run(written(tmp_path, script(load, probe)))
    assert done.returncode == 1, done.stdout
    assert "status differs: fail (episode 1 alone, in plain surroundings), pass (as it was found)" in done.stdout
    broken = Session((Play("a", 0, (), year),), (), Setting(failing=("subprocess.Popen",)))
    done = run(written(tmp_path, script(load, one(broken, "fail", label="holds", expected="error"))))
    assert done.returncode == 1, done.stdout


def test_scripts_for_packs_run_the_engine(loan_desk_pack, tmp_path):
    from worldwright.audit.adapters.pack import PackSubject

    subject = PackSubject(loan_desk_pack)
    case = subject.cases()[0]
    reference = subject.facts(case, 1).reference
    assert reference is not None
    session = Session((Play(case, 1, reference.acts, reference.answer),))
    load = load_of(subject)
    assert load is not None
    import worldwright

    path = written(tmp_path, script(load, one(session)))
    environ = {"PYTHONPATH": str(Path(worldwright.__file__).parents[1]), "PATH": "/usr/bin:/bin"}
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=60, env=environ)
    assert (done.returncode, done.stderr) == (1, ""), done.stdout


@pytest.mark.parametrize(
    "value",
    [
        None, True, 10**400, "\ud800\x00", 1.5, math.inf, [1, [2]], (1, (2,)), {1, 2}, frozenset({3}), b"\xff", Decimal("1.10"), 2j,
        {"a": 1}, {1: 2}, {"$tuple": 3}, {"$x": 1, "y": (2,)}, datetime.date(2026, 1, 2), datetime.datetime(2026, 1, 2, 3), datetime.time(4),
    ],
)  # fmt: skip
def test_values_come_back(value):
    import json

    back = replay._decoded(json.loads(json.dumps(_encoded(value))))
    assert (back, type(back)) == (value, type(value))


def test_file_names_are_plain():
    assert file_name(grouped([one(None)])[0], 3) == "03-a-collateral.py"
    assert file_name(grouped([Outcome("x", 1, "../ä b", 0, "", "", "", "wrong", "", False)])[0], 12) == "12-b-x.py"
