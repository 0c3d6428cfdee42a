"""The files of a pack, from a folder or a zip: plain files with plain names, not too many bytes.

Takes a path; gives a mapping from path inside the pack to bytes, the same for a folder and for a zip of it. Raises
UsageError where there is no pack, PackError where there is one that holds what isn't part of the format. Nothing is
ever written, and nothing outside the path is read.
"""

from __future__ import annotations

import os
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from worldwright.errors import PackError, UsageError

__all__ = ["read_files", "read_one"]

_MOST_BYTES = 256 * 2**20
_TOO_LARGE = f"at most {_MOST_BYTES // 2**20} MiB"
_SKIPPED = frozenset({"__pycache__", "__MACOSX", ".git", ".DS_Store"})
_UNREADABLE = (zipfile.BadZipFile, EOFError, OSError, RuntimeError, NotImplementedError, UnicodeError, ValueError)


def read_files(path: str | Path) -> dict[str, bytes]:
    """All files of a folder or zip, by path inside it. Raises UsageError and PackError."""
    root = Path(path)
    if root.is_dir():
        if not (root / "pack.toml").is_file():
            raise UsageError(f"{root}: no pack.toml there (expected a pack's folder or zip)")
        return _folder(root)
    if root.is_file():
        return _zip(root)
    raise UsageError(f"{root}: not found (expected a pack's folder or zip)")


def read_one(file: str) -> bytes | None:
    """One file of a pack by the path that errors name it by, also inside a zip; None if it isn't there."""
    path = Path(file)
    try:
        if path.is_symlink():
            return None
        if path.is_file():
            return path.read_bytes()
        archive = next((parent for parent in path.parents if parent.is_file()), None)
        return None if archive is None else _zip(archive).get(path.relative_to(archive).as_posix())
    except (OSError, UsageError, PackError):
        return None


def _folder(root: Path) -> dict[str, bytes]:
    out: dict[str, bytes] = {}
    size = 0
    for file in sorted(_walked(root)):
        inner = file.relative_to(root)
        if _SKIPPED & set(inner.parts):
            continue
        if file.is_symlink() or not (file.is_file() or file.is_dir()):
            raise PackError("a link or a special file is not part of the format", file=str(file), expected="a plain file")
        if file.is_dir():
            continue
        size += file.stat().st_size
        if size > _MOST_BYTES:
            raise PackError("the pack is too large", file=str(root), expected=_TOO_LARGE)
        try:
            inner.as_posix().encode()
            out[inner.as_posix()] = file.read_bytes()
        except (OSError, UnicodeEncodeError) as fault:
            raise PackError(f"the file can't be read: {fault}", file=ascii(str(file))[1:-1], expected="a readable file") from fault
    return out


def _walked(root: Path) -> Iterator[Path]:
    """Everything below a folder. Raises PackError for a folder that can't be read: what is in it would be lost silently."""

    def refuse(fault: OSError) -> None:
        raise PackError(f"the folder can't be read: {fault.strerror}", file=str(fault.filename), expected="a readable folder") from fault

    for folder, folders, files in os.walk(root, onerror=refuse):
        yield from (Path(folder, name) for name in (*folders, *files))


def _zip(path: Path) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [one for one in archive.infolist() if not (one.is_dir() or _SKIPPED & set(one.filename.split("/")))]
            _check_entries(entries, path)
            files = {one.filename: archive.read(one) for one in entries}
    except (*_UNREADABLE, zlib.error) as fault:
        raise UsageError(f"{path}: not a readable zip ({fault})") from fault
    tops = {name.split("/", 1)[0] for name in files}
    if "pack.toml" not in files and len(tops) == 1 and f"{next(iter(tops))}/pack.toml" in files:
        files = {name.split("/", 1)[1]: data for name, data in files.items()}
    if "pack.toml" not in files:
        raise UsageError(f"{path}: no pack.toml in the zip (expected a pack's folder or zip)")
    return dict(sorted(files.items()))


def _check_entries(entries: Iterable[zipfile.ZipInfo], path: Path) -> None:
    seen: set[str] = set()
    size = 0
    for one in entries:
        where = f"{path}/{one.filename}"
        if one.filename.startswith("/") or "\\" in one.filename or {"", ".", ".."} & set(one.filename.split("/")):
            raise PackError("a path in the zip leads outside it, or is not plain", file=where, expected="names with / between them")
        if one.filename in seen:
            raise PackError("a path stands twice in the zip", file=where, expected="each path once")
        if stat.S_ISLNK(one.external_attr >> 16):
            raise PackError("a link or a special file is not part of the format", file=where, expected="a plain file")
        seen.add(one.filename)
        size += one.file_size
    if size > _MOST_BYTES:
        raise PackError("the pack is too large", file=str(path), expected=_TOO_LARGE)
