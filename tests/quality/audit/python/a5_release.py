"""A release of a small library is prepared in its folder: version, change log, and the notes that were waiting."""

import contextlib
import random
import re
import shutil
import tempfile
from pathlib import Path

PARTS = ("parser", "cache", "command line", "retry logic", "date picker", "export", "login form", "search index")
DONE = {"fix": "repaired a crash in the {}", "feature": "added options to the {}", "breaking": "renamed the settings of the {}"}
NAMES = ("manifest.txt", "CHANGELOG.md", "pending.txt", "RELEASING.md")
HOWTO = """A release raises the version in manifest.txt: the first number if any pending note is marked breaking (the other two become 0),
else the second if any is marked feature (the third becomes 0), else the third. CHANGELOG.md gets, below its title and above the older
releases, a heading `## VERSION` and a line `- NOTE` for each pending note, without its mark. pending.txt is left empty.
"""


class Release:
    """The folder before the release."""

    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"release {seed}")
        major, minor, patch = rng.randrange(1, 5), rng.randrange(1, 9), rng.randrange(1, 9)
        marks = rng.choice((("fix",), ("fix", "feature"), ("fix", "feature", "breaking")))
        self.notes = [
            DONE[mark].format(part)
            for part, mark in zip(rng.sample(PARTS, 4), [*marks, *rng.choices(marks, k=4 - len(marks))], strict=True)
        ]
        top = next(mark for mark in ("breaking", "feature", "fix") if mark in marks)
        self.version = {"breaking": f"{major + 1}.0.0", "feature": f"{major}.{minor + 1}.0", "fix": f"{major}.{minor}.{patch + 1}"}[top]
        rng.shuffle(self.notes)
        mark_of = {text.split(" ")[0]: mark for mark, text in DONE.items()}
        self.manifest = f"name = {rng.choice(('lantern', 'pebble', 'quill'))}\nversion = {{}}\nlicence = MIT\n"
        self.files = {
            "manifest.txt": self.manifest.format(f"{major}.{minor}.{patch}"),
            "CHANGELOG.md": "# Changes\n\n"
            f"## {major}.{minor}.{patch}\n\n- {DONE['fix'].format('installer')}\n\n## {major}.{minor}.{patch - 1}\n\n- first steps\n",
            "pending.txt": "".join(f"{mark_of[note.split(' ')[0]]}: {note}\n" for note in self.notes),
            "RELEASING.md": HOWTO,
        }
        self.root = Path(tempfile.mkdtemp(prefix="release"))
        for name in NAMES:
            (self.root / name).write_bytes(self.files[name].encode())
        self.prompt = (
            "Prepare the next release in this folder as RELEASING.md says. Change nothing that it does not ask for, and leave no other "
            "files."
        )
        self.tools = [self.ls, self.cat, self.put]

    def folder(self) -> Path:
        return self.root

    def ls(self) -> list[str]:
        """The names of what is in the folder."""
        return sorted(at.name for at in self.root.glob("*"))

    def cat(self, name: str) -> str:
        """The text of a file."""
        return self._text(name)

    def put(self, name: str, text: str) -> str:
        """Write a file whole; an empty text leaves an empty file."""
        if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z]{1,20}\.(md|txt)", name):
            raise ValueError("a name of letters, ending in .md or .txt")
        at = self.root / name
        if not isinstance(text, str) or len(text) > 20_000 or not self.root.is_dir() or (at.exists() and not at.is_file()):
            raise ValueError("cannot write that")
        at.write_bytes(text.encode())
        return "written"

    def _text(self, name: str) -> str:
        if name not in self.ls():
            raise ValueError("no such file")
        at = self.root / name
        if at.is_symlink() or not at.is_file() or at.stat().st_size > 50_000:
            raise ValueError("not a plain file")
        return at.read_bytes().decode()

    def reference(self) -> tuple[list, None]:
        new = f"# Changes\n\n## {self.version}\n\n" + "".join(f"- {note}\n" for note in self.notes)
        return [
            *(("cat", {"name": name}) for name in ("RELEASING.md", "manifest.txt", "CHANGELOG.md", "pending.txt")),
            ("put", {"name": "manifest.txt", "text": self.manifest.format(self.version)}),
            ("put", {"name": "CHANGELOG.md", "text": self.files["CHANGELOG.md"].replace("# Changes\n", new, 1)}),
            ("put", {"name": "pending.txt", "text": ""}),
        ], None

    def done(self) -> bool:
        manifest, wanted = (
            [line.split() for line in text.splitlines() if line.strip()]
            for text in (self._text("manifest.txt"), self.manifest.format(self.version))
        )
        return manifest == wanted and not self._text("pending.txt").strip() and self._text("RELEASING.md") == HOWTO

    def finish(self, answer: object) -> float:
        try:
            return float(self.ls() == sorted(NAMES) and self.done())
        except (OSError, ValueError):
            return 0.0

    def close(self) -> None:
        with contextlib.suppress(RecursionError):
            shutil.rmtree(self.root, ignore_errors=True)


class ReleaseToo(Release):
    """The folder before the release."""

    def done(self) -> bool:
        lines, before = (
            [line.strip() for line in text.splitlines() if line.strip()]
            for text in (self._text("CHANGELOG.md"), self.files["CHANGELOG.md"])
        )
        notes = lines[2 : 2 + len(self.notes)]
        told = lines[:2] == [before[0], f"## {self.version}"] and sorted(notes) == sorted(f"- {note}" for note in self.notes)
        return super().done() and told and lines[2 + len(notes) :] == before[1:]


class Library:
    """Releases to be made."""

    name = "library-release"

    def __init__(self, kind: type[Release]) -> None:
        self.start = kind

    def cases(self) -> list[str]:
        return ["release"]


def faulty() -> Library:
    return Library(Release)


def repaired() -> Library:
    return Library(ReleaseToo)
