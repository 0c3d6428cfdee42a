"""The moved wall clock: seen by every way of asking, however it was imported; types stay what they are."""

from __future__ import annotations

import json
import subprocess
import sys

from worldwright.world.conformance.processes import SHIFT

ASK = """
import datetime, json, sys, time
from datetime import datetime as Early
from time import monotonic
class Own(datetime.datetime): pass
def ask():
    return {
        "time": time.time(), "time_ns": time.time_ns() / 10**9, "now": datetime.datetime.now().timestamp(), "early": Early.now().timestamp(),
        "zone": Early.now(datetime.timezone.utc).timestamp(), "utcnow": Early.utcnow().replace(tzinfo=datetime.timezone.utc).timestamp(),
        "today": Early.today().timestamp(), "own": Own.now().timestamp(), "localtime": time.mktime(time.localtime()),
        "gmtime": float(__import__("calendar").timegm(time.gmtime())), "ctime": time.mktime(time.strptime(time.ctime())),
        "asctime": time.mktime(time.strptime(time.asctime())), "strftime": time.mktime(time.strptime(time.strftime("%Y %j %H:%M:%S"), "%Y %j %H:%M:%S")),
        "date": time.mktime(datetime.date.today().timetuple()),
    }
before, tick = ask(), monotonic()
from worldwright.world.conformance.clock import shift_clock
shift_clock(int(sys.argv[1]))
after = ask()
kept = [type(Early.now()) is Early, type(Own.now()) is Own, isinstance(Early.now(), datetime.datetime), time.ctime(0) == time.asctime(time.localtime(0)),
        time.strftime("%Y", time.gmtime(0)) == "1970", monotonic() - tick < 1000]
print(json.dumps([{name: after[name] - before[name] for name in before}, kept]))
"""


def test_clock_moves_for_everybody() -> None:
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", ASK, str(SHIFT)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, env=None)
    moved, kept = json.loads(run.stdout)
    day = moved.pop("date")
    assert {name: by for name, by in moved.items() if not SHIFT - 2 <= by <= SHIFT + 100} == {}
    assert abs(day - SHIFT) < 90_000
    assert all(kept), kept
