"""What foreign code does while it grades: seen through Python's audit events, and made to fail on request.

Takes the places of a process; gives touches: an event, what it was about, and whether that was there. Promises that imports
go on working whatever fails, and that the interpreter's own library and the source of installed packages are no touches.
Sees only what Python itself does: not what C code opens, nor what other processes do.

Events are named as Python names them (`open`, `subprocess.Popen`, `socket.connect`, ...), and beside these: `import` of a
file in the folder or in scratch, `stat` (also by os.path.exists and the like), `argument` (a file in the folder named by a
command line), `exec` (code that comes from no source file, or from one in the folder), `clock` and `environ`. Folders end
with a slash. What happens in `start` has `start:` before its name. `open:outside` fails as `open` does, outside the folder,
of what is there.

Standard library only, from Python 3.9: it is also loaded by path into interpreters that have nothing of ours.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence
from types import CodeType, FrameType
from typing import Any

from .places import PLAIN, Places

__all__ = ["MOST", "Watch"]

MOST = 2_000
"""How many touches are kept."""
_IMPORTER = "<frozen importlib"
_RUNNERS = ("runpy.py", "timeit.py", "code.py", "pdb.py", "doctest.py")
_FORWARD = ("os.py", "_collections_abc.py", "<frozen os>", "<frozen _collections_abc>")
_BY_PATH = frozenset(
    {
        "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.truncate", "os.link", "os.symlink", "os.chmod", "tempfile.mkstemp",
        "tempfile.mkdtemp", "shutil.copyfile", "shutil.copytree", "shutil.move", "shutil.rmtree", "shutil.unpack_archive",
        "shutil.make_archive", "sqlite3.connect",
    }
)  # fmt: skip
_FOLDERS = ("os.listdir", "os.scandir")
_COMMANDS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "pty.spawn")
_SOCKETS = ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg")
_NAMED = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")
_FROM_START = ("socket.", "clock")
_Listener = Callable[["Watch", str, tuple[Any, ...]], None]


class Watch:
    """The watcher of one process. `phase` is "" (looking away), "start" or "finish"."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.phase = ""
        self._recording = False
        self._failing: frozenset[str] = frozenset()
        self._touched: dict[tuple[str, str, str, bool, bool], None] = {}
        self._busy = False

    def install(self, recording: bool, failing: Sequence[str]) -> None:
        """Begin to listen, in this process and for good."""
        self._recording, self._failing = recording, frozenset(failing)
        if recording:
            self._listen_to_stat()
            self._listen_to_environ()
        sys.addaudithook(self._hook)

    def taken(self) -> list[dict[str, Any]]:
        """The touches so far, in order; the next ones start afresh."""
        touched, self._touched = self._touched, {}
        return [
            {"event": event, "path": path, "mode": mode, "inside": inside, "there": there} for event, path, mode, inside, there in touched
        ]

    def clock(self, name: str, frame: FrameType) -> None:
        """The wall clock was read by this frame."""
        if self.phase and self._recording and not self._busy and not self.places.is_library(frame.f_code.co_filename):
            self._note("clock", name)

    # ---- events

    def _hook(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.phase or self._busy:
            return
        self._busy = True
        failing = False
        try:
            failing = self.phase == "finish" and self._fails(event, args)
            if self._recording and not failing:
                self._record(event, args)
        except (OSError, ValueError, TypeError, AttributeError, IndexError):
            return  # what can't be understood is no touch
        finally:
            self._busy = False
        if failing:
            raise OSError(errno.EIO, f"{os.strerror(errno.EIO)} ({event} fails on this machine)")

    def _fails(self, event: str, args: tuple[Any, ...]) -> bool:
        outside_only = event == "open" and "open:outside" in self._failing
        if (event not in self._failing and not outside_only) or _caller().startswith(_IMPORTER):
            return False
        if event != "open":
            return True
        path = self.places.path(args[0])
        if not path or self.places.is_source(path) or path.startswith(PLAIN):
            return False
        if event in self._failing:
            return True
        return not self.places.is_inside(path) and not self.places.is_of_machine(path) and os.path.isfile(path)

    def _record(self, event: str, args: tuple[Any, ...]) -> None:
        listener = _LISTENERS.get(event)
        if listener is not None:
            listener(self, event, args)

    def _opened(self, event: str, args: tuple[Any, ...]) -> None:
        path = self.places.path(args[0])
        if not path or path.startswith(PLAIN) or _is_trial():
            return
        if os.path.isdir(path):  # a temporary file without a name
            self._note(event, f"{self.places.shown(path)}/", "w", self.places.is_inside(path), there=False)
            return
        mode = args[1] if isinstance(args[1], str) else _mode(args[2])
        if self.places.is_near(path):
            if _caller().startswith(_IMPORTER):
                if not mode.startswith("r"):
                    return  # its own cache
                self._note_path("import", path)
        elif self.places.is_source(path):
            return
        self._note_path(event, path, mode)

    def _imported(self, event: str, args: tuple[Any, ...]) -> None:
        path = self.places.path(args[1])
        if path and self.places.is_near(path):
            self._note_path(event, path)

    def _named_paths(self, event: str, args: tuple[Any, ...]) -> None:
        if _is_trial() or _caller().startswith(_IMPORTER):
            return
        found = [path for path in map(self.places.path, args[:2]) if path]
        for path in found:
            self._note_path(event, path)
        if not found and event == "sqlite3.connect":
            self._note(event, os.fsdecode(args[0]))

    def _listed(self, event: str, args: tuple[Any, ...]) -> None:
        path = self.places.path("." if args[0] is None else args[0])
        if path and self.places.is_inside(path) and not _caller().startswith(_IMPORTER):
            self._note(event, f"{self.places.shown(path)}/", "", True, self.places.is_there(path))

    def _commanded(self, event: str, args: tuple[Any, ...]) -> None:
        line = next((one for one in args if isinstance(one, (list, tuple))), args[0])
        words = [os.fsdecode(word) for word in line] if isinstance(line, (list, tuple)) else [os.fsdecode(line)]
        where = os.fsdecode(args[2]) if event == "subprocess.Popen" and args[2] else os.getcwd()
        paths = [self.places.path(os.path.join(where, word)) for line in words for word in line.split() if "\0" not in word]
        named = [path for path in paths if self.places.is_inside(path) and path != self.places.folder and self.places.is_there(path)]
        self._note(event, " ".join(words), "", bool(named) or self.places.is_inside(os.path.realpath(where)))
        for path in named:
            self._note_path("argument", path)

    def _addressed(self, event: str, args: tuple[Any, ...]) -> None:
        address = args[1] if event in _SOCKETS else args[:2]
        parts = address[:2] if isinstance(address, (tuple, list)) else (address,)
        self._note(event, ":".join(os.fsdecode(part) if isinstance(part, bytes) else str(part) for part in parts if part is not None))

    def _executed(self, event: str, args: tuple[Any, ...]) -> None:
        """Code from text: said once, by its text where that is known."""
        source, name = (None, args[0].co_filename) if isinstance(args[0], CodeType) else (args[0], os.fsdecode(args[1]))
        caller = _caller()
        if caller.startswith(_IMPORTER) or name.startswith("<frozen") or self.places.is_own(caller) or self.places.is_package(caller):
            return
        if self.places.is_library(caller) and not caller.endswith(_RUNNERS):
            return
        path = "" if name.startswith("<") else self.places.path(name)
        if path and self.places.is_there(path):
            if self.places.is_inside(path):
                self._note_path("exec", path)
        elif source is not None or not any(touch[0].endswith("exec") for touch in self._touched):
            text = source.decode("latin-1") if isinstance(source, bytes) else source if isinstance(source, str) else name
            self._note("exec", text[:200])

    # ---- beside Python's own events

    def _listen_to_stat(self) -> None:
        for name in ("stat", "lstat", "access"):
            setattr(os, name, self._looking(getattr(os, name)))
        accessor: Any = getattr(sys.modules.get("pathlib"), "_NormalAccessor", None)  # Python 3.9 and 3.10
        if accessor is not None:
            accessor.stat = staticmethod(os.stat)

    def _looking(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def looked(path: Any, *args: Any, **named: Any) -> Any:
            if self.phase and self._recording and not self._busy:
                self._busy = True
                try:
                    self._looked_at(path, sys._getframe(1).f_code.co_filename)
                except (OSError, ValueError, TypeError):
                    pass  # what can't be understood is no touch
                finally:
                    self._busy = False
            return function(path, *args, **named)

        for known in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks, os.supports_effective_ids):
            if function in known:
                known.add(looked)
        return looked

    def _looked_at(self, name: Any, caller: str) -> None:
        path = self.places.path(name)
        if path and path != self.places.folder and self.places.is_inside(path) and not caller.startswith(_IMPORTER):
            self._note_path("stat", path)

    def _listen_to_environ(self) -> None:
        kind: Any = type(os.environ)
        get = kind.__getitem__

        def read(environ: Any, key: Any) -> Any:
            if self.phase and not self._busy and isinstance(key, str):
                frame: FrameType | None = sys._getframe(1)
                while frame is not None and frame.f_code.co_filename.endswith(_FORWARD):
                    frame = frame.f_back
                if frame is not None and not self.places.is_library(frame.f_code.co_filename):
                    self._note("environ", key, "", False, key.encode(errors="surrogateescape") in environ._data)
            return get(environ, key)

        kind.__getitem__ = read

    # ---- notes

    def _note_path(self, event: str, path: str, mode: str = "") -> None:
        self._note(event, self.places.shown(path), mode, self.places.is_inside(path), self.places.is_there(path))

    def _note(self, event: str, path: str = "", mode: str = "", inside: bool = False, there: bool = True) -> None:
        if self.phase == "start":
            if not event.startswith(_FROM_START):
                return
            event = f"start:{event}"
        if len(self._touched) < MOST:
            self._touched.setdefault((event, path[:1000], mode, inside, there), None)


_LISTENERS: dict[str, _Listener] = {
    "open": Watch._opened,
    "import": Watch._imported,
    "exec": Watch._executed,
    "compile": Watch._executed,
    **dict.fromkeys(_BY_PATH, Watch._named_paths),
    **dict.fromkeys(_FOLDERS, Watch._listed),
    **dict.fromkeys(_COMMANDS, Watch._commanded),
    **dict.fromkeys((*_SOCKETS, *_NAMED), Watch._addressed),
}


def _caller() -> str:
    """The file of the nearest frame that isn't this one's."""
    frame = sys._getframe(1)
    while frame.f_code.co_filename == __file__ and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code.co_filename


def _is_trial() -> bool:
    """Whether the standard library only tries where temporary files can be made."""
    frame: FrameType | None = sys._getframe(1)
    for _ in range(6):
        if frame is None:
            return False
        if frame.f_code.co_name == "_get_default_tempdir":
            return True
        frame = frame.f_back
    return False


def _mode(flags: Any) -> str:
    if not isinstance(flags, int):
        return ""
    kind = flags & os.O_ACCMODE
    return "r" if kind == os.O_RDONLY else "a" if flags & os.O_APPEND else "w" if flags & (os.O_CREAT | os.O_TRUNC) else "r+"
