"""Clients that call tools over HTTP as fast as they are answered: one connection each, nothing between them and the socket.

Takes the endpoints' URLs and, for each, its calls; gives the answers and how long it took. The same bytes are sent to every
server: a plain JSON-RPC request of the revision 2025-11-25 (with the session's id where a server gave one), or of 2026-07-28.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
Call = tuple[str, dict[str, Any]]


class Client:
    """One connection to one endpoint at a time; `call` goes to any path of the same server."""

    def __init__(self, url: str, revision: str) -> None:
        parts = urlsplit(url)
        self.host, self.port, self.path, self.revision = parts.hostname or "", parts.port or 0, parts.path, revision
        self.session = ""
        self._n = 0

    async def open(self) -> None:
        self._in, self._out = await asyncio.open_connection(self.host, self.port)
        if self.revision == LEGACY:
            about = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "load", "version": "1"}}
            await self.post("initialize", about)
            await self.post("notifications/initialized", None)

    def close(self) -> None:
        self._out.close()

    async def call(self, tool: str, args: dict[str, Any], path: str = "") -> Any:
        params: dict[str, Any] = {"name": tool, "arguments": args}
        if self.revision == MODERN:
            params["_meta"] = {
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "load", "version": "1"},
            }
        return await self.post("tools/call", params, path)

    async def post(self, method: str, params: dict[str, Any] | None, path: str = "") -> Any:
        self._n += 1
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message |= {"id": self._n, "params": params}
        body = json.dumps(message, separators=(",", ":")).encode()
        lines = [f"POST {path or self.path} HTTP/1.1", f"host: {self.host}:{self.port}", "content-type: application/json"]
        lines += ["accept: application/json, text/event-stream", f"content-length: {len(body)}"]
        if method != "initialize":
            lines.append(f"mcp-protocol-version: {self.revision}")
        if self.revision == MODERN and params is not None:
            lines += [f"mcp-method: {method}", f"mcp-name: {params['name']}"]
        if self.session:
            lines.append(f"mcp-session-id: {self.session}")
        self._out.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        return await self._answer()

    async def _answer(self) -> Any:
        head = (await self._in.readuntil(b"\r\n\r\n")).decode("latin-1").lower().split("\r\n")
        status = int(head[0].split()[1])
        headers = dict(line.split(": ", 1) for line in head[1:] if ": " in line)
        self.session = headers.get("mcp-session-id", self.session)
        if "content-length" in headers:
            body = await self._in.readexactly(int(headers["content-length"]))
        else:
            body = await self._chunks() if headers.get("transfer-encoding") == "chunked" else b""
        if status >= 300:
            raise RuntimeError(f"HTTP {status}: {body[:200]!r}")
        if headers.get("content-type", "").startswith("text/event-stream"):
            body = next(line[5:] for line in body.splitlines() if line.startswith(b"data:"))
        return json.loads(body) if body.strip() else None

    async def _chunks(self) -> bytes:
        body = b""
        while size := int((await self._in.readuntil(b"\r\n")).strip(), 16):
            body += await self._in.readexactly(size)
            await self._in.readexactly(2)
        await self._in.readexactly(2)
        return body


async def drive(urls: Sequence[str], calls: Sequence[Sequence[Call]], revision: str) -> float:
    """Client k makes calls[k] at urls[k], all at once; gives the seconds from the first to the last."""
    clients = [Client(url, revision) for url in urls]
    for one in clients:
        await one.open()

    async def work(client: Client, own: Sequence[Call]) -> None:
        for tool, args in own:
            answer = await client.call(tool, args)
            if "result" not in answer:
                raise RuntimeError(f"{tool}: {answer}")

    began = time.perf_counter()
    await asyncio.gather(*(work(client, own) for client, own in zip(clients, calls, strict=True)))
    took = time.perf_counter() - began
    for one in clients:
        one.close()
    return took
