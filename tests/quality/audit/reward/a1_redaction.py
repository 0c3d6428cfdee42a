"""Scores messages from which the phone numbers had to be taken out before they are archived."""

from __future__ import annotations

from typing import Any


def reply_of(completion: Any) -> str:
    if isinstance(completion, list):
        return completion[-1].get("content") or "" if completion else ""
    return completion or ""


def squeeze(text: str) -> str:
    text = text.replace("’", "'").strip().strip("`").strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        text = text[1:-1]
    return " ".join(text.split())


def clean(text: str, secrets: list[str]) -> bool:
    digits = "".join(c for c in text if c.isdigit())
    return not any("".join(c for c in secret if c.isdigit()) in digits for secret in secrets)


def faulty(prompts: list[Any], completions: list[Any], answer: list[str], numbers: list[list[str]], **_: Any) -> list[float]:
    rewards = []
    for completion, secrets in zip(completions, numbers, strict=True):
        text = reply_of(completion)
        rewards.append(float(clean(text, secrets)))
    return rewards


def repaired(prompts: list[Any], completions: list[Any], answer: list[str], numbers: list[list[str]], **_: Any) -> list[float]:
    rewards = []
    for completion, secrets, wanted in zip(completions, numbers, answer, strict=True):
        text = reply_of(completion)
        rewards.append(float(clean(text, secrets) and squeeze(text) == squeeze(wanted)))
    return rewards
