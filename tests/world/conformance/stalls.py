"""A small correct world in plain Python, and the same world with one fault each: what the conformance kit must tell apart.

Every function here makes a world. `stall` is right and has all that the kit can look at; the others are called by their
fault. They are loaded by path, so this file imports nothing beside it.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import datetime
import hashlib
import json
import random
import sqlite3
import threading
import time
from types import SimpleNamespace

from worldwright.world.arguments import compile_arguments
from worldwright.world.protocol import CallRecord, CallResult, Message, RowChange, StopReason, ToolDoc
from worldwright.world.spec import ArgSpec

FRUIT = ("apple", "pear", "plum", "quince", "medlar", "damson", "sloe")
NAME = ArgSpec(enum=list(FRUIT), doc="Which fruit.")
COUNT = ArgSpec(type="integer", minimum=1, maximum=1000, doc="How many.")


class Episode:
    """An attempt at the stall; every call takes a minute, and the owner speaks up after the third."""

    def __init__(self, world, seed, limit):
        self.world, self.limit = world, limit
        self.before = world.stock(seed)
        self.stock = dict(self.before)
        self.calls, self.messages, self.unheard = [], [], []
        self.clock = datetime.datetime(2026, 3, 30, 9)
        self.open = True

    def now(self):
        return self.clock.isoformat()

    def call(self, tool, args):
        self.check_open()
        if self.limit is not None and len(self.calls) >= self.limit:
            return CallResult(False, error="No calls are left.", ended=StopReason.CALL_LIMIT)
        at = self.now()
        result = self.attempt(tool, args)
        self.record(at, tool, args, result)
        self.clock += datetime.timedelta(minutes=1)
        if len(self.calls) == 3:
            message = Message(1, self.now(), 3, "owner", "agent", "inform", {}, "I am back.")
            self.messages.append(message)
            self.unheard.append(message)
        return result

    def check_open(self):
        if not self.open:
            raise RuntimeError("the episode has ended")

    def attempt(self, tool, args):
        if tool not in self.world.checked:
            return CallResult(False, error="There is no such tool.")
        try:
            return CallResult(True, self.run(tool, self.world.checked[tool](args)))
        except ValueError as refused:
            return CallResult(False, error=str(refused))

    def record(self, at, tool, args, result):
        kept, value = (json.dumps(args), json.dumps(result.value)) if result.ok else ("{}", None)
        self.calls.append(CallRecord(len(self.calls) + 1, at, tool, kept, result.ok, value, result.error))

    def run(self, tool, args):
        return {"list_stock": self.list_stock, "sell": self.sell, "order": self.order}[tool](**args)

    def list_stock(self):
        return [{"fruit": name, "count": count} for name, count in self.stock.items()]

    def sell(self, fruit, count):
        if self.stock[fruit] < count:
            raise ValueError(f"There are only {self.stock[fruit]}.")
        self.stock[fruit] -= count
        return {"fruit": fruit, "left": self.stock[fruit]}

    def order(self, fruit, count):
        self.stock[fruit] += count
        return {"fruit": fruit, "left": self.stock[fruit]}

    def turns(self):
        heard, self.unheard = self.unheard, []
        return heard

    def finish(self, answer, until=None):
        self.check_open()
        self.open = False
        column = frozenset({"count"})
        changes = [
            RowChange("stock", "update", (name,), {"count": old}, {"count": self.stock[name]}, "agent", column)
            for name, old in self.before.items()
            if self.stock[name] != old
        ]
        return SimpleNamespace(calls=tuple(self.calls), messages=tuple(self.messages), answer=answer, changes=changes, lost=None)

    def close(self):
        self.open = False

    def fork(self):
        other = copy.copy(self)
        for name in ("stock", "calls", "messages", "unheard"):
            setattr(other, name, copy.copy(getattr(self, name)))
        return other

    def asynchronous(self):
        return Door(self)


class Door:
    """Calls to be awaited, one at a time."""

    def __init__(self, episode):
        self.episode, self.turn = episode, asyncio.Lock()

    async def call(self, tool, args):
        async with self.turn:
            await asyncio.sleep(0)
            return self.episode.call(tool, args)


class Stall:
    """The world; `episode` is the class of its episodes."""

    name, digest = "stall", "1"
    docs = (
        ToolDoc("list_stock", "All fruit and how much of it there is.", {}),
        ToolDoc("sell", "Sell some fruit.", {"fruit": NAME, "count": COUNT}, writes=True),
        ToolDoc("order", "Order more of a fruit.", {"fruit": NAME, "count": COUNT}, writes=True),
    )

    def __init__(self, episode=Episode):
        self.episode = episode
        self.checked = {tool.name: compile_arguments(tool.name, tool.args) for tool in self.docs}

    def tools(self):
        return self.docs

    def stock(self, seed):
        return {name: random.Random(f"{seed}:{name}").randint(5, 50) for name in FRUIT}

    def start(self, seed, params=None, parties=(), call_limit=None):
        return self.episode(self, seed, call_limit)

    def state_digest(self, seed):
        return hashlib.sha256(json.dumps(self.stock(seed)).encode()).hexdigest()


def stall():
    return Stall()


# ---- one fault each


def names_a_tool_twice():
    class Faulty(Stall):
        def tools(self):
            return (*self.docs, self.docs[0])

    return Faulty()


def has_no_digest():
    class Faulty:
        name = "stall"

        def __getattr__(self, name):
            if name == "digest":
                raise AttributeError(name)
            return getattr(Stall(), name)

    return Faulty()


def starts_at_random():
    class Faulty(Stall):
        def __init__(self):
            super().__init__()
            self.luck = random.SystemRandom().randrange(2**60)

        def stock(self, seed):
            return {name: random.Random(f"{seed}:{name}:{self.luck}").randint(5, 50) for name in FRUIT}

    return Faulty()


def leaks_state_into_the_next_episode():
    class Faulty(Stall):
        def __init__(self):
            super().__init__()
            self.kept = {}

        def start(self, seed, params=None, parties=(), call_limit=None):
            episode = super().start(seed, params, parties, call_limit)
            episode.stock = self.kept.setdefault(seed, episode.stock)
            return episode

    return Faulty()


CURRENT = {}


def keeps_the_state_of_all_episodes_in_a_global():
    class Sharing(Episode):
        def __init__(self, world, seed, limit):
            super().__init__(world, seed, limit)
            CURRENT["stock"] = self.stock

        def attempt(self, tool, args):
            self.stock = CURRENT["stock"]
            return super().attempt(tool, args)

    return Stall(Sharing)


def works_in_one_thread_only():
    class Faulty(Stall):
        def __init__(self):
            super().__init__()
            self.here = threading.local()
            self.here.ready = True

        def stock(self, seed):
            assert self.here.ready
            return super().stock(seed)

    return Faulty()


def shares_state_with_its_forks():
    class Sharing(Episode):
        def fork(self):
            other = super().fork()
            other.stock = self.stock
            return other

    return Stall(Sharing)


def ends_when_a_fork_ends():
    class Ending(Episode):
        def fork(self):
            other = super().fork()
            other.close = lambda: (setattr(self, "open", False), setattr(other, "open", False))
            return other

    return Stall(Ending)


def lets_awaited_calls_overtake_each_other():
    class Loose(Door):
        async def call(self, tool, args):
            for _ in range(len(tool)):
                await asyncio.sleep(0)
            return self.episode.call(tool, args)

    class Overtaking(Episode):
        def asynchronous(self):
            return Loose(self)

    return Stall(Overtaking)


def has_a_dead_tool():
    class Dead(Episode):
        def order(self, fruit, count):
            raise ValueError("The wholesaler doesn't answer.")

    return Stall(Dead)


def raises_for_arguments_of_a_wrong_type():
    class Untyped(Episode):
        def attempt(self, tool, args):
            if tool == "sell" and not isinstance(args["count"], int):
                raise TypeError("count is no int")
            return super().attempt(tool, args)

    return Stall(Untyped)


def takes_numbers_in_quotes():
    class Lenient(Episode):
        def attempt(self, tool, args):
            if isinstance(args, dict) and args.get("count") == "7":
                args = {**args, "count": 7}
            return super().attempt(tool, args)

    return Stall(Lenient)


def refuses_without_a_word():
    class Mute(Episode):
        def attempt(self, tool, args):
            result = super().attempt(tool, args)
            return result if result.ok or tool not in self.world.checked else CallResult(False)

    return Stall(Mute)


def quotes_all_of_what_it_refuses():
    class Long(Episode):
        def attempt(self, tool, args):
            if isinstance(args, dict) and isinstance(args.get("fruit"), str) and args["fruit"] not in FRUIT:
                return CallResult(False, error=f"There is no {args['fruit']}.")
            return super().attempt(tool, args)

    return Stall(Long)


def changes_something_before_it_refuses():
    class Hasty(Episode):
        def attempt(self, tool, args):
            if tool == "sell" and isinstance(args, dict) and "no_such_argument" in args:
                self.stock["apple"] += 1
            return super().attempt(tool, args)

    return Stall(Hasty)


def raises_for_an_unknown_tool():
    class Open(Episode):
        def attempt(self, tool, args):
            getattr(self, tool)
            return super().attempt(tool, args)

    return Stall(Open)


def ignores_the_limit_of_calls():
    class Endless(Episode):
        def __init__(self, world, seed, limit):
            super().__init__(world, seed, None)

    return Stall(Endless)


def lets_time_pass_beyond_the_limit():
    class Late(Episode):
        def call(self, tool, args):
            result = super().call(tool, args)
            if result.ended:
                self.clock += datetime.timedelta(minutes=1)
            return result

    return Stall(Late)


def records_good_calls_alone():
    class Forgetful(Episode):
        def finish(self, answer, until=None):
            self.calls = [record for record in self.calls if record.ok]
            return super().finish(answer, until)

    return Stall(Forgetful)


def rewrites_the_answer():
    class Tidy(Episode):
        def finish(self, answer, until=None):
            return super().finish({key: value for key, value in (answer or {}).items() if value is not None}, until)

    return Stall(Tidy)


def blames_the_agent_for_its_own_changes():
    class Blaming(Episode):
        def finish(self, answer, until=None):
            self.stock["apple"] -= 1
            return super().finish(answer, until)

    return Stall(Blaming)


def says_the_same_again():
    class Repeating(Episode):
        def turns(self):
            return list(self.messages)

    return Stall(Repeating)


def goes_on_after_the_end():
    class Undying(Episode):
        def finish(self, answer, until=None):
            evidence = super().finish(answer, until)
            self.open = True
            self.finish = lambda *_: self.check_closed()
            return evidence

        def check_closed(self):
            raise RuntimeError("finished")

    return Stall(Undying)


def fails_when_closed_twice():
    class Fragile(Episode):
        def close(self):
            if self.stock is None:
                raise RuntimeError("closed already")
            super().close()
            self.stock = None

    return Stall(Fragile)


def lists_a_set_in_its_own_order():
    class Unordered(Episode):
        def list_stock(self):
            return [{"fruit": name, "count": self.stock[name]} for name in set(FRUIT)]

    return Stall(Unordered)


def shows_local_time():
    class Local(Episode):
        def list_stock(self):
            return [*super().list_stock(), {"opened": time.strftime("%H:%M", time.localtime(1_800_000_000))}]

    return Stall(Local)


def reads_the_day():
    class Dated(Episode):
        def list_stock(self):
            return [*super().list_stock(), {"day": datetime.date.today().isoformat()}]

    return Stall(Dated)


def reads_the_time():
    class Timed(Episode):
        def list_stock(self):
            return [*super().list_stock(), {"at": int(time.time())}]

    return Stall(Timed)


def reads_the_time_in_a_library():
    class Timed(Episode):
        def list_stock(self):
            with contextlib.closing(sqlite3.connect(":memory:")) as database:
                [(at,)] = database.execute("SELECT CURRENT_TIMESTAMP")
            return [*super().list_stock(), {"at": at}]

    return Stall(Timed)


def has_neither_forks_nor_doors_nor_people():
    class Plain(Episode):
        fork = asynchronous = turns = None

    return Stall(Plain)


def refuses_to_fork():
    class Single(Episode):
        def fork(self):
            raise NotImplementedError("there is one of me")

    return Stall(Single)


def wants_a_password():
    class Guarded(Stall):
        docs = (*Stall.docs, ToolDoc("open_till", "Open the till.", {"password": ArgSpec(doc="The word.")}))

    class Guarding(Episode):
        def run(self, tool, args):
            if tool != "open_till":
                return super().run(tool, args)
            if args["password"] != "open sesame":
                raise ValueError("That is not the word.")
            return {"coins": 12}

    return Guarded(Guarding)
