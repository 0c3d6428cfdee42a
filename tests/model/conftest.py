"""Loopback providers, and the task that they are asked to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from worldwright.pack import Pack, PackTask, read_pack

from .loopback import Provider

EXAMPLE = Path(__file__).parents[2] / "examples" / "tool-hire"


@pytest.fixture(scope="session")
def hire() -> Pack:
    return read_pack(EXAMPLE)


@pytest.fixture(scope="session")
def complaint(hire) -> PackTask:
    """Decide whether one rental earns a credit."""
    return hire.worlds["tool-hire"].tasks["decide-on-a-complaint"]


@pytest.fixture
def provider() -> Iterator[Callable[..., Provider]]:
    """Starts servers; all are stopped at the end."""
    started: list[Provider] = []

    def start(form: str, answer: Any) -> Provider:
        started.append(Provider(form, answer))
        return started[-1]

    yield start
    for one in started:
        one.close()


@pytest.fixture
def hosted() -> Iterator[Callable[..., Any]]:
    """Models over the real client libraries; all are closed at the end."""
    pytest.importorskip("pydantic_ai", reason="the packages of worldwright[model] are not installed")
    from worldwright.model.hosted import anthropic_model, openai_model

    made: list[Any] = []

    def make(server: Provider, *, stream: bool = False, timeout: float = 20.0, key: str = "sk-loopback-0123456789") -> Any:
        maker = openai_model if server.form == "openai" else anthropic_model
        made.append(maker("served", base_url=server.url, key=key, timeout=timeout, stream=stream))
        return made[-1]

    yield make
    for one in made:
        one.close()
