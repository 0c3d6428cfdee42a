"""From a name to a model that can be asked: what the configuration or the command line names, guarded and recorded.

Takes a configuration, a role and perhaps a name; gives a Connection: the model with its settings and limits. A name is
one of `[models.*]`, or `openai:MODEL`, `anthropic:MODEL`, `local`, `local:FILE.gguf`, `scripted:FILE`, `recorded:FILE`.
Promises that no endpoint is asked before the first request, and that keys are known to nobody but the client library and
what takes them out of texts.
"""

from __future__ import annotations

import os
import urllib.parse
from collections.abc import Mapping
from pathlib import Path

import msgspec

from worldwright.errors import UsageError
from worldwright.ledger import Ledger
from worldwright.model.access import Access, Patience
from worldwright.model.budget import Budget, Pace, Price, Use
from worldwright.model.config import Configuration, ModelSpec, RoleSpec
from worldwright.model.constrained import ConstrainedModel
from worldwright.model.prices import price_of
from worldwright.model.protocol import Model, Settings
from worldwright.model.recorded import RecordedModel, RecordingModel, read_recording
from worldwright.model.scripted import read_script
from worldwright.model.secrets import Secrets

__all__ = ["Address", "Connection", "address_of", "connect", "price_for", "spec_of"]

_LOCAL_KEY = "not-needed"
_FORMS = "openai:MODEL, anthropic:MODEL, local, local:FILE.gguf, scripted:FILE, recorded:FILE"


class Address(msgspec.Struct, frozen=True):
    """Where a hosted model is asked, and with which key; `url` None is the provider's own address."""

    url: str | None
    key: str

    def __repr__(self) -> str:
        return "Address(...)"


class Connection(msgspec.Struct, frozen=True):
    """A model as a role uses it: `most` is what one attempt may use, `budget` what all may."""

    model: Model
    settings: Settings
    most: Use
    budget: Budget
    access: Access | None = None

    @property
    def is_over(self) -> bool:
        """Whether a budget is used up, so that nothing more can be asked."""
        return self.budget.is_spent or bool(getattr(self.model, "is_over", False))

    def close(self) -> None:
        """Close the model."""
        self.model.close()


def connect(
    configuration: Configuration,
    role: str,
    name: str = "",
    *,
    ledger: Ledger | None = None,
    record: Path | None = None,
    environment: Mapping[str, str] | None = None,
    seed: int = 0,
) -> Connection:
    """The model of a role, or the one named. Raises UsageError: no such model, a missing key, file or package, no known price."""
    env = os.environ if environment is None else environment
    limits = configuration.role(role)
    name = name or limits.model
    if not name:
        raise UsageError(f"no model is set for the role {role}: say --model, or [roles.{role}] model = ... in worldwright.toml ({_FORMS})")
    spec = spec_of(configuration, name)
    settings = Settings(spec.max_tokens, spec.temperature)
    most = Use(limits.tokens_per_attempt, limits.cents_per_attempt)
    budget = Budget(limits.tokens, limits.cents)
    secrets = Secrets()
    inner = _made(spec, name, env, secrets)
    if isinstance(inner, RecordedModel):  # nothing is asked, so nothing is spent; its faults come from the file
        if record is not None:
            raise UsageError(f"{name}: a recording can't be recorded again (leave --record out)")
        return Connection(inner, inner.settings, most, budget)
    if spec.tools == "json" or spec.provider == "local":
        inner = ConstrainedModel(inner)
    access = Access(
        inner,
        budget=budget,
        pace=Pace(spec.requests_per_minute, spec.tokens_per_minute),
        patience=Patience(spec.tries),
        price=price_for(spec, limits, name, env),
        ledger=ledger,
        secrets=secrets,
        seed=seed,
        role=role,
    )
    return Connection(RecordingModel(access, record) if record is not None else access, settings, most, budget, access)


def spec_of(configuration: Configuration, name: str) -> ModelSpec:
    """What a name says. Raises UsageError."""
    if name in configuration.models:
        return configuration.models[name]
    provider, _, rest = name.partition(":")
    if provider == "local":
        return ModelSpec("local", file=rest)
    if rest and provider in ("openai", "anthropic"):
        return ModelSpec(provider, model=rest)  # type: ignore[arg-type]
    if rest and provider in ("scripted", "recorded"):
        return ModelSpec(provider, file=rest)  # type: ignore[arg-type]
    known = f"; worldwright.toml names: {', '.join(configuration.models)}" if configuration.models else ""
    raise UsageError(f"there is no model '{name}' (expected {_FORMS}{known})")


def price_for(spec: ModelSpec, limits: RoleSpec, name: str, env: Mapping[str, str]) -> Price | None:
    """The price; it must be known where money is limited. The listed ones are those of the providers' own addresses."""
    if spec.input_price is not None and spec.output_price is not None:
        return Price(spec.input_price, spec.output_price)
    if spec.provider in ("local", "scripted"):
        return Price(0.0, 0.0)
    found = price_of(spec.provider, spec.model) if _url(spec, env) is None else None
    if found is None and (limits.cents is not None or limits.cents_per_attempt):
        raise UsageError(
            f"{name}: no price is known, so no budget in cents can be kept (set input_price and output_price under [models.*])"
        )
    return found


def address_of(spec: ModelSpec, name: str, env: Mapping[str, str], secrets: Secrets) -> Address:
    """Where to ask, with what is secret in it known to `secrets`. Raises UsageError if a key is missing or the address is none."""
    key, url = env.get(spec.key_name, ""), _url(spec, env)
    if not key and (url is None or spec.key):
        raise UsageError(f"{name}: the environment variable {spec.key_name} isn't set (expected the provider's key)")
    secrets.add(spec.key_name or "key", key)
    return Address(None if url is None else _checked(url, name, secrets), key or _LOCAL_KEY)


def _url(spec: ModelSpec, env: Mapping[str, str]) -> str | None:
    return spec.base_url or env.get(f"{spec.provider.upper()}_BASE_URL") or None


def _made(spec: ModelSpec, name: str, env: Mapping[str, str], secrets: Secrets) -> Model:
    if spec.provider == "scripted":
        return read_script(Path(spec.file))
    if spec.provider == "recorded":
        return read_recording(Path(spec.file))
    if spec.provider == "local":
        return _local(spec)
    address = address_of(spec, name, env, secrets)
    try:
        from worldwright.model import hosted
    except ImportError as fault:
        raise UsageError(f"{name}: needs packages that aren't installed: pip install 'worldwright[model]' ({fault})") from None
    make = hosted.openai_model if spec.provider == "openai" else hosted.anthropic_model
    return make(spec.model, base_url=address.url, key=address.key, timeout=spec.timeout, stream=spec.stream)


def _checked(base_url: str, name: str, secrets: Secrets) -> str:
    try:
        parts = urllib.parse.urlsplit(base_url)
    except ValueError:
        parts = urllib.parse.urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"{name}: the base_url is no address (expected http://HOST:PORT/v1 or https://...)")
    if parts.query or parts.fragment:
        raise UsageError(f"{name}: the base_url has a part behind ? or # (expected an address alone; `key` names what holds a key)")
    secret = parts.password or parts.username
    if secret:
        secrets.add("password of base_url", secret)
        secrets.add("password of base_url", urllib.parse.unquote(secret))
    return base_url


def _local(spec: ModelSpec) -> Model:
    from worldwright.model.fetch import stored

    path = Path(spec.file) if spec.file else stored()
    try:
        from worldwright.model.local import LocalModel
    except ImportError as fault:
        raise UsageError(f"a local model needs a package that isn't installed: pip install 'worldwright[local-model]' ({fault})") from None
    return LocalModel(path, context=spec.context, threads=spec.threads)
