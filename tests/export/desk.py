"""Packs that the bridge to TRL is tried on: the loan desk with families, and a world so small that a model on a CPU gets through it."""

from __future__ import annotations

from pathlib import Path

from worldwright.pack import Pack, read_pack

LOAN_DESK = Path(__file__).parents[1] / "quality" / "lint" / "base"
_BRIEF = b"""\
title: Say which tier a member has
concepts: [fine]
bind: SELECT name AS member FROM members
show: [member]
instruction: Say whether {{ member }} is an adult or a student; find_members tells it. Change nothing.
paraphrases: ["Is {{ member }} an adult or a student?"]
answer:
  tier: {type: string, enum: [adult, student], doc: The member's tier.}
limits: {calls: 6}
luck: 0.5
"""
_VERIFIER = b"""\
written_by: {kind: hand, sees: [brief.yaml, ../../world.yaml, ../../schema.sql, ../../handbook]}
expect: []
answer:
  tier: SELECT tier FROM before.members WHERE name = :member
"""
_LABELS = b"""
[families]
"loan-desk/say-tier" = "library/lookup"
"loan-desk/say-tier-apart" = "library/apart"
[splits]
train = ["library/lookup"]
held_out = ["library/apart"]
"""
_HALL = {
    "pack.toml": b"""\
name = "hall"
version = "0.1.0"
format = 1
licence = "Apache-2.0"
about = "One tool and one word to answer with: half of all guesses pass, so that rewards in a group differ."
[families]
"hall/which-side" = "hall/lookup"
[splits]
train = ["hall/lookup"]
""",
    "worlds/hall/world.yaml": b"""\
kind: records
title: Seats of a hall
domain: hall
concepts: [seat]
clock: {start: "2026-05-04T09:00:00", tick: 30}
tools:
  find_seat:
    doc: The side of a seat.
    args:
      seat: {type: integer, minimum: 1, maximum: 9, doc: The seat.}
    row: SELECT id, side FROM seats WHERE id = :seat
    missing: There is no seat {{ seat }}.
""",
    "worlds/hall/schema.sql": b"""\
CREATE TABLE seats (
  id INTEGER PRIMARY KEY,
  side TEXT NOT NULL CHECK (side IN ('left', 'right'))
);
""",
    "worlds/hall/scenario.py": b'''\
"""Nine seats, each on a side."""
import random


def scenario(seed):
    random.seed(seed)
    return {"seats": [{"id": i, "side": random.choice(["left", "right"])} for i in range(1, 10)]}
''',
    "worlds/hall/tasks/which-side/brief.yaml": b"""\
title: Say on which side a seat is
concepts: [seat]
bind: SELECT id AS seat FROM seats
show: [seat]
instruction: Is seat {{ seat }} left or right?
paraphrases: ["Seat {{ seat }}: left or right?"]
answer:
  side: {type: string, enum: [left, right], doc: The side.}
limits: {calls: 4}
luck: 0.5
""",
    "worlds/hall/tasks/which-side/verifier.yaml": b"""\
written_by: {kind: hand, sees: [brief.yaml, ../../world.yaml, ../../schema.sql]}
expect: []
answer:
  side: SELECT side FROM before.seats WHERE id = :seat
""",
}


def desk() -> Pack:
    """`loan-desk/say-tier` is in training, `loan-desk/say-tier-apart` held out, `loan-desk/settle-fine` on no side."""
    files = dict(read_pack(LOAN_DESK).files)
    files["pack.toml"] += _LABELS
    for task in ("say-tier", "say-tier-apart"):
        files |= {f"worlds/loan-desk/tasks/{task}/brief.yaml": _BRIEF, f"worlds/loan-desk/tasks/{task}/verifier.yaml": _VERIFIER}
    return Pack(files)


def hall(judges: bool = True) -> Pack:
    """One task, `hall/which-side`; its verifier can be one that fails at its work, so that no attempt has a verdict."""
    verifier = "worlds/hall/tasks/which-side/verifier.yaml"
    return Pack(_HALL if judges else {**_HALL, verifier: _HALL[verifier].replace(b"SELECT side", b"SELECT json_extract('{', '$') || side")})
