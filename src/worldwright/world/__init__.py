"""Executable worlds: state, tools, handbook, clock, events and people."""

from worldwright.world.protocol import CallRecord, CallResult, Episode, Evidence, Message, RowChange, StopReason, ToolDoc, World

__all__ = ["CallRecord", "CallResult", "Episode", "Evidence", "Message", "RowChange", "StopReason", "ToolDoc", "World"]
