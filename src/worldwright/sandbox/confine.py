"""Confinement of foreign code: this process, and all it will start, can do little harm from here on.

`confine` takes the folders that may be written, the paths that must stay readable where homes and /tmp are hidden, and
limits; it gives each layer's name with "" or the reason why it couldn't be had. Nothing is skipped silently, and a layer
that is missing never keeps the others from being put up. What the layers are for:

    user, mount, pid, net, ipc, uts   namespaces of its own: no network, no sight of other processes, no hold on them
    scratch, tmp, devices             writable folders, /tmp and /dev of its own, in memory, gone at the end
    read_only                         every other mount is read-only
    hidden                            homes and /run are empty but for what must stay readable
    proc                              /proc shows only the processes within
    rlimits                           address space, file size, processes, open files, processor time
    capabilities                      none left, nor to be had again
    no_new_privs                      setuid programs give nothing
    landlock                          writes only beneath the writable folders, once more and by another mechanism
    seccomp                           see `seccomp`

What is *not* protected: files that everybody may read can be read (as root: all files that belong to root and lie outside
homes), and so can what lies in the paths that stay readable; how busy the processor, the disks and the caches are can be
sensed, and used up within the limits; memory is limited for each process, not for all together; a service of this machine
that listens on a unix socket outside homes, /run and /tmp can be spoken to; root isn't bound by the limit on processes (who
runs this must count them); hardware faults and bugs of the kernel are beyond it. Without a pid namespace, and before
Landlock's sixth version, any process of the same user can be killed. It is a fence against accidents and against code
that games its grader, not one to put known malware behind.

Reads the environment's HOME. Standard library only, from Python 3.9: this file may be imported, or loaded by path (its
neighbours come from its own folder) into an interpreter that has nothing of ours. `python confine.py` prints the layers that
can be had here as JSON, after confining itself.
"""

from __future__ import annotations

import importlib.util
import json
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

__all__ = ["LAYERS", "LIMITS", "confine", "layers_here"]

LAYERS = (
    "user", "mount", "pid", "net", "ipc", "uts", "scratch", "tmp", "devices", "read_only", "hidden", "proc", "rlimits",
    "capabilities", "no_new_privs", "landlock", "seccomp",
)  # fmt: skip
"""Every layer, in the order in which they are put up."""
LIMITS: Mapping[str, int] = {
    "address_space": 8 << 30,
    "file_size": 256 << 20,
    "processes": 256,
    "open_files": 512,
    "scratch": 512 << 20,
}
"""What holds where `limits` says nothing: bytes, but for processes and open files. `cpu` (seconds) is unlimited."""
_RESOURCES = {
    "address_space": resource.RLIMIT_AS,
    "file_size": resource.RLIMIT_FSIZE,
    "processes": getattr(resource, "RLIMIT_NPROC", -1),
    "open_files": resource.RLIMIT_NOFILE,
    "cpu": resource.RLIMIT_CPU,
}
_DEATH_SIGNAL, _NO_NEW_PRIVS, _DROP_BOUND, _AMBIENT, _CLEAR_ALL = 1, 38, 24, 47, 4
_CAPABILITY_VERSION = 0x20080522
_HANGUP = 0x2000  # POLLRDHUP
_PAUSE = 50  # milliseconds between looks, where the kernel can't wait for both ends at once
_PATIENCE = 60

if TYPE_CHECKING:
    from worldwright.sandbox import landlock, mounts, namespaces, seccomp


def confine(writable: Sequence[str], readable_hidden: Sequence[str], limits: Mapping[str, int], leash: int = -1) -> dict[str, str]:
    """Confine this process for good; call it with a single thread. Gives each layer with "" or why it couldn't be had.

    With a pid namespace the caller goes on as its process number 1, in a fork: the process that called stays behind, gives
    on its end, and ends it when the other side of the socket `leash` hangs up. Afterwards the folder to be in is "/".
    """
    limits = {**LIMITS, **limits}
    if not sys.platform.startswith("linux"):
        return {layer: _reason(_limit, limits) if layer == "rlimits" else "this needs Linux" for layer in LAYERS}
    try:
        _load_neighbours()
    except ImportError as fault:
        layers = {layer: f"this Python has no ctypes ({fault})" for layer in LAYERS}
        return {**layers, "rlimits": _reason(_limit, limits)}
    layers = namespaces.enter()
    _go_on_in_a_fork(leash)
    layers.update(_arranged(writable, readable_hidden, limits, layers))
    os.chdir("/")
    layers["rlimits"] = _reason(_limit, limits)
    layers["capabilities"] = _reason(_drop_capabilities)
    layers["no_new_privs"] = _reason(_control, _NO_NEW_PRIVS, 1)
    layers["landlock"] = _reason(_restrict_writes, writable, layers)
    layers["seccomp"] = _reason(seccomp.forbid, _families(layers))
    return {layer: layers[layer] for layer in LAYERS}


def layers_here(python: str = sys.executable, timeout: float = _PATIENCE) -> dict[str, str]:
    """The layers that can be had on this machine, found out by another process. OSError if it can't be run."""
    done = subprocess.run([python, os.path.abspath(__file__)], capture_output=True, timeout=timeout, check=False)
    if done.returncode != 0:
        told = done.stderr.decode(errors="replace").strip().splitlines()
        raise OSError(f"{python} could not confine itself: {told[-1] if told else f'exit code {done.returncode}'}")
    return dict(json.loads(done.stdout))


def _load_neighbours() -> None:
    if __package__:
        names = {name: f"{__package__}.{name}" for name in ("landlock", "mounts", "namespaces", "seccomp")}
        globals().update({name: importlib.import_module(full) for name, full in names.items()})
        return
    for name in ("landlock", "mounts", "namespaces", "seccomp"):
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.py")
        spec = importlib.util.spec_from_file_location(f"{__name__}_{name}", path)
        assert spec is not None
        assert spec.loader is not None
        globals()[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(globals()[name])


def _reason(step: Any, *arguments: Any) -> str:
    try:
        step(*arguments)
    except (OSError, ValueError) as fault:
        return getattr(fault, "strerror", None) or str(fault)
    return ""


# ---- processes


def _go_on_in_a_fork(leash: int) -> None:
    """Return in a child, which is number 1 of the new pid namespace if there is one; the caller waits for its end."""
    child = os.fork()
    if child:
        os._exit(_wait_for(child, leash))
    _control(_DEATH_SIGNAL, int(signal.SIGKILL))
    os.setsid()


def _wait_for(child: int, leash: int) -> int:
    """The child's exit code, or 128 and its signal's number; kills it when the leash is let go."""
    watched = select.poll()
    if leash >= 0:
        watched.register(leash, _HANGUP)
    pause: int | None = _PAUSE
    try:
        watched.register(os.pidfd_open(child), select.POLLIN)
        pause = None
    except (AttributeError, OSError):
        pass  # before Linux 5.3 there is nothing to wait for but time
    while True:
        if any(found == leash for found, _ in watched.poll(pause)):
            os.kill(child, signal.SIGKILL)
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


def _control(option: int, value: int) -> None:
    import ctypes

    if ctypes.CDLL(None, use_errno=True).prctl(option, ctypes.c_ulong(value), *(ctypes.c_ulong(0),) * 3) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


# ---- layers


def _arranged(writable: Sequence[str], kept: Sequence[str], limits: Mapping[str, int], layers: Mapping[str, str]) -> dict[str, str]:
    names = ("scratch", "tmp", "devices", "read_only", "hidden", "proc")
    if layers["mount"]:
        return dict.fromkeys(names, "there is no mount namespace")
    try:
        return mounts.arrange([os.path.realpath(path) for path in writable], kept, limits["scratch"], not layers["pid"])
    except OSError as fault:
        return dict.fromkeys(names, fault.strerror or str(fault))


def _limit(limits: Mapping[str, int]) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name, kind in _RESOURCES.items():
        if name in limits and kind >= 0:
            most = resource.getrlimit(kind)[1]
            wanted = limits[name] if most == resource.RLIM_INFINITY else min(limits[name], most)
            resource.setrlimit(kind, (wanted, wanted))


def _drop_capabilities() -> None:
    import ctypes
    import struct

    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_AMBIENT, ctypes.c_ulong(_CLEAR_ALL), 0, 0, 0)
    for capability in range(64):
        libc.prctl(_DROP_BOUND, ctypes.c_ulong(capability), 0, 0, 0)
    header, nothing = struct.pack("=Ii", _CAPABILITY_VERSION, 0), bytes(24)
    if libc.capset(header, nothing) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def _restrict_writes(writable: Sequence[str], layers: Mapping[str, str]) -> None:
    folders = [os.path.realpath(path) for path in writable]
    folders += [] if layers["tmp"] else ["/tmp", "/var/tmp"]
    folders += [] if layers["devices"] else ["/dev/shm", "/dev/pts"]
    landlock.restrict_writes(folders, ["/dev/null", "/dev/zero", "/dev/full"], tcp=not layers["net"])


def _families(layers: Mapping[str, str]) -> list[int]:
    """The socket families that can't reach anything outside."""
    families = [] if layers["mount"] or layers["hidden"] else [int(socket.AF_UNIX)]
    return families if layers["net"] else [*families, int(socket.AF_INET), int(socket.AF_INET6), int(socket.AF_NETLINK)]


if __name__ == "__main__":
    if len(sys.argv) != 1:
        sys.exit("usage: python confine.py")
    with tempfile.TemporaryDirectory(prefix="worldwright-confine-") as _place:
        _ours, _theirs = socket.socketpair()
        if (_child := os.fork()) == 0:
            _layers = confine([_place], [sys.prefix, sys.base_prefix, os.path.dirname(os.path.abspath(__file__))], {})
            _theirs.sendall(json.dumps(_layers).encode())
            os._exit(0)
        _theirs.close()
        _told = b"".join(iter(lambda: _ours.recv(65536), b""))
        os.waitpid(_child, 0)
    sys.stdout.write(_told.decode())
