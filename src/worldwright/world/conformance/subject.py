"""What is checked, and what a check found.

Takes a way to make a world: a function, or `MODULE:FUNCTION` (where MODULE may be the path of a `.py` file). Gives the
Subject that every check receives, and the records in which results come back. Runs no check itself.
"""

from __future__ import annotations

import base64
import enum
import hashlib
import importlib
import importlib.util
import pickle
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import msgspec

from worldwright.errors import UsageError
from worldwright.world.conformance.draw import Known
from worldwright.world.protocol import World

__all__ = [
    "Broken",
    "Check",
    "CheckResult",
    "Factory",
    "NotSupported",
    "Portable",
    "Status",
    "Subject",
    "load_factory",
    "portable",
    "tried",
]

Factory = Callable[[], World]


class Status(enum.StrEnum):
    """What became of a check."""

    OK = "ok"
    FAIL = "fail"
    UNSUPPORTED = "unsupported"
    """The world doesn't have what the check looks at, or it can't be looked at here; the detail says which."""


class CheckResult(msgspec.Struct, frozen=True):
    """One check's result; `detail` is empty if all is well."""

    name: str
    status: Status
    detail: str = ""


class Broken(AssertionError):
    """The world doesn't do what the check wants; the message says what was got and what was expected."""


class NotSupported(Exception):
    """The check can't be made on this world."""


class Subject:
    """A world under test: how to make it, on which seeds, how long walks are, and values that walks may use.

    `known` is for values that chance won't find: `{"coupon": ["SPRING-24"]}` for the argument `coupon` of any tool.
    """

    def __init__(self, make_world: Factory | str, seeds: Sequence[int], steps: int = 30, known: Known | None = None) -> None:
        if not seeds:
            raise UsageError("no seeds given: expected at least one, e.g. range(3)")
        self.source, self.seeds, self.steps = make_world, tuple(seeds), steps
        self.known: Known = dict(known or {})
        self.factory = load_factory(make_world) if isinstance(make_world, str) else make_world
        self.answers: dict[str, Any] = {}
        """What other processes said, so that no question is asked twice."""
        self._world: World | None = None

    @property
    def world(self) -> World:
        """The world that checks share."""
        if self._world is None:
            self._world = self.fresh()
        return self._world

    def fresh(self) -> World:
        """Another world from the same source."""
        return self.factory()

    def renew(self) -> None:
        """Take another world from now on, so that what one check has broken doesn't show in the next."""
        self._world = None


Check = Callable[[Subject], None]
"""Returns if all is well; raises Broken or NotSupported."""


def tried(action: Callable[[], Any]) -> tuple[Any, Exception | None]:
    """What the action gives, or what it raises: the one place where a world's exception becomes data."""
    try:
        return action(), None
    except Exception as fault:  # noqa: BLE001 - whatever a world raises is what is looked for
        return None, fault


class Portable(msgspec.Struct, frozen=True):
    """A factory as another process can take it: pickled, or by name."""

    spec: str = ""
    pickled: str = ""

    def load(self) -> Factory:
        """The factory. Raises UsageError."""
        if self.spec:
            return load_factory(self.spec)
        made, fault = tried(lambda: pickle.loads(base64.b64decode(self.pickled)))
        if fault is not None:
            raise UsageError(f"the factory can't be loaded in another process: {type(fault).__name__}: {fault}")
        return cast("Factory", made)


def portable(source: Factory | str) -> Portable:
    """The factory for another process. Raises NotSupported where there is no way."""
    if isinstance(source, str):
        module, name = _parted(source)
        return Portable(f"{Path(module).absolute()}:{name}" if module.endswith(".py") else source)
    file = getattr(sys.modules.get(getattr(source, "__module__", "")), "__file__", None)
    name = getattr(source, "__qualname__", "")
    if file and name.isidentifier() and getattr(sys.modules[source.__module__], name, None) is source:
        by_name = source.__module__ != "__main__" and importlib.util.find_spec(source.__module__.partition(".")[0]) is not None
        return Portable(f"{source.__module__ if by_name else Path(file).absolute()}:{name}")
    pickled, fault = tried(lambda: pickle.dumps(source))
    if fault is not None:
        raise NotSupported(f"another process can't be given this factory ({fault}): make it a function of a module, or say MODULE:FUNCTION")
    return Portable(pickled=base64.b64encode(pickled).decode())


def load_factory(spec: str) -> Factory:
    """The function that `MODULE:FUNCTION` names. Raises UsageError."""
    module, name = _parted(spec)
    try:
        loaded = _from_file(Path(module)) if module.endswith(".py") else _by_name(module, spec)
    except UsageError:
        raise
    except Exception as fault:
        raise UsageError(f"{spec}: loading the module failed: {type(fault).__name__}: {fault}") from fault
    made = getattr(loaded, name, None)
    if not callable(made):
        raise UsageError(f"{spec}: {module} has no function '{name}'")
    return cast("Factory", made)


def _parted(spec: str) -> tuple[str, str]:
    module, _, name = spec.rpartition(":")
    if not module or not name.isidentifier():
        raise UsageError(f"got '{spec}'; expected MODULE:FUNCTION, e.g. my_package.world:make_world or my_world.py:make_world")
    return module, name


def _by_name(module: str, spec: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as fault:
        if fault.name is None or not f"{module}.".startswith(f"{fault.name}."):
            raise
        raise UsageError(f"{spec}: there is no module '{fault.name}' (a file is named by its path: my_world.py:make_world)") from fault


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise UsageError(f"{path}: not found")
    name = f"worldwright_subject_{hashlib.sha256(str(path.absolute()).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
