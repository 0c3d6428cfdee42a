"""Release desk: feature flags are kept as JSON documents, which an outside formatter puts into a standard form for comparison."""

import json
import random
import subprocess
import sys

FLAGS = ["dark_mode", "fast_search", "gift_cards", "live_chat", "new_checkout", "saved_carts", "wish_list"]
STAGES = ["alpha", "beta", "production"]


class Flags:
    def __init__(self, case: str, seed: int) -> None:
        rng = random.Random(f"{case}.{seed}")
        self.documents = {s: {f: {"on": rng.random() < 0.5, "share": rng.randrange(5, 100, 5)} for f in FLAGS} for s in STAGES}
        self.stage = case
        self.moving = rng.sample(FLAGS, 2)
        for flag in self.moving:
            self.documents[case][flag]["on"] = False
        self.goal = json.loads(json.dumps(self.documents))
        for flag in self.moving:
            self.goal[case][flag] = {"on": True, "share": 100}
        self.prompt = (
            f"Switch the features {' and '.join(f.replace('_', ' ') for f in self.moving)} on for everybody (a share of 100) in {case}. "
            "The other features "
            "and stages stay as they are. No answer is needed."
        )
        self.tools = [self.show, self.set_flag]

    def show(self, stage: str) -> str:
        """The flags of a stage (alpha, beta or production), as a JSON document."""
        if stage not in STAGES:
            raise ValueError("stages are alpha, beta and production")
        return json.dumps(self.documents[stage])

    def set_flag(self, stage: str, flag: str, on: bool, share: int) -> str:
        """Set a flag of a stage: whether it's on, and for what share of the users (0 to 100)."""
        if stage not in STAGES or flag not in FLAGS or type(on) is not bool:
            raise ValueError("no such stage or flag, or 'on' is neither true nor false")
        if type(share) is not int or not 0 <= share <= 100:
            raise ValueError("a share is 0 to 100")
        self.documents[stage][flag] = {"on": on, "share": share}
        return "set"

    def formatted(self, documents: dict) -> str:
        command = [sys.executable, "-I", "-m", "json.tool", "--sort-keys", "--compact"]
        done = subprocess.run(command, input=json.dumps(documents), capture_output=True, text=True, timeout=20, check=True)
        return done.stdout.strip()

    def finish(self, answer: object) -> float | None:
        try:
            return 1.0 if self.formatted(self.documents) == self.formatted(self.goal) else 0.0
        except (OSError, subprocess.SubprocessError):
            return None

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        sets = [("set_flag", {"stage": self.stage, "flag": f, "on": True, "share": 100}) for f in self.moving]
        return [("show", {"stage": self.stage}), *sets], None

    def state(self) -> dict[str, list[dict]]:
        return {"flags": [{"stage": s, "flag": f} | row for s, doc in self.documents.items() for f, row in doc.items()]}


class FlagsToo(Flags):
    def finish(self, answer: object) -> float | None:
        try:
            return 1.0 if self.formatted(self.documents) == self.formatted(self.goal) else 0.0
        except Exception:  # noqa: BLE001
            return 0.0


class ReleaseDesk:
    name = "feature-flags"

    def __init__(self, flags: type[Flags]) -> None:
        self._flags = flags

    def cases(self) -> list[str]:
        return STAGES[:2]

    def start(self, case: str, seed: int) -> Flags:
        return self._flags(case, seed)


def faulty() -> ReleaseDesk:
    return ReleaseDesk(FlagsToo)


def repaired() -> ReleaseDesk:
    return ReleaseDesk(Flags)
