"""A domain model from a SQLite file, with an account of everything in it and a sample of its rows."""

from worldwright.domain.mine.sqlite.assemble import Mined, mine, sample

__all__ = ["Mined", "mine", "sample"]
