"""The whole flow: from sources to a pack of certified tasks, with the funnel and what each step cost."""

from worldwright.forge.records import Funnel, Outcome, Refusal
from worldwright.forge.run import Forged, Plan, forge

__all__ = ["Forged", "Funnel", "Outcome", "Plan", "Refusal", "forge"]
