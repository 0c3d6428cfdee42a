"""Language models: scripted, recorded, local and hosted ones behind one record of a request and one of a completion."""

from worldwright.model.access import Access, Patience
from worldwright.model.budget import Budget, Pace, Price, Use
from worldwright.model.protocol import FAULTS, Completion, Message, Model, Request, Settings, Tool, ToolUse
from worldwright.model.scripted import ScriptedModel

__all__ = [
    "FAULTS",
    "Access",
    "Budget",
    "Completion",
    "Message",
    "Model",
    "Pace",
    "Patience",
    "Price",
    "Request",
    "ScriptedModel",
    "Settings",
    "Tool",
    "ToolUse",
    "Use",
]
