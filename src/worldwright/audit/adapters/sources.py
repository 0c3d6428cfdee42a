"""The source that an environment is made of, and its hash.

Takes a file; gives the files that belong to it: its package's folder, or the file itself and what it imports from beside it,
as far as imports stand in the text. Promises the same hash for the same contents, wherever they lie. Doesn't follow imports
into installed packages, computed imports, or files that the code reads.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["digest_of", "source_files"]

_MOST_FILES, _MOST_BYTES = 2_000, 32 << 20
_PLACES = ("paths", "file", "keep")


def digest_of(load: Mapping[str, Any], files: Sequence[str]) -> str:
    """The hash of what is loaded and of these files' sources."""
    hashed = hashlib.sha256(json.dumps({name: load[name] for name in sorted(load) if name not in _PLACES}, sort_keys=True).encode())
    total = 0
    for name, path in sorted({source for file in files for source in source_files(Path(file))}):
        content = path.read_bytes() if path.is_file() else b""
        total += len(content)
        if total <= _MOST_BYTES:
            hashed.update(f"\0{name}\0{len(content)}\0".encode() + content)
    return hashed.hexdigest()


def source_files(file: Path) -> list[tuple[str, Path]]:
    """The files that belong to a module's file, by names that don't depend on where they lie."""
    if not file.is_file():
        return []
    root = file.resolve().parent
    if (root / "__init__.py").is_file():
        while (root.parent / "__init__.py").is_file():
            root = root.parent
        return [(path.relative_to(root.parent).as_posix(), path) for path in _package(root)]
    found: dict[Path, None] = {file.resolve(): None}
    for path in found.copy():
        _follow(path, root, found)
    return [(path.relative_to(root).as_posix(), path) for path in found]


def _follow(file: Path, root: Path, found: dict[Path, None]) -> None:
    for name in _imported(file):
        for path in (root / f"{name}.py", root / name / "__init__.py"):
            if path.is_file() and path not in found and len(found) < _MOST_FILES:
                for belonging in [path] if path.name != "__init__.py" else _package(path.parent):
                    found.setdefault(belonging, None)
                    if belonging.suffix == ".py" and belonging.parent == root:
                        _follow(belonging, root, found)


def _imported(file: Path) -> Iterator[str]:
    """First parts of the names that a file imports."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.split(".")[0]


def _package(root: Path) -> list[Path]:
    files = []
    for path in sorted(root.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and not any(part.startswith(".") for part in path.relative_to(root).parts):
            files.append(path)
    return files[:_MOST_FILES]
