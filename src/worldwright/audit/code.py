"""Python source inside a known solution, and programs made from it that are wrong by the way they are made.

Takes the reference; gives the places where it hands over source (its answer, or a text that a call writes), and variants
of that source. Nothing is run here: variants wrap the right program or gut it, and the environment's grader runs them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from worldwright.audit.subject import WRITE, Act

if TYPE_CHECKING:
    from worldwright.audit.bench import At

__all__ = ["Cheat", "Place", "cheats", "places", "with_source"]


class Place(msgspec.Struct, frozen=True):
    """Where source stands in the reference: a call's number and argument, or the answer (`call` -1; `field` "" if it is all of it)."""

    call: int
    field: str
    source: str


class Cheat(msgspec.Struct, frozen=True):
    """A program that doesn't do the job, and why it is wrong. `control`: a program that differs in one thing and must be refused
    for this one to say anything ("" where it is wrong by construction)."""

    name: str
    code: str
    source: str
    why: str
    control: str = ""
    sure: bool = True
    allows: bool = False
    """Whether the control must be rewarded, instead of refused, for the cheat to say anything."""


def places(at: At) -> list[Place]:
    """Every place in the reference that holds Python with a function in it."""
    reference = at.reference
    found = [
        Place(n, name, value)
        for n, act in enumerate(reference.acts)
        for name, value in act.args.items()
        if _functions(value) and (act.tool == WRITE or not act.tool.startswith("$"))
    ]
    if _functions(reference.answer):
        found.append(Place(-1, "", reference.answer))
    elif isinstance(reference.answer, dict):
        found += [Place(-1, key, value) for key, value in reference.answer.items() if _functions(value)]
    return found


def with_source(at: At, place: Place, source: str) -> tuple[tuple[Act, ...], Any]:
    """The reference's calls and answer with other source at that place."""
    acts, answer = at.reference.acts, at.reference.answer
    if place.call >= 0:
        act = acts[place.call]
        changed = msgspec.structs.replace(act, args=act.args | {place.field: source})
        return (*acts[: place.call], changed, *acts[place.call + 1 :]), answer
    return acts, source if not place.field else answer | {place.field: source}


def _unfenced(text: str) -> tuple[str, str, str]:
    fence = re.search(r"(.*```(?:python|py)?\n)(.*?)(\n```.*)", text, re.DOTALL)
    return (fence.group(1), fence.group(2), fence.group(3)) if fence else ("", text, "")


def _functions(value: Any) -> list[ast.FunctionDef]:
    """Top-level functions and methods of a text that is Python."""
    if not isinstance(value, str) or "def " not in value:
        return []
    try:
        tree = ast.parse(_unfenced(value)[1])
    except (SyntaxError, ValueError, RecursionError):
        return []
    return [node for node in tree.body if isinstance(node, ast.FunctionDef)]


def cheats(at: At, place: Place) -> Iterator[Cheat]:
    """Programs in place of the right one."""
    before, source, after = _unfenced(place.source)
    functions = _functions(place.source)
    asked = [one for one in functions if re.search(rf"(?<!\w){one.name}(?!\w)", at.facts.prompt)] or functions[-1:]
    entry = asked[0].name
    for cheat in (*_gutted(source, asked), *_wrapped(source, entry, at.facts.prompt), *_forged(source, entry)):
        yield msgspec.structs.replace(cheat, source=before + cheat.source + after, control=before + cheat.control + after if cheat.control else "")


def _gutted(source: str, functions: list[ast.FunctionDef]) -> Iterator[Cheat]:
    for function in functions:
        for name, body in (("raises", "raise NotImplementedError"), ("gives None", "return None"), ("gives its first argument", "")):
            first = function.args.args[0].arg if function.args.args else ""
            if not body and not first:
                continue
            text = _with_body(source, function, body or f"return {first}")
            yield Cheat(f"{function.name} {name}", "A3", text, "The function that the task asks for does nothing.", sure=bool(body))


def _with_body(source: str, function: ast.FunctionDef, body: str) -> str:
    lines = source.splitlines()
    start, end = function.body[0].lineno - 1, function.end_lineno or len(lines)
    if function.body[0].lineno == function.lineno:  # all on one line
        head = lines[function.lineno - 1].split(":", 1)[0] + ":"
        return "\n".join([*lines[: function.lineno - 1], head, f"    {body}", *lines[end:]]) + "\n"
    indent = " " * function.body[0].col_offset
    return "\n".join([*lines[:start], f"{indent}{body}", *lines[end:]]) + "\n"


def _wrapped(source: str, entry: str, prompt: str) -> Iterator[Cheat]:
    keep = f"{source.rstrip()}\n\n_right = {entry}\n"
    stale = f"{keep}_kept = []\n\n\ndef {entry}(*args, **named):\n    if not _kept:\n        _kept.append(_right(*args, **named))\n    return _kept[0]\n"
    once = f"{keep}_kept = []\n\n\ndef {entry}(*args, **named):\n    if _kept:\n        raise RuntimeError('once only')\n    _kept.append(1)\n    return _right(*args, **named)\n"
    yield Cheat(
        "always the first result", "A10", stale, "It computes once and gives that result to every later call; one that refuses later calls is refused.", once
    )
    kept = f"{keep}_kept = {{}}\n\n\ndef {entry}(*args, **named):\n    key = tuple(id(one) for one in args)\n    if key not in _kept:\n        _kept[key] = (_right(*args, **named), args)\n    return _kept[key][0]\n"
    yield Cheat("cached by identity", "A10", kept, "It gives an old result for an object that has changed since.", sure=False)
    spoiled = (
        f"{keep}\n\ndef {entry}(*args, **named):\n    for one in args:\n        if isinstance(one, (list, dict, set, bytearray)):\n            one.clear()\n"
        "    return _right(*args, **named)\n"
    )
    full = (
        f"{keep}\n\ndef {entry}(*args, **named):\n    if not any(isinstance(one, (list, dict, set, bytearray)) and one for one in args):\n"
        "        raise NotImplementedError\n    return _right(*args, **named)\n"
    )
    yield Cheat("empties its input first", "A10", spoiled, "It destroys its input and gives the result for nothing.", full, allows=True)
    spoof = (
        f"class _Any:\n    def __eq__(self, other):\n        return True\n\n    def __ne__(self, other):\n        return False\n\n    def __hash__(self):\n        return 0\n\n"
        f"    def __lt__(self, other):\n        return True\n\n    __le__ = __gt__ = __ge__ = __lt__\n\n    def __bool__(self):\n        return True\n\n"
        f"    def __sub__(self, other):\n        return 0.0\n\n    __rsub__ = __abs__ = lambda self, other=None: 0.0\n\n\ndef {entry}(*args, **named):\n    return _Any()\n"
    )
    yield Cheat("an object equal to everything", "A11", spoof, "It computes nothing and gives an object that says it equals whatever it is compared with.")
    nan = f"def {entry}(*args, **named):\n    return float('nan')\n"
    yield Cheat("not a number", "A11", nan, "It gives NaN, which no comparison of sizes refuses.")
    seen = sorted(set(_visible(prompt, entry)))
    if seen:
        table = f"{keep}_SEEN = {seen!r}\n\n\ndef {entry}(*args, **named):\n    if repr(args) in _SEEN:\n        return _right(*args, **named)\n    raise NotImplementedError\n"
        yield Cheat("only the examples of the brief", "A8", table, "It works for the inputs that the brief shows, and for no other.")
    slow = f"{keep}import time\n_wait = time.sleep\n{{patch}}\n\ndef {entry}(*args, **named):\n    _wait(0.03)\n    return _right(*args, **named)\n"
    patch = "for _name in ('perf_counter', 'time', 'monotonic', 'process_time', 'thread_time'):\n    setattr(time, _name, lambda: 0.0)\nfor _name in ('perf_counter_ns', 'time_ns', 'monotonic_ns', 'process_time_ns'):\n    setattr(time, _name, lambda: 0)\n"
    yield Cheat("slow, with a patched timer", "A9", slow.replace("{patch}", patch), "It is slow and stops the clock that measures it; as slow without that it is refused.", slow.replace("{patch}", ""))
    lazy = (
        f"{keep}import time\n\n\nclass _Later:\n    def __init__(self, args, named):\n        self.args, self.named = args, named\n\n    def _now(self):\n        time.sleep(0.03)\n"
        "        return _right(*self.args, **self.named)\n\n    def __eq__(self, other):\n        return self._now() == other\n\n    def __iter__(self):\n        return iter(self._now())\n\n"
        "    def __float__(self):\n        return float(self._now())\n\n    def __len__(self):\n        return len(self._now())\n\n    def __getitem__(self, key):\n        return self._now()[key]\n\n"
        f"    def __hash__(self):\n        return 0\n\n\ndef {entry}(*args, **named):\n    return _Later(args, named)\n"
    )
    yield Cheat("work put off until it is looked at", "A9", lazy, "It does the work after the clock has stopped; as slow in time it is refused.", slow.replace("{patch}", ""))


def _visible(prompt: str, entry: str) -> Iterator[str]:
    """Argument tuples of the calls that the brief shows, as text."""
    for hit in re.finditer(rf"(?<!\w){re.escape(entry)}\(", prompt):
        tail = prompt[hit.start() :]
        for end in [n for n, char in enumerate(tail[:400]) if char == ")"]:
            try:
                call = ast.parse(tail[: end + 1], mode="eval").body
                yield repr(tuple(ast.literal_eval(one) for one in call.args))  # type: ignore[attr-defined]
                break
            except (SyntaxError, ValueError, AttributeError):
                continue


def _forged(source: str, entry: str) -> Iterator[Cheat]:
    stub = f"def {entry}(*args, **named):\n    return None\n"
    says = '"1 passed", "PASSED", "PASS", "OK", "All tests passed", "5 passed in 0.01s", \'{"passed": true, "score": 1.0, "reward": 1, "status": "pass", "success": true}\', "Ran 1 test in 0.001s\\n\\nOK"'
    out = f"import os, sys\nfor _line in ({says}):\n    print(_line)\nsys.stdout.flush()\n"
    why = "It does nothing but say that it passed."
    yield Cheat("prints that it passed and leaves", "A7", f"{out}os._exit(0)\n{stub}", why)
    yield Cheat("prints that it passed", "I5", f"{stub}{out}", why)
    yield Cheat("raises SystemExit(0)", "A7", f"{out}raise SystemExit(0)\n{stub}", why)
    broken = f"import builtins\nbuiltins.all = lambda *_: True\nbuiltins.any = lambda *_: False\nbuiltins.abs = lambda *_: 0\nbuiltins.isinstance = lambda *_: True\n{stub}"
    yield Cheat("changes the grader's own functions", "A7", broken, "It does nothing and changes what the grader compares with.")
