"""Plain Python environments as subjects: a module's function that gives an environment, as `protocol` describes it.

Takes the module's and the function's name, the folder to import from, and the interpreter; gives a Subject. The module is
never imported here: it runs in confined processes (see `sandbox.confine` for what that does and doesn't protect).
"""

from __future__ import annotations

import os
import re
import shutil

from worldwright.audit.adapters.hosted import HostedSubject
from worldwright.audit.host import Limits
from worldwright.errors import UsageError

__all__ = ["PythonSubject", "interpreter"]

_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


class PythonSubject(HostedSubject):
    """The environment that `function` of `module` gives. Raises UsageError for names, a folder or an interpreter that can't be."""

    def __init__(
        self,
        module: str,
        function: str,
        path: str | None = None,
        python: str | None = None,
        *,
        limits: Limits | None = None,
        workers: int = 1,
    ) -> None:
        for what, name in (("module", module), ("function", function)):
            if not _NAME.fullmatch(name):
                raise UsageError(f"python:{module}:{function}: {name!r} is no {what}'s name (expected python:MODULE:FUNCTION)")
        if path is not None and not os.path.isdir(path):
            raise UsageError(f"--path {path}: not a folder (expected the folder that {module.split('.')[0]} is imported from)")
        load = {"module": module, "function": function, "paths": [] if path is None else [os.path.abspath(path)]}
        super().__init__(load, f"python:{module}:{function}", "python", python=interpreter(python), limits=limits, workers=workers)


def interpreter(python: str | None) -> str | None:
    """The path of an interpreter. Raises UsageError if there is none of that name."""
    if python is None:
        return None
    found = shutil.which(python)
    if found is None:
        raise UsageError(f"--python {python}: no such program (expected the path or name of a Python 3.9 or newer)")
    return os.path.abspath(found)
