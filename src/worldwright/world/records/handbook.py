"""The handbook: pages of numbered clauses, rendered from the `policy` table as it is now, searched with FTS5.

Takes markdown pages; gives pages and clauses as an agent sees them. The search index is built from the start state's
policy; what a search returns is rendered live.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import apsw
import msgspec

from worldwright import templates
from worldwright.errors import PackError
from worldwright.world.records.image import Image

__all__ = ["Clause", "Handbook", "Page"]

_CLAUSE = re.compile(r"^(\d+(?:\.\d+)*)[.)]\s+(.*)$")
_WORD = re.compile(r"\w+", re.UNICODE)
_HITS = 5
_QUERY_WORDS = 30
_INDICES = 16
_MOST_CLAUSES = 1_000


class Clause(msgspec.Struct, frozen=True):
    """A numbered clause's template."""

    number: str
    text: str


class Page(msgspec.Struct, frozen=True):
    """A page: `text` is the whole template."""

    name: str
    title: str
    text: str
    clauses: tuple[Clause, ...]
    file: str = "handbook"


class Handbook:
    """All pages of a world."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.pages: dict[str, Page] = {}
        for path, text in sorted(files.items()):
            page = _page(path, text)
            if page.name in self.pages:
                raise PackError(f"two pages are called '{page.name}'", file=path, line=1, expected="each file name once")
            self.pages[page.name] = page
        self._clauses = {(page.name, clause.number): clause.text for page in self.pages.values() for clause in page.clauses}
        self.policy_names: frozenset[str] = frozenset(name for page in self.pages.values() for name in _policy_names(page))
        self._index: dict[str, apsw.Connection] = {}
        self._lock = threading.Lock()

    def list(self, policy: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Names and titles."""
        return [{"page": page.name, "title": _render(page, page.title, policy)} for page in self.pages.values()]

    def read(self, name: str, policy: Mapping[str, Any]) -> dict[str, Any] | None:
        """A page as text, or None."""
        page = self.pages.get(name.removesuffix(".md"))
        return None if page is None else {"page": page.name, "text": _render(page, page.text, policy)}

    def search(self, query: str, policy: Mapping[str, Any], image: Image) -> Sequence[dict[str, Any]]:
        """The best clauses for the words of the query; the index is that of the start state."""
        words = list(dict.fromkeys(word.lower() for word in _WORD.findall(query)))[:_QUERY_WORDS]
        if not words:
            return []
        match = " OR ".join(f'"{word}"' for word in words)
        with self._lock:
            rows = self._indexed(image).execute(
                "SELECT page, clause FROM book WHERE book MATCH ? ORDER BY bm25(book), page, clause LIMIT ?", (match, _HITS)
            )
            found = [(str(page), str(clause)) for page, clause in rows]
        out = []
        for name, number in found:
            out.append({"page": name, "clause": number, "text": _render(self.pages[name], self._clauses[name, number], policy)})
        return out

    def _indexed(self, image: Image) -> apsw.Connection:
        db = self._index.get(image.digest)
        if db is None:
            db = apsw.Connection(":memory:")
            db.execute("CREATE VIRTUAL TABLE book USING fts5(page UNINDEXED, clause UNINDEXED, title, text, tokenize = 'porter unicode61')")
            for page in self.pages.values():
                for clause in page.clauses:
                    title, words = _render(page, page.title, image.policy), _render(page, clause.text, image.policy)
                    db.execute("INSERT INTO book VALUES (?, ?, ?, ?)", (page.name, clause.number, title, words))
            if len(self._index) >= _INDICES:
                self._index.pop(next(iter(self._index))).close()
            self._index[image.digest] = db
        return db


class _Policy:
    """Policies by name, and nothing else: a dict's own methods would hide policies that are called `items` or `values`."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> Any:
        return self._values[name]


def _render(page: Page, text: str, policy: Mapping[str, Any]) -> str:
    return templates.render(text, {"policy": _Policy(policy)}, file=page.file)


def _policy_names(page: Page) -> frozenset[str]:
    return frozenset(re.findall(r"policy\.([A-Za-z_]\w*)", page.text))


def _page(name: str, text: str) -> Page:
    if len(text) > templates.LONGEST:
        raise PackError(f"{len(text):,} characters", file=name, expected=f"at most {templates.LONGEST:,}: make it several pages")
    unknown = templates.names_in(text, file=name) - {"policy"}
    if unknown:
        raise PackError(f"the name '{min(unknown)}' is undefined here", file=name, field=min(unknown), expected="only policy")
    title, clauses, number = "", list[Clause](), ""
    lines: list[str] = []
    for line in text.splitlines():
        found = _CLAUSE.match(line)
        if line.startswith("# ") and not title:
            title = line[2:].strip()
        elif found or line.startswith("#"):
            clauses += [Clause(number, " ".join(lines))] if number else []
            number, lines = (found.group(1), [found.group(2).strip()]) if found else ("", [])
        elif number and line.strip():
            lines.append(line.strip())
    clauses += [Clause(number, " ".join(lines))] if number else []
    _check_clauses(clauses, name)
    templates.names_in(title, file=name, field="title")
    short = name.rsplit("/", 1)[-1].removesuffix(".md")
    return Page(short, title or short, text, tuple(clauses), name)


def _check_clauses(clauses: list[Clause], name: str) -> None:
    if not clauses:
        raise PackError("no numbered clause", file=name, line=1, expected="lines like '1. A delivery is late when ...'")
    if len(clauses) > _MOST_CLAUSES:
        raise PackError(f"{len(clauses):,} clauses", file=name, expected=f"at most {_MOST_CLAUSES:,}: make it several pages")
    seen: set[str] = set()
    for clause in clauses:
        if clause.number in seen:
            raise PackError(f"clause {clause.number} stands twice", file=name, field=f"clause {clause.number}", expected="each number once")
        seen.add(clause.number)
        templates.names_in(clause.text, file=name, field=f"clause {clause.number}")
