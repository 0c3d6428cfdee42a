"""Repro scripts: for every finding, a file that shows it again without the auditor.

Takes a subject and groups of findings; gives the text of a script for each. A script holds its data as JSON and the code of
`replay`, so that it needs the standard library and the environment alone (and worldwright where the subject is a pack,
whose engine it is). It loads the environment from where it was audited; `--path DIR` says another place.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import msgspec

from worldwright.audit.findings import Group, clean
from worldwright.audit.host.values import decode
from worldwright.audit.probes import probe_named
from worldwright.audit.records import Outcome
from worldwright.audit.subject import Opaque, Play, Session, Setting, Status, Subject

__all__ = ["file_name", "load_of", "script_for"]

_REPLAY = Path(__file__).with_name("replay.py")
_BY_CHANCE = ("reference", "reproducible", "episodes", "surroundings")
"""Probes whose findings may show at times only; their scripts try more often."""
_TRIES, _MORE_TRIES = 4, 12
_SAME = ("status", "prompt", "changes", "results")
_INSTANCE = ("status", "prompt", "tools", "state", "reference")


def load_of(subject: Subject) -> Mapping[str, Any] | None:
    """How a script gets at the environment: {pack}, {module, function, args, paths} or {source, file, function, args, paths}.

    None where the subject doesn't say.
    """
    pack = getattr(subject, "pack", None)
    if pack is not None:
        return {"pack": str(Path(pack.where).resolve())}
    load = getattr(subject, "load", getattr(subject, "_load", None))
    if not isinstance(load, Mapping):
        return None
    args = {name: _encoded(value) for name, value in decode(dict(load.get("args", {}))).items()}
    places = [str(Path(one).resolve()) for one in load.get("paths", ())]
    if "file" in load:
        source = Path(load["file"]).read_text(encoding="utf-8")
        return {"source": source, "file": Path(load["file"]).name, "function": load["function"], "args": args, "paths": places}
    return {"module": load["module"], "function": load["function"], "args": args, "paths": places}


def file_name(group: Group, number: int) -> str:
    """A script's file name: case, probe and number, in plain letters."""
    case = re.sub(r"[^A-Za-z0-9]+", "-", group.first.case).strip("-")[:40] or "case"
    return f"{number:02}-{case}-{group.first.probe}.py"


def script_for(load: Mapping[str, Any], subject: str, group: Group, said: str = "") -> str:
    """The script that shows a finding's first witness again. `said` is what its last call gave."""
    one = group.first
    data = {
        "about": clean(_about(subject, group)),
        "load": dict(load),
        "expected": clean(one.expected if one.expected != "holds" else "the same as in a plain run of its own"),
        "tries": _MORE_TRIES if one.probe in _BY_CHANCE else _TRIES,
        "place": str(one.evidence.get("where", "")),
        "said": said,
        **_judgement(one),
    }
    text = json.dumps(data, indent=1, ensure_ascii=True)
    code = _REPLAY.read_text(encoding="utf-8")
    body = code[code.index('"""', 3) + 3 :]
    about = clean(_about(subject, group)).replace("\\", "/").replace('"', "'")
    ending = f"""

DATA = r\"\"\"
{text}
\"\"\"

if __name__ == "__main__":
    sys.exit(replay(json.loads(DATA), sys.argv[1:]))
"""
    return f'"""{about}\n\nExit code 1: seen again; 0: not seen again; 2: could not be run.\n"""{body.rstrip()}{ending}'


def _about(subject: str, group: Group) -> str:
    one = group.first
    probe = probe_named(one.probe)
    lines = [
        f"{subject}, case {one.case}, seed {one.seed}: {one.probe} ({one.code}): {one.variant}",
        probe.means if probe else "",
        f"Why it counts: {one.why}" if one.why else "",
        f"Edit: {one.edit}" if one.edit else "",
    ]
    return "\n".join(line for line in lines if line)


def _judgement(one: Outcome) -> dict[str, Any]:
    """What to run, and what of it would be wrong."""
    session = one.session
    probe = probe_named(one.probe)
    if session is None:
        return _twice(one)
    base = {"sessions": [_session(session)], "titles": ["as it was found"], "judged": getattr(one, "judged", -1)}
    if one.label != "holds" or one.got in get_args(Status):
        return {**base, "judge": "status", "wrong": [one.got]}
    if probe is not None and probe.side == "accept":
        return {**base, "judge": "status", "wrong": ["pass"]}
    if one.variant == "network":
        return {**base, "judge": "network"}
    if not any(play.finish for play in session.plays):
        return {**base, "judge": "says"}
    alone = [Session((play,)) for play in session.plays if play.finish]
    at = [n for n, play in enumerate(session.plays) if play.finish]
    return {
        **base,
        "judge": "differs",
        "sessions": [_session(session), *map(_session, alone)],
        "titles": ["as it was found", *(f"episode {n + 1} alone, in plain surroundings" for n in at)],
        "pairs": [[0, n, m, 0] for m, n in enumerate(at, 1)],
        "compare": list(_SAME),
        "errors": True,
    }


def _twice(one: Outcome) -> dict[str, Any]:
    """An instance started twice, for what concerns the instance itself."""
    session = _session(Session((Play(one.case, one.seed, finish=False),)), look=True)
    if one.probe == "leak":
        return {"judge": "leak", "sessions": [session], "titles": ["the instance"]}
    titles = ["the first time", "the second time"]
    return {
        "judge": "differs",
        "sessions": [session, session],
        "titles": titles,
        "pairs": [[0, 0, 1, 0]],
        "compare": list(_INSTANCE),
        "errors": True,
    }


def _session(session: Session, look: bool = False) -> dict[str, Any]:
    return {"plays": [_play(play, look) for play in session.plays], "order": list(session.order), "setting": _setting(session.setting)}


def _setting(setting: Setting) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(setting)
    return plain


def _play(play: Play, look: bool) -> dict[str, Any]:
    return {
        "case": play.case,
        "seed": play.seed,
        "acts": [[act.tool, _encoded(act.args)] for act in play.acts],
        "answer": _encoded(play.answer),
        "finish": play.finish,
        "unseen": play.unseen,
        "look": look,
    }


def _encoded(value: Any) -> Any:
    """A value as the script's JSON; `replay` decodes it."""
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return value if value - value == 0 else {"$float": repr(value)}
    if type(value) is list:
        return [_encoded(item) for item in value]
    if type(value) is dict:
        plain = all(type(key) is str for key in value) and not (len(value) == 1 and next(iter(value)).startswith("$"))
        return (
            {key: _encoded(item) for key, item in value.items()}
            if plain
            else {"$pairs": [[_encoded(pair) for pair in item] for item in value.items()]}
        )
    if isinstance(value, Opaque):
        return {"$known": [value.known, value.shown]}
    return _tagged(value)


def _tagged(value: Any) -> Any:
    for kind, tag in ((tuple, "$tuple"), (set, "$set"), (frozenset, "$frozenset")):
        if isinstance(value, kind):
            return {tag: [_encoded(item) for item in _listed(value)]}
    if isinstance(value, bytes):
        return {"$bytes": value.hex()}
    if isinstance(value, (complex, Decimal)):
        return {"$complex" if isinstance(value, complex) else "$decimal": str(value)}
    for moment, tag in ((datetime.datetime, "$datetime"), (datetime.date, "$date"), (datetime.time, "$time")):
        if isinstance(value, moment):
            return {tag: value.isoformat()}
    return str(value)


def _listed(value: Iterable[Any]) -> list[Any]:
    return list(value) if isinstance(value, tuple) else sorted(value, key=repr)
