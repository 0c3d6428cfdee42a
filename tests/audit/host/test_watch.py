"""What a grader touches while it grades."""

from __future__ import annotations

import pytest

from worldwright.audit.subject import WRITE, Act, Play, Session, Touch

SOURCE = """
import builtins, collections, dataclasses, datetime, json, logging, os, pathlib, runpy, shutil, socket, sqlite3, subprocess, sys, tempfile, time, uuid

DATA = pathlib.Path(__file__).with_suffix(".json")

class Episode:
    prompt, tools = "?", []
    def __init__(self, case):
        self.case = case
        self.where = pathlib.Path(tempfile.mkdtemp(prefix="desk-")).resolve()
        (self.where / "work.txt").write_text("x")
        (self.where / "checks.py").write_text("ANSWER = 1")
        os.environ["LEVEL"] = "1"
        if case == "starts":
            time.time(); datetime.datetime.now(); open(self.where / "work.txt").close()
            with socket.socket() as one: one.connect_ex(("127.0.0.1", 9))
    def folder(self): return self.where
    def finish(self, answer):
        STEPS[self.case](self.where)
        return 1
    def state(self):
        time.time()
        return {"files": [{"name": name} for name in sorted(os.listdir(self.where))]}
    def close(self): shutil.rmtree(self.where)

def _reads(where):
    (where / "work.txt").read_text()
    open(where / "missing.txt") if (where / "missing.txt").exists() else None
    try: open(where / "lost.txt")
    except FileNotFoundError: pass
    os.path.isfile(str(where / "other"))
    os.listdir(where)
    DATA.read_text()
def _writes(where):
    (where / "result.json").write_text("{}")
    os.mkdir(where / "new")
    with open(os.path.expanduser("~/log"), "a") as file: file.write("x")
def _imports(where):
    sys.path.insert(0, str(where))
    import checks
    import colorsys, wave
def _runs(where):
    subprocess.run([sys.executable, "checks.py"], cwd=where)
    subprocess.run(["true"])
    os.system(f"cat {where}/work.txt")
def _executes(where):
    exec("x = 1 + 1")
    eval("1 + 1")
    exec(compile((where / "checks.py").read_text(), str(where / "checks.py"), "exec"))
    runpy.run_path(str(where / "checks.py"))
def _connects(where):
    with socket.socket() as one: one.connect_ex(("127.0.0.1", 9))
    try: socket.getaddrinfo("example.invalid", 80)
    except OSError: pass
    sqlite3.connect(":memory:").close()
    sqlite3.connect(where / "base.db").close()
def _times(where):
    time.time(); datetime.datetime.now(); datetime.date.today()
def _surrounded(where):
    os.environ.get("LEVEL"); os.getenv("MISSING"); "OTHER" in os.environ
def _quiet(where):
    collections.namedtuple("Point", "a b")(1, 2)
    dataclasses.make_dataclass("Line", ["a"])(1)
    json.loads("{}"); uuid.uuid4(); logging.getLogger("x").warning("y"); tempfile.gettempdir(); time.monotonic(); time.perf_counter()
    import difflib
    shutil.which("true")
STEPS = {name[1:]: step for name, step in list(globals().items()) if name.startswith("_") and callable(step)}
STEPS["starts"] = lambda where: None

class Environment:
    def cases(self): return ["quiet"]
    def start(self, case, seed): return Episode(case)
def make(): return Environment()
"""


@pytest.fixture(scope="module")
def watched(made_once):
    subject = made_once(SOURCE, "watched", seconds=60)
    with open(f"{subject._load['paths'][0]}/watched.json", "w", encoding="utf-8") as file:
        file.write("{}")
    return subject


def touches(subject, case, acts=()):
    (attempt,) = subject.run(Session((Play(case, 0, acts),)), watch=True)
    assert attempt.status == "pass", attempt
    return attempt.touched


def needs_a_network(subject):
    subject.cases()
    if subject.layers["net"]:
        pytest.skip(f"sockets are refused altogether, for want of a network of their own: {subject.layers['net']}")


def test_reading_looking_and_listing(watched):
    found = touches(watched, "reads")
    assert Touch("open", "work.txt", "r", True, True) in found
    assert Touch("stat", "missing.txt", "", True, False) in found
    assert Touch("open", "lost.txt", "r", True, False) in found
    assert Touch("stat", "other", "", True, False) in found
    assert Touch("os.listdir", "./", "", True, True) in found
    assert [one.path.rpartition("/")[2] for one in found if not one.inside and one.event == "open"] == ["watched.json"]


def test_writing(watched):
    found = touches(watched, "writes")
    assert Touch("open", "result.json", "w", True, False) in found
    assert Touch("os.mkdir", "new", "", True, False) in found
    assert [(one.mode, one.inside, one.there) for one in found if one.path.endswith("/log")] == [("a", False, False)]


def test_imports_from_the_folder_and_no_others(watched):
    found = touches(watched, "imports")
    imported = [one for one in found if one.event == "import"]
    assert imported[-1] == Touch("import", "checks.py", "", True, True)
    assert all(one.inside for one in found)
    assert {one.path.split("/")[-1].split(".")[0] for one in imported} == {"checks"}


def test_programs_and_the_files_they_are_given(watched):
    found = touches(watched, "runs")
    runs = [one for one in found if one.event in ("subprocess.Popen", "os.system")]
    assert [one.inside for one in runs] == [True, False, True]
    assert runs[0].path.endswith(" checks.py")
    assert {one.path for one in found if one.event == "argument"} == {"checks.py", "work.txt"}


def test_code_from_text(watched):
    found = touches(watched, "executes")
    assert Touch("exec", "checks.py", "", True, True) in found
    assert [one.inside for one in found if one.event == "exec"].count(False) >= 1


def test_connections(watched):
    needs_a_network(watched)
    found = touches(watched, "connects")
    assert Touch("socket.connect", "127.0.0.1:9") in found
    assert Touch("socket.getaddrinfo", "example.invalid:80") in found
    assert Touch("sqlite3.connect", ":memory:") in found
    assert Touch("sqlite3.connect", "base.db", "", True, False) in found


def test_the_clock_and_the_environment(watched):
    assert [one.path for one in touches(watched, "times")] == ["time.time", "datetime.now"]
    found = [(one.path, one.there) for one in touches(watched, "surrounded")]
    assert found == [("LEVEL", True), ("MISSING", False), ("OTHER", False)]


def test_what_the_standard_library_does_for_itself_is_no_touch(watched):
    assert touches(watched, "quiet") == ()


def test_the_start_is_watched_for_clock_and_network_alone(watched):
    needs_a_network(watched)
    assert [(one.event, one.path) for one in touches(watched, "starts")] == [
        ("start:clock", "time.time"), ("start:clock", "datetime.now"), ("start:socket.connect", "127.0.0.1:9"),
    ]  # fmt: skip


def test_what_the_agent_did_is_no_touch_and_nobody_is_watched_unasked(watched):
    acts = (Act(WRITE, {"path": "a", "text": "b"}),)
    assert touches(watched, "quiet", acts) == ()
    (attempt,) = watched.run(Session((Play("reads", 0),)))
    assert (attempt.status, attempt.touched) == ("pass", ())
