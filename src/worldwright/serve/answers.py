"""Answers over HTTP as JSON: what the agents' side and the control channel both send.

Takes ASGI's `send` and a value that msgspec can encode; sends one whole answer. Nothing of it is cached anywhere.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import msgspec

__all__ = ["Send", "answer_json"]

Send = Callable[[dict[str, Any]], Awaitable[None]]


async def answer_json(send: Send, status: int, value: Any, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    """Send a JSON answer with this HTTP status."""
    body = msgspec.json.encode(value)
    plain = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": [*plain, *headers]})
    await send({"type": "http.response.body", "body": body})
