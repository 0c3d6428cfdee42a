"""Where a path lies, as a watcher needs to know: in the episode's folder, in scratch, in the interpreter's library.

Takes the writable places and the folders of our own code; answers questions about paths and source files. Looks at the
file system to resolve links, with the functions that were there at import. Doesn't follow a link in a path's last part.

Standard library only, from Python 3.9: it is also loaded by path into interpreters that have nothing of ours.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Sequence
from typing import Any

__all__ = ["PLAIN", "Places"]

PLAIN = (
    "/dev/null", "/dev/urandom", "/dev/random", "/dev/zero", "/usr/share/zoneinfo/", "/etc/localtime", "/proc/self/fd",
)  # fmt: skip
"""What anything opens, and nothing depends on."""
_SOURCE = (".py", ".pyc", ".so", ".pth")
_MACHINE = ("/proc/", "/dev/", "/sys/")
_stat = os.stat


class Places:
    """Paths by where they lie; `folder` is the episode's, "" while there is none."""

    def __init__(self, scratch: Sequence[str], own: Sequence[str]) -> None:
        self.folder = ""
        self._scratch = _prefixes(scratch)
        self._own = _prefixes(own)
        paths = sysconfig.get_paths()
        self._library = _prefixes([paths["stdlib"], paths["platstdlib"]])
        self._packages = _prefixes([paths["purelib"], paths["platlib"]])

    def path(self, name: Any) -> str:
        """The absolute path with its folder resolved; "" for what isn't one."""
        if not isinstance(name, (str, bytes, os.PathLike)):
            return ""
        text = os.fsdecode(name)
        if not text or text.startswith((":memory:", "file:")):
            return ""
        folder, last = os.path.split(os.path.abspath(text))
        return os.path.join(os.path.realpath(folder), last)

    def is_there(self, path: str) -> bool:
        """Whether there is something at the path."""
        try:
            _stat(path)
        except (OSError, ValueError):
            return False
        return True

    def shown(self, path: str) -> str:
        """The path as a touch names it: relative to the folder where it lies inside."""
        return os.path.relpath(path, self.folder) if self.is_inside(path) else path

    def is_inside(self, path: str) -> bool:
        """Whether it is the episode's folder, or lies in it."""
        return bool(self.folder) and (path == self.folder or path.startswith(f"{self.folder}/"))

    def is_near(self, path: str) -> bool:
        """Whether it lies in the episode's folder or where anything may write."""
        return self.is_inside(path) or path.startswith(self._scratch)

    def is_of_machine(self, path: str) -> bool:
        """Whether it is a device, or one of the kernel's own files."""
        return path.startswith(_MACHINE)

    def is_source(self, path: str) -> bool:
        """Whether it belongs to the interpreter's library, or is source that can be imported from outside the folder."""
        if path.startswith(self._library) and not path.startswith(self._packages):
            return True
        return path.endswith(_SOURCE) and path.startswith(_prefixes(sys.path)) and not self.is_inside(path)

    def is_library(self, file: str) -> bool:
        """Whether source of this name is the interpreter's, or ours."""
        if file.startswith(("<frozen", *self._own)):
            return True
        return file.startswith(self._library) and not file.startswith(self._packages)

    def is_package(self, file: str) -> bool:
        """Whether source of this name belongs to an installed package."""
        return file.startswith(self._packages)

    def is_own(self, file: str) -> bool:
        """Whether source of this name is ours."""
        return file.startswith(self._own)


def _prefixes(folders: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{os.path.realpath(folder)}/" for folder in folders if folder)
