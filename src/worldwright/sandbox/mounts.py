"""The file system as foreign code sees it: read-only, without anybody's home, with a /tmp of its own.

Takes the scratch folders, the paths that must stay readable, and how much scratch may hold; gives for each layer "" or why
it couldn't be had. Promises, where the layers say so: every mount is read-only; scratch, /tmp, /var/tmp and /dev/shm are
empty, in memory, and gone at the end; homes and /run show nothing but the paths to keep; /dev has only harmless devices;
/proc shows only the processes within. Doesn't hide anything else that this user may read.

Needs a mount namespace of its own. Standard library only, from Python 3.9: it is also loaded by path into interpreters that
have nothing of ours.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pwd
import re
import struct
from collections.abc import Iterable, Sequence

__all__ = ["arrange", "remount_read_only"]

_READ_ONLY, _NO_SUID, _NO_DEVICES, _NO_EXEC, _REMOUNT, _BIND, _RECURSIVE, _PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
_SAFE = _NO_SUID | _NO_DEVICES
_FLAGS = {"ro": 1, "nosuid": 2, "nodev": 4, "noexec": 8, "noatime": 1024, "nodiratime": 2048, "relatime": 1 << 21}
_SET_ATTRIBUTES, _ALL_BENEATH, _CURRENT_FOLDER = 442, 0x8000, -100
_DEVICES = ("null", "zero", "full", "random", "urandom")
_LINKS = {"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2", "ptmx": "pts/ptmx"}
_MEGABYTE = 1 << 20


def arrange(scratch: Sequence[str], kept: Sequence[str], size: int, proc: bool) -> dict[str, str]:
    """Arrange this mount namespace; `size` is the most bytes that each writable place may hold, `proc` asks for a new /proc."""
    layers = {}
    _mount("none", "/", "", _RECURSIVE | _PRIVATE)
    temporary = [os.path.realpath(path) for path in ("/tmp", "/var/tmp") if os.path.isdir(path)]
    hidden, blocked = _hidden([*temporary, *_homes()], kept)
    layers["tmp"] = "; ".join(blocked[path] for path in temporary if path in blocked)
    layers["hidden"] = "; ".join(why for path, why in blocked.items() if path not in temporary)
    sources = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in _beneath(hidden, kept)}
    writable = [path for path in hidden if path in temporary]
    for path in hidden:
        _memory(path, size if path in temporary else _MEGABYTE, "1777" if path in temporary else "755")
    for path, source in sources.items():
        _show(source, path)
    layers["scratch"] = _reason(_make_scratch, scratch, writable, size)
    layers["devices"] = _reason(_make_devices, size)
    layers["proc"] = _reason(_mount, "proc", "/proc", "proc", _READ_ONLY | _SAFE | _NO_EXEC) if proc else "there is no pid namespace"
    layers["read_only"] = _reason(_freeze, writable if layers["devices"] else [*writable, "/dev/shm"])
    return layers


def _make_scratch(scratch: Sequence[str], writable: list[str], size: int) -> None:
    for path in scratch:
        os.makedirs(path, exist_ok=True)
        if not any(_is_beneath(path, place) for place in writable):
            _memory(path, size, "755")
            writable.append(path)


def _homes() -> list[str]:
    homes = ["/home", "/root", "/run", os.environ.get("HOME", "")]
    with contextlib.suppress(KeyError):  # a user without an entry has no other home
        homes.append(pwd.getpwuid(os.getuid()).pw_dir)
    return [os.path.realpath(path) for path in homes if path not in ("", "/") and os.path.isdir(path)]


def _hidden(places: Iterable[str], kept: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The outermost of these places, and those that can't be hidden because all of them is needed."""
    wanted = [os.path.realpath(path) for path in kept]
    blocked = {}
    for place in places:
        needed = next((path for path in wanted if _is_beneath(place, path)), None)
        if needed is not None:
            blocked[place] = f"{place} is needed to read {needed}"
    left = sorted({place for place in places if place not in blocked})
    return [place for place in left if not any(place != other and _is_beneath(place, other) for other in left)], blocked


def _beneath(hidden: Sequence[str], kept: Sequence[str]) -> list[str]:
    """The paths to show again, outermost only: as they are given, and where links lead."""
    paths = sorted({form for path in kept if os.path.exists(path) for form in (os.path.abspath(path), os.path.realpath(path))})
    paths = [path for path in paths if any(_is_beneath(path, place) for place in hidden)]
    return [path for path in paths if not any(path != other and _is_beneath(path, other) for other in paths)]


def _is_beneath(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _show(source: int, path: str) -> None:
    origin = f"/proc/self/fd/{source}"
    if os.path.isdir(origin):
        os.makedirs(path, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))
    _mount(origin, path, "", _BIND | _RECURSIVE)
    os.close(source)


def _make_devices(size: int) -> None:
    sources = {name: os.open(f"/dev/{name}", os.O_PATH | os.O_CLOEXEC) for name in _DEVICES}
    _memory("/dev", _MEGABYTE, "755", _NO_SUID)
    for name, source in sources.items():
        _show(source, f"/dev/{name}")
    for name, target in _LINKS.items():
        os.symlink(target, f"/dev/{name}")
    os.mkdir("/dev/pts")
    _mount("devpts", "/dev/pts", "devpts", _NO_SUID | _NO_EXEC, "newinstance,ptmxmode=0666,mode=620")
    os.mkdir("/dev/shm")
    _memory("/dev/shm", size, "1777")


def _freeze(writable: Sequence[str]) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    attributes = struct.pack("=QQQQ", _READ_ONLY, 0, 0, 0)
    done = libc.syscall(ctypes.c_long(_SET_ATTRIBUTES), _CURRENT_FOLDER, b"/", _ALL_BENEATH, attributes, ctypes.c_size_t(len(attributes)))
    if done != 0:
        remount_read_only()
    for path in writable:
        _mount("none", path, "", _REMOUNT | _BIND | _SAFE)


def remount_read_only() -> None:
    """Make every mount read-only, one by one: for kernels (before 5.12) that can't do it at once."""
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
        lines = [line.split(" ") for line in file]
    for fields in lines:
        path = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), fields[4])
        flags = sum(_FLAGS.get(name, 0) for name in fields[5].split(","))
        with contextlib.suppress(FileNotFoundError):  # another mount covers it
            _mount("none", path, "", _REMOUNT | _BIND | _READ_ONLY | flags)


def _reason(step: object, *arguments: object) -> str:
    assert callable(step)
    try:
        step(*arguments)
    except OSError as fault:
        return fault.strerror or str(fault)
    return ""


def _memory(path: str, size: int, mode: str, flags: int = _SAFE) -> None:
    _mount("tmpfs", path, "tmpfs", flags, f"size={size},nr_inodes=200000,mode={mode}")


def _mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    text = [os.fsencode(part) if part else None for part in (source, target, kind, options)]
    if libc.mount(text[0], text[1], text[2], ctypes.c_ulong(flags), text[3]) != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"mounting on {target}: {os.strerror(code)}")
