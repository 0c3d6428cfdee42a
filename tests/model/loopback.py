"""Loopback servers that answer in the wire forms of OpenAI's chat completions and Anthropic's messages.

A server is given a function from the parsed request to a Reply; it keeps every request with its headers. What a Reply
can't say (broken bodies, broken streams, silence) it gives as raw bytes.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Reply:
    """What the server says: text and calls as (tool, args), or a status with a body, or raw bytes."""

    def __init__(self, text="", calls=(), *, stop=None, status=200, body=None, raw=None, headers=None, usage=(11, 7), hang=None, cut=None):
        self.text, self.calls, self.stop, self.status, self.body, self.raw = text, list(calls), stop, status, body, raw
        self.headers, self.usage, self.hang, self.cut = dict(headers or {}), usage, hang, cut


class Provider:
    """A server of one form on an ephemeral port."""

    def __init__(self, form: str, answer: Callable[[dict[str, Any], int], Reply]) -> None:
        self.form, self.answer = form, answer
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        provider = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                provider._serve(self)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}{'/v1' if self.form == 'openai' else ''}"

    def close(self) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        request = json.loads(handler.rfile.read(int(handler.headers["content-length"])))
        with self._lock:
            self.asked.append(request)
            self.headers.append({key.lower(): value for key, value in handler.headers.items()})
            reply = self.answer(request, len(self.asked))
        if reply.hang:
            self.stopping.wait(reply.hang)
            handler.close_connection = True
            return
        streamed = bool(request.get("stream")) and reply.status == 200 and reply.raw is None
        data = reply.raw if reply.raw is not None else (self._stream(reply) if streamed else self._body(reply))
        handler.send_response(reply.status)
        for name, value in reply.headers.items():
            handler.send_header(name, value)
        handler.send_header("content-type", "text/event-stream" if streamed else "application/json")
        handler.send_header("content-length", str(len(data)))
        handler.send_header("connection", "close")
        handler.end_headers()
        handler.close_connection = True
        handler.wfile.write(data if reply.cut is None else data[: reply.cut])

    def _body(self, reply: Reply) -> bytes:
        if reply.body is not None:
            return json.dumps(reply.body).encode()
        return json.dumps(self._openai(reply) if self.form == "openai" else self._anthropic(reply)).encode()

    def _openai(self, reply: Reply) -> dict[str, Any]:
        calls = [
            {
                "id": f"c{len(self.asked)}-{n}",
                "type": "function",
                "function": {"name": tool, "arguments": args if isinstance(args, str) else json.dumps(args)},
            }
            for n, (tool, args) in enumerate(reply.calls)
        ]
        message = {"role": "assistant", "content": reply.text or None} | ({"tool_calls": calls} if calls else {})
        stop = reply.stop or ("tool_calls" if calls else "stop")
        usage = (
            {"prompt_tokens": reply.usage[0], "completion_tokens": reply.usage[1], "total_tokens": sum(reply.usage)}
            if reply.usage
            else None
        )
        return {
            "id": f"chatcmpl-{len(self.asked)}",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": "served",
            "choices": [{"index": 0, "message": message, "finish_reason": stop}],
            **({"usage": usage} if usage else {}),
        }

    def _anthropic(self, reply: Reply) -> dict[str, Any]:
        content = [{"type": "text", "text": reply.text}] if reply.text else []
        content += [
            {"type": "tool_use", "id": f"toolu_{len(self.asked)}_{n}", "name": tool, "input": args}
            for n, (tool, args) in enumerate(reply.calls)
        ]
        stop = reply.stop or ("tool_use" if reply.calls else "end_turn")
        return {
            "id": f"msg_{len(self.asked)}",
            "type": "message",
            "role": "assistant",
            "model": "served",
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {"input_tokens": reply.usage[0], "output_tokens": reply.usage[1]},
        }

    def _stream(self, reply: Reply) -> bytes:
        if self.form == "openai":
            return b"".join(f"data: {one if isinstance(one, str) else json.dumps(one)}\n\n".encode() for one in self._openai_events(reply))
        return b"".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n".encode() for one in self._anthropic_events(reply))

    def _openai_events(self, reply: Reply) -> list[Any]:
        whole = self._openai(reply)
        frame = {key: whole[key] for key in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
        message, stop = whole["choices"][0]["message"], whole["choices"][0]["finish_reason"]
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
        deltas += [{"content": part} for part in (reply.text[:3], reply.text[3:]) if part]
        for n, call in enumerate(message.get("tool_calls", [])):
            text = call["function"]["arguments"]
            deltas.append(
                {
                    "tool_calls": [
                        {"index": n, "id": call["id"], "type": "function", "function": {"name": call["function"]["name"], "arguments": ""}}
                    ]
                }
            )
            deltas += [{"tool_calls": [{"index": n, "function": {"arguments": part}}]} for part in (text[:4], text[4:]) if part]
        chunks = [frame | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
        chunks.append(frame | {"choices": [{"index": 0, "delta": {}, "finish_reason": stop}]})
        chunks.append(frame | {"choices": [], "usage": whole["usage"]})
        return [*chunks, "[DONE]"]

    def _anthropic_events(self, reply: Reply) -> list[dict[str, Any]]:
        whole = self._anthropic(reply)
        events: list[dict[str, Any]] = [
            {
                "type": "message_start",
                "message": whole | {"content": [], "stop_reason": None, "usage": {"input_tokens": reply.usage[0], "output_tokens": 1}},
            }
        ]
        for n, block in enumerate(whole["content"]):
            if block["type"] == "text":
                events.append({"type": "content_block_start", "index": n, "content_block": {"type": "text", "text": ""}})
                events.append({"type": "content_block_delta", "index": n, "delta": {"type": "text_delta", "text": block["text"]}})
            else:
                events.append({"type": "content_block_start", "index": n, "content_block": block | {"input": {}}})
                text = json.dumps(block["input"])
                events += [
                    {"type": "content_block_delta", "index": n, "delta": {"type": "input_json_delta", "partial_json": part}}
                    for part in (text[:4], text[4:])
                    if part
                ]
            events.append({"type": "content_block_stop", "index": n})
        events.append(
            {
                "type": "message_delta",
                "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None},
                "usage": {"output_tokens": reply.usage[1]},
            }
        )
        return [*events, {"type": "message_stop"}]


def results_in(request: dict[str, Any]) -> list[Any]:
    """The tool results of the conversation so far as data, in order, of either form."""
    out = []
    for message in request["messages"]:
        if message["role"] == "tool":
            out.append(json.loads(message["content"]))
        elif isinstance(message["content"], list):
            for block in message["content"]:
                if block.get("type") == "tool_result":
                    content = block["content"]
                    out.append(json.loads(content if isinstance(content, str) else content[0]["text"]))
    return out


def told_in(request: dict[str, Any]) -> str:
    """All that the user says, of either form."""
    texts = []
    for message in request["messages"]:
        if message["role"] == "user":
            content = message["content"]
            texts += [content] if isinstance(content, str) else [block.get("text", "") for block in content]
    return "\n".join(texts)
