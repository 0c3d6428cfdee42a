"""Worldwright: a factory for reinforcement-learning environments for language-model agents.

Every environment ships with the measured error rates of its reward. The stages are listed in `worldwright.stages`;
this file imports none of them, so that using one stage never loads another.
"""

__all__ = ["__version__"]

__version__: str


def __getattr__(name: str) -> str:
    """The version, looked up when it is first asked for: that takes a fifth of the time in which a process starts."""
    if name != "__version__":
        raise AttributeError(f"module 'worldwright' has no attribute '{name}'")
    from importlib.metadata import PackageNotFoundError, version

    try:
        found = version("worldwright")
    except PackageNotFoundError:  # pragma: no cover - only when run from a source tree that was never installed
        found = "0.0.0"
    globals()["__version__"] = found
    return found
