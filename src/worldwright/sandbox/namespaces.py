"""Namespaces: a user, mounts, processes, a network, IPC and a host name of this process's own.

Takes nothing; gives for each kind "" or why it couldn't be had. Promises: the process keeps its user and group numbers;
its network has a loopback interface and nothing else. Doesn't make the process number 1 of its new process namespace: the
next process that it forks is.

Standard library only, from Python 3.9: it is also loaded by path into interpreters that have nothing of ours.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct

__all__ = ["KINDS", "enter", "raise_loopback"]

_USER = 0x10000000
KINDS = {"user": _USER, "mount": 0x00020000, "pid": 0x20000000, "net": 0x40000000, "ipc": 0x08000000, "uts": 0x04000000}
"""The names of layers, and the kernel's flags."""
_SET_FLAGS, _UP_AND_RUNNING = 0x8914, 0x41
_HOST = b"localhost"


def enter() -> dict[str, str]:
    """Enter a new namespace of every kind that can be had. Only for a process with a single thread."""
    layers = {}
    # Some systems grant a user namespace that may do nothing; a process of its own finds out, as there is no way back.
    layers["user"] = _tried(_USER | KINDS["mount"]) or _reason_of(_enter_user)
    for name, flag in KINDS.items():
        if name != "user":
            layers[name] = _reason_of(lambda flag=flag: _unshare(flag))
    if not layers["net"]:
        layers["net"] = _reason_of(raise_loopback)
    if not layers["uts"]:
        ctypes.CDLL(None).sethostname(_HOST, len(_HOST))
    return layers


def _reason_of(step: object) -> str:
    assert callable(step)
    try:
        step()
    except OSError as fault:
        return fault.strerror or str(fault)
    return ""


def _tried(flags: int) -> str:
    """Why a user namespace with these kinds can't be had, or ""."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            _enter_user()
            _unshare(flags & ~_USER)
            code = 0
        except OSError as fault:
            code = fault.errno or 1
        finally:
            os._exit(code)
    code = os.waitpid(child, 0)[1] >> 8
    return f"user namespaces are not allowed here: {os.strerror(code)}" if code else ""


def _enter_user() -> None:
    user, group = os.geteuid(), os.getegid()
    _unshare(_USER)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def _unshare(flag: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(flag) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def raise_loopback() -> None:
    """Bring up the loopback interface, so that servers and clients within can meet."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh22x", b"lo", _UP_AND_RUNNING))
