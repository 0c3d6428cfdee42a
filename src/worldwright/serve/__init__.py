"""Tasks served to agents that live elsewhere: rollouts by their id, over MCP, with a control channel apart."""

from worldwright.serve.rollout import Reply, ServedRollout
from worldwright.serve.rollouts import Rollouts, Wanted

__all__ = ["Reply", "Rollouts", "ServedRollout", "Wanted"]
