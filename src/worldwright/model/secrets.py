"""Secrets, and text from which they are taken out.

Takes the values of keys as they are read; gives the same text or data with `[secret NAME]` where one stood, also where it
was percent-encoded, put in base64 or escaped for JSON. Promises that no value in it is shown by `repr`. Does not find a secret that
was cut into pieces or changed in another way.
"""

from __future__ import annotations

import base64
import json
import urllib.parse
from typing import Any

__all__ = ["Secrets"]

_SHORTEST = 6


class Secrets:
    """Names and values of what must not be shown."""

    def __init__(self) -> None:
        self._forms: dict[str, str] = {}

    def add(self, name: str, value: str) -> None:
        """Hide this value. One of fewer than six characters is left out: it would hide ordinary words, and protects nothing."""
        if len(value) < _SHORTEST:
            return
        data = value.encode()
        forms = {value, json.dumps(value)[1:-1], urllib.parse.quote(value, safe=""), urllib.parse.quote_plus(value)}
        forms |= {base64.b64encode(data).decode(), base64.b64encode(data).decode().rstrip("="), base64.urlsafe_b64encode(data).decode()}
        for form in forms:
            self._forms[form] = f"[secret {name}]"

    def hide(self, text: str) -> str:
        """The text without secrets, the longest form first."""
        for form in sorted(self._forms, key=len, reverse=True):
            if form in text:
                text = text.replace(form, self._forms[form])
        return text

    def hide_in(self, value: Any) -> Any:
        """JSON-like data without secrets, in keys too."""
        if isinstance(value, str):
            return self.hide(value)
        if isinstance(value, dict):
            return {self.hide(key) if isinstance(key, str) else key: self.hide_in(one) for key, one in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value)(self.hide_in(one) for one in value)
        return value

    def __repr__(self) -> str:
        return f"Secrets({len(set(self._forms.values()))})"
