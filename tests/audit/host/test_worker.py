"""What a fork does with a request, here without the fork: frames of cases, facts and attempts, or of what went wrong."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from worldwright.audit.host.clock import Clock
from worldwright.audit.host.places import Places
from worldwright.audit.host.values import decode
from worldwright.audit.host.worker import Worker

SHOP = """
    import pathlib
    from decimal import Decimal
    class Order:
        def __init__(self, number): self.number = number
    class Episode:
        checks = ["paid", 3]
        def __init__(self, case, seed, folder):
            self.prompt, self.case, self.where = f"Pay {seed}", case, folder
            self.paid = []
            self.tools = [self.pay, self.crash]
        def pay(self, order: int, amount: Decimal = Decimal("1")) -> str:
            '''Pay an order.'''
            if order < 0: raise ValueError("no such order")
            self.paid.append({"id": order, "amount": amount})
            return f"paid {order}"
        def crash(self): raise RuntimeError("down")
        def reply(self, text): return text.upper()
        def reference(self): return [("pay", {"order": 1})], Order(1)
        def alternatives(self): return [([("pay", {"order": 1, "amount": Decimal("2")})], None)]
        def state(self): return {"paid": list(self.paid)}
        def folder(self): return self.where
        def finish(self, answer):
            if answer == "crash": raise RuntimeError("down")
            if answer == "none": return None
            return [row["id"] for row in self.paid] == [1]
        def close(self):
            if self.case == "stuck": raise OSError("stuck")
    class Shop:
        def __init__(self, folder): self.where = pathlib.Path(folder)
        def cases(self): return ["a", "b"]
        def start(self, case, seed):
            if case == "none": raise LookupError("no case")
            return Episode(case, seed, self.where)
"""
Asked = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def asked(tmp_path: Path) -> Asked:
    """Asks a worker of a shop; gives the frames it said, but for the last."""
    (tmp_path / "shop.py").write_text(dedent(SHOP), encoding="utf-8")
    (tmp_path / "desk").mkdir()
    (tmp_path / "desk" / "note").write_text("x", encoding="utf-8")
    load = {"file": str(tmp_path / "shop.py"), "function": "Shop", "args": {"folder": str(tmp_path / "desk")}}

    def ask(ask: str = "session", change: dict[str, Any] | None = None, **request: Any) -> list[dict[str, Any]]:
        worker = Worker({**load, **(change or {})}, Clock(0), Places([str(tmp_path)], []))
        fault, _ = worker.load()  # whether forks could share it depends on the threads of this process
        if fault:
            return [{"fault": fault}]
        assert worker.file.endswith("shop.py")
        came_to: list[tuple[int, str]] = []
        read, write = os.pipe()
        worker.carry_out({"ask": ask, **request}, write, lambda play, where: came_to.append((play, where)))
        os.close(write)
        with os.fdopen(read, "rb") as file:
            said = file.read()
        frames = []
        while said:
            (size,) = struct.unpack_from(">I", said)
            frames.append(json.loads(said[4 : 4 + size]))
            said = said[4 + size :]
        assert frames.pop() == {"done": True}
        assert came_to[0] == (0, "start")
        return frames

    return ask


def play(case: str = "a", acts: Any = (), answer: Any = None, finish: bool = True) -> dict[str, Any]:
    return {
        "case": case,
        "seed": 1,
        "acts": [{"tool": tool, "args": args} for tool, args in acts],
        "answer": answer,
        "finish": finish,
        "unseen": False,
    }


def test_cases_and_facts(asked):
    assert asked("cases") == [{"cases": ["a", "b"]}]
    ((found),) = [frame["facts"] for frame in asked("facts", case="a", seed=1)]
    assert found["has"] == ["alternatives", "folder", "reference", "reply", "state"]
    assert (found["prompt"], found["files"], found["state"], found["notes"]) == ("Pay 1", {"note": "x"}, {"paid": []}, [])
    assert [tool["name"] for tool in decode(found["tools"])] == ["pay", "crash"]
    assert found["known"][0]["answer"]["$held"][:2] == [0, ""]
    assert decode(found["known"][1]["acts"][0]["args"]["amount"]) == 2
    assert asked("facts", case="none", seed=1)[0]["facts"]["fault"].startswith("start: LookupError: no case (shop.py:")
    assert asked("facts", case="stuck", seed=1)[0]["facts"]["notes"][0].startswith("close() raised OSError: stuck")


def test_a_play_is_a_frame_and_its_end_a_verdict(asked, tmp_path):
    acts = [("pay", {"order": 1}), ("pay", {"order": -1}), ("$say", {"text": "hi"}), ("$write", {"path": "new", "text": "y"}), ("none", {})]
    (frame,) = asked(plays=[play(acts=acts, answer={"$held": [0, "", ""]})], order=[0] * 7)
    attempt = frame["attempt"]
    assert (frame["play"], attempt["status"], attempt["reward"], attempt["checks"]) == (0, "pass", 1.0, ["paid"])
    assert [(one["ok"], one.get("value"), one.get("error")) for one in attempt["results"]] == [
        (True, "paid 1", None), (False, None, "no such order"), (True, "HI", None), (True, None, None), (False, None, "no such tool"),
    ]  # fmt: skip
    assert attempt["tables"] == {"paid": [[], [{"id": 1, "amount": {"$decimal": "1"}}]]}
    assert attempt["files"] == {"new": "y", "note": "x"}
    assert (tmp_path / "desk" / "new").read_text(encoding="utf-8") == "y"


@pytest.mark.parametrize(
    "one, status, where",
    [
        (play(), "fail", None),
        (play(answer="none"), "unknown", None),
        (play(answer="crash"), "error", "finish"),
        (play(finish=False), "unknown", None),
        (play(case="none"), "error", "start"),
        (play(answer={"$held": [7, "", ""]}), "error", "start"),
    ],
)
def test_verdicts_and_where_it_failed(asked, one, status, where):
    (frame,) = asked(plays=[one], order=[0, 0])
    assert (frame["attempt"]["status"], frame["attempt"].get("where")) == (status, where)


def test_plays_in_turn_end_when_they_end_and_close_when_they_may(asked):
    plays = [play("stuck", [("crash", {})]), play("stuck", finish=False), play("a", [("pay", {"order": 1})])]
    frames = asked(plays=plays, order=[1, 2, 0, 0, 1, 2, 0, 2])
    assert [(frame["play"], "note" in frame, frame.get("attempt", {}).get("status")) for frame in frames] == [
        (0, False, "error"), (0, True, None), (1, False, "unknown"), (2, False, "pass"), (1, True, None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "change, fault",
    [
        ({"function": "Nothing"}, "can't be loaded: AttributeError: module 'worldwright_shim' has no attribute 'Nothing'"),
        ({"file": "/nowhere/shop.py"}, "can't be loaded: FileNotFoundError"),
        ({"file": "/nowhere/shop.txt"}, "can't be loaded: ImportError: /nowhere/shop.txt is no Python file"),
        ({"args": {}}, "TypeError"),
    ],
)
def test_what_can_not_be_loaded_or_made_is_a_fault(asked, change, fault):
    (frame,) = asked("cases", change)
    assert fault in frame["fault"]
