"""Livery stable: horses are assigned to boxes; the register is a small database."""

import random
import sqlite3

HORSES = ["Argo", "Bramble", "Comet", "Dusty", "Ember", "Fable", "Ginger"]
SCHEMA = """
create table if not exists horse (name text primary key, height integer, box integer);
create table if not exists box (id integer primary key, clearance integer);
"""


REGISTER: list[sqlite3.Connection] = []


def shared() -> sqlite3.Connection:
    if not REGISTER:
        REGISTER.append(opened())
    return opened()


def opened() -> sqlite3.Connection:
    return sqlite3.connect("file:stable?mode=memory&cache=shared", uri=True, check_same_thread=False, isolation_level=None)


def private() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)


class Stable:
    def __init__(self, db: sqlite3.Connection, seed: int):
        rng = random.Random(f"stable{seed}")
        self._db = db
        db.executescript(SCHEMA)
        heights = rng.sample(range(142, 178), len(HORSES))
        boxes = dict(zip(range(1, 10), rng.sample(range(185, 215), 9), strict=True))
        placed = rng.sample(range(1, 10), len(HORSES))
        db.executemany("insert or ignore into box values (?, ?)", boxes.items())
        db.executemany("insert or ignore into horse values (?, ?, ?)", zip(HORSES, heights, placed, strict=True))
        self._horse = rng.choice(HORSES)
        free = [b for b in boxes if b not in placed]
        self._box = max(free, key=lambda b: boxes[b])
        self._goal = sorted((h, t, self._box if h == self._horse else b) for h, t, b in zip(HORSES, heights, placed, strict=True))
        self._boxes = sorted(boxes.items())
        self.prompt = (
            f"{self._horse} has grown: move it to the free box with the greatest clearance. The other horses stay put. No answer is needed."
        )
        self.tools = [self.horses, self.free_boxes, self.assign]

    def horses(self) -> list[dict]:
        """The horses, with height in cm and box."""
        return [{"name": n, "height": h, "box": b} for n, h, b in self._db.execute("select name, height, box from horse order by name")]

    def free_boxes(self) -> list[dict]:
        """Boxes without a horse, with clearance in cm."""
        rows = self._db.execute("select id, clearance from box where id not in (select box from horse) order by id")
        return [{"box": b, "clearance": c} for b, c in rows]

    def assign(self, name: str, box: int) -> str:
        """Move a horse to a free box."""
        if name not in HORSES or type(box) is not int or box not in [b["box"] for b in self.free_boxes()]:
            raise ValueError("no such horse, or the box isn't free")
        self._db.execute("update horse set box = ? where name = ?", (box, name))
        return "moved"

    def finish(self, answer: object) -> float:
        horses = self._db.execute("select name, height, box from horse order by name").fetchall()
        boxes = self._db.execute("select id, clearance from box order by id").fetchall()
        return 1.0 if horses == self._goal and boxes == self._boxes else 0.0

    def reference(self):
        return [("free_boxes", {}), ("assign", {"name": self._horse, "box": self._box})], None

    def state(self) -> dict[str, list[dict]]:
        boxes = [{"id": b, "clearance": c} for b, c in self._db.execute("select id, clearance from box order by id")]
        return {"horse": self.horses(), "box": boxes}

    def close(self) -> None:
        self._db.close()


class Livery:
    name = "stable-boxes"

    def __init__(self, connect):
        self._connect = connect

    def cases(self) -> list[str]:
        return ["grown"]

    def start(self, case: str, seed: int) -> Stable:
        return Stable(self._connect(), seed)


def faulty() -> Livery:
    return Livery(shared)


def repaired() -> Livery:
    return Livery(private)
