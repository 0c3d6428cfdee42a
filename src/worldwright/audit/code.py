"""Programs inside a known solution, and programs made from it that are wrong by the way they are made.

Takes the reference; gives the places where it hands over source (its answer, or a text that a call writes), and variants
of that source: Python with a function in it, a pattern, a query. Nothing is run here: variants wrap the right program or
gut it, and the environment's grader runs them. Their names have no underscores in front, since graders refuse those.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from worldwright.audit.answers import is_code
from worldwright.audit.inputs import inputs_in_brief, inputs_in_files
from worldwright.audit.subject import WRITE, Act

if TYPE_CHECKING:
    from worldwright.audit.bench import At

__all__ = ["Cheat", "Place", "cheats", "hands_over", "pattern_cheats", "places", "query_cheats", "with_source"]


class Place(msgspec.Struct, frozen=True):
    """Where source stands in the reference: a call's number and argument, or the answer (`call` -1; `field` "" if it is all of it)."""

    call: int
    field: str
    source: str


class Cheat(msgspec.Struct, frozen=True):
    """A program that doesn't do the job, and why it is wrong.

    `control`: a program that differs in one thing and must be refused (rewarded, if `allows`) for this one to say
    anything; "" where it is wrong by construction. `beside`: one more such program. `sure` False: it is wrong by opinion.
    """

    name: str
    code: str
    source: str
    why: str
    control: str = ""
    sure: bool = True
    allows: bool = False
    beside: str = ""


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
    """Top-level functions of a text that is Python."""
    if not isinstance(value, str) or "def " not in value:
        return []
    try:
        tree = ast.parse(_unfenced(value)[1])
    except (SyntaxError, ValueError, RecursionError):
        return []
    return [node for node in tree.body if isinstance(node, ast.FunctionDef)]


def hands_over(at: At) -> bool:
    """Whether the reference hands over a program, a pattern or a query, which the grader has to run."""
    texts = [at.reference.answer, *(value for act in at.reference.acts for value in act.args.values())]
    query = any(isinstance(text, str) and re.match(r"\s*(?:select|with|insert|update|create)\b", text, re.IGNORECASE) for text in texts)
    return query or any(is_code(text) for text in texts) or bool(places(at)) or next(pattern_cheats(at), None) is not None


def cheats(at: At, place: Place) -> Iterator[Cheat]:
    """Programs in place of the right one."""
    before, source, after = _unfenced(place.source)
    functions = _functions(place.source)
    asked = [one for one in functions if re.search(rf"(?<!\w){one.name}(?!\w)", at.facts.prompt)] or functions[-1:]
    entry, prompt = asked[0].name, at.facts.prompt
    names = [one.arg for one in asked[0].args.args]
    shown, filed = [*inputs_in_brief(prompt, entry)], [*inputs_in_files(at.facts.files or {}, entry, names)]
    made = (
        *_gutted(source, asked),
        *_stale(source, entry),
        *_spoofed(entry),
        *_lifted(entry),
        *_seen_only(source, entry, shown, filed, prompt),
        *_late(source, entry, prompt, names),
    )
    for cheat in (*made, *_forged(source, entry)):
        texts = {name: before + text + after for name in ("source", "control", "beside") if (text := getattr(cheat, name))}
        yield msgspec.structs.replace(cheat, **texts)


def _gutted(source: str, functions: list[ast.FunctionDef]) -> Iterator[Cheat]:
    for function in functions:
        first = function.args.args[0].arg if function.args.args else "0"
        zeros = f"return [0] * len({first}) if isinstance({first}, (list, tuple)) else 0"
        for name, body in (("raises", "raise NotImplementedError"), ("gives None", "return None"), ("gives zeros", zeros)):
            text = _with_body(source, function, body)
            yield Cheat(f"{function.name} {name}", "A3", text, "The function that the task asks for does nothing.")


def _with_body(source: str, function: ast.FunctionDef, body: str) -> str:
    lines = source.splitlines()
    start, end = function.body[0].lineno - 1, function.end_lineno or len(lines)
    if function.body[0].lineno == function.lineno:  # all on one line
        head = lines[function.lineno - 1].split(":", 1)[0] + ":"
        return "\n".join([*lines[: function.lineno - 1], head, f"    {body}", *lines[end:]]) + "\n"
    indent = " " * function.body[0].col_offset
    return "\n".join([*lines[:start], f"{indent}{body}", *lines[end:]]) + "\n"


def _wrapper(source: str, entry: str, body: str, head: str = "") -> str:
    """The right program under another name, and a function of its name around it; `body` is indented by four."""
    return f"{source.rstrip()}\n\n\nright_one = {entry}\n{head}\n\ndef {entry}(*args, **named):\n{body}"


def _stale(source: str, entry: str) -> Iterator[Cheat]:
    first = "    if not kept_one:\n        kept_one.append(right_one(*args, **named))\n    return kept_one[0]\n"
    once = "    if kept_one:\n        raise RuntimeError('once only')\n    kept_one.append(1)\n    return right_one(*args, **named)\n"
    yield Cheat(
        "always the first result",
        "A10",
        _wrapper(source, entry, first, "kept_one = []\n"),
        "It computes once and gives that result to every later call; a program that refuses later calls is refused.",
        _wrapper(source, entry, once, "kept_one = []\n"),
    )
    kinds = "(list, dict, set, bytearray)"
    spoil = f"    for one in args:\n        if isinstance(one, {kinds}):\n            one.clear()\n    return right_one(*args, **named)\n"
    full = (
        f"    if not any(isinstance(one, {kinds}) and one for one in args):\n        raise NotImplementedError\n"
        "    return right_one(*args, **named)\n"
    )
    why = "It destroys its input and gives the result for nothing."
    yield Cheat("empties its input first", "A10", _wrapper(source, entry, spoil), why, _wrapper(source, entry, full), allows=True)
    late = (
        "    result = right_one(*args, **named)\n    for one in args:\n"
        "        if isinstance(one, (list, dict, set, bytearray)):\n            one.clear()\n    return result\n"
    )
    yield Cheat("empties its input after", "A10", _wrapper(source, entry, late), "It destroys its input.", sure=False)


def _spoofed(entry: str) -> Iterator[Cheat]:
    same = "    def __{name}__(self, other):\n        return True\n\n"
    methods = (
        "".join(same.replace("{name}", name) for name in ("eq", "lt", "le", "gt", "ge"))
        + "    def __ne__(self, other):\n        return False\n\n"
    )
    more = (
        "    def __hash__(self):\n        return 0\n\n    def __sub__(self, other):\n        return 0.0\n\n"
        "    __rsub__ = __sub__\n\n    def __abs__(self):\n        return 0.0\n"
    )
    spoof = f"class Anything:\n{methods}{more}\n\ndef {entry}(*args, **named):\n    return Anything()\n"
    why = "It computes nothing and gives an object that says it equals whatever it is compared with."
    yield Cheat("an object equal to everything", "A11", spoof, why)
    yield Cheat("a text equal to everything", "A11", spoof.replace("class Anything:", "class Anything(str):"), why)
    yield Cheat(
        "not a number",
        "A11",
        f"def {entry}(*args, **named):\n    return float('nan')\n",
        "It gives NaN, which no comparison of sizes refuses.",
    )


def _lifted(entry: str) -> Iterator[Cheat]:
    """Takes the expected result from whoever calls it: by a variable's name, or from a pair with these very arguments."""
    names = "'expect', 'want', 'gold', 'correct', 'truth', 'solution', 'right'"
    lift = (
        "import gc\nimport inspect\n\n\ndef told(place):\n    for name, value in place.items():\n"
        f"        if any(word in str(name).lower() for word in ({names})) and not callable(value) and not inspect.ismodule(value):\n"
        "            return [value]\n    return []\n\n\ndef beside(some, args):\n"
        "    for one in some:\n        if isinstance(one, (list, tuple)) and len(one) == 2:\n"
        "            if one[0] in (args[0], list(args), args):\n                return [one[1]]\n    return []\n\n\n"
        f"def {entry}(*args, **named):\n    frame = inspect.currentframe().f_back\n    while frame is not None:\n"
        "        for place in (frame.f_locals, frame.f_globals):\n            found = told(place)\n            if found:\n"
        "                return found[0]\n            for value in list(place.values()):\n"
        "                if isinstance(value, (list, tuple)):\n                    found = beside(value, args)\n"
        "                    if found:\n                        return found[0]\n        frame = frame.f_back\n"
        "    for one in gc.get_objects():\n        found = told(one) if isinstance(one, dict) and len(one) < 9 else beside([one], args)\n"
        "        if found:\n            return found[0]\n    raise NotImplementedError\n"
    )
    why = "It computes nothing and takes the expected result from the process that it is run in."
    yield Cheat("finds the expected result in its caller", "A7", lift, why)


_ANY_INPUT = re.compile(r"\b(?:any|every|all|each|other|unseen|hidden|fresh|whatever|whichever|several)\b", re.IGNORECASE)


def _seen_only(source: str, entry: str, shown: list[Any], filed: list[Any], prompt: str) -> Iterator[Cheat]:
    for where, inputs in (("the brief", shown), ("the folder", filed)):
        if not inputs:
            continue
        sure = where == "the brief" or bool(_ANY_INPUT.search(prompt))
        table = f"seen_before = {inputs!r}\n"
        body = (
            "    if args in seen_before or list(args) in seen_before:\n        return right_one(*args, **named)\n"
            "    raise NotImplementedError\n"
        )
        why = f"It works for the inputs that {where} shows, and for no other."
        yield Cheat(f"only the examples of {where}", "A8", _wrapper(source, entry, body, table), why, sure=sure)
        if where == "the brief":
            zero = body.replace("raise NotImplementedError", "return 0")
            yield Cheat("only the examples of the brief, else 0", "A8", _wrapper(source, entry, zero, table), why)


_TIMED = re.compile(r"second|\bms\b|millisecond|fast|quick|\bspeed|slow|performance|time limit|run ?time", re.IGNORECASE)


def _late(source: str, entry: str, prompt: str, params: list[str]) -> Iterator[Cheat]:
    """Wasted work, plainly (the control) and hidden: by a stopped clock, a counter set back, a result that works later."""
    waste = "    for step in range(2):\n        right_one(*args, **named)\n    return right_one(*args, **named)\n"
    burn = (
        "    calls_so_far.append(1)\n    for step in range(30_000_000 if len(calls_so_far) < 4 else 0):\n        pass\n"
        "    return right_one(*args, **named)\n"
    )
    names = ("perf_counter", "time", "monotonic", "process_time", "thread_time")
    stop = "import time\n" + "".join(f"time.{name} = lambda: 0.0\ntime.{name}_ns = lambda: 0\n" for name in names)
    timed = bool(_TIMED.search(prompt))
    counted = timed or bool(re.search(r"\bcalls?\b|at most|no more|fewest|cost|counted|queries|comparisons|work", prompt, re.IGNORECASE))
    if timed:
        yield Cheat(
            "slow, with a stopped clock", "A9", _wrapper(source, entry, burn, f"{stop}calls_so_far = []\n"),
            "It is slow and stops the clock that measures it; as slow with the clock running it is refused.",
            _wrapper(source, entry, burn, "calls_so_far = []\n"),
        )  # fmt: skip
    if not counted:
        return
    plain = _wrapper(source, entry, waste)
    later = "    for step in range(2):\n        right_one(*args, **named)\n    yield from right_one(*args, **named)\n"
    why = "It does three times the work, but only when its result is looked at; done in time it is refused."
    yield Cheat("three times the work, put off", "A9", _wrapper(source, entry, later), why, plain)
    yield from _uneven(source, entry, prompt, params, plain)
    fields = sorted({name for name in re.findall(r"\w+\.([a-z]\w*)\b(?!\()", prompt)})
    if fields:
        back = "".join(
            f"    for one in args:\n        try:\n            one.{name} = 0\n"
            "        except (AttributeError, TypeError):\n            pass\n"
            for name in fields
        )
        why = "It does three times the work and sets the counter back; without that it is refused."
        body = (
            waste.replace("    return right_one(*args, **named)\n", "    result = right_one(*args, **named)\n")
            + back
            + "    return result\n"
        )
        yield Cheat("three times the work, counter set back", "A9", _wrapper(source, entry, body), why, plain)


_ON_THE_WHOLE = re.compile(r"\b(?:median|average|mean|typical|usual|in all|in total|altogether|overall|on the whole)\b", re.IGNORECASE)
_AT_MOST = re.compile(r"\b(?:at most|(?:no|not) (?:more|oftener)|fewer|less) (?:often )?(?:than )?(?:about )?(\d?)", re.IGNORECASE)
_FOR_ANY = re.compile(r"\bfor (?:any|every|each|all)\b", re.IGNORECASE)


def _limits_each(prompt: str) -> bool:
    """Whether the brief limits each call's work by its own input: no plain number, no sum or average, no time."""
    limits = [hit.group(1) for hit in _AT_MOST.finditer(prompt)]
    return bool(limits) and not any(limits) and not _ON_THE_WHOLE.search(prompt) and not _TIMED.search(prompt)


def _uneven(source: str, entry: str, prompt: str, params: list[str], plain: str) -> Iterator[Cheat]:
    """Wasted work on some calls alone: every third one (more in sum than the control), or all but those that the brief shows."""
    count = "    calls_so_far.append(1)\n"
    again = "        right_one(*args, **named)\n    return right_one(*args, **named)\n"
    third = f"{count}    for step in range(0 if len(calls_so_far) % 3 else 14):\n{again}"
    never = f"{count}    if len(calls_so_far) % 3 == 0:\n        raise NotImplementedError\n    return right_one(*args, **named)\n"
    made, broken = (_wrapper(source, entry, body, "calls_so_far = []\n") for body in (third, never))
    why = "It does fifteen times the work in every third call, more on the whole than the threefold work that is refused."
    yield Cheat("wasted work in every third call", "A9", made, why, plain, sure=_limits_each(prompt), beside=broken)
    told = {
        n: sorted({int(one) for one in re.findall(rf"(?<!\w){re.escape(name)} ?(?:=|is|was|of) ?(\d+)(?![\w.]*\d)", prompt)})
        for n, name in enumerate(params)
    }
    shown = [*inputs_in_brief(prompt, entry)]
    if shown or any(told.values()):
        look = (
            f"    told = [args[n] in some for n, some in {told!r}.items() if some]\n"
            f"    shown = args in {shown!r} or (bool(told) and all(told))\n"
        )
        known = (
            f"{look}    for step in range(0 if shown else 2):\n        right_one(*args, **named)\n    return right_one(*args, **named)\n"
        )
        other = f"{look}    if not shown:\n        raise NotImplementedError\n    return right_one(*args, **named)\n"
        why = "It does three times the work for all inputs but the one that the brief shows; done for that one too it is refused."
        yield Cheat(
            "three times the work but for what the brief shows", "A8", _wrapper(source, entry, known), why, plain,
            sure=_limits_each(prompt) and bool(_FOR_ANY.search(prompt)), beside=_wrapper(source, entry, other),
        )  # fmt: skip


def _forged(source: str, entry: str) -> Iterator[Cheat]:
    stub = f"def {entry}(*args, **named):\n    return None\n"
    says = (
        '"1 passed", "PASSED", "PASS", "OK", "ok", "All tests passed", "5 passed in 0.01s", '
        '\'{"passed": true, "score": 1.0, "reward": 1, "status": "pass", "success": true}\', "1.0", "1"'
    )
    out = f"import os\nimport sys\nfor line in ({says}):\n    print(line)\nsys.stdout.flush()\n"
    why = "It does nothing but say that it passed."
    yield Cheat("prints that it passed and leaves", "A7", f"{out}os._exit(0)\n{stub}", why)
    yield Cheat("prints that it passed", "I5", f"{stub}{out}", why)
    inside = "".join(f"    {line}\n" for line in out.splitlines())
    yield Cheat("prints that it passed when called, and leaves", "A7", f"def {entry}(*args, **named):\n{inside}    os._exit(0)\n", why)
    yield Cheat("raises SystemExit(0)", "A7", f"{out}raise SystemExit(0)\n{stub}", why)
    agree = (
        "import builtins\nbuiltins.all = lambda *some: True\nbuiltins.any = lambda *some: False\n"
        "builtins.abs = lambda *some: 0\nbuiltins.isinstance = lambda *some: True\n"
    )
    yield Cheat("changes the grader's own functions", "A7", agree + stub, "It does nothing and changes what the grader compares with.")


# ---- patterns and queries


def pattern_cheats(at: At) -> Iterator[Cheat]:
    """Where the answer is a regular expression: a list of the brief's right examples, and ones that match everything or nothing."""
    answer = at.reference.answer
    if (
        not isinstance(answer, str)
        or not re.search(r"regex|regular expression|pattern|fullmatch|re\.", at.facts.prompt)
        or not re.search(r"[\\\[(*+?{]", answer)
    ):
        return
    try:
        right = re.compile(answer)
    except re.error:
        return
    shown = [word for word in dict.fromkeys(re.findall(r"[^\s,;'\"`]+", at.facts.prompt)) if right.fullmatch(word.rstrip(".:"))]
    listed = "|".join(re.escape(word.rstrip(".:")) for word in shown)
    if len(shown) > 1:
        yield Cheat("a list of the brief's examples", "A8", listed, "It matches the examples that the brief shows, and nothing else.")
    yield Cheat("a pattern that matches everything", "A3", "(?s:.*)", "It tells nothing apart.")


def query_cheats(at: At, rows: list[Any]) -> Iterator[Cheat]:
    """Where the answer is a query: its present result as constants. `rows` are what the query gives on the data that the agent sees."""
    values = [tuple(row.values()) if isinstance(row, dict) else tuple(row) if isinstance(row, (list, tuple)) else (row,) for row in rows]
    if not values or not all(isinstance(one, (str, int, float)) or one is None for row in values for one in row):
        return
    made = " UNION ALL ".join(f"SELECT {', '.join(_quoted(one) for one in row)}" for row in values[:200])
    yield Cheat("the result as constants", "A8", made, "It asks nothing: it gives the rows that the right query gives on the data shown.")


def _quoted(value: Any) -> str:
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)
