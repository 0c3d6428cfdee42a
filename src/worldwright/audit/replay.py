"""What every repro script runs: one session of an audit again, against the environment's own code.

Takes what `repro.script_for` wrote down (how to load the environment, the session, the verdict that was wrong); prints
calls, results, reward, expected and got. Exit code 1 if the wrong verdict is seen again, 0 if not, 2 if it couldn't run.
Standard library only, Python 3.9 or newer: a repro script is this file with its data. Every session runs in a process of
its own with the session's surroundings; nothing is confined, so run it only where you would run the environment itself.
"""

from __future__ import annotations

import contextlib
import datetime as _datetime
import importlib
import importlib.util
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
import types
import zlib
from decimal import Decimal
from pathlib import Path
from typing import Any, Callable, Dict, Iterator  # noqa: UP035 - it must run on older Pythons

Data = Dict[str, Any]  # noqa: UP006 - as above

_SELF = Path(__file__)
_TIMEOUT = 120


def replay(data: Data, argv: list[str]) -> int:
    """Run the session again and say what came of it; gives the exit code."""
    if argv[:1] == ["--child"]:
        return _child(data, Path(argv[1]), int(argv[2]))
    if "--help" in argv or "-h" in argv:
        print(
            data["about"],
            "\n\nOptions: --path DIR  where the environment is, if no longer at",
            data["load"].get("pack") or data["load"]["paths"],
        )
        return 0
    path = argv[argv.index("--path") + 1] if "--path" in argv[:-1] else None
    print(data["about"] + "\n")
    tried = 0
    for _ in range(data["tries"]):
        tried += 1
        runs = [_run(number, session, path) for number, session in enumerate(data["sessions"])]
        cannot = next((run["cannot"] for run in runs if "cannot" in run), "")
        if cannot:
            print("Could not run: " + cannot)
            return 2
        wrong = _judged(data, runs)
        if wrong:
            break
    for number, run in enumerate(runs):
        if len(runs) > 1:
            print(f"== run {number + 1} of {len(runs)}: {data['titles'][number]}")
        _show(data["sessions"][number], run)
    print(f"expected: {data['expected']}\ngot:      {wrong or 'as expected'}" + (f" (try {tried} of {data['tries']})" if tried > 1 else ""))
    print("The wrong outcome is seen again." if wrong else "The wrong outcome is NOT seen again.")
    return 1 if wrong else 0


def _judged(data: Data, runs: list[Data]) -> str:
    """What is wrong about the runs ("" if nothing)."""
    judge, first = data["judge"], runs[0]
    if judge == "status":
        status = first["plays"][data["judged"]]["status"] if first["plays"] else "error"
        return status if status in data["wrong"] else ""
    if judge == "says":
        said = (first["plays"][data["judged"]]["said"] or [""])[-1]
        return f"it says {_short(said)}" if said and (said in data["said"] or data["said"] in said) else ""
    if judge == "leak":
        return first["leaks"] or ""
    if judge == "network":
        reached = [one for one in first["touched"] if one.startswith("socket.")]
        return f"it reaches for the network: {reached[0]}" if reached else ""
    for run, play, other_run, other_play in data["pairs"]:
        mine, other = runs[run]["plays"][play], runs[other_run]["plays"][other_play]
        for what in data["compare"]:
            if mine[what] != other[what]:
                return f"{what} differs: {_short(other[what])} ({data['titles'][other_run]}), {_short(mine[what])} ({data['titles'][run]})"
    broken = [play for play in first["plays"] if play["status"] == "error" and data["errors"]]
    return f"error: {broken[0]['fault']}" if broken else ""


def _show(session: Data, run: Data) -> None:
    for n, (play, done) in enumerate(zip(session["plays"], run["plays"]), 1):  # noqa: B905 - older Pythons have no strict
        if len(session["plays"]) > 1:
            print(f"-- episode {n} of {len(session['plays'])}: {play['case']}, seed {play['seed']}")
        print("prompt:   " + _short(done["prompt"], 400))
        for (tool, args), result in zip(play["acts"], done["results"]):  # noqa: B905 - as above
            print(f"  {tool}({_short(_decoded(args), 160)})\n     -> {_short(result, 200)}")
        if play["finish"]:
            print(f"answer:   {_short(_decoded(play['answer']), 200)}\nreward:   {done['reward']} ({done['status']})")
        if done["changes"]:
            print("changed:  " + _short("; ".join(done["changes"]), 600))
        if done["fault"]:
            print("fault:    " + _short(done["fault"], 400))


def _plain(value: Any) -> str:
    """The repr without addresses, which differ from run to run."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))


def _said(value: Any) -> str:
    """A result as the audit shows it."""
    try:
        return json.dumps(value, ensure_ascii=False)[:200]
    except (TypeError, ValueError):
        return repr(value)[:200]


def _short(value: Any, most: int = 160) -> str:
    text = value if isinstance(value, str) else repr(value)
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= most else text[:most] + "..."


def _run(number: int, session: Data, path: str | None) -> Data:
    """A session in a fresh process with its surroundings."""
    setting = session["setting"]
    with tempfile.TemporaryDirectory() as folder:
        out, where = Path(folder, "out.json"), Path(folder, setting["where"] or "home")
        where.mkdir(parents=True)
        environ = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "PYTHONPATH") if name in os.environ}
        environ.update(TZ=setting["zone"], LANG=setting["locale"], LC_ALL=setting["locale"], PYTHONHASHSEED=str(setting["hash_seed"]))
        environ.update(HOME=str(where), PYTHONDONTWRITEBYTECODE="1", **setting["environ"])
        if path:
            environ["REPRO_PATH"] = str(Path(path).resolve())
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 if setting["load"] else 0)]
        try:
            command = [sys.executable, str(_SELF.resolve()), "--child", str(out), str(number)]
            done = subprocess.run(command, env=environ, cwd=where, capture_output=True, text=True, errors="replace", timeout=_TIMEOUT)
            if out.exists():
                return dict(json.loads(out.read_text()))
            if "Traceback" not in done.stderr:
                return _ended(session, f"the process ended with {done.returncode}: {done.stderr[-300:]}")
            return {"cannot": done.stderr[-800:]}
        except subprocess.TimeoutExpired:
            return _ended(session, f"no end within {_TIMEOUT} s")
        finally:
            for one in busy:
                one.kill()
                one.wait()


def _ended(session: Data, fault: str) -> Data:
    plays = [_Play(None, play).told() for play in session["plays"]]
    return {"plays": [{**play, "status": "error", "fault": fault} for play in plays], "touched": [], "leaks": ""}


# ---- in the session's own process


def _child(data: Data, out: Path, number: int) -> int:
    session = data["sessions"][number]
    touched: list[str] = []
    if "pack" in data["load"]:
        run: Data = {"plays": _in_pack(data["load"], session), "touched": [], "leaks": ""}
    else:
        _shift(session["setting"]["days"])
        make = _loaded(data["load"])
        _watch(touched, session["setting"]["failing"])
        leaks = _leaks(make(), session["plays"][0], data["place"]) if data["judge"] == "leak" else ""
        run = {"plays": _played(make(), session), "touched": touched[:40], "leaks": leaks}
    out.write_text(json.dumps(run))
    return 0


def _loaded(load: Data) -> Callable[[], Any]:
    """The function that gives the environment."""
    sys.path[:0] = [os.environ["REPRO_PATH"]] if "REPRO_PATH" in os.environ else load["paths"]
    if "source" in load:
        module = types.ModuleType("environment")
        module.__file__ = load["file"]
        sys.modules["environment"] = module
        exec(compile(load["source"], load["file"], "exec"), module.__dict__)
    else:
        module = importlib.import_module(load["module"])
    function = getattr(module, load["function"])
    return lambda: function(**_decoded(load["args"]))


def _played(environment: Any, session: Data) -> list[Data]:
    plays = [_Play(environment, play) for play in session["plays"]]
    steps = [play.steps() for play in plays]
    order = session["order"] or [n for n, play in enumerate(session["plays"]) for _ in range(len(play["acts"]) + 2)]
    for n in order:
        next(steps[n], None)
    return [play.told() for play in plays]


class _Play:
    """One scripted attempt; `steps` yields after its start and after each act."""

    def __init__(self, environment: Any, play: Data) -> None:
        self.environment, self.play = environment, play
        self.results: list[str] = []
        self.said: list[str] = []
        self.changes: list[str] = []
        self.tools: list[str] = []
        self.kept: list[Any] = []
        self.reward: Any = None
        self.status, self.fault, self.prompt, self.state, self.reference = "unknown", "", "", "", ""

    def steps(self) -> Iterator[None]:
        play = self.play
        try:
            episode = self.environment.start(play["case"], play["seed"])
            self.prompt, self.tools = str(episode.prompt), [one.__name__ for one in episode.tools]
            before = None if play.get("unseen") else _offered(episode, "state")
            self.state, self.reference = _plain(before), _plain(_offered(episode, "reference")) if play["look"] else ""
            if play["look"] and _plain(_offered(episode, "state")) != self.state:
                self.state += " (and another one when asked twice)"
        except Exception as fault:  # noqa: BLE001 - what foreign code raises is what is shown
            self.status, self.fault = "error", f"start: {type(fault).__name__}: {fault}"
            return
        yield
        for tool, args in play["acts"]:
            self.act(episode, tool, _decoded(args, episode))
            yield
        after = None if play.get("unseen") else _offered(episode, "state")
        self.changes = _differences(before, after)
        if play["finish"] and not self.fault:
            self.finish(episode)
        for one in self.kept:
            one.kill()
            one.wait()
        yield

    def act(self, episode: Any, tool: str, args: Data) -> None:
        try:
            if tool.startswith("$") and tool != "$say":
                self.file(episode, tool, args)
                self.results.append("done")
                return
            call = (lambda text: episode.reply(text)) if tool == "$say" else next(one for one in episode.tools if one.__name__ == tool)
            value = call(**args)
            self.results.append(_plain(value))
            self.said.append(_said(value))
        except StopIteration:
            self.results.append("refused: no such tool")
        except (ValueError, TypeError) as fault:
            self.results.append(f"refused: {type(fault).__name__}: {fault}")
            self.said.append(str(fault))
        except Exception as fault:  # noqa: BLE001 - what foreign code raises is what is shown
            self.results.append(f"crashed: {type(fault).__name__}: {fault}")
            self.status, self.fault = "error", f"{tool}: {type(fault).__name__}: {fault}"

    def file(self, episode: Any, tool: str, args: Data) -> None:
        """Write, delete, or go on writing."""
        path = Path(episode.folder(), args["path"])
        if tool == "$delete":
            path.unlink()
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(args["text"], errors="surrogateescape")
        if tool == "$keep":
            loop = "import sys, time\nwhile True:\n    open(sys.argv[1], 'w').write(sys.argv[2])\n    time.sleep(0.005)"
            self.kept.append(subprocess.Popen([sys.executable, "-c", loop, str(path), args["text"]]))

    def finish(self, episode: Any) -> None:
        mark = getattr(episode, "pass_mark", 1.0)
        _GRADING.append(True)
        try:
            reward = episode.finish(_decoded(self.play["answer"], episode))
            if reward is None:
                return
            if not isinstance(reward, (int, float)) or math.isnan(reward):
                raise TypeError(f"finish gave {reward!r}, no number")
            self.reward, self.status = reward, "pass" if reward >= mark - 1e-9 else "fail"
        except Exception as fault:  # noqa: BLE001 - what foreign code raises is what is shown
            self.status, self.fault = "error", f"finish: {type(fault).__name__}: {fault}"
        finally:
            _GRADING.clear()

    def told(self) -> Data:
        names = ("status", "reward", "prompt", "results", "said", "changes", "fault", "tools", "state", "reference")
        return {name: getattr(self, name) for name in names}


def _leaks(environment: Any, play: Data, place: str) -> str:
    """What of the right answer, or of the finished work, stands in a place before anything is done ("" if nothing)."""
    episode = environment.start(play["case"], play["seed"])
    files = _files(episode)
    texts = {"the prompt": str(episode.prompt), **{f"the doc of {one.__name__}": str(one.__doc__) for one in episode.tools}}
    texts.update({f"the environment variable {name}": text for name, text in os.environ.items()})
    texts.update({f"the file {path}": text for path, text in files.items()})
    if "/..." in place:
        text = "\n".join(text for path, text in files.items() if place.startswith("the file " + path.split("/")[0]))
    else:
        text = next((texts[name] for name in texts if place == name or place.startswith(name + ",")), "")
    acts, answer = episode.reference()
    for tool, args in acts:
        next(one for one in episode.tools if one.__name__ == tool)(**args)
    parts = list(answer.values()) if isinstance(answer, dict) else list(answer) if isinstance(answer, (list, tuple)) else [answer]
    telling = [str(one) for one in parts if one is not None and not isinstance(one, bool) and len(str(one)) > 1]
    if telling and all(one.casefold() in text.casefold() for one in telling):
        return f"{place} holds the right answer, {_short(answer)}"
    done = [after.strip() for path, after in _files(episode).items() if files.get(path) != after]
    done += [value.strip() for _, args in acts for value in args.values() if isinstance(value, str) and len(value) > 40]
    return f"{place} holds the finished work: {_short(text)}" if any(len(one) > 2 and one in text for one in done) else ""


def _files(episode: Any) -> dict[str, str]:
    """The texts of the episode's folder; git objects unpacked."""
    folder = _offered(episode, "folder")
    out = {}
    for path in sorted(Path(folder).rglob("*")) if folder else []:
        if path.is_file():
            data = path.read_bytes()
            if "objects" in path.parts:
                with contextlib.suppress(zlib.error):
                    data = zlib.decompress(data)
            out[path.relative_to(folder).as_posix()] = data.decode("utf-8", "replace")
    return out


def _offered(episode: Any, name: str) -> Any:
    try:
        return getattr(episode, name)()
    except (AttributeError, NotImplementedError):
        return None


def _differences(before: Any, after: Any) -> list[str]:
    """Rows that went and rows that came, as text."""
    out = []
    for table in after or {}:
        old, new = [repr(row) for row in (before or {}).get(table, [])], [repr(row) for row in after[table]]
        out += [f"{table} - {row}" for row in old if row not in new] + [f"{table} + {row}" for row in new if row not in old]
    return out


def _decoded(value: Any, episode: Any = None) -> Any:
    """A value from the script's data; what could not leave the environment's process is asked for again."""
    if isinstance(value, list):
        return [_decoded(item, episode) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) != 1 or not next(iter(value)).startswith("$"):
        return {key: _decoded(item, episode) for key, item in value.items()}
    tag, inner = next(iter(value.items()))
    if tag == "$known":
        return f"<the environment's own answer: {inner[1]}>" if episode is None else _known(episode, inner[0])
    return _TAGS[tag](_decoded(inner, episode))


_TAGS: Dict[str, Callable[[Any], Any]] = {  # noqa: UP006 - as above
    "$tuple": tuple,
    "$set": set,
    "$frozenset": frozenset,
    "$pairs": dict,
    "$bytes": bytes.fromhex,
    "$float": float,
    "$complex": complex,
    "$decimal": Decimal,
    "$datetime": _datetime.datetime.fromisoformat,
    "$date": _datetime.date.fromisoformat,
    "$time": _datetime.time.fromisoformat,
}


def _known(episode: Any, number: int) -> Any:
    return episode.reference()[1] if number == 0 else episode.alternatives()[number - 1][1]


_GRADING: list[bool] = []


def _watch(touched: list[str], failing: list[str]) -> None:
    """Note what is reached for, and let what is to fail fail while grading."""

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.gethostbyname"):
            touched.append(f"{event} {args[1:] if event == 'socket.connect' else args[:2]}")
        if _GRADING and failing and _fails(event, args, failing):
            raise OSError(5, f"{event} fails, as on a broken machine")

    sys.addaudithook(hook)


def _fails(event: str, args: tuple[Any, ...], failing: list[str]) -> bool:
    if event != "open":
        return event in failing
    path = str(args[0])
    own = (
        path.endswith((".py", ".pyc", ".so"))
        or path.startswith((sys.prefix, sys.base_prefix, "/proc", "/dev", "/sys"))
        or isinstance(args[0], int)
    )
    return not own and ("open" in failing or "open:outside" in failing)


def _from(plain: Callable[[float], Any], now: Callable[[], float]) -> Callable[..., Any]:
    """A function of the time module with another now."""
    return lambda at=None: plain(now() if at is None else at)


def _shift(days: float) -> None:
    """Move the wall clock, as Python code sees it."""
    if not days:
        return
    by, real_time = days * 86400, time.time
    real: Any = _datetime.datetime
    real_date: Any = _datetime.date
    for name in ("localtime", "gmtime", "ctime"):
        setattr(time, name, _from(getattr(time, name), lambda: real_time() + by))
    formatted = time.strftime
    time.strftime = lambda form, at=None: formatted(form, time.localtime() if at is None else at)
    time.time, time.time_ns = lambda: real_time() + by, lambda: int((real_time() + by) * 1e9)

    class Moved(real):  # type: ignore[misc]
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return cls.fromtimestamp(real_time() + by, tz)

        @classmethod
        def utcnow(cls) -> Any:
            return cls.fromtimestamp(real_time() + by, _datetime.UTC).replace(tzinfo=None)

        @classmethod
        def today(cls) -> Any:
            return cls.now()

    class Day(real_date):  # type: ignore[misc]
        @classmethod
        def today(cls) -> Any:
            return cls.fromtimestamp(real_time() + by)

    _datetime.datetime, _datetime.date = Moved, Day  # type: ignore[misc]


def _in_pack(load: Data, session: Data) -> list[Data]:
    """The session on a pack, by the engine itself: needs worldwright."""
    from worldwright.audit.adapters.pack import PackSubject
    from worldwright.audit.subject import Act, Play, Session, Setting
    from worldwright.pack import read_pack

    subject = PackSubject(read_pack(os.environ.get("REPRO_PATH") or load["pack"]))
    plays = tuple(
        Play(
            one["case"], one["seed"], tuple(Act(tool, _decoded(args)) for tool, args in one["acts"]), _decoded(one["answer"]), one["finish"]
        )
        for one in session["plays"]
    )
    setting = Setting(**{**session["setting"], "failing": tuple(session["setting"]["failing"])})
    return [
        {
            "status": one.status,
            "reward": one.reward,
            "prompt": one.prompt,
            "results": [repr(result.value) if result.ok else f"refused: {result.error or result.crash}" for result in one.results],
            "changes": [f"{change.op} {change.table} {change.key} {change.new}" for change in one.changes or ()],
            "fault": one.fault or "; ".join(one.checks),
            "said": [_said(result.value) if result.ok else str(result.error or result.crash) for result in one.results],
            **dict.fromkeys(("tools", "state", "reference"), ""),
        }
        for one in subject.run(Session(plays, tuple(session["order"]), setting))
    ]
