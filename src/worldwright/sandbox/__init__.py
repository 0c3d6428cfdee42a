"""Running code that isn't ours: plans, scenarios and compute functions in Monty."""

from worldwright.sandbox.monty import Limits, call_function
from worldwright.sandbox.plan import Plan, PlanCall, PlanDone, PlanRun

__all__ = ["Limits", "Plan", "PlanCall", "PlanDone", "PlanRun", "call_function"]
