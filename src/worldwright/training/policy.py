"""The probe policy: the network with a way to choose, and its checkpoint on disk.

Takes weights; gives the chances of moves, and chosen moves from a seed. A fresh policy isn't blank: PRIOR makes it gather before it
acts and answer last, so that groups of attempts carry a signal from the start; "no training" is this fresh policy. A checkpoint says
what it was trained on (task digests, families, pack), so that a task which is found bad later names it.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from worldwright.errors import UsageError
from worldwright.training.features import FEATURES, NAMES
from worldwright.training.network import Network

__all__ = ["FORMAT", "PRIOR", "Checkpoint", "Policy", "choose", "read_checkpoint", "write_checkpoint"]

PRIOR: Mapping[str, float] = {
    "is_read": 3.0,
    "is_keep": 1.0,
    "is_answer": -3.0,
    "is_finish": -3.0,
    "named": 1.5,
    "own_key": 1.0,
    "noun_in_missing": 1.0,
    "finds": 1.0,
    "unsure": -2.0,
    "weak": -1.5,
    "repeats": -1.5,
    "bound_decided": 1.5,
    "bound_constant": -2.5,
    "by_constant": -1.0,
    "column_decided": 1.5,
    "exact_name": 1.0,
}
"""Direct weights of a fresh policy: look before you act, act before you answer, on what was worked out rather than on a guess."""

FORMAT = 1


class Checkpoint(msgspec.Struct, frozen=True):
    """What is written beside the weights. `seen` are the tasks trained on as `world/task` with their digests."""

    format: int
    seed: int
    pack: str
    seen: dict[str, str]
    families: tuple[str, ...]
    spent: dict[str, float] = {}
    name: str = ""


class Policy:
    """See the module."""

    def __init__(self, network: Network) -> None:
        self.network = network

    @classmethod
    def fresh(cls, seed: int) -> Policy:
        """An untrained policy."""
        return cls(Network.fresh(seed, {NAMES.index(name): value for name, value in PRIOR.items()}))

    def chances(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """The probability of each move."""
        return self.network.chances(features)


def choose(chances: NDArray[np.float32], chance: float) -> int:
    """The move at this point of the unit interval."""
    return min(int(np.searchsorted(np.cumsum(chances), chance * float(chances.sum()), side="right")), len(chances) - 1)


def write_checkpoint(path: Path, policy: Policy, about: Checkpoint) -> None:
    """Weights and account in one file (numpy's npz, stored without compression, so the same bytes for the same training)."""
    buffer = io.BytesIO()
    np.savez(buffer, about=np.frombuffer(msgspec.json.encode(about), dtype=np.uint8), **policy.network.weights)  # type: ignore[arg-type]
    path.write_bytes(buffer.getvalue())


def read_checkpoint(path: Path) -> tuple[Policy, Checkpoint]:
    """The policy and its account. Raises UsageError."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            about = msgspec.json.decode(stored["about"].tobytes(), type=Checkpoint)
            weights: dict[str, Any] = {name: stored[name] for name in ("w1", "b1", "w2", "w0")}
    except OSError as fault:
        raise UsageError(f"{path}: {fault.strerror or fault} (expected a checkpoint of the probe policy)") from fault
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile, msgspec.MsgspecError) as fault:
        raise UsageError(f"{path}: this is no checkpoint of the probe policy (expected a file that `worldwright train` wrote)") from fault
    if about.format != FORMAT or weights["w1"].shape[0] != FEATURES:
        raise UsageError(
            f"{path}: a checkpoint of another version (its features are {weights['w1'].shape[0]}, expected {FEATURES}); train again"
        )
    return Policy(Network(weights)), about
