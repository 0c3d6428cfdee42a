"""The process that runs foreign code: started by path, in any Python from 3.9, with nothing of ours installed.

Takes a request on its standard input, a socket: what to load, how to be confined, what the time is. Confines itself, imports
the foreign module, says so, and then carries out one request after the other, each in a fork of its own: the module is as
after its import every time. Frames are a length (4 bytes, big end first) and JSON; a reply's JSON names the size of what its
fork said, which follows as it came.

Promises, with a pid namespace, that no process outlives its request, and that scratch is as it was; that a request ends
within its time, its output and its number of processes, and is answered whatever the fork did. What foreign code prints goes
nowhere but into the last few kB for error messages. Without a pid namespace a process that hides from its parents can stay.
A process that can't be put back to what it was says that it is spent. Foreign code can, in the fork it is in, forge what that
fork says: it is the environment itself that does so, and no other request is touched.

Reads its environment (all of it is given by the host). Standard library only.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import json
import os
import signal
import socket
import struct
import sys
import types
from typing import TYPE_CHECKING, Any

HERE = os.path.dirname(os.path.abspath(__file__))
SANDBOX = os.path.join(os.path.dirname(os.path.dirname(HERE)), "sandbox")
PACKAGE = "_worldwright_child"

if TYPE_CHECKING:
    from worldwright.audit.host.clock import Clock

_FIRST_FREE = 200


class Wire:
    """Frames over a socket."""

    def __init__(self, ours: socket.socket) -> None:
        self._socket = ours

    def fileno(self) -> int:
        """The socket's."""
        return self._socket.fileno()

    def read(self) -> Any:
        """The next frame; None at the end."""
        size = self._exactly(4)
        content = self._exactly(struct.unpack(">I", size)[0]) if size else b""
        return json.loads(content) if content else None

    def _exactly(self, size: int) -> bytes:
        parts = []
        while size:
            part = self._socket.recv(min(size, 1 << 20))
            if not part:
                return b""
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def write(self, frame: Any, content: bytes = b"") -> None:
        """A frame, and what follows it."""
        data = json.dumps(frame).encode()
        self._socket.sendall(struct.pack(">I", len(data)) + data + content)

    def close(self) -> None:
        """In a fork: it is not the fork's."""
        self._socket.close()


def take_wire() -> Wire:
    """The socket that is standard input, out of reach of what uses standard input; which becomes empty."""
    number = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return Wire(socket.socket(fileno=number))


def ours(name: str) -> Any:
    """A module that lies beside this file, or in the sandbox's folder; where from is nobody else's business."""
    if PACKAGE not in sys.modules:
        package = types.ModuleType(PACKAGE)
        package.__path__ = [HERE, SANDBOX]
        sys.modules[PACKAGE] = package
    return importlib.import_module(f"{PACKAGE}.{name}")


def needed(load: dict[str, Any]) -> list[str]:
    """Paths that must stay readable for imports: the interpreter's, the module's, and those of editable installs."""
    paths = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix, *sys.path, *load.get("paths", ()), *load.get("keep", ())]
    paths += [load["file"]] if "file" in load else []
    for name, module in list(sys.modules.items()):
        if name.startswith("__editable__"):
            paths += [str(path) for path in getattr(module, "MAPPING", {}).values()]
    return [path for path in dict.fromkeys(paths) if path and os.path.exists(path)]


def settle(layers: dict[str, str], spot: str, where: str) -> list[str]:
    """Make the home that foreign code gets, and be there; gives the places that can be written."""
    private = not layers["tmp"]
    places = [*(["/tmp", "/var/tmp"] if private else []), *([] if layers["devices"] else ["/dev/shm"])]
    places += [] if os.path.realpath(spot).startswith(tuple(f"{place}/" for place in places)) else [spot]
    parts = [part for part in where.replace("\0", "").split("/") if part not in ("", ".", "..")] or ["home"]
    home = os.path.join("/tmp" if private else spot, *parts)
    os.makedirs(home, exist_ok=True)
    if not private:
        os.environ["TMPDIR"] = os.path.join(spot, "tmp")
        os.makedirs(os.environ["TMPDIR"], exist_ok=True)
    os.environ["HOME"] = home
    os.environ["PATH"] = os.pathsep.join((os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)))
    os.chdir(home)
    return places


def main() -> None:
    """Serve until the host hangs up."""
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != HERE]
    wire = take_wire()
    start = wire.read()
    if start is None:
        return
    modules = {name: ours(name) for name in ("confine", "clock", "scratch", "places", "watch", "worker", "zygote")}
    layers = modules["confine"].confine([start["spot"]], needed(start["load"]), start["limits"], wire.fileno())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # number 1 of a pid namespace gets only what it listens to
    places = settle(layers, start["spot"], start["where"])
    clock: Clock = modules["clock"].Clock(start["days"] * 86_400)
    layers["clock"] = clock.install()
    worker = modules["worker"].Worker(start["load"], clock, modules["places"].Places(places, [HERE, SANDBOX]))
    fault, early = ("", True) if start["late"] else worker.load()
    wire.write({"layers": layers, "fault": fault, "late": not early, "file": worker.file})
    if fault or not early:
        return
    scratch = modules["scratch"].Scratch(places)
    scratch.mark()
    gc.collect()
    gc.freeze()
    modules["zygote"].Zygote(wire, worker, scratch, layers, start["limits"]).serve()


if __name__ == "__main__":
    main()
