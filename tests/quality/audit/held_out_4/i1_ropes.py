"""A climbing centre goes through its rope register and takes worn ropes out of use."""

import random
from dataclasses import asdict, dataclass, replace

CENTRES = ["Crux", "Overhang", "Gritstone", "Bluff Road", "The Chimney"]
PROMPT = """You look after the rope register of the {centre} climbing centre. A rope's status is "in use", "retired" or "on loan".

Go through the ropes that are "in use":
1. Retire each rope with more than {hours} hours of use, or with a core rated "soft".
   Give the reason "hours" if it has more than {hours} hours, whatever its core is, and the reason "core" otherwise.
2. If a rope that you do not retire has a worn end of {worn} m or more, trim exactly the length of its worn end from it.
   Trimming shortens the rope and sets the worn end to 0.
Leave all other ropes as they are.

Your final answer is not graded, only the register is. Answer "done" when you have finished."""


@dataclass
class Rope:
    tag: str
    length: int
    hours: int
    core: str
    worn: int
    status: str = "in use"
    reason: str = ""


@dataclass(frozen=True)
class Rules:
    centre: str
    hours: int
    worn: int


def register(case: str, seed: int) -> tuple[Rules, list[Rope]]:
    """Draw up the rules and the ropes of one round."""
    rng = random.Random(seed)
    rules = Rules(rng.choice(CENTRES), rng.choice([250, 300, 350]), rng.choice([2, 3]))
    ropes = []
    for number in sorted(rng.sample(range(10, 100), {"hall": 10, "both": 18}[case])):
        core = rng.choice(["firm", "firm", "firm", "soft"])
        rope = Rope(f"R{number}", rng.choice([30, 40, 50, 60]), rng.randint(20, 420), core, rng.randint(0, 5))
        status = rng.choice(["in use", "in use", "in use", "in use", "on loan", "retired"])
        ropes.append(replace(rope, status=status, reason="core" if status == "retired" else ""))
    first, second, third = rng.sample(range(len(ropes)), 3)
    low = rng.randint(20, rules.hours)
    ropes[first] = replace(ropes[first], status="in use", reason="", hours=rules.hours + rng.randint(1, 60))
    ropes[second] = replace(ropes[second], status="in use", reason="", hours=low, core="firm", worn=rules.worn + rng.randint(0, 2))
    ropes[third] = replace(ropes[third], status="in use", reason="", hours=low, core="soft")
    return rules, ropes


class Check:
    """One round through the register."""

    def __init__(self, rules: Rules, ropes: list[Rope]) -> None:
        self.rules = rules
        self.ropes = {rope.tag: rope for rope in ropes}
        self.wanted = {rope.tag: self.treated(rope) for rope in ropes}
        self.prompt = PROMPT.format(centre=rules.centre, hours=rules.hours, worn=rules.worn)
        self.tools = [self.list_ropes, self.retire, self.trim]

    def treated(self, rope: Rope) -> Rope:
        """Return the rope as it should be at the end."""
        if rope.status == "in use" and (rope.hours > self.rules.hours or rope.core == "soft"):
            return replace(rope, status="retired", reason="hours" if rope.hours > self.rules.hours else "core")
        if rope.status == "in use" and rope.worn >= self.rules.worn:
            return replace(rope, length=rope.length - rope.worn, worn=0)
        return replace(rope)

    def rope(self, tag: str) -> Rope:
        if not isinstance(tag, str):
            raise TypeError("a tag is a text")
        if tag not in self.ropes:
            raise ValueError(f"no rope {tag}")
        return self.ropes[tag]

    def list_ropes(self) -> list[dict]:
        """List the ropes: tag, length and worn end in m, hours of use, core, status and reason."""
        return self.state()["ropes"]

    def retire(self, tag: str, reason: str) -> str:
        """Retire a rope for the reason "hours" or "core"."""
        rope = self.rope(tag)
        if not isinstance(reason, str):
            raise TypeError("a reason is a text")
        if reason not in ("hours", "core"):
            raise ValueError("the reasons are: hours, core")
        if rope.status == "retired":
            raise ValueError(f"rope {tag} is retired")
        rope.status = "retired"
        rope.reason = reason
        return f"rope {tag} is retired"

    def trim(self, tag: str, length: int) -> str:
        """Trim a length in m from the worn end of a rope that is not retired."""
        rope = self.rope(tag)
        if type(length) is not int:
            raise TypeError("a length is an integer")
        if rope.status == "retired" or not 1 <= length < rope.length:
            raise ValueError(f"cannot trim {length} m from rope {tag}")
        rope.length -= length
        rope.worn = max(0, rope.worn - length)
        return f"rope {tag} has {rope.length} m"

    def finish(self, answer: object) -> float:
        return 1.0 if self.ropes == self.wanted else 0.0

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        calls: list[tuple[str, dict]] = []
        for tag, rope in self.ropes.items():
            goal = self.treated(rope)
            if goal.status != rope.status:
                calls.append(("retire", {"tag": tag, "reason": goal.reason}))
            elif goal.length != rope.length:
                calls.append(("trim", {"tag": tag, "length": rope.worn}))
        return calls, "done"

    def alternatives(self) -> list[tuple[list[tuple[str, dict]], object]]:
        return [([("list_ropes", {}), *self.reference()[0][::-1]], "done")]

    def state(self) -> dict[str, list[dict]]:
        return {"ropes": [asdict(rope) for rope in self.ropes.values()]}


class Centre:
    name = "rope_register"
    registers: dict[tuple[str, int], tuple[Rules, list[Rope]]] = {}

    def cases(self) -> list[str]:
        return ["hall", "both"]

    def start(self, case: str, seed: int) -> Check:
        if (case, seed) not in self.registers:
            self.registers[case, seed] = register(case, seed)
        rules, ropes = self.registers[case, seed]
        return Check(rules, self.rows(ropes))

    def rows(self, ropes: list[Rope]) -> list[Rope]:
        return list(ropes)


class RowCentre(Centre):
    """Hands out rounds; the register is handed out row by row."""

    registers: dict[tuple[str, int], tuple[Rules, list[Rope]]] = {}

    def rows(self, ropes: list[Rope]) -> list[Rope]:
        return [replace(rope) for rope in ropes]


def faulty() -> Centre:
    return Centre()


def repaired() -> Centre:
    return RowCentre()
