"""The transfer experiment: what training on one set of tasks gives on work that it never contained, against cost."""

from worldwright.transfer.records import Arm, ArmRun, Plan, Point, Results, Source

__all__ = ["Arm", "ArmRun", "Plan", "Point", "Results", "Source"]
