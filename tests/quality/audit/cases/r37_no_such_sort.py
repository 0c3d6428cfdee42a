"""A text editor with a sorting command: put a line's words in order."""

import random

WORDS = ["quince", "apple", "medlar", "cherry", "sloe", "pear", "damson", "fig", "lemon", "bullace"]


class Editor:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"editor-{seed}")
        names = rng.sample(["fruit.txt", "jam.txt", "order.txt", "market.txt"], 3)
        self.texts = {name: rng.sample(WORDS, rng.randint(4, 7)) for name in names}
        for words in self.texts.values():
            if words == sorted(words):
                words.reverse()
        self.files = {name: self._stored(words) for name, words in self.texts.items()}
        self.mine = rng.choice(names)
        self.before = dict(self.files)
        self.tools = [self.read, self.sort]
        self.prompt = f"Sort the words in {self.mine} by the alphabet. Leave the other files as they are. No answer is needed."

    def _stored(self, words: list[str]) -> str:
        return " ".join(words)

    def read(self, name: str) -> str:
        """The text of a file."""
        if name not in self.files:
            raise ValueError("no such file")
        return self.files[name]

    def sort(self, name: str) -> str:
        """Sort the lines of a file."""
        self.files[name] = "\n".join(sorted(self.read(name).split("\n")))
        return self.files[name]

    def state(self) -> dict[str, list[dict]]:
        return {"files": [{"name": name, "text": text} for name, text in self.files.items()]}

    def reference(self) -> tuple[list, object]:
        return [("read", {"name": self.mine}), ("sort", {"name": self.mine})], None

    def finish(self, answer: object) -> float:
        return float(self.files == self.before | {self.mine: self._stored(sorted(self.texts[self.mine]))})


class EditorToo(Editor):
    def _stored(self, words: list[str]) -> str:
        return "\n".join(words)


class Press:
    name = "sorted words"

    def __init__(self, editor: type[Editor]) -> None:
        self._editor = editor

    def cases(self) -> list[str]:
        return ["sort"]

    def start(self, case: str, seed: int) -> Editor:
        return self._editor(seed)


def faulty() -> Press:
    return Press(Editor)


def repaired() -> Press:
    return Press(EditorToo)
