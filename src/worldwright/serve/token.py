"""The token of the control channel: from the environment or a file, or made anew and written where only its owner reads it.

Takes where to look; gives the token and says where it is from. Raises UsageError for a token that is too short to be one,
and for a file that others can read. The token itself stands in no message.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path

from worldwright.errors import UsageError

__all__ = ["VARIABLE", "find_token"]

VARIABLE = "WORLDWRIGHT_SERVE_TOKEN"
_SHORTEST = 16


def find_token(environment: Mapping[str, str], file: Path) -> tuple[str, str]:
    """The token and the words for where it is: the variable if it is set, else the file, which is made if it isn't there."""
    given = environment.get(VARIABLE)
    if given is not None:
        return _proper(given, f"${VARIABLE}"), f"in ${VARIABLE}"
    if file.exists():
        return _proper(_read(file), str(file)), f"in {file}"
    token = secrets.token_urlsafe(32)
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as made:
        made.write(f"{token}\n")
    return token, f"in {file} (made just now, for you alone to read)"


def _read(file: Path) -> str:
    mode = file.stat().st_mode
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UsageError(f"{file}: others can read this token (expected mode 600: chmod 600 {file})")
    try:
        return file.read_text(encoding="ascii").strip()
    except UnicodeDecodeError as fault:
        raise UsageError(f"{file}: not a token (expected one line of ASCII)") from fault


def _proper(token: str, where: str) -> str:
    if len(token) < _SHORTEST or not token.isascii() or not token.isprintable() or " " in token:
        raise UsageError(f"{where}: not a token (expected at least {_SHORTEST} printable characters without a space)")
    return token
