"""Known solutions: plans, and their replay."""

from worldwright.reference.replay import Replay, Step, again, replay

__all__ = ["Replay", "Step", "again", "replay"]
