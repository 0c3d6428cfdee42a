"""A subject over a module in the protocol for plain Python, in this process: fast, unconfined, for tests of what comes after."""

from __future__ import annotations

import copy
import hashlib
import importlib.util
import inspect
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from worldwright.audit.subject import SAY, Act, Argument, Attempt, Change, Facts, Known, Play, Result, Session, Tool

DESKS = Path(__file__).parent / "desks.py"
_TYPES = {"str": "str", "int": "int", "float": "float", "bool": "bool"}


class InProcess:
    """`kind` is python, `load` as adapters have it. Only plain settings; everything that an environment raises is data."""

    kind = "python"

    def __init__(self, function: str, path: Path = DESKS) -> None:
        self.load = {"module": path.stem, "function": function, "paths": [str(path.parent)]}
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        self.make = getattr(module, function)
        self.environment = self.make()
        self.name = self.environment.name
        self.digest = hashlib.sha256(path.read_bytes() + function.encode()).hexdigest()

    def cases(self) -> list[str]:
        return list(self.environment.cases())

    def facts(self, case: str, seed: int) -> Facts:
        try:
            episode = self.make().start(case, seed)
        except Exception as fault:  # noqa: BLE001 - what an environment raises is data
            return Facts(case, seed, fault=f"{type(fault).__name__}: {fault}")
        known = [_known("reference", offered) for offered in _offered(episode, "reference")]
        others = [_known(f"alternative-{n}", one) for every in _offered(episode, "alternatives") for n, one in enumerate(every, 1)]
        state = next(_offered(episode, "state"), None)
        has = {name for name, there in (("reference", known), ("alternatives", others), ("state", state is not None)) if there}
        tools = tuple(_tool(tool) for tool in episode.tools)
        return Facts(
            case,
            seed,
            episode.prompt,
            tools,
            getattr(episode, "pass_mark", 1.0),
            frozenset(has),
            known[0] if known else None,
            tuple(others),
            state,
        )

    def run(self, session: Session, watch: bool = False) -> list[Attempt]:
        environment = self.make()
        plays = [_Run(environment, play) for play in session.plays]
        order = session.order or tuple(n for n, play in enumerate(session.plays) for _ in range(len(play.acts) + 2))
        for n in order:
            next(plays[n].steps, None)
        return [play.attempt for play in plays]

    def close(self) -> None:
        pass


class _Run:
    def __init__(self, environment: Any, play: Play) -> None:
        self.steps = self._steps(environment, play)
        self.attempt = Attempt("unknown")

    def _steps(self, environment: Any, play: Play) -> Iterator[None]:
        try:
            episode = environment.start(play.case, play.seed)
        except Exception as fault:  # noqa: BLE001 - what an environment raises is data
            self.attempt = Attempt("error", fault=f"{type(fault).__name__}: {fault}", where="start")
            return
        before = next(_offered(episode, "state"), None)
        results: list[Result] = []
        yield
        for act in play.acts:
            results.append(_called(episode, act))
            yield
        after = next(_offered(episode, "state"), None)
        changes = None if before is None or after is None else _changes(before, after)
        status, reward, fault = _ended(episode, play) if play.finish else ("unknown", None, "")
        crash = next((one.crash for one in results if one.crash), "")
        if crash:
            status, fault = "error", crash
        self.attempt = Attempt(status, reward, episode.prompt, tuple(results), changes, fault=fault, where="finish" if fault else "")  # type: ignore[arg-type]
        yield


def _ended(episode: Any, play: Play) -> tuple[str, float | None, str]:
    try:
        reward = episode.finish(play.answer)
        if reward is None:
            return "unknown", None, ""
        if not isinstance(reward, (int, float)) or math.isnan(reward):
            return "error", None, f"not a number: {reward!r}"
        return ("pass" if reward >= getattr(episode, "pass_mark", 1.0) - 1e-9 else "fail"), float(reward), ""
    except Exception as fault:  # noqa: BLE001 - what an environment raises is data
        return "error", None, f"{type(fault).__name__}: {fault}"


def _called(episode: Any, act: Act) -> Result:
    try:
        if act.tool == SAY:
            return Result(True, episode.reply(act.args["text"]))
        tool = next((one for one in episode.tools if one.__name__ == act.tool), None)
        return Result(False, error="no such tool") if tool is None else Result(True, copy.deepcopy(tool(**act.args)))
    except (ValueError, TypeError) as fault:
        return Result(False, error=f"{type(fault).__name__}: {fault}")
    except Exception as fault:  # noqa: BLE001 - what an environment raises is data
        return Result(False, crash=f"{type(fault).__name__}: {fault}")


def _offered(episode: Any, name: str) -> Iterator[Any]:
    try:
        yield getattr(episode, name)()
    except (AttributeError, NotImplementedError):
        return


def _known(name: str, offered: Any) -> Known:
    return Known(name, tuple(Act(tool, args) for tool, args in offered[0]), offered[1])


def _tool(tool: Any) -> Tool:
    args = [
        Argument(name, _TYPES.get(str(one.annotation), "any"), one.default is inspect.Parameter.empty)
        for name, one in inspect.signature(tool).parameters.items()
    ]
    return Tool(tool.__name__, tool.__doc__ or "", tuple(args))


def _changes(before: dict[str, list[dict[str, Any]]], after: dict[str, list[dict[str, Any]]]) -> tuple[Change, ...]:
    out = []
    for table in after:
        old, new = ({str(next(iter(row.values()))): row for row in rows[table]} for rows in (before, after))
        for key in sorted(old.keys() | new.keys()):
            if key not in old:
                out.append(Change(table, "insert", key, {}, new[key]))
            elif key not in new:
                out.append(Change(table, "delete", key, old[key], {}))
            elif old[key] != new[key]:
                names = [name for name in new[key] if new[key][name] != old[key][name]]
                out.append(Change(table, "update", key, {n: old[key][n] for n in names}, {n: new[key][n] for n in names}))
    return tuple(out)
