"""Landlock: this process and all it starts may write only beneath the folders named.

Takes folders and single files; gives the kernel's version of Landlock, and raises OSError where it has none. Promises:
creating, changing, renaming, truncating and deleting files elsewhere is refused, as far as that version knows of it
(truncating from the third on); from the fourth on, TCP is refused too if asked; from the sixth on, signals to processes
outside and their abstract sockets. Doesn't limit reading, nor changes of a file's mode, owner or times.

Standard library only, from Python 3.9: it is also loaded by path into interpreters that have nothing of ours.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Sequence
from typing import Any

__all__ = ["restrict_writes"]

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same numbers on every architecture
_ABSENT = (38, 95)  # ENOSYS, EOPNOTSUPP
_BENEATH = 1
_WRITE_FILE, _REFER, _TRUNCATE = 1 << 1, 1 << 13, 1 << 14
_CHANGE_FOLDER = 0x1FF0  # remove and make, of every kind: bits 4 to 12
_TCP = 0b11  # bind, connect
_SCOPED = 0b11  # abstract unix sockets, signals


def restrict_writes(folders: Sequence[str], files: Sequence[str], tcp: bool) -> int:
    """Restrict for good; `tcp` false refuses TCP as well, where the kernel can.

    OSError where it is refused. Folders and files that aren't there are passed over. Needs no_new_privs.
    """
    version = _call(_CREATE, None, 0, 1)
    on_files = _WRITE_FILE | (_TRUNCATE if version >= 3 else 0)
    rights = on_files | _CHANGE_FOLDER | (_REFER if version >= 2 else 0)
    attributes = struct.pack("=QQQ", rights, 0 if tcp or version < 4 else _TCP, _SCOPED if version >= 6 else 0)
    rules = _call(_CREATE, attributes, 8 if version < 4 else 16 if version < 6 else 24, 0)
    try:
        for paths, allowed in ((folders, rights), (files, on_files)):
            for path in filter(os.path.exists, paths):
                _allow(rules, path, allowed)
        _call(_RESTRICT, rules, 0)
    finally:
        os.close(rules)
    return version


def _allow(rules: int, path: str, rights: int) -> None:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        _call(_ADD, rules, _BENEATH, struct.pack("=Qi", rights, place), 0)
    finally:
        os.close(place)


def _call(*arguments: Any) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    got = int(libc.syscall(*(ctypes.c_long(value) if isinstance(value, int) else value for value in arguments)))
    if got < 0:
        code = ctypes.get_errno()
        raise OSError(code, "this kernel has no Landlock, or it is switched off" if code in _ABSENT else os.strerror(code))
    return got
