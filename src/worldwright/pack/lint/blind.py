"""Whether the verifier was written blind: what its author was given, unchanged, and no run of words from a reference."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Iterator, Mapping

from worldwright.pack.lint.findings import Finding, finding
from worldwright.pack.read import PackTask
from worldwright.verifier.spec import Source

__all__ = ["RUN", "lint_blind", "seen_files", "with_hashes"]

RUN = 8
"""So many tokens in a row that are in none of the files seen are no coincidence."""

_ALLOWED = re.compile(r"(brief\.yaml|\.\./\.\./(world\.yaml|schema\.sql|events\.yaml|parties\.yaml|handbook(/[^/]+\.md)?))\Z")
_TOKEN = re.compile(r"[A-Za-z_]\w*|\d+|'[^']*'|\"[^\"]*\"|[^\s\w]")


def seen_files(entry: PackTask) -> dict[str, bytes]:
    """What a verifier's author may see, by path relative to the task."""
    out = {"brief.yaml": entry.files["brief.yaml"]} if "brief.yaml" in entry.files else {}
    return out | {f"../../{path}": data for path, data in entry.world.files.items() if _ALLOWED.match(f"../../{path}")}


def lint_blind(entry: PackTask) -> Iterator[Finding]:
    """All about blindness."""
    file = f"{entry.where}/verifier.yaml"
    known = seen_files(entry)
    texts: list[str] = []
    for n, source in enumerate(entry.verifier.spec.written_by.sees):
        path = source.path if isinstance(source, Source) else source
        field = f"written_by.sees[{n}]"
        inside = {name: data for name, data in known.items() if name == path or name.startswith(f"{path.rstrip('/')}/")}
        if not _ALLOWED.match(path.rstrip("/")) or not inside:
            yield finding("blind-source", f"'{path}' is not a file that a verifier's author may be given", file=file, field=field)
            continue
        texts += [data.decode(errors="replace") for data in inside.values()]
        if isinstance(source, Source) and len(inside) == 1 and hashlib.sha256(next(iter(inside.values()))).hexdigest() != source.sha256:
            yield finding("blind-hash", f"'{path}' is not what the author saw", file=file, field=field)
    verifier = entry.files.get("verifier.yaml", b"").decode(errors="replace")
    for plan in [one for one in (entry.reference, *entry.alternatives) if one is not None]:
        shared = _shared_run(verifier, plan.source, texts)
        if shared:
            yield finding("blind-run", f"it shares '{shared}' with {plan.name}", file=file)


def _shared_run(verifier: str, plan: str, seen: list[str]) -> str:
    """A run of tokens that verifier and plan share and that none of the seen files has; "" if there is none."""
    known: set[tuple[str, ...]] = set()
    for text in seen:
        known |= set(_runs(text))
    there = set(_runs(plan)) - known
    for run in _runs(verifier):
        if run in there and sum(token[0].isalnum() or token[0] in "_'\"" for token in run) >= RUN // 2:
            return " ".join(run)
    return ""


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    tokens = _TOKEN.findall(text)
    return (tuple(tokens[n : n + RUN]) for n in range(len(tokens) - RUN + 1))


def with_hashes(entry: PackTask) -> str:
    """`verifier.yaml` with `written_by.sees` as sorted (path, sha256) of the files that it names; the rest as it was."""
    text = entry.files["verifier.yaml"].decode()
    spec = entry.verifier.spec.written_by
    known: Mapping[str, bytes] = seen_files(entry)
    paths = [source.path if isinstance(source, Source) else source for source in spec.sees]
    named = sorted({name for path in paths for name in known if name == path or name.startswith(f"{posixpath.normpath(path)}/")})
    block = [f"written_by:\n  kind: {spec.kind}\n  sees:\n"]
    block += [f"    - {{path: {name}, sha256: {hashlib.sha256(known[name]).hexdigest()}}}\n" for name in named]
    start = re.search(r"(?m)^written_by:", text)
    if start is None:
        return text
    end = re.compile(r"(?m)^(?=[^\s#-])").search(text, start.end())
    return text[: start.start()] + "".join(block) + (text[end.start() :] if end else "")
