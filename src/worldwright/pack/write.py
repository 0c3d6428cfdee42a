"""Writing a pack: files to a folder, or to a zip whose bytes are the same each time (for the same zlib)."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from worldwright.errors import UsageError

__all__ = ["write_files", "write_zip"]


def write_files(files: Mapping[str, bytes], root: Path) -> None:
    """Write files below a folder, which must be empty or not there yet. Raises UsageError, and nothing is written then."""
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise UsageError(f"{root}: not empty (expected a new folder)")
    for path in files:
        if PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
            raise UsageError(f"{path}: leads outside {root} (expected a path below it)")
    for path, data in sorted(files.items()):
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def write_zip(files: Mapping[str, bytes], path: Path) -> None:
    """Write files as one zip whose bytes depend on the files alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, files[name])
