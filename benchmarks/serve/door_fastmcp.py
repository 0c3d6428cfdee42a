"""The same rollouts behind a FastMCP server: what the agents' side would cost through it, for docs/decisions.

Takes a pack's path and a port; starts one rollout of each task at seed 0, prints their paths, and serves until killed.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from typing import Any

import uvicorn
from fastmcp import FastMCP
from fastmcp.server.dependencies import get_http_request
from fastmcp.server.providers import Provider
from fastmcp.tools import Tool
from fastmcp.tools.base import ToolResult
from mcp_types import TextContent

from worldwright.pack import read_pack
from worldwright.serve import Rollouts, Wanted


class Ours(Tool):
    """A tool of a rollout: made once for each, as few objects as there can be."""

    rollout: Any

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        reply = self.rollout.call(self.name, arguments)
        return ToolResult([TextContent(type="text", text=text) for text in reply.texts], is_error=reply.is_error)


class Named(Provider):
    """The tools of the rollout that the request names in its path."""

    def __init__(self, rollouts: Rollouts) -> None:
        super().__init__()
        self.rollouts = rollouts
        self.made: dict[str, dict[str, Tool]] = {}

    def _tools(self) -> dict[str, Tool]:
        name = get_http_request().scope["worldwright.rollout"]
        if name not in self.made:
            found = self.rollouts.find(name)
            assert found is not None
            self.made[name] = {
                doc["name"]: Ours(name=doc["name"], description=doc["description"], parameters=doc["inputSchema"], rollout=found)
                for doc in found.tools
            }
        return self.made[name]

    async def _list_tools(self) -> list[Tool]:
        return list(self._tools().values())

    async def _get_tool(self, name: str, version: Any = None) -> Tool | None:
        return self._tools().get(name)


async def main(path: str, port: int) -> None:
    pack = read_pack(path)
    tasks = {f"{entry.world.name}/{entry.name}": entry for entry in pack.tasks()}
    rollouts = Rollouts(tasks, pack.digest)
    names = [(await rollouts.start(Wanted(task)))[0] for task in tasks]
    inner = FastMCP("worldwright", providers=[Named(rollouts)]).http_app(path="/mcp", stateless_http=True, json_response=True)

    async def routed(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            scope = {**scope, "path": "/mcp", "worldwright.rollout": scope["path"].split("/")[2]}
        await inner(scope, receive, send)

    print(json.dumps([f"http://127.0.0.1:{port}/rollouts/{name}/mcp" for name in names]), flush=True)
    await uvicorn.Server(uvicorn.Config(routed, host="127.0.0.1", port=port, log_level="warning", access_log=False)).serve()


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
