"""Tool faults: in some worlds one or two reading tools fail now and then, and say so.

Takes a draft and which tools the plans of each task can call again; gives the draft with `faults` and the tools' docs. Only tools that
change nothing fail, so that no run ends otherwise for it than it would have without. Draws from a stream of its own.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

import msgspec

from worldwright.synthesis.draft import Draft
from worldwright.world.spec import FaultSpec

__all__ = ["draw_faults"]

_SHARE = 1 / 3
"""So many worlds have them."""
_RATES = (0.08, 0.1, 0.12, 0.15)
_ERRORS = ("The records are busy just now.", "The connection to the records was lost.", "The request timed out.")
_COMMON = 4
"""A tool that fails is used by the references of at least one in so many tasks, where there is one."""


def draw_faults(draft: Draft, used: Mapping[str, set[str]]) -> None:
    """Let tools fail. `used`: by task, the tools that all its plans can call again."""
    rng = random.Random(f"{draft.seed}:{draft.name}:faults")
    if draft.plain or rng.random() >= _SHARE:
        return
    times = Counter(tool for tools in used.values() for tool in tools if tool in draft.tools and not draft.tools[tool].effect)
    often = [tool for tool, n in times.items() if n * _COMMON >= len(used)]
    those = sorted(often or times)
    for tool in rng.sample(those, min(len(those), rng.choice([1, 2]))):
        fault = draft.faults[tool] = FaultSpec(rng.choice(_RATES), rng.choice(_ERRORS))
        spec = draft.tools[tool]
        draft.tools[tool] = msgspec.structs.replace(spec, doc=f"{spec.doc} Now and then it fails ('{fault.error}'): then call it again.")
