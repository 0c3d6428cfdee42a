"""What the agent is asked: a brief, its parameters, its limits. Holds no answer and no solution."""

from worldwright.task.brief import Brief, Limits
from worldwright.task.instance import Instance, Prompt, Task

__all__ = ["Brief", "Instance", "Limits", "Prompt", "Task"]
