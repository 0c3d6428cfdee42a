"""Whatever foreign code does ends as data, leaves nothing outside, and the next request is none the worse."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from worldwright.audit.adapters.python import PythonSubject
from worldwright.audit.subject import Act, Attempt, Play, Session, Setting

SOURCE = """
import ctypes, os, resource, signal, socket, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))

def fine(): return "fine"
def forks():
    while True:
        os.fork()
def forks_on():
    while True:
        try:
            os.fork()
        except OSError:
            pass
def hides():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            while True:
                time.sleep(0.01)
        os._exit(0)
    return 1
def loops():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        pass
def big(): return len(bytearray(50 << 30))
def prints(): print("x" * (100 << 20)); return 1
def leaves(): os._exit(0)
def exits(): sys.exit("bye")
def crashes(): ctypes.string_at(0)
def kills_itself(): os.kill(os.getpid(), signal.SIGKILL)
def kills_others():
    for pid in (1, os.getppid()):
        for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
            os.kill(pid, number)
    time.sleep(0.02)
    return 1
def closes(): os.closerange(0, 65536); return 1
def garbles():
    for number in range(64, 4096):
        try:
            os.write(number, b"\\x00\\xff" * 50)
        except OSError:
            pass
    return 1
def floods():
    for number in range(64, 4096):
        try:
            while True:
                os.write(number, b"\\x00" * (1 << 20))
        except OSError:
            pass
def recurses(): return recurses()
def huge(): return "x" * (17 << 20)
def odd(): return type("Odd", (), {"__repr__": lambda self: 1 / 0})()
def patches():
    import json
    json.dumps = json.loads = os.write = os.read = print = None
    sys.stdout = sys.stderr = None
    return 1
def raises_odd():
    class Odd(BaseException):
        def __str__(self): raise self
    raise Odd

def writes():
    done = {}
    for path in ("/tmp/worldwright-x", HERE + "/x", "/x", "/etc/x", os.path.expanduser("~/x"), "/dev/shm/worldwright-x", "/proc/sys/kernel/hostname"):
        try:
            with open(path, "w") as file:
                file.write("x")
            done[path] = "written"
        except OSError:
            done[path] = "refused"
    return done
def deletes():
    done = []
    for step in (os.unlink, lambda path: os.rename(path, path + "x"), lambda path: os.truncate(path, 0), lambda path: os.chmod(path, 0)):
        try:
            step(__file__)
            done.append("done")
        except OSError:
            done.append("refused")
    return done
def reaches():
    done = []
    for family, address in ((socket.AF_INET, ("127.0.0.1", int(os.environ["OPEN_PORT"]))), (socket.AF_INET, ("192.0.2.1", 80)), (40, (2, 80))):
        try:
            with socket.socket(family, socket.SOCK_STREAM) as one:
                one.settimeout(2)
                one.connect(address)
            done.append("reached")
        except OSError:
            done.append("refused")
    return done
def raises_limits():
    done = []
    for kind in (resource.RLIMIT_AS, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE):
        try:
            resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            done.append("done")
        except (OSError, ValueError):
            done.append("refused")
    return done
def reads():
    import pwd
    home = pwd.getpwuid(os.getuid()).pw_dir
    return [os.path.exists(os.path.join(place, name)) for place in (home, os.path.expanduser("~")) for name in (".ssh", ".bashrc", ".profile", ".cache")]
def knows(): return sorted(os.environ)

class Episode:
    prompt = "?"
    def __init__(self, case):
        self.case, self.tools = case, [self.act, fine]
    def act(self): return globals()[self.case]()
    def finish(self, answer): return 1 if answer is None else globals()[self.case]()

class Environment:
    def cases(self): return []
    def start(self, case, seed):
        if seed == 1:
            globals()[case]()
        return Episode(case)

def make(): return Environment()
"""
FINE = Play("fine", 0, (Act("fine"),))


@pytest.fixture(scope="module")
def hostile(made_once):
    return made_once(SOURCE, "hostile", seconds=15, processes=12)


def attempts(subject: PythonSubject, case: str, where: str, setting: Setting | None = None) -> list[Attempt]:
    acts, answer = ((Act("act"),) if where == "act" else ()), ("x" if where == "finish" else None)
    plays = (FINE, Play(case, int(where == "start"), acts, answer), FINE)
    return subject.run(Session(plays, (), setting or Setting()))


def insist_fine(subject: PythonSubject) -> None:
    (attempt,) = subject.run(Session((FINE,)))
    assert (attempt.status, attempt.results[0].value) == ("pass", "fine"), attempt


@pytest.mark.parametrize("where", ["start", "act", "finish"])
@pytest.mark.parametrize(
    "case, told",
    [
        ("forks", "more than 12 processes|BlockingIOError"),
        ("leaves", "left by itself (exit status 0)"),
        ("exits", "SystemExit: bye (hostile.py:"),
        ("crashes", "signal 11 (SIGSEGV)"),
        ("kills_itself", "signal 9 (SIGKILL)"),
        ("big", "MemoryError"),
        ("recurses", "RecursionError"),
        ("closes", "left by itself (exit status 70)|left by itself (exit status 120)"),
        ("raises_odd", "Odd (hostile.py:"),
        ("floods", "more than 16 MB to say"),
    ],
)
def test_what_breaks_the_process_is_an_error(hostile, case, told, where):
    before, attempt, after = attempts(hostile, case, where)
    assert before.status == "pass"
    assert attempt.status == "error"
    assert any(text in attempt.fault for text in told.split("|")), attempt
    if case != "closes":
        assert attempt.where == where
    assert after.status == "pass" or "not reached: an earlier play ended the process" in after.fault
    insist_fine(hostile)


@pytest.mark.parametrize("case", ["hides", "prints", "kills_others", "patches"])
def test_what_disturbs_others_disturbs_nobody(hostile, case):
    insist_fine(hostile)
    can_kill = case == "kills_others" and hostile.layers["pid"]
    for where in ("act", "finish"):
        statuses = [attempt.status for attempt in attempts(hostile, case, where)]
        assert statuses == ["pass"] * 3 or (can_kill and "error" in statuses)
    insist_fine(hostile)


def test_processes_that_go_on_forking_are_ended(hostile):
    assert attempts(hostile, "forks_on", "act")[1].status == "error"
    insist_fine(hostile)


def test_what_never_ends_is_ended(made):
    subject = made(SOURCE, "hostile", seconds=1)
    attempt = attempts(subject, "loops", "act")[1]
    assert (attempt.status, attempt.where, attempt.fault) == ("error", "act", "no end in time")
    facts = subject.facts("loops", 1)
    assert facts.fault == "no end in time"
    insist_fine(subject)


def test_garbage_on_every_channel_is_an_error_or_nothing(hostile):
    attempt = attempts(hostile, "garbles", "act")[1]
    assert attempt.status == "error"
    assert "can't be read" in attempt.fault
    insist_fine(hostile)


def test_what_is_too_large_or_has_no_repr_is_data(hostile):
    assert attempts(hostile, "huge", "act")[1].status == "error"
    assert attempts(hostile, "odd", "act")[1].results[0].value == "<Odd whose repr raises ZeroDivisionError>"
    insist_fine(hostile)


def test_nothing_is_written_outside(hostile):
    done = attempts(hostile, "writes", "act")[1].results[0].value
    folder = Path(hostile._load["paths"][0])
    assert done[f"{folder}/x"] == done["/x"] == done["/etc/x"] == done["/proc/sys/kernel/hostname"] == "refused"
    home = next(path for path in done if path.endswith("/home/x"))
    assert done[home] == "written"
    for path in done:
        if path != "/proc/sys/kernel/hostname":
            assert not os.path.exists(path)
    again = attempts(hostile, "writes", "act")[1].results[0].value
    assert again == done
    *writing, mode = attempts(hostile, "deletes", "act")[1].results[0].value
    assert writing == ["refused"] * 3
    assert mode == "refused" or hostile.layers["read_only"]
    (folder / "hostile.py").chmod(0o644)
    assert (folder / "hostile.py").read_text(encoding="utf-8") == SOURCE


def test_nobody_is_reached(hostile):
    with socket.create_server(("127.0.0.1", 0)) as server:
        setting = Setting(environ={"OPEN_PORT": str(server.getsockname()[1])})
        assert attempts(hostile, "reaches", "act", setting)[1].results[0].value == ["refused"] * 3


def test_limits_hold_and_homes_are_hidden(hostile):
    assert attempts(hostile, "raises_limits", "act")[1].results[0].value == ["refused"] * 3
    if not hostile.layers["hidden"]:
        assert not any(attempts(hostile, "reads", "act")[1].results[0].value)


def test_the_environment_is_clean(hostile):
    known = attempts(hostile, "knows", "act")[1].results[0].value
    assert set(known) <= {"HOME", "LANG", "PATH", "PYTHONHASHSEED", "TMPDIR", "TZ", "LC_CTYPE"}


def test_closing_leaves_no_process_and_no_folder_and_can_be_followed_by_more(made):
    subject = made(SOURCE, "hostile")
    insist_fine(subject)
    children = [child for crew in subject._host._crews.values() for child in crew]
    assert [(child.is_alive, os.path.isdir(child.spot)) for child in children] == [(True, True)]
    subject.close()
    assert [(child.is_alive, os.path.isdir(child.spot)) for child in children] == [(False, False)]
    insist_fine(subject)


IMPORTS = {
    "import os; os._exit(3)": "its process ended (exit code 3)",
    "raise KeyError('x')": "KeyError: 'x' (shop.py:1)",
    "import sys; print('told'); sys.exit(2)": "SystemExit: 2",
    "import nothing_of_this_name": "ModuleNotFoundError: No module named 'nothing_of_this_name'",
    "def other(): pass": "AttributeError: module 'shop' has no attribute 'make'",
    "import os; os.closerange(0, 65536)": "its process ended",
    "x = (": "SyntaxError",
    "import os\nfor n in range(3, 4096):\n    try: os.write(n, b'x' * 100)\n    except OSError: pass": "can't be understood",
}


@pytest.mark.parametrize("source, told", IMPORTS.items(), ids=range(len(IMPORTS)))
def test_a_module_that_breaks_at_import_is_a_fault(made, source, told):
    subject = made(source)
    facts = subject.facts("a", 0)
    assert told in facts.fault
    (attempt,) = subject.run(Session((FINE,)))
    assert (attempt.status, attempt.where, attempt.fault) == ("error", "start", facts.fault)


def test_an_import_that_never_ends_is_a_fault(made):
    subject = made("while True: pass", import_seconds=1)
    assert "no end of the import in time" in subject.facts("a", 0).fault


@pytest.mark.parametrize(
    "source",
    [
        "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,), daemon=True).start()\n",
        "import subprocess\nserver = subprocess.Popen(['sleep', '1000'])\n",
    ],
    ids=["thread", "process"],
)
def test_a_module_that_starts_something_at_import_is_imported_for_each_request(made, source):
    alive = """
import os
class Episode:
    prompt, tools = "?", []
    def finish(self, answer):
        return 1 if "server" not in globals() or server.poll() is None else 0
class Environment:
    def cases(self): return ["a"]
    def start(self, case, seed): return Episode()
def make(): return Environment()
"""
    subject = made(source + alive)
    assert subject.cases() == ["a"]
    assert [subject.run(Session((Play("a", 0),)))[0].status for _ in range(2)] == ["pass"] * 2
