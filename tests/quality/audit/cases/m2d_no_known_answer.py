"""Colouring of a pipe network, scored by rule; the generator doesn't keep a colouring of its own."""

import random


class Network:
    keeps = False

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"pipes-{seed}")
        self.colours = {tank: rng.choice("rgb") for tank in range(1, 8)}
        pairs = [(one, other) for one in self.colours for other in self.colours if one < other and self.colours[one] != self.colours[other]]
        self.pipes = sorted(rng.sample(pairs, min(9, len(pairs))))
        self.tools: list = []
        self.prompt = (
            f"Tanks 1 to 7 are joined by pipes: {', '.join(f'{one}-{other}' for one, other in self.pipes)}. Give every tank a colour, r, g or b, so "
            "that no pipe joins two tanks of one colour. Any such colouring will do. Answer with seven letters, one for each tank, in their order."
        )

    def finish(self, answer: object) -> float:
        text = "".join(str(answer).casefold().replace(",", " ").rstrip(" .").split()) if isinstance(answer, str) else ""
        if len(text) != 7 or set(text) - set("rgb"):
            return 0.0
        return float(all(text[one - 1] != text[other - 1] for one, other in self.pipes))

    def reference(self) -> tuple[list, object]:
        if not self.keeps:
            raise NotImplementedError
        return [], "".join(self.colours.values())


class NetworkToo(Network):
    keeps = True


class Plumbing:
    name = "pipe colours"

    def __init__(self, network: type[Network]) -> None:
        self._network = network

    def cases(self) -> list[str]:
        return ["colours"]

    def start(self, case: str, seed: int) -> Network:
        return self._network(seed)


def faulty() -> Plumbing:
    return Plumbing(Network)


def repaired() -> Plumbing:
    return Plumbing(NetworkToo)
