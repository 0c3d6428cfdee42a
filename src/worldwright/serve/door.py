"""The agents' side: MCP over streamable HTTP, the rollout named in the path or in a header of each request.

Takes rollouts; gives the MCP server that lists and calls a rollout's tools, and an ASGI application around it. Promises: a
request reaches the one rollout that it names and nothing else; the protocol's own sessions hold nothing, so that any
request may come over any connection; what a call gives is the text that the loop's transcript would hold. Speaks the
revisions with the handshake and the one without. Does not know who sends a request: the id is what entitles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, GetPromptResult, ListPromptsResult, ListToolsResult

import worldwright
from worldwright.serve.answers import answer_json
from worldwright.serve.rollout import ServedRollout
from worldwright.serve.rollouts import Rollouts

__all__ = ["HEADER", "PROMPT", "Door", "mcp_server"]

HEADER = b"worldwright-rollout"
"""The header that names the rollout where the path doesn't."""
PROMPT = "task"
"""The MCP prompt that tells the task."""

_LARGEST = 1 << 20
_ABOUT = "One attempt at a task. The prompt 'task' says what is asked; the tools are all there is to do it with."
_POST = "expected POST: no session is kept here, and nothing is sent unasked"
_OPENS, _CLOSES = "/rollouts/", "/mcp"
_ROLLOUT = "worldwright.rollout"


def mcp_server(rollouts: Rollouts, named: Callable[[Any], str]) -> Server[Any]:
    """An MCP server over rollouts; `named` finds the rollout's id in the context of a request."""

    def rollout(context: Any) -> ServedRollout:
        found = rollouts.find(named(context))
        if found is None:
            raise MCPError(INVALID_PARAMS, "The rollout is gone.")
        return found

    async def list_tools(context: Any, params: Any) -> Any:
        return ListToolsResult.model_validate({"tools": rollout(context).tools})

    async def call_tool(context: Any, params: Any) -> Any:
        one = rollout(context)
        reply = one.call(params.name, {} if params.arguments is None else params.arguments)
        if one.has_ended:
            rollouts.noticed(named(context))
        content = [{"type": "text", "text": text} for text in reply.texts]
        return {"content": content, "isError": reply.is_error, "resultType": "complete"}

    async def list_prompts(context: Any, params: Any) -> Any:
        return ListPromptsResult.model_validate({"prompts": [{"name": PROMPT, "description": "What is asked."}]})

    async def get_prompt(context: Any, params: Any) -> Any:
        if params.name != PROMPT:
            raise MCPError(INVALID_PARAMS, f"There is no prompt of that name. There is: {PROMPT}.")
        told = [{"role": "user", "content": {"type": "text", "text": text}} for text in rollout(context).told()]
        return GetPromptResult.model_validate({"messages": told})

    server: Server[Any] = Server(
        "worldwright",
        version=worldwright.__version__,
        instructions=_ABOUT,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
        get_tool_input_schema=lambda name: None,  # no argument of ours travels in a header
    )
    server.middleware.clear()  # the one there by default is for tracing
    return server


class Door:
    """The ASGI application. `hosts` are the names that a request may give for this server, without port."""

    def __init__(self, rollouts: Rollouts, hosts: Sequence[str]) -> None:
        self._rollouts = rollouts
        allowed = [form for host in hosts for form in (host, f"{host}:*")]
        origins = [f"{scheme}://{one}" for scheme in ("http", "https") for one in allowed]
        self.sessions = StreamableHTTPSessionManager(
            mcp_server(rollouts, lambda context: str(context.request.scope[_ROLLOUT])),
            json_response=True,
            stateless=True,
            security_settings=TransportSecuritySettings(allowed_hosts=allowed, allowed_origins=origins),
            max_request_body_size=_LARGEST,
        )

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        name = _named(scope)
        if name is None or self._rollouts.find(name) is None:
            await answer_json(send, 404, {"error": "there is no such rollout"})
        elif scope["method"] != "POST":
            await answer_json(
                send, 405, {"error": "expected POST: no session is kept here, and nothing is sent unasked"}, ((b"allow", b"POST"),)
            )
        else:
            await self.sessions.handle_request({**scope, _ROLLOUT: name}, receive, send)


def _named(scope: Any) -> str | None:
    """The rollout's id: in the path `/rollouts/ID/mcp`, or for the path `/mcp` in one header."""
    path = scope["path"]
    if path == _CLOSES:
        found = [value for key, value in scope["headers"] if key == HEADER]
        return found[0].decode("latin-1") if len(found) == 1 else None
    inner = path.removeprefix(_OPENS).removesuffix(_CLOSES)
    return inner if path == f"{_OPENS}{inner}{_CLOSES}" else None
