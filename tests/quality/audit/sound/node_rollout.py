"""A platform engineer rolls a new kernel out over one pool of nodes, a node at a time."""

import random
import re


def whole(answer: object) -> int | None:
    if isinstance(answer, bool):
        return None
    if isinstance(answer, float):
        return int(answer) if answer.is_integer() else None
    if isinstance(answer, str):
        return int(answer) if re.fullmatch(r"\s*\d{1,6}\s*", answer, re.ASCII) else None
    return answer if isinstance(answer, int) else None


class Rollout:
    def __init__(self, seed: int) -> None:
        rng = random.Random(f"rollout {seed}")
        self.pool, other = rng.sample(["amber", "birch", "cedar", "dune"], 2)
        minor = rng.randint(3, 40)
        self.old, self.new = f"6.{minor}", f"6.{minor + 1}"
        ranks = rng.sample(range(1, 90), 10)
        names = [f"n{number}" for number in rng.sample(range(100, 1000), 10)]
        behind = rng.randint(2, 3)
        self.nodes = {}
        for i, node in enumerate(names):
            stale = i < behind or (i >= 5 and rng.random() < 0.5)
            self.nodes[node] = {
                "node": node,
                "pool": self.pool if i < 5 else other,
                "rank": ranks[i],
                "kernel": self.old if stale else self.new,
                "cordoned": False,
            }
        self.log: list[tuple[str, str]] = []
        todo = sorted((n for n in self.nodes.values() if n["pool"] == self.pool and n["kernel"] == self.old), key=lambda n: n["rank"])
        self.todo = [n["node"] for n in todo]
        self.prompt = (
            f"Bring every node of the pool {self.pool} that still runs kernel {self.old} to {self.new}. One node at a time, the lowest "
            "rank first: cordon it, upgrade it, uncordon it, then the next. The cluster keeps a log of all actions that succeeded; it "
            "can't be edited, and it must show just these steps in just this order. Nodes that run the new kernel already, and the other "
            "pool, are left alone. Answer with the number of nodes that you upgraded."
        )
        self.tools = [self.nodes_of, self.cordon, self.upgrade, self.uncordon]

    def _node(self, node: str) -> dict:
        if node not in self.nodes:
            raise ValueError(f"unknown node {node!r}")
        return self.nodes[node]

    def nodes_of(self, pool: str) -> list[dict]:
        """Nodes of a pool: rank, kernel, whether cordoned."""
        rows = [dict(n) for n in self.nodes.values() if n["pool"] == pool]
        if not rows:
            raise ValueError(f"unknown pool {pool!r}")
        return sorted(rows, key=lambda n: n["node"])

    def cordon(self, node: str) -> str:
        """Take a node out of scheduling. Only one node of a pool may be out at a time."""
        row = self._node(node)
        if any(n["cordoned"] for n in self.nodes.values() if n["pool"] == row["pool"]):
            raise ValueError("a node of this pool is cordoned already")
        row["cordoned"] = True
        self.log.append((row["node"], "cordon"))
        return "cordoned"

    def upgrade(self, node: str) -> str:
        """Install the new kernel on a cordoned node."""
        row = self._node(node)
        if not row["cordoned"]:
            raise ValueError("cordon it first")
        if row["kernel"] == self.new:
            raise ValueError("nothing to upgrade")
        row["kernel"] = self.new
        self.log.append((row["node"], "upgrade"))
        return f"runs {self.new}"

    def uncordon(self, node: str) -> str:
        """Put a cordoned node back into scheduling."""
        row = self._node(node)
        if not row["cordoned"]:
            raise ValueError("it isn't cordoned")
        row["cordoned"] = False
        self.log.append((row["node"], "uncordon"))
        return "back in service"

    def _steps(self) -> list[tuple[str, str]]:
        return [(node, action) for node in self.todo for action in ("cordon", "upgrade", "uncordon")]

    def state(self) -> dict[str, list[dict]]:
        return {
            "nodes": [dict(n) for n in self.nodes.values()],
            "log": [{"seq": i, "node": node, "action": action} for i, (node, action) in enumerate(self.log)],
        }

    def reference(self) -> tuple[list[tuple[str, dict]], object]:
        return [("nodes_of", {"pool": self.pool})] + [(action, {"node": node}) for node, action in self._steps()], len(self.todo)

    def finish(self, answer: object) -> float:
        return float(self.log == self._steps() and whole(answer) == len(self.todo))


class Cluster:
    name = "kernel rollout"

    def cases(self) -> list[str]:
        return ["rollout"]

    def start(self, case: str, seed: int) -> Rollout:
        return Rollout(seed)


def sound() -> Cluster:
    return Cluster()
