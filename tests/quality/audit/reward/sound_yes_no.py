"""Parcel rules: may this parcel go by letter post, yes or no?"""

from __future__ import annotations

import re
from typing import Any


def said(completion: Any) -> str:
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    return re.sub(r"^answer:|[\s.*\"']", "", text.casefold())


def sound(prompts: list[Any], completions: list[Any], label: list[str], **columns: Any) -> list[float]:
    return [1.0 if said(completion) == verdict else 0.0 for completion, verdict in zip(completions, label, strict=True)]
