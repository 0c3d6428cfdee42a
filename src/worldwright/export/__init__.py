"""Trajectories for foreign frameworks: one file a format, and an account of what each can't hold."""

from worldwright.export.write import FORMATS, Export, export

__all__ = ["FORMATS", "Export", "export"]
