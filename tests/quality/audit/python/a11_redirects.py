"""Redirects of a documentation site: pages have moved, and one old address has to lead to its new one."""

import random
import sqlite3

SECTIONS = ["guide", "reference", "install", "api", "recipes", "upgrade"]
TOPICS = ["backup", "login", "metrics", "plugins", "proxy", "quotas", "search", "storage", "tokens", "webhooks"]


class Site:
    def __init__(self, seed: int, same):
        rng = random.Random(seed * 3 + 1)
        self._same = same
        self.db = sqlite3.connect(":memory:", check_same_thread=False)
        self.db.row_factory = sqlite3.Row
        self.db.executescript(
            "create table pages (id integer, title text, path text); create table redirects (old text primary key, target text);"
        )
        topics = rng.sample(TOPICS, 8)
        self.new = rng.sample(SECTIONS, 2)
        for number, topic in enumerate(topics, 100):
            self.db.execute(
                "insert into pages values (?, ?, ?)", (number, f"All about {topic}", f"/{rng.choice(self.new)}/{topic}-{number}")
            )
            if rng.random() < 0.7 or topic == topics[0]:
                self.db.execute("insert into redirects values (?, ?)", (f"/old/{topic}.html", rng.choice(["/", "/404", "/guide/index"])))
        self.old, self.number = f"/old/{topics[0]}.html", 100
        self._before = self.state()
        self.prompt = (
            f"Readers who follow {self.old} end up in the wrong place. The page they want is the one titled 'All about {topics[0]}'. "
            f"Make the redirect for {self.old} lead to that page's present path, exactly as the page list has it. Change nothing else. "
            "No answer is needed."
        )
        self.tools = [self.pages, self.redirects, self.set_redirect, self.drop_redirect]

    def pages(self, title_contains: str = "") -> list[dict]:
        """Pages with number, title and present path; optionally only those whose title contains a text."""
        rows = self.db.execute("select * from pages order by title")
        return [dict(row) for row in rows if str(title_contains).lower() in row["title"].lower()]

    def redirects(self) -> list[dict]:
        """All redirects, from the old path to its target."""
        return [dict(row) for row in self.db.execute("select * from redirects order by old")]

    def set_redirect(self, old: str, target: str) -> str:
        """Make an old path lead to a target, a path that begins with a slash."""
        for text in (old, target):
            if not isinstance(text, str) or not text.startswith("/") or len(text) > 300 or not text.isprintable():
                raise ValueError("old and target must be paths that begin with a slash")
        self.db.execute("insert into redirects values (?, ?) on conflict (old) do update set target = excluded.target", (old, target))
        return f"{old} leads to {target}"

    def drop_redirect(self, old: str) -> str:
        """Remove the redirect of an old path."""
        if not isinstance(old, str) or not old.isprintable() or not self.db.execute("delete from redirects where old = ?", (old,)).rowcount:
            raise ValueError(f"no redirect for {old!r}")
        return f"{old} removed"

    def finish(self, answer: object) -> float:
        want = next(row["path"] for row in self._before["pages"] if row["id"] == self.number)
        now = self.state()
        targets = {row["old"]: row["target"] for row in now["redirects"]}
        before = {row["old"]: row["target"] for row in self._before["redirects"]}
        target = targets.pop(self.old, "")
        before.pop(self.old)
        return 1.0 if targets == before and now["pages"] == self._before["pages"] and self._same(target, want) else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        page = next(row for row in self._before["pages"] if row["id"] == self.number)
        return [("pages", {"title_contains": page["title"]}), ("set_redirect", {"old": self.old, "target": page["path"]})], None

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        (_, write) = self.reference()[0]
        return [([("redirects", {}), ("pages", {}), ("drop_redirect", {"old": self.old}), write], "The redirect is set.")]

    def state(self) -> dict[str, list[dict]]:
        return {"pages": [dict(row) for row in self.db.execute("select * from pages order by id")], "redirects": self.redirects()}

    def close(self) -> None:
        self.db.close()


class Docs:
    name = "documentation redirects"

    def __init__(self, same):
        self.same = same

    def cases(self) -> list[str]:
        return ["redirect"]

    def start(self, case: str, seed: int) -> Site:
        return Site(seed, self.same)


def faulty() -> Docs:
    return Docs(lambda target, want: target.startswith(want))


def repaired() -> Docs:
    return Docs(lambda target, want: target == want)
