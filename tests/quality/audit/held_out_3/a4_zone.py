"""Upkeep of DNS zones: a host has moved to another machine and its address record must follow."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass, replace
from ipaddress import IPv4Address

HOSTS = ["api", "blog", "cdn", "docs", "mail", "shop", "static", "wiki"]
MACHINES = ["badger", "otter", "heron", "lynx", "stoat", "wren"]
ZONES = ["brightloom.example", "northquay.example", "tallpine.example"]


@dataclass(frozen=True, order=True)
class Record:
    zone: str
    host: str
    kind: str
    value: str
    ttl: int


class Console:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"dns {seed}")
        self.boxes = {m: f"192.0.2.{n}" for m, n in zip(MACHINES, rng.sample(range(10, 250), len(MACHINES)), strict=True)}
        self.records: dict[int, Record] = {}
        for zone in ZONES:
            for host in rng.sample(HOSTS, 4):
                self._put(Record(zone, host, "A", self.boxes[rng.choice(MACHINES)], rng.choice([3600, 7200, 86400])))
            self._put(Record(zone, "@", "TXT", f"site-check={rng.randrange(10**6):06d}", 3600))
        self.key = rng.choice([k for k, r in self.records.items() if r.kind == "A"])
        self.old = self.records[self.key]
        self.box = rng.choice([m for m in MACHINES if self.boxes[m] != self.old.value])
        self.new = replace(self.old, value=self.boxes[self.box], ttl=rng.choice([120, 300, 600]))
        self.before = list(self.records.values())
        self.tools = [self.machines, self.show, self.set_value, self.set_ttl, self.add, self.remove]
        self.prompt = (
            f"{self.old.host}.{self.old.zone} has moved to the machine {self.box}. Make its A record point at that machine's address and "
            "set the record's TTL to "
            f"{self.new.ttl} seconds. Every other record, in this zone and in the others, must stay as it is. No answer is needed."
        )

    def _put(self, record: Record) -> int:
        self.last = getattr(self, "last", 0) + 1
        self.records[self.last] = record
        return self.last

    def _get(self, record: object) -> Record:
        if type(record) is not int or record not in self.records:
            raise ValueError("no record with that id")
        return self.records[record]

    @staticmethod
    def _sound(kind: str, value: object, ttl: object) -> tuple[str, int]:
        if not isinstance(value, str) or not 0 < len(value.strip()) <= 255:
            raise ValueError("value is a text of 1 to 255 characters")
        if type(ttl) is not int or not 30 <= ttl <= 604800:
            raise ValueError("ttl is a whole number from 30 to 604800")
        return (str(IPv4Address(value.strip())) if kind == "A" else value.strip()), ttl

    def machines(self) -> dict[str, str]:
        """The machines and their addresses."""
        return dict(self.boxes)

    def show(self, zone: str) -> list[dict]:
        """The records of a zone with their ids."""
        if not isinstance(zone, str) or zone.strip().lower() not in ZONES:
            raise ValueError(f"zones are {', '.join(ZONES)}")
        return [{"id": key, **asdict(r)} for key, r in self.records.items() if r.zone == zone.strip().lower()]

    def set_value(self, record: int, value: str) -> str:
        """Give a record another value (an IPv4 address for A records)."""
        row = self._get(record)
        self.records[record] = replace(row, value=self._sound(row.kind, value, row.ttl)[0])
        return "saved"

    def set_ttl(self, record: int, seconds: int) -> str:
        """Give a record another time to live."""
        row = self._get(record)
        self.records[record] = replace(row, ttl=self._sound(row.kind, row.value, seconds)[1])
        return "saved"

    def add(self, zone: str, host: str, kind: str, value: str, ttl: int) -> str:
        """Add an A or TXT record to a zone; the host is a plain label, or @ for the zone itself."""
        self.show(zone)
        label = isinstance(host, str) and len(host) <= 63 and (host == "@" or (host.isascii() and host.isalnum()))
        if kind not in ("A", "TXT") or not label:
            raise ValueError("a kind (A or TXT) and a host label, please")
        return f"record {self._put(Record(zone.strip().lower(), host.lower(), kind, *self._sound(kind, value, ttl)))}"

    def remove(self, record: int) -> str:
        """Delete a record."""
        self._get(record)
        del self.records[record]
        return "deleted"

    def state(self) -> dict[str, list[dict]]:
        return {"records": [{"id": key, **asdict(r)} for key, r in self.records.items()]}

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        value = ("set_value", {"record": self.key, "value": self.new.value})
        ttl = ("set_ttl", {"record": self.key, "seconds": self.new.ttl})
        return [("machines", {}), ("show", {"zone": self.old.zone}), value, ttl], None

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        calls, _ = self.reference()
        fresh = [("remove", {"record": self.key}), ("add", asdict(self.new))]
        return [([*calls[:2], calls[3], calls[2]], ""), (fresh, None)]

    def rest_kept(self) -> bool:
        return len(self.records) == len(self.before)

    def finish(self, answer: object) -> float:
        now = list(self.records.values())
        return 1.0 if now.count(self.new) == 1 and self.old not in now and self.rest_kept() else 0.0


class OtherConsole(Console):
    def rest_kept(self) -> bool:
        return sorted(r for r in self.records.values() if r != self.new) == sorted(r for r in self.before if r != self.old)


class Zones:
    name = "dns-zones"

    def __init__(self, console: type[Console]) -> None:
        self.console = console

    def cases(self) -> list[str]:
        return ["move"]

    def start(self, case: str, seed: int) -> Console:
        return self.console(seed)


def faulty() -> Zones:
    return Zones(Console)


def repaired() -> Zones:
    return Zones(OtherConsole)
