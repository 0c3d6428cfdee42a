"""Worldwright: a factory for reinforcement-learning environments for language-model agents.

Every environment ships with the measured error rates of its reward. The stages are listed in `worldwright.stages`;
this file imports none of them, so that using one stage never loads another.
"""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("worldwright")
except PackageNotFoundError:  # pragma: no cover - only when run from a source tree that was never installed
    __version__ = "0.0.0"

__all__ = ["__version__"]
