"""Worlds whose state is rows: SQL behind typed tools."""

from worldwright.world.records.episode import RecordsEpisode, RecordsEvidence
from worldwright.world.records.world import RecordsWorld

__all__ = ["RecordsEpisode", "RecordsEvidence", "RecordsWorld"]
