"""Writing a pack: records to files, and a folder to a zip, the same bytes each time."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

from worldwright.errors import UsageError

__all__ = ["write_files", "write_zip"]


def write_files(files: Mapping[str, bytes], root: Path) -> None:
    """Write files below a folder, which must be empty or not there yet. Raises UsageError."""
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise UsageError(f"{root}: not empty (expected a new folder)")
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
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name])
