"""The one module that knows the Claude Agent SDK: a run of its program with a world's tools.

Takes the work, what a call is given to, and what counts tokens; gives the program's last words. Raises ModelError for what the
provider did, and whatever the SDK raises for the rest.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Mapping
from typing import Any

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, ResultMessage, StreamEvent
from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, ListToolsResult

from worldwright.errors import ModelError
from worldwright.solver.harness import Called, Used, Work

__all__ = ["run"]

_SERVER = "world"
_TURNS = 1_000
_LAST = 5.0
_QUIET = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_TELEMETRY": "1", "DISABLE_AUTOUPDATER": "1"}
_COUNTED = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


async def run(work: Work, called: Called, used: Used) -> str:
    """Run the program until it ends by itself; it is ended too if this is cancelled."""
    client = ClaudeSDKClient(_options(work, called))
    counts = _Counts(used)
    try:
        await client.connect()
        await client.query(work.text)
        async for message in client.receive_response():
            if isinstance(message, StreamEvent):
                counts.event(message.event)
            if isinstance(message, ResultMessage):
                _check(message, work.endpoint.model)
                return message.result or ""
    finally:
        with contextlib.suppress(Exception):  # or the program would go on asking while it is waited for
            await asyncio.wait_for(client.interrupt(), _LAST)
        await client.disconnect()
    raise ModelError(f"{work.endpoint.model}: the program ended without a result", kind="cut-off")


class _Counts:
    """Tokens as the endpoint's own events say them."""

    def __init__(self, used: Used) -> None:
        self._used = used
        self._requests = self._in = self._out = 0

    def event(self, event: Mapping[str, Any]) -> None:
        """Count what a message's start and end say."""
        if event.get("type") == "message_start":
            usage = event.get("message", {}).get("usage") or {}
            self._requests += 1
            self._in += sum(int(usage.get(name) or 0) for name in _COUNTED)
            self._used(self._in, self._out, self._requests)
        elif event.get("type") == "message_delta":
            self._out += int((event.get("usage") or {}).get("output_tokens") or 0)
            self._used(self._in, self._out, self._requests)


def _check(last: ResultMessage, model: str) -> None:
    """Raises ModelError if the run ended for reasons that are not the model's."""
    status = last.api_error_status
    if last.subtype == "error_max_budget_usd":
        raise ModelError(f"{model}: the attempt has used the money that one attempt may use", kind="budget")
    if status is not None or (last.is_error and last.subtype == "success"):
        kind = "rate-limited" if status == 429 else "rejected" if status is not None and status < 500 else "server-error"
        raise ModelError(f"{model}: the endpoint answered {status or 'with an error'}", kind=kind)
    if last.is_error and last.subtype != "error_max_turns":
        raise ModelError(f"{model}: the program ended with {last.subtype}", kind="malformed")
    for reason, kind in (("refusal", "refused"), ("max_tokens", "truncated")):
        if last.stop_reason == reason:
            raise ModelError(f"{model}: the last completion stopped with {reason}", kind=kind)


def _options(work: Work, called: Called) -> ClaudeAgentOptions:
    """The program without any tool, file, setting or memory but the world's tools."""
    inherited = {name: "" for name in os.environ if name.startswith(("ANTHROPIC_", "CLAUDE_"))}
    own = {"HOME": work.folder, "CLAUDE_CONFIG_DIR": work.folder, "ANTHROPIC_API_KEY": work.endpoint.key}
    own["CLAUDE_CODE_MAX_RETRIES"] = str(work.endpoint.tries - 1)
    address = {"ANTHROPIC_BASE_URL": work.endpoint.url} if work.endpoint.url else {}
    return ClaudeAgentOptions(
        tools=[],
        system_prompt=work.system,
        mcp_servers={_SERVER: {"type": "sdk", "name": _SERVER, "instance": _server(work, called)}},
        strict_mcp_config=True,
        allowed_tools=[f"mcp__{_SERVER}"],
        permission_mode="dontAsk",
        setting_sources=[],
        skills=[],
        verbatim_prompts=True,
        include_partial_messages=True,
        model=work.endpoint.model,
        max_turns=_TURNS,
        max_budget_usd=work.most.cents / 100 if work.most.cents else None,
        cwd=work.folder,
        env={**inherited, **_QUIET, **own, **address},
        extra_args={"bare": None},
        stderr=lambda line: None,
    )


def _server(work: Work, called: Called) -> Server[Any]:
    async def list_tools(context: Any, params: Any) -> Any:
        return ListToolsResult.model_validate({"tools": work.tools})

    async def call_tool(context: Any, params: Any) -> Any:
        given = await called(params.name, {} if params.arguments is None else params.arguments)
        return CallToolResult.model_validate(
            {"content": [{"type": "text", "text": text} for text in given.texts], "isError": given.is_error}
        )

    return Server(_SERVER, on_list_tools=list_tools, on_call_tool=call_tool)
