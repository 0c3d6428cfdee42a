"""Work patterns: shapes of professional work that fit any domain model with the right motif, one module each.

A pattern's module has `NAME`, `ABOUT` and `furnish(draft, material, rng)`: it looks for its motif in the model (never by the names of
tables), adds tables, tools, pages, parameters and tasks to the draft, and raises `NoMotif` with the reason where the model has none.
The authors of its references and verifiers are modules of the same name in `author_reference` and `author_verifier`.
"""

from __future__ import annotations

from worldwright.errors import UsageError

__all__ = ["NoMotif"]


class NoMotif(UsageError):
    """The model has nothing that the pattern fits; the message says what was looked for."""
