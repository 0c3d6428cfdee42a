"""Models behind an HTTP endpoint: anything OpenAI-compatible, and Anthropic, by the providers' own client libraries.

Takes a kind of endpoint, its address and its key; gives a Model. The one place that uses pydantic-ai's model layer (no agent of it):
a Request becomes its messages, its response a Completion. Promises: the clients' own retries are off, one request is one HTTP
exchange with one deadline; every failure becomes a ModelError with a kind of ours. Needs `worldwright[model]`.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

import msgspec
import pydantic
from pydantic_ai import direct, exceptions, messages
from pydantic_ai.models import Model as Wire
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from worldwright.errors import ModelError
from worldwright.model.protocol import Completion, Message, Request, ToolUse

__all__ = ["HostedModel", "anthropic_model", "openai_model"]

T = TypeVar("T")

_STOPS = {"stop": "stop", "tool_call": "calls", "length": "length"}
_GRACE = 5.0
_THINKING = pydantic.TypeAdapter(messages.ThinkingPart)
_KINDS: tuple[tuple[type[Exception], str], ...] = (
    (exceptions.ModelRateLimitError, "rate-limited"),
    (exceptions.ModelQuotaExceededError, "rejected"),
    (exceptions.ModelUnavailableError, "server-error"),
    (exceptions.ModelServerError, "server-error"),
    (exceptions.ModelTimeoutError, "timeout"),
    (exceptions.ModelRequestTimeout, "timeout"),
    (exceptions.ModelConnectionError, "connection"),
    (exceptions.ModelRequestRejectedError, "rejected"),
    (exceptions.ContentFilterError, "refused"),
    (exceptions.UserError, "rejected"),
    (exceptions.UnexpectedModelBehavior, "malformed"),
)
_BILLED = frozenset({"timeout", "connection", "cut-off", "malformed", "refused"})


def openai_model(name: str, *, base_url: str | None, key: str, timeout: float, stream: bool = False) -> HostedModel:
    """A model of an endpoint in the form of OpenAI's chat completions."""
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider

    whole = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)  # or half an answer would count as one

    return HostedModel(
        name, lambda: OpenAIChatModel(name, provider=OpenAIProvider(base_url=base_url, api_key=key), profile=whole), timeout, stream
    )


def anthropic_model(name: str, *, base_url: str | None, key: str, timeout: float, stream: bool = False) -> HostedModel:
    """A model of an endpoint in the form of Anthropic's messages."""
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    return HostedModel(name, lambda: AnthropicModel(name, provider=AnthropicProvider(base_url=base_url, api_key=key)), timeout, stream)


class HostedModel:
    """One model of one endpoint; its connections live in a thread of their own."""

    def __init__(self, name: str, make: Any, timeout: float, stream: bool) -> None:
        self.name, self._timeout, self._stream = name, timeout, stream
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=f"model {name}", daemon=True)
        self._thread.start()
        self._lock = threading.Lock()
        self._wire: Wire = self._wait(_made(make), timeout)

    def complete(self, request: Request) -> Completion:
        """One completion. Raises ModelError."""
        try:
            got = self._wait(self._ask(request), self._timeout + _GRACE)
        except ModelError:
            raise
        except Exception as fault:  # noqa: BLE001 - whatever the client libraries raise becomes one kind of ours
            raise _told(fault) from None
        return _read(got, self._stream)

    def close(self) -> None:
        """End the connections and their thread."""
        with self._lock:
            if self._loop.is_closed():
                return
            try:
                self._wait(_closed(self._wire), _GRACE)
            finally:
                self._loop.call_soon_threadsafe(self._loop.stop)
                self._thread.join(_GRACE)
                self._loop.close()

    def _wait(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(seconds)
        except BaseException:
            future.cancel()
            raise

    async def _ask(self, request: Request) -> messages.ModelResponse:
        settings = _settings(request, self._timeout)
        parameters, history = _parameters(request), _history(request)
        if not self._stream:
            return await direct.model_request(self._wire, history, model_settings=settings, model_request_parameters=parameters)
        async with direct.model_request_stream(self._wire, history, model_settings=settings, model_request_parameters=parameters) as stream:
            async for _ in stream:
                pass
            return stream.get()


async def _made(make: Any) -> Wire:
    wire: Wire = make()
    return wire


async def _closed(wire: Wire) -> None:
    client = getattr(wire, "client", None)
    if client is not None:
        await client.close()


def _settings(request: Request, timeout: float) -> ModelSettings:
    ours = request.settings
    settings = ModelSettings(max_tokens=ours.max_tokens, timeout=timeout, request_timeout=timeout, max_retries=0)
    if ours.temperature is not None:
        settings["temperature"] = ours.temperature
    if ours.seed is not None:
        settings["seed"] = ours.seed
    return settings


def _parameters(request: Request) -> ModelRequestParameters:
    tools = [ToolDefinition(name=one.name, description=one.doc, parameters_json_schema=one.schema, strict=False) for one in request.tools]
    instructions = [messages.InstructionPart(content=request.system)] if request.system else None
    if request.output is None:
        return ModelRequestParameters(function_tools=tools, instruction_parts=instructions)
    output = OutputObjectDefinition(json_schema=request.output, name="output", strict=False)
    return ModelRequestParameters(function_tools=tools, instruction_parts=instructions, output_mode="native", output_object=output)


def _history(request: Request) -> list[messages.ModelMessage]:
    """The conversation in pydantic-ai's messages; neighbours from the same side become one."""
    out: list[messages.ModelMessage] = []
    parts: list[Any] = []
    for one in request.messages:
        if one.role == "assistant":
            if parts:
                out.append(messages.ModelRequest(parts=parts))
                parts = []
            out.append(messages.ModelResponse(parts=_said(one)))
        elif one.role == "tool":
            parts.append(messages.ToolReturnPart(tool_name=one.tool, content=one.text, tool_call_id=one.call))
        else:
            parts.append(messages.UserPromptPart(content=one.text))
    if parts:
        out.append(messages.ModelRequest(parts=parts))
    return out


def _said(one: Message) -> Sequence[Any]:
    text = [messages.TextPart(content=one.text)] if one.text else []
    thinking = [_THINKING.validate_python(kept) for kept in one.kept]
    return [*thinking, *text, *(messages.ToolCallPart(call.tool, _arguments(call.args), call.id) for call in one.calls)]


def _arguments(args: Any) -> str | dict[str, Any]:
    return args if isinstance(args, (str, dict)) else json.dumps(args)


def _read(got: messages.ModelResponse, streamed: bool) -> Completion:
    """A response as a completion. Raises ModelError where it isn't whole."""
    tokens = (got.usage.input_tokens, got.usage.output_tokens)
    if got.finish_reason == "content_filter":
        raise ModelError("the provider withheld the answer (content filter)", kind="refused", billed=True, tokens=tokens)
    if got.finish_reason == "length":
        raise ModelError(f"the answer reached the limit after {tokens[1]} tokens; raise max_tokens", kind="truncated", tokens=tokens)
    if got.finish_reason == "error" or got.state != "complete" or (streamed and got.finish_reason is None):
        raise ModelError("the answer broke off before its end", kind="cut-off", billed=True, tokens=tokens)
    text = _whole("".join(part.content for part in got.parts if isinstance(part, messages.TextPart)))
    calls = tuple(
        ToolUse(_whole(part.tool_call_id), _whole(part.tool_name), _read_arguments(part.args))
        for part in got.parts
        if isinstance(part, messages.ToolCallPart)
    )
    kept = tuple(
        _THINKING.dump_python(part, mode="json") for part in got.parts if isinstance(part, messages.ThinkingPart) and part.signature
    )
    stop = "calls" if calls else _STOPS.get(got.finish_reason or "stop", "stop")
    return Completion(text, calls, stop, *tokens, id=got.provider_response_id or "", kept=kept)


def _read_arguments(args: Any) -> Any:
    """A call's arguments as data; text that is no JSON object (NaN is no JSON) stays text, for the world to refuse."""
    text = args if isinstance(args, str) else json.dumps({} if args is None else args, ensure_ascii=False)
    text = _whole(text)
    try:
        value = msgspec.json.decode(text) if text.strip() else {}
    except (msgspec.MsgspecError, RecursionError):
        return text
    return value if isinstance(value, dict) else text


def _whole(text: str) -> str:
    """The text with halves of characters replaced: nothing could write them down."""
    return text.encode(errors="replace").decode()


def _told(fault: Exception) -> ModelError:
    """A failure as one of our kinds."""
    if isinstance(fault, (TimeoutError, asyncio.CancelledError)):
        return ModelError("no answer in time", kind="timeout", billed=True)
    kind = next((kind for of, kind in _KINDS if isinstance(fault, of)), "malformed")
    wait = getattr(fault, "retry_after", None)
    seconds = float(wait) if isinstance(wait, (int, float)) else 0.0
    status = getattr(fault, "status_code", None)
    if kind == "malformed" and isinstance(status, int):
        kind = "server-error" if status >= 500 else "rejected"
    was_sent = getattr(fault, "phase", None) not in ("pool", "connect")
    return ModelError(_whole(str(fault)) or type(fault).__name__, kind=kind, wait=seconds, billed=kind in _BILLED and was_sent)
