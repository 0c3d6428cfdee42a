"""The right answer stands where the agent reads it before it has earned it."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

from worldwright.audit.answers import is_free_text, is_trivial, same, shown
from worldwright.audit.bench import At, Case, names, plain_outcome
from worldwright.audit.records import Outcome, Probe

PROBE = Probe(
    id="leak",
    side="hold",
    codes=("A6",),
    needs=frozenset({"reference"}),
    means="The expected answer, or the finished work, stands in the prompt, a tool's doc, a file, a git object or the environment.",
    repair="Take it out; give examples of the form with values that are right nowhere; ship no history, no tests and no solutions.",
)

_MARK = re.compile(
    r"\b(?:answer|expected|solution|correct|gold(?:en)?|ground[ _-]truth|oracle|truth|hint|e\.?g\.?|for example|for instance|"
    r"example|sample|say|instance|illustration|format(?:ted)?|such as|like|looks?|result|should (?:be|give|return|equal))\b",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"(?:answer|expected|solution|gold|truth|oracle|grade|grader|score|reward|verif|check|test|secret|hidden|key|"
    r"ref(?:erence)?|label|\.git|\.cache|\.orig|\.bak|backup|history|memory|previous|patch|\.pyc)",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(?:correct|fix|repair|mend|put right|sort|reverse|translate|convert|rewrite|improve|replace|remove|fill in|complete|decode|"
    r"encode|unscramble)\w*",
    re.IGNORECASE,
)
ENOUGH = 0.8


def look(case: Case, fresh: Sequence[At]) -> Iterator[Outcome]:
    """Each place on each instance; a finding where it tells on most of them."""
    ready = [at for at in fresh if at.facts.reference is not None]
    found: dict[str, list[tuple[At, str]]] = {}
    for at in ready:
        for place, words in dict(_places(at)).items():
            found.setdefault(place, []).append((at, words))
    for place, hits in found.items():
        if len(hits) >= max(1, ENOUGH * len(ready)):
            at, words = hits[0]
            why = f"The right answer stands in {place} on {len(hits)} of {len(ready)} instances: {words}"
            yield plain_outcome(PROBE, at, place, False, why=why[:500], evidence={"where": place, "words": words[:300]})
    for at in ready:
        if not any(at is one for hits in found.values() for one, _ in hits):
            yield plain_outcome(PROBE, at, "all places", True)


def _values(at: At) -> list[Any]:
    """What has to be found out: the answer, or its parts where it has several, if they can't be met by chance."""
    answer = at.reference.answer
    if is_trivial(answer) or isinstance(answer, bool):
        return []
    parts = list(answer.values()) if isinstance(answer, dict) else list(answer) if isinstance(answer, (list, tuple)) else [answer]
    return [one for one in parts if _is_telling(one)]


def _is_telling(value: Any) -> bool:
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, (int, float)):
        return abs(value) >= 10
    return isinstance(value, str) and len(value.strip()) >= 3 and (not is_free_text(value) or len(value) >= 20)


def _places(at: At) -> Iterator[tuple[str, str]]:
    values = _values(at)
    whole = at.reference.answer
    if values:
        words = _marked(at.facts.prompt, values, whole)
        if words and not any(_marked(at.facts.prompt, [one], one) for one in at.others if not same(one, whole)):
            yield "the prompt", words
        for tool in at.facts.tools:
            text = f"{tool.doc} {' '.join(repr(arg.default) for arg in tool.args if arg.default is not None)}"
            if all(names(text, one) for one in values) and not all(names(at.facts.prompt, one) for one in values):
                yield f"the doc of {tool.name}", text[:160]
        for name, text in at.facts.environ.items():
            if all(names(text, one) for one in values):
                yield f"the environment variable {name}", text[:80]
    if isinstance(whole, str) and (len(whole.strip()) >= 60 or whole.strip().count("\n") >= 2):
        asks = _CHANGES.search(at.facts.prompt)
        if asks and whole.strip() in at.facts.prompt:
            yield "the prompt, which asks to change it", f"asked to '{asks.group(0)}', it shows the finished text already"
    yield from _in_files(at, values)


def _marked(prompt: str, values: Sequence[Any], whole: Any) -> str:
    """The words of the prompt that give the answer away: after a word such as 'answer' or 'example', and not as one choice of several."""
    candidates = [str(whole)] if isinstance(whole, (str, int, float)) else [", ".join(str(one) for one in values)]
    for text in candidates:
        for hit in re.finditer(rf"(?<!\w){re.escape(text)}(?!\w)", prompt, re.IGNORECASE):
            line = prompt[: hit.start()].rsplit("\n", 1)[-1][-60:]
            rest = re.split(r"[.\n)]", prompt[hit.end() :], maxsplit=1)[0]
            mark = next(reversed(list(_MARK.finditer(line))), None)
            lead = line[mark.end() :] if mark else ""
            if mark and not re.search(r"[,;/|]|\bor\b|one of", lead + rest) and "?" not in lead:
                return f"...{(line + hit.group(0) + rest)[-140:]}"
    return ""


def _in_files(at: At, values: Sequence[Any]) -> Iterator[tuple[str, str]]:
    files = dict(at.facts.files or {})
    work = _work(at, files)
    for path, text in files.items():
        if path in work:
            continue
        plain = _inflated(text) if path.startswith(".git/objects") else text
        telling = _TELLING.search(path)
        if values and telling and all(names(plain, one) for one in values):
            yield f"the file {_general(path)}", shown(plain, 120)
        for name, finished in work.items():
            if len(finished) > 40 and finished.strip() in plain:
                yield f"the file {_general(path)}", f"it holds the finished {name}"


def _work(at: At, files: dict[str, str]) -> dict[str, str]:
    """What the reference writes: files, and long texts that its calls hand over."""
    out: dict[str, str] = {}
    for end in at.ends[:1]:
        out |= {path: text for path, text in (end.files or {}).items() if files.get(path) != text}
    for act in at.reference.acts:
        out |= {f"{act.tool}.{name}": value for name, value in act.args.items() if isinstance(value, str) and len(value) > 40}
    answer = at.reference.answer
    if isinstance(answer, str) and len(answer) > 60:
        out["answer"] = answer
    return out


def _inflated(text: str) -> str:
    try:
        return zlib.decompress(text.encode("latin-1"), bufsize=1 << 16)[: 1 << 20].decode("utf-8", "replace")
    except (zlib.error, UnicodeEncodeError):
        return ""


def _general(path: str) -> str:
    return ".git/objects/..." if path.startswith(".git/objects") else path
