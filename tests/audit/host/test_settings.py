"""Surroundings: zone, locale, hash seed, day, environment, place, load, and a machine on which things fail."""

from __future__ import annotations

import datetime
import json

import pytest

from worldwright.audit.subject import Act, Play, Session, Setting

SOURCE = """
import datetime, json, locale, os, pathlib, socket, sqlite3, subprocess, sys, tempfile, time
from datetime import date, datetime as moment
from time import time as now

AT_IMPORT = time.time()
DATA = pathlib.Path(__file__).with_suffix(".json")

class Later(moment):
    pass

class Holder:
    clock = time.time

class Episode:
    prompt = "?"
    def __init__(self, case): self.tools, self.case = [self.look, self.clocks], case
    def look(self):
        return {
            "zone": time.tzname[0], "offset": time.localtime().tm_gmtoff, "lang": os.environ["LANG"], "hash": hash("x") % 1000,
            "extra": os.environ.get("EXTRA"), "place": os.getcwd(), "home": os.path.expanduser("~"), "busy": len([1 for name in os.listdir("/proc") if name.isdigit()]),
        }
    def clocks(self):
        return [
            now(), time.time(), time.time_ns() / 1e9, moment.now().timestamp(), moment.now(datetime.timezone.utc).timestamp(), Later.now().timestamp(),
            moment.utcnow().replace(tzinfo=datetime.timezone.utc).timestamp(), moment.today().timestamp(), Holder().clock(), AT_IMPORT,
            time.clock_gettime(time.CLOCK_REALTIME), time.mktime(time.localtime()), float(moment.strptime(time.ctime(), "%a %b %d %H:%M:%S %Y").timestamp()),
            float(moment.strptime(time.strftime("%Y-%m-%d %H:%M:%S"), "%Y-%m-%d %H:%M:%S").timestamp()), time.mktime(date.today().timetuple()) + 86399 * (date.today() == moment.now().date()),
        ]
    def finish(self, answer):
        if self.case == "plain": return 1
        return STEPS[self.case]()

def _imports():
    sys.modules.pop("colorsys", None)
    import colorsys, importlib
    return 1
def _reads(): return 1 if json.loads(DATA.read_text())["x"] else 0
def _writes():
    with open(os.path.expanduser("~/made"), "w") as file: file.write("x")
    return 1
def _runs(): return 1 if subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True).stdout == b"1\\n" else 0
def _stores():
    connection = sqlite3.connect(":memory:")
    connection.close()
    return 1
def _temporary():
    number, path = tempfile.mkstemp()
    os.close(number)
    return 1
STEPS = {"imports": _imports, "reads": _reads, "writes": _writes, "runs": _runs, "stores": _stores, "temporary": _temporary}

class Environment:
    def cases(self): return ["plain"]
    def start(self, case, seed): return Episode(case)
def make(): return Environment()
"""


@pytest.fixture(scope="module")
def place(made_once):
    subject = made_once(SOURCE, "place", seconds=60)
    folder = subject._load["paths"][0]
    with open(f"{folder}/place.json", "w", encoding="utf-8") as file:
        json.dump({"x": 1}, file)
    return subject


def seen(subject, tool, **setting):
    (attempt,) = subject.run(Session((Play("plain", 0, (Act(tool),)),), (), Setting(**setting)))
    assert attempt.status == "pass", attempt
    return attempt.results[0].value


def test_plain_surroundings_are_the_same_everywhere(place):
    plain = seen(place, "look")
    assert (plain["zone"], plain["offset"], plain["lang"], plain["extra"]) == ("UTC", 0, "C.UTF-8", None)
    assert plain["place"] == plain["home"]
    assert plain == seen(place, "look")


def test_surroundings_can_be_others(place):
    there = seen(
        place,
        "look",
        zone="Pacific/Kiritimati",
        locale="tr_TR.UTF-8",
        hash_seed=7,
        environ={"EXTRA": "é"},
        where="another place ü/../deep",
        days=1,
    )
    plain = seen(place, "look")
    assert (there["offset"], there["lang"], there["extra"]) == (14 * 3600, "tr_TR.UTF-8", "é")
    assert there["hash"] != plain["hash"]
    assert there["place"] == there["home"]
    assert there["place"].endswith("/another place ü/deep")


def test_under_load_others_are_busy(place):
    assert seen(place, "look", load=True)["busy"] >= seen(place, "look")["busy"] + 2


@pytest.mark.parametrize("days", [0, 401.5, -3])
def test_every_clock_is_moved(place, days):
    expected = datetime.datetime.now(datetime.UTC).timestamp() + days * 86400
    clocks = seen(place, "clocks", days=days)
    assert all(abs(clock - expected) < 120 for clock in clocks[:-1]), [clock - expected for clock in clocks]
    assert abs(clocks[-1] - expected) < 86400


FAILURES = [
    ("imports", "open", "pass"),
    ("imports", "os.listdir", "pass"),
    ("reads", "open", "error"),
    ("reads", "open:outside", "error"),
    ("writes", "open", "error"),
    ("writes", "open:outside", "pass"),
    ("runs", "subprocess.Popen", "error"),
    ("runs", "socket.connect", "pass"),
    ("stores", "sqlite3.connect", "error"),
    ("temporary", "tempfile.mkstemp", "error"),
    ("reads", "sqlite3.connect", "pass"),
]


@pytest.mark.parametrize("case, event, status", FAILURES)
def test_what_fails_fails_while_grading(place, case, event, status):
    (attempt,) = place.run(Session((Play(case, 0),), (), Setting(failing=(event,))))
    assert (attempt.status, attempt.where) == (status, "finish" if status == "error" else ""), attempt
    if status == "error":
        assert "fails on this machine" in attempt.fault
    (attempt,) = place.run(Session((Play(case, 0),)))
    assert attempt.status == "pass", attempt
