"""A seccomp filter: system calls that nothing audited needs, refused with EPERM for this process and all it starts.

Takes which socket families may be opened; gives nothing, and raises OSError where the kernel refuses the filter.
Promises: debugging other processes, mounting, loading code into the kernel, its key store, performance counters,
io_uring (which would get round this filter) and new namespaces are refused; so are sockets of any family not named,
typing into a terminal, and calls by another architecture's numbers. Doesn't look behind pointers: which address a socket
connects to, or which path a call names, is not this filter's to see.

Standard library only, from Python 3.9: it is also loaded by path into interpreters that have nothing of ours.
"""

from __future__ import annotations

import ctypes
import platform
import socket
import struct
from collections.abc import Sequence

__all__ = ["compiled", "forbid"]

_ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""The kernel's number of the architecture, and its column below."""
_CALLS: dict[str, tuple[int, int]] = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "ioperm": (173, -1),
    "iopl": (172, -1),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "lookup_dcookie": (212, 18),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "name_to_handle_at": (303, 264),
    "nfsservctl": (180, 42),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "open_tree_attr": (467, 467),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "setdomainname": (171, 162),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "userfaultfd": (323, 282),
    "vhangup": (153, 58),
}
"""Refused whatever their arguments: numbers on x86_64 and on aarch64 (-1: isn't there)."""
_CLONE, _CLONE3, _UNSHARE = (56, 220), (435, 435), (272, 97)
_SOCKET, _SOCKETPAIR, _IOCTL = (41, 198), (53, 199), (16, 29)
_NEW_NAMESPACE = 0x7E020000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
_NEW_TIME = 0x80
_TERMINAL = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
_X32 = 0x40000000

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _UNKNOWN = 0x7FFF0000, 0x00050001, 0x00050026  # allow, EPERM, ENOSYS
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data; low halves first on both architectures
_SET_SECCOMP, _FILTER = 22, 2

_Step = tuple[int, int, int, int]  # operation, jump if true, jump if false, operand


def compiled(families: Sequence[int], machine: str = "") -> bytes:
    """The filter as the kernel reads it; OSError for an architecture whose numbers aren't listed here."""
    machine = machine or platform.machine()
    if machine not in _ARCHITECTURES:
        raise OSError(f"the numbers of system calls on {machine} are not listed")
    architecture, column = _ARCHITECTURES[machine]
    steps: list[_Step] = [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _REFUSE), (_LOAD, 0, 0, _NUMBER)]
    if machine == "x86_64":
        steps += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _REFUSE)]
    for numbers in _CALLS.values():
        if numbers[column] >= 0:
            steps += [(_EQUAL, 0, 1, numbers[column]), (_RETURN, 0, 0, _REFUSE)]
    # Its flags are behind a pointer; told that it doesn't exist, the C library falls back on clone.
    steps += [(_EQUAL, 0, 1, _CLONE3[column]), (_RETURN, 0, 0, _UNKNOWN)]
    steps += _on_argument(_CLONE[column], 0, [(_ANY_BIT, 0, 1, _NEW_NAMESPACE), (_RETURN, 0, 0, _REFUSE)], _ALLOW)
    steps += _on_argument(_UNSHARE[column], 0, [(_ANY_BIT, 0, 1, _NEW_NAMESPACE | _NEW_TIME), (_RETURN, 0, 0, _REFUSE)], _ALLOW)
    steps += _on_argument(_SOCKET[column], 0, [step for family in families for step in _when(family, _ALLOW)], _REFUSE)
    steps += _on_argument(_SOCKETPAIR[column], 0, _when(int(socket.AF_UNIX), _ALLOW), _REFUSE)
    steps += _on_argument(_IOCTL[column], 1, [step for request in _TERMINAL for step in _when(request, _REFUSE)], _ALLOW)
    steps.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _when(operand: int, then: int) -> list[_Step]:
    return [(_EQUAL, 0, 1, operand), (_RETURN, 0, 0, then)]


def _on_argument(call: int, argument: int, tests: list[_Step], otherwise: int) -> list[_Step]:
    """For one system call: load the low half of an argument, test it, and end either way."""
    return [(_EQUAL, 0, len(tests) + 2, call), (_LOAD, 0, 0, _ARGUMENTS + 8 * argument), *tests, (_RETURN, 0, 0, otherwise)]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def forbid(families: Sequence[int]) -> None:
    """Install the filter for good; OSError where that is refused. Needs no_new_privs."""
    steps = compiled(families)
    program = _Program(len(steps) // 8, steps)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_SET_SECCOMP, _FILTER, ctypes.byref(program), 0, 0) != 0:
        code = ctypes.get_errno()
        raise OSError(code, "the kernel refuses the seccomp filter" if code != 22 else "this kernel has no seccomp filters")
