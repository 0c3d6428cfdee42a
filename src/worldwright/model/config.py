"""Which models there are and who uses which: `worldwright.toml`, the environment, and the command line.

Takes a file and environment variables; gives records, without asking anybody. Keys never stand in the file: it names the environment
variable that holds one. Unknown names are errors with what is known. Reads the environment once, when asked to; nothing is a default that
sends anything anywhere.
"""

from __future__ import annotations

import math
import os
import re
import tomllib
import urllib.parse
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from worldwright.errors import UsageError

__all__ = ["FILE", "LONGEST", "ROLES", "Configuration", "ModelSpec", "RoleSpec", "read_configuration", "shown"]

FILE = "worldwright.toml"
ROLES = ("solver", "judge", "miner", "proposer", "builder", "task", "reference", "verifier", "red-team", "repairer")
"""What a model can be asked as; a role without a line of its own uses the model of `default`."""

LONGEST = 1e6
"""The most seconds that anything may be waited for."""
_KEY_NAME = re.compile(r"[A-Z_][A-Z0-9_]*")
_KINDS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}


class ModelSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One model, `[models.NAME]`.

    `provider`: `openai` (any endpoint of that form), `anthropic`, `local` (a GGUF file), `scripted` or `recorded` (a file).
    `key` names the environment variable that holds the key; with a `base_url` and without `key`, none is sent.
    `tools = "json"` holds a model without tool calling to JSON objects. Times are seconds, prices cents per million tokens.
    """

    provider: Literal["openai", "anthropic", "local", "scripted", "recorded"]
    model: str = ""
    base_url: str | None = None
    key: str = ""
    file: str = ""
    tools: Literal["native", "json"] = "native"
    stream: bool = False
    max_tokens: int = 2048
    temperature: float | None = None
    timeout: float = 120.0
    tries: int = 5
    requests_per_minute: int = 0
    tokens_per_minute: int = 0
    input_price: float | None = None
    output_price: float | None = None
    context: int = 8192
    threads: int = 1

    @property
    def key_name(self) -> str:
        """The environment variable that holds the key; an address of one's own gets none that it isn't given by name."""
        return self.key or ("" if self.base_url else _KINDS.get(self.provider, ""))

    @property
    def address(self) -> str:
        """The base_url as it may be shown: without user, password and query; empty if it is no address."""
        try:
            parts = urllib.parse.urlsplit(self.base_url or "")
        except ValueError:
            return ""
        return urllib.parse.urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


class RoleSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One role, `[roles.NAME]`: its model, and what it may use in one run of a command and in one attempt; absent is without limit."""

    model: str = ""
    tokens: int | None = None
    cents: float | None = None
    tokens_per_attempt: int = 0
    cents_per_attempt: float = 0.0


class Configuration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    models: dict[str, ModelSpec] = {}
    roles: dict[str, RoleSpec] = {}

    def role(self, name: str) -> RoleSpec:
        """What is said of a role, or of `default`."""
        return self.roles.get(name) or self.roles.get("default") or RoleSpec()


def read_configuration(path: Path | None = None, environment: Mapping[str, str] | None = None) -> Configuration:
    """The configuration in a file, changed by the environment. Raises UsageError naming file and field.

    Without a path it is the file that WORLDWRIGHT_CONFIG names, or `worldwright.toml` here if there is one.
    """
    env = os.environ if environment is None else environment
    named = path or (Path(env["WORLDWRIGHT_CONFIG"]) if env.get("WORLDWRIGHT_CONFIG") else None)
    file = named or Path(FILE)
    if named is None and not file.is_file():
        return _changed(Configuration(), env)
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as fault:
        raise UsageError(f"{file}: can't be read: {fault} (expected a configuration, TOML)") from fault
    except tomllib.TOMLDecodeError as fault:
        raise UsageError(f"{file}: not TOML: {fault}") from fault
    found = _converted(data, str(file))
    _check(found, str(file))
    return _changed(found, env)


def shown(found: Configuration) -> Configuration:
    """The configuration as it may be shown: what addresses carry besides is left out."""
    models = {name: msgspec.structs.replace(one, base_url=one.address or None) for name, one in found.models.items()}
    return msgspec.structs.replace(found, models=models)


def _converted(data: Mapping[str, Any], file: str) -> Configuration:
    """The records, each part by itself, so that an error names it."""
    parts: dict[str, dict[str, Any]] = {"models": {}, "roles": {}}
    for part, value in data.items():
        if part not in parts or not isinstance(value, dict):
            raise UsageError(f"{file}: {part}: unknown (expected [models.NAME] and [roles.NAME])")
        for name, one in value.items():
            try:
                parts[part][name] = msgspec.convert(one, ModelSpec if part == "models" else RoleSpec)
            except msgspec.ValidationError as fault:
                raise UsageError(f"{file}: {part}.{name}: {fault} (docs/models.md lists what may stand there)") from fault
    return Configuration(**parts)


def _check(found: Configuration, file: str) -> None:
    for name, role in found.roles.items():
        if name not in (*ROLES, "default"):
            raise UsageError(f"{file}: roles.{name}: no such role (there are: {', '.join(ROLES)}, default)")
        _check_budgets(role, f"{file}: roles.{name}")
    for name, one in found.models.items():
        where = f"{file}: models.{name}"
        if one.provider in _KINDS and not one.model:
            raise UsageError(f"{where}.model: missing (expected the provider's name of the model)")
        if one.provider in ("scripted", "recorded") and not one.file:
            raise UsageError(f"{where}.file: missing (expected the path of a JSONL file)")
        if one.key and not _KEY_NAME.fullmatch(one.key):
            raise UsageError(
                f"{where}.key: expected the name of an environment variable, in capitals; the key itself doesn't belong into a file"
            )
        if (one.input_price is None) != (one.output_price is None):
            raise UsageError(f"{where}: expected both input_price and output_price, or neither")
        _check_numbers(one, where)


def _check_budgets(role: RoleSpec, where: str) -> None:
    for value in (role.tokens or 0, role.cents or 0.0, role.tokens_per_attempt, role.cents_per_attempt):
        if not 0 <= value < math.inf:
            raise UsageError(f"{where}: a budget below 0, or one that is no number (leave it out for none)")


def _check_numbers(one: ModelSpec, where: str) -> None:
    """Not a number is no number of any range."""
    if one.max_tokens < 1 or one.tries < 1 or not 0 < one.timeout <= LONGEST:
        raise UsageError(f"{where}: max_tokens and tries must be at least 1, timeout above 0 and at most {LONGEST:,.0f}")
    if one.context < 1 or one.threads < 1:
        raise UsageError(f"{where}: context and threads must be at least 1")
    for name in ("requests_per_minute", "tokens_per_minute", "temperature", "input_price", "output_price"):
        if not 0 <= (getattr(one, name) or 0) < math.inf:
            raise UsageError(f"{where}.{name}: got {getattr(one, name)} (expected 0 or more)")


def _changed(found: Configuration, env: Mapping[str, str]) -> Configuration:
    """With what WORLDWRIGHT_<ROLE>_MODEL, _TOKENS and _CENTS say."""
    roles = dict(found.roles)
    for role in (*ROLES, "default"):
        prefix = f"WORLDWRIGHT_{role.upper().replace('-', '_')}_"
        changes: dict[str, Any] = {}
        for field, kind in (("model", str), ("tokens", int), ("cents", float)):
            text = env.get(prefix + field.upper())
            if text:
                try:
                    changes[field] = kind(text)
                except ValueError:
                    raise UsageError(f"{prefix}{field.upper()}: got '{text}' (expected a number)") from None
        if changes:
            roles[role] = msgspec.structs.replace(found.role(role), **changes)
            _check_budgets(roles[role], f"{prefix}*")
    return msgspec.structs.replace(found, roles=roles)
