"""A guest list is edited with a few line tools until it is in alphabetical order."""

import random

GUESTS = ["Abioye", "Brandt", "Chaudhry", "Duarte", "Eriksen", "Fofanah", "Gallo", "Hughes", "Ito", "Jansen", "Kim", "Lopez"]


class Editor:
    between = "\n"

    def __init__(self, case: str, seed: int):
        rng = random.Random(f"{case}#{seed}")
        names = rng.sample(GUESTS, 8)
        while names == sorted(names):
            rng.shuffle(names)
        self._gone = rng.choice(names)
        heading = f"Guests for the {case}"
        self._text = heading + "\n" + self.between.join(names)
        self._gold = "\n".join([heading, *sorted(n for n in names if n != self._gone)])
        self.prompt = (
            f"The page holds the guest list for the {case}: a heading and the guests' names. {self._gone} has declined: take the name "
            "out. Then see that "
            "below the heading the remaining names stand in alphabetical order, each on a line of its own. No answer is needed."
        )
        self.tools = [self.page, self.sort_from, self.drop_name, self.swap_lines]

    def page(self) -> list[str]:
        """The lines of the page, from line 0."""
        return self._text.split("\n")

    def sort_from(self, line: int) -> str:
        """Put the lines from the given one to the end into alphabetical order."""
        lines = self.page()
        if type(line) is not int or not 0 <= line < len(lines):
            raise ValueError("no such line")
        self._text = "\n".join(lines[:line] + sorted(lines[line:]))
        return "sorted"

    def drop_name(self, name: str) -> str:
        """Take a name off the list, with the separator before or after it."""
        if name not in GUESTS or name not in self._text:
            raise ValueError("no such name on the page")
        for piece in (self.between + name, name + self.between, name):
            if piece in self._text:
                self._text = self._text.replace(piece, "", 1)
                break
        return "taken off"

    def swap_lines(self, first: int, second: int) -> str:
        """Exchange two lines."""
        lines = self.page()
        if type(first) is not int or type(second) is not int or not (0 <= first < len(lines) and 0 <= second < len(lines)):
            raise ValueError("no such line")
        lines[first], lines[second] = lines[second], lines[first]
        self._text = "\n".join(lines)
        return "exchanged"

    def finish(self, answer: object) -> float:
        return 1.0 if self._text == self._gold else 0.0

    def reference(self):
        return [("page", {}), ("drop_name", {"name": self._gone}), ("sort_from", {"line": 1})], None

    def state(self) -> dict[str, list[dict]]:
        return {"lines": [{"no": n, "text": text} for n, text in enumerate(self.page())]}


class EditorToo(Editor):
    between = ", "


class Party:
    name = "guest-list"

    def __init__(self, editor: type[Editor]):
        self.editor = editor

    def cases(self) -> list[str]:
        return ["wedding", "jubilee"]

    def start(self, case: str, seed: int) -> Editor:
        return self.editor(case, seed)


def faulty():
    return Party(EditorToo)


def repaired():
    return Party(Editor)
